"""The three conditions of Mullick et al., checked for any measure, one's own too.

Condition 1: the value does not change when the rows of the confusion matrix are scaled, so that
only the class sizes differ. Condition 2: the bounds do not depend on the number of classes.
Condition 3: the value is above its lower bound when a single class is missed.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import sympy
from scipy.special import softmax

from skewproof.core.algebra import Array
from skewproof.multiclass.bounds import (
    ROUNDING_ERROR,
    BoundsOverSizes,
    bounds_over_sizes,
    extreme_sizes,
)
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Formula
from skewproof.multiclass.search import DEFAULT_SEARCH, Search

LARGEST_FACTOR = 1000.0
"""Up to how many times larger or smaller a row is made in a search."""

PROVEN_CLASSES = (2, 3)
"""Numbers of classes for which a proof is looked for."""

MISSED_RECALL = 1e-100
"""Recall of a class that is missed: small enough that its C-th root is, and not 0, since what is
then 0/0 has a limit."""

BOUND_TOLERANCE = 1e-3
"""Largest distance of two bounds that are the same: a search, and class sizes whose ratio is large
and not infinite, end near their limits."""


class ScaledRows(NamedTuple):
    """What a measure becomes as the rows of a matrix are scaled."""

    rates: Array
    """The matrix, (C, C); rows add up to 1."""

    factors: Array
    """What its rows are multiplied by, (C,)."""

    before: float
    after: float


class Condition1(NamedTuple):
    """Whether scaling rows leaves a measure as it is."""

    satisfied: bool | None
    """None where neither a proof nor a counterexample was found."""

    proof: str
    """The measure as a function of the rates r_ij alone, or empty."""

    worst: ScaledRows
    """The largest change that a search found: a counterexample if the condition is violated."""


class Condition2(NamedTuple):
    """Whether the bounds of a measure are the same for several numbers of classes."""

    satisfied: bool

    bounds: Mapping[int, BoundsOverSizes]
    """By the number of classes."""


class Condition3(NamedTuple):
    """Whether a measure is above its lower bound when one class is missed."""

    satisfied: bool

    limit: float
    """The lowest value over the class sizes, as the recall of one class falls to 0."""


def condition_1(measure: Formula, classes: int, *, search: Search = DEFAULT_SEARCH) -> Condition1:
    """Prove that scaling rows leaves a measure as it is, or find where it changes it most.

    For two and three classes SymPy looks for a proof; a search over matrices and factors, which
    starts from random ones and climbs from the worst, for a counterexample. For more classes, and
    where SymPy finds none, there is no proof: satisfied is then None, or False with the
    counterexample.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`; for a
        proof it must take SymPy expressions.
    classes
        Number of classes.
    search
        How the search is done.

    Examples
    --------
    >>> from skewproof import condition_1, get_measure
    >>> condition_1(get_measure("acsa"), 3).proof
    'r11/3 + r22/3 - r31/3 - r32/3 + 1/3'
    >>> condition_1(get_measure("accuracy"), 3).satisfied
    False
    """
    worst = _largest_change(measure, classes, search)
    if abs(worst.after - worst.before) > ROUNDING_ERROR:
        return Condition1(False, "", worst)
    proof = _proof(measure, classes) if classes in PROVEN_CLASSES else ""
    return Condition1(True if proof else None, proof, worst)


def _proof(measure: Formula, classes: int) -> str:
    """The measure as an expression of rates alone, or nothing where SymPy finds none."""
    sizes = sympy.symbols(f"n1:{classes + 1}", positive=True)
    free = sympy.Matrix(
        classes, classes - 1, lambda i, j: sympy.Symbol(f"r{i + 1}{j + 1}", positive=True)
    )
    rates = free.row_join(sympy.Matrix([1 - sum(free.row(i)) for i in range(classes)]))
    matrix = MulticlassConfusionMatrix.from_rates(np.array(rates), np.array(sizes))
    try:
        expression = sympy.sympify(measure(matrix))
    except (TypeError, AttributeError):  # the measure is a function of numbers only
        return ""
    simple = sympy.bottom_up(
        expression, lambda part: sympy.cancel(part) if part.has(*sizes) else part
    )
    return "" if simple.has(*sizes) else str(simple)


def _largest_change(measure: Formula, classes: int, search: Search) -> ScaledRows:
    """The rates and factors at which a search finds a measure to change most."""
    entries = classes * classes

    def rates_and_factors(points: Array) -> tuple[Array, Array]:
        logits = points[..., :entries].reshape(*points.shape[:-1], classes, classes)
        return softmax(logits, axis=-1), LARGEST_FACTOR ** np.tanh(points[..., entries:])

    def change(points: Array) -> Array:
        rates, factors = rates_and_factors(points)
        before = measure(MulticlassConfusionMatrix(rates))
        after = measure(MulticlassConfusionMatrix.from_rates(rates, factors))
        return np.nan_to_num(np.abs(np.asarray(after - before, dtype=np.float64)))

    points = search.random(classes).normal(0, 2, (search.samples, entries + classes))
    rates, factors = rates_and_factors(search.climb(change, points).point)
    return ScaledRows(
        rates,
        factors,
        before=float(measure(MulticlassConfusionMatrix(rates))),
        after=float(measure(MulticlassConfusionMatrix.from_rates(rates, factors))),
    )


def condition_2(
    measure: Formula, classes: Sequence[int], *, search: Search = DEFAULT_SEARCH
) -> Condition2:
    """Compare the bounds of a measure between numbers of classes.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    classes
        Numbers of classes, at least two.
    search
        How bounds are searched where the measure is not linear in the matrix;
        see :func:`skewproof.multiclass.bounds.bounds`.

    Examples
    --------
    >>> from skewproof import condition_2, get_measure
    >>> condition_2(get_measure("acsa"), [2, 3]).satisfied
    True
    >>> round(condition_2(get_measure("auroc_ovo"), [2, 3]).bounds[3].balanced.low, 6)
    0.25
    """
    found = {number: bounds_over_sizes(measure, number, search=search) for number in classes}
    lows = [each.widest.low for each in found.values()]
    highs = [each.widest.high for each in found.values()]
    same = np.ptp(lows) <= BOUND_TOLERANCE and np.ptp(highs) <= BOUND_TOLERANCE
    return Condition2(bool(same), found)


def condition_3(measure: Formula, classes: int, *, lower_bound: float) -> Condition3:
    """Compare a measure with its lower bound when one class is missed and the others are not.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    classes
        Number of classes, at least three.
    lower_bound
        The measure's lower bound for this number of classes, as :func:`condition_2` finds it.

    Examples
    --------
    >>> from skewproof import condition_3, get_measure
    >>> condition_3(get_measure("acsa"), 3, lower_bound=0)
    Condition3(satisfied=True, limit=0.6666666666666666)
    >>> condition_3(get_measure("g_mean"), 3, lower_bound=0).satisfied
    False
    """
    limit = min(limit_of_a_missed_class(measure, sizes) for sizes in extreme_sizes(classes))
    return Condition3(limit > lower_bound + BOUND_TOLERANCE, limit)


def limit_of_a_missed_class(measure: Formula, sizes: Sequence[float] | Array) -> float:
    """The lowest limit of a measure when one class is missed and the others are recognized.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    sizes
        Class sizes, (C,).

    Returns
    -------
    The lowest value over which class is missed, over where its instances go (all to one class, or
    evenly to all others), and over whether the others are recognized wholly or lose as many to the
    missed class as it keeps.
    """
    sizes = np.asarray(sizes, dtype=np.float64)
    classes, matrices = len(sizes), []
    for missed in range(classes):
        others = np.delete(np.arange(classes), missed)
        goals = [np.eye(classes)[goal] for goal in others]
        goals.append(np.eye(classes)[others].mean(axis=0))
        for goal, lost in itertools.product(goals, (0, MISSED_RECALL)):
            rates = np.eye(classes)
            rates[:, missed] = lost
            rates[missed] = goal
            rates[missed, missed] = MISSED_RECALL
            matrices.append(rates)
    matrix = MulticlassConfusionMatrix.from_rates(np.array(matrices), sizes)
    return float(np.min(np.asarray(measure(matrix), dtype=np.float64)))
