"""Dates and sizes of changes of a classifier, apart from prevalence."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.arguments import expect, expect_confidence, expect_number, expect_whole
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.data.label_texts import slice_name
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import check_observed
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.multiclass.against_rest import matrix_of_two
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.reporting.summary import Summarized, Summary
from skewproof.slices.changes import ENDS
from skewproof.slices.group_counts import GroupCounts
from skewproof.slices.over_time.periods import time_order
from skewproof.slices.over_time.watched import EFFECT_COLUMNS, PATHS, Watched, level_of_each
from skewproof.slices.pictures import drift_figure
from skewproof.slices.sentences import class_name, named
from skewproof.slices.slice_table import EFFECTIVE, Slices, are_pairs, group_numbers, read_slices

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PERIOD_COLUMNS = ("series", "value", "expected", "low", "high", "outside", "instances")
"""Columns of a period beside its time."""

SCAN_COLUMNS = ("rate", "before", "largest", "bound", "dispersion", "p", "dependent")

CHANGE_COLUMNS = (
    *("rate", "alarm", "since", "since_first", "since_last", "gradual"),
    *(f"{side}{end}" for side in ("before", "after") for end in ENDS),
)

RESERVED = {*PERIOD_COLUMNS, *SCAN_COLUMNS, *CHANGE_COLUMNS, *EFFECT_COLUMNS}
"""Names that no key may have."""

PERIODS_INSTEAD = "effective sizes, and name the reference's periods"
"""Way out for a reference that is a matrix of weights."""

MOST_PLANNED = 10_000
"""Largest number of planned looks."""

LONGEST_LIST = 1200
"""Most characters of a list of changes, of varying rates, and of unknown rates."""

SEED = 1
"""Seed of the courses from which power is computed."""


@dataclass(frozen=True, repr=False)
class Drift(Summarized):
    """Result of :func:`watch_drift`.

    Attributes
    ----------
    table
        A row per period and series.
    scans
        A row per rate.
    changes
        A row per change of a rate.
    effects
        A row per change and metric.
    alpha
        Probability of any alarm over all series and periods, if nothing but prevalence changes and
        periods vary by chance alone.
    """

    table: pd.DataFrame
    scans: pd.DataFrame
    changes: pd.DataFrame
    effects: pd.DataFrame
    alpha: float
    _watched: Sequence[Watched] = field(repr=False)

    @property
    def time(self) -> Any:
        """Name of the column with the period."""
        return self._watched[0].time

    @property
    def slices(self) -> list[dict[str, Any]]:
        """Keys of each slice; empty if there is only one slice."""
        return [watched.keys for watched in self._watched]

    @property
    def groupings(self) -> list[tuple[str, str]]:
        """The worth of grouped instances for each rate; empty if instances are independent."""
        return [
            (self._of_slice(watched.keys, f"Groups behind {rate}"), str(watched.grouping(rate)))
            for watched in self._watched
            if watched.groups is not None
            for rate in watched.rates
        ]

    @property
    def verdict(self) -> str:
        """Changed rates with their dates and sizes, and unusual variation between periods."""
        sentences = [self._sentence(row) for row in self.changes.to_dict("records")]
        watched = self._watched[0]
        dependent = [
            f"{self._said(row)} differs more than it would in independent periods without a change,"
            " but periods whose rates depend on those of the periods before would differ as much."
            for row in self.scans.to_dict("records")
            if row["dependent"]
        ]
        if sentences:
            text = shortened(" ".join(sentences), LONGEST_LIST)
        else:
            number = self.table[self.time].nunique()
            text = (
                f"No change of any recall in {_numbered(number)} can be distinguished from"
                f" {'periods that depend on each other' if dependent else 'chance'}."
            )
        varying = [
            f"{self._said(row)} varies more between periods than by chance alone"
            f" (p = {row['p']:.2g}): its variance is {row['dispersion']:.2g} times as large,"
            " so that bounds and intervals are wider."
            for row in self.scans.to_dict("records")
            if row["dispersion"] > 1
        ]
        unknown = self.table[self.table["value"].isna()].groupby("series").size()
        lost = [
            f"{_begun(_rate_name(watched, rate))} is unknown in {_numbered(int(unknown[rate]))}"
            f" without instances of {class_name(watched.label(rate))}."
            for rate in watched.rates
            if rate in unknown
        ]
        others = [
            shortened(" ".join(some), LONGEST_LIST) for some in (dependent, varying, lost) if some
        ]
        return " ".join([text, *others])

    def to_frame(self) -> pd.DataFrame:
        """Return the table with a row per period and series."""
        return self.table

    def _sentence(self, row: Mapping[str, Any]) -> str:
        """Describe the change of a rate."""
        before, after = (_with_interval(row, side) for side in ("before", "after"))
        since, first, last = (slice_name([row[f"since{end}"]]) for end in ("", "_first", "_last"))
        way = "fell" if row["after"] < row["before"] else "rose"
        if row["gradual"]:
            return (
                f"{self._said(row)} {way} gradually from {first} to {last}: its mean is {before}"
                f" before {since} and {after} from then on."
            )
        region = f"95 %: {first} to {last}" if first != last else f"95 %: {first} alone"
        return f"{self._said(row)} {way} from {before} to {after} since {since} ({region})."

    def _said(self, row: Mapping[str, Any]) -> str:
        """Name a row's rate at the beginning of a sentence."""
        return self._of_slice(row, _rate_name(self._watched[0], row["rate"]))

    def _of_slice(self, row: Mapping[str, Any], name: str) -> str:
        """Put the name of the row's slice before a name, if there are several slices."""
        keys = self._watched[0].keys
        if not keys:
            return _begun(name)
        return f"{shortened(slice_name([row[key] for key in keys]))}: {name}"

    def summary(self) -> Summary:
        """Return the summary of the result."""
        effects = [
            {
                "change": self._of_slice(row, f"{row['rate']}, {slice_name([row['since']])}"),
                "metric": row["metric"],
                "before": row["before"],
                "after": row["after"],
                "due to the change": _with_interval(row, "part"),
                "due to prevalence": _with_interval(row, "prevalence_part"),
            }
            for row in self.effects.to_dict("records")
        ]
        units = "periods" if self._watched[0].groups is None else "periods and groups"
        return Summary(
            "Drift",
            verdict=self.verdict,
            facts=[
                (
                    "False alarms",
                    f"{self.alpha:g} if the classifier does not change and {units} are independent",
                ),
                *self.groupings,
            ],
            tables={"Effects of the changes on metrics": effects},
        )

    def power(
        self, *, recall: float | Mapping[Any, float] = 0.0, start: int | None = None
    ) -> float:
        """Estimate the probability of an alarm if recalls change in all slices.

        Parameters
        ----------
        recall
            Change that is added to every recall, or changes by class, such as {"positive": -0.1}.
            Recalls are clipped to 0 and 1. A rise of the false positive rate is a fall of the
            recall of "negative".
        start
            Number of periods before the change; by default half of them.

        Examples
        --------
        >>> import pandas as pd
        >>> from skewproof import watch_drift
        >>> month = {"tp": 160, "fp": 250, "fn": 40, "tn": 4750}
        >>> counts = pd.DataFrame([month] * 6).assign(month=range(6))
        >>> drift = watch_drift(counts, time="month", metrics=["f1"])
        >>> small, large = (drift.power(recall={"positive": -fall}) for fall in (0.1, 0.2))
        >>> large > small > drift.alpha
        True
        """
        labels = self._watched[0].periods.labels
        given = recall if isinstance(recall, Mapping) else dict.fromkeys(labels, recall)
        for label, change in given.items():
            expect(label in labels, "recall", recall, f"changes of some of {named(labels)}")
            expect_number("recall", change, -1, 1)
        changes = [given.get(label, 0.0) for label in labels]
        times = self.table[self.time].drop_duplicates().tolist()
        first = len(times) // 2 if start is None else expect_whole("start", start, 0, len(times))
        later = set(times[first:])
        random = np.random.default_rng(SEED)
        quiet = np.ones(PATHS, dtype=bool)
        for watched in self._watched:
            changed = np.array([time in later for time in watched.periods.keys[self.time]])
            for rate, change in zip(watched.rates, changes, strict=True):
                quiet &= ~watched.alarmed(rate, change * changed, random)
        return float(1 - quiet.mean())

    def plot(self) -> Figure:
        """Draw values with the limits of the classifier before any change, and dated rates.

        Returns
        -------
        Figure with a row of panels per series and a column per slice. If there are more than four
        slices, those with the most changes are drawn. The date of a change is shaded over its 95 %
        region.

        Raises
        ------
        MissingExtraError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import pandas as pd
        >>> from skewproof import watch_drift
        >>> month = {"tp": 160, "fp": 250, "fn": 40, "tn": 4750}
        >>> counts = pd.DataFrame([month] * 6).assign(month=range(6))
        >>> drift = watch_drift(counts, time="month", metrics=["f1"])
        >>> len(drift.plot().axes)
        3
        """
        return drift_figure(
            self.table, self.changes, slices=self.slices, time=self.time, alpha=self.alpha
        )


