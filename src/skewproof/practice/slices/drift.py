"""Whether a classifier has changed over time, apart from prevalence: a band and CUSUM charts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_confidence, expect_number, expect_seed, expect_whole
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metrics
from skewproof.practice.intervals.extremes import Proportions
from skewproof.practice.intervals.metric_interval import check_observed
from skewproof.practice.slices.label_texts import slice_name
from skewproof.practice.slices.periods import time_order
from skewproof.practice.slices.predictive import Period, Predictive, Rate
from skewproof.practice.slices.slice_table import Slices, read_slices
from skewproof.reporting.summary import Summary

RATES = ("true_positive_rate", "false_positive_rate")
"""What is watched beside any metric."""

COLUMNS = (
    *("series", "value", "expected", "low", "high", "outside"),
    *("score", "cusum", "cusum_alarm", "positives", "negatives"),
)
"""What is said of a period beside its time."""

ALLOWANCE = 0.5
"""What a score has to exceed for a CUSUM to grow: half of the shift of one standard deviation that
it finds soonest (Page 1954)."""

LONGEST_LIST = 400
"""Characters of a list of periods."""

PATHS = 4000
"""Courses of a classifier that has not changed, from which thresholds and power are found."""


@dataclass(frozen=True)
class Charts:
    """The largest score, and the largest sum, of each course over all periods and series."""

    band: Array
    cusum: Array


@dataclass(frozen=True)
class Drift:
    """What :func:`watch_drift` found.

    Attributes
    ----------
    table
        A row per period and series.
    alpha
        The probability of any alarm over all of it, if nothing but prevalence changes.
    band_threshold, cusum_threshold
        Scores and sums beyond which there is an alarm.
    """

    table: pd.DataFrame
    alpha: float
    band_threshold: float
    cusum_threshold: float
    _model: _Model = field(repr=False)

    def _repr_html_(self) -> str:
        return self.summary().to_html()

    @property
    def alarms(self) -> pd.DataFrame:
        """The rows in which there is an alarm."""
        return self.table[self.table["outside"] | self.table["cusum_alarm"]]

    @property
    def verdict(self) -> str:
        """The periods in which there is an alarm, and what that says."""
        table, time = self.table, self.table.columns[0]
        found = {"alarm": table["outside"] | table["cusum_alarm"], "lost": table["score"].isna()}
        periods = pd.DataFrame(found).groupby(table[time], sort=False).any()
        names = [slice_name([when]) for when in periods.index[periods["alarm"]]]
        number, lost = _numbered(len(periods)), int(periods["lost"].sum())
        if names:
            text = (
                f"Alarms in {len(names)} of {number}: {shortened(', '.join(names), LONGEST_LIST)}."
                f" If the classifier does not change, any alarm has probability {self.alpha:g}."
            )
        else:
            text = f"No alarm in {number}: what moved can't be told from chance and prevalence."
        if not lost:
            return text
        return f"{text} In {_numbered(lost)} a series has no score and can't give an alarm."

    def summary(self) -> Summary:
        """What was found, to be shown."""
        alarms = self.alarms
        time = self.table.columns[0]
        shown_columns = [time, "series", "value", "low", "high", "cusum"]
        rows = alarms[shown_columns].to_dict("records")
        return Summary(
            "Drift",
            verdict=self.verdict,
            facts=[
                ("False alarms", f"{self.alpha:g} if the classifier does not change"),
                ("Band", f"a score beyond {self.band_threshold:.3g}"),
                ("CUSUM", f"a sum beyond {self.cusum_threshold:.3g}"),
            ],
            tables={"Alarms": rows} if rows else {},
        )

    def power(self, *, tpr: float = 0.0, fpr: float = 0.0, start: int | None = None) -> float:
        """The probability of an alarm if the rates change.

        Parameters
        ----------
        tpr, fpr
            What is added to the true and the false positive rate; they end in 0 and 1.
        start
            Number of periods before the change; half of them where None.

        Examples
        --------
        >>> import pandas as pd
        >>> from skewproof import watch_drift
        >>> month = {"tp": 160, "fp": 250, "fn": 40, "tn": 4750}
        >>> counts = pd.DataFrame([month] * 6).assign(month=range(6))
        >>> drift = watch_drift(counts, time="month", metrics=["f1"], reference={"month": 0})
        >>> drift.power(tpr=-0.2) > drift.power(tpr=-0.1) > drift.alpha
        True
        """
        for name, change in (("tpr", tpr), ("fpr", fpr)):
            expect_number(name, change, -1, 1)
        periods = len(self._model.periods)
        first = periods // 2 if start is None else expect_whole("start", start, 0, periods)
        changed = np.arange(periods) >= first
        charts = self._model.simulated(
            tpr=np.where(changed, tpr, 0.0), fpr=np.where(changed, fpr, 0.0), stream=1
        )
        alarmed = (charts.band > self.band_threshold) | (charts.cusum > self.cusum_threshold)
        return float(alarmed.mean())


@dataclass(frozen=True)
class _Model:
    """The reference's rates, the sizes of the periods, and the predictive distributions."""

    tpr: Rate
    fpr: Rate
    periods: list[Period]
    metrics: list[Metric]
    predictives: list[list[Predictive]]
    """A list per metric, with a distribution per period."""
    seed: int

    def simulated(self, *, tpr: Array, fpr: Array, stream: int = 0) -> Charts:
        """Charts of classifiers from the posterior, with something added to their rates.

        Parameters
        ----------
        tpr, fpr
            What is added, of the shape (periods,).
        stream
            Which of the seed's streams the draws are taken from.
        """
        random = np.random.default_rng([self.seed, stream])
        rates = [rate.draw(PATHS, random)[:, None] for rate in (self.tpr, self.fpr)]
        true_tpr, true_fpr = np.clip(rates[0] + tpr, 0, 1), np.clip(rates[1] + fpr, 0, 1)
        scores = np.empty((len(self.metrics), PATHS, len(self.periods)))
        for place, period in enumerate(self.periods):
            observed = (
                _observed(period.positives_effective, true_tpr[:, place], random),
                _observed(period.negatives_effective, true_fpr[:, place], random),
            )
            matrix = period.matrix(*observed)
            for row, metric in enumerate(self.metrics):
                scores[row, :, place] = self.predictives[row][place].scores(metric(matrix))
        return Charts(
            band=np.nanmax(abs(scores), axis=(0, 2), initial=0),
            cusum=cusums(scores).max(axis=(0, 2), initial=0),
        )


