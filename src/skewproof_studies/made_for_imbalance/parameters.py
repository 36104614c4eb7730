"""The constant of a robust measure that a stated worth of a hit implies, and the reverse.

A robust measure trades w false alarms for a hit at a classifier, its exchange rate. For robust F, w
is (d0·n + β²·P + fp)/tp. For robust MCC, with q the share called positive, S = d + q(1 - q) and
h = (u - v)(1 - 2q)/2, it is r(S - hπ)/(S + h(1 - π)). Both are solved for the constant, which is a
choice of costs under another name. If it is negative, no constant has the worth.
"""

from __future__ import annotations

import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.metrics.lookup import get_metric
from skewproof.operating_points.exchange import exchange_rate

TPR, FPR, RARE = 0.8, 0.03, Level(1, 1000)
"""Classifier and level of the study's examples."""

WORTHS = (10, 50, 100, 200, 500, 900)
"""False alarms that a hit is worth, for the table."""


def d0_of_worth(worth: float, tpr: float, fpr: float, level: Level, *, beta: float = 1) -> float:
    """Return the d0 at which robust F trades so many false alarms for a hit; maybe negative.

    Examples
    --------
    >>> round(d0_of_worth(100, 0.8, 0.03, Level(1, 1000)), 5)
    0.04895
    """
    ratio = level.negatives(1.0)
    return (worth * tpr - beta**2 - fpr * ratio) / (1 + ratio)


def d_of_worth(worth: float, tpr: float, fpr: float, level: Level) -> float:
    """Return the d at which robust MCC trades so many false alarms for a hit; maybe negative.

    Examples
    --------
    >>> round(d_of_worth(500, 0.8, 0.03, Level(1, 1000)), 5)
    0.33142
    """
    ratio = level.negatives(1.0)
    prevalence = 1 / (1 + ratio)
    called = prevalence * tpr + (1 - prevalence) * fpr
    half = (tpr - fpr) * (1 - 2 * called) / 2
    return half * (1 - prevalence) * (worth + 1) / (ratio - worth) - called * (1 - called)


def worth_table() -> pd.DataFrame:
    """Return d0 and d for each worth, and the worth for each constant of the study.

    Returns
    -------
    Frame with the columns measure, constant and worth, at :data:`TPR`, :data:`FPR` and
    :data:`RARE`. A constant that was stated is in the text of the measure.
    """
    matrix = ConfusionMatrix.from_rates(
        TPR, FPR, positives=DEFAULT_POSITIVES, negatives=RARE.negatives(DEFAULT_POSITIVES)
    )
    rows = [
        (name, solve(worth, TPR, FPR, RARE), float(worth))
        for name, solve in (("robust_f", d0_of_worth), ("robust_mcc", d_of_worth))
        for worth in WORTHS
    ]
    for name, constant, values in (
        ("robust_f", "d0", (0.01, 0.05, 0.1, 1)),
        ("robust_mcc", "d", (0.01, 0.05, 0.1, 0.5)),
    ):
        for value in values:
            text = f"{name}({constant}={value})"
            rows.append((text, value, float(exchange_rate(get_metric(text))(matrix))))
    return pd.DataFrame(rows, columns=["measure", "constant", "worth"])
