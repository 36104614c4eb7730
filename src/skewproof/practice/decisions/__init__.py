"""Decisions on scores: cut-offs with a promise, the best cut-off, and bands of curves."""
