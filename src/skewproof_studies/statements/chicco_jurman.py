"""Statements of Chicco, Jurman and their coauthors on the Matthews correlation coefficient.

If a hit is worth c false alarms to a user, a classifier is useful if it does better than calling
nothing positive and than calling everything positive.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import ndtr

from skewproof import ConfusionMatrix
from skewproof.core.confusion import matrix_of
from skewproof.metrics import accuracy, cohen_kappa, f1, mcc
from skewproof.operating_points import BinormalCurve, best_point
from skewproof.reporting.style import BLUE, VERMILION
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.statement import Computation, read_statements


class Cells(NamedTuple):
    """The counts of a confusion matrix."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def matrix(self) -> ConfusionMatrix:
        """Matrix of these counts."""
        return matrix_of(self)

    @property
    def mistakes(self) -> int:
        """Number of false alarms and misses."""
        return self.fp + self.fn


CASES = {
    "A1": Cells(tp=90, fp=9, fn=1, tn=0),
    "A2": Cells(tp=5, fp=6, fn=70, tn=19),
    "B1": Cells(tp=47, fp=45, fn=3, tn=5),
    "B2": Cells(tp=10, fp=4, fn=40, tn=46),
    "C1": Cells(tp=9, fp=89, fn=1, tn=1),
    "C2": Cells(tp=2, fp=1, fn=9, tn=88),
}
"""The six matrices of Chicco and Jurman (2020), taken from the authors' public script."""

COMMON = (Cells(tp=90, fp=9, fn=0, tn=1), Cells(tp=70, fp=1, fn=20, tn=9))
RARE = (Cells(tp=90, fp=900, fn=10, tn=9100), Cells(tp=50, fp=10, fn=50, tn=9990))
"""Pairs of classifiers of which MCC prefers the second, and a stated worth of a hit the first."""

RARE_WORTH = 100


def useful_between(cells: Cells) -> tuple[Fraction, Fraction | None]:
    """Return the range of the worth of a hit, in false alarms, for which the classifier is useful:
    above the first number and below the second, which is None if there is no limit."""
    most = Fraction(cells.tn, cells.fn) if cells.fn else None
    return Fraction(cells.fp, cells.tp), most


def mcc_against_f1_and_accuracy() -> Computation:
    """Compute whether MCC shows what F1 and accuracy hide."""
    rows = []
    for name, cells in CASES.items():
        low, high = useful_between(cells)
        useful = high is None or low < high
        between = f"{float(low):.3f} to {float(high or 0):.3f}" if useful else "none"
        scores = (metric(cells.matrix) for metric in (accuracy, f1, mcc))
        rows.append((name, *cells, *scores, between))
    values = {
        "useless": [name for name, *_, between in rows if between == "none"],
        "worth": RARE_WORTH,
        "common": [described(cells) for cells in COMMON],
        "rare": [described(cells) for cells in RARE],
    }
    return Computation(rows, values, _useful_figure())


def described(cells: Cells) -> dict[str, Any]:
    """Return the cells of a classifier, its mistakes, its MCC, and its gain in hits if a hit is
    worth :data:`RARE_WORTH` false alarms."""
    return {
        "cells": tuple(cells),
        "mistakes": cells.mistakes,
        "mcc": mcc(cells.matrix),
        "gain": cells.tp - Fraction(cells.fp, RARE_WORTH),
    }


def _useful_figure() -> Figure:
    with styled_figure((6, 2.2)) as (figure, axes):
        for row, cells in enumerate(CASES.values()):
            low, high = (float(end or 0) for end in useful_between(cells))
            ends = [max(end, 1 / 100) for end in (low, high)]
            useful = low < high
            axes.plot(
                ends,
                [row, row],
                color=BLUE if useful else VERMILION,
                linestyle="-" if useful else ":",
                marker="|" if useful else "x",
                linewidth=2,
            )
        axes.set_xscale("log")
        axes.set_yticks(range(len(CASES)), CASES)
        axes.invert_yaxis()
        axes.set_xlabel("false alarms that a hit is worth")
    return figure


HIGH = Fraction(9, 10)
"""Value that counts as high."""


def guaranteed(metric: str, value: Fraction) -> tuple[tuple[Fraction, ...], Fraction | None]:
    """Return the bounds on the basic rates that a value of a metric guarantees at any prevalence.

    These are the greatest lower bounds above 0 of single rates, and the lower bound of the larger
    of the other two rates if there is one.
    """
    bounds: dict[str, tuple[tuple[Fraction, ...], Fraction | None]] = {
        "MCC": ((value**2,) * 4, None),
        "informedness": ((value,) * 2, (1 + value) / 2),
        "balanced accuracy": ((2 * value - 1,) * 2, value),
        "markedness": ((value,) * 2, (1 + value) / 2),
        "F1": ((value / (2 - value),) * 2, None),
        "accuracy": ((2 * value - 1, 1 / (3 - 2 * value)), None),
    }
    return bounds[metric]


