"""Statements on the best points of metrics as positives become rare."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from skewproof.operating_points import (
    BinormalCurve,
    EmpiricalCurve,
    PowerLawCurve,
    best_point,
    best_points,
    rare_limit,
)
from skewproof_studies.statements.drawing import LINES, panels, show_levels
from skewproof_studies.statements.statement import Decision, Statement

Curve = BinormalCurve | PowerLawCurve | EmpiricalCurve

RATIOS = tuple(10**power for power in range(0, 10))
"""Negatives per positive at which best points are drawn."""


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


def decide_rare_class() -> Decision:
    """Decide whether the best points ignore a rare class: F and Jaccard by u/v, MCC by (u -
    v)²/(v(1 - v))."""
    rows = []
    for name, curve in curves().items():
        start = at_start(curve)
        row = {"ROC curve": name, "*u*²/*v* at the start": "∞" if start == np.inf else f"{start:g}"}
        for key, shown in (("f1", "F1"), ("mcc", "MCC")):
            row[f"{shown} at 1:1,000"] = f"{best_point(key, curve, at='1:1000').tpr:.4f}"
            row[f"limit of {shown}"] = f"{rare_limit(key, curve).tpr:.4g}"
        rows.append(row)
    limit = rare_limit("mcc", BinormalCurve(mean=2)).tpr
    near = rare_limit("mcc", BinormalCurve(mean=2, deviation=4 / 3)).tpr
    return Decision(
        verdict="true if",
        sentence=(
            "A Bayes classifier thresholds the likelihood ratio, so its ROC curve is concave. For "
            "F and Jaccard the statement is true on every such curve that does not start with a "
            "straight or vertical segment. For MCC, on a curve that does not start with a "
            "vertical segment, it is true if and only if (*u* - *v*)²/(*v*(1 - *v*)) approaches "
            "its supremum only at the start of the curve, for example where *u*²/*v* is unbounded "
            "there. It is false for MCC on the textbook curve: for normal scores with equal "
            f"deviations and means 2 apart, the best TPR tends to {limit:.4f}, not to 0."
        ),
        computed=(
            "F·*r* is 2*u*/(*v* + (1 + *u*)/*r*). It is at most 2*u*/*v* and, as *r* grows, tends "
            "to this bound at every *v* > 0. On a strictly concave curve *u*/*v* falls from the "
            "start on, so points nearer to the start beat any given point once positives are rare "
            "enough. Jaccard orders classifiers as F does. If the curve starts with a straight or "
            "vertical segment, the best TPR stays above 0. MCC²/π is (1 - π)(*u* - *v*)²/(*q*(1 - "
            "*q*)). It is at most 1/(1 - π) times *g* = (*u* - *v*)²/(*v*(1 - *v*)) and tends to "
            "*g* at every *v* > 0, so the best points go to where *g* is highest. If *g* "
            "approaches its supremum only at the start, the best TPR tends to 0. An infinite "
            "supremum is sufficient but not necessary: on the curve *u* = *v*^(1/2), *u*²/*v* is "
            "1 throughout, and the best TPR still tends to 0. If the likelihood ratio has a "
            "finite second moment among negatives, *u*²/*v* tends to 0 at the start by the "
            "Cauchy-Schwarz inequality, and the best TPR tends to a positive number. For normal "
            "scores this is the case if the positives' deviation is below √2 times that of the "
            "negatives. The number can still be too small to matter: with means 2 apart and a "
            f"deviation of 4/3 it is {near:.0e}. The table shows the best TPR and its limit as "
            "positives become rare. The abstract does not say under which conditions the authors "
            "prove their statement."
        ),
        table=pd.DataFrame(rows),
        figure=_rare_class_figure(limit),
        caption=(
            "The best TPR as positives become rare, for normal scores 2 apart. The gray line is "
            "the limit for MCC with equal deviations."
        ),
    )


def _rare_class_figure(limit: float) -> Figure:
    levels = [f"1:{ratio}" for ratio in RATIOS]
    shown = {
        "F1, equal deviations": ("f1", BinormalCurve(mean=2)),
        "MCC, equal deviations": ("mcc", BinormalCurve(mean=2)),
        "MCC, deviation 1.5": ("mcc", BinormalCurve(mean=2, deviation=1.5)),
    }
    with panels() as (figure, (axes,)):
        for line, (label, (key, curve)) in zip(LINES, shown.items(), strict=False):
            best = best_points(key, curve, levels)["tpr"]
            axes.plot(RATIOS, best, linestyle=line, marker=".", label=label)
        axes.axhline(limit, color="0.6", lw=0.8)
        show_levels(axes, RATIOS[::3])
        axes.set(yscale="log", ylabel="best TPR")
        axes.legend()
    return figure


STATEMENTS = (
    Statement(
        name="rare_class_ignored",
        claim="Classifiers that maximize F, Jaccard or MCC ignore the rare class in the limit.",
        source=(
            "Holzmann and Klar (2024), Robust performance metrics for imbalanced classification "
            "problems, arXiv:2404.07661"
        ),
        read="abstract",
        decide=decide_rare_class,
        recompute="""
from skewproof.operating_points import BinormalCurve, rare_limit

for deviation in (1, 1.5):
    for key in ("f1", "mcc"):
        limit = rare_limit(key, BinormalCurve(mean=2, deviation=deviation))
        print(f"{key}, deviation {deviation}: {limit.tpr:.4f}, {limit.support}, {limit.reason}")
""",
    ),
)
