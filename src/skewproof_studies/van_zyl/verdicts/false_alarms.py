"""False alarms for each hit, which a metric that ignores class sizes does not show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.reporting.templates import render

TPR, FPR = 0.9, 0.01
"""Rates of a classifier that every robust metric rates well."""


class FalseAlarms(NamedTuple):
    """A classifier with fixed rates at a level and at 1:1."""

    level: str
    tpr: float
    fpr: float

    for_each_hit: float
    """False positives per true positive at the level."""

    for_each_hit_when_balanced: float

    precision: float

    scores: pd.Series
    """Values of metrics of the rates, scaled to [0, 1], which are the same at any level, by key."""


def false_alarms_at(
    level: Level, keys: Iterable[str], *, registry: Mapping[str, Metric]
) -> FalseAlarms:
    """Return the false alarms of a classifier with the rates TPR and FPR at a level.

    Parameters
    ----------
    level
        The level.
    keys, registry
        Keys of metrics of the rates, and the metrics by key.

    Examples
    --------
    >>> from skewproof.core.levels import Level
    >>> from skewproof.metrics import METRICS
    >>> round(false_alarms_at(Level(1, 1000), [], registry=METRICS).for_each_hit, 1)
    11.1
    """
    matrix, balanced = (
        ConfusionMatrix.from_rates(
            TPR,
            FPR,
            positives=float(DEFAULT_POSITIVES),
            negatives=compared.negatives(DEFAULT_POSITIVES),
        )
        for compared in (level, Level(1, 1))
    )
    return FalseAlarms(
        str(level),
        TPR,
        FPR,
        float(matrix.fp / matrix.tp),
        float(balanced.fp / balanced.tp),
        float(matrix.ppv),
        pd.Series({key: float(bounded(registry[key])(matrix)) for key in keys}, dtype=float),
    )


def prevalence_caveat(costs: FalseAlarms) -> str:
    """Write the caveat on metrics that do not depend on class sizes."""
    return render(
        "skewproof_studies.van_zyl", "invariance_is_not_quality.md.jinja", costs=costs
    ).rstrip()
