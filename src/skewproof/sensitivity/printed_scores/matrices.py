"""Search for all confusion matrices whose scores print as given, with a proof for all others.

Boxes of (tp, fp) in which a score cannot print as given are excluded by outward-rounded intervals,
which :mod:`skewproof.sensitivity.ranges.enclosures` computes; so are single matrices. The rest is
decided by fractions, or by intervals of up to 400 digits if a score has roots. Decimal constants of
a formula are enclosed in the search and fractions at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.arguments import expect
from skewproof.core.confusion import CELLS, ConfusionMatrix, matrix_of
from skewproof.core.extras import sympy
from skewproof.core.metric import Metric
from skewproof.sensitivity.printed_scores.digits import Ends, PrintedInterval
from skewproof.sensitivity.proofs.certified import certified_sign, is_certified_real
from skewproof.sensitivity.quadrature.computational_graph import NotTracedError, traced_at_all_sizes
from skewproof.sensitivity.ranges.enclosures import (
    ONE_ROUNDING,
    WHOLE_LINE,
    Boxes,
    Interval,
    NotEnclosedError,
    enclosed,
)

Counts = NDArray[np.int64]

MOST_EXACT = 2000
"""Number of matrices that are decided by exact arithmetic; further ones count as possible."""

MOST_BOXES, AT_ONCE = 6_000_000, 100_000
"""Largest number of boxes that a search examines, and that of boxes or matrices that are evaluated
at once."""


@dataclass(frozen=True)
class Score:
    """A metric with its printed interval, or those of its mean, deviation and range over folds."""

    metric: Metric
    printed: PrintedInterval
    deviation: PrintedInterval | None = None
    ends: Ends | None = None

    @cached_property
    def _graph(self) -> Any:
        return traced_at_all_sizes(self.metric)

    @cached_property
    def is_enclosed(self) -> bool:
        """True if intervals enclose the metric; otherwise only exact arithmetic decides."""
        try:
            self.enclosure(np.array([[0, 1, 0, 1, 1, 1]]).T)
        except (NotTracedError, NotEnclosedError):
            return False
        return True

    def enclosure(self, boxes: Counts) -> Interval:
        """Return outward-rounded ends of the metric in boxes."""
        first, last, size = boxes[[0, 2]], boxes[[1, 3]], boxes[4:].astype(np.float64)
        # Both roundings together, of a quotient and of its product, are below ONE_ROUNDING.
        rates, complements = (
            Interval(least / size * (1 - ONE_ROUNDING), most / size * (1 + ONE_ROUNDING))
            for least, most in ((first, last), (size - last, size - first))
        )
        return enclosed(self._graph, Boxes(rates, complements, size)).values

    def decide(self, boxes: Counts) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return in which boxes a matrix may print as given, and in which all matrices do."""
        low, high = self.enclosure(boxes) if self.is_enclosed else WHOLE_LINE
        ends = np.array([float(self.printed.low), float(self.printed.high)])
        below, above = np.nextafter(ends, -np.inf), np.nextafter(ends, np.inf)
        possible = ~((high < below[0]) | (low > above[1]))  # an undefined end excludes nothing
        certain = (low > above[0]) & (high < below[1])
        possible, certain = (np.broadcast_to(x, boxes.shape[1]).copy() for x in (possible, certain))
        # Enclosures of a part of a whole are narrow even where 0 is divided by 0, at a corner.
        tp, fp, sizes = boxes[:2, None, certain], boxes[None, 2:4, certain], boxes[4:, certain]
        certain[certain] = np.isfinite(self.metric(matrices_of(tp, fp, sizes))).all(axis=(0, 1))
        return possible, certain

    def shifted(self, units: int) -> Score:
        """Return the score with a last digit that is larger by some units."""
        return replace(self, printed=self.printed.shifted(units))

    def exact_value(self, box: Any) -> Any:
        """Compute the metric of the first matrix of a box as an expression of SymPy."""
        tp, _, fp, _, positives, negatives = map(sympy.Integer, map(int, box))
        matrix = matrix_of((tp, fp, positives - tp, negatives - fp))
        try:
            return sympy.sympify(self.metric.formula(matrix))
        except TypeError:  # SymPy does not compare undefined numbers
            return sympy.nan

    def may_fit(self, box: Any) -> bool:
        """Return whether the first matrix of a box is not proved to print otherwise.

        A value that exact arithmetic does not show to be real is possible if it is finite in
        floats: SymPy has none for 0 log 0, which the metrics take as 0.
        """
        value = self.exact_value(box)
        if is_certified_real(value):
            return may_be(value, self.printed)
        tp, _, fp, _, *sizes = np.asarray(box, dtype=np.float64)
        return bool(np.isfinite(self.metric(matrices_of(tp, fp, sizes))))