def _numbered(periods: int) -> str:
    return f"{periods} period{'s' * (periods != 1)}"


def _observed(size: int, rates: Array, random: np.random.Generator) -> Array:
    """Rates in samples of a size."""
    return random.binomial(size, rates) / size if size else np.full(rates.shape, np.nan)


def cusums(scores: Array) -> Array:
    """The larger of the sums that grow with scores above and below 0, along the last axis.

    Each is s[t] = max(0, s[t-1] + score - allowance), with the score's sign changed in the second
    one; a score that is NaN changes none (Page 1954).
    """
    sums = np.zeros((2, *scores.shape[:-1]))
    courses = np.empty(scores.shape)
    for place in range(scores.shape[-1]):
        score = scores[..., place]
        grown = np.maximum(sums + np.stack([score, -score]) - ALLOWANCE, 0)
        sums = np.where(np.isnan(score), sums, grown)
        courses[..., place] = sums.max(axis=0)
    return courses


def thresholds(charts: Charts, alpha: float) -> tuple[float, float]:
    """Thresholds of both charts that a share alpha of the courses passes in one or the other.

    Each chart alone is passed equally often: the smaller of the two shares of courses that reach as
    far has its quantile at alpha (Westfall and Young's min-P).
    """
    shares = [
        1 - (np.argsort(np.argsort(chart)) + 0.5) / len(chart)
        for chart in (charts.band, charts.cusum)
    ]
    level = 1 - np.quantile(np.minimum(*shares), alpha)
    return float(np.quantile(charts.band, level)), float(np.quantile(charts.cusum, level))


