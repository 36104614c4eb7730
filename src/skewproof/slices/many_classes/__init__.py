"""Slices with more than two labels."""