def may_be(value: Any, printed: PrintedInterval) -> bool:
    """Return whether an exact real value is not proved to be outside of an interval."""
    low, high = (sympy.Rational(*end.as_integer_ratio()) for end in printed[:2])
    return (
        is_certified_real(value)
        and certified_sign(value - low) != -1
        and certified_sign(value - high) != 1
    )


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
        corners = matrices_of(self.boxes[:2], self.boxes[2:4], self.boxes[4:])
        cells = {cell: getattr(corners, cell) for cell in CELLS if self.number}
        return {cell: (int(counts.min()), int(counts.max())) for cell, counts in cells.items()}

    def parts(self, at_once: int = AT_ONCE) -> Iterator[ConfusionMatrix]:
        """Generate all matrices, in arrays of at most `at_once`."""
        ends = np.concatenate([[0], np.cumsum(_areas(self.boxes))])
        for start in range(0, self.number, at_once):
            numbers = np.arange(start, min(start + at_once, self.number))
            box = np.searchsorted(ends, numbers, side="right") - 1
            tp, _, fp, most, *sizes = self.boxes[:, box]
            rows, columns = np.divmod(numbers - ends[box], most - fp + 1)
            yield matrices_of(tp + rows, fp + columns, sizes)


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
        If the search is too large, in particular for metrics with operations that intervals do not
        enclose, whose matrices are decided one by one.
    """
    not_enclosed = ", ".join(score.metric.key for score in scores if not score.is_enclosed)
    zeros = np.zeros_like(sizes[0])
    waiting = [np.array([zeros, sizes[0], zeros, sizes[1], *sizes], dtype=np.int64)]
    kept, examined, decided = [waiting[0][:, :0]], 0, 0
    while waiting and not (first and kept[-1].size):
        boxes = waiting.pop()
        if boxes.shape[1] > AT_ONCE:
            waiting += [boxes[:, AT_ONCE:], boxes[:, :AT_ONCE]]
            continue
        examined += boxes.shape[1]
        too_many = f"more than {MOST_BOXES:,} boxes to examine"
        expect(examined <= MOST_BOXES, "search", too_many, "more digits or more scores")
        certain = np.ones(boxes.shape[1], dtype=bool)
        for score in scores:
            possible, inside = score.decide(boxes)
            boxes, certain = boxes[:, possible], (certain & inside)[possible]
        single = (_areas(boxes) == 1) & ~certain
        exactly = f"more than {MOST_EXACT:,} matrices to decide exactly, as for {not_enclosed}"
        fits = not not_enclosed or decided + single.sum() <= MOST_EXACT
        expect(fits, "search", exactly, "smaller classes or more scores")
        for number in np.flatnonzero(single):
            decided += 1
            box = boxes[:, number]
            certain[number] = decided > MOST_EXACT or all(score.may_fit(box) for score in scores)
        kept.append(boxes[:, certain])
        halves = boxes[:, ~certain & ~single]
        for low, high in ((0, 1), (2, 3)):
            middle = (halves[low] + halves[high]) // 2
            lower, upper = halves.copy(), halves.copy()
            lower[high], upper[low] = middle, middle + 1
            halves = np.concatenate([lower, upper[:, upper[low] <= upper[high]]], axis=1)
        waiting += [halves] if halves.size else []
    return Matrices(np.concatenate(kept, axis=1))


def _areas(boxes: Counts) -> Counts:
    tp_low, tp_high, fp_low, fp_high, *_ = boxes
    return (tp_high - tp_low + 1) * (fp_high - fp_low + 1)


def matrices_of(tp: Any, fp: Any, sizes: Any) -> ConfusionMatrix:
    """Return matrices of true and false positives, with P and N."""
    return ConfusionMatrix.from_tp_fp(tp, fp, positives=sizes[0], negatives=sizes[1])
