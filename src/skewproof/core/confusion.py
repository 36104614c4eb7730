"""The confusion matrix of two classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array, Value, is_symbolic, ratio
from skewproof.core.arguments import expect, expect_number, expect_text, is_finite
from skewproof.core.data.groups import check_groups, in_order
from skewproof.core.data.labels import counted_cells
from skewproof.core.messages import array_shown, shown

CELLS = ("tp", "fp", "fn", "tn")
"""The four cells of a matrix, in the order of its arguments."""

INPUTS = ("tp", "fp")
"""The two free counts of a matrix with given class sizes: the inputs of the sensitivity analysis,
in the order in which their indices are given."""

MOST_COUNT = 1e50
"""Largest count. Some formulas multiply all four sums and the square of the total; with counts up
to this one, such a product is far below the largest float, 1.8e308."""


class Origin(NamedTuple):
    """The origin of the counts of a projected matrix."""

    matrix: ConfusionMatrix
    """The observed counts."""

    at: Any
    """The stated :class:`~skewproof.Prevalence` to which they are projected."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ConfusionMatrix:
    """Counts of true positives, false positives, false negatives and true negatives.

    The counts are those of Table 1 of van Zyl and Engelbrecht. Each is a number or an array of
    numbers; the four broadcast against each other, and every derived quantity has the broadcast
    shape. Counts are continuous: the sensitivity analysis samples them from intervals. NaN is an
    undefined count, and everything that depends on it is undefined. Counts can also be SymPy
    expressions; then every derived quantity is an expression.

    Raises
    ------
    ValueError
        If a count is not a real number, is negative, or is more than 1e50 (products in formulas
        would overflow), or if the shapes do not broadcast.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> matrix = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)
    >>> float(matrix.positives), float(matrix.tpr)
    (12.0, 0.75)
    >>> matrix
    ConfusionMatrix
              called positive  called negative
    positive                9                3
    negative                4               20
    """

    tp: Value
    fp: Value
    fn: Value
    tn: Value

    origin: Origin | None = None
    """The observed matrix and the prevalence to which it was projected; None for counts that are
    not projected."""

    unobserved: str = ""
    """A description of counts that are not numbers of observed instances, such as "projected to
    1:1000", and from which no interval can be computed; empty for observed counts."""

    effective: tuple[float, float] | None = None
    """Effective numbers of positives and negatives if the counts are sums of weights; None if they
    are numbers of instances."""

    by_group: Array | None = None
    """The counts of each group of instances that belong together, shape (groups, 2, 2), with tp, fn
    in the first row and fp, tn in the second; None if instances are independent."""

    def __post_init__(self) -> None:
        expect_text("unobserved", self.unobserved)
        if self.origin is not None:
            expect(isinstance(self.origin, Origin), "origin", self.origin, "an Origin or None")
            object.__setattr__(self, "unobserved", f"projected to {self.origin.at}")
        if self.effective is not None:
            sizes = self.effective
            known = isinstance(sizes, tuple) and len(sizes) == 2 and all(map(is_finite, sizes))
            expected = "two finite numbers of at least 0, or None"
            expect(known and min(sizes) >= 0, "effective", sizes, expected)
        counts = {name: getattr(self, name) for name in CELLS}
        if self.by_group is not None:
            check_groups(self.by_group, [[self.tp, self.fn], [self.fp, self.tn]])
        if not self.unobserved and self.effective is None:
            _refuse_rates(counts)
        if any(map(is_symbolic, counts.values())):
            return
        arrays = {name: _numbers(count, name) for name, count in counts.items()}
        for name, array in arrays.items():
            invalid = array[(array < 0) | (array > MOST_COUNT)]
            if invalid.size:
                expected = f"expected a count of at least 0 and of at most {MOST_COUNT:g}"
                raise ValueError(f"{name} = {invalid.flat[0]}: {expected}")
            object.__setattr__(self, name, array)
        _refuse_shapes(arrays)

    def __repr__(self) -> str:
        rows = self._rows
        if rows is None:
            cells = ", ".join(f"{name}={array_shown(getattr(self, name))}" for name in CELLS)
            return f"ConfusionMatrix({cells})"
        lines = ["".join([rows[0][0].ljust(8), *(f"  {cell}" for cell in rows[0][1:])])]
        lines += [
            f"{name:8}  {called:>15}  {not_called:>15}" for name, called, not_called in rows[1:]
        ]
        return "\n".join([f"ConfusionMatrix{self._origin_text}", *lines])

    def _repr_html_(self) -> str | None:
        rows = self._rows
        if rows is None:
            return None
        head, *body = [
            "".join(f"<{tag}>{cell}</{tag}>" for cell in row)
            for tag, row in zip(("th", "td", "td"), rows, strict=True)
        ]
        caption = f"<caption>ConfusionMatrix{self._origin_text}</caption>"
        lines = "".join(f"<tr>{line}</tr>" for line in body)
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"

    @property
    def _origin_text(self) -> str:
        if self.effective is not None and not self.unobserved:
            worth = "{:.4g} positives and {:.4g} negatives".format(*self.effective)
            return f", sums of weights, worth {worth}"
        if self.by_group is not None and not self.unobserved:
            return f", {len(self.by_group):,} groups"
        return f", {self.unobserved}" if self.unobserved else ""

    @property
    def _rows(self) -> list[tuple[str, str, str]] | None:
        """The table of one matrix of numbers, or None for many or for expressions."""
        cells = {name: getattr(self, name) for name in CELLS}
        if any(is_symbolic(cell) or np.ndim(cell) for cell in cells.values()):
            return None
        tp, fp, fn, tn = (f"{float(cell):.10g}" for cell in cells.values())
        head = ("", "called positive", "called negative")
        return [head, ("positive", tp, fn), ("negative", fp, tn)]

    @classmethod
    def from_array(cls, matrix: ArrayLike) -> ConfusionMatrix:
        """Convert the matrix that scikit-learn's ``confusion_matrix`` returns for two classes.

        Parameters
        ----------
        matrix
            Counts of shape (..., 2, 2): the rows are the true classes and the columns the
            predicted ones. The negative class comes first in both.

        Raises
        ------
        ValueError
            If the array has another shape, or a count is not valid.

        Examples
        --------
        >>> from skewproof import ConfusionMatrix
        >>> float(ConfusionMatrix.from_array([[20, 4], [3, 9]]).tpr)
        0.75
        """
        counts = np.asarray(matrix)
        if counts.shape[-2:] != (2, 2):
            raise ValueError(f"matrix has the shape {counts.shape}: expected (..., 2, 2)")
        (tn, fp), (fn, tp) = np.moveaxis(counts, (-2, -1), (0, 1))
        if counts.ndim == 2 and counts.dtype.kind == "f":
            _refuse_rates({"tp": float(tp), "fp": float(fp), "fn": float(fn), "tn": float(tn)})
        return cls(tp=tp, fp=fp, fn=fn, tn=tn)

    @classmethod
    def from_tp_fp(
        cls, tp: Value, fp: Value, *, positives: Value, negatives: Value
    ) -> ConfusionMatrix:
        """Build the matrix of given true and false positives in classes of given sizes.

        The class sizes leave two degrees of freedom, fn = P - tp and tn = N - fp (Section 3.2 of
        van Zyl and Engelbrecht).

        Parameters
        ----------
        tp, fp
            True positives in [0, positives] and false positives in [0, negatives].
        positives, negatives
            Finite sizes of the two classes, P and N. A class of size 0 is empty, and its rates are
            undefined. In an array, NaN is an unknown size.

        Raises
        ------
        ValueError
            If a count or size would be negative or infinite, a size that is not in an array is NaN,
            an argument is not a real number, or the shapes do not broadcast.
        """
        tp, fp = _operand(tp, "tp"), _operand(fp, "fp")
        positives, negatives = _size(positives, "positives"), _size(negatives, "negatives")
        try:
            return cls(**_computed(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp))
        except (ArithmeticError, TypeError, ValueError) as error:
            sizes = {"positives": positives, "negatives": negatives}
            given = {"tp": tp, "fp": fp} | sizes
            raise _blamed(error, given, largest={"tp": positives, "fp": negatives}) from None

    @classmethod
    def from_rates(
        cls,
        tpr: Value,
        fpr: Value,
        *,
        positives: Value,
        negatives: Value,
        fnr: Value | None = None,
        tnr: Value | None = None,
    ) -> ConfusionMatrix:
        """Build the matrix of a classifier with given rates, on classes of given sizes.

        Parameters
        ----------
        tpr, fpr
            True and false positive rate, in [0, 1].
        positives, negatives
            Finite sizes of the two classes, P and N. A class of size 0 is empty, and its rates are
            undefined. In an array, NaN is an unknown size.
        fnr, tnr
            1 - tpr and 1 - fpr, if they are known with more digits than a subtraction leaves, as
            for rates near 1.

        Raises
        ------
        ValueError
            If a count or size would be negative or infinite, a size that is not in an array is NaN,
            an argument is not a real number, or the shapes do not broadcast.

        Examples
        --------
        >>> from skewproof import ConfusionMatrix
        >>> float(ConfusionMatrix.from_rates(0.8, 0.1, positives=100, negatives=1000).fp)
        100.0
        """
        positives, negatives = _size(positives, "positives"), _size(negatives, "negatives")
        given = {"tpr": tpr, "fpr": fpr}
        given |= {name: rate for name, rate in (("fnr", fnr), ("tnr", tnr)) if rate is not None}
        rates = {name: _operand(rate, name) for name, rate in given.items()}
        try:
            tp, fp = positives * rates["tpr"], negatives * rates["fpr"]
            fn = positives * rates["fnr"] if "fnr" in rates else positives - tp
            tn = negatives * rates["tnr"] if "tnr" in rates else negatives - fp
            return cls(**_computed(tp=tp, fp=fp, fn=fn, tn=tn))
        except (ArithmeticError, TypeError, ValueError) as error:
            sizes = {"positives": positives, "negatives": negatives}
            raise _blamed(error, rates | sizes, largest=dict.fromkeys(rates, 1)) from None

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> ConfusionMatrix:
        """Count the labels of two classes.

        Parameters
        ----------
        y_true, y_pred
            True and predicted labels, of one dimension and the same length: arrays, Series or lists
            of at most two different values. They are text, whole numbers, booleans, dates or other
            values that can be compared for equality. All are of one kind; text and numbers are not
            mixed.
        pos_label
            The label of the positive class; all others are negative.
        sample_weight
            Weight of each instance, finite and at least 0; None weighs each instance 1. A cell is
            a sum of weights, exactly 0 without any.

            Weights that are all whole numbers are counts: an instance of weight 3 counts as three.
            All other weights have no unit: `effective` then has Kish's effective number of
            instances of each class, (sum of weights)²/(sum of squared weights), and intervals use
            it. Divide weights that are whole numbers but not counts by their mean.

            The effective numbers hold if weights do not depend on the prediction given the class.
            If negative predictions were verified more rarely, and weigh more, intervals do not
            cover (docs/evidence/weighted_coverage.md).
        groups
            Label of each row's group if rows belong together, such as the patient: any hashable
            values. The matrix then has the counts of each group in `by_group`, from which intervals
            take what the rows are worth. Weights beside them have to be counts.

        Raises
        ------
        ValueError
            If a length or dimension is wrong; if a label is missing (NaN, None) or masked; if a
            weight is masked, negative, complex or not finite; if there are more than two classes,
            or two and neither is `pos_label`; if the labels and `pos_label` mix text and numbers,
            which scikit-learn refuses, too; if labels are numbers that are not whole, as scores
            are; or if labels are floats of at least 2^53, to which other whole numbers are rounded.

        Examples
        --------
        >>> from skewproof import ConfusionMatrix
        >>> matrix = ConfusionMatrix.from_labels([1, 1, 0, 0, 0], [1, 0, 1, 0, 0])
        >>> [int(count) for count in (matrix.tp, matrix.fp, matrix.fn, matrix.tn)]
        [1, 1, 1, 2]
        >>> ConfusionMatrix.from_labels([1, 1, 0], [1, 0, 0], sample_weight=[0.5, 1.5, 2.5])
        ConfusionMatrix, sums of weights, worth 1.6 positives and 1 negatives
                  called positive  called negative
        positive              0.5              1.5
        negative                0              2.5
        """
        return cls(
            **counted_cells(
                y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight, groups=groups
            )
        )

    @classmethod
    def from_groups(
        cls, *, tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike
    ) -> ConfusionMatrix:
        """Sum up counts of groups of instances that belong together, such as those of a patient.

        Parameters
        ----------
        tp, fp, fn, tn
            Counts of each group, shape (groups,), for at least two groups.

        Raises
        ------
        ValueError
            If a count is not valid or there is only one group.

        Examples
        --------
        >>> from skewproof import ConfusionMatrix
        >>> ConfusionMatrix.from_groups(tp=[3, 0, 2], fp=[1, 0, 0], fn=[0, 2, 1], tn=[9, 8, 9])
        ConfusionMatrix, 3 groups
                  called positive  called negative
        positive                5                3
        negative                1               26
        """
        counts = cls(tp=tp, fp=fp, fn=fn, tn=tn)
        for name in CELLS:
            known = np.isfinite(getattr(counts, name)).all()
            expect(bool(known), name, getattr(counts, name), "a count for each group")
        cells = np.broadcast_arrays(counts.tp, counts.fn, counts.fp, counts.tn)
        table = np.stack(cells, axis=-1)
        if table.ndim != 2 or len(table) < 2:
            raise ValueError(
                f"tp, fp, fn, tn have the shape {counts.shape}: expected an entry for each of at"
                " least two groups"
            )
        tp, fn, fp, tn = table.sum(axis=0)
        return cls(tp=tp, fn=fn, fp=fp, tn=tn, by_group=in_order(table).reshape(-1, 2, 2))

    @cached_property
    def effective_counts(self) -> ConfusionMatrix:
        """The counts of as many unweighted instances as each class is worth, at the same rates.

        It is the matrix itself if its counts are numbers of instances.
        """
        if self.effective is None:
            return self
        by_positive, by_negative = (
            np.divide(worth, size, out=np.zeros(np.shape(size)), where=np.asarray(size) > 0)
            for worth, size in zip(self.effective, (self.positives, self.negatives), strict=True)
        )
        return ConfusionMatrix(
            tp=self.tp * by_positive,
            fp=self.fp * by_negative,
            fn=self.fn * by_positive,
            tn=self.tn * by_negative,
            unobserved=self.unobserved,
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape to which the four counts broadcast."""
        return np.broadcast(self.tp, self.fp, self.fn, self.tn).shape

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
        """P', the number of instances classified as positive."""
        return self.tp + self.fp

    @cached_property
    def predicted_negatives(self) -> Value:
        """N', the number of instances classified as negative."""
        return self.fn + self.tn

    @cached_property
    def total(self) -> Value:
        """T, the number of instances."""
        return self.positives + self.negatives

    @cached_property
    def imbalance_ratio(self) -> Value:
        """IR, the size of the smaller class divided by that of the larger, in [0, 1] (Eq. 9 of
        Burduk)."""
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
        """The matrix of rates: tp and fn divided by P, fp and tn by N (g in Eq. 8 of van Zyl and
        Engelbrecht)."""
        return ConfusionMatrix(
            tp=self.tpr, fp=self.fpr, fn=self.fnr, tn=self.tnr, unobserved="one of rates"
        )


def _numbers(count: Any, name: str) -> Array:
    """Convert a count to float64 numbers."""
    try:
        array = np.asarray(count)
        if array.dtype.kind in "biufO" and count is not None:
            return np.asarray(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} = {shown(count)}: expected a number or an array of numbers")


def _operand(value: Value, name: str) -> Value:
    """Convert values to float64, except floats, Python's numbers and symbols.

    NumPy's whole numbers are converted as well, since they wrap around.
    """
    if isinstance(value, np.ndarray) and value.ndim and value.dtype.kind == "f":
        return value
    if isinstance(value, float | int | np.floating | Fraction) or is_symbolic(value):
        return value
    return _numbers(value, name)[()]


def _size(value: Value, name: str) -> Value:
    """Check a class size and convert it to numbers or symbols."""
    if isinstance(value, float) and 0 <= value < np.inf:
        return value
    size = _operand(value, name)
    if is_symbolic(size):
        return size
    if not isinstance(size, np.ndarray):
        expect_number(name, value, 0)
    elif (invalid := size[(size < 0) | (size == np.inf)]).size:
        raise ValueError(f"{name} = {invalid[0]}: expected finite numbers of at least 0")
    return size


def _blamed(
    error: Exception, given: Mapping[str, Value], *, largest: Mapping[str, Value]
) -> Exception:
    """Return an error that names the argument at fault, or the given error if none is."""
    try:
        arrays = {
            name: _numbers(value, name) for name, value in given.items() if not is_symbolic(value)
        }
        _refuse_shapes(arrays)
        for name, most in largest.items():
            if name in arrays and not is_symbolic(most):
                numbers, limits = np.broadcast_arrays(arrays[name], np.asarray(most, np.float64))
                outside = (numbers < 0) | (numbers > limits)
                if outside.any():
                    limit = str(limits[outside][0]).removesuffix(".0")
                    expected = f"expected a number from 0 to {limit}"
                    raise ValueError(f"{name} = {numbers[outside][0]}: {expected}")
    except ValueError as fault:
        return fault
    return error


def matrix_of(cells: Iterable[Any]) -> ConfusionMatrix:
    """Make a matrix from tp, fp, fn and tn in this order, such as the rows of an array."""
    tp, fp, fn, tn = cells
    return ConfusionMatrix(**_computed(tp=tp, fp=fp, fn=fn, tn=tn))


def _computed(**cells: Any) -> dict[str, Any]:
    """Return cells that were computed and not typed, as NumPy's numbers if they are Python's."""
    typed = all(type(cell) in (int, float) for cell in cells.values())
    return {name: np.float64(cell) for name, cell in cells.items()} if typed else cells


def _refuse_rates(counts: Mapping[str, Any]) -> None:
    """Refuse four of Python's own numbers of at most 1 that are not all whole: rates or shares.

    Computed cells are NumPy's numbers, and may be rates: a metric may build a matrix from another.
    """
    cells = list(counts.values())
    typed = all(type(cell) in (int, float) for cell in cells)
    if typed and max(cells) <= 1 and any(0 < cell < 1 for cell in cells):
        values = ", ".join(f"{name} = {cell:g}" for name, cell in counts.items())
        raise ValueError(
            f"{values}: expected counts; ConfusionMatrix.from_rates takes rates and class sizes"
        )


def _refuse_shapes(arrays: Mapping[str, Array]) -> None:
    try:
        np.broadcast(*arrays.values())
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(
            f"the arguments have the shapes {shapes}: expected shapes that broadcast"
        ) from None
