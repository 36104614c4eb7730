"""The paper's Section 4: a metric of counts becomes a metric of rates."""

from __future__ import annotations

from collections.abc import Callable

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric


def normalized(
    metric: Metric,
    *,
    key: str | None = None,
    symbol: str | None = None,
    name: str | None = None,
    source: str | None = None,
    rescale: Callable[[Value], Value] | None = None,
) -> Metric:
    """The normalized variant of a metric: the metric of the rates tp/P, fp/N, fn/P, tn/N.

    It depends on the class sizes only through the rates, so its surface over (tpr, fpr) is the
    same at every imbalance level.

    Parameters
    ----------
    metric
        The metric to normalize.
    key, symbol, name, source
        As for :class:`~skewproof.core.metric.Metric`; made from the metric's where None.
    rescale
        Step 3 of Section 4: the map that brings the values to [0, 1], where they are not there.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f2, normalized
    >>> f2_i = normalized(f2)
    >>> matrix = ConfusionMatrix.from_rates(0.8, 0.1, positives=10, negatives=10_000)
    >>> round(float(f2(matrix)), 3), round(float(f2_i(matrix)), 3)
    (0.038, 0.816)
    """

    def formula(matrix: ConfusionMatrix) -> Value:
        value = metric(matrix.rates)
        return value if rescale is None else rescale(value)

    return Metric(
        key or f"{metric.key}_i",
        symbol or rf"{{{metric.symbol}}}_i",
        name or f"normalized {metric.name}",
        source or f"{metric.key} of the rates",
        formula,
        bounds=metric.bounds if rescale is None else (0.0, 1.0),
        lower_is_better=metric.lower_is_better,
        variant_of=metric.key,
    )
