"""Whether a classifier has changed over time, apart from prevalence: a band and CUSUM charts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from skewproof.multiclass import as_measures
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure
from skewproof.practice.intervals.class_rows import check_observed_classes
from skewproof.practice.intervals.extremes import Proportions, Rows
from skewproof.practice.intervals.metric_interval import check_observed
from skewproof.practice.slices.class_predictive import (
    ClassPeriod,
    ClassReference,
    with_moved_recalls,
)
from skewproof.practice.slices.class_table import are_pairs, read_class_slices
from skewproof.practice.slices.label_texts import as_text, slice_name
from skewproof.practice.slices.periods import time_order
from skewproof.practice.slices.predictive import (
    Distribution,
    Drawn,
    Period,
    Predictive,
    PredictiveRate,
    Rate,
)
from skewproof.practice.slices.slice_table import KeyedSlices, Slices, read_slices
from skewproof.reporting.summary import Summary

RATES = ("true_positive_rate", "false_positive_rate")
"""What is watched beside any metric."""

COLUMNS = (
    *("series", "value", "expected", "low", "high", "outside"),
    *("score", "cusum", "cusum_alarm", "positives", "negatives", "instances"),
)
"""What is said of a period beside its time."""

ALLOWANCE = 0.5
"""What a score has to exceed for a CUSUM to grow: half of the shift of one standard deviation that
it finds soonest (Page 1954)."""

LONGEST_LIST = 400
"""Characters of a list of periods."""

PREDICTIVE_DRAWS = 20_000
"""Matrices of a period from which the distribution of a measure of many classes is found."""

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
            What is added to the true and the false positive rate; they end in 0 and 1. For more
            than two classes `tpr` is added to the recall of each, and `fpr` is 0.
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
        if fpr != 0 and isinstance(self._model, _ClassModel):
            raise ValueError(f"fpr = {fpr:g}: expected 0 for more than two classes")
        periods = len(self._model.predictives[0])
        first = periods // 2 if start is None else expect_whole("start", start, 0, periods)
        changed = np.arange(periods) >= first
        charts = self._model.simulated(
            tpr=np.where(changed, tpr, 0.0), fpr=np.where(changed, fpr, 0.0), stream=1
        )
        alarmed = (charts.band > self.band_threshold) | (charts.cusum > self.cusum_threshold)
        return float(alarmed.mean())


@dataclass(frozen=True)
class _Model(ABC):
    """The predictive distributions, and how courses of periods are drawn."""

    predictives: Sequence[Sequence[Distribution]]
    """A list per series, with a distribution per period."""
    seed: int

    @abstractmethod
    def courses(self, tpr: Array, fpr: Array, random: np.random.Generator) -> Iterator[list[Array]]:
        """Values of all series in one period after another, each of the shape (PATHS,)."""

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
        scores = np.empty((len(self.predictives), PATHS, len(self.predictives[0])))
        for place, values in enumerate(self.courses(tpr, fpr, random)):
            for row, value in enumerate(values):
                scores[row, :, place] = self.predictives[row][place].scores(value)
        return Charts(
            band=np.nanmax(abs(scores), axis=(0, 2), initial=0),
            cusum=cusums(scores).max(axis=(0, 2), initial=0),
        )

    @property
    def limits(self) -> Charts:
        """Charts of classifiers that do not change."""
        unchanged = np.zeros(len(self.predictives[0]))
        return self.simulated(tpr=unchanged, fpr=unchanged)


@dataclass(frozen=True)
class _TwoClassModel(_Model):
    """The reference's rates and the sizes of the periods."""

    tpr: Rate
    fpr: Rate
    periods: list[Period]
    metrics: list[Metric]

    def courses(self, tpr: Array, fpr: Array, random: np.random.Generator) -> Iterator[list[Array]]:
        """Values of the metrics."""
        rates = [rate.draw(PATHS, random)[:, None] for rate in (self.tpr, self.fpr)]
        true_tpr, true_fpr = np.clip(rates[0] + tpr, 0, 1), np.clip(rates[1] + fpr, 0, 1)
        for place, period in enumerate(self.periods):
            observed = (
                _observed(period.positives_effective, true_tpr[:, place], random),
                _observed(period.negatives_effective, true_fpr[:, place], random),
            )
            matrix = period.matrix(*observed)
            yield [metric(matrix) for metric in self.metrics]


