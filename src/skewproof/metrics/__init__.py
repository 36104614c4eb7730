"""The declared metrics of two classes, one module a family."""

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
"""The metrics that studies analyze, by their keys: the first of the atlas, without whose import
they are there."""


def get_metric(name: str) -> Metric:
    """Look up a metric by its key, or by a name that a field or a package has for it.

    Parameters
    ----------
    name
        A key of :data:`METRICS` or of the atlas, or a name in any spelling: case, punctuation and
        accents do not count. A key comes before a name.

    Raises
    ------
    KeyError
        If there is no such metric, with the nearest spelling; or if several metrics have the name,
        as "Dice", with the list of them.

    Examples
    --------
    >>> from skewproof import get_metric
    >>> [get_metric(name).key for name in ("f1", "F1 score", "recall_score", "informedness")]
    ['f1', 'f1', 'true_positive_rate', 'youden_j']
    """
    from skewproof.metrics.lookup import metric_named  # it needs METRICS

    return metric_named(name)