def watch_drift(
    counts: pd.DataFrame,
    *,
    time: str,
    metrics: str | Metric | Iterable[str | Metric],
    reference: Mapping[str, Any] | ConfusionMatrix,
    order: Sequence[Any] | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Drift:
    """Watch a classifier over time, at each period's own prevalence and size.

    A metric that depends on the prevalence moves although the classifier does not. So each period
    is compared with where the reference's classifier would lie there: with rates from their
    posterior, since the reference is a sample too, on classes of the period's sizes. The metrics,
    the true and the false positive rate are watched, each by a band, which finds what is large, and
    by CUSUM charts, which find what is small and lasts. Over all periods, series and charts
    together the probability of an alarm is alpha if the classifier does not change;
    docs/evidence/error_rates.md has how often it happens.

    Parameters
    ----------
    counts
        A row per period, as from :func:`skewproof.count_slices`.
    time
        The column with the period: numbers, dates, categories with an order, or text that follows
        a calendar, as "2026-05", "2026-Q2", "Jan" or "12", see
        :func:`skewproof.practice.slices.periods.calendar_places`.
    metrics
        As for :func:`skewproof.explain_change`.
    reference
        Which period to compare with, such as {"month": "2026-05"}, or the confusion matrix of a
        validation set, of which all periods are told apart; a projected matrix is refused.
    order
        All periods in the order of time, where text follows no calendar; what is listed need not be
        in the counts.
    alpha
        In (0, 1).
    seed
        A whole number of at least 0.

    Returns
    -------
    A :class:`Drift`, whose table has a row per period and series: the period, series, value;
    expected, low and high, the band; outside, whether the value is; score, cusum, and cusum_alarm;
    positives, negatives. A period without positives has no true positive rate, and one without
    negatives no false positive rate: the value of a series that depends on it, and its score, are
    NaN, and there is no alarm; the sum of a CUSUM chart stays what it was.

    Raises
    ------
    ValueError
        If `counts`, `time`, `reference` or an option is invalid, or if the order of the periods is
        unknown.

    Examples
    --------
    In the last three of six months the classifier finds fewer, in the second there are fewer to be
    found:

    >>> import pandas as pd
    >>> from skewproof import watch_drift
    >>> before, rare, after = [160, 250, 40, 4750], [16, 250, 4, 4750], [110, 250, 90, 4750]
    >>> months = [before, rare, before, after, after, after]
    >>> counts = pd.DataFrame(months, columns=["tp", "fp", "fn", "tn"])
    >>> drift = watch_drift(
    ...     counts.assign(month=range(6)), time="month", metrics=["f1"], reference={"month": 0}
    ... )
    >>> sorted(drift.alarms.month.unique().tolist())
    [3, 4, 5]
    """
    alpha, seed = expect_confidence("alpha", alpha), expect_seed(seed)
    watched = list(dict.fromkeys([METRICS[key] for key in RATES] + as_metrics(metrics)))
    slices, tpr, fpr = _periods_and_reference(counts, time, reference, order)
    periods = _periods(slices)
    predictives = [
        [Predictive(metric, period, tpr, fpr) for period in periods] for metric in watched
    ]
    model = _Model(tpr, fpr, periods, watched, predictives, seed)
    unchanged = np.zeros(len(periods))
    limits = thresholds(model.simulated(tpr=unchanged, fpr=unchanged), alpha)
    tables = [
        _series(slices, metric, row, limits)
        for metric, row in zip(watched, predictives, strict=True)
    ]
    return Drift(pd.concat(tables, ignore_index=True), alpha, *limits, model)


def _periods_and_reference(
    counts: pd.DataFrame,
    time: str,
    reference: Mapping[str, Any] | ConfusionMatrix,
    order: Sequence[Any] | None,
) -> tuple[Slices, Rate, Rate]:
    """The periods in the order of time, and the reference's rates."""
    slices = read_slices(counts, reserved=COLUMNS)
    if list(slices.keys) != [time]:
        keys = ", ".join(map(str, slices.keys)) or "none"
        raise ValueError(f"counts have the keys {keys}: expected {shown(time)} alone")
    if slices.keys[time].isna().any():
        raise ValueError(f"counts have a row without {shown(time)}: expected a period in each")
    slices = slices.at(time_order(slices.keys[time], time, order))
    if isinstance(reference, ConfusionMatrix):
        rates = _rates_of(reference)
    elif reference is None:
        raise ValueError("reference = None: expected a period or a confusion matrix")
    else:
        slices, one = slices.beside(reference)
        if not one.assessable.all():
            raise ValueError(f"reference = {shown(dict(reference))}: it lacks a class")
        shares = one.proportions
        rates = Rate(*_row(shares, 1)), Rate(*_row(shares, 2))
    return slices, *rates


def _row(shares: Proportions, row: int) -> tuple[float, float]:
    return float(shares.hits[row, 0]), float(shares.misses[row, 0])


def _periods(slices: Slices) -> list[Period]:
    sizes = (slices.positives, slices.negatives)
    effective = (slices.positives_effective, slices.negatives_effective)
    return [
        Period(positives, negatives, round(positives_effective), round(negatives_effective))
        for positives, negatives, positives_effective, negatives_effective in zip(
            *sizes, *effective, strict=True
        )
    ]


def _rates_of(matrix: ConfusionMatrix) -> tuple[Rate, Rate]:
    check_observed(matrix, "reference")
    tp, fp, fn, tn = map(float, (matrix.tp, matrix.fp, matrix.fn, matrix.tn))
    return Rate(tp, fn), Rate(fp, tn)


def _series(
    slices: Slices, metric: Metric, predictives: list[Predictive], limits: tuple[float, float]
) -> pd.DataFrame:
    """The table of one series."""
    band, cusum_threshold = limits
    matrix = slices.known
    # From rates, as the predictive values are: the same but for rounding, which would break ties.
    scores = np.array(
        [
            one.scores(metric(one.period.matrix(*rates)))
            for one, *rates in zip(predictives, matrix.tpr, matrix.fpr, strict=True)
        ]
    )
    ends = np.array([[one.value_at(score) for score in (0.0, -band, band)] for one in predictives])
    sums = cusums(scores)
    return slices.keys.assign(
        series=metric.key,
        value=metric(matrix),
        expected=ends[:, 0],
        low=ends[:, 1],
        high=ends[:, 2],
        outside=abs(scores) > band,
        score=scores,
        cusum=sums,
        cusum_alarm=(sums > cusum_threshold) & ~np.isnan(scores),
        positives=slices.positives,
        negatives=slices.negatives,
    )
