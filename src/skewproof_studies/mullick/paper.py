"""Names of the measures in the paper of Mullick et al., and its figures and statements on them."""

from __future__ import annotations

from collections.abc import Iterable

TWO_CLASS_NAMES = {
    "precision": "Precision",
    "precision_recall_mean": "AURPC",
    "precision_i": "mPrecision",
    "precision_recall_mean_i": "mAURPC",
    "g_mean": "GMean",
    "balanced_accuracy": "AUROC",
}
"""Names of the metrics of two classes (Definitions 4 and 5) by key; Figure 3 shows them all."""

MULTICLASS_NAMES = {
    "g_mean": "GMean",
    "acsa": "ACSA",
    "nauroc_ova": "nAUROC-OVA",
    "aurpc_ova": "AURPC-OVA",
    "maurpc_ova": "mAURPC-OVA",
    "auroc_ova": "AUROC-OVA",
    "auroc_ovo": "AUROC-OVO",
}
"""Names of the measures of more classes in Figures 4 and 5, by key."""

NAMES = TWO_CLASS_NAMES | MULTICLASS_NAMES
"""All these names; GMean has the same key for two classes and for more."""

FIGURE_4A = ("g_mean", "acsa", "nauroc_ova", "aurpc_ova", "maurpc_ova")
"""Measures that Figure 4a compares for Condition 1."""

FIGURE_4B = ("acsa", "nauroc_ova")
"""Measures whose normalized deviations Figure 4b compares."""

FIGURE_5 = ("auroc_ova", "auroc_ovo", "nauroc_ova", "acsa", "g_mean")
"""Measures that Figure 5 compares for Condition 2."""

TWO_CLASS, MULTICLASS = "two-class", "multi-class"
"""Scopes of a statement: metrics of two classes, and measures of any number of classes."""

STATED_CONDITIONS: dict[tuple[str, str], dict[int, bool]] = {
    (TWO_CLASS, "g_mean"): {1: True},
    (TWO_CLASS, "balanced_accuracy"): {1: True},
    (TWO_CLASS, "precision"): {1: False},
    (TWO_CLASS, "precision_recall_mean"): {1: False},
    (TWO_CLASS, "precision_i"): {1: True},
    (TWO_CLASS, "precision_recall_mean_i"): {1: True},
    (MULTICLASS, "g_mean"): {1: True, 2: True, 3: False},
    (MULTICLASS, "acsa"): {1: True, 2: True, 3: True},
    (MULTICLASS, "auroc_ovo"): {1: True, 2: False},
    (MULTICLASS, "auroc_ova"): {1: False, 2: False},
    (MULTICLASS, "nauroc_ova"): {1: False, 2: True},
    (MULTICLASS, "aurpc_ova"): {1: False, 2: True},
    (MULTICLASS, "maurpc_ova"): {1: True, 2: True, 3: True},
}
"""Statements of the paper on whether a measure satisfies a condition, by scope and measure
(Theorems 1 to 5, Sections 4 and 6, Figure 6)."""


def stated(scope: str, measure: str, condition: int) -> bool | None:
    """Return whether a measure satisfies a condition according to the paper; None if not stated."""
    return STATED_CONDITIONS.get((scope, measure), {}).get(condition)


def stated_to_satisfy(
    condition: int, scope: str, measures: Iterable[str], *, satisfied: bool = True
) -> list[str]:
    """Return the measures that satisfy, or violate, a condition according to the paper."""
    return [key for key in measures if stated(scope, key, condition) is satisfied]
