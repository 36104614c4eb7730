"""Cards of metrics, and what a name means."""