def watch_drift(
    counts: pd.DataFrame,
    *,
    time: str,
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure],
    reference: Mapping[str, Any] | ConfusionMatrix | MulticlassConfusionMatrix | None = None,
    order: Sequence[Any] | None = None,
    alpha: float = 0.05,
    planned: int | None = None,
    groups: str | None = None,
) -> Drift:
    """Find out since when a classifier has changed, whatever prevalence does.

    A metric that depends on prevalence changes even if the classifier does not. Therefore the
    recall of every class is watched; of two classes these are the true positive and the true
    negative rate. A scan compares the periods after each possible date with those before it. It
    needs no reference; a reference helps, and may be short. A detected change is dated and
    measured, and its part in the change of each metric is separated from that of prevalence.
    docs/evidence/watch_power.md measures how often there are alarms with and without a change.

    If the rates vary more between periods than by chance alone, apart from a single change, the
    bound of the scan grows, and intervals are wider. If they do so, and rates that depend on those
    of the periods before, with an autocorrelation of up to .8, would explain the changes, none is
    reported. If a steady rise or fall is likelier than sudden changes, it is reported as gradual.

    Parameters
    ----------
    counts
        A row per period, as from :func:`skewproof.count_slices`: whole numbers, or sums of weights
        with their effective sizes. With other keys there is a row per slice and period. Each slice
        is then watched by itself. For more than two classes there is a row per slice, period and
        pair of labels. The rates are named "recall of cat", or "recall of positive" and "recall of
        negative" of counts tp, fp, fn and tn. The classes as which the misses of a class are
        predicted are not scanned; the limits of a metric show them.
    time
        The column with the period: numbers, dates, categories with an order, or text that follows
        a calendar, such as "2026-05", "2026-Q2", "Jan" or "12", see
        :func:`skewproof.slices.over_time.periods.calendar_places`.
    metrics
        As for :func:`skewproof.explain_change`.
    reference
        One or several periods that are known to be alike, such as {"month": "2026-05"} or
        {"month": ["2026-04", "2026-05"]}, or the confusion matrix of a validation set. They are
        treated as the first periods, and no change is sought among them. By default the first
        period is the reference.
    order
        All periods in the order of time, if text follows no calendar; listed periods may be absent
        from the counts.
    alpha
        Probability of any alarm over all periods, slices and rates, if nothing but prevalence
        changes and periods vary by chance alone, in (0, 1).
    planned
        Number of periods after the reference up to which the watch is repeated with each further
        period, such as 12 for a year of months. Alpha is then the probability of an alarm at any of
        these looks. None for one look at all periods.
    groups
        Column of the group of each row of `counts` if instances belong together, such as the
        patient, as :func:`skewproof.count_slices` adds it. The scan, the dates and the limits take
        the instances of a class in a period as so many independent ones as tell as much about its
        recall there (Kish 1965; Bell and McCaffrey 2002). A group counts as another one in each
        period. If its rates stay alike, so that periods depend on each other, alarms are less
        frequent where groups occur in all periods, and may be more frequent where they occur in
        a few that follow each other. A reference that is a matrix has groups, too.

    Returns
    -------
    A :class:`Drift` with these frames, each with the keys of the slice first if there are any:

    - `changes`, a row per change of a rate: rate; alarm, the period in which the scan exceeded its
      bound; since, the most probable first period of the new rate; since_first and since_last, the
      ends of its 95 % region; gradual; before and after, the rates, with the ends of their
      intervals. After an alarm the scan starts again with the new rate. A gradual change has
      all periods as since_first to since_last, and the mean rates before and after since.
    - `effects`, a row per change and metric: rate, since, metric; before and after, its values; the
      difference, part, the share of it that is due to the rates of this class, and
      prevalence_part, each with the ends of its interval.
    - `scans`, a row per rate: before, the rate before any change; largest, the largest difference
      in standard deviations, and the bound; dispersion, the variance relative to that by chance,
      1 if chance alone is not rejected at .05, and p of that test; dependent, True if changes are
      withheld because periods that depend on each other would explain them.
    - `table`, a row per period and series, which are the rates and the metrics: value; expected,
      low and high, the prediction for the classifier before any change at the period's own
      prevalence and size, with limits that all periods of a series keep with probability 1 - alpha;
      outside, whether the value is outside them; instances. Values that are unknown without
      instances of a class are NaN.

    Raises
    ------
    ValueError
        If `counts`, `time`, `reference` or an option is invalid, or if the order of the periods is
        unknown.

    Examples
    --------
    In the last three of six months the classifier finds fewer positives; in the second there are
    fewer to find:

    >>> import textwrap
    >>> import pandas as pd
    >>> from skewproof import watch_drift
    >>> before, rare, after = [160, 250, 40, 4750], [16, 250, 4, 4750], [110, 250, 90, 4750]
    >>> months = [before, rare, before, after, after, after]
    >>> counts = pd.DataFrame(months, columns=["tp", "fp", "fn", "tn"])
    >>> drift = watch_drift(counts.assign(month=range(6)), time="month", metrics=["f1"])
    >>> print(textwrap.fill(drift.verdict, 88))
    The recall of the positive class fell from 0.800 (0.760 to 0.836) to 0.550 (0.510 to
    0.589) since 3 (95 %: 3 alone).
    >>> drift.effects[["metric", "difference", "part", "prevalence_part"]].round(2).values.tolist()
    [['f1', -0.05, -0.12, 0.07]]
    """
    alpha = expect_confidence("alpha", alpha)
    if planned is not None:
        expect_whole("planned", planned, 1, MOST_PLANNED)
    first = None
    if isinstance(reference, ConfusionMatrix | MulticlassConfusionMatrix):
        first = _matrix_slice(reference)
    slices = read_slices(
        counts,
        reserved=RESERVED,
        labels=None if first is None else first.labels,
        groups=groups,
    )
    if first is not None:
        expected = f"a matrix of the classes {named(slices.labels)}"
        expect(first.labels == slices.labels, "reference", reference, expected)
        if (first.groups is None) != (slices.groups is None):
            lacking = "reference has no groups" if slices.groups else "counts have no groups"
            raise ValueError(f"{lacking}: expected groups of the counts and of the reference")
    names, effective = (["count"], ["effective"]) if are_pairs(counts) else (CELLS, EFFECTIVE)
    if not all(name in counts for name in effective):
        for name in names:
            _expect_whole(name, counts[name], " and ".join(effective))
    of_metrics = slices.measures(metrics)
    courses = _courses(slices, first, time, reference, order)
    can_change = [watched.can_change(rate) for watched in courses for rate in watched.rates]
    level = level_of_each(alpha, max(sum(can_change), 1))
    courses = [replace(watched, planned=planned, level=level) for watched in courses]
    table = pd.concat([watched.table(of_metrics, alpha) for watched in courses], ignore_index=True)
    scans, changes, effects = [], [], []
    for watched in courses:
        for rate, scan in watched.scans.items():
            keys_and_rate = watched.keys | {"rate": rate}
            hits, misses = watched.baseline(rate)
            scans.append(keys_and_rate | vars(scan) | {"before": hits / (hits + misses)})
            for change in scan.changes:
                dated = {
                    "alarm": watched.when(rate, change.alarm),
                    "since": watched.when(rate, change.since),
                    "since_first": watched.when(rate, change.first),
                    "since_last": watched.when(rate, change.last),
                    "gradual": change.gradual,
                }
                for side, rates in (("before", change.before), ("after", change.after)):
                    dated |= {f"{side}{end}": rate for end, rate in zip(ENDS, rates, strict=True)}
                changes.append(keys_and_rate | dated)
                of_change = watched.effects(rate, change, of_metrics).to_dict("records")
                since = {"since": dated["since"]}
                effects += [keys_and_rate | since | row for row in of_change]
    keys = list(courses[0].keys)
    return Drift(
        table,
        pd.DataFrame(scans, columns=[*keys, *SCAN_COLUMNS]),
        pd.DataFrame(changes, columns=[*keys, *CHANGE_COLUMNS]),
        pd.DataFrame(effects, columns=[*keys, "rate", "since", *EFFECT_COLUMNS]),
        alpha,
        courses,
    )


