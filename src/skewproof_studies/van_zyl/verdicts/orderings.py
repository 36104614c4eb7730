"""Metrics of the rates that order classifiers alike, and the number of different orderings.

Two metrics order classifiers alike if one is a rising function of the other, which the slopes of
their formulas show (:mod:`skewproof.sensitivity.proofs.orderings`). Two metrics are different
orderings if they order some two classifiers in opposite ways, which exact values show.
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
from skewproof.sensitivity.behavior_types import SAME
from skewproof.sensitivity.proofs.certified import certified_sign
from skewproof.sensitivity.proofs.orderings import (
    clearest_opposite,
    formula_of_odds,
    monotone_by_slopes,
    slope_signs,
)

DENOMINATOR = 1009
"""Denominator of the rates at which metrics are compared, a prime."""

CLASSIFIERS = 400
"""Number of random classifiers among which a pair in opposite orders is searched for."""

CLEAR = 1e-9
"""Smallest difference of values in [0, 1] that rounding cannot explain."""

RISING = (1, -1)
"""Signs of the slopes of a metric that improves with u and worsens with v."""

ORDERING_COLUMNS = ["metric", "ordering", "like", "evidence"]


class DrawnClassifiers(NamedTuple):
    """Random classifiers, given by their rates u and v in multiples of 1/DENOMINATOR."""

    numerators: NDArray[np.int64]
    """Numerators of the rates, shape (classifiers, 2)."""

    @classmethod
    def drawn(cls, seed: int) -> DrawnClassifiers:
        """Draw rates uniformly, none of them 0 or 1."""
        random = np.random.default_rng(seed)
        return cls(random.integers(1, DENOMINATOR, size=(CLASSIFIERS, 2)))

    def differences(self, metric: Metric) -> Array:
        """Return how much better the first classifier of each pair is, shape (classifiers,
        classifiers)."""
        u, v = self.numerators.T / DENOMINATOR
        values = metric(ConfusionMatrix.from_rates(u, v, positives=1.0, negatives=1.0))
        values = np.asarray(-values if metric.lower_is_better else values, dtype=np.float64)
        return np.asarray(np.subtract.outer(values, values))

    def sign(self, metric: Metric, first: int, second: int) -> int:
        """Return whether the first classifier is better (1) or worse (-1), or 0 if it can't be
        decided."""
        size = sympy.Integer(1)
        matrices = [
            ConfusionMatrix.from_rates(*self.rates(index), positives=size, negatives=size)
            for index in (first, second)
        ]
        values = [sympy.sympify(metric(matrix)) for matrix in matrices]
        return (certified_sign(values[0] - values[1]) or 0) * (-1 if metric.lower_is_better else 1)

    def rates(self, index: int) -> tuple[sympy.Rational, sympy.Rational]:
        """Return a classifier's u and v as exact numbers."""
        u, v = (sympy.Rational(int(part), DENOMINATOR) for part in self.numerators[index])
        return u, v


def invariant_metrics(invariance: pd.DataFrame) -> list[str]:
    """Return the keys of the metrics that are proven the same at every level.

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
        Keys of metrics that are functions of the rates, and the metrics by key.
    seed
        Seed of the random classifiers.

    Returns
    -------
    Frame with the columns metric, ordering (from 1, in the order of the keys; missing if neither a
    proof nor a counterexample was found), like (the first metric of the class), evidence: the
    proof, or for the first of a class two classifiers (u, v) for each earlier class.
    """
    classifiers = DrawnClassifiers.drawn(seed)
    first: list[str] = []
    rows: list[dict[str, Any]] = []
    for key in keys:
        evidence, same, unknown = [], None, False
        for number, other in enumerate(first, start=1):
            pair = opposite_pair(registry[key], registry[other], classifiers)
            if pair is not None:
                evidence.append(f"against {other}: {pair}")
                continue
            proof = rising_function(registry[key], registry[other])
            if proof is not None:
                same, evidence = number, [proof]
                break
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


def opposite_pair(first: Metric, second: Metric, classifiers: DrawnClassifiers) -> str | None:
    """Return two classifiers that two metrics order in opposite ways by exact values, or None.

    Parameters
    ----------
    first, second
        Functions of the rates.
    classifiers
        Classifiers among which the pair with the clearest differences is searched for.
    """
    differences = [classifiers.differences(metric) for metric in (first, second)]
    pair = clearest_opposite(*differences, smallest=CLEAR)
    if pair is None or classifiers.sign(first, *pair) * classifiers.sign(second, *pair) >= 0:
        return None
    return " and ".join("({}, {})".format(*classifiers.rates(index)) for index in pair)


def rising_function(first: Metric, second: Metric) -> str | None:
    """Return a proof that one metric is a rising function of the other, with higher values for
    better classifiers, or None.

    Parameters
    ----------
    first, second
        Functions of the rates.
    """
    size = sympy.Integer(1)
    formulas = [
        formula_of_odds(metric, positives=size, negatives=size)
        * (-1 if metric.lower_is_better else 1)
        for metric in (first, second)
    ]
    signs = [slope_signs(formula) for formula in formulas]
    if monotone_by_slopes(*formulas, *signs) != 1:
        return None
    rising = signs == [RISING, RISING]
    slopes = "both rise with u, not with v" if rising else "their slopes have one sign each"
    return f"the Jacobian of {first.key} and {second.key} is 0; {slopes}"


def count_orderings(table: pd.DataFrame) -> int:
    """Count the different orderings of the metrics for which they are decided."""
    return int(table["ordering"].nunique())


def shared_orderings(table: pd.DataFrame) -> list[list[str]]:
    """Return the classes with more than one metric."""
    groups = [list(part["metric"]) for _, part in table.groupby("ordering")]
    return [group for group in groups if len(group) > 1]
