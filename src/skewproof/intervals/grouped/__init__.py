"""Intervals of rows in groups: what their rows are worth, and how alike they are."""