def _matrix_slice(reference: ConfusionMatrix | MulticlassConfusionMatrix) -> Slices:
    """Return a reference that is a matrix as a slice without keys."""
    check_observed(reference, "reference")
    if isinstance(reference, ConfusionMatrix):
        reference = matrix_of_two(reference)
    _expect_whole("reference.counts", reference.counts.ravel(), PERIODS_INSTEAD)
    by_group, groups = reference.by_group, None
    if by_group is not None:
        number = np.arange(len(by_group))
        groups = GroupCounts(by_group, np.array([0, len(by_group)]), number, number[:1])
    return Slices(
        pd.DataFrame(index=[0]),
        tuple(reference.labels),
        reference.counts[np.newaxis],
        reference.class_sizes[np.newaxis],
        np.zeros(1),
        groups,
    )


def _expect_whole(name: str, numbers: ArrayLike, otherwise: str) -> None:
    """Refuse counts that are not whole, since the scan cannot tell of how many instances they are.

    Sums of weights come with effective sizes.
    """
    given = np.asarray(numbers, dtype=float)
    broken = given[given % 1 != 0]
    if broken.size:
        raise ValueError(
            f"{name} = {float(broken[0])}: expected a whole number; for weighted instances use"
            f" count_slices with sample_weight, which adds {otherwise}"
        )


