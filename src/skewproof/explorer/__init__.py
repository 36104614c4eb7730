"""Interactive page on which to change the imbalance and watch every metric."""
