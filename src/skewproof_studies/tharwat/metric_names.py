"""Tharwat's names of metrics, and the keys here."""

from __future__ import annotations

METRIC_KEYS = {
    "Acc": "accuracy",
    "TPR": "true_positive_rate",
    "TNR": "true_negative_rate",
    "PPV": "precision",
    "NPV": "negative_predictive_value",
    "Err": "error_rate",
    "BCR": "balanced_accuracy",
    "FPR": "false_positive_rate",
    "FNR": "false_negative_rate",
    "F-measure": "f1",
    "LR+": "positive_likelihood_ratio",
    "LR-": "negative_likelihood_ratio",
    "DOR": "diagnostic_odds_ratio",
    "YI": "youden_j",
    "Jaccard": "gilbert_ratio",
    "OP": "optimized_precision",
}
"""Key of each metric of his examples, by his name of it."""

IRIS_METRICS = ("Acc", "TPR", "TNR", "PPV", "NPV")
"""His names of the metrics that he prints for Iris (Section 7)."""
