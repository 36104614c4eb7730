"""Means of scores over folds: matrices of the folds that have them, or a proof that none exist.

Simulated annealing searches for a witness, which is checked exactly. None exists if for some
weights the largest weighted sums of scores in the folds, averaged, stay below the least weighted
sum of the printed means. Linear programming finds such weights, and a search with outward-rounded
intervals proves the largest sums. What weights do not exclude is left to an integer program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import LinearConstraint, linprog, milp

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.sensitivity.printed_scores.digits import PrintedInterval
from skewproof.sensitivity.printed_scores.matrices import Counts, Score, find_matrices

CANDIDATES = 40
"""Matrices of each of two folds that are tried at a step of the annealing, in all pairs."""

COLD = 1e-3
"""Last temperature, as a share of the first."""

MOST_VALUES = 10_000_000
"""Largest number of scores of matrices of all kinds of folds for which weights are searched."""

MOST_COLUMNS, MOST_NODES = 20_000, 1000
"""Largest number of matrices in an integer program, and of nodes of its search: a limit of time
would make a verdict depend on the machine."""

ACCURACY, LARGEST = 1e-9, Fraction(10**30)
"""Accuracy of the linear programs, and a number beyond all weighted sums."""

TOLERANCE, INFEASIBLE = 1e-4, 2
"""Share by which the printed intervals of an integer program are wider, as it has a tolerance of
1e-7; and the status of one without a solution."""


class FoldsVerdict(NamedTuple):
    """Answer to whether means over folds are possible."""

    possible: bool | None
    """True with a witness, False with a proof, and None if neither was found."""

    witness: Counts | None
    """One of many ways: tp and fp of each fold, shape (2, folds)."""

    proof: str
    """The proof: "weights of the scores", "an integer program", or empty."""


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
    scores: Sequence[Score],
    sizes: Counts,
    *,
    restarts: int = 100,
    steps: int = 150,
) -> FoldsVerdict:
    """Search for matrices of folds whose mean scores print as given, or a proof that none exist.

    A fold in which a score is undefined does not count: every fold has every score.

    Parameters
    ----------
    scores
        The scores with the printed intervals of their means.
    sizes
        P and N of each fold, shape (2, folds).
    restarts, steps
        Number of times that the annealing starts, and of its steps.
    """
    kinds, of_kind = np.unique(sizes, axis=1, return_counts=True)
    random, sizes = np.random.default_rng(0), np.repeat(kinds, of_kind, axis=1)
    program = None
    if (kinds + 1).prod(axis=0).sum() * len(scores) <= MOST_VALUES:
        program = _Program(scores, kinds, of_kind)
        weights = program.weights()
        if program.is_proved(weights):
            return FoldsVerdict(False, None, "weights of the scores")
    for _ in range(restarts):
        witness = _annealed(scores, sizes, random, steps)
        if witness is not None and all(reproduced(scores, witness, sizes)):
            return FoldsVerdict(True, witness, "")
    if program is None:
        return FoldsVerdict(None, None, "")
    verdict = program.solve(weights)
    if verdict.witness is None or all(reproduced(scores, verdict.witness, sizes)):
        return verdict
    return FoldsVerdict(None, None, "")


def _values(scores: Sequence[Score], pairs: Any, sizes: Any) -> Array:
    """Compute scores in half widths of their intervals from the middles, the scores last."""
    matrix = ConfusionMatrix.from_tp_fp(*pairs, positives=sizes[0], negatives=sizes[1])
    ends = [(float(score.printed.low), float(score.printed.high)) for score in scores]
    columns = [
        (score.metric(matrix) - (low + high) / 2) / ((high - low) / 2)
        for score, (low, high) in zip(scores, ends, strict=True)
    ]
    return np.stack(columns, axis=-1)


def _excess(means: Array) -> Array:
    """Add up by how much means are outside of their intervals; an undefined score is infinite."""
    return np.nan_to_num((np.maximum(np.abs(means) - 1, 0) ** 2).sum(axis=-1), nan=np.inf)


def _annealed(
    scores: Sequence[Score], sizes: Counts, random: np.random.Generator, steps: int
) -> Counts | None:
    """Anneal tp and fp of the folds until their mean scores print as given.

    A step exchanges the matrices of two folds for the best pair, or one nearly as good, of many
    nearby ones.
    """
    rates = random.random((2, 20_000, 1)) ** random.choice([0.2, 1, 3], (2, 1, 1))
    drawn = np.rint(rates * sizes[:, :1, np.newaxis])
    start = _excess(_values(scores, drawn, sizes[:, :1, np.newaxis]))[:, 0].argmin()
    point = np.rint(rates[:, start] * sizes)
    values = _values(scores, point, sizes)
    for step in range(steps):
        share = 1 - step / steps
        folds = random.choice(len(sizes[0]), 2, replace=False)
        near = sizes[:, folds, np.newaxis]
        widths = np.maximum(2, share * np.sqrt(near)) ** random.random((2, 2, CANDIDATES))
        tried = point[:, folds, np.newaxis] + np.rint(widths * random.normal(size=widths.shape))
        tried = np.clip(tried, 0, near)
        tried[..., 0] = point[:, folds]
        of_tried = _values(scores, tried, near)
        rest = values.sum(axis=0) - values[folds].sum(axis=0)
        excess = _excess((rest + of_tried[0][:, np.newaxis] + of_tried[1]) / len(sizes[0]))
        warmth = share * excess[0, 0] / 10 + COLD
        chances = np.exp((excess.min() - excess.ravel()) / warmth)
        chosen = np.array(
            divmod(random.choice(chances.size, p=chances / chances.sum()), CANDIDATES)
        )
        if excess.min() == 0:
            chosen = np.array(np.unravel_index(excess.argmin(), excess.shape))
        point[:, folds], values[folds] = tried[:, [0, 1], chosen], of_tried[[0, 1], chosen]
        if excess[tuple(chosen)] == 0:
            return point.astype(np.int64)
    return None


def reproduced(scores: Sequence[Score], witness: Counts, sizes: Counts) -> list[bool]:
    """Return which mean scores of folds print as given, by exact arithmetic.

    Parameters
    ----------
    scores
        The scores with the printed intervals of their means.
    witness
        tp and fp of each fold, shape (2, folds).
    sizes
        P and N of each fold, shape (2, folds).
    """
    boxes = [(tp, tp, fp, fp, p, n) for tp, fp, p, n in zip(*witness, *sizes, strict=True)]
    return [score.may_be(sum(map(score.exact_value, boxes)) / len(boxes)) for score in scores]


@dataclass
class _Program:
    """The distance of the means as a linear program in the numbers of folds with each matrix."""

    scores: Sequence[Score]
    kinds: Counts
    of_kind: Counts

    def __post_init__(self) -> None:
        """Tabulate the scores of all matrices of each kind of fold, and its number."""
        pairs = [np.indices(size + 1).reshape(2, -1) for size in self.kinds.T]
        self.pairs = np.concatenate(pairs, axis=1)
        self.kind = np.repeat(np.arange(len(pairs)), [part.shape[1] for part in pairs])
        self.values = _values(self.scores, self.pairs, self.kinds[:, self.kind])
        known = np.isfinite(self.values).all(axis=1)
        self.pairs, self.kind = self.pairs[:, known], self.kind[known]
        self.values = self.values[known] / self.of_kind.sum()

    def count(self, some: Any) -> Array:
        """Return which kind of fold each matrix belongs to, shape (kinds, matrices)."""
        return (self.kind[some] == np.arange(len(self.of_kind))[:, np.newaxis]).astype(float)

    def weights(self) -> Array:
        """Find the weights of scores that prove the largest distance of the means from the middles.

        Matrices come in as columns that the last weights do not exclude.
        """
        some = np.random.default_rng(0).permutation(len(self.kind))[:500]
        while True:
            rows, count = self.values[some].T, self.count(some)
            within = np.block([[rows, -np.ones((len(rows), 1))], [-rows, -np.ones((len(rows), 1))]])
            folds = np.pad(count, ((0, 0), (0, 1)))
            cost = np.append(np.zeros(len(some)), 1)
            solved = linprog(cost, within, np.zeros(len(within)), folds, self.of_kind)
            below, above = np.split(-solved.ineqlin.marginals, 2)
            weights = below - above
            reduced = self.values @ weights - solved.eqlin.marginals[self.kind]
            best = np.argsort(reduced)[:50]
            more = np.union1d(some, best[reduced[best] < -ACCURACY])
            if more.size == some.size:
                return weights
            some = more

    def least(self, weights: Array) -> Array:
        """Return the least weighted sum of a fold of each kind."""
        sums = self.values @ weights
        return np.array([sums[self.kind == kind].min() for kind in range(len(self.of_kind))])

    def is_proved(self, weights: Array) -> bool:
        """Prove outward that the least weighted sums exceed what the printed means allow."""
        folds = int(self.of_kind.sum())
        parts = [(score.metric, score.printed) for score in self.scores]
        exact = [
            Fraction(float(w / folds) / float((ends.high - ends.low) / 2))
            for w, (_, ends) in zip(weights, parts, strict=True)
        ]
        floats = [float(weight) for weight in exact]

        def weighted(c: ConfusionMatrix) -> Any:
            return sum(w * metric.formula(c) for w, (metric, _) in zip(floats, parts, strict=True))

        most = sum(max(w * e.low, w * e.high) for w, (_, e) in zip(exact, parts, strict=True))
        middle = sum(w * (e.low + e.high) / 2 for w, (_, e) in zip(exact, parts, strict=True))
        least = self.least(weights)
        spare = (float(self.of_kind @ least) - float(most - middle) * folds) / (2 * folds)
        ends = [middle + Fraction(float(end - spare)) for end in least]
        total = sum(int(n) * end for n, end in zip(self.of_kind, ends, strict=True))
        metric = replace(parts[0][0], key="weighted sum", formula=weighted, bounds=None)
        return total > folds * most and not any(
            find_matrices(
                [Score(metric, PrintedInterval(-LARGEST, end, end))],
                size[:, np.newaxis],
                first=True,
            ).number
            for end, size in zip(ends, self.kinds.T, strict=True)
        )

    def solve(self, weights: Array) -> FoldsVerdict:
        """Search for whole numbers of folds with each matrix that weights leave possible."""
        least, sums = self.least(weights), self.values @ weights
        left = np.flatnonzero(sums - least[self.kind] <= 1 + TOLERANCE - self.of_kind @ least)
        if not 0 < left.size <= MOST_COLUMNS:
            return FoldsVerdict(None, None, "")
        solved = milp(
            sums[left],
            integrality=np.ones(left.size),
            constraints=[
                LinearConstraint(self.values[left].T, -1 - TOLERANCE, 1 + TOLERANCE),
                LinearConstraint(self.count(left), self.of_kind, self.of_kind),
            ],
            options={"node_limit": MOST_NODES},
        )
        if solved.status == INFEASIBLE:
            return FoldsVerdict(False, None, "an integer program")
        numbers = np.zeros(left.size) if solved.x is None else np.rint(solved.x)
        witness = np.repeat(self.pairs[:, left], numbers.astype(int), axis=1)
        return FoldsVerdict(True, witness, "") if witness.size else FoldsVerdict(None, None, "")
