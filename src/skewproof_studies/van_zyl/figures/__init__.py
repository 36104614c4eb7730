"""Figures of van Zyl and Engelbrecht, redrawn, and further ones of the same study."""
