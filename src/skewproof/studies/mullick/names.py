"""What Mullick et al. call indices and metrics."""

from __future__ import annotations

TWO_CLASS = {
    "precision": "Precision",
    "precision_recall_mean": "AURPC",
    "precision_i": "mPrecision",
    "precision_recall_mean_i": "mAURPC",
    "g_mean": "GMean",
    "balanced_accuracy": "AUROC",
}
"""Keys of the metrics of Definitions 4 and 5, with the paper's names."""
