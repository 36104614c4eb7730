"""Which metrics of the rates order classifiers alike: how many orderings the robust metrics are.

Two metrics order classifiers alike if one is a rising function of the other. SymPy shows it: their
Jacobian with respect to the rates is 0, so that each is constant along the level lines of the
other; both rise with the true and do not rise with the false positive rate, so that each level line
is connected, and the function is a rising one. Two metrics that order some two classifiers in
opposite ways are different orderings, which exact values there show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.metric import Metric
from skewproof.core.symbolic import rate_formula, rate_symbols
from skewproof.sensitivity.verdict import SAME

DENOMINATOR = 1009
"""Rates at which metrics are compared are multiples of one over this prime."""

CLASSIFIERS = 400
"""Random classifiers among which a pair in opposite orders is looked for."""

CLEAR = 1e-9
"""Difference of values, as shares of 1, from which an order is no matter of rounding."""

ORDERING_COLUMNS = ["metric", "ordering", "like", "evidence"]


class Classifiers(NamedTuple):
    """Random classifiers by their rates, u and v in multiples of 1/DENOMINATOR."""

    numerators: NDArray[np.int64]
    """Shape (classifiers, 2)."""

    @classmethod
    def drawn(cls, seed: int) -> Classifiers:
        """Rates drawn uniformly, none of them 0 or 1."""
        random = np.random.default_rng(seed)
        return cls(random.integers(1, DENOMINATOR, size=(CLASSIFIERS, 2)))

    def values(self, metric: Metric) -> Array:
        """Of shape (classifiers,), higher for the better; at class sizes of 1, as rates."""
        u, v = self.numerators.T / DENOMINATOR
        values = metric(ConfusionMatrix.from_rates(u, v, positives=1.0, negatives=1.0))
        return np.asarray(-values if metric.lower_is_better else values, dtype=np.float64)

    def rates(self, place: int) -> dict[sympy.Symbol, sympy.Rational]:
        """A classifier's rates as exact numbers, for SymPy."""
        u, v = (sympy.Rational(int(part), DENOMINATOR) for part in self.numerators[place])
        return dict(zip(rate_symbols(), (u, v), strict=True))


def invariant_metrics(invariance: pd.DataFrame) -> list[str]:
    """Keys of the metrics that are proven the same at every level.

    Parameters
    ----------
    invariance
        Columns metric, level, verdict.
    """
    proven = (invariance["verdict"] == SAME).groupby(invariance["metric"], sort=False).all()
    return [str(key) for key in proven[proven].index]


def orderings(keys: Sequence[str], *, registry: Mapping[str, Metric], seed: int) -> pd.DataFrame:
    """Put metrics of the rates into classes that order classifiers alike.

    Parameters
    ----------
    keys, registry
        Keys of metrics that are functions of the rates, and the metrics by their keys.
    seed
        Seed of the random classifiers.

    Returns
    -------
    Frame with the columns metric, ordering (from 1, in the order of the keys; missing where neither
    a proof nor a counterexample was found), like (the first metric of the class), evidence: the
    proof, or for the first of a class two classifiers for each earlier class, (u, v) each.
    """
    classifiers = Classifiers.drawn(seed)
    first: list[str] = []
    rows: list[dict[str, Any]] = []
    for key in keys:
        evidence, same, unknown = [], None, False
        for number, other in enumerate(first, start=1):
            pair = opposite_pair(registry[key], registry[other], classifiers)
            if pair is not None:
                evidence.append(f"against {other}: {pair}")
            elif rising_function(registry[key], registry[other]):
                same = number
                evidence = [f"the Jacobian of {key} and {other} is 0; both rise with u, not with v"]
                break
            else:
                unknown = True
                evidence.append(f"against {other}: neither shown")
        if same is None and not unknown:
            first.append(key)
            same = len(first)
        rows.append(
            {
                "metric": key,
                "ordering": same,
                "like": None if same is None else first[same - 1],
                "evidence": "; ".join(evidence),
            }
        )
    return pd.DataFrame(rows, columns=ORDERING_COLUMNS).astype({"ordering": "Int64"})


def opposite_pair(one: Metric, other: Metric, classifiers: Classifiers) -> str | None:
    """Two classifiers that two metrics order in opposite ways, by exact values, or None.

    Parameters
    ----------
    one, other
        Functions of the rates.
    classifiers
        Among whom the pair is looked for: that with the clearest differences.
    """
    first, second = (
        np.subtract.outer(values, values)
        for values in (classifiers.values(one), classifiers.values(other))
    )
    clear = np.where(first * second < 0, np.minimum(np.abs(first), np.abs(second)), 0)
    clear = np.nan_to_num(clear)
    places = np.unravel_index(clear.argmax(), clear.shape)
    if clear[places] < CLEAR:
        return None
    better, worse = (classifiers.rates(int(place)) for place in places)
    if _sign(one, better, worse) * _sign(other, better, worse) >= 0:
        return None
    tpr, fpr = rate_symbols()
    return " and ".join(f"({rates[tpr]}, {rates[fpr]})" for rates in (better, worse))


def _sign(
    metric: Metric,
    first: Mapping[sympy.Symbol, sympy.Rational],
    second: Mapping[sympy.Symbol, sympy.Rational],
) -> int:
    """Whether the first classifier is better (1), worse (-1), or it can't be told (0)."""
    formula = rate_formula(metric)
    if formula is None:
        return 0
    difference = (formula.subs(first) - formula.subs(second)).evalf(30)
    if not difference.is_Float or abs(difference) < sympy.Float("1e-20"):
        return 0
    return int(sympy.sign(difference)) * (-1 if metric.lower_is_better else 1)


def rising_function(one: Metric, other: Metric) -> bool:
    """Whether SymPy shows that one metric is a rising function of the other.

    Parameters
    ----------
    one, other
        Functions of the rates.
    """
    formulas = [rate_formula(metric) for metric in (one, other)]
    if any(formula is None for formula in formulas):
        return False
    slopes = [[sympy.diff(formula, rate) for rate in rate_symbols()] for formula in formulas]
    jacobian = slopes[0][0] * slopes[1][1] - slopes[0][1] * slopes[1][0]
    return bool(sympy.simplify(jacobian) == 0) and all(
        _monotone(by_tpr, by_fpr, metric)
        for (by_tpr, by_fpr), metric in zip(slopes, (one, other), strict=True)
    )


def _monotone(by_tpr: sympy.Expr, by_fpr: sympy.Expr, metric: Metric) -> bool:
    """Whether a metric gets better with the true and no better with the false positive rate.

    Everywhere inside the square, so that its level lines are connected. With u = a/(1 + a) and
    v = b/(1 + b) the positive numbers a and b range over the inside, and SymPy knows the sign of
    what is made of positive numbers by sums, products and powers.
    """
    a, b = sympy.symbols("a b", positive=True)
    tpr, fpr = rate_symbols()
    inside = {tpr: a / (1 + a), fpr: b / (1 + b)}
    sign = -1 if metric.lower_is_better else 1
    rises, falls = (
        sympy.factor(sympy.simplify(sign * slope.subs(inside))) for slope in (by_tpr, by_fpr)
    )
    return bool(rises.is_positive and falls.is_nonpositive)


def count_orderings(table: pd.DataFrame) -> int:
    """How many different orderings there are, of the metrics for which it was shown."""
    return int(table["ordering"].nunique())


def shared_orderings(table: pd.DataFrame) -> list[list[str]]:
    """The classes of more than one metric."""
    groups = [list(part["metric"]) for _, part in table.groupby("ordering")]
    return [group for group in groups if len(group) > 1]