RATES_OF = {
    "MCC": "TPR, TNR, PPV and NPV",
    "informedness": "TPR and TNR; PPV or NPV",
    "balanced accuracy": "TPR and TNR; PPV or NPV",
    "markedness": "PPV and NPV; TPR or TNR",
    "F1": "TPR and PPV",
    "accuracy": "TPR and PPV, or TNR and NPV",
}


def mcc_guarantees_four_rates() -> Computation:
    """Compute how many basic rates a high value guarantees to be high."""
    rows = []
    for metric, rates in RATES_OF.items():
        each, other = guaranteed(metric, HIGH)
        ends = " and ".join(dict.fromkeys(f"{float(bound):.3f}" for bound in each))
        ends += "" if other is None else f"; {float(other):.3f}"
        number = len(each) + (other is not None)
        rows.append((metric, rates, number, ends))
    values = {
        "high": HIGH,
        "by_mcc": guaranteed("MCC", HIGH)[0][0],
        "by_informedness": guaranteed("informedness", HIGH)[0][0],
        "predictive_value": (1 + HIGH) / 2,
    }
    return Computation(rows, values)


Counts = NDArray[np.int64]

SIZES = ((30, 30), (10, 90))
"""Numbers of positives and negatives for which all classifiers are compared with each other."""


def all_cells(positives: int, negatives: int) -> tuple[Counts, Counts, Counts, Counts]:
    """Return tp, fp, fn and tn of all matrices with both positive and negative calls."""
    tp, fp = (
        cell.ravel()
        for cell in np.meshgrid(
            np.arange(positives + 1, dtype=np.int64), np.arange(negatives + 1, dtype=np.int64)
        )
    )
    called = tp + fp
    kept = (called > 0) & (called < positives + negatives)
    tp, fp = tp[kept], fp[kept]
    return tp, fp, positives - tp, negatives - fp


Quotient = Callable[[Counts, Counts, Counts, Counts], tuple[Counts, Counts]]


def _mcc_order(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> tuple[Counts, Counts]:
    """Return MCC² with its sign, without the constant factor PN."""
    upper = tp * tn - fp * fn
    return np.sign(upper) * upper**2, (tp + fp) * (fn + tn)


ORDERS: dict[str, Quotient] = {
    "MCC": _mcc_order,
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, np.ones_like(tp)),
    "balanced accuracy": lambda tp, fp, fn, tn: (
        tp * (fp + tn) + tn * (tp + fn),
        np.ones_like(tp),
    ),
    "markedness": lambda tp, fp, fn, tn: (tp * tn - fp * fn, (tp + fp) * (fn + tn)),
    "F1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
}
"""Numerators and denominators of quotients that order classifiers as a metric does at given class
sizes. They are whole numbers, so that comparisons are exact."""


def share_against(metric: str, positives: int, negatives: int, worth: int) -> Fraction:
    """Return the share of pairs of classifiers with different gains that a metric orders against
    the gain, if a hit is worth so many false alarms."""
    tp, fp, fn, tn = all_cells(positives, negatives)
    upper, lower = ORDERS[metric](tp, fp, fn, tn)
    order = np.sign(np.multiply.outer(upper, lower) - np.multiply.outer(lower, upper))
    gain = worth * tp - fp
    wanted = np.sign(np.subtract.outer(gain, gain))
    return Fraction(int((order * wanted < 0).sum()), int((wanted != 0).sum()))


