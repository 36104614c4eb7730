"""Measures of any number of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from skewproof.core.algebra import Value
from skewproof.core.arguments import expect, expect_flag
from skewproof.core.metric import Declaration, Metric, declaring
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

Formula = Callable[[MulticlassConfusionMatrix], Value]
"""A function of a confusion matrix: a :class:`Measure` or a user's own function."""


@dataclass(frozen=True, repr=False)
class Measure(Declaration):
    """A measure of a classifier of any number of classes: a formula over its confusion matrix.

    Called with a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`, it returns
    float64 values of the matrix's leading dimensions, NaN where the measure is undefined. Called
    with a symbolic matrix, it returns a SymPy expression. Called with true and predicted labels, it
    returns their :meth:`score`.

    Attributes
    ----------
    key
        Self-explanatory name.
    symbol
        The symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it.
    formula
        The formula.
    aliases
        Other names in use.
    recall_power
        A function of the number of classes, if the measure is the product of the recalls of all
        classes to the same power: it returns the power. None for any other measure.
    ordered_classes
        True if the measure takes the classes as ordered, so that the value depends on their order.

    Examples
    --------
    >>> from skewproof import MulticlassConfusionMatrix
    >>> from skewproof.multiclass import MEASURES
    >>> acsa = MEASURES["acsa"]
    >>> acsa.name, float(acsa(MulticlassConfusionMatrix([[3, 1], [2, 2]])))
    ('average class-specific accuracy', 0.625)
    """

    matrix_type = MulticlassConfusionMatrix

    recall_power: Callable[[int], Fraction] | None = None
    ordered_classes: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_flag("ordered_classes", self.ordered_classes)
        power = self.recall_power
        expect(power is None or callable(power), "recall_power", power, "a function or None")


def measure(
    *, symbol: str, name: str, source: str, aliases: Iterable[str] = (), **properties: Any
) -> Callable[[Formula], Measure]:
    """Declare a measure by its formula; the function's name is the measure's key.

    Parameters
    ----------
    symbol, name, source, aliases
        As for :class:`Measure`.
    properties
        Further attributes of :class:`Measure`: recall_power, ordered_classes.

    Examples
    --------
    >>> from skewproof import MulticlassConfusionMatrix
    >>> from skewproof.multiclass import measure
    >>> @measure(symbol="r", name="lowest recall", source="an example")
    ... def lowest_recall(m):
    ...     return m.recalls.min(axis=-1)
    >>> lowest_recall.key, float(lowest_recall(MulticlassConfusionMatrix([[3, 1], [2, 2]])))
    ('lowest_recall', 0.5)
    """

    return declaring(
        Measure, symbol=symbol, name=name, source=source, aliases=aliases, **properties
    )


def of_two_classes(metric: Metric) -> Measure:
    """Convert a metric of two classes to a measure in which the first class is the positive one.

    The measure raises a ValueError for a matrix of more than two classes.
    """
    return Measure(
        metric.key,
        metric.symbol,
        metric.name,
        metric.source,
        _OfPair(metric),
        aliases=metric.aliases,
    )


@dataclass(frozen=True)
class _OfPair:
    """The formula of a metric of two classes as one of a matrix of many classes."""

    metric: Metric

    def __call__(self, matrix: MulticlassConfusionMatrix) -> Value:
        return self.metric(matrix.pair)


@lru_cache(maxsize=1024)
def total_matters(measure: Metric | Formula, classes: int = 2) -> bool:
    """Return whether a metric or measure changes if all counts are seven times as large.

    Examples
    --------
    >>> from skewproof.metrics import accuracy, laplace
    >>> total_matters(accuracy), total_matters(laplace)
    (False, True)
    """
    of_any = of_two_classes(measure) if isinstance(measure, Metric) else measure
    counts = np.random.default_rng(0).integers(1, 1000, (100, classes, classes))
    once, larger = (of_any(MulticlassConfusionMatrix(by * counts)) for by in (1, 7))
    return not np.allclose(once, larger, rtol=1e-9, atol=1e-9, equal_nan=True)