def _courses(
    slices: Slices,
    first: Slices | None,
    time: str,
    reference: Any,
    order: Sequence[Any] | None,
) -> list[Watched]:
    """Build the slices, each with its periods in the order of time."""
    if not isinstance(time, Hashable) or time not in slices.keys:
        keys = ", ".join(map(str, slices.keys)) or "none"
        raise ValueError(f"time = {shown(time)}: expected one of the keys of counts, {keys}")
    times = slices.keys[time]
    if times.isna().any():
        raise ValueError(f"counts have a row without {shown(time)}: expected a period in each")
    known = times.drop_duplicates().reset_index(drop=True)
    rank = {known[row]: number for number, row in enumerate(time_order(known, time, order))}
    rows = np.argsort([rank[value] for value in times], kind="stable")
    is_reference = _reference_rows(slices, time, reference)
    others = [key for key in slices.keys if key != time]
    if first is not None:
        expect(not others, "reference", reference, "periods, since there are several slices")
    course_of = group_numbers(slices.keys[others])
    courses: list[Watched] = []
    for course in range(course_of.max() + 1):
        mine = rows[course_of[rows] == course]
        kept, before = mine[~is_reference[mine]], mine[is_reference[mine]]
        keys = slices.keys[others].iloc[mine[0]].to_dict()
        if not len(kept) or (isinstance(reference, Mapping) and not len(before)):
            where = f" in the slice {shown(keys)}" if keys else ""
            lacking = (
                "a period of the reference"
                if len(kept)
                else "a period in addition to the reference"
            )
            raise ValueError(f"counts have no such row{where}: expected {lacking}")
        known = slices.at(before) if len(before) else first
        courses.append(Watched(keys, time, known, slices.at(kept)))
    return courses


