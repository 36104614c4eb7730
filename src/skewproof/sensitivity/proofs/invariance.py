"""Proofs that a metric does not depend on the class sizes, or counterexamples.

With tp = P u and fp = N v, where u and v are the true and the false positive rate, a metric that
keeps its meaning under imbalance is a function of u and v alone. This is Condition 1 of Mullick et
al. for two classes: scaling a row of the confusion matrix does not change the value.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from skewproof.core.algebra import Value
from skewproof.core.arguments import expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.formulas.symbolic import (
    FAILS_IN_SYMPY,
    expression,
    formula_without_negatives,
    rate_symbols,
)
from skewproof.core.levels import LARGEST_PART, Level
from skewproof.core.messages import facts_shown
from skewproof.core.metric import Metric, expect_metric
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED, Verdict
from skewproof.sensitivity.proofs.certified import certified_sign, is_certified_real

RATES = [Fraction(*pair) for pair in [(1, 2), (1, 4), (3, 4), (1, 5), (4, 5)]]
"""Rates at which a counterexample is searched first."""

EXTREME_RATES = [Fraction(1, 10**power) for power in (2, 3, 4, 6, 9, 12)]
"""Rates that are paired with each other, their complements, 0, 1 and 1/2 if there is no
counterexample at the first ones."""

RANDOM_POINTS = 5000
"""Number of random pairs of thousandths at which a counterexample is searched as well."""

CANDIDATES = 12
"""Number of these points that are evaluated exactly: those at which floats differ most."""

ROUNDED = 1e-9
"""Largest difference of two values that may be due to rounding, relative to the metric's size."""

Point = tuple["sympy.Rational", "sympy.Rational"]
Values = tuple["sympy.Expr", "sympy.Expr"]


class SizeInvariance(NamedTuple):
    """A proof or a counterexample for a metric at one level against the baseline level."""

    verdict: Verdict

    formula: sympy.Expr | None = None
    """The metric as a function of the rates u and v, which proves that it is the same. The function
    may include the number P of positives, which is the same at both levels."""

    point: Point | None = None
    """A point (u, v) where the metric differs."""

    values: Values | None = None
    """Exact values at the point, for the baseline and for the level: rational, or with roots."""

    def __repr__(self) -> str:
        facts = {"verdict": str(self.verdict)}
        if self.formula is not None:
            facts["proof"] = f"{self.formula}, where u = tp/P and v = fp/N"
        if self.point is not None and self.values is not None:
            facts["counterexample"] = (
                "{} at the baseline and {} at the level, where tp/P = {} and fp/N = {}".format(
                    *self.values, *self.point
                )
            )
        return facts_shown("Invariance to the class sizes", facts)

    @property
    def needs_equal_positives(self) -> bool:
        """True if the proof requires the same number of positives at both levels."""
        return self.formula is not None and bool(self.formula.free_symbols - {*rate_symbols()})


def invariance(metric: Metric, level: Level, baseline: Level, positives: int) -> SizeInvariance:
    """Prove that a metric is the same at two levels, or find a point at which it differs.

    Parameters
    ----------
    metric
        The metric.
    level, baseline
        The two imbalance levels.
    positives
        Size of the positive class at both.

    Returns
    -------
    The verdict is "undecided" if there is neither a proof nor a counterexample: SymPy finds no form
    of the metric without the number of negatives, and the values are not certain to differ at any
    of the points tried (25 simple ones, then extreme ones, 0 and 1 included, and random ones).
    Values of a formula with decimal numbers are rounded and never certain; write fractions instead.
    There is no proof for a function that fails on SymPy's symbols, for example by comparing them.
    The verdict is also "undecided" if it fails on SymPy's numbers as well, or is nested too deeply
    for SymPy.

    Raises
    ------
    ValueError
        If the class size is not a whole number from 1 to 10^9.

    Examples
    --------
    >>> from skewproof import Level
    >>> from skewproof.metrics import f1, f1_i
    >>> from skewproof.sensitivity import invariance
    >>> invariance(f1_i, Level(1, 100), Level(1, 1), positives=100).formula
    2*u/(u + v + 1)
    >>> invariance(f1, Level(1, 100), Level(1, 1), positives=100).verdict
    'differs'

    The formula may include the number of positives:

    >>> from skewproof.metrics import parse_metric
    >>> limited = parse_metric("min(tp, 50)/50")
    >>> invariance(limited, Level(1, 100), Level(1, 1), positives=100).formula
    Min(50, P*u)/50
    """
    expect_metric(metric)
    level, baseline = Level.given(level, "level"), Level.given(baseline, "baseline")
    expect_whole("positives", positives, 1, LARGEST_PART)

    def both(u: Value, v: Value, size: Value) -> Values:
        at_baseline, at_level = (
            metric(ConfusionMatrix.from_rates(u, v, positives=size, negatives=at.negatives(size)))
            for at in (baseline, level)
        )
        return at_baseline, at_level

    try:
        return _shown(metric, both, positives)
    except (FormulaError, RecursionError, *FAILS_IN_SYMPY):
        return SizeInvariance(UNDECIDED)


