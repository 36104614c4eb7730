"""Path of a metric's best point as positives become rare, and its end.

With π the prevalence, q the share called positive, u and v the rates:

- F-measures, Jaccard and kappa divided by π tend to a multiple of u/v, or u/v - 1, where v > 0. The
  best point therefore goes to where u/v is highest on the curve, which is the start of a strictly
  concave one.
- MCC²/π tends to (u - v)²/(v(1 - v)), Fowlkes-Mallows²/π to u²/v, uniformly where the limit is
  bounded: (u - v)²/(q(1 - q)) is at most (u - v)²/((1 - π)²v(1 - v)). If u²/v has no bound near the
  start, values there exceed those of all points with u > ε, and the best TPR tends to 0.
- A metric that trades a constant number of false alarms for a hit has at every v > 0 a lower value
  than at the start, once positives are rare enough.
- The best point of a metric that orders classifiers by their rates alone does not change.

- Measures that add a constant to a denominator have a limit that is uniform on the whole square, so
  that the best point goes to where the limit is highest. Holzmann and Klar's robust F tends to
  d0·u/(d0 + v), since its denominator is at least d0, their general one to d0(u + c)/((1 + c)(d0 +
  v)), and their robust MCC to (u - v)·sqrt(d/(d + v(1 - v))).

Some measures have a theorem of their own, on smooth curves: those that rise strictly from (0, 0) to
(1, 1) without a jump. Where v >= ε all limits are uniform.

- Scott's pi tends to -v/(2 - v), and to 0 where nothing is called. Laplace's estimate tends to 0,
  and is 1/2 where nothing is called. The adjusted G-mean differs from 1 - v by at most 1/(1 + N).
  So FPR tends to 0, and TPR with it.
- Markedness, PPV - FOR, is at most 1/(1 + εr) where v >= ε. Near the start it tends to 1 - π if u/v
  has no bound there. It is as high only where u²/v >= r(r - 1), since 1 - PPV = rv/(u + rv) and
  π - FOR <= u/r: if u²/v is bounded, no point attains the supremum once r is large.
- The square of the adjusted F-measure is at most 5/(εr) where v >= ε. Times r it tends to
  5(u/v)g(v), where g(v) = 5(1 - v)/(5 - 4v): at a fixed v it passes each bound if u/v does.
- HMNC is highest where 1/u + 1/(r(1 - v)) is lowest. That is at least 1/u, which is above 1 by a
  constant where u <= 1 - ε, and at 1 - v = r^(-1/2) it tends to 1.
- The mean of precision and recall is (1 + π)/2 where everything is called. It is higher only where
  u > π and u² > rv(1 - u), hence u³/v > (1 - u)². Where u <= 1/2 this fails for all large r if u³/v
  tends to 0 at the start; elsewhere the mean tends to u/2. The root of the mean has the same best
  points.
- The inverse of P4 is a quarter of 2 + rv/u + 1/u + 1/(1 - v) + (1 - u)/(r(1 - v)), hence at least
  rε/4 where v >= ε. If u/v has no bound near the start, a point there has v/u < ε/2, and so less
  for large r.
- Class balance accuracy is at most (1 - ε + 1/(rε))/2 where v >= ε, once rε > 1, and tends to 1/2
  where nothing is called.
- MCC-F1 is highest where M/2 - M²/4 + 2F - F² is. Over the root of π, M has the limit above, and F
  vanishes: where v >= ε it is of the order of π, and below it is at most 2u/(1 + ru²/δ), hence at
  most the root of δ/r, where u²/v <= δ. So MCC alone decides if u²/v vanishes at the start. It does
  so too if u²/v has no bound there: 2F - F² is never negative.
- Optimized precision differs from 1 - v - |1 - v - u|/(1 - v + u) by at most 1/r, since accuracy
  differs from 1 - v by (u + v - 1)/(1 + r).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import pandas as pd

from skewproof.core.arguments import expect, expect_number, expect_several
from skewproof.core.extras import sympy
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import check_total
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metric
from skewproof.operating_points.curves import Curve, EmpiricalCurve
from skewproof.operating_points.derivatives import derivatives
from skewproof.operating_points.exchange import exchange_rate, of_rates
from skewproof.operating_points.optimum import CONSEQUENCES, BestPoint, Peak, best_at
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import ResultTable
from skewproof.reporting.summary import Summarized, Summary
from skewproof.sensitivity.behavior_types import SAME
from skewproof.sensitivity.proofs.invariance import invariance

Ordering = Literal["rates", "constant", "F", "kappa", "MCC", "FM", "other"]
"""Known orders of classifiers that a metric may share, if its limit is known."""

Orders = Literal["F", "kappa", "MCC", "FM", "OP"]
"""Orders whose limit is the point where a function of the rates is highest."""

LEVELS = tuple(Level(1, 10**power) for power in range(7))
"""Levels at which best points are computed by default."""

RARE = (1e9, 1e15)
"""Ratios of negatives to positives at which a limit is computed if it is not proved."""

SETTLED = 1e-6
"""Largest difference in TPR and FPR between the two at which the limit counts as reached."""

JUMP = 0.1
"""Angle, in radians, that separates the best points on both sides of a jump."""

CLOSE = 1e-7
"""Logarithm of the ratio of the two levels between which a jump is located."""

REDUCED: dict[Orders, Metric] = {
    "F": METRICS["positive_likelihood_ratio"],
    "kappa": METRICS["positive_likelihood_ratio"],
    "MCC": parse_metric("(tp/P - fp/N)/sqrt(fp/N*tn/N)", key="mcc_of_rare_positives"),
    "FM": parse_metric("(tp/P)**2/(fp/N)", key="fowlkes_mallows_of_rare_positives"),
    "OP": parse_metric(
        "tn/N - abs(tn/N - tp/P)/(tn/N + tp/P)", key="optimized_precision_of_rare_positives"
    ),
}
"""Function of the rates that is highest at the limit of the best points, by ordering."""

IN_WORDS: dict[Orders, str] = {
    "F": "u/v",
    "kappa": "u/v",
    "MCC": "(u - v)²/(v(1 - v))",
    "FM": "u²/v",
    "OP": "1 - v - |1 - v - u|/(1 - v + u)",
}

UNIFORM: dict[str, str] = {
    "robust_f": "{0}*tp/P/({0} + fp/N)",
    "general_robust_f": "(tp/P + {2})/({0} + fp/N)",
    "robust_mcc": "(tp/P - fp/N)*sqrt({0}/({0} + fp*tn/N**2))",
}
"""Function of the rates that members of a family tend to uniformly, up to a positive factor, by the
values of the family's parameters."""

