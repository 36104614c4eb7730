"""Example 1 of Mullick et al.: two ways in which a measure is distorted, simulated and exact.

The paper describes its data in a supplement that is not available. Here the two classes are normal
with means 4 -+ 1.51 and standard deviation 1. The half-distance is fitted so that FPR/TPR at the
border x = 4 gives both printed precisions. The two values therefore check only that some distance
gives both (:func:`fitting_half_distances`). The classes on the hexagon are normal around its
corners, at distance 1 from the center.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.stats import norm

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.precision_recall import precision
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import auroc_ova
from skewproof.reporting.style import COLORS, MARKERS
from skewproof.reporting.templates import render
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.reporting.printed import half_unit, rounds_to

MIDDLE_OF_MEANS, HALF_DISTANCE_OF_MEANS = 4.0, 1.51
"""Means of the two normal classes; the half-distance is fitted to PRINTED_PRECISIONS."""

PRINTED_PRECISIONS = {1: "0.93", 10: "0.59"}
"""Precision of the border x = 4 by RRT, as printed."""

BORDERS = (4.0, 4.5, 5.0, 5.5, 6.0)
"""Borders of linear classifiers. The smaller class lies to the right; the last borders miss most of
it."""

HEXAGON_CORNERS = 6

HEXAGON_CLASSES = (3, 4, 5, 6)
"""Numbers of classes, each class at a corner of the hexagon."""

HEXAGON_SPREAD = 0.25
"""Standard deviation of the classes on the hexagon, small enough for the best classifier to err
rarely."""

RECOGNIZED_SHARES = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Shares of instances that classifiers recognize."""


class FittingDistances(NamedTuple):
    """Interval of the half-distances of the means that give both printed precisions."""

    low: float
    high: float


def fitting_half_distances(printed: Mapping[int, str] = PRINTED_PRECISIONS) -> FittingDistances:
    """Return the half-distances, in standard deviations, that give the printed precisions at x = 4.

    At the middle of the means FPR/TPR is Φ(-d)/Φ(d), and precision is 1/(1 + RRT·FPR/TPR).

    Parameters
    ----------
    printed
        Printed precisions by RRT.

    Returns
    -------
    The ends of the interval; the low end is above the high one if no distance gives all precisions.
    """
    lows, highs = [], []
    for ratio, digits in printed.items():
        ends = (float(digits) + sign * half_unit(digits) for sign in (-1, 1))
        quotients = [(1 / end - 1) / ratio for end in ends]
        low, high = (float(norm.isf(quotient / (1 + quotient))) for quotient in quotients)
        lows.append(low)
        highs.append(high)
    return FittingDistances(max(lows), min(highs))


def precision_of_border(border: Value, ratio: Value) -> Value:
    """Return the precision of a linear classifier in closed form, at a ratio of representatives
    (RRT)."""
    distance = border - MIDDLE_OF_MEANS
    tpr, fpr = (
        norm.sf(distance - HALF_DISTANCE_OF_MEANS),
        norm.sf(distance + HALF_DISTANCE_OF_MEANS),
    )
    return precision(ConfusionMatrix.from_rates(tpr, fpr, positives=1, negatives=ratio))


def auroc_ova_of_share(share: Value, classes: Value) -> Value:
    """Return AUROC-OVA if each class is recognized with one probability and errors are even.

    A share p of each class is recognized, and the rest is spread evenly over the C - 1 other
    classes: (1 + p - (1 - p)/(C - 1))/2 from Eq. 13.
    """
    return (1 + share - (1 - share) / (classes - 1)) / 2


def simulated_precision(
    ratios: Sequence[int], *, size: int, seed: int, borders: Sequence[float] = BORDERS
) -> pd.DataFrame:
    """Simulate the precision of the same classifiers on test sets of different RRT (Figure 2c).

    All test sets share the larger class, so that the values of one classifier deviate from the
    exact ones in the same way.

    Parameters
    ----------
    ratios
        Ratios of the class on the left to the other one, which is subsampled.
    size
        Instances of the class on the left.
    seed
        Seed of all draws.
    borders
        Borders of the classifiers.

    Returns
    -------
    Frame with the columns ratio, border, value and exact.
    """
    random = np.random.default_rng([seed, 0])
    negative = random.normal(MIDDLE_OF_MEANS - HALF_DISTANCE_OF_MEANS, 1, size)
    positive = random.normal(MIDDLE_OF_MEANS + HALF_DISTANCE_OF_MEANS, 1, size)
    rows = []
    for ratio in ratios:
        kept = positive[: size // ratio]
        for border in borders:
            tp, fp = np.count_nonzero(kept > border), np.count_nonzero(negative > border)
            matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=len(kept), negatives=size)
            exact = float(precision_of_border(border, ratio))
            rows.append((ratio, border, float(precision(matrix)), exact))
    return pd.DataFrame(rows, columns=["ratio", "border", "value", "exact"])


