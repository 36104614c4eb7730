"""Verdicts on every metric, and their robustness."""
