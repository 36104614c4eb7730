"""Indices from samples, with bootstrap half-widths and tests."""
