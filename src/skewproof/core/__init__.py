"""Foundations: algebra, the confusion matrix, metrics, registries, scales, levels."""
