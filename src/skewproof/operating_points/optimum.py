"""Best point of a metric on a ROC curve."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import mpmath  # type: ignore[import-untyped]
import numpy as np
from scipy.optimize import brentq, minimize_scalar

from skewproof.core.algebra import Array, Value
from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import DEFAULT_POSITIVES
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.curves.counts import ScoreCounts
from skewproof.intervals.class_rows import check_total
from skewproof.metrics.lookup import as_metric
from skewproof.operating_points.curves import Curve, EmpiricalCurve, LogRates, Smooth
from skewproof.operating_points.demands import expect_best_point
from skewproof.operating_points.derivatives import derivatives
from skewproof.operating_points.objective import FINE, Objective
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import Summarized, Summary

Kind = Literal["attained", "supremum", "corner"]
"""Kinds of best points: a point of the curve; a limit towards its end that is not reached; or the
end itself, where nothing or everything is called positive."""

REMARKS: Mapping[Kind, str] = {
    "attained": "",
    "supremum": ", which is a limit that no point attains",
    "corner": ", and nothing or everything is called positive",
}
"""Remark of a summary on each kind of best point."""

PLATEAU = 0.01
"""Largest loss of value on the plateau of the best point, relative to the best value."""

STEEP = 1e-9
"""Relative difference above which a value at an end is not the limit towards it."""

TIED = 1e-12
"""Relative difference of values at thresholds below which they are compared exactly."""

DIGITS, SAME = 50, 1e-40
"""Digits of that comparison, and the relative difference below which values are the same."""

NARROW = {"xatol": 1e-12}
"""Tolerance with which the position of a jump is enclosed."""

FLAT = "a metric that is not constant on the curve"

WITHIN_SEGMENT = 16
"""Number of positions on each segment of a hull."""

Bounds = tuple[float, float]


class Peak(NamedTuple):
    """A local maximum of a metric on a curve, or a minimum if lower is better."""

    tpr: float
    fpr: float
    value: float
    threshold: float
    kind: Kind


CONSEQUENCES = ("share_called", "alarms_per_hit")
"""Fields of a best point that follow from its rates and the prevalence."""


class Plateau(NamedTuple):
    """Part of a curve around its best point where the value is within 1 % of the best."""

    tpr: Bounds
    """Least and largest true positive rate."""
    fpr: Bounds
    """Least and largest false positive rate."""
    threshold: Bounds
    """Least and largest threshold."""


@dataclass(frozen=True, repr=False)
class BestPoint(Summarized):
    """Best point of a metric on a ROC curve at one prevalence.

    Examples
    --------
    >>> from skewproof.operating_points import BinormalCurve, best_point
    >>> point = best_point("mcc", BinormalCurve(mean=2), at="1:1000000")
    >>> print(f"{point.tpr:.3f}, {point.plateau.tpr[0]:.3f} to {point.plateau.tpr[1]:.3f}")
    0.088, 0.057 to 0.131
    """

    metric: str
    """Key of the metric."""

    at: str
    """The prevalence, as it was given."""

    tpr: float
    """True positive rate, in [0, 1]."""

    fpr: float
    """False positive rate, in [0, 1]."""

    value: float
    """The metric at the point; for a supremum the limit, which may be infinite."""

    threshold: float
    """The score from which on instances are called positive; infinite if none are. For a mixture of
    two thresholds it is the higher one."""

    kind: Kind
    """"attained" at a point of the curve; "corner" if it is best to call nothing or everything
    positive; "supremum" if the metric rises towards such an end, where it is undefined or lower."""

    share_called: float
    """Share of all instances that are called positive, in [0, 1]."""

    alarms_per_hit: float
    """False alarms for each hit; NaN if there is neither."""

    plateau: Plateau | None
    """Part of the curve where the value is within 1 % of the best; None if the best is infinite."""

    others: tuple[Peak, ...]
    """Other local maxima, the best first. On the points of
    :class:`skewproof.operating_points.EmpiricalCurve`, only those that are as good as the plateau
    but not on it."""

    mixture: tuple[float, float] | None = None
    """The lower threshold and the share of instances, chosen at random, for which it is used, if
    the point lies between two corners of a hull; else None."""

    position: float = field(default=np.nan, compare=False)
    """Position of the point on the curve's own scale."""

    def summary(self) -> Summary:
        """Return the summary of the point."""
        facts = [
            ("Threshold", f"{self.threshold:.4g}"),
            ("Called positive", f"{self.share_called:.3%} of all instances"),
            ("False alarms for a hit", f"{self.alarms_per_hit:.4g}"),
        ]
        if self.plateau is not None:
            low, high = self.plateau.tpr
            facts.append((f"Within {PLATEAU:.0%} of the best", f"TPR {low:.4g} to {high:.4g}"))
        facts.append(("Assumed", "the ROC curve is known, and is the same at every prevalence"))
        return Summary(
            f"Best point of {self.metric} ({self.at})",
            verdict=f"TPR {self.tpr:.4g}, FPR {self.fpr:.4g}: {self.metric} is {self.value:.4g}"
            f"{REMARKS[self.kind]}.",
            facts=facts,
        )


