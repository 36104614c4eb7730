"""Figures of van Zyl and Engelbrecht, redrawn, and other figures of the same study."""
