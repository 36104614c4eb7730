"""The registry of the metrics that studies analyze."""

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

METRIC_MODULES = (
    agreement,
    precision_recall,
    sensitivity_specificity,
    composite,
    diagnostic,
    rates,
)

METRICS: Registry[Metric] = Registry("metric", declared_in(Metric, *METRIC_MODULES))
"""The metrics that studies analyze, by key. The atlas begins with them; its other modules are
imported only when they are needed."""
