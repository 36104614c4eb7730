"""Cards of metrics, and the meanings of a metric's name."""
