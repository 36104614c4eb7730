"""An interactive page: change the imbalance and watch every metric."""