def _reference_rows(slices: Slices, time: str, reference: Any) -> NDArray[np.bool_]:
    """Return which rows are of the periods of a reference."""
    is_reference = np.zeros(len(slices.keys), dtype=bool)
    if reference is None or isinstance(reference, ConfusionMatrix | MulticlassConfusionMatrix):
        return is_reference
    if not isinstance(reference, Mapping) or list(reference) != [time]:
        expected = f"periods, such as {{{shown(time)}: 5}}, or a confusion matrix"
        raise ValueError(f"reference = {shown(reference)}: expected {expected}")
    given = reference[time]
    values = list(given) if isinstance(given, list | tuple | np.ndarray | pd.Index) else [given]
    expect(len(values) > 0, "reference", reference, "at least one period")
    for value in values:
        is_reference |= slices.rows_with(time, value)
    return is_reference


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    """Write a number of a row with its interval."""
    numbers = (row[f"{name}{end}"] for end in ENDS)
    return "{} ({} to {})".format(*in_digits_of_width(*numbers))


def _rate_name(watched: Watched, rate: str) -> str:
    """Name a rate in a sentence."""
    return f"the recall of {class_name(watched.label(rate))}"


def _begun(text: str) -> str:
    """Capitalize a text for the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def _numbered(periods: int) -> str:
    return f"{periods} period{'s' * (periods != 1)}"
