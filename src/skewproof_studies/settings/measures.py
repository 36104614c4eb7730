"""Measures of the atlas that a configuration names: all, or a list of keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry
from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.lookup import get_metric


def chosen_measures(measures: Literal["all"] | Sequence[str]) -> Registry[Metric]:
    """Return all measures, or those of a list of keys in the order of the atlas.

    Members of families, such as ``robust_mcc(d=0.05)``, follow in their own order.
    """
    if measures == "all":
        return ATLAS
    declared = {key: ATLAS[key] for key in ATLAS if key in measures}
    named = {metric.key: metric for metric in map(get_metric, measures)}
    return Registry("measure", (declared | named).values())
