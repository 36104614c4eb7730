"""The declared metrics of two classes, one module a family."""

from collections.abc import Mapping

from skewproof.core.definitions import Definition, own_metrics
from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, declared_in
from skewproof.metrics import (
    agreement,
    composite,
    diagnostic,
    precision_recall,
    rates,
    sensitivity_specificity,
)

METRICS: Registry[Metric] = Registry(
    "metric",
    declared_in(
        Metric, agreement, precision_recall, sensitivity_specificity, composite, diagnostic, rates
    ),
)
"""Every declared metric by its key."""

get_metric = METRICS.__getitem__
"""Look up a declared metric by its key."""


def study_metrics(definitions: Mapping[str, Definition]) -> Registry[Metric]:
    """The declared metrics, and behind them a study's own with their normalized variants."""
    return METRICS.extended(own_metrics(definitions))
