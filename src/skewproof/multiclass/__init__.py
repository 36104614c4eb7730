"""Indices of any number of classes, and what imbalance does to them."""
