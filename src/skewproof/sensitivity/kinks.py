"""Where a metric has kinks, read off from its evaluation.

A formula of smooth operations has kinks only where the arguments of a minimum or maximum are equal,
where the argument of an absolute value is 0, and jumps where two sides of a comparison are equal.
Whatever a metric is made of, a text or a function, it calls these operations on arrays, and arrays
that note them are given to it here.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

UNSIGNED = 1e-12
"""A difference this small, relative to its parts, has no sign."""

DIFFERENCES = {
    *(np.minimum, np.maximum, np.fmin, np.fmax),
    *(np.less, np.less_equal, np.greater, np.greater_equal),
}
"""Operations with a kink or jump where both arguments are equal."""

ZEROS = {np.absolute, np.fabs, np.sign, np.square}
"""Operations with a kink or jump where their argument is 0. A square has none; but where its
argument is 0 a formula may have a peak that is too thin to be seen from elsewhere."""


class Kinks(NamedTuple):
    """A metric at some points, and the functions whose zeros are its kinks."""

    values: Array
    """Shape (points)."""

    zeros: Array
    """Shape (kinks, points), in the order of evaluation: inner ones before those around them."""

    signs: Array
    """Shape (kinks, points): -1, 0 or 1, 0 where a zero is not told from rounding."""


class _Noting(np.ndarray):
    """An array that notes the operations with kinks that are applied to it and to its results."""

    notes: list[tuple[Any, Any]]
    """Functions whose zeros are kinks, and how large the parts are from which they arose."""

    parts: Any

    def __array_finalize__(self, other: Any) -> None:
        self.notes = getattr(other, "notes", [])
        self.parts = None

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        notes = next(part.notes for part in inputs if isinstance(part, _Noting))
        plain = [np.asarray(part) for part in inputs]
        if method == "__call__":
            _note(ufunc, inputs, plain, notes)
        elif method == "reduce" and ufunc in DIFFERENCES:
            among = np.moveaxis(plain[0], options.get("axis") or 0, 0)
            pairs = itertools.combinations(among, 2)
            notes.extend((one - other, abs(one) + abs(other)) for one, other in pairs)
        options.pop("out", None)
        with np.errstate(all="ignore"):
            result = np.asarray(getattr(ufunc, method)(*plain, **options)).view(_Noting)
        result.notes = notes
        if method == "__call__" and ufunc in (np.add, np.subtract):
            result.parts = abs(plain[0]) + abs(plain[1])
        return result

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Any:
        result: Any = super().__array_function__(function, types, inputs, options)
        if isinstance(result, np.ndarray):
            result = result.view(_Noting)
            result.notes = self.notes
        return result


def _note(ufunc: Any, inputs: Any, plain: list[Any], notes: list[tuple[Any, Any]]) -> None:
    """Note the functions whose zeros are kinks of an operation."""
    even_power = ufunc is np.power and plain[1].ndim == 0 and plain[1] % 2 == 0
    own_square = ufunc is np.multiply and np.array_equal(plain[0], plain[1])
    if ufunc in ZEROS or even_power or own_square:
        notes.append((plain[0], _parts(inputs[0])))
    elif ufunc in DIFFERENCES or ufunc.__name__ == "clip":
        for other in range(1, len(plain)):
            with np.errstate(all="ignore"):
                parts = _parts(inputs[0]) + _parts(inputs[other])
                notes.append((plain[0] - plain[other], parts))


def _parts(value: Any) -> Any:
    """How large the terms are from which a value arose, of which it has the rounding."""
    parts = getattr(value, "parts", None)
    return np.abs(np.asarray(value)) if parts is None else parts


class _NotingMatrix(ConfusionMatrix):
    """A confusion matrix of arrays that note kinks."""

    def __post_init__(self) -> None:
        """The counts are valid, and stay as they are."""

    @property
    def rates(self) -> ConfusionMatrix:
        return _NotingMatrix(tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr)


class NotResolvedError(Exception):
    """Why the pieces of a metric are not found, or are too many."""


MOST_OPERATIONS = 2e8
"""Operations on numbers that a metric is given at a level: about a second."""

OPERATIONS_OF_A_CALL = 3000
"""What the call of an operation costs beside its numbers."""

OPERATIONS_OF_A_KINK = 8
"""What is done with a number whose sign says on which side of a kink a point is."""


@dataclass
class Surface:
    """A metric over the unit square, for classes of given sizes, and a budget to look at it.

    Raises
    ------
    NotResolvedError
        If the budget is spent, by any of the methods.
    """

    metric: Metric
    positives: float
    negatives: float
    spent: float = 0.0
    operations: float = 20.0
    """In the metric, and for its kinks."""

    def _spend(self, points: int) -> None:
        self.spent += self.operations * (points + OPERATIONS_OF_A_CALL)
        if self.spent > MOST_OPERATIONS:
            raise NotResolvedError("its kinks cut the square into too many pieces")

    def values(self, u: Array, u_complement: Array, v: Array, v_complement: Array) -> Array:
        """The metric at rates that broadcast."""
        self._spend(np.broadcast(u, v).size)
        matrix = ConfusionMatrix.from_rates(
            u,
            v,
            positives=self.positives,
            negatives=self.negatives,
            fnr=u_complement,
            tnr=v_complement,
        )
        return np.asarray(self.metric(matrix))

    def kinks(self, u: Array, u_complement: Array, v: Array, v_complement: Array) -> Kinks:
        """The metric and its kinks at rates of one shape."""
        self._spend(u.size)
        sizes = self.positives, self.positives, self.negatives, self.negatives
        rates = u, u_complement, v, v_complement
        notes: list[tuple[Any, Any]] = []
        counts = []
        for size, rate in zip(sizes, rates, strict=True):
            count = (size * rate).view(_Noting)
            count.notes = notes
            counts.append(count)
        tp, fn, fp, tn = counts
        matrix = _NotingMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
        # The sums of the rates and their complements are 1 but for rounding.
        matrix.__dict__["positives"] = np.full(u.shape, float(self.positives))
        matrix.__dict__["negatives"] = np.full(u.shape, float(self.negatives))
        with np.errstate(all="ignore"):
            values = np.asarray(self.metric.formula(matrix))
        self.operations = 20.0 + OPERATIONS_OF_A_KINK * len(notes)
        zeros = np.array([np.broadcast_to(zero, u.shape) for zero, _ in notes], dtype=float)
        parts = np.array([np.broadcast_to(part, u.shape) for _, part in notes], dtype=float)
        zeros, parts = (array.reshape(len(notes), *u.shape) for array in (zeros, parts))
        with np.errstate(invalid="ignore"):
            signs = np.where(np.abs(zeros) > UNSIGNED * parts, np.sign(zeros), 0.0)
        return Kinks(np.broadcast_to(values, u.shape), zeros, np.nan_to_num(signs))

    def number_of_kinks(self) -> int:
        """How many operations with kinks the metric has, whether or not they have them here."""
        rate = np.array([0.3, 0.6])
        return len(self.kinks(rate, 1 - rate, rate, 1 - rate).zeros)


def has_kink_at_equal_rates(metric: Metric) -> bool:
    """Whether an operation of a metric has its kink along tpr = tnr, whatever the class sizes."""
    u = np.linspace(0.05, 0.9, 18)
    on_line, beside = (
        Surface(metric, 100.0, 1000.0).kinks(u, 1 - u, v, 1 - v) for v in (1 - u, (1 - u) ** 2)
    )
    kinked = (on_line.signs == 0).all(axis=1) & (beside.signs != 0).all(axis=1)
    return bool(kinked.any())