Both = Callable[[Value, Value, Value], Values]
"""A metric at both levels as a function of u, v and the number of positives."""


def _shown(metric: Metric, both: Both, positives: int) -> SizeInvariance:
    counterexample = _counterexample(itertools.product(RATES, repeat=2), both, positives)
    if counterexample is None:
        with contextlib.suppress(*FAILS_IN_SYMPY):
            formula = formula_without_negatives(metric)
            if formula is not None:
                return SizeInvariance(SAME, formula=formula)
        counterexample = _counterexample(_candidates(both, positives), both, positives)
    if counterexample is None:
        return SizeInvariance(UNDECIDED)
    return SizeInvariance(DIFFERS, point=counterexample[0], values=counterexample[1])


def _counterexample(
    points: Iterable[Sequence[Fraction]], both: Both, positives: int
) -> tuple[Point, Values] | None:
    """Find a point where values differ: the first with rational values, which are the easiest to
    check by hand, else the first with other values, else None."""
    other = None
    for point in points:
        u, v = map(sympy.Rational, point)
        first, second = map(expression, both(u, v, sympy.Integer(positives)))
        if first.is_Rational and second.is_Rational:
            if first != second:
                return (u, v), (first, second)
        elif other is None and _differ(first, second):
            other = (u, v), (first, second)
    return other


def _candidates(both: Both, positives: int) -> list[tuple[Fraction, Fraction]]:
    """List the points at which the metric's floats differ most between the two levels."""
    half = Fraction(1, 2)
    extremes = [*EXTREME_RATES, half, *(1 - rate for rate in EXTREME_RATES), 0, 1]
    thousandths = np.random.default_rng(0).integers(1, 1000, (RANDOM_POINTS, 2)).tolist()
    points = [
        *itertools.product(extremes, repeat=2),
        *((Fraction(u, 1000), Fraction(v, 1000)) for u, v in thousandths),
    ]
    u, v = np.array(points, dtype=float).T
    with np.errstate(all="ignore"):
        at_baseline, at_level = both(u, v, positives)
        differences = np.nan_to_num(abs(at_level - at_baseline), posinf=0)
    best = np.argsort(-differences, kind="stable")[:CANDIDATES]
    return [points[number] for number in best if differences[number] > 0]


def _differ(first: sympy.Expr, second: sympy.Expr) -> bool:
    """Return whether two exact numbers are certain to be real and to differ."""
    if not (is_certified_real(first) and is_certified_real(second)):
        return False
    return certified_sign(first - second) in (-1, 1)


@functools.lru_cache(maxsize=1024)
def prevalence_matters(metric: Metric) -> bool:
    """Return whether a metric changes at the same rates with 1,000 times as many negatives.

    This answers the question of :func:`invariance` without SymPy, from values at random rates.

    Examples
    --------
    >>> from skewproof.metrics import f1, f1_i
    >>> prevalence_matters(f1), prevalence_matters(f1_i)
    (True, False)
    """
    tpr, fpr = np.random.default_rng(0).random((2, 1000))
    first, second = (
        metric(ConfusionMatrix.from_rates(tpr, fpr, positives=100, negatives=negatives))
        for negatives in (100, 100_000)
    )
    rounding = ROUNDED * np.nanmedian(np.abs(first))
    return not np.allclose(first, second, rtol=ROUNDED, atol=rounding, equal_nan=True)
