"""Demands of a metric: its exchange rate, its best points and cut-offs, and their limits."""
