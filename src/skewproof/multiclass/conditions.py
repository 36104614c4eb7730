"""The three conditions of Mullick et al., checked for any measure, also a user's own.

Condition 1: the value does not change when the rows of the confusion matrix are scaled, so that
only the class sizes differ. Condition 2: the bounds do not depend on the number of classes.
Condition 3: the value is above its lower bound when a single class is missed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number, expect_several, expect_whole
from skewproof.core.extras import MissingExtraError, sympy
from skewproof.core.messages import array_shown, facts_shown
from skewproof.multiclass.bounds import (
    ROUNDING_ERROR,
    Bounds,
    BoundsOverSizes,
    bounds_over_sizes,
    rates_of_logits,
)
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.missed import MissedClass, lowest_limit
from skewproof.multiclass.search import DEFAULT_SEARCH, Search

LARGEST_FACTOR = 1000.0
"""Largest factor by which a search scales a row up or down."""

PROVEN_CLASSES = (2, 3)
"""Numbers of classes for which a proof is attempted."""

MOST_CLASSES = 100
"""Largest number of classes for which a search is started."""

MOST_PROVEN_CLASSES = 10
"""Largest number of classes for which a proof that class sizes do not matter takes at most a second
or two."""

LARGEST_WHOLE = 100
"""Largest whole number in the exact counts at which a measure is compared."""

BOUND_TOLERANCE = 1e-3
"""Largest distance of two bounds that count as equal: a search, and class sizes whose ratio is
large but finite, end near their limits."""


YES_OR_NO = {True: "yes", False: "no"}


class ScaledRows(NamedTuple):
    """Effect of scaled matrix rows on a measure."""

    rates: Array
    """The matrix, (C, C); rows add up to 1."""

    factors: Array
    """Factors of the rows, (C,)."""

    before: float
    after: float


class Condition1(NamedTuple):
    """The answer to whether a measure is invariant to scaled rows."""

    satisfied: bool | None
    """True with a proof, False with a counterexample, None if neither was found."""

    proof: str
    """The measure as a function of the rates r_ij alone, or empty."""

    worst: ScaledRows
    """The largest change that a search found: a counterexample if the condition is violated."""

    def __repr__(self) -> str:
        answers = {True: "yes, with a proof", False: "no, with a counterexample", None: "unknown"}
        change = f"{self.worst.before:.4g} to {self.worst.after:.4g}"
        facts = {
            "satisfied": answers[self.satisfied],
            "proof": self.proof,
            "largest change found": f"{change}, rows scaled by {array_shown(self.worst.factors)}",
        }
        return facts_shown("Condition 1, invariance to scaled rows", facts)


class SizesMatter(NamedTuple):
    """The answer to whether class sizes matter to a measure, and its evidence."""

    matter: bool
    """True if the measure has other values at the same rates on classes of other sizes."""

    known_by: Literal["proof", "counterexample", "search"]
    """The evidence: a proof that class sizes do not matter, or exact counts at which they do, both
    for this number of classes; or a search among random rates and sizes, which proves nothing."""


class Condition2(NamedTuple):
    """The answer to whether the bounds of a measure are the same for several numbers of classes."""

    satisfied: bool
    """The answer for bounds over all class sizes."""

    satisfied_at_equal_sizes: bool
    """The answer for bounds at equal class sizes."""

    bounds: Mapping[int, BoundsOverSizes]
    """The bounds by the number of classes."""

    def __repr__(self) -> str:
        facts = {
            "satisfied": YES_OR_NO[self.satisfied],
            "satisfied at equal sizes": YES_OR_NO[self.satisfied_at_equal_sizes],
        }
        for classes, over_sizes in self.bounds.items():
            ends = f"{over_sizes.balanced.low:.4g} to {over_sizes.balanced.high:.4g} at equal sizes"
            how = "exact" if over_sizes.widest.exact else "searched"
            facts[f"bounds for {classes} classes"] = (
                f"{over_sizes.widest.low:.4g} to {over_sizes.widest.high:.4g} ({how}), {ends}"
            )
        return facts_shown("Condition 2, bounds independent of the number of classes", facts)


class Condition3(NamedTuple):
    """The answer to whether a measure is above its lower bound if one class is missed."""

    satisfied: bool
    """False with a counterexample; True if a search finds none."""

    limit: float
    """The lowest value found as the recall of one class decreases to 0."""

    worst: MissedClass
    """The classifier with this value."""

    def __repr__(self) -> str:
        answers = {True: "yes, as far as a search tells", False: "no, with a counterexample"}
        facts = {
            "satisfied": answers[self.satisfied],
            "lowest value found": f"{self.limit:.4g}, where class {self.worst.missed} is missed",
            "class sizes": array_shown(self.worst.sizes),
        }
        return facts_shown("Condition 3, a missed class above the lower bound", facts)


def condition_1(measure: Formula, classes: int, *, search: Search = DEFAULT_SEARCH) -> Condition1:
    """Prove that scaled rows do not change a measure, or find the largest change.

    For two and three classes SymPy attempts a proof. A search over matrices and factors, which
    climbs from the worst of random ones, looks for a counterexample. Without a proof, as for more
    classes, `satisfied` is None, or False with a counterexample.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`; for a
        proof it must take SymPy expressions.
    classes
        Number of classes.
    search
        Settings of the search.

    Examples
    --------
    >>> from skewproof.multiclass import MEASURES, condition_1
    >>> condition_1(MEASURES["acsa"], 3).proof
    'r11/3 + r22/3 - r31/3 - r32/3 + 1/3'
    >>> condition_1(MEASURES["accuracy"], 3).satisfied
    False
    """
    _check(measure, classes, 2, search)
    worst = _largest_change(measure, classes, search)
    if abs(worst.after - worst.before) > ROUNDING_ERROR:
        return Condition1(False, "", worst)
    proof = _proof(measure, classes) if classes in PROVEN_CLASSES else ""
    return Condition1(True if proof else None, proof, worst)


def class_sizes_matter(measure: Formula, classes: int) -> SizesMatter:
    """Decide in milliseconds whether a measure changes with the class sizes at the same rates.

    The question is that of :func:`condition_1`. The answer is exact if SymPy is installed and the
    measure accepts its numbers and symbols: a counterexample in fractions or, for up to
    `MOST_PROVEN_CLASSES` classes, a proof. Otherwise values at random rates and sizes are compared.

    Examples
    --------
    >>> from skewproof.multiclass import MEASURES
    >>> class_sizes_matter(MEASURES["macro_f1"], 5)
    SizesMatter(matter=True, known_by='counterexample')
    >>> class_sizes_matter(MEASURES["acsa"], 5)
    SizesMatter(matter=False, known_by='proof')
    """
    with contextlib.suppress(MissingExtraError):
        if _exact_change(measure, classes):
            return SizesMatter(True, "counterexample")
        if classes <= MOST_PROVEN_CLASSES and _proof(measure, classes):
            return SizesMatter(False, "proof")
    random = np.random.default_rng(0)
    rates = random.dirichlet(np.ones(classes), (100, classes))
    first, second = LARGEST_FACTOR ** random.uniform(-1, 1, (2, 100, classes))
    before, after = (
        measure(MulticlassConfusionMatrix.from_rates(rates, sizes)) for sizes in (first, second)
    )
    same = np.allclose(before, after, rtol=0, atol=ROUNDING_ERROR, equal_nan=True)
    return SizesMatter(not same, "search")


def _exact_change(measure: Formula, classes: int) -> bool:
    """Return whether a measure differs, in exact numbers, between equal and other class sizes."""
    random = np.random.default_rng(0)
    counts = random.integers(1, LARGEST_WHOLE, (classes, classes))
    rates = [[sympy.Rational(int(count), int(row.sum())) for count in row] for row in counts]
    equal = [sympy.Integer(1)] * classes
    other = [sympy.Integer(int(size)) for size in random.integers(1, LARGEST_WHOLE, classes)]
    before, after = (_expression(measure, rates, sizes) for sizes in (equal, other))
    return before is not None and after is not None and before.equals(after) is False


def _expression(measure: Formula, rates: Any, sizes: Any) -> Any:
    """Write the measure as an exact SymPy expression, or return None if it takes only floats."""
    matrix = MulticlassConfusionMatrix.from_rates(np.array(rates), np.array(sizes))
    try:
        expression = sympy.sympify(measure(matrix))
    except (TypeError, AttributeError, ValueError):
        return None
    return None if expression.has(sympy.Float) else expression


def _proof(measure: Formula, classes: int) -> str:
    """Write the measure as an expression of rates alone, or as empty text if SymPy finds none."""
    sizes = sympy.symbols(f"n1:{classes + 1}", positive=True)
    free = sympy.Matrix(
        classes, classes - 1, lambda i, j: sympy.Symbol(f"r{i + 1}{j + 1}", positive=True)
    )
    rates = free.row_join(sympy.Matrix([1 - sum(free.row(i)) for i in range(classes)]))
    expression = _expression(measure, rates, sizes)
    if expression is None:
        return ""
    simple = sympy.bottom_up(
        expression, lambda part: sympy.cancel(part) if part.has(*sizes) else part
    )
    return "" if simple.has(*sizes) else str(simple)


def _largest_change(measure: Formula, classes: int, search: Search) -> ScaledRows:
    """Search for the rates and factors at which a measure changes most."""
    entries = classes * classes

    def scaled(points: Array) -> ScaledRows:
        rates = rates_of_logits(points[..., :entries], classes)
        factors = LARGEST_FACTOR ** np.tanh(points[..., entries:])
        before = measure(MulticlassConfusionMatrix(rates))
        after = measure(MulticlassConfusionMatrix.from_rates(rates, factors))
        return ScaledRows(rates, factors, before, after)

    def change(points: Array) -> Array:
        _, _, before, after = scaled(points)
        return np.nan_to_num(np.abs(np.asarray(after - before, dtype=np.float64)))

    points = search.random(classes).normal(0, 2, (search.samples, entries + classes))
    worst = scaled(search.climb(change, points).point)
    return worst._replace(before=float(worst.before), after=float(worst.after))


def _check(measure: Formula, classes: int, least: int, search: Search) -> None:
    """Refuse a measure that is no function, fewer classes than the least, and no search."""
    expected = "a Measure or another function of a MulticlassConfusionMatrix"
    expect(callable(measure), "measure", measure, expected)
    expect_whole("classes", classes, least, MOST_CLASSES)
    expect(isinstance(search, Search), "search", search, "a Search")


def condition_2(
    measure: Formula, classes: Sequence[int], *, search: Search = DEFAULT_SEARCH
) -> Condition2:
    """Compare the bounds of a measure between numbers of classes.

    Bounds are taken over all class sizes, and at equal ones.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    classes
        Numbers of classes, at least two.
    search
        Settings of the search for bounds if the measure is not linear in the matrix; see
        :func:`skewproof.multiclass.bounds.bounds_over_sizes`.

    Examples
    --------
    >>> from skewproof.multiclass import MEASURES, condition_2
    >>> condition_2(MEASURES["acsa"], [2, 3]).satisfied
    True
    >>> round(condition_2(MEASURES["auroc_ovo"], [2, 3]).bounds[3].balanced.low, 6)
    0.25
    """
    classes = expect_several("classes", classes, "numbers of classes")
    expect(bool(classes), "classes", classes, "at least one number of classes")
    for number in classes:
        _check(measure, number, 2, search)
    by_number = {number: bounds_over_sizes(measure, number, search=search) for number in classes}
    return Condition2(
        satisfied=_same([bounds.widest for bounds in by_number.values()]),
        satisfied_at_equal_sizes=_same([bounds.balanced for bounds in by_number.values()]),
        bounds=by_number,
    )


def _same(bounds: Sequence[Bounds]) -> bool:
    """Return whether bounds are the same within BOUND_TOLERANCE."""
    ends = [[bound.low, bound.high] for bound in bounds]
    return bool((np.ptp(ends, axis=0) <= BOUND_TOLERANCE).all())


def condition_3(
    measure: Formula, classes: int, *, lower_bound: float, search: Search = DEFAULT_SEARCH
) -> Condition3:
    """Compare a measure with its lower bound if one class is missed and the others are not.

    The search, :func:`skewproof.multiclass.missed.lowest_limit`, covers class sizes from 1e-12 to 1
    and all predictions for the missed class. A counterexample is certain; that there is none is
    only as certain as the search.

    Parameters
    ----------
    measure
        A function of a :class:`~skewproof.multiclass.matrix.MulticlassConfusionMatrix`.
    classes
        Number of classes, at least three.
    lower_bound
        The measure's lower bound for this number of classes, which :func:`condition_2` finds.
    search
        Settings of the search.

    Examples
    --------
    >>> from skewproof.multiclass import MEASURES, condition_3
    >>> condition = condition_3(MEASURES["acsa"], 3, lower_bound=0)
    >>> condition.satisfied, round(condition.limit, 6)
    (True, 0.666667)
    >>> condition_3(MEASURES["g_mean"], 3, lower_bound=0).satisfied
    False
    """
    _check(measure, classes, 3, search)
    expect_number("lower_bound", lower_bound)
    worst = lowest_limit(measure, classes, search=search)
    return Condition3(worst.value > lower_bound + BOUND_TOLERANCE, worst.value, worst)
