"""Statements of the literature on metrics under imbalance, decided by computation."""
