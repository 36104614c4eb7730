"""What the paper of Mullick et al. calls the measures, shows in its figures, and states of them."""

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

TWO_CLASS, MULTICLASS = "two-class", "multi-class"
"""Scopes of a statement: metrics of two classes, measures of any number."""

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
"""Whether a condition is satisfied, by scope and measure, as the paper shows or says (Theorems 1 to
5, Sections 4 and 6, Figure 6)."""


def stated(scope: str, measure: str, condition: int) -> bool | None:
    """Whether the paper has a measure satisfy a condition; None where it says nothing."""
    return STATED_CONDITIONS.get((scope, measure), {}).get(condition)


def stated_to_satisfy(
    condition: int, scope: str, measures: Iterable[str], *, satisfied: bool = True
) -> list[str]:
    """Those of some measures that satisfy a condition by the paper, or that violate it."""
    return [key for key in measures if stated(scope, key, condition) is satisfied]
