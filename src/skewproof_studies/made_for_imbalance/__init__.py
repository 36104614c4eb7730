"""Measures that were proposed for imbalanced classes, and what each keeps as positives get rare."""
