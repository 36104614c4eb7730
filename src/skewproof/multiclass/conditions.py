"""The three conditions of Mullick et al., checked for any index, one's own too.

Condition 1: the value does not change when the rows of the confusion matrix are scaled, so that
only the class sizes differ. Condition 2: the bounds do not depend on the number of classes.
Condition 3: the value is above its lower bound when a single class is missed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from scipy.optimize import minimize
from scipy.special import softmax

from skewproof.core.algebra import Array, Value
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure

Formula = Callable[[MulticlassConfusionMatrix], Value]

SAME = 1e-9
"""Largest difference of two values that is rounding."""

LARGEST_SCALE = 1000.0
"""Up to how many times larger or smaller a row is made in a search."""

SAMPLES = 4000

OUT_OF_THE_WAY = -1e9
"""Height that a search gives to a matrix at which the index is undefined."""

REFINED = 8
"""How many of the best samples are refined."""

MISSED = 1e-100
"""Recall of a class that is missed: small enough that its C-th root is, and not 0, since what is
then 0/0 has a limit."""

SYMBOLIC_CLASSES = (2, 3)
"""Numbers of classes for which a proof is looked for."""


class RowScaling(NamedTuple):
    """Whether scaling rows changes an index (Condition 1)."""

    satisfied: bool | None
    """None where neither a proof nor a counterexample was found."""

    proof: str
    """The index as a function of the rates r_ij alone, or empty."""

    matrix: Array | None = None
    """The worst matrix found, (C, C)."""

    factors: Array | None = None
    """What its rows are multiplied by, (C,)."""

    values: tuple[float, float] = (np.nan, np.nan)
    """The index before and after."""


class Bounds(NamedTuple):
    """Lower and upper bound of an index at given class sizes."""

    low: float
    high: float

    linear: bool
    """Whether they come from a linear program, and so are exact; else from a search."""


def rate_matrix(classes: int) -> tuple[list[sympy.Symbol], sympy.Matrix, Value]:
    """A symbolic matrix of class sizes times rates.

    Returns
    -------
    The class sizes n_i, the rates r_ij (rows add up to 1), and the counts n_i r_ij.
    """
    sizes = sympy.symbols(f"n1:{classes + 1}", positive=True)
    free = sympy.Matrix(
        classes, classes - 1, lambda i, j: sympy.Symbol(f"r{i + 1}{j + 1}", positive=True)
    )
    rates = free.row_join(sympy.Matrix([1 - sum(free.row(i)) for i in range(classes)]))
    counts = np.array([[sizes[i] * r for r in rates.row(i)] for i in range(classes)], dtype=object)
    return list(sizes), rates, counts


def condition_1(index: Formula, classes: int, *, seed: int = 0) -> RowScaling:
    """Prove that scaling rows leaves an index as it is, or find where it changes it most.

    For two and three classes SymPy looks for a proof; a search over matrices and factors, which
    starts from random ones and climbs from the worst, for a counterexample. For more classes, and
    where SymPy finds none, there is no proof: satisfied is then None, or False with the
    counterexample.

    Parameters
    ----------
    index
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`; for a
        proof it must take SymPy expressions.
    classes
        Number of classes.
    seed
        Seed of the search.
    """
    worst = _worst_scaling(index, classes, seed)
    if worst.satisfied is False or classes not in SYMBOLIC_CLASSES:
        return worst
    return (
        worst._replace(satisfied=True, proof=proof) if (proof := _proof(index, classes)) else worst
    )


def _proof(index: Formula, classes: int) -> str:
    sizes, _, counts = rate_matrix(classes)
    try:
        expression = sympy.sympify(index(MulticlassConfusionMatrix(counts)))
    except (TypeError, AttributeError):  # the index is a function of numbers only
        return ""
    simple = sympy.bottom_up(
        expression, lambda part: sympy.cancel(part) if part.has(*sizes) else part
    )
    return "" if simple.has(*sizes) else str(simple)


def _worst_scaling(index: Formula, classes: int, seed: int) -> RowScaling:
    """Search for rates and factors that change an index most."""
    free = classes * classes

    def unpack(points: Array) -> tuple[Array, Array]:
        logits = points[..., :free].reshape(*points.shape[:-1], classes, classes)
        return softmax(logits, axis=-1), LARGEST_SCALE ** np.tanh(points[..., free:])

    def change(points: Array) -> Array:
        rates, factors = unpack(points)
        before = index(MulticlassConfusionMatrix(rates))
        after = index(MulticlassConfusionMatrix(rates * factors[..., None]))
        return np.nan_to_num(np.abs(np.asarray(after - before, dtype=np.float64)))

    random = np.random.default_rng([seed, classes])
    point, difference = _climb(change, random.normal(0, 2, (SAMPLES, free + classes)))
    rates, factors = unpack(point)
    values = tuple(
        float(index(MulticlassConfusionMatrix(matrix)))
        for matrix in (rates, rates * factors[:, None])
    )
    satisfied = None if difference <= SAME else False
    return RowScaling(satisfied, "", rates, factors, (values[0], values[1]))


def _climb(height: Callable[[Array], Array], points: Array) -> tuple[Array, float]:
    """The highest point that is reached from the highest of many."""
    best = points[np.argsort(height(points))[-REFINED:]]
    ends = [
        minimize(
            lambda point: -float(height(point)), start, method="Powell", options={"maxiter": 5}
        )
        for start in best
    ]
    found = np.array([*best, *(end.x for end in ends)])
    heights = height(found)
    highest = int(np.argmax(heights))
    return found[highest], float(heights[highest])


def condition_2(index: Formula, sizes: Sequence[float] | Array, *, seed: int = 0) -> Bounds:
    """Lower and upper bound of an index over all classifiers, at given class sizes.

    With class sizes given, all matrices make a product of C simplices, one a row. An index that is
    linear in them is bounded by a linear program, which falls apart into the choice of the best
    column for each row. Any other is searched for its bounds: on all deterministic confusions of
    up to five classes, where each class goes to one class as a whole, and from the best of these
    and of random matrices downhill and uphill.

    Parameters
    ----------
    index
        As for :func:`condition_1`.
    sizes
        Class sizes, (C,).
    seed
        Seed of the search.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    linear = linear_parts(index, sizes)
    if linear is not None:
        origin, gains = linear
        low, high = (origin + end(gains, axis=1).sum() for end in (np.min, np.max))
        return Bounds(float(low), float(high), linear=True)
    starts = _starting_rates(len(sizes), seed)
    values = index(MulticlassConfusionMatrix(starts * sizes[:, None]))
    low, high = (_bound(index, sizes, starts, values, sign) for sign in (-1, 1))
    return Bounds(low, high, linear=False)


def linear_parts(index: Formula, sizes: Array) -> tuple[float, Array] | None:
    """An index that is linear in the matrix, at given class sizes, as an origin and gains.

    Returns
    -------
    The value where each row is spread evenly, and (C, C) what is gained by moving a row wholly to a
    column, all of whose rows add up to 0; None where the index is not linear, as random matrices
    and points between them show.
    """
    classes = len(sizes)
    random = np.random.default_rng(classes)
    first, second = random.dirichlet(np.ones(classes), (2, 50, classes))
    share = random.random((50, 1, 1))
    one, other, between = (
        np.asarray(index(MulticlassConfusionMatrix(rates * sizes[:, None])), dtype=np.float64)
        for rates in (first, second, share * first + (1 - share) * second)
    )
    flat = share[:, 0, 0] * one + (1 - share[:, 0, 0]) * other
    if not np.allclose(flat, between, rtol=0, atol=SAME):
        return None
    base = np.full((classes, classes), 1 / classes)
    moved = np.broadcast_to(base, (classes, classes, classes, classes)).copy()
    for row, column in itertools.product(range(classes), repeat=2):
        moved[row, column, row] = np.eye(classes)[column]
    values = np.asarray(index(MulticlassConfusionMatrix(moved * sizes[:, None])), dtype=np.float64)
    origin = float(index(MulticlassConfusionMatrix(base * sizes[:, None])))
    return origin, values - origin


def _starting_rates(classes: int, seed: int) -> Array:
    random = np.random.default_rng([seed, classes])
    mixed = random.dirichlet(np.full(classes, 0.3), (SAMPLES, classes))
    if classes > 5:
        return mixed
    confusions = np.array(list(itertools.product(range(classes), repeat=classes)))
    return np.concatenate([np.eye(classes)[confusions], mixed])


def _bound(index: Formula, sizes: Array, starts: Array, values: Value, sign: int) -> float:
    """The highest value, or the lowest with sign -1, that is reached from the best starts."""
    classes = len(sizes)

    def height(logits: Array) -> Array:
        rates = softmax(logits.reshape(*logits.shape[:-1], classes, classes), axis=-1)
        value = index(MulticlassConfusionMatrix(rates * sizes[:, None]))
        return np.nan_to_num(sign * np.asarray(value, dtype=np.float64), nan=OUT_OF_THE_WAY)

    known = np.nan_to_num(sign * np.asarray(values, dtype=np.float64), nan=OUT_OF_THE_WAY)
    best = starts[np.argsort(known)[-REFINED:]]
    _, climbed = _climb(height, np.log(best + 1e-12).reshape(len(best), -1))
    return sign * max(float(known.max()), climbed)


def condition_3(index: Formula, sizes: Sequence[float] | Array) -> float:
    """The lowest limit of an index when one class is missed and the others are recognized.

    Parameters
    ----------
    index
        As for :func:`condition_1`.
    sizes
        Class sizes, (C,).

    Returns
    -------
    The lowest value over which class is missed, over where its instances go (all to one class, or
    evenly to all others), and over whether the others are recognized wholly or lose as many to the
    missed class as it keeps. Condition 3 wants it above the index's lower bound.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    classes, matrices = len(sizes), []
    for missed in range(classes):
        others = np.delete(np.arange(classes), missed)
        goals = [np.eye(classes)[goal] for goal in others]
        goals.append(np.eye(classes)[others].mean(axis=0))
        for goal, lost in itertools.product(goals, (0, MISSED)):
            rates = np.eye(classes)
            rates[:, missed] = lost
            rates[missed] = goal
            rates[missed, missed] = MISSED
            matrices.append(rates * sizes[:, None])
    values = np.asarray(index(MulticlassConfusionMatrix(np.array(matrices))), dtype=np.float64)
    return float(np.min(values))


def lemma_2(classes: int) -> float:
    """Lower bound of AUROC-OVO (Lemma 2)."""
    return (classes - 2) / (2 * (classes - 1))


def lemma_3(sizes: Sequence[float] | Array) -> float:
    """Lower bound of AUROC-OVA at given class sizes (Lemma 3, Eq. 19)."""
    ordered = np.sort(np.asarray(sizes, dtype=np.float64))
    classes, total = len(ordered), ordered.sum()
    return float((classes - 1 - ordered[-1] / (total - ordered[-2])) / (2 * classes))


DOMINANT = 1e6
"""How many times larger one class, or two, are than the others where a bound is a limit."""


NEAR = 1e-3
"""Largest distance of two bounds that are the same: a search, and a ratio of DOMINANT, end near
their limits."""


ENDS = ("low", "high")


def extreme_sizes(classes: int) -> list[np.ndarray]:
    """Class sizes at which bounds are looked for: equal, one class dominant, two of them."""
    sizes = [np.ones(classes) for _ in range(3)]
    sizes[1][-1:] = sizes[2][-2:] = DOMINANT
    return sizes


def second_and_third(
    index: Measure, classes: Sequence[int], *, seed: int
) -> Iterator[dict[str, Any]]:
    """Rows of :func:`conditions_table` on one index under Conditions 2 and 3."""
    bounds = {number: _bounds(index, number, seed=seed) for number in classes}
    lows, highs = (np.array([getattr(pair[0], end) for pair in bounds.values()]) for end in ENDS)
    same = bool(np.ptp(lows) <= NEAR and np.ptp(highs) <= NEAR)
    for number, (widest, balanced) in bounds.items():
        common = {
            "scope": "multi-class",
            "index": index.key,
            "classes": number,
            "low": widest.low,
            "high": widest.high,
            "balanced_low": balanced.low,
            "balanced_high": balanced.high,
        }
        how = "linear program" if widest.linear else "search"
        yield common | {"condition": 2, "satisfied": same, "evidence": f"bounds by {how}"}
        if number == 2:
            continue
        limit = min(condition_3(index, sizes) for sizes in extreme_sizes(number))
        above = limit > widest.low + NEAR
        evidence = "limit as one class's recall falls to 0"
        yield common | {"condition": 3, "satisfied": above, "limit": limit, "evidence": evidence}


def _bounds(index: Measure, classes: int, *, seed: int) -> tuple[Bounds, Bounds]:
    """Bounds over all class sizes, and at equal ones."""
    each = [condition_2(index, sizes, seed=seed) for sizes in extreme_sizes(classes)]
    low, high = min(one.low for one in each), max(one.high for one in each)
    return Bounds(low, high, all(one.linear for one in each)), each[0]
