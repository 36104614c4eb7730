"""Statements of Saito and Rehmsmeier (2015) on ROC and precision-recall curves.

Their simulation has two classifiers with the same area under the ROC curve. The early one finds
some positives before many negatives, and the late one rejects some negatives early. With u = TPR
and v = FPR the curves are u = v^(1/4) and u = 1 - (1 - v)^4, which are mirror images of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import quad
from scipy.optimize import brentq

from skewproof.reporting.style import BLUE, VERMILION
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.statement import Computation, read_statements

EXPONENT = 4
"""Parameter of both curves: the scores of positives or negatives are Beta(4, 1) or Beta(1, 4)."""

STEEPER = 8
"""Exponent of another late curve, with a larger area under the ROC curve."""

RATIOS = (1, 10, 100, 1000)
"""Negatives per positive."""

SHOWN_RATIO = 10

STRICT, EAGER = (0.3, 0.001), (0.6, 0.05)
"""TPR and FPR of two classifiers whose precision-recall areas prefer the less useful one."""

RARE, MODEST_WORTH = 100, 20
"""Negatives per positive, and a worth of a hit in false alarms, of the counterexample."""


def early_fpr(tpr: float) -> float:
    """Return the FPR of the early curve at a TPR."""
    return tpr**EXPONENT


def late_fpr(tpr: float, exponent: int = EXPONENT) -> float:
    """Return the FPR of a late curve at a TPR."""
    return float(1 - (1 - tpr) ** (1 / exponent))


def precision_recall_area(fpr_at: Callable[[float], float], ratio: float) -> float:
    """Return the area under a precision-recall curve at a ratio of negatives per positive."""
    return float(quad(lambda u: u / (u + ratio * fpr_at(u)), 0, 1, epsabs=1e-12, limit=200)[0])


def early_value(slope: float) -> float:
    """Return the largest u - slope·v on the early curve: the gain of its best cut-off, as a share
    of the positives, if a hit is worth N/(P·slope) false alarms."""
    last_inside = 1 / EXPONENT  # the curve's slope at its end
    if slope <= last_inside:
        return 1 - slope
    best_tpr = (EXPONENT * slope) ** (-1 / (EXPONENT - 1))
    return best_tpr - slope * best_tpr**EXPONENT


def late_value(slope: float) -> float:
    """Return the same for the late curve, by reflection."""
    return 1 - slope + slope * early_value(1 / slope)


def fpr_through(point: tuple[float, float], tpr: float) -> float:
    """Return the FPR at a TPR on the ROC curve of two straight lines through a point."""
    u, v = point
    return v * tpr / u if tpr <= u else v + (1 - v) * (tpr - u) / (1 - u)


def value_through(point: tuple[float, float], ratio: float, worth: float) -> float:
    """Return the gain of the best decision on this ROC curve, as a share of the positives."""
    return max(tpr - fpr * ratio / worth for tpr, fpr in ((0.0, 0.0), point, (1.0, 1.0)))


def turning_ratio(exponent: int = STEEPER) -> float:
    """Return the ratio of the classes at which the precision-recall areas of the early and of a
    late curve are equal."""

    def difference(log_ratio: float) -> float:
        ratio = np.exp(log_ratio)
        late = precision_recall_area(lambda u: late_fpr(u, exponent), ratio)
        return late - precision_recall_area(early_fpr, ratio)

    return float(np.exp(brentq(difference, 0, np.log(RATIOS[1]), xtol=1e-10)))


def roc_misleads_under_imbalance() -> Computation:
    """Compute whether ROC curves mislead under imbalance."""
    area = Fraction(EXPONENT, EXPONENT + 1)
    rows = [
        (
            ratio,
            area,
            precision_recall_area(early_fpr, ratio),
            precision_recall_area(late_fpr, ratio),
        )
        for ratio in RATIOS
    ]
    strict, eager = (
        {
            "tpr": point[0],
            "fpr": point[1],
            "roc_area": (1 + point[0] - point[1]) / 2,
            "pr_area": precision_recall_area(partial(fpr_through, point), RARE),
            "gain": value_through(point, RARE, MODEST_WORTH),
        }
        for point in (STRICT, EAGER)
    )
    worth = 2 * SHOWN_RATIO
    values = {
        "rare": RARE,
        "strict": strict,
        "eager": eager,
        "modest_worth": MODEST_WORTH,
        "area": area,
        "ratio": SHOWN_RATIO,
        "worth": worth,
        "early_gain": early_value(SHOWN_RATIO / worth),
        "late_gain": late_value(SHOWN_RATIO / worth),
    }
    return Computation(rows, values, _mirrored_figure())


def _mirrored_figure() -> Figure:
    tpr = np.linspace(1e-6, 1, 400)
    curves = {
        "early": (tpr**EXPONENT, early_value, BLUE, "-"),
        "late": (1 - (1 - tpr) ** (1 / EXPONENT), late_value, VERMILION, "--"),
    }
    worth = np.geomspace(1, SHOWN_RATIO**2, 200)
    with styled_figure((7.2, 2.6), 1, 3) as (figure, (left, middle, right)):
        for name, (fpr, value, color, line) in curves.items():
            style = {"color": color, "linestyle": line, "label": name}
            left.plot(fpr, tpr, **style)
            middle.plot(tpr, tpr / (tpr + SHOWN_RATIO * fpr), **style)
            right.plot(worth, [value(SHOWN_RATIO / alarms) for alarms in worth], **style)
        left.set(xlabel="FPR", ylabel="TPR", aspect="equal")
        middle.set(xlabel="TPR", ylabel="precision", ylim=(0, 1.02))
        right.set(xlabel="false alarms that a hit is worth", ylabel="gain, share of positives")
        right.set_xscale("log")
        right.axvline(SHOWN_RATIO, color="0.6", linewidth=0.8, linestyle=":")
        left.legend(frameon=False)
    return figure


def precision_recall_predicts_performance() -> Computation:
    """Compute whether a precision-recall curve predicts future performance."""
    tpr, fpr = Fraction(4, 5), Fraction(1, 20)
    tested, deployed = RATIOS[1], RATIOS[-1]
    rows = [
        (
            ratio,
            precision_recall_area(early_fpr, ratio),
            precision_recall_area(lambda u: late_fpr(u, STEEPER), ratio),
        )
        for ratio in RATIOS[:2]
    ]
    values = {
        "tested": tested,
        "deployed": deployed,
        "precision_tested": tpr / (tpr + tested * fpr),
        "precision_deployed": tpr / (tpr + deployed * fpr),
        "turn": turning_ratio(),
    }
    return Computation(rows, values)


STATEMENTS = read_statements(
    "curves_under_imbalance", roc_misleads_under_imbalance, precision_recall_predicts_performance
)
