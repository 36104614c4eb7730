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


def get_metric(key: str) -> Metric:
    """Look up a declared metric by its key.

    Raises
    ------
    KeyError
        If there is none; the message offers the nearest spelling.

    Examples
    --------
    >>> from skewproof import get_metric
    >>> get_metric("mcc_i").name
    'normalized Matthews correlation coefficient'
    """
    return METRICS[key]


def study_metrics(definitions: Mapping[str, Definition]) -> Registry[Metric]:
    """The declared metrics, and behind them a study's own with their normalized variants."""
    return METRICS.extended(own_metrics(definitions))