def best_point(
    metric: Metric | str,
    curve: Curve,
    *,
    at: Any = "test set",
    total: float | None = None,
) -> BestPoint:
    """Find the point of a ROC curve at which a metric is best.

    Parameters
    ----------
    metric
        A metric, a key or name as for :func:`skewproof.get_metric`, or a formula as for
        :func:`skewproof.metrics.parse_metric`. If lower values are better, the lowest is sought.
    curve
        A :class:`skewproof.operating_points.BinormalCurve`,
        :class:`skewproof.operating_points.PowerLawCurve`,
        :class:`skewproof.operating_points.BibetaCurve` or
        :class:`skewproof.operating_points.EmpiricalCurve`.
    at
        The prevalence, as for :func:`skewproof.interval`: a range stands for its middle, and a
        belief for its mean. "test set" and "population" need an empirical curve.
    total
        Number of instances, on which metrics such as Laplace's depend.

    Returns
    -------
    The point, with its plateau and other local maxima. Among equally good points of an
    :class:`skewproof.operating_points.EmpiricalCurve` it is the one at which the fewest instances
    are called positive, even if their values differ by rounding. On other curves the best point is
    the zero of the metric's slope, found with at least 50 digits. Two maxima whose thresholds are
    within 0.02 standard deviations of the scores may be taken for one.

    Raises
    ------
    KeyError, FormulaError
        As for :func:`skewproof.audit`.
    ValueError
        If the metric's good values are neither its highest nor its lowest, if it is undefined or
        constant on the whole curve, if it needs `total`, or if `at` states no prevalence.

    Examples
    --------
    >>> from skewproof.operating_points import BinormalCurve, best_point
    >>> point = best_point("f1", BinormalCurve(mean=2), at="1:1000000")
    >>> print(f"{point.tpr:.4f} {point.kind}")
    0.0039 attained
    >>> best_point("precision", BinormalCurve(mean=2), at="1:1000").kind
    'supremum'
    """
    metric = as_metric(metric)
    expect(isinstance(curve, Curve), "curve", curve, "one of the ROC curves of skewproof")
    where = Prevalence.given(at).for_two_classes()
    check_total(metric, where, total)
    if where.elsewhere:
        share = expect_number("at", where.share, above=0, below=1)
        ratio = where.negatives(1.0)
        positives = DEFAULT_POSITIVES if total is None else total * share
    elif isinstance(curve, EmpiricalCurve):
        positives, negatives = curve.all_counts.positives, curve.all_counts.negatives
        ratio = negatives / positives
    else:
        raise ValueError(f"at = {shown(str(where))}: expected a prevalence, which this curve lacks")
    return best_at(metric, curve, ratio, positives=positives, at=str(where))


