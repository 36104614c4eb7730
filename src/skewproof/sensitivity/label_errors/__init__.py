"""Effects of wrong labels on a metric."""
