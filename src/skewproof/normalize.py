"""The paper's Section 4: a metric of counts becomes a metric of rates."""

from __future__ import annotations

from collections.abc import Callable

from skewproof.confusion import ConfusionMatrix, Value
from skewproof.registry import Metric, register


def normalized(
    metric: Metric,
    *,
    key: str,
    symbol: str,
    name: str,
    source: str,
    rescale: Callable[[Value], Value] | None = None,
) -> Metric:
    """Declare the normalized variant of a metric: the metric of the rates tp/P, fp/N, fn/P, tn/N.

    It depends on the class sizes only through the rates, so its surface over (tpr, fpr) is the
    same at every imbalance level.

    Parameters
    ----------
    metric
        The metric to normalize.
    key, symbol, name, source
        As for :class:`~skewproof.registry.Metric`.
    rescale
        Step 3 of Section 4: the map that brings the values to [0, 1], where they are not there.
    """

    def formula(matrix: ConfusionMatrix) -> Value:
        value = metric(matrix.rates)
        return value if rescale is None else rescale(value)

    return register(
        Metric(
            key,
            symbol,
            name,
            source,
            formula,
            kinks=metric.kinks,
            bounds=metric.bounds if rescale is None else (0.0, 1.0),
            lower_is_better=metric.lower_is_better,
        )
    )
