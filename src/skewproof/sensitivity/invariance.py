"""Whether a metric depends on the class sizes: a proof that it does not, or a counterexample.

With tp = P u and fp = N v, u and v being the true and the false positive rate, a metric that keeps
its meaning under imbalance is a function of u and v alone. This is Condition 1 of Mullick et al.
for two classes: scaling a row of the confusion matrix leaves the value as it was.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.symbolic import rate_formula
from skewproof.sensitivity.verdict import DIFFERS, SAME, UNDECIDED, Verdict

RATES = [sympy.Rational(*pair) for pair in [(1, 2), (1, 4), (3, 4), (1, 5), (4, 5)]]
"""Rates at which a counterexample is looked for."""


Point = tuple[sympy.Rational, sympy.Rational]
Values = tuple[sympy.Expr, sympy.Expr]


class SizeInvariance(NamedTuple):
    """What SymPy shows of a metric at one level against the baseline level."""

    verdict: Verdict

    formula: sympy.Expr | None = None
    """The metric as a function of the rates u and v, which proves that it is the same."""

    point: Point | None = None
    """(u, v), where the metric differs."""

    values: Values | None = None
    """Exact values there, at the baseline and at the level: rational, or with roots."""


def invariance(metric: Metric, level: Level, baseline: Level, positives: int) -> SizeInvariance:
    """Prove that a metric is the same at two levels, or show a point at which it differs.

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
    Verdict "undecided" where SymPy finds neither a proof nor a counterexample.

    Examples
    --------
    >>> from skewproof import Level, f1, f1_i, invariance
    >>> invariance(f1_i, Level(1, 100), Level(1, 1), positives=100).formula
    2*u/(u + v + 1)
    >>> invariance(f1, Level(1, 100), Level(1, 1), positives=100).verdict
    'differs'
    """
    differing = _counterexamples(metric, level, baseline, positives)
    # Rational values are the easiest to check by hand.
    found = min(differing, key=lambda pair: not all(x.is_Rational for x in pair[1]), default=None)
    if found is not None:
        return SizeInvariance(DIFFERS, point=found[0], values=found[1])
    formula = rate_formula(metric)
    return SizeInvariance(UNDECIDED if formula is None else SAME, formula=formula)


def _counterexamples(
    metric: Metric, level: Level, baseline: Level, positives: int
) -> list[tuple[Point, Values]]:
    """Points and values that differ, up to the first whose values are rational."""
    found = []
    for u, v in itertools.product(RATES, repeat=2):
        values = (
            _exact_value(metric, u, v, baseline, positives),
            _exact_value(metric, u, v, level, positives),
        )
        if all(value.is_finite for value in values) and _differ(*values):
            found.append(((u, v), values))
            if all(value.is_Rational for value in values):
                break
    return found


def _exact_value(
    metric: Metric, u: sympy.Rational, v: sympy.Rational, level: Level, positives: int
) -> sympy.Expr:
    size = sympy.Integer(positives)
    negatives = size * level.negative_part / level.positive_part
    matrix = ConfusionMatrix.from_rates(u, v, positives=size, negatives=negatives)
    return sympy.sympify(metric(matrix))


def _differ(first: sympy.Expr, second: sympy.Expr) -> bool:
    """Whether two exact numbers differ, shown by rational arithmetic or by 30 sure digits."""
    difference = first - second
    if difference.is_Rational:
        return not difference.is_zero
    return abs(difference.evalf(30)) > sympy.Float("1e-20")
