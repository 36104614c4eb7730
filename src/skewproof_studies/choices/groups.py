"""Groups of metrics that choose the same points, and proofs that they order classifiers alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.proofs.certified import certified_sign
from skewproof.sensitivity.proofs.orderings import (
    branches,
    clearest_opposite,
    formula_of_odds,
    have_parallel_slopes,
    monotone_by_slopes,
    slope_signs,
    without_outer_functions,
)

SAME, SAME_RATE = "same ordering", "same exchange rate"
DIFFERENT, UNDECIDED = "other ordering", "undecided"

ALIKE = 1e-6
"""Largest relative difference of two rates at points that count as the same, which is the accuracy
of a best point."""

CLASSIFIERS = 200
"""Number of random classifiers among which two in opposite orders are searched for."""

LARGEST_LOGARITHMS = 60
"""Largest number of operations of a formula with logarithms for which a proof is tried; proofs for
longer ones take minutes."""

UNSOUGHT = "no proof is looked for"

CASES = (sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise)

STEPS = 1000
"""Denominator of the random rates."""

CLEAR = 1e-9
"""Smallest difference of two classifiers by floats, relative to the largest value, that counts."""

GROUP_COLUMNS = ["metric", "group", "ordering", "relation", "evidence"]


def choosing_alike(points: pd.DataFrame) -> dict[str, str]:
    """Return, by metric, the first metric with the same best points at all levels and on all
    curves.

    Parameters
    ----------
    points
        Columns metric, curve, level, tpr and fpr. A metric that lacks a point is left out.

    Examples
    --------
    >>> points = pd.DataFrame(
    ...     [("f1", 0.5, 0.1), ("csi", 0.5, 0.1), ("recall", 1.0, 1.0)],
    ...     columns=["metric", "tpr", "fpr"],
    ... ).assign(curve="d2", level="1:1")
    >>> choosing_alike(points)
    {'f1': 'f1', 'csi': 'f1', 'recall': 'recall'}
    """
    keys = list(points["metric"].unique())
    wide = points.pivot(index="metric", columns=["curve", "level"], values=["tpr", "fpr"])
    rates = wide.loc[keys].dropna().T
    firsts: dict[str, str] = {}
    for key in rates:
        others = dict.fromkeys(firsts.values())
        firsts[key] = next((other for other in others if _alike(rates[key], rates[other])), key)
    return firsts


def dealt_out(points: pd.DataFrame, part: int, parts: int) -> pd.DataFrame:
    """Return the points of one part of the groups of metrics that choose alike.

    The groups are dealt to the parts in turn, the largest first.

    Parameters
    ----------
    points
        As for :func:`choosing_alike`.
    part, parts
        The number of the part, from 0, and the number of parts.

    Examples
    --------
    >>> points = pd.DataFrame(
    ...     [("recall", 1.0, 1.0), ("f1", 0.5, 0.1), ("csi", 0.5, 0.1)],
    ...     columns=["metric", "tpr", "fpr"],
    ... ).assign(curve="d2", level="1:1")
    >>> [list(dealt_out(points, part, 2)["metric"]) for part in range(2)]
    [['f1', 'csi'], ['recall']]
    """
    groups = pd.Series(choosing_alike(points))
    sizes = groups.value_counts(sort=False).sort_values(ascending=False, kind="stable")
    keys = groups.index[groups.isin(sizes.index[part::parts])]
    return points[points["metric"].isin(keys)]


def _alike(first: pd.Series, second: pd.Series) -> bool:
    return bool((np.abs(first - second) <= ALIKE * np.maximum(first, second)).all())


def group_table(
    points: pd.DataFrame,
    registry: Mapping[str, Metric],
    levels: Sequence[Level],
    positives: int,
    seed: int,
) -> pd.DataFrame:
    """Group the metrics that choose alike, and compare how they order classifiers.

    Parameters
    ----------
    points
        As for :func:`choosing_alike`.
    registry
        The metrics by key.
    levels, positives
        Levels, and the size of the positive class, at which two classifiers in opposite orders are
        searched for.
    seed
        Seed of these classifiers.

    Returns
    -------
    Frame with these columns:

    - metric;
    - group: the first metric that chooses the same points;
    - ordering: the first metric of the group that is proved to order classifiers alike at all class
      sizes, or the metric itself;
    - relation, evidence: that proof. Without it they compare the metric with the first of its
      group: a proof that both trade equally many false alarms for a hit everywhere, two classifiers
      in opposite orders, or "undecided"; the evidence then says if no proof was tried. Both are
      empty for the first of a group.

    No proof of the same ordering is tried if floats clearly put two classifiers in opposite orders.
    """
    rows: list[tuple[str, str, str, str, str]] = []
    orderings: dict[str, list[str]] = {}
    sampled = Sampled.drawn(levels, positives, seed)
    for key, group in choosing_alike(points).items():
        firsts = orderings.setdefault(group, [])
        near = [first for first in firsts if not sampled.apart(registry[key], registry[first])]
        shown = ((first, proof(registry[key], registry[first])) for first in near)
        ordering, evidence = next(((first, text) for first, text in shown if text), (key, ""))
        relation = SAME if evidence else ""
        if not evidence:
            if firsts:
                relation, evidence = _judged(registry[key], registry[group], sampled)
            firsts.append(key)
        rows.append((key, group, ordering, relation, evidence))
    return pd.DataFrame(rows, columns=GROUP_COLUMNS)


def _judged(first: Metric, second: Metric, sampled: Sampled) -> tuple[str, str]:
    """Return the relation of two metrics that are not proved to order alike, and the evidence."""
    pair = sampled.opposite(first, second)
    if pair:
        return DIFFERENT, pair
    both = _forms(first), _forms(second)
    if all(len(forms) == 1 for forms in both) and have_parallel_slopes(
        *(forms[0].formula for forms in both)
    ):
        return SAME_RATE, "their Jacobian is 0 at all class sizes"
    return UNDECIDED, "" if all(both) else UNSOUGHT


class _Form(NamedTuple):
    """A formula in the odds of which a metric is a monotone function."""

    formula: sympy.Expr
    sign: int
    slopes: tuple[int, int] | None


@lru_cache(maxsize=1024)
def _forms(metric: Metric) -> list[_Form]:
    """Return formulas of which a metric is a monotone function at all class sizes, one for each
    case.

    The list is empty for a formula with logarithms that has cases or many operations.
    """
    positives, negatives = sympy.symbols("P N", positive=True)
    formula = formula_of_odds(metric, positives=positives, negatives=negatives)
    if formula.has(sympy.log) and formula.has(*CASES):
        return []
    inside, sign = without_outer_functions(formula)
    if inside.has(sympy.log) and inside.count_ops() > LARGEST_LOGARITHMS:
        return []
    sign = -sign if metric.lower_is_better else sign
    forms = []
    for branch in branches(inside) or []:
        further, turned = without_outer_functions(branch)
        forms.append(_Form(further, sign * turned, slope_signs(further)))
    return forms


def proof(metric: Metric, other: Metric) -> str:
    """Return a proof that two metrics order classifiers alike at all class sizes, or ""."""
    forms, others = _forms(metric), _forms(other)
    if not (forms and others):
        return ""
    pairs = [(form, others[0]) for form in forms] + [(forms[0], last) for last in others[1:]]
    for first, last in pairs:
        rises = monotone_by_slopes(first.formula, last.formula, first.slopes, last.slopes)
        if rises != first.sign * last.sign:
            return ""
    return "their Jacobian is 0 at all class sizes, and their slopes have one sign each"


@dataclass(frozen=True, eq=False)
class Sampled:
    """Random classifiers at several class sizes."""

    tp: Array
    """True positive rates in multiples of 1/STEPS, shape (classifiers,)."""
    fp: Array
    """False positive rates in multiples of 1/STEPS, shape (classifiers,)."""
    sizes: tuple[tuple[int, sympy.Rational], ...]
    levels: tuple[Level, ...]

    @classmethod
    def drawn(cls, levels: Sequence[Level], positives: int, seed: int) -> Sampled:
        """Draw classifiers with rates strictly between 0 and 1."""
        random = np.random.default_rng(seed)
        tp, fp = random.integers(1, STEPS, (2, CLASSIFIERS))
        sizes = tuple(
            (positives, sympy.Rational(positives * level.negative_part, level.positive_part))
            for level in levels
        )
        return cls(tp, fp, sizes, tuple(levels))

    def apart(self, first: Metric, second: Metric) -> bool:
        """Return whether floats clearly put two classifiers in opposite orders."""
        return next(self._clearest(first, second), None) is not None

    def opposite(self, first: Metric, second: Metric) -> str:
        """Return two classifiers that two metrics certainly order in opposite ways, and the level;
        or ""."""
        for number, pair in self._clearest(first, second):
            level, (positives, negatives) = self.levels[number], self.sizes[number]
            rates = [
                tuple(sympy.Rational(int(rate[index]), STEPS) for rate in (self.tp, self.fp))
                for index in pair
            ]
            signs = [_exact_sign(metric, rates, positives, negatives) for metric in (first, second)]
            if signs[0] * signs[1] < 0:
                better, worse = (f"({float(u):g}, {float(v):g})" for u, v in rates)
                return f"TPR and FPR of {better} and {worse} at {level}"
        return ""

    def _clearest(self, first: Metric, second: Metric) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield, for each level that has one, the clearest pair in opposite orders by floats."""
        both = zip(_shares(self, first), _shares(self, second), strict=True)
        for number, values in enumerate(both):
            differences = (np.subtract.outer(shares, shares) for shares in values)
            pair = clearest_opposite(*differences, smallest=CLEAR)
            if pair is not None:
                yield number, pair


