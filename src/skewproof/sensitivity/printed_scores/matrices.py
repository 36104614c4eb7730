"""Search for all confusion matrices whose scores print as given, with a proof for all others.

Boxes of (tp, fp) in which a score cannot print as given are excluded by outward-rounded intervals,
which :mod:`skewproof.sensitivity.ranges.enclosures` computes; so are single matrices. The rest is
decided by exact arithmetic. A matrix stays if 50 digits do not decide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.sensitivity.printed_scores.digits import PrintedInterval
from skewproof.sensitivity.printed_scores.exact_values import exact_value, is_within
from skewproof.sensitivity.quadrature.computational_graph import (
    ComputationalGraph,
    NotTracedError,
    traced_at_all_sizes,
)
from skewproof.sensitivity.ranges.enclosures import (
    ONE_ROUNDING,
    Boxes,
    Interval,
    NotEnclosedError,
    enclosed,
)

Counts = NDArray[np.int64]

MARGIN = 1e-12
"""Distance from the end of a printed interval, relative to the larger of it and 1, within which
exact arithmetic decides. It exceeds the rounding of decimal numbers in a formula to floats."""

FEW = 16
"""Number of matrices of a box that are examined one by one."""

MOST_BOXES = 6_000_000
"""Largest number of boxes and matrices that a search examines."""

AT_ONCE = 100_000
"""Number of boxes, or of matrices, that are evaluated at once."""


@dataclass(frozen=True)
class Score:
    """A metric with its printed interval.

    Raises
    ------
    ValueError
        If the metric has an operation that cannot be enclosed.
    """

    metric: Metric
    printed: PrintedInterval

    def __post_init__(self) -> None:
        unit = Interval(np.full((2, 1), 0.25), np.full((2, 1), 0.5))
        try:
            enclosed(self.graph, Boxes(unit, unit, np.ones((2, 1))))
        except (NotTracedError, NotEnclosedError) as error:
            raise ValueError(
                f"scores: {self.metric.key} cannot be enclosed ({error}): expected a metric of"
                " arithmetic, roots, powers, logarithms, exponentials, minima and maxima"
            ) from None

    @cached_property
    def graph(self) -> ComputationalGraph:
        """The metric's operations for all class sizes."""
        return traced_at_all_sizes(self.metric)

    def shifted(self, units: int) -> Score:
        """Return the score with a last digit that is larger by some units."""
        return replace(self, printed=self.printed.shifted(units))

    def values(self, boxes: Counts) -> Interval:
        """Enclose the metric on boxes, in arrays of the shape (boxes,)."""
        tp_low, tp_high, fp_low, fp_high, *sizes = boxes.astype(np.float64)
        low, high, size = np.array([tp_low, fp_low]), np.array([tp_high, fp_high]), np.array(sizes)
        # Both roundings together, of the quotient and of the product, are below ONE_ROUNDING.
        rates, complements = (
            Interval(first / size * (1 - ONE_ROUNDING), last / size * (1 + ONE_ROUNDING))
            for first, last in ((low, high), (size - high, size - low))
        )
        values = enclosed(self.graph, Boxes(rates, complements, size)).values
        return Interval(*(np.broadcast_to(end, boxes.shape[1]) for end in values))

    def decide(self, boxes: Counts) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return in which boxes a matrix may print as given, and in which all matrices do."""
        ends = np.array([float(self.printed.low), float(self.printed.high)])
        (low, high), margin = ends, MARGIN * np.maximum(1, np.abs(ends))
        values = self.values(boxes)
        # An undefined end excludes nothing.
        excluded = (values.high < low - margin[0]) | (values.low > high + margin[1])
        certain = (values.low > low + margin[0]) & (values.high < high - margin[1])
        certain[certain] = self._is_defined_at_corners(boxes[:, certain])
        return ~excluded, certain

    def _is_defined_at_corners(self, boxes: Counts) -> NDArray[np.bool_]:
        """Return where the metric is defined at the corners of boxes.

        An enclosure may be narrow although 0 is divided by 0 at an edge of the square, as where a
        part is divided by a whole.
        """
        corners = np.array([boxes[[tp, fp]] for tp in (0, 1) for fp in (2, 3)])
        matrices = ConfusionMatrix.from_tp_fp(
            corners[:, 0], corners[:, 1], positives=boxes[4], negatives=boxes[5]
        )
        return np.isfinite(self.metric(matrices)).all(axis=0)

    def is_printed(self, box: Sequence[int]) -> bool:
        """Return whether a single matrix may print as given; an undefined score does not."""
        tp, _, fp, _, positives, negatives = map(int, box)
        counts = tp, fp, positives - tp, negatives - fp, positives, negatives
        try:
            value = exact_value(self.graph, counts)
        except (ArithmeticError, ValueError):
            # A step may be infinite where the score is not, as in 1/(1 + tp/fp).
            matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
            return math.isfinite(float(self.metric(matrix)))
        return is_within(value, self.printed.low, self.printed.high)


@dataclass(frozen=True)
class Matrices:
    """Confusion matrices in boxes of true and false positives.

    Attributes
    ----------
    boxes
        Smallest and largest tp, smallest and largest fp, P and N, shape (6, boxes).
    """

    boxes: Counts

    @cached_property
    def number(self) -> int:
        """Number of matrices."""
        return int(_areas(self.boxes).sum())

    @property
    def bounds(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest count of each cell, empty without a matrix."""
        if not self.number:
            return {}
        tp_low, tp_high, fp_low, fp_high, positives, negatives = self.boxes
        ends = {
            "tp": (tp_low, tp_high),
            "fp": (fp_low, fp_high),
            "fn": (positives - tp_high, positives - tp_low),
            "tn": (negatives - fp_high, negatives - fp_low),
        }
        return {cell: (int(low.min()), int(high.max())) for cell, (low, high) in ends.items()}

    def parts(self, at_once: int = AT_ONCE) -> Iterator[ConfusionMatrix]:
        """Generate all matrices, in arrays of at most `at_once`."""
        ends = np.concatenate([[0], np.cumsum(_areas(self.boxes))])
        for start in range(0, self.number, at_once):
            numbers = np.arange(start, min(start + at_once, self.number))
            box = np.searchsorted(ends, numbers, side="right") - 1
            tp, _, fp, fp_high, positives, negatives = self.boxes[:, box]
            rows, columns = np.divmod(numbers - ends[box], fp_high - fp + 1)
            yield ConfusionMatrix.from_tp_fp(
                tp + rows, fp + columns, positives=positives, negatives=negatives
            )

    def range(self, metric: Metric) -> tuple[float, float]:
        """Find the smallest and largest defined value of a metric, NaN without one."""
        low, high = np.inf, -np.inf
        for matrices in self.parts():
            values = np.asarray(metric(matrices))
            low, high = np.fmin(low, np.nanmin(values)), np.fmax(high, np.nanmax(values))
        return (float(low), float(high)) if low <= high else (math.nan, math.nan)