@dataclass(frozen=True)
class _ClassModel(_Model):
    """The reference's rows and the class sizes of the periods."""

    reference: ClassReference
    periods: list[ClassPeriod]
    measures: list[Measure]

    @classmethod
    def of(
        cls,
        reference: ClassReference,
        periods: list[ClassPeriod],
        measures: list[Measure],
        seed: int,
    ) -> _ClassModel:
        """The model with the distributions of recalls, which are exact, and of measures, which are
        drawn."""
        random = np.random.default_rng([seed, 2])
        rates = reference.draw(PREDICTIVE_DRAWS, random)
        drawn = [period.observed(rates, random) for period in periods]
        recalls = [
            [PredictiveRate(rate, int(period.effective[place])) for period in periods]
            for place, rate in enumerate(reference.recalls)
        ]
        values = [[Drawn(one(matrix)) for matrix in drawn] for one in measures]
        return cls([*recalls, *values], seed, reference, periods, measures)

    def courses(self, tpr: Array, fpr: Array, random: np.random.Generator) -> Iterator[list[Array]]:
        """Recalls of all classes, and values of the measures."""
        rates = self.reference.draw(PATHS, random)
        for place, period in enumerate(self.periods):
            matrix = period.observed(with_moved_recalls(rates, tpr[place]), random)
            yield [*np.moveaxis(matrix.recalls, -1, 0), *(one(matrix) for one in self.measures)]


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
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure],
    reference: Mapping[str, Any] | ConfusionMatrix | MulticlassConfusionMatrix,
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
        A row per period, as from :func:`skewproof.count_slices`; for more than two classes a row
        per period and pair of labels.
    time
        The column with the period: numbers, dates, categories with an order, or text that follows
        a calendar, as "2026-05", "2026-Q2", "Jan" or "12", see
        :func:`skewproof.practice.slices.periods.calendar_places`.
    metrics
        As for :func:`skewproof.explain_change`.
    reference
        Which period to compare with, such as {"month": "2026-05"}, or the confusion matrix of a
        validation set, of which all periods are told apart; a projected matrix is refused. It has
        instances of every class.
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

    For more than two classes the recall of each is watched in place of the two rates, as the series
    "recall of cat", and in place of positives and negatives there is instances. What a measure
    would be in a period is drawn 20,000 times, so that none of its scores is beyond 4.06.

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
    if are_pairs(counts):
        return _watched_classes(counts, time, as_measures(metrics), reference, order, alpha, seed)
    watched = list(dict.fromkeys([METRICS[key] for key in RATES] + as_metrics(metrics)))
    slices, tpr, fpr = _periods_and_reference(counts, time, reference, order)
    periods = _periods(slices)
    predictives = [
        [Predictive(metric, period, tpr, fpr) for period in periods] for metric in watched
    ]
    model = _TwoClassModel(predictives, seed, tpr, fpr, periods, watched)
    limits = thresholds(model.limits, alpha)
    matrix = slices.known
    rates = list(zip(matrix.tpr, matrix.fpr, strict=True))
    sizes = {"positives": slices.positives, "negatives": slices.negatives}
    tables = []
    for metric, row in zip(watched, predictives, strict=True):
        # From rates, as the predictive values are: the same but for rounding, which breaks ties.
        scored = [metric(one.matrix(*both)) for one, both in zip(periods, rates, strict=True)]
        values = {"value": metric(matrix), "scored": np.array(scored)}
        tables.append(_series(slices.keys, metric.key, values, row, limits).assign(**sizes))
    return Drift(pd.concat(tables, ignore_index=True), alpha, *limits, model)


