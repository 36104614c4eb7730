"""SALib as the other estimator."""
