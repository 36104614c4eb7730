"""Normalized variants of metrics: Section 4 of van Zyl and Engelbrecht."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skewproof.core.algebra import Value
from skewproof.core.arguments import expect
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric, expect_metric


@dataclass(frozen=True)
class _OfRates:
    """The formula of a normalized variant."""

    metric: Metric
    rescale: Callable[[Value], Value] | None

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        value = self.metric(matrix.rates)
        return value if self.rescale is None else self.rescale(value)


def normalized(
    metric: Metric,
    *,
    key: str | None = None,
    symbol: str | None = None,
    name: str | None = None,
    source: str | None = None,
    rescale: Callable[[Value], Value] | None = None,
) -> Metric:
    """Normalize a metric: apply it to the rates tp/P, fp/N, fn/P and tn/N in place of counts.

    The variant depends on the class sizes only through the rates, so its surface over (tpr, fpr) is
    the same at every imbalance level.

    Parameters
    ----------
    metric
        The metric to normalize.
    key, symbol, name, source
        As for :class:`~skewproof.core.metric.Metric`; derived from those of the metric if None.
    rescale
        A map of values outside [0, 1] to this range: step 3 of Section 4 of van Zyl and
        Engelbrecht.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, normalized
    >>> from skewproof.metrics import f2
    >>> f2_i = normalized(f2)
    >>> matrix = ConfusionMatrix.from_rates(0.8, 0.1, positives=10, negatives=10_000)
    >>> round(float(f2(matrix)), 3), round(float(f2_i(matrix)), 3)
    (0.038, 0.816)
    """
    expect_metric(metric)
    given = {"key": key, "symbol": symbol, "name": name, "source": source}
    for argument, text in given.items():
        expect(text is None or isinstance(text, str), argument, text, "text or None")
    expect(rescale is None or callable(rescale), "rescale", rescale, "a function or None")
    return Metric(
        key or f"{metric.key}_i",
        symbol or rf"{{{metric.symbol}}}_i",
        name or f"normalized {metric.name}",
        source or f"{metric.key} of the rates",
        _OfRates(metric, rescale),
        bounds=metric.bounds if rescale is None else (0.0, 1.0),
        direction=metric.direction,
        variant_of=metric.key,
    )