NOTHING = {
    "class_balance_accuracy": "at each FPR v > 0 it tends to (1 - v)/2, and where nothing is called"
    " to 1/2",
    "scott_pi": "at each FPR v > 0 it tends to -v/(2 - v), and where nothing is called to 0",
    "laplace": "at each FPR v > 0 it tends to 0, and where nothing is called it is 1/2",
    "adjusted_g_mean": "it tends to 1 - v uniformly",
}
"""Metrics that call nothing positive at the limit on every smooth curve, each with the reason."""

PRECISE = {
    "p4": "4/(P4·r) tends to v/u at each FPR v > 0, and u/v has no bound near the start",
    "markedness": "it tends to 0 at each FPR v > 0 and to 1 near the start, where u/v has no bound",
    "adjusted_f": "its square over π tends to 5(u/v)(5 - 5v)/(5 - 4v), and u/v has no bound near"
    " the start of the curve",
}
"""Metrics that do so if u/v has no bound near the start, each with the reason."""

NOT_ATTAINED = "the supremum is not attained, since u²/v is bounded"

HMNC = "it is highest where 1/u + 1/(r(1 - v)) is lowest, which tends to 1/u: everything is called"
CUBED = "u³/v vanishes at the start: it is below (1 + π)/2 wherever u <= 1/2, and else tends to u/2"
ONLY_MCC = "F1 vanishes beside MCC"


@dataclass(frozen=True, repr=False)
class RareLimit(Summarized):
    """Limit of the best points of a metric on a curve as positives become rare."""

    tpr: float
    """Limit of the true positive rate. If it is computed, the rate at 1:10^15, or NaN if no point
    is best there."""

    fpr: float
    """Limit of the false positive rate, likewise."""

    support: Literal["proved", "computed"]
    """"proved" if a theorem applies to the metric and the curve; else "computed"."""

    reason: str
    """The theorem with the condition that was decided, or the computed evidence."""

    def summary(self) -> Summary:
        """Return the summary of the limit."""
        verdict = f"TPR {self.tpr:.4g} and FPR {self.fpr:.4g}, {self.support}."
        if math.isnan(self.tpr):
            verdict = "No point is best."
        return Summary(
            "Best point as positives become rare", verdict=verdict, facts=[("Reason", self.reason)]
        )


