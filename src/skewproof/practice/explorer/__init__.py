"""A page in which one moves the imbalance and sees what becomes of every metric."""
