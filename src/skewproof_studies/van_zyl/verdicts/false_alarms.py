"""False alarms for each hit, which a metric that ignores class sizes does not show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.reporting.templates import render

TPR, FPR = 0.9, 0.01
"""Rates of a classifier that every robust metric rates well."""


def false_alarms_at(
    level: Level, keys: Iterable[str], *, registry: Mapping[str, Metric]
) -> dict[str, Any]:
    """Return the false alarms of a classifier with the rates TPR and FPR at a level.

    Parameters
    ----------
    level
        The level.
    keys, registry
        Keys of metrics of the rates, and the metrics by key.

    Returns
    -------
    The level, tpr, fpr, false positives per true positive (for_each_hit) at the level and at 1:1
    (for_each_hit_when_balanced), the precision at the level, and the values of the metrics scaled
    to [0, 1] by key (scores), which are the same at any level.

    Examples
    --------
    >>> from skewproof.core.levels import Level
    >>> from skewproof.metrics import METRICS
    >>> round(false_alarms_at(Level(1, 1000), [], registry=METRICS)["for_each_hit"], 1)
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
    scores = {key: float(bounded(registry[key])(matrix)) for key in keys}
    return {
        "level": str(level),
        "tpr": TPR,
        "fpr": FPR,
        "for_each_hit": float(matrix.fp / matrix.tp),
        "for_each_hit_when_balanced": float(balanced.fp / balanced.tp),
        "precision": float(matrix.ppv),
        "scores": pd.Series(scores, dtype=float),
    }


def prevalence_caveat(costs: Mapping[str, Any]) -> str:
    """Write the caveat on metrics that do not depend on class sizes."""
    return render(
        "skewproof_studies.van_zyl", "invariance_is_not_quality.md.jinja", costs=costs
    ).rstrip()