@lru_cache(maxsize=1024)
def _shares(sampled: Sampled, metric: Metric) -> Array:
    """Return values relative to the largest at a level, better upwards, shape (levels,
    classifiers)."""
    rows = []
    for positives, negatives in sampled.sizes:
        matrix = ConfusionMatrix.from_rates(
            sampled.tp / STEPS, sampled.fp / STEPS, positives=positives, negatives=float(negatives)
        )
        with np.errstate(all="ignore"):
            values = np.broadcast_to(np.asarray(metric(matrix), dtype=float), sampled.tp.shape)
        values = np.where(np.isfinite(values), values, np.nan)
        rows.append(values / max(np.nanmax(np.abs(values), initial=0), np.finfo(float).tiny))
    return np.array(rows) * (-1 if metric.lower_is_better else 1)


def _exact_sign(
    metric: Metric,
    rates: Sequence[tuple[sympy.Rational, ...]],
    positives: int,
    negatives: sympy.Rational,
) -> int:
    """Return which of two classifiers is certainly better (1 or -1), or 0 if neither is."""
    sizes = {"positives": sympy.Integer(positives), "negatives": negatives}
    first, last = (
        sympy.sympify(metric(ConfusionMatrix.from_rates(u, v, fnr=1 - u, tnr=1 - v, **sizes)))
        for u, v in rates
    )
    sign = certified_sign(first - last) or 0
    return -sign if metric.lower_is_better else sign
