"""What a metric is, and the one list of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

import numpy as np

from skewproof.confusion import ConfusionMatrix, Value, is_symbolic

Formula = Callable[[ConfusionMatrix], Value]
Kink = Literal["tpr = tnr"]

REGISTRY: dict[str, Metric] = {}
"""Every declared metric by its key, in the order of declaration."""


@dataclass(frozen=True)
class Metric:
    """A classification metric: a formula over the confusion matrix, with its names and source.

    Calling it with a :class:`~skewproof.confusion.ConfusionMatrix` gives float64 values of the
    matrix's broadcast shape, NaN where the metric is undefined, and -inf or inf where an unbounded
    one divides by 0; with a symbolic matrix it gives a SymPy expression.

    Attributes
    ----------
    key
        Self-explaining name, used in configs, files and code.
    symbol
        The paper's symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it, and its equation in van Zyl and Engelbrecht.
    aliases
        Other names in use.
    kinks
        Lines inside the square of all (tpr, fpr) along which the metric is not smooth.
    bounds
        Smallest and largest value, infinite where there is none. What the study analyzes is always
        in [0, 1]: :func:`skewproof.bounded.analyzed`.
    lower_is_better
        Whether the metric counts errors, so that the perfect classifier has the smallest value.
    """

    key: str
    symbol: str
    name: str
    source: str
    formula: Formula
    aliases: tuple[str, ...] = ()
    kinks: tuple[Kink, ...] = ()
    bounds: tuple[float, float] = (0.0, 1.0)
    lower_is_better: bool = False

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the formula."""
        value = self.formula(matrix)
        # A metric of one rate has that rate's shape until here.
        return value if is_symbolic(matrix.tp) else np.broadcast_to(value, matrix.shape)


def register(metric: Metric) -> Metric:
    """Add a metric to the registry.

    Raises
    ------
    ValueError
        If its key is taken.
    """
    if metric.key in REGISTRY:
        raise ValueError(f"key = {metric.key!r}: expected a key that no other metric has")
    REGISTRY[metric.key] = metric
    return metric


def metric(
    *,
    symbol: str,
    name: str,
    source: str,
    aliases: Iterable[str] = (),
    kinks: Iterable[Kink] = (),
    bounds: tuple[float, float] = (0.0, 1.0),
    lower_is_better: bool = False,
) -> Callable[[Formula], Metric]:
    """Declare a metric: its function's name is its key."""

    def declare(formula: Formula) -> Metric:
        names = (formula.__name__, symbol, name, source)
        lists = (tuple(aliases), tuple(kinks))
        return register(Metric(*names, formula, *lists, bounds, lower_is_better))

    return declare


def nearest(word: str, known: Iterable[str]) -> str:
    """A sentence's end that offers the known spelling nearest to a word, or nothing."""
    matches = get_close_matches(word, list(known), n=1)
    return f"; did you mean {matches[0]!r}?" if matches else ""


def get_metric(key: str) -> Metric:
    """Look up a metric by its key.

    Raises
    ------
    KeyError
        If there is none; the message offers the nearest spelling.
    """
    if key not in REGISTRY:
        raise KeyError(f"no metric {key!r}{nearest(key, REGISTRY)}")
    return REGISTRY[key]
