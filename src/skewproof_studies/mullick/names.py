"""What Mullick et al. call the measures, and which of them their figures show."""

from __future__ import annotations

TWO_CLASS_NAMES = {
    "precision": "Precision",
    "precision_recall_mean": "AURPC",
    "precision_i": "mPrecision",
    "precision_recall_mean_i": "mAURPC",
    "g_mean": "GMean",
    "balanced_accuracy": "AUROC",
}
"""Metrics of two classes (Definitions 4 and 5) by their key; Figure 3 shows them all."""

MULTICLASS_NAMES = {
    "g_mean": "GMean",
    "acsa": "ACSA",
    "nauroc_ova": "nAUROC-OVA",
    "aurpc_ova": "AURPC-OVA",
    "maurpc_ova": "mAURPC-OVA",
    "auroc_ova": "AUROC-OVA",
    "auroc_ovo": "AUROC-OVO",
}
"""Measures of more classes by their key, with the names of Figures 4 and 5."""

NAMES = TWO_CLASS_NAMES | MULTICLASS_NAMES
"""All of them; GMean has the same key for two classes and for more."""

FIGURE_4A = ("g_mean", "acsa", "nauroc_ova", "aurpc_ova", "maurpc_ova")
"""Measures that Figure 4a compares by Condition 1."""

FIGURE_4B = ("acsa", "nauroc_ova")
"""Measures whose normalized deviations Figure 4b compares."""

FIGURE_5 = ("auroc_ova", "auroc_ovo", "nauroc_ova", "acsa", "g_mean")
"""Measures that Figure 5 compares by Condition 2."""
