"""What all else stands on: algebra, the confusion matrix, metrics, registries, scales, levels."""
