"""The value, the order of classifiers and the choice of an operating point, and what remains.

A measure keeps its value in the limit if it tends to a function of both rates, uniformly over all
classifiers. Then it keeps the order of any two that the function tells apart, and its best point on
a curve tends to that of the function. Without uniformity the order of two given classifiers may
have a limit, as that of F1 has, and the best point may still leave every classifier behind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import sympy

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.metrics.atlas.families import parameters_of
from skewproof.operating_points.curves import BinormalCurve
from skewproof.operating_points.rarity import UNIFORM, RareLimit, rare_limit
from skewproof.sensitivity.behavior_types import SAME
from skewproof.sensitivity.proofs.invariance import invariance

EXACTLY, IN_THE_LIMIT, LOST = "exactly", "in the limit", "lost"

NOT_EVERYWHERE = "not everywhere: "
"""Beginning of the evidence on a choice that is kept in the limit on one of the curves."""

KINDS = ("value", "order", "choice")

CURVES = {
    "equal deviations": BinormalCurve(mean=2),
    "deviation 1.5 of positives": BinormalCurve(mean=2, deviation=1.5),
}
"""Curves of normal scores with means 2 apart, on which best points are sought."""

RARE = (1e10, 1e12)
"""Negatives per positive at which a limit of values is judged."""

SETTLED = 1e-3
"""Largest difference of a limit, and of values at the second ratio, that counts as none."""

HARDLY = 0.01
"""TPR of a limit, or distance of its FPR from 1, below which next to nothing, or nearly everything,
is called positive."""

CLASSIFIERS = 1000
"""Number of random classifiers whose orders at two levels are compared."""


class Kept(NamedTuple):
    """The remains of a measure in one of three senses."""

    kept: str
    """One of "exactly", "in the limit" and "lost"."""

    known: str
    """One of "proved", "computed" and "counterexample"."""

    evidence: str
    """The function that it is or tends to, the condition, or the counted evidence."""


def three_kinds(metric: Metric, limits: dict[str, RareLimit]) -> dict[str, Kept]:
    """Decide what remains of a measure's value, order and choice as positives become rare.

    Parameters
    ----------
    metric
        The measure.
    limits
        Limits of its best points on :data:`CURVES`, as of
        :func:`skewproof.operating_points.rare_limit`.
    """
    value = kept_value(metric)
    order = kept_order(metric, value, limits)
    return dict(zip(KINDS, (value, order, kept_choice(order, limits)), strict=True))


def kept_value(metric: Metric) -> Kept:
    """Decide whether a classifier keeps its value as positives become rare."""
    shown = invariance(metric, Level(1, 100), Level(1, 1), DEFAULT_POSITIVES)
    if shown.verdict == SAME and not shown.needs_equal_positives:
        return Kept(EXACTLY, "proved", f"it is {shown.formula}")
    formula = limit_formula(metric)
    known = "computed" if formula is None else "proved"
    tends = "it tends to " + ("a function" if formula is None else str(formula))
    rates = np.linspace(0.1, 0.9, 9)
    earlier, last = (_values(metric, *np.meshgrid(rates, rates), ratio) for ratio in RARE)
    size = np.abs(last).max()
    if size > 2 * np.abs(earlier).max():
        return Kept(LOST, known, "it has no finite limit")
    moves = [np.ptp(last, axis).max() > SETTLED for axis in (1, 0)]
    ignored = [name for name, varies in zip("uv", moves, strict=True) if not varies]
    if ignored:
        return Kept(LOST, known, f"{tends}, which ignores {' and '.join(ignored)}")
    edge = np.r_[0, np.geomspace(1e-12, 1, 60)]
    before, after = (_values(metric, *np.meshgrid(edge, edge), ratio) for ratio in (1e7, RARE[1]))
    if np.nanmax(np.abs(after - before)) > SETTLED:
        return Kept(LOST, "computed", f"{tends}, but not uniformly")
    proved = metric.key == "optimized_precision" or any(
        (parameters_of(metric, family) or (0,))[0] > 0 for family in UNIFORM
    )
    return Kept(IN_THE_LIMIT, "proved" if proved else "computed", tends)


def limit_formula(metric: Metric) -> sympy.Expr | None:
    """Return the limit of a measure in the rates u and v, or None if SymPy finds none."""
    u, v, ratio = sympy.symbols("u v r", positive=True)
    positives = sympy.Integer(DEFAULT_POSITIVES)
    matrix = ConfusionMatrix.from_rates(u, v, positives=positives, negatives=positives / ratio)
    try:
        return sympy.simplify(sympy.limit(sympy.simplify(metric(matrix)), ratio, 0, "+"))
    except NotImplementedError:
        return None


def kept_order(metric: Metric, value: Kept, limits: dict[str, RareLimit]) -> Kept:
    """Decide whether classifiers keep their order; a kept value keeps it."""
    if value.kept == EXACTLY:
        return Kept(EXACTLY, "proved", "its value is")
    reasons = [limit.reason for limit in limits.values()]
    if all(reason.startswith("orders classifiers by their rates alone") for reason in reasons):
        return Kept(EXACTLY, "proved", "its exchange rate over N/P is a function of the rates")
    share = reversed_share(metric)
    counted = f"{share:.1%} of pairs of random classifiers change order from 1:1 to 1:1,000,000"
    if value.kept == IN_THE_LIMIT:
        return Kept(IN_THE_LIMIT, value.known, f"that of its limit; {counted}")
    return Kept(LOST, "counterexample" if share else "computed", counted)


def reversed_share(metric: Metric) -> float:
    """Return the share of pairs of random classifiers that are in opposite orders at 1:1 and
    1:10^6."""
    tpr, fpr = np.random.default_rng(0).random((2, CLASSIFIERS))
    first, last = (_values(metric, tpr, fpr, ratio) for ratio in (1.0, 1e6))
    pairs = np.triu_indices(CLASSIFIERS, k=1)
    signs = [np.sign(np.subtract.outer(values, values)[pairs]) for values in (first, last)]
    return float(np.mean(signs[0] * signs[1] < 0))


def kept_choice(order: Kept, limits: dict[str, RareLimit]) -> Kept:
    """Decide whether the best point stays, or tends to one that has hits and no alarm for all."""
    if order.kept == EXACTLY:
        return Kept(EXACTLY, "proved", "its order is")
    known = {limit.support for limit in limits.values()}
    support = "proved" if known == {"proved"} else "computed"
    inside = {name: _is_inside(limit) for name, limit in limits.items()}
    ends = "; ".join(
        f"{name}: TPR {limit.tpr:.4g}, FPR {limit.fpr:.4g}" for name, limit in limits.items()
    )
    if all(inside.values()):
        return Kept(IN_THE_LIMIT, support, ends)
    return Kept(LOST, support, f"{NOT_EVERYWHERE * any(inside.values())}{ends}")


def _is_inside(limit: RareLimit) -> bool:
    return limit.tpr >= HARDLY and limit.fpr <= 1 - HARDLY


def best_limits(metric: Metric) -> dict[str, RareLimit]:
    """Return the limits of a measure's best points on :data:`CURVES`."""
    return {name: rare_limit(metric, curve) for name, curve in CURVES.items()}


def _values(metric: Metric, tpr: Array, fpr: Array, ratio: float) -> Array:
    positives = float(DEFAULT_POSITIVES)
    matrix = ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=positives * ratio)
    with np.errstate(all="ignore"):
        return np.asarray(metric(matrix), dtype=float)