def find_matrices(scores: Sequence[Score], sizes: Counts, *, first: bool = False) -> Matrices:
    """Find all matrices that print as given.

    Parameters
    ----------
    scores
        The scores.
    sizes
        P and N of the test sets to be considered, at least 1 each, shape (2, sizes).
    first
        Whether some of the matrices suffice, if there are any.

    Raises
    ------
    ValueError
        If the search is too large.
    """
    zeros = np.zeros_like(sizes[0])
    waiting, kept, examined = [np.array([zeros, sizes[0], zeros, sizes[1], *sizes])], [], 0
    while waiting:
        boxes = waiting.pop()
        if boxes.shape[1] > AT_ONCE:
            waiting += [boxes[:, AT_ONCE:], boxes[:, :AT_ONCE]]
            continue
        examined += boxes.shape[1]
        if examined > MOST_BOXES:
            raise ValueError(
                f"scores: more than {MOST_BOXES:,} boxes and matrices to examine: expected more"
                " digits or more scores"
            )
        boxes, certain = _left(scores, boxes)
        open_boxes = boxes[:, ~certain]
        single = _areas(open_boxes) == 1
        printed = [
            all(score.is_printed(box) for score in scores) for box in open_boxes[:, single].T
        ]
        kept += [boxes[:, certain], open_boxes[:, single][:, np.array(printed, dtype=bool)]]
        if first and any(part.size for part in kept[-2:]):
            break
        smaller = _divided(open_boxes[:, ~single])
        waiting += [smaller] if smaller.size else []
    return Matrices(np.concatenate(kept, axis=1))


def _left(scores: Sequence[Score], boxes: Counts) -> tuple[Counts, NDArray[np.bool_]]:
    """Return the boxes that no score excludes, and in which of them all matrices print as given."""
    certain = np.ones(boxes.shape[1], dtype=bool)
    for score in scores:
        possible, inside = score.decide(boxes)
        boxes, certain = boxes[:, possible], (certain & inside)[possible]
    return boxes, certain


def _areas(boxes: Counts) -> Counts:
    tp_low, tp_high, fp_low, fp_high, *_ = boxes
    return (tp_high - tp_low + 1) * (fp_high - fp_low + 1)


def _divided(boxes: Counts) -> Counts:
    """Divide small boxes into single matrices, and others into halves or quarters."""
    small = _areas(boxes) <= FEW
    parts = [
        np.array([tp, tp, fp, fp, positives, negatives])
        for matrix in Matrices(boxes[:, small]).parts()
        for tp, fp, positives, negatives in [
            (matrix.tp, matrix.fp, matrix.positives, matrix.negatives)
        ]
    ]
    halves = boxes[:, ~small]
    for low, high in ((0, 1), (2, 3)):
        middle = (halves[low] + halves[high]) // 2
        lower, upper = halves.copy(), halves.copy()
        lower[high], upper[low] = middle, middle + 1
        halves = np.concatenate([lower, upper[:, upper[low] <= upper[high]]], axis=1)
    return np.concatenate([*parts, halves], axis=1).astype(np.int64)


def all_counts(matrices: Matrices) -> Array:
    """Return the counts of all matrices, tp, fn and fp, tn, in an array (matrices, 2, 2)."""
    parts = [np.array([[m.tp, m.fn], [m.fp, m.tn]]) for m in matrices.parts()]
    return np.moveaxis(np.concatenate([np.zeros((2, 2, 0)), *parts], axis=-1), -1, 0)
