"""What a measure of any number of classes is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from skewproof.core.algebra import Value
from skewproof.core.metric import Metric
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

Formula = Callable[[MulticlassConfusionMatrix], Value]


@dataclass(frozen=True)
class Measure:
    """An index of a confusion matrix of any number of classes.

    Attributes
    ----------
    key
        Self-explaining name.
    symbol
        The symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it.
    aliases
        Other names in use.
    """

    key: str
    symbol: str
    name: str
    source: str
    formula: Formula
    aliases: tuple[str, ...] = ()

    def __call__(self, matrix: MulticlassConfusionMatrix) -> Value:
        """Evaluate the formula."""
        return self.formula(matrix)


def measure(
    *, symbol: str, name: str, source: str, aliases: tuple[str, ...] = ()
) -> Callable[[Formula], Measure]:
    """Declare an index: its function's name is its key."""

    def declare(formula: Formula) -> Measure:
        return Measure(formula.__name__, symbol, name, source, formula, aliases)

    return declare


def of_two_classes(metric: Metric) -> Measure:
    """A metric of two classes as an index, the first class being the positive one."""
    names = (metric.key, metric.symbol, metric.name, metric.source)
    return Measure(*names, lambda matrix: metric(matrix.pair), metric.aliases)