def mcc_if_classes_matter_equally() -> Computation:
    """Compute whether MCC is the right metric if both classes matter equally."""
    rows = []
    for metric in ORDERS:
        percents = (
            100 * share_against(metric, positives, negatives, worth)
            for positives, negatives in SIZES
            for worth in sorted({1, negatives // positives})
        )
        rows.append((metric, *percents))
    return Computation(rows)


class BetaScores(NamedTuple):
    """A setting of the authors' simulation: positives follow a mixture of two Beta distributions
    with weights .7 and .3, and negatives follow a third one."""

    first: tuple[int, int]
    second: tuple[int, int]
    negatives: tuple[int, int]
    prevalence: Fraction


EXTREMES = (
    BetaScores((9, 15), (9, 15), (12, 7), Fraction(1, 2)),
    BetaScores((3, 8), (6, 15), (15, 7), Fraction(1, 11)),
    BetaScores((7, 15), (8, 14), (15, 8), Fraction(1, 11)),
    BetaScores((7, 15), (7, 15), (14, 6), Fraction(10, 11)),
)
"""Settings with the largest differences of MCC and 1 - Brier in the authors' public results.
"""

WEIGHTS = (Fraction(7, 10), Fraction(3, 10))


def _above_half(shapes: tuple[int, int]) -> Fraction:
    """Return P(score >= 1/2) for whole-number shapes, a binomial sum."""
    a, b = shapes
    trials = a + b - 1
    return sum((Fraction(comb(trials, hits), 2**trials) for hits in range(a)), Fraction(0))


def _moments(shapes: tuple[int, int]) -> tuple[Fraction, Fraction]:
    a, b = shapes
    return Fraction(a, a + b), Fraction(a * (a + 1), (a + b) * (a + b + 1))


class Judged(NamedTuple):
    """Scores of a setting in the population, at the cut-off 1/2."""

    brier: Fraction
    skill: Fraction
    kappa: float
    mcc: float


def judged(scores: BetaScores) -> Judged:
    """Return Brier's score, its skill against the base rate, kappa and MCC."""
    share = scores.prevalence
    positives = list(zip(WEIGHTS, (scores.first, scores.second), strict=True))
    missed = sum(
        weight * (1 - 2 * mean + square)
        for weight, (mean, square) in ((weight, _moments(shapes)) for weight, shapes in positives)
    )
    brier = share * missed + (1 - share) * _moments(scores.negatives)[1]
    tpr = sum((weight * _above_half(shapes) for weight, shapes in positives), Fraction(0))
    matrix = ConfusionMatrix.from_rates(
        float(tpr),
        float(_above_half(scores.negatives)),
        positives=float(share),
        negatives=float(1 - share),
    )
    skill = 1 - brier / (share * (1 - share))
    return Judged(brier, skill, float(cohen_kappa(matrix)), float(mcc(matrix)))


GROUPS = (
    (Fraction(5, 100), Fraction(9, 10)),
    (Fraction(10, 100), Fraction(4, 10)),
    (Fraction(85, 100), Fraction(1, 100)),
)
"""Groups of instances: the share of each group, and the share of positives in it."""

INFLATED = Fraction(3, 5)
"""Forecast of a rival for the second group."""


def judged_groups(forecasts: tuple[Fraction, ...]) -> tuple[Fraction, float]:
    """Return Brier's score and the MCC at the cut-off 1/2 of forecasts, by group."""
    brier, cells = Fraction(0), [Fraction(0)] * 4
    for (share, chance), forecast in zip(GROUPS, forecasts, strict=True):
        brier += share * (chance * (1 - forecast) ** 2 + (1 - chance) * forecast**2)
        first = 0 if forecast >= Fraction(1, 2) else 2
        cells[first] += share * chance
        cells[first + 1] += share * (1 - chance)
    tp, fp, fn, tn = map(float, cells)
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn, unobserved="one of shares")
    return brier, float(mcc(matrix))


def mcc_against_kappa_and_brier() -> Computation:
    """Compute both readings of whether MCC is more truthful than kappa and the Brier score."""
    rows = []
    for scores in EXTREMES:
        judgment = judged(scores)
        constant = 1 - scores.prevalence * (1 - scores.prevalence)
        rows.append(
            (
                scores.prevalence,
                1 - judgment.brier,
                constant,
                judgment.skill,
                judgment.kappa,
                judgment.mcc,
            )
        )
    chances = tuple(chance for _, chance in GROUPS)
    values = {
        "chance": chances[1],
        "inflated_chance": INFLATED,
        "calibrated": judged_groups(chances),
        "inflated": judged_groups((chances[0], INFLATED, chances[2])),
    }
    return Computation(rows, values)


PERFECT = Cells(tp=253, fp=0, fn=247, tn=5)
"""Case of the authors' public results in which all positives rank above all negatives."""

GOOD_CURVE = BinormalCurve(mean=2)


def least_area(value: Fraction) -> tuple[Fraction, Fraction]:
    """Return the smallest area under a ROC curve through a point with an MCC above 0, and under a
    concave one, over all prevalences."""
    return value**2, (1 + value**2) / 2


def mcc_should_replace_auc() -> Computation:
    """Compute whether MCC should replace the area under the ROC curve."""
    least, least_concave = least_area(HIGH)
    rows = []
    for ratio in (1, 100, 10_000):
        point = best_point("mcc", GOOD_CURVE, at=f"1:{ratio}")
        rows.append((ratio, point.value, point.tpr))
    values = {
        "high": HIGH,
        "least": least,
        "least_concave": least_concave,
        "at_half": mcc(PERFECT.matrix),
        "perfect": PERFECT,
        "area": ndtr(GOOD_CURVE.mean / 2**0.5),
    }
    return Computation(rows, values)


STATEMENTS = read_statements(
    "chicco_jurman",
    mcc_against_f1_and_accuracy,
    mcc_guarantees_four_rates,
    mcc_if_classes_matter_equally,
    mcc_against_kappa_and_brier,
    mcc_should_replace_auc,
)
