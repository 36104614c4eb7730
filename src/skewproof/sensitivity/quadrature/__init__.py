"""Exact indices by integration along the kinks of a metric."""
