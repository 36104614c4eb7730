"""Intervals of metrics."""
