"""The confusion matrix of two classes, and the few operations that a metric is written in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

Value = Any
"""A NumPy float64 array (or what becomes one), or a SymPy expression."""

INPUTS = ("tp", "fp")
"""The two free counts of a matrix with given class sizes: the inputs of the sensitivity analysis,
in the order in which their indices are given."""


def is_symbolic(value: Value) -> bool:
    """Whether a value is a SymPy expression, or an array of them, rather than of numbers."""
    return hasattr(value, "free_symbols") or getattr(value, "dtype", "") == "O"


def ratio(numerator: Value, denominator: Value) -> Value:
    """Divide; 0/0 is NaN, and no warning is given for it.

    Every division of a metric goes through here, so that this is the only place that decides
    what an undefined value looks like. What to do with it is the caller's policy.
    """
    if is_symbolic(numerator) or is_symbolic(denominator):
        return numerator / denominator
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(numerator, denominator)


def sqrt(value: Value) -> Value:
    """Square root of numbers or of a SymPy expression."""
    if is_symbolic(value):
        import sympy

        return sympy.sqrt(value)
    return np.sqrt(value)


def log(value: Value) -> Value:
    """Natural logarithm of numbers, -inf at 0 without a warning, or of a SymPy expression."""
    if is_symbolic(value):
        import sympy

        return sympy.log(value)
    with np.errstate(divide="ignore"):
        return np.log(value)


def exp(value: Value) -> Value:
    """Exponential of numbers, inf beyond all floats without a warning, or of an expression."""
    if is_symbolic(value):
        import sympy

        return sympy.exp(value)
    with np.errstate(over="ignore"):
        return np.exp(value)


def pi(like: Value) -> Value:
    """The number π: SymPy's beside an expression, else a float."""
    if is_symbolic(like):
        import sympy

        return sympy.pi
    return np.pi


def unless_zero(condition: Value, value: Value) -> Value:
    """0 where the condition is 0, else the value; symbols are positive and so never 0."""
    return value if is_symbolic(condition) else np.where(condition == 0, 0.0, value)


@dataclass(frozen=True, eq=False)
class ConfusionMatrix:
    """Counts of true positives, false positives, false negatives and true negatives (Table 1).

    Each count is a number or an array of numbers; the four broadcast against each other, and
    every derived quantity has the broadcast shape. Counts are continuous: the sensitivity
    analysis samples them from intervals. NaN stands for an undefined count and makes undefined
    what depends on it. SymPy expressions are taken as well, and then every derived quantity is an
    expression.

    Raises
    ------
    ValueError
        If a count is negative or infinite, or if the shapes do not broadcast.
    """

    tp: Value
    fp: Value
    fn: Value
    tn: Value

    def __post_init__(self) -> None:
        counts = {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn")}
        if any(map(is_symbolic, counts.values())):
            return
        arrays = {name: np.asarray(count, dtype=np.float64) for name, count in counts.items()}
        for name, array in arrays.items():
            invalid = array[(array < 0) | (array == np.inf)]
            if invalid.size:
                raise ValueError(f"{name} = {invalid.flat[0]}: expected a finite count >= 0")
            object.__setattr__(self, name, array)
        np.broadcast_shapes(*(array.shape for array in arrays.values()))

    @classmethod
    def from_tp_fp(
        cls, tp: Value, fp: Value, *, positives: Value, negatives: Value
    ) -> ConfusionMatrix:
        """The matrix with the given true and false positives in classes of the given sizes.

        The class sizes leave two degrees of freedom (Section 3.2): fn = P - tp, tn = N - fp.

        Parameters
        ----------
        tp, fp
            True positives in [0, positives] and false positives in [0, negatives].
        positives, negatives
            Sizes of the two classes, P and N.
        """
        return cls(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Shape to which the four counts broadcast."""
        return np.broadcast_shapes(*map(np.shape, (self.tp, self.fp, self.fn, self.tn)))

    @cached_property
    def positives(self) -> Value:
        """P, the size of the positive class."""
        return self.tp + self.fn

    @cached_property
    def negatives(self) -> Value:
        """N, the size of the negative class."""
        return self.fp + self.tn

    @cached_property
    def predicted_positives(self) -> Value:
        """P', how many were classified as positive."""
        return self.tp + self.fp

    @cached_property
    def predicted_negatives(self) -> Value:
        """N', how many were classified as negative."""
        return self.fn + self.tn

    @cached_property
    def total(self) -> Value:
        """T, the number of instances."""
        return self.positives + self.negatives

    @cached_property
    def imbalance_ratio(self) -> Value:
        """IR, the size of the smaller class over that of the larger, in [0, 1] (Burduk, Eq. 9)."""
        difference = abs(self.positives - self.negatives)
        return ratio(self.total - difference, self.total + difference)

    @cached_property
    def tpr(self) -> Value:
        """True positive rate (sensitivity, recall), tp/P in [0, 1]."""
        return ratio(self.tp, self.positives)

    @cached_property
    def fpr(self) -> Value:
        """False positive rate (fall-out), fp/N in [0, 1]."""
        return ratio(self.fp, self.negatives)

    @cached_property
    def fnr(self) -> Value:
        """False negative rate (miss rate), fn/P in [0, 1]."""
        return ratio(self.fn, self.positives)

    @cached_property
    def tnr(self) -> Value:
        """True negative rate (specificity), tn/N in [0, 1]."""
        return ratio(self.tn, self.negatives)

    @cached_property
    def ppv(self) -> Value:
        """Positive predictive value (precision), tp/P' in [0, 1]; undefined when P' = 0."""
        return ratio(self.tp, self.predicted_positives)

    @cached_property
    def npv(self) -> Value:
        """Negative predictive value, tn/N' in [0, 1]; undefined when N' = 0."""
        return ratio(self.tn, self.predicted_negatives)

    @cached_property
    def rates(self) -> ConfusionMatrix:
        """The matrix of rates, g of Eq. 8: tp and fn divided by P, fp and tn by N."""
        return ConfusionMatrix(tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr)
