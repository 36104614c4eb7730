"""The surface of a metric over (tp, fp), and how far it moves between levels."""