def _watched_classes(
    counts: pd.DataFrame,
    time: str,
    measures: list[Measure],
    reference: Any,
    order: Sequence[Any] | None,
    alpha: float,
    seed: int,
) -> Drift:
    """The same for more than two classes."""
    of_matrix = isinstance(reference, MulticlassConfusionMatrix)
    labels = reference.labels if of_matrix else None
    slices = read_class_slices(counts, reserved=COLUMNS, labels=labels)
    slices = slices.at(_in_order(slices, time, order))
    if of_matrix:
        check_observed_classes(reference, "reference")
        base = reference.counts
    else:
        slices, one = slices.beside(reference)
        lost = [
            label for label, size in zip(one.labels, one.class_sizes[0], strict=True) if not size
        ]
        listed = shortened(", ".join(map(str, lost)), LONGEST_LIST)
        if lost:
            raise ValueError(f"reference = {shown(dict(reference))}: it lacks the class {listed}")
        base = one.worth[0]
    periods = [
        ClassPeriod(sizes, worth.sum(axis=-1).round().astype(np.int64))
        for sizes, worth in zip(slices.class_sizes, slices.worth, strict=True)
    ]
    model = _ClassModel.of(ClassReference(base), periods, measures, seed)
    limits = thresholds(model.limits, alpha)
    rates = MulticlassConfusionMatrix(slices.counts).rates.counts
    matrices = [one.matrix(rate) for one, rate in zip(periods, rates, strict=True)]
    observed = MulticlassConfusionMatrix(slices.counts)
    values = {
        f"recall of {as_text(label)}": {"value": recalls, "scored": recalls}
        for label, recalls in zip(slices.labels, observed.recalls.T, strict=True)
    } | {
        one.key: {"value": one(observed), "scored": np.array([one(each) for each in matrices])}
        for one in measures
    }
    tables = [
        _series(slices.keys, name, of, row, limits).assign(instances=slices.total)
        for (name, of), row in zip(values.items(), model.predictives, strict=True)
    ]
    return Drift(pd.concat(tables, ignore_index=True), alpha, *limits, model)


def _periods_and_reference(
    counts: pd.DataFrame,
    time: str,
    reference: Any,
    order: Sequence[Any] | None,
) -> tuple[Slices, Rate, Rate]:
    """The periods in the order of time, and the reference's rates."""
    slices = read_slices(counts, reserved=COLUMNS)
    slices = slices.at(_in_order(slices, time, order))
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


def _in_order(slices: KeyedSlices, time: str, order: Sequence[Any] | None) -> Rows:
    """The rows of the periods in the order of time.

    Raises
    ------
    ValueError
        If the slices are no periods, or their order is unknown.
    """
    if list(slices.keys) != [time]:
        keys = ", ".join(map(str, slices.keys)) or "none"
        raise ValueError(f"counts have the keys {keys}: expected {shown(time)} alone")
    if slices.keys[time].isna().any():
        raise ValueError(f"counts have a row without {shown(time)}: expected a period in each")
    return time_order(slices.keys[time], time, order)


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
    keys: pd.DataFrame,
    name: str,
    values: Mapping[str, Array],
    predictives: Sequence[Distribution],
    limits: tuple[float, float],
) -> pd.DataFrame:
    """The table of one series, of its values and of the like of them that have a score."""
    band, cusum_threshold = limits
    scored = zip(predictives, values["scored"], strict=True)
    scores = np.array([one.scores(value) for one, value in scored])
    ends = np.array([[one.value_at(score) for score in (0.0, -band, band)] for one in predictives])
    sums = cusums(scores)
    return keys.assign(
        series=name,
        value=values["value"],
        expected=ends[:, 0],
        low=ends[:, 1],
        high=ends[:, 2],
        outside=abs(scores) > band,
        score=scores,
        cusum=sums,
        cusum_alarm=(sums > cusum_threshold) & ~np.isnan(scores),
    )
