"""A metric over the unit square with its kinks, which are found from its operations.

A formula has kinks only where the arguments of a minimum or maximum are equal or the argument of an
absolute value is 0, and jumps only where two sides of a comparison are equal.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import UNIFORM, Classifiers, Rates
from skewproof.sensitivity.quadrature.computational_graph import (
    TIED,
    ComputationalGraph,
    Node,
    NotTracedError,
    size_of,
    traced,
)

Integers = NDArray[np.integer[Any]]
"""Integers that number kinks, lines or points."""

MOST_OPERATIONS = 6e8
"""Budget of operations on numbers for a metric at a level: about a second."""

OPERATIONS_OF_A_CALL = 1500
"""Cost of a call of an operation, in addition to that of its numbers."""

BLOCK = 16384
"""Number of points that are evaluated at a time, so that their numbers fit in a processor's
cache."""


class NotResolvedError(Exception):
    """An error for a metric whose pieces are not found or are too many."""


class Kinks(NamedTuple):
    """The functions whose zeros are a metric's kinks, at some points."""

    zeros: Array
    """Shape (kinks, *points), in the order of evaluation: inner ones before those around them."""

    signs: Integers
    """Shape (kinks, *points): -1 or 1, or 0 if a value is indistinguishable from rounding."""


class KinkedSurface:
    """A metric over the unit square for classes of given sizes, with a budget for evaluations.

    The square is that of the rates, or the one that a distribution of classifiers maps to rates. In
    the latter case the rates of the methods are the distribution's p and q. Methods take tpr,
    1 - tpr, fpr and 1 - fpr as four arrays of one shape.

    Raises
    ------
    NotResolvedError
        If the metric has kinks and some of its operations are not recorded; methods raise it as
        well if the budget is spent.
    """

    def __init__(
        self,
        metric: Metric,
        positives: float,
        negatives: float,
        classifiers: Classifiers = UNIFORM,
    ) -> None:
        self.positives, self.negatives, self.classifiers = positives, negatives, classifiers
        self.spent = 0.0
        try:
            self.graph = traced(metric, positives, negatives)
        except NotTracedError as error:
            if error.kinked:
                raise NotResolvedError(
                    f"it has kinks, but some of its operations can't be recorded: {error}"
                ) from None
            self.graph = ComputationalGraph([], np.nan, [])

    @property
    def number_of_kinks(self) -> int:
        """Number of functions whose zeros are kinks of the metric."""
        return len(self.graph.kinks)

    def values(self, rates: Rates) -> Array:
        """Evaluate the metric, in the shape of the rates."""
        shape, output = np.shape(rates[0]), self.graph.output
        if not isinstance(output, Node):
            return np.broadcast_to(np.float64(output), shape)
        result = np.empty(shape).ravel()
        for block, values in self._in_blocks(rates, [output]):
            result[block] = values[output.number]
        return result.reshape(shape)

    def kinks(self, rates: Rates) -> Kinks:
        """Evaluate the functions of all kinks, in the shape (kinks, *rates)."""
        kinks, points = self.graph.kinks, rates[0].size
        zeros = np.empty((len(kinks), points))
        signs = np.empty(zeros.shape, dtype=np.int8)
        wanted = [node for kink in kinks for node in (kink.zero, *kink.parts)]
        for block, values in self._in_blocks(rates, wanted):
            for kink, zero, sign in zip(kinks, zeros[:, block], signs[:, block], strict=True):
                zero[:] = values[kink.zero.number]
                size = size_of(kink.parts, values)
                with np.errstate(invalid="ignore"):
                    sign[:] = np.greater(zero, TIED * size).view(np.int8)
                    sign -= np.less(zero, -TIED * size).view(np.int8)
        self._spend(4 * len(kinks), points)
        shape = (len(kinks), *rates[0].shape)
        return Kinks(zeros.reshape(shape), signs.reshape(shape))

    def kink(self, label: int, rates: Rates) -> Array:
        """Evaluate the function of one kink, in the shape (points,) of the rates; values that are
        indistinguishable from rounding are 0."""
        kink = self.graph.kinks[label]
        values = self._run(rates, [kink.zero, *kink.parts])
        zero = values[kink.zero.number]
        with np.errstate(invalid="ignore"):
            return np.where(np.abs(zero) > TIED * size_of(kink.parts, values), zero, 0.0)

    def used(self, rates: Rates) -> NDArray[np.bool_]:
        """Return whether the metric depends on each kink, shape (kinks, points), at rates of the
        shape (points,)."""
        values = self._run(rates, [self.graph.output])
        self._spend(len(self.graph.steps), rates[0].size)
        return self.graph.used(values, rates[0].size)

    def _in_blocks(self, rates: Rates, wanted: list[Any]) -> Iterator[tuple[slice, dict[int, Any]]]:
        u, u_complement, v, v_complement = map(np.ravel, rates)
        for start in range(0, u.size, BLOCK):
            block = slice(start, start + BLOCK)
            rates = (u[block], u_complement[block], v[block], v_complement[block])
            yield block, self._run(rates, wanted)

    def _run(self, rates: Rates, wanted: list[Any]) -> dict[int, Any]:
        u, u_complement, v, v_complement = self.classifiers.rates(*rates)
        counts = (
            *(self.positives * u, self.negatives * v),
            *(self.positives * u_complement, self.negatives * v_complement),
        )
        values, operations = self.graph.run(counts, wanted)
        self._spend(operations + len(counts), u.size)
        return values

    def _spend(self, operations: int, points: int) -> None:
        """Charge the budget with operations on a number of points each."""
        self.spent += operations * (points + OPERATIONS_OF_A_CALL)
        if self.spent > MOST_OPERATIONS:
            raise NotResolvedError("its kinks cut the square into too many pieces")


@functools.lru_cache(maxsize=1024)
def has_kink_at_equal_rates(metric: Metric) -> bool:
    """Return whether a metric has a kink along tpr = tnr for all class sizes.

    Examples
    --------
    >>> from skewproof.metrics import f1, optimized_precision
    >>> has_kink_at_equal_rates(optimized_precision), has_kink_at_equal_rates(f1)
    (True, False)
    """
    u = np.linspace(0.05, 0.9, 18)
    try:
        surface = KinkedSurface(metric, 100.0, 1000.0)
    except NotResolvedError:
        return False
    on_line, beside = (surface.kinks((u, 1 - u, v, 1 - v)) for v in (1 - u, (1 - u) ** 2))
    kinked = (on_line.signs == 0).all(axis=1) & (beside.signs != 0).all(axis=1)
    return bool(kinked.any())
