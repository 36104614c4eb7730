"""Foundations: algebra, the confusion matrix, metrics, registries, scales and levels."""
