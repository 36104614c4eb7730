"""Exact indices by quadrature that respects the kinks of a metric."""
