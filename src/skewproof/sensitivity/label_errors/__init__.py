"""What wrong labels do to a metric."""