def best_at(metric: Metric, curve: Curve, ratio: float, *, positives: float, at: str) -> BestPoint:
    """Find the best point for a number of positives and a ratio of negatives to positives."""
    expect_best_point(metric)
    expect(isinstance(curve, Curve), "curve", curve, "one of the ROC curves of skewproof")
    if isinstance(curve, EmpiricalCurve) and not curve.hull:
        return _best_threshold(metric, curve, ratio, positives, at)
    smooth: Smooth = _Hull(curve) if isinstance(curve, EmpiricalCurve) else curve
    objective = Objective(metric, smooth, positives, ratio)
    expect(not objective.is_flat, "metric", metric.key, FLAT)
    peaks = sorted(_peaks(objective), key=lambda peak: -peak.value)
    expect(bool(peaks), "metric", metric.key, "a metric that is defined on the curve")
    if isinstance(smooth, _Hull):
        peaks = _with_best_corner(objective, smooth, peaks)
    best, *others = peaks
    mixture = None
    if isinstance(smooth, _Hull) and np.isfinite(best.position):
        mixture = smooth.mixture(best.position)
    maxima = _local_maxima(objective, best, others)
    return _result(
        metric,
        at,
        ratio,
        _shown(objective, best),
        plateau=_plateau(objective, best),
        others=[_shown(objective, maximum) for maximum in maxima],
        position=best.position,
        mixture=mixture,
    )


class _Maximum(NamedTuple):
    """A local maximum, with its position: -inf or inf at an end."""

    position: float
    value: float
    """Value of the metric, with the sign that makes higher better."""
    kind: Kind


def _peaks(objective: Objective) -> list[_Maximum]:
    positions, signs = objective.curve.positions, objective.signs()
    last = positions.size - 1
    maxima = []
    for index in np.flatnonzero((signs[:-1] < 0) & (signs[1:] > 0)).tolist():
        position = _crossing(objective.slope, *positions[index : index + 2].tolist())
        if position is None:  # signs are known only at every FINE positions
            low, high = positions[[max(index - FINE, 0), min(index + 1 + FINE, last)]].tolist()
            position = _crossing(objective.slope, low, high)
        if position is not None:
            if isinstance(objective.curve, _Hull):
                position = objective.curve.snapped(position)
            maxima.append(_Maximum(position, objective.value(position), "attained"))
    maxima = [maximum for maximum in maxima if not np.isnan(maximum.value)]
    rising = signs[0] > 0, signs[-1] < 0
    highest = max((maximum.value for maximum in maxima), default=-np.inf)
    for near, rises, end in zip((0, last), rising, (-np.inf, np.inf), strict=True):
        corner = _at_corner(objective, end)
        limit = _limit(objective, positions if near == 0 else positions[::-1])
        is_jump = corner - limit > STEEP * abs(limit)
        if np.isfinite(corner) and (is_jump or (rises and limit - corner <= STEEP * abs(limit))):
            maxima.append(_Maximum(end, corner, "corner"))
        elif not np.isnan(limit) and (rises or limit - highest > STEEP * abs(limit)):
            maxima.append(_Maximum(end, corner if corner == np.inf else limit, "supremum"))
    highest = max((maximum.value for maximum in maxima), default=-np.inf)
    return maxima + _at_jump(objective, highest)


def _local_maxima(objective: Objective, best: _Maximum, others: list[_Maximum]) -> list[_Maximum]:
    """List the other peaks from which the metric falls before it rises, one for each level part."""
    positions = objective.curve.positions
    values = objective.values(positions)
    rounding = _rounding(values)

    def around(peak: _Maximum) -> tuple[int, int] | None:
        """Return the first positions on both sides with another value; None if one is higher."""
        steep = rounding + STEEP * abs(peak.value) if np.isfinite(peak.value) else 0.0
        with np.errstate(invalid="ignore"):
            change = np.where(np.abs(values - peak.value) > steep, values - peak.value, 0)
        other = np.flatnonzero(change)
        before, after = (
            other[positions[other] < peak.position],
            other[positions[other] > peak.position],
        )
        sides = int(before[-1]) if before.size else -1, int(after[0]) if after.size else -1
        return None if any(change[side] > 0 for side in sides if side >= 0) else sides

    known = {around(best), None}
    maxima = []
    for peak in others:
        sides = around(peak)
        if sides not in known:
            maxima.append(peak)
        known.add(sides)
    return maxima


