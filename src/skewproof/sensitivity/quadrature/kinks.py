"""Where a metric has kinks, read off from its operations.

A formula of smooth operations has kinks only where the arguments of a minimum or maximum are equal,
where the argument of an absolute value is 0, and jumps where two sides of a comparison are equal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import UNIFORM, Classifiers
from skewproof.sensitivity.quadrature.program import TIED, Node, Program, size_of
from skewproof.sensitivity.quadrature.tracing import NotTracedError, traced

Numbers = NDArray[np.integer[Any]]
"""Of kinks, of lines, or of places."""

MOST_OPERATIONS = 6e8
"""Operations on numbers that a metric is given at a level: about a second."""

OPERATIONS_OF_A_CALL = 1500
"""What the call of an operation costs beside its numbers."""

BLOCK = 16384
"""Points at a time, whose numbers stay in a processor's cache."""


class NotResolvedError(Exception):
    """Why the pieces of a metric are not found, or are too many."""


class Kinks(NamedTuple):
    """The functions whose zeros are a metric's kinks, at some points."""

    zeros: Array
    """Shape (kinks, *points), in the order of evaluation: inner ones before those around them."""

    signs: Numbers
    """Shape (kinks, *points): -1, 0 or 1, 0 where a zero is not told from rounding."""


class Surface:
    """A metric over the unit square, for classes of given sizes, and a budget to look at it.

    The square is that of the rates, or the one that a distribution of classifiers maps to rates;
    what the methods call rates are then the distribution's p and q.

    Raises
    ------
    NotResolvedError
        If the metric has kinks and its operations are not all seen, or, by any of the methods, if
        the budget is spent.
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
            self.program = traced(metric, positives, negatives)
        except NotTracedError as error:
            if error.kinked:
                raise NotResolvedError(
                    f"it has kinks, but not all of it is seen: {error}"
                ) from None
            self.program = Program([], np.nan, [])
        self.number_of_kinks = len(self.program.kinks)

    def spend(self, operations: int, points: int) -> None:
        """Count operations on so many points each."""
        self.spent += operations * (points + OPERATIONS_OF_A_CALL)
        if self.spent > MOST_OPERATIONS:
            raise NotResolvedError("its kinks cut the square into too many pieces")

    def _run(self, rates: tuple[Array, Array, Array, Array], wanted: list[Any]) -> dict[int, Any]:
        u, u_complement, v, v_complement = self.classifiers.rates(*rates)
        counts = (
            *(self.positives * u, self.negatives * v),
            *(self.positives * u_complement, self.negatives * v_complement),
        )
        values, operations = self.program.run(counts, wanted)
        self.spend(operations + len(counts), u.size)
        return values

    def values(self, u: Array, u_complement: Array, v: Array, v_complement: Array) -> Array:
        """The metric at rates of one shape."""
        flat = [np.ravel(part) for part in (u, u_complement, v, v_complement)]
        output = self.program.output
        if not isinstance(output, Node):
            return np.broadcast_to(np.float64(output), np.shape(u))
        result = np.empty(flat[0].size)
        for start in range(0, result.size, BLOCK):
            block = slice(start, start + BLOCK)
            rates = (flat[0][block], flat[1][block], flat[2][block], flat[3][block])
            result[block] = self._run(rates, [output])[output.number]
        return result.reshape(np.shape(u))

    def kinks(self, u: Array, u_complement: Array, v: Array, v_complement: Array) -> Kinks:
        """The metric's kinks at rates of one shape."""
        kinks, points = self.program.kinks, u.size
        zeros = np.empty((len(kinks), points))
        signs = np.empty(zeros.shape, dtype=np.int8)
        flat = [np.ravel(part) for part in (u, u_complement, v, v_complement)]
        wanted = [node for kink in kinks for node in (kink.zero, *kink.parts)]
        for start in range(0, points, BLOCK):
            block = slice(start, start + BLOCK)
            values = self._run(
                (flat[0][block], flat[1][block], flat[2][block], flat[3][block]), wanted
            )
            for kink, zero, sign in zip(kinks, zeros[:, block], signs[:, block], strict=True):
                zero[:] = values[kink.zero.number]
                size = size_of(kink.parts, values)
                with np.errstate(invalid="ignore"):
                    sign[:] = np.greater(zero, TIED * size).view(np.int8)
                    sign -= np.less(zero, -TIED * size).view(np.int8)
        self.spend(4 * len(kinks), points)
        shape = (len(kinks), *u.shape)
        return Kinks(zeros.reshape(shape), signs.reshape(shape))

    def zero(self, label: int, *rates: Array) -> Array:
        """One kink's function at rates of shape (points,), 0 where it is not told from rounding."""
        kink = self.program.kinks[label]
        values = self._run(rates, [kink.zero, *kink.parts])  # type: ignore[arg-type]
        zero = values[kink.zero.number]
        with np.errstate(invalid="ignore"):
            return np.where(np.abs(zero) > TIED * size_of(kink.parts, values), zero, 0.0)

    def used(self, *rates: Array) -> Array:
        """Whether kinks have a part in the metric at rates of shape (points,): (kinks, points)."""
        values = self._run(rates, [self.program.output])  # type: ignore[arg-type]
        self.spend(len(self.program.steps), rates[0].size)
        return self.program.used(values, rates[0].size)


def has_kink_at_equal_rates(metric: Metric) -> bool:
    """Whether an operation of a metric has its kink along tpr = tnr, whatever the class sizes."""
    u = np.linspace(0.05, 0.9, 18)
    try:
        surface = Surface(metric, 100.0, 1000.0)
    except NotResolvedError:
        return False
    on_line, beside = (surface.kinks(u, 1 - u, v, 1 - v) for v in (1 - u, (1 - u) ** 2))
    kinked = (on_line.signs == 0).all(axis=1) & (beside.signs != 0).all(axis=1)
    return bool(kinked.any())