def simulated_auroc_ova(*, size: int, seed: int) -> pd.DataFrame:
    """Simulate AUROC-OVA of classifiers that recognize the same share of each class (Figure 2f).

    The classifier assigns an instance to the class of the nearest corner, which is an ensemble of
    linear classifiers. It guesses as often as needed to recognize the requested share.

    Parameters
    ----------
    size
        Instances of each class.
    seed
        Seed of all draws.

    Returns
    -------
    Frame with the columns classes, share (of each class that is recognized in the simulation),
    value and exact.
    """
    angles = np.arange(HEXAGON_CORNERS) * 2 * np.pi / HEXAGON_CORNERS
    corners = np.column_stack([np.cos(angles), np.sin(angles)])
    rows = []
    for classes in HEXAGON_CLASSES:
        random = np.random.default_rng([seed, classes])
        centers = np.repeat(corners[:classes], size, axis=0)
        points = centers + random.normal(0, HEXAGON_SPREAD, centers.shape)
        true = np.repeat(np.arange(classes), size)
        nearest = np.argmax(points @ corners[:classes].T, axis=1)
        best = np.mean(nearest == true)
        for asked in RECOGNIZED_SHARES:
            guessing = (best - asked) / (best - 1 / classes)
            guesses = random.integers(0, classes, len(true))
            predicted = np.where(random.random(len(true)) < guessing, guesses, nearest)
            counts = np.zeros((classes, classes))
            np.add.at(counts, (true, predicted), 1)
            share = float(np.mean(predicted == true))
            value = float(auroc_ova(MulticlassConfusionMatrix(counts)))
            exact = float(auroc_ova_of_share(share, classes))
            rows.append((classes, share, value, exact))
    return pd.DataFrame(rows, columns=["classes", "share", "value", "exact"])


def printed_values() -> pd.DataFrame:
    """Compare the numbers of Example 1 with the closed forms.

    Returns
    -------
    Frame with the columns index, setting, printed, exact, fitted (whether the data were fitted to
    the number, so that agreement shows nothing), agrees (to the printed decimals).
    """
    values = [
        ("precision", f"RRT {ratio}, x = 4", digits, precision_of_border(4.0, ratio), True)
        for ratio, digits in PRINTED_PRECISIONS.items()
    ]
    values += [
        ("auroc_ova", f"C = {classes}, 60 % right", digits, auroc_ova_of_share(0.6, classes), False)
        for classes, digits in ((3, "0.70"), (6, "0.77"))
    ]
    table = pd.DataFrame(values, columns=["index", "setting", "printed", "exact", "fitted"])
    agrees = list(map(rounds_to, table["exact"], table["printed"]))
    return table.astype({"printed": float, "exact": float}).assign(agrees=agrees)


def summarize_distortions(printed: pd.DataFrame) -> str:
    """Write the report on Example 1 as Markdown.

    Parameters
    ----------
    printed
        Result of :func:`printed_values`.
    """
    distances = fitting_half_distances()
    free = printed[~printed["fitted"]]
    return render(
        "skewproof_studies.mullick",
        "example_1.md.jinja",
        printed=printed,
        fitted=int(printed["fitted"].sum()),
        free=len(free),
        agreeing=int(free["agrees"].sum()),
        distances=distances,
        chosen=HALF_DISTANCE_OF_MEANS,
        consistent=distances.low <= distances.high,
    )


def distortion_figure(precisions: pd.DataFrame, areas: pd.DataFrame) -> Figure:
    """Draw simulated values as marks and closed forms as lines (Figure 2c and 2f).

    Parameters
    ----------
    precisions, areas
        Results of :func:`simulated_precision` and :func:`simulated_auroc_ova`.
    """
    ratios = np.linspace(1, precisions["ratio"].max(), 100)

    def exact_precision(border: float) -> tuple[Value, Value]:
        return ratios, precision_of_border(border, ratios)

    def exact_area(classes: float) -> tuple[Value, Value]:
        shares = np.linspace(1 / classes, 1, 50)
        return shares, auroc_ova_of_share(shares, classes)

    with styled_figure((7.2, 3.3), 1, 2) as (figure, (left, right)):
        _draw(left, "x = {:g}", precisions.groupby("border"), "ratio", exact_precision)
        left.set(
            xlabel="RRT", ylabel="Precision", title="One classifier, test sets with different RRT"
        )
        _draw(right, "C = {:g}", areas.groupby("classes"), "share", exact_area)
        right.set(
            xlabel="share of each class recognized",
            ylabel="AUROC-OVA",
            title="Equally good, more classes",
        )
    return figure


def _draw(
    axes: Axes,
    label: str,
    groups: Any,
    x: str,
    exact: Callable[[float], tuple[Value, Value]],
) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0.05, 0.85, len(groups)))
    for (key, rows), color, marker in zip(groups, colors, MARKERS, strict=False):
        axes.plot(*exact(key), color=color, lw=1)
        style = {"ls": "none", "marker": marker, "ms": 4, "color": color}
        axes.plot(rows[x], rows["value"], label=label.format(key), **style)
    axes.legend(frameon=False)
    axes.set_ylim(top=1.02)
