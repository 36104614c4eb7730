"""The surface of a metric over (tp, fp), and its change between levels."""