def rare_limit(
    metric: Metric | str, curve: Curve, *, positives: float = DEFAULT_POSITIVES
) -> RareLimit:
    """Find where the best point of a metric on a curve goes as positives become rare.

    Parameters
    ----------
    metric, curve
        As for :func:`skewproof.operating_points.best_point`.
    positives
        Number of positives, on which metrics such as Laplace's depend.

    Returns
    -------
    The limit of both rates. It is proved if the metric orders classifiers as accuracy, an
    F-measure, kappa, MCC, Fowlkes-Mallows or a function of the rates do, or is a robust measure of
    Holzmann and Klar. On smooth curves it is also proved for P4, class balance accuracy, the
    metrics of Scott and Laplace, markedness, optimized precision, HMNC, MCC-F1, adjusted F-measure
    and G-mean, and the means of precision and recall, where the curve meets the condition of the
    theorem. Otherwise it is computed at 1:10^9 and 1:10^15.

    Raises
    ------
    KeyError, FormulaError, ValueError
        As for :func:`skewproof.operating_points.best_point`; also if `positives` is not a number
        above 0.

    Examples
    --------
    >>> from skewproof.operating_points import BinormalCurve, rare_limit
    >>> limit = rare_limit("mcc", BinormalCurve(mean=2))
    >>> round(limit.tpr, 4), limit.support
    (0.0883, 'proved')
    >>> rare_limit("f1", BinormalCurve(mean=2)).reason
    'u/v has no bound near the start of the curve'
    """
    metric = as_metric(metric)
    positives = expect_number("positives", positives, above=0)
    expect(isinstance(curve, Curve), "curve", curve, "one of the ROC curves of skewproof")
    ordering = _ordering(metric)
    if ordering == "rates":
        point = _rare_point(metric, curve, 1.0, positives)
        reason = "orders classifiers by their rates alone at every prevalence"
        if point.kind == "supremum":
            reason += ", a supremum at an end of the curve"
        return RareLimit(point.tpr, point.fpr, "proved", reason)
    if ordering != "other":
        limit = _proved(ordering, curve)
    else:
        limit = _of_a_family(metric, curve) or _of_its_own(metric, curve)
    if limit is not None:
        return limit
    try:
        first, last = (_rare_point(metric, curve, ratio, positives) for ratio in RARE)
    except ValueError:
        _rare_point(metric, curve, 1.0, positives)  # raises an error of its own, if any
        reason = "at 1:10^9 or 1:10^15 no point of the curve is found to be better than another"
        return RareLimit(np.nan, np.nan, "computed", reason)
    settled = max(abs(first.tpr - last.tpr), abs(first.fpr - last.fpr)) <= SETTLED
    words = "the same at" if settled else "still changing between"
    return RareLimit(last.tpr, last.fpr, "computed", f"{words} 1:10^9 and 1:10^15")


def _rare_point(metric: Metric, curve: Curve, ratio: float, positives: float) -> BestPoint:
    return best_at(metric, curve, ratio, positives=positives, at=f"1:{ratio:g}")


def _of_a_family(metric: Metric, curve: Curve) -> RareLimit | None:
    """Return the limit of a member of a family whose limit is uniform."""
    from skewproof.metrics.atlas.families import parameters_of  # loads the atlas

    for key, form in UNIFORM.items():
        values = parameters_of(metric, key)
        if values is not None and values[0] > 0:
            text = form.format(*map(float, values))
            reduced = parse_metric(text, key="of_rare_positives")
            return _highest(reduced, f"its uniform limit {text}", curve, falls=False)
    return None


def _of_its_own(metric: Metric, curve: Curve) -> RareLimit | None:
    """Return the limit by a theorem of a measure of the atlas."""
    from skewproof.metrics.atlas import ATLAS  # loads the atlas

    key = metric.key
    is_declared = key in ATLAS and ATLAS[key].formula == metric.formula
    if not is_declared or isinstance(curve, EmpiricalCurve):
        return None
    first, second = curve.log_at_origin(1), curve.log_at_origin(2)
    if key in NOTHING:
        return RareLimit(0.0, 0.0, "proved", NOTHING[key])
    if key in PRECISE and first == np.inf:
        is_supremum = key == "markedness" and second < np.inf
        reason = f"{PRECISE[key]}; {NOT_ATTAINED}" if is_supremum else PRECISE[key]
        return RareLimit(0.0, 0.0, "proved", reason)
    if key == "hmnc":
        return RareLimit(1.0, 1.0, "proved", HMNC)
    if key in ("precision_recall_mean", "precision_recall_root_mean"):
        vanishes = curve.log_at_origin(3) == -np.inf
        return RareLimit(1.0, 1.0, "proved", CUBED) if vanishes else None
    if key == "mcc_f1" and second == np.inf:
        return RareLimit(0.0, 0.0, "proved", f"{ONLY_MCC}: u²/v has no bound near the start")
    if key == "mcc_f1" and second == -np.inf:
        limit = _highest(REDUCED["MCC"], IN_WORDS["MCC"], curve, falls=True)
        if limit is None or not 0 < limit.tpr < 1:
            return None
        return replace(limit, reason=f"{ONLY_MCC}: {limit.reason}")
    if key != "optimized_precision":
        return None
    return _highest(REDUCED["OP"], IN_WORDS["OP"], curve, falls=False)


