"""Means of scores over folds: matrices of the folds that have them, or a proof that none exist.

Simulated annealing searches for a witness, which is checked exactly. None exists if for some
weights the least weighted sums of scores in the folds, averaged, exceed the largest weighted sum of
the printed means. Linear programming finds such weights, and outward-rounded intervals of the
scores of all matrices prove that they exclude all. What weights do not exclude is left to an
integer program. A printed deviation is one more mean: that of the squared distances from the middle
of the score's interval. Of a printed range, the smallest and the largest score are in at least one
fold each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import LinearConstraint, linprog, milp

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.sensitivity.printed_scores.matrices import Counts, Score, matrices_of, may_be

CANDIDATES = 40
"""Matrices of each of two folds that are tried at a step of the annealing, in all pairs."""

COLD = 1e-3
"""Last temperature, as a share of the first."""

MOST_VALUES = 10_000_000
"""Largest number of scores of matrices of all kinds of folds for which weights are searched."""

MOST_COLUMNS, MOST_NODES = 20_000, 1000
"""Largest number of matrices in an integer program, and of nodes of its search: a limit of time
would make a verdict depend on the machine."""

ACCURACY = 1e-9
"""Accuracy of the linear programs."""

ROUNDING, UNDERFLOW = np.finfo(np.float64).eps, np.finfo(np.float64).tiny
"""Upper bounds of the relative error of an operation on floats, and of underflows in a sum."""

TOLERANCE, INFEASIBLE = 1e-4, 2
"""Share by which the printed intervals of an integer program are wider, as it has a tolerance of
1e-7 and scores have errors of at most a tenth of it; and the status of one without a solution."""


class FoldsVerdict(NamedTuple):
    """Answer to whether means over folds are possible."""

    possible: bool | None
    """True with a witness, False with a proof, and None if neither was found."""

    witness: Counts | None
    """One of many ways: tp and fp of each fold, shape (2, folds)."""

    proof: str
    """The proof: "a single fold", "weights of the scores", "an integer program", or empty."""


def stratified(sizes: Counts, folds: int) -> Counts:
    """Return P and N of stratified folds, as scikit-learn makes them, shape (2, folds).

    Examples
    --------
    >>> stratified([7, 11], 5).tolist()
    [[1, 2, 2, 1, 1], [3, 2, 2, 2, 2]]
    """
    positives, negatives = sizes
    # Rows are dealt to the folds in turn, the negatives first.
    dealt = [-(-(rows - np.arange(folds)) // folds) for rows in (negatives, negatives + positives)]
    return np.array([dealt[1] - dealt[0], dealt[0]])


def decide_means(
    scores: Sequence[Score], sizes: Counts, *, restarts: int = 100, steps: int = 150
) -> FoldsVerdict:
    """Search for matrices of folds whose mean scores print as given, or a proof that none exist.

    A fold in which a score is undefined does not count: every fold has every score. The divisor of
    the squared deviations is the number of folds, or one less, for all scores.

    Parameters
    ----------
    scores
        The scores with what is printed of them over the folds.
    sizes
        P and N of each fold, at least two, shape (2, folds).
    restarts, steps
        Number of times that the annealing starts, and of its steps.
    """
    deviates = any(score.deviation is not None for score in scores)
    verdicts: list[FoldsVerdict] = []
    for ddof in range(1 + deviates):
        verdicts.append(_decide(scores, sizes, ddof, restarts, steps))
        if verdicts[-1].possible:
            break
    return max(verdicts, key=lambda verdict: (False, None, True).index(verdict.possible))


def _decide(
    scores: Sequence[Score], sizes: Counts, ddof: int, restarts: int, steps: int
) -> FoldsVerdict:
    kinds, of_kind = np.unique(sizes, axis=1, return_counts=True)
    random, sizes = np.random.default_rng(0), np.repeat(kinds, of_kind, axis=1)
    program = None
    enclosed = all(score.is_enclosed for score in scores)
    if enclosed and (kinds + 1.0).prod(axis=0).sum() * len(scores) <= MOST_VALUES:
        program = _Program(scores, kinds, of_kind, ddof)
        proof = program.proof()
        if proof:
            return FoldsVerdict(False, None, proof)
    for start in range(restarts + 1):
        # The integer program is slower than some starts, and faster than many in vain.
        if program and program.is_narrow and start == math.ceil(restarts / 10):
            is_impossible, witness = program.solve()
            if is_impossible:
                return FoldsVerdict(False, None, "an integer program")
        else:
            witness = _annealed(scores, sizes, random, steps, ddof)
        if witness is not None and all(reproduced(scores, witness, sizes, ddof)):
            return FoldsVerdict(True, witness, "")
    return FoldsVerdict(None, None, "")


def _annealed(
    scores: Sequence[Score], sizes: Counts, random: np.random.Generator, steps: int, ddof: int
) -> Counts | None:
    """Anneal tp and fp of the folds until their scores print as given.

    A step exchanges the matrices of two folds for the best pair, or one nearly as good, of many
    nearby ones.
    """
    unknown = (-np.inf, np.inf)
    printed = [(x.printed, x.deviation or unknown, *(x.ends or [unknown] * 2)) for x in scores]
    ends = np.array([[x[:2] for x in row] for row in printed], dtype=np.float64).T
    halves = (ends[1, 0] - ends[0, 0]) / 2

    def evaluated(pairs: Any, sizes: Any) -> Array:
        matrix = matrices_of(pairs[0], pairs[1], sizes)
        return np.stack([score.metric(matrix) for score in scores], axis=-1)

    def excess(*statistics: Any) -> Array:
        """Add up by how much statistics of scores, on the last axis, are outside; inf if NaN."""
        total: Any = 0
        for statistic, low, high in zip(statistics, *ends, strict=True):
            if np.isfinite(low).any():
                outside = np.maximum(np.maximum(low - statistic, statistic - high), 0) / halves
                total = total + (outside**2).sum(axis=-1)
        return np.nan_to_num(total, nan=np.inf)

    rates = random.random((2, 20_000, 1)) ** random.choice([0.2, 1, 3], (2, 1, 1))
    alone = sizes[:, :1, np.newaxis]
    of_all = evaluated(np.rint(rates * alone), alone)[:, 0]
    start = excess(of_all, np.zeros_like(of_all), of_all, of_all).argmin()
    point = np.rint(rates[:, start] * sizes)
    values = evaluated(point, sizes)
    number = len(values)
    for step in range(steps):
        share = 1 - step / steps
        folds = random.choice(number, 2, replace=False)
        near = sizes[:, folds, np.newaxis]
        widths = np.maximum(2, share * np.sqrt(near)) ** random.random((2, 2, CANDIDATES))
        tried = point[:, folds, np.newaxis] + np.rint(widths * random.normal(size=widths.shape))
        tried = np.clip(tried, 0, near)
        tried[..., 0] = point[:, folds]
        of_tried = evaluated(tried, near)
        # All pairs of a matrix of the first fold, on a row, and of the second, on a column.
        rest = np.delete(values, folds, axis=0)
        first, second = of_tried[0][:, np.newaxis], of_tried[1]
        mean = (rest.sum(axis=0) + first + second) / number
        squares = (rest**2).sum(axis=0) + first**2 + second**2 - number * mean**2
        deviation = np.sqrt(np.maximum(squares, 0) / (number - ddof))
        least = np.minimum(np.minimum(rest.min(axis=0, initial=np.inf), first), second)
        most = np.maximum(np.maximum(rest.max(axis=0, initial=-np.inf), first), second)
        outside = excess(mean, deviation, least, most)
        warmth = share * outside[0, 0] / 10 + COLD
        chances = np.exp((outside.min() - outside.ravel()) / warmth)
        pair = random.choice(chances.size, p=chances / chances.sum())
        if outside.min() == 0:
            pair = outside.argmin()
        chosen = np.array(np.unravel_index(pair, outside.shape))
        point[:, folds], values[folds] = tried[:, [0, 1], chosen], of_tried[[0, 1], chosen]
        if outside.flat[pair] == 0:
            return point.astype(np.int64)
    return None


def reproduced(
    scores: Sequence[Score], witness: Counts, sizes: Counts, ddof: int = 0
) -> list[bool]:
    """Return which scores of folds print as given, by exact arithmetic.

    Parameters
    ----------
    scores
        The scores with what is printed of them over the folds.
    witness
        tp and fp of each fold, shape (2, folds).
    sizes
        P and N of each fold, shape (2, folds).
    ddof
        Number by which the divisor of squared deviations is smaller than that of folds.
    """
    boxes = [(tp, tp, fp, fp, p, n) for tp, fp, p, n in zip(*witness, *sizes, strict=True)]
    return [_is_reproduced(score, [*map(score.exact_value, boxes)], ddof) for score in scores]


def _is_reproduced(score: Score, values: Sequence[Any], ddof: int) -> bool:
    mean = sum(values) / len(values)
    fits = may_be(mean, score.printed)
    if fits and score.deviation is not None:
        variance = sum((value - mean) ** 2 for value in values) / (len(values) - ddof)
        fits = may_be(sympy.sqrt(variance), score.deviation)
    if fits and score.ends is not None:
        fits = all(may_be(value, score.ends[0].to(score.ends[1])) for value in values)
        fits &= all(any(may_be(value, end) for value in values) for end in score.ends)
    return fits


def _means(
    score: Score, boxes: Counts, folds: int, ddof: int
) -> Iterator[tuple[tuple[Array, Array], tuple[Fraction, Fraction]]]:
    """Generate numbers whose means over folds have known ends: enclosures for all matrices, and
    the ends."""
    low, high, _ = score.printed
    yield score.enclosure(boxes), (low, high)
    if score.deviation is not None:
        least, most, _ = score.deviation
        middle = float(low + high) / 2
        reach = max(high - Fraction(middle), Fraction(middle) - low)
        share = Fraction(folds - ddof, folds)

        def squared(c: ConfusionMatrix) -> Any:
            return (score.metric.formula(c) - middle) ** 2

        distance = replace(score, metric=replace(score.metric, formula=squared, bounds=None))
        ends = max(least, Fraction(0)) ** 2 * share, most**2 * share + reach**2
        yield distance.enclosure(boxes), ends
    for end in score.ends or ():
        hits = replace(score, printed=end).decide(boxes)[0].astype(np.float64)
        yield (hits, hits), (Fraction(1, folds), Fraction(1))


class _Program:
    """The distance of means as a linear program in the numbers of folds with each matrix."""

    def __init__(self, scores: Sequence[Score], kinds: Counts, of_kind: Counts, ddof: int) -> None:
        """Enclose the scores of all matrices of each kind of fold."""
        self.of_kind, folds = of_kind, int(of_kind.sum())
        pairs = [np.indices(size + 1).reshape(2, -1) for size in kinds.T]
        kind = np.repeat(np.arange(len(pairs)), [part.shape[1] for part in pairs])
        tp, fp = np.concatenate(pairs, axis=1)
        boxes = np.array([tp, tp, fp, fp, *kinds[:, kind]])
        known = np.ones(tp.shape, dtype=bool)
        for score in scores:
            known &= np.isfinite(score.metric(matrices_of(tp, fp, boxes[4:])))
            if score.ends is not None:
                known &= replace(score, printed=score.ends[0].to(score.ends[1])).decide(boxes)[0]
        boxes, kind = boxes[:, known], kind[known]
        self.pairs, self.members = boxes[[0, 2]], np.arange(len(pairs))[:, np.newaxis] == kind
        means = [mean for score in scores for mean in _means(score, boxes, folds, ddof)]
        self.low, self.high = (
            np.stack([np.broadcast_to(ends[side], kind.shape) for ends, _ in means], axis=-1)
            for side in (0, 1)
        )
        self.intervals = [interval for _, interval in means]
        ends = np.array(self.intervals, dtype=np.float64).T
        self.halves = (ends[1] - ends[0]) / 2
        self.values = ((self.low + self.high) / 2 - ends.mean(axis=0)) / self.halves / folds
        self.is_narrow = bool((self.high - self.low < TOLERANCE / 10 * self.halves).all())

    def proof(self) -> str:
        """Return the kind of a proof that no matrices have the means, or an empty text."""
        if not self.members.any(axis=1).all():
            return "a single fold"
        return "weights of the scores" if self.is_narrow and self._is_proved() else ""

    def _is_proved(self) -> bool:
        """Prove outward that the least weighted sums exceed what the printed means allow."""
        weights = self.weights / self.halves
        ends = np.where(weights > 0, self.low, self.high)
        rounding = (weights.size + 1) * ROUNDING * (np.abs(ends) @ np.abs(weights)) + UNDERFLOW
        least = self._least(ends @ weights - rounding)
        most = sum(
            Fraction(weight) * (high if weight > 0 else low)
            for weight, (low, high) in zip(weights, self.intervals, strict=True)
        )
        total = sum(int(n) * Fraction(end) for n, end in zip(self.of_kind, least, strict=True))
        return total > int(self.of_kind.sum()) * most

    def _least(self, sums: Array) -> Array:
        """Return the least sum of a fold of each kind."""
        return np.array([sums[members].min() for members in self.members])

    @cached_property
    def weights(self) -> Array:
        """The weights, of sum 1 without signs, whose least sums in the folds are the largest.

        Matrices come in as constraints that the last weights do not fulfill.
        """
        means, kinds = self.values.shape[1], len(self.members)
        some = np.random.default_rng(0).permutation(len(self.values))[:500]
        some = np.union1d(some, self.members.argmax(axis=1))  # one of each kind
        while True:
            rows = self.values[some]
            solved = linprog(
                np.concatenate([np.zeros(2 * means), -self.of_kind]),
                np.hstack([-rows, rows, self.members[:, some].T]),
                np.zeros(len(rows)),
                [[1.0] * (2 * means) + [0.0] * kinds],
                [1.0],
                [(0, None)] * (2 * means) + [(None, None)] * kinds,
            )
            positive, negative, least = np.split(solved.x, [means, 2 * means])
            weights = positive - negative
            excess = self.values @ weights - least @ self.members
            worst = np.argsort(excess)[:50]
            more = np.union1d(some, worst[excess[worst] < -ACCURACY])
            if more.size == some.size:
                return weights
            some = more

    def solve(self) -> tuple[bool, Counts | None]:
        """Search for whole numbers of folds with each matrix that weights leave possible.

        Returns True if it is proved that none exist, and the matrices of a solution, or None.
        """
        sums = self.values @ self.weights
        least = self._least(sums)
        left = np.flatnonzero(sums + (self.of_kind - self.members.T) @ least <= 1 + TOLERANCE)
        if not 0 < left.size <= MOST_COLUMNS:
            return False, None
        solved = milp(
            sums[left],
            integrality=np.ones(left.size),
            constraints=[
                LinearConstraint(self.values[left].T, -1 - TOLERANCE, 1 + TOLERANCE),
                LinearConstraint(self.members[:, left], self.of_kind, self.of_kind),
            ],
            options={"node_limit": MOST_NODES},
        )
        if solved.x is None:
            return solved.status == INFEASIBLE, None
        return False, np.repeat(self.pairs[:, left], np.rint(solved.x).astype(int), axis=1)
