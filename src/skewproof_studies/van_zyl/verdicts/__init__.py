"""Verdicts on every metric, and how robust they are."""
