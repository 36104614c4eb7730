"""Metrics, levels, significance and names of tables in the paper of van Zyl and Engelbrecht."""

from __future__ import annotations

BASELINE = "1:1"
"""Level that the paper compares with."""

PAPER_ALPHA = 0.05
"""Level of significance in the paper (Table 3)."""

PAPER_METRICS = (
    "accuracy",
    "gilbert_ratio",
    "balanced_accuracy",
    "f1",
    "cohen_kappa",
    "laplace",
    "mcc",
    "markedness",
    "fowlkes_mallows",
    "optimized_precision",
    "mcc_f1",
    "g_mean",
    "iba",
    "gilbert_ratio_i",
    "f1_i",
    "cohen_kappa_i",
    "laplace_i",
    "mcc_i",
    "optimized_precision_i",
    "mcc_f1_i",
    "precision_recall_mean",
    "precision_recall_root_mean",
    "sensitivity_specificity_harmonic_mean",
    "sensitivity_specificity_root_mean",
)
"""Keys of the paper's metrics, in the row order of its tables (Sections 5 and 6)."""

TEXT_LEVELS = ("1:1", "1:2", "1:100", "1:1000")
"""Levels that Section 7.1 lists."""

IMPORTANCE_TABLES = {
    "1:1": "a12",
    "1:2": "a13",
    "1:10": "a14",
    "1:100": "a15",
    "1:1000": "a16",
}
"""Tables of Appendix A with the importance scores, by level."""


def importance_table_name(level: str) -> str:
    """Return the paper's name of a level's importance table, or one made from the level."""
    return IMPORTANCE_TABLES.get(level, "a_" + level.replace(":", "_"))
