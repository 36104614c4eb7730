"""Statements on the best points of metrics as positives become rare."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from skewproof.operating_points import (
    BinormalCurve,
    EmpiricalCurve,
    PowerLawCurve,
    best_point,
    best_points,
    rare_limit,
)
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.drawing import LINES, show_levels
from skewproof_studies.statements.statement import Computation, read_statements

Curve = BinormalCurve | PowerLawCurve | EmpiricalCurve

RATIOS = tuple(10**power for power in range(0, 10))
"""Negatives per positive at which best points are drawn."""


CONSTANT = 0.1
"""The authors' default of d and d0."""


def straight_start() -> EmpiricalCurve:
    """Return the hull of scores with three values: the curve of random decisions between them."""
    positives, negatives = np.repeat([3, 2, 1], [5, 3, 2]), np.repeat([3, 2, 1], [1, 3, 6])
    labels = np.repeat([1, 0], [positives.size, negatives.size])
    return EmpiricalCurve(labels, np.concatenate([positives, negatives]), hull=True)


def curves() -> dict[str, Curve]:
    """Return the curves on which the limits are decided, by name."""
    return {
        "normal scores 2 apart, equal deviations": BinormalCurve(mean=2),
        "the same, deviation 1.5 of positives": BinormalCurve(mean=2, deviation=1.5),
        "*u* = *v*^(1/4)": PowerLawCurve(0.25),
        "*u* = *v*^(1/2)": PowerLawCurve(0.5),
        "*u* = *v*^(3/4)": PowerLawCurve(0.75),
        "three score values, straight start": straight_start(),
    }


def at_start(curve: Curve) -> float:
    """Return the limit of u²/v at the start of a curve; for a straight start with u = kv it is the
    limit of k²v, which is 0."""
    return 0.0 if isinstance(curve, EmpiricalCurve) else float(np.exp(curve.log_at_origin(2)))


def rare_class_ignored() -> Computation:
    """Compute whether the best points ignore a rare class: F and Jaccard by u/v, MCC by (u -
    v)²/(v(1 - v))."""
    rows = []
    for name, curve in curves().items():
        start = at_start(curve)
        best = (
            tpr
            for key in ("f1", "mcc")
            for tpr in (best_point(key, curve, at="1:1000").tpr, rare_limit(key, curve).tpr)
        )
        rows.append((name, "∞" if start == np.inf else start, *best))
    limit = rare_limit("mcc", BinormalCurve(mean=2)).tpr
    wider_limit = rare_limit("mcc", BinormalCurve(mean=2, deviation=4 / 3)).tpr
    point = rare_limit("mcc", BinormalCurve(mean=2))
    slope = (point.tpr / point.fpr + (1 - point.tpr) / (1 - point.fpr)) / 2
    values = {"limit": limit, "wider_limit": wider_limit, "slope": slope}
    return Computation(rows, values, _rare_class_figure(limit))


def _rare_class_figure(limit: float) -> Figure:
    levels = [f"1:{ratio}" for ratio in RATIOS]
    shown = {
        "F1, equal deviations": ("f1", BinormalCurve(mean=2)),
        "MCC, equal deviations": ("mcc", BinormalCurve(mean=2)),
        "MCC, deviation 1.5": ("mcc", BinormalCurve(mean=2, deviation=1.5)),
    }
    with styled_figure((4.5, 3)) as (figure, axes):
        for line, (label, (key, curve)) in zip(LINES, shown.items(), strict=False):
            best = best_points(key, curve, levels)["tpr"]
            axes.plot(RATIOS, best, linestyle=line, marker=".", label=label)
        axes.axhline(limit, color="0.6", lw=0.8)
        show_levels(axes, RATIOS[::3])
        axes.set(yscale="log", ylabel="best TPR")
        axes.legend()
    return figure


def robust_class_kept() -> Computation:
    """Compute limits of the best TPR under robust F and MCC, and the least TPR that their best
    values need."""
    rows = []
    for name, curve in curves().items():
        f, mcc = (rare_limit(key, curve) for key in ("robust_f", "robust_mcc"))
        least_f = CONSTANT * f.tpr / (CONSTANT + f.fpr)
        root = np.sqrt(CONSTANT / (CONSTANT + mcc.fpr * (1 - mcc.fpr)))
        rows.append((name, f.tpr, least_f, mcc.tpr, (mcc.tpr - mcc.fpr) * root))
    return Computation(rows)


def robust_threshold_bounded() -> Computation:
    """Compute the density ratio at the limits of best points under robust F and MCC, beside its
    bound."""
    rows = []
    for constant in (0.01, 0.05, 0.1, 0.5):
        f = rare_limit(f"robust_f(d0={constant})", BinormalCurve(mean=2))
        mcc = rare_limit(f"robust_mcc(d={constant})", BinormalCurve(mean=2))
        excess = (mcc.tpr - mcc.fpr) * (1 - 2 * mcc.fpr) / 2
        of_mcc = 1 + excess / (constant + mcc.fpr * (1 - mcc.fpr))
        bounds = 1 / constant, 1 + 1 / (2 * constant)
        rows.append((constant, f.tpr / (constant + f.fpr), bounds[0], of_mcc, bounds[1]))
    return Computation(rows)


STATEMENTS = read_statements(
    "limits", rare_class_ignored, robust_class_kept, robust_threshold_bounded
)
