"""Measures that a field of use has for itself, a module for each field."""