def _proved(ordering: Ordering, curve: Curve) -> RareLimit | None:
    if isinstance(curve, EmpiricalCurve):
        counts = curve.counts
        without_alarm = int(np.searchsorted(counts.fp, 0, side="right")) - 1
        if without_alarm > 0:
            tpr = float(counts.tp[without_alarm] / counts.positives)
            reason = "the highest TPR without a false alarm: the curve starts upright"
            return RareLimit(tpr, 0.0, "proved", reason)
    if ordering == "constant":
        reason = "a hit is worth a constant number of false alarms: nothing is called positive"
        return RareLimit(0.0, 0.0, "proved", reason)
    falls = False
    if isinstance(curve, EmpiricalCurve) and curve.hull and ordering in ("F", "kappa"):
        tpr = float(curve.counts.tp[1] / curve.counts.positives)
        fpr = float(curve.counts.fp[1] / curve.counts.negatives)
        reason = "u/v is highest on the first segment of the hull, which it ends at"
        return RareLimit(tpr, fpr, "proved", reason)
    if not isinstance(curve, EmpiricalCurve):
        power = 1 if ordering in ("F", "kappa") else 2
        if curve.log_at_origin(power) == np.inf:
            shown = "u/v" if power == 1 else "u²/v"
            reason = f"{shown} has no bound near the start of the curve"
            return RareLimit(0.0, 0.0, "proved", reason)
        falls = curve.log_at_origin(power) == -np.inf
    order: Orders = ordering  # type: ignore[assignment]
    return _highest(REDUCED[order], IN_WORDS[order], curve, falls=falls)


def _highest(reduced: Metric, words: str, curve: Curve, *, falls: bool) -> RareLimit | None:
    """Find where the function of the rates that an ordering tends to is highest."""
    try:
        point = best_at(reduced, curve, 1.0, positives=1.0, at="1:1")
    except ValueError:  # the function is constant on the curve
        return None
    if point.plateau is None or point.plateau.tpr == (0.0, 1.0):
        return None  # the limit does not distinguish points
    where = "there"
    if point.tpr == 0:
        where = "where TPR is no float any more" if falls else "near the start of the curve"
    reason = f"{words} is highest {where}"
    return RareLimit(point.tpr, point.fpr, "proved", reason)


@lru_cache(maxsize=1024)
def _ordering(metric: Metric) -> Ordering:
    """Classify a metric by how it orders classifiers, from its exchange rate and its sign."""
    sizes = invariance(metric, Level(1, 100), Level(1, 1), DEFAULT_POSITIVES)
    if sizes.verdict == SAME and not sizes.needs_equal_positives:
        return "rates"
    derived = derivatives(metric)
    rate = exchange_rate(metric).formula
    tp, fp, fn, _ = derived.cells
    if not _rewards_hits(metric):
        return "other"
    if rate.is_number and rate.is_positive:
        return "constant"
    if not rate.is_rational_function():
        return "other"
    share = sympy.factor((rate * tp - fp) / (tp + fn))
    if share.is_number and share.is_positive:
        return "F"
    for key, ordering in (("cohen_kappa", "kappa"), ("mcc", "MCC"), ("fowlkes_mallows", "FM")):
        if metric.key == key or rate == exchange_rate(key).formula:
            return ordering  # type: ignore[return-value]
    in_rates = sympy.cancel(rate.subs(of_rates(derived)))
    ratio = sympy.Symbol("r", positive=True)
    left = sympy.cancel(in_rates / ratio)
    return "rates" if left.free_symbols <= set(sympy.symbols("u v", positive=True)) else "other"


def _rewards_hits(metric: Metric) -> bool:
    """Return whether another hit is better and another false alarm worse, wherever it was tried."""
    random = np.random.default_rng(0)
    sizes = 10 ** random.uniform(0, 4, (2, 1000))
    u, v = random.random((2, 1000))
    cells = sizes[0] * u, sizes[1] * v, sizes[0] * (1 - u), sizes[1] * (1 - v)
    _, by_hit, by_alarm = derivatives(metric).in_floats(*cells)
    sign = -1 if metric.lower_is_better else 1
    return bool((sign * by_hit >= 0).all() and (sign * by_alarm <= 0).all())


