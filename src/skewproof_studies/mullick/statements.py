"""What Mullick et al. state of the three conditions."""

from __future__ import annotations

from collections.abc import Iterable

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
"""By scope and measure, whether a condition is satisfied: what the paper shows or says (Theorems 1
to 5, Sections 4 and 6, Figure 6)."""


def stated(scope: str, measure: str, condition: int) -> bool | None:
    """Whether the paper has a measure satisfy a condition; None where it says nothing."""
    return STATED_CONDITIONS.get((scope, measure), {}).get(condition)


def stated_to_satisfy(
    condition: int, scope: str, measures: Iterable[str], *, satisfied: bool = True
) -> list[str]:
    """Those of some measures that satisfy a condition by the paper, or that violate it."""
    return [key for key in measures if stated(scope, key, condition) is satisfied]