def _rounding(values: Array) -> float:
    """Return the largest difference of values near 0 that rounding explains."""
    finite = np.abs(values[np.isfinite(values)])
    return TIED * min(1.0, float(finite.max(initial=0)))


def _limit(objective: Objective, positions: Array) -> float:
    """Return the first value that is a number, at positions that start from an end."""
    for position in positions[: positions.size // 2 : FINE]:
        value = objective.value(float(position))
        if not np.isnan(value):
            return value
    return np.nan


def _at_jump(objective: Objective, highest: float) -> list[_Maximum]:
    """Find the maximum of a metric with jumps or level parts, which slopes do not show."""
    positions = objective.curve.positions
    values = objective.values(positions)
    values[~np.isfinite(values)] = -np.inf
    top = int(values.argmax())
    if not values[top] - highest > STEEP * abs(values[top]):
        return []
    ends = positions[max(top - 1, 0)], positions[min(top + 1, positions.size - 1)]
    for side, end in zip((-1, 1), ends, strict=True):
        if objective.beyond_floats(end) and side * objective.slope(float(positions[top])) < 0:
            return [_Maximum(side * np.inf, float(values[top]), "supremum")]
    position = minimize_scalar(
        lambda position: -objective.value(position), bounds=ends, method="bounded", options=NARROW
    ).x
    position = max((float(position), float(positions[top])), key=objective.value)
    value = objective.value(position)
    return [_Maximum(position, value, "attained")] if value - highest > STEEP * abs(value) else []


def _with_best_corner(objective: Objective, hull: _Hull, peaks: list[_Maximum]) -> list[_Maximum]:
    """Put the best corner of a hull first if no point of a segment is better."""
    corners = np.arange(hull.tp.size, dtype=float)
    values = objective.values(corners)
    best = float(corners[np.nanargmax(values)]) if not np.isnan(values).all() else np.nan
    value = np.nanmax(values, initial=-np.inf)
    if np.isnan(best) or not value >= peaks[0].value - TIED * abs(peaks[0].value):
        return peaks
    if best in (peaks[0].position, 0, corners[-1]):
        return peaks
    return [
        _Maximum(best, float(value), "attained"),
        *(peak for peak in peaks if peak.value < value),
    ]


def _at_corner(objective: Objective, end: float) -> float:
    """Return the metric where everything, or nothing, is called positive."""
    called = float(end < 0)
    matrix = ConfusionMatrix.from_rates(
        called,
        called,
        positives=objective.positives,
        negatives=objective.positives * objective.ratio,
    )
    with np.errstate(all="ignore"):
        return objective.sign * float(objective.metric(matrix))


def _crossing(function: Callable[[float], float], low: float, high: float) -> float | None:
    """Find where a function turns from negative to positive; None if its ends have other signs."""
    ends = function(low), function(high)
    if not (ends[0] <= 0 <= ends[1]):
        return None
    if 0 in ends:
        return (low, high)[ends.index(0)]
    return float(brentq(function, low, high, xtol=1e-15, rtol=1e-15, maxiter=200))


def _plateau(objective: Objective, best: _Maximum) -> Plateau | None:
    if not np.isfinite(best.value):
        return None
    least = best.value - PLATEAU * abs(best.value)
    positions = objective.curve.positions
    with np.errstate(invalid="ignore"):
        below = objective.values(positions) < least
    ends = []
    for side in (-1, 1):
        outside = positions[below & (side * positions > side * best.position)]
        if not outside.size:
            ends.append(side * np.inf)
            continue
        first = float(outside[0 if side > 0 else -1])
        at = int(np.searchsorted(positions, first)) - side
        inside = float(positions[np.clip(at, 0, positions.size - 1)])
        if side * (best.position - inside) > 0:
            inside = best.position
        edge = _crossing(lambda position: least - objective.value(position), inside, first)
        ends.append(inside if edge is None else edge)
    rates = [_rates(objective.curve, end) for end in ends]
    (high_tpr, high_fpr), (low_tpr, low_fpr) = rates
    thresholds = tuple(_threshold(objective.curve, end) for end in ends)
    return Plateau((low_tpr, high_tpr), (low_fpr, high_fpr), (thresholds[0], thresholds[1]))


def _rates(curve: Smooth, position: float) -> tuple[float, float]:
    if np.isinf(position):
        return (1.0, 1.0) if position < 0 else (0.0, 0.0)
    if isinstance(curve, _Hull):
        return curve.rates(position)
    logs = curve.log_rates(np.float64(position))
    return float(np.exp(logs.tpr)), float(np.exp(logs.fpr))


def _threshold(curve: Smooth, position: float) -> float:
    return position if np.isinf(position) else curve.threshold(position)


def _shown(objective: Objective, peak: _Maximum) -> Peak:
    tpr, fpr = _rates(objective.curve, peak.position)
    threshold = _threshold(objective.curve, peak.position)
    return Peak(tpr, fpr, objective.sign * peak.value, threshold, peak.kind)


def _result(
    metric: Metric,
    at: str,
    ratio: float,
    peak: Peak,
    *,
    plateau: Plateau | None,
    others: Iterable[Peak],
    position: float,
    mixture: tuple[float, float] | None = None,
) -> BestPoint:
    """Return the best point with its consequences for a ratio of negatives to positives."""
    tpr, fpr = peak.tpr, peak.fpr
    alarms_per_hit = ratio * fpr / tpr if tpr else float("inf") if fpr else float("nan")
    return BestPoint(
        metric=metric.key,
        at=at,
        **peak._asdict(),
        share_called=(tpr + ratio * fpr) / (1 + ratio),
        alarms_per_hit=alarms_per_hit,
        plateau=plateau,
        others=tuple(others),
        mixture=mixture,
        position=position,
    )


class _Hull:
    """The segments of a hull as a curve.

    From one corner to the next the position rises by 1. At a higher one less is called positive.
    """

    def __init__(self, curve: EmpiricalCurve) -> None:
        counts = curve.counts
        self.tp, self.fp = counts.tp[::-1], counts.fp[::-1]
        self.cuts = curve.thresholds[::-1]
        within = (np.arange(WITHIN_SEGMENT) + 0.5) / WITHIN_SEGMENT
        self.positions: Array = (np.arange(self.tp.size - 1)[:, None] + within).ravel()

    def rates(self, position: float) -> tuple[float, float]:
        """Return the true and false positive rate."""
        corners = np.arange(self.tp.size)
        tpr, fpr = (
            float(np.interp(position, corners, counts) / counts[0]) for counts in (self.tp, self.fp)
        )
        return tpr, fpr

    def log_rates(self, position: Value) -> LogRates:
        """Return the logarithms of the rates and of their complements."""
        corners = np.arange(self.tp.size)
        logs = []
        with np.errstate(divide="ignore"):
            for counts in (self.tp, self.fp):
                for part in (counts, counts[0] - counts):
                    logs.append(np.log(np.interp(position, corners, part) / counts[0]))
        return LogRates(*logs)

    def log_slope(self, position: Value) -> Array:
        """Return the logarithm of the slope of the segment."""
        segment = np.minimum(np.floor(position).astype(int), self.tp.size - 2)
        with np.errstate(divide="ignore"):
            log_tp, log_fp = (
                np.log(-np.diff(counts) / counts[0])[segment] for counts in (self.tp, self.fp)
            )
        return np.asarray(log_tp - log_fp)

    def snapped(self, position: float) -> float:
        """Return the corner that a position is within rounding of, or the position itself."""
        return float(np.round(position)) if abs(position - np.round(position)) < STEEP else position

    def threshold(self, position: float) -> float:
        """Return the threshold of a corner, or the higher one of a mixture."""
        return float(self.cuts[int(np.ceil(position))])

    def mixture(self, position: float) -> tuple[float, float] | None:
        """Return the lower threshold and its share; None at a corner."""
        corner = int(np.floor(position))
        share = 1 - (position - corner)
        return None if share == 1 else (float(self.cuts[corner]), share)

    def log_at_origin(self, power: int) -> float:
        """Return the limit of log(tpr^power/fpr) on the first segment."""
        slope = float(self.log_slope(np.float64(self.tp.size - 1.5)))
        return slope if power == 1 or slope == np.inf else -np.inf


def _best_threshold(
    metric: Metric, curve: EmpiricalCurve, ratio: float, positives: float, at: str
) -> BestPoint:
    """Find the best point of an empirical curve; among equal ones, that where least is called."""
    counts, thresholds = curve.counts, curve.thresholds
    tpr, fpr = counts.tp / counts.positives, counts.fp / counts.negatives
    negatives = ratio * positives
    matrix = ConfusionMatrix(
        tp=positives * tpr,
        fp=negatives * fpr,
        fn=positives * ((counts.positives - counts.tp) / counts.positives),
        tn=negatives * ((counts.negatives - counts.fp) / counts.negatives),
    )
    sign = -1 if metric.lower_is_better else 1
    with np.errstate(all="ignore"):
        values = sign * np.asarray(metric(matrix), dtype=float)
    defined = ~np.isnan(values)
    expect(bool(defined.any()), "metric", metric.key, "a metric that is defined on the curve")
    highest = np.nanmax(values)
    best = int(np.flatnonzero(values == highest)[0])

    def peak(index: int) -> Peak:
        kind: Kind = "corner" if index in (0, values.size - 1) else "attained"
        value = float(sign * values[index])
        return Peak(float(tpr[index]), float(fpr[index]), value, float(thresholds[index]), kind)

    plateau: Plateau | None = None
    others: list[Peak] = []
    if np.isfinite(highest):
        rounding = max(_rounding(values), TIED * abs(highest))
        near = np.flatnonzero(values >= highest - rounding)
        if near.size > 1:
            exact = [
                sign * _exact_value(metric, counts, index, positives, negatives)
                for index in near.tolist()
            ]
            best = int(near[_first_best(exact)])
        good = np.flatnonzero(values >= highest - max(PLATEAU * abs(highest), rounding))
        for run in np.split(good, np.flatnonzero(np.diff(good) > 1) + 1):
            if run[0] <= best <= run[-1]:
                first, last = (peak(int(index)) for index in run[[0, -1]])
                plateau = Plateau(
                    (first.tpr, last.tpr),
                    (first.fpr, last.fpr),
                    (last.threshold, first.threshold),
                )
            else:
                others.append(peak(int(run[np.argmax(values[run])])))
    return _result(
        metric,
        at,
        ratio,
        peak(best),
        plateau=plateau,
        others=sorted(others, key=lambda other: -sign * other.value),
        position=float(best),
    )


def _first_best(values: list[Any]) -> int:
    """Return the index of the first of the highest values, equal if they agree in 40 digits.

    If a value is not a number, return 0: floats show only that the values are close.
    """
    if not all(map(mpmath.isfinite, values)):
        return 0
    with mpmath.workdps(DIGITS):
        highest = max(values)
        return next(
            index for index, value in enumerate(values) if mpmath.almosteq(value, highest, SAME)
        )


def _exact_value(
    metric: Metric, counts: ScoreCounts, index: int, positives: float, negatives: float
) -> Any:
    """Return a value at a threshold with 50 digits, from the counts; NaN if it is undefined."""
    with mpmath.workdps(DIGITS):
        hits, alarms = (
            mpmath.mpf(size) * mpmath.mpf(float(called[index])) / mpmath.mpf(float(called[-1]))
            for size, called in ((positives, counts.tp), (negatives, counts.fp))
        )
        cells = hits, alarms, positives - hits, negatives - alarms
        try:
            value = derivatives(metric).value_exactly(*cells)
        except (ZeroDivisionError, ValueError, TypeError, OverflowError):
            return mpmath.nan
        return value if mpmath.im(value) == 0 else mpmath.nan
