"""Curves of scores, their areas, and thresholds."""