def best_points(
    metric: Metric | str,
    curve: Curve,
    levels: Iterable[str | Level] = LEVELS,
    *,
    total: float | None = None,
) -> pd.DataFrame:
    """Find the best points of a metric on a curve at several levels, and where they jump.

    Parameters
    ----------
    metric, curve, total
        As for :func:`skewproof.operating_points.best_point`.
    levels
        The levels, from balanced classes to rare positives.

    Returns
    -------
    Frame with a row for each level: level, tpr, fpr, value, threshold, kind, share_called,
    alarms_per_hit as in :class:`skewproof.operating_points.BestPoint`, and jumps_at: the ratio of
    negatives to positives at which, since the row before, the best point last jumped from one local
    maximum to another; NaN if it moved without a jump. Points of an empirical curve always jump, so
    that jumps_at is NaN there.

    Raises
    ------
    KeyError, FormulaError, ValueError
        As for :func:`skewproof.operating_points.best_point`.

    Examples
    --------
    >>> from skewproof.operating_points import BinormalCurve, best_points
    >>> levels = ["1:1", "1:1000", "1:1000000"]
    >>> best_points("mcc", BinormalCurve(mean=2), levels)["tpr"].round(3).tolist()
    [0.841, 0.142, 0.088]
    >>> moved = best_points("precision_recall_mean", BinormalCurve(mean=3), ["1:1000", "1:3000"])
    >>> moved["jumps_at"].round().tolist()
    [nan, 1895.0]
    """
    metric = as_metric(metric)
    several = expect_several("levels", levels, "levels such as '1:1000'")
    given = [Level.given(level, "levels") for level in several]
    expect(bool(given), "levels", given, "at least one level")
    for level in given:
        check_total(metric, Prevalence.given(level).for_two_classes(), total)

    def positives(ratio: float) -> float:
        return DEFAULT_POSITIVES if total is None else total / (1 + ratio)

    rows = [
        {
            "level": point.at,
            **{field: getattr(point, field) for field in (*Peak._fields, *CONSEQUENCES)},
            "jumps_at": jump,
        }
        for point, jump in followed_points(metric, curve, given, positives)
    ]
    return ResultTable(rows)


def followed_points(
    metric: Metric,
    curve: Curve,
    levels: Sequence[Level],
    positives: Callable[[float], float],
) -> list[tuple[BestPoint, float]]:
    """Follow the best point over levels, with the ratio of the classes at its last jump.

    Parameters
    ----------
    metric, curve, levels
        As for :func:`best_points`.
    positives
        Function that returns the number of positives for a ratio of negatives to positives.

    Returns
    -------
    A pair for each level; the ratio is NaN if the point moved without a jump.
    """
    ratios = [level.negatives(1.0) for level in levels]
    points = [
        best_at(metric, curve, ratio, positives=positives(ratio), at=str(level))
        for level, ratio in zip(levels, ratios, strict=True)
    ]
    jumps = [np.nan] * len(points)
    if not isinstance(curve, EmpiricalCurve):
        for index in range(1, len(points)):
            both = slice(index - 1, index + 1)
            jumps[index] = _jump(metric, curve, points[both], ratios[both], positives)
    return list(zip(points, jumps, strict=True))


def _jump(
    metric: Metric,
    curve: Curve,
    points: Sequence[BestPoint],
    ratios: Sequence[float],
    positives: Callable[[float], float],
) -> float:
    """Find the ratio of the classes at which the best point jumps; NaN if there is no jump."""
    (first, last), (low, high) = points, ratios
    while _apart(first, last) > JUMP:
        if abs(np.log(high / low)) < CLOSE:
            return float(np.sqrt(low * high))
        ratio = float(np.sqrt(low * high))
        middle = best_at(metric, curve, ratio, positives=positives(ratio), at=f"1:{ratio:g}")
        if _apart(first, middle) > _apart(middle, last):
            last, high = middle, ratio
        else:
            first, low = middle, ratio
    return np.nan


def _apart(first: BestPoint, last: BestPoint) -> float:
    """Return the distance of two points, by the angles whose squared sines are the rates."""
    rates = np.array([[point.tpr, point.fpr] for point in (first, last)])
    return float(np.abs(np.diff(np.arcsin(np.sqrt(rates)), axis=0)).max())
