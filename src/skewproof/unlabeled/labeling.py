"""Choice of instances to label if positives are rare, and estimates from the labels.

docs/evidence/labeling.md measures the coverage and the width of the intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_confidence,
    expect_number,
    expect_seed,
    expect_whole,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.labels import check_classes, check_pos_label, checked_labels, checked_numbers
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.intervals.label_shift import FEWEST_BINS, fit_of_bins, refuse_other_scores
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.prevalence.prevalence import mixing_share
from skewproof.prevalence.score_bins import ScoreBins, bin_reference, cuts
from skewproof.reporting.summary import Summarized, Summary
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates

if TYPE_CHECKING:
    import pandas as pd

STRATA = 3
"""Number of strata on either side of the cut-off by default."""

MOST_STRATA = 8
"""Most strata on either side; more make no interval narrower."""

LEAST = 5
"""Least number of labels in each stratum by default."""

STUDIES = 200
"""Number of simulated samples whose mean width of the intervals is the expected width."""

STEP = 1e-4
"""Share of a count by which it is varied for a metric's slope."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelPlan(Summarized):
    """Instances to label, with the expected width of the interval from their labels."""

    metric: str
    """Key of the metric that the plan is for."""

    rows: NDArray[Any]
    """The instances to label, in rising order: their places, from 0, or their ids."""

    strata: pd.DataFrame
    """A row for each stratum: called (whether its instances are called positive), lowest and
    highest score, size, labels (the number of instances to label) and guess, the share of positives
    that the plan expects there."""

    stratum: NDArray[np.intp]
    """The stratum of each of `rows`."""

    value: float
    """The metric that the plan expects."""

    width: float
    """Mean width of the interval that the plan expects."""

    random_width: float
    """Expected mean width with as many labels of instances drawn at random from all."""

    confidence: float

    @property
    def labels_called(self) -> int:
        """Number of labels for instances called positive."""
        return int(self.strata.loc[self.strata["called"], "labels"].sum())

    @property
    def labels_not_called(self) -> int:
        """Number of labels for instances called negative, some of which recall and F1 need."""
        return len(self.rows) - self.labels_called

    @property
    def sentence(self) -> str:
        """The plan in words."""
        called, total = self._sizes
        return (
            f"Label {len(self.rows):,} of {total:,} instances: {self.labels_called:,} of the"
            f" {called:,} called positive, and {self.labels_not_called:,} of the"
            f" {total - called:,} called negative, without which recall cannot be estimated. If the"
            f" guesses hold, {self.metric} is {self.value:.3g}, and its {percent(self.confidence)}"
            f" interval is about {self.width:.2g} wide; with as many drawn at random from all,"
            f" {self.random_width:.2g}."
        )

    def to_frame(self, row_id: str = "row") -> pd.DataFrame:
        """Return the instances to label, to be saved, a row each.

        The columns are the place or id, under the given name, the stratum, whether it is called
        positive, the size of its stratum, and the number of its instances to label.
        """
        import pandas as pd

        of_rows = self.strata.iloc[self.stratum]
        return pd.DataFrame(
            {
                row_id: self.rows,
                "stratum": self.stratum,
                "called": of_rows["called"].to_numpy(),
                "stratum_size": of_rows["size"].to_numpy(),
                "stratum_labels": of_rows["labels"].to_numpy(),
            }
        )

    @property
    def _sizes(self) -> tuple[int, int]:
        sizes = self.strata["size"]
        return int(sizes[self.strata["called"]].sum()), int(sizes.sum())

    def __str__(self) -> str:
        return self.sentence

    def summary(self) -> Summary:
        """Return the summary of the plan."""
        tables = {"Strata": self.strata.to_dict("records")}
        title = f"{len(self.rows):,} instances to label"
        return Summary(title, paragraphs=[self.sentence], tables=tables)


@dataclass(frozen=True, repr=False)
class LabeledEstimate:
    """A metric of exactly these instances, with its interval, from labels of some of them."""

    metric: str
    """The metric's key."""

    value: float
    """The metric at the share of positives that the labels of each stratum show; NaN if it is
    undefined there."""

    low: float
    high: float

    undefined: bool
    """True if the metric is undefined at some of the examined shares, which are left out."""

    confidence: float
    """Level of the interval."""

    instances: int
    """Number of instances to which the metric refers."""

    labels_called: int
    """Number of labeled instances that are called positive."""

    labels_not_called: int
    """Number of labeled instances that are called negative."""

    positives_called: int
    """Number of labeled instances called positive that are positive."""

    positives_not_called: int
    """Number of labeled instances called negative that are positive."""

    def __str__(self) -> str:
        value, low, high = in_digits_of_width(self.value, self.low, self.high)
        return (
            f"{self.metric} of these {self.instances:,} instances: {value} ({low} to {high}),"
            f" {percent(self.confidence)}. {self._labels}"
        )

    @property
    def _labels(self) -> str:
        return (
            f"Of the labeled instances, {self.positives_called:,} of {self.labels_called:,}"
            f" called positive are positive, and {self.positives_not_called:,} of"
            f" {self.labels_not_called:,} called negative."
        )

    def __repr__(self) -> str:
        return f"LabeledEstimate({self})"

    def _repr_html_(self) -> str:
        title, _, rest = str(self).partition(". ")
        return Summary(title, paragraphs=[rest]).to_html()


def plan_labels(
    metric: str | Metric,
    scores: ArrayLike,
    *,
    labels: int,
    threshold: float = 0.5,
    reference_true: ArrayLike | None = None,
    reference_scores: ArrayLike | None = None,
    pos_label: Any = 1,
    strata: int = STRATA,
    least: int = LEAST,
    confidence: float = 0.95,
    seed: int = 0,
) -> LabelPlan:
    """Choose which instances to label, to estimate a metric of all of them if positives are rare.

    Instances are put into strata by score, on each side of the cut-off, such that each stratum has
    about the same sum of sqrt(p (1 - p)), where p is the guessed chance of an instance to be
    positive (Dalenius and Hodges 1959). Labels go where they reduce the metric's variance most
    (Neyman 1934), and within a stratum to instances drawn at random. The variance is the expected
    variance of the posterior under Jeffreys' prior, so that no guess of 0 leaves a stratum without
    labels. Bad guesses make the interval wider, but not invalid.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula. It determines where labels are worth most:
        precision needs none among instances called negative, where recall needs most.
    scores
        Scores of all instances, shape (instances,), or their predictions as True and False or 1 and
        0.
    labels
        Number of instances to label.
    threshold
        The cut-off: instances are called positive from this score on.
    reference_true, reference_scores
        Labels and scores (or predictions) of other instances, from which the shares of positives
        are guessed, at the prevalence that `scores` imply. Without them scores are taken as
        probabilities. With predictions, half of those called positive are guessed to be positive,
        and as many positives to be missed as are found.
    pos_label
        Label of the positive class in `reference_true`.
    strata
        Largest number of strata on either side of the cut-off, from 1 to 8.
    least
        Least number of labels in each stratum; if it has fewer instances, all are labeled.
    confidence
        Level of the interval whose width is expected, in (0, 1).
    seed
        Seed of the drawn instances, a whole number of at least 0. With the same seed a plan with
        more labels has all rows of one with fewer.

    Returns
    -------
    The plan, with the expected width of the interval from :func:`skewproof.estimate_from_labels`,
    and the width with as many labels of instances drawn at random from all.

    Raises
    ------
    ValueError
        If nothing or everything is called positive; if the scores are not probabilities and there
        is no reference; if the metric has no finite value at the guesses; if there are fewer labels
        than the strata need, or more than instances; or if an argument is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import plan_labels
    >>> random = np.random.default_rng(0)
    >>> chances = random.beta(0.02, 1, 50_000)  # a fiftieth of the instances are positive
    >>> plan = plan_labels("f1", chances, labels=500)
    >>> len(plan.rows), plan.labels_called + plan.labels_not_called
    (500, 500)
    >>> plan.width < plan.random_width / 2
    True
    """
    metric = as_metric(metric)
    known = checked_numbers(scores, "scores", what="score").astype(np.float64)
    expect(known.ndim == 1, "scores", scores, "scores of one dimension")
    threshold = expect_number("threshold", threshold)
    check_pos_label(pos_label)
    guesses = _guesses(known, threshold, reference_true, reference_scores, pos_label)
    cells = Cells(known, known, np.ones(known.size, dtype=np.intp), guesses)

    def drawn(edges: list[float], chosen: list[NDArray[np.intp]]) -> Drawn:
        place = np.searchsorted(edges, known, side="right")
        rows = np.concatenate(
            [np.flatnonzero(place == stratum)[some] for stratum, some in enumerate(chosen)]
        )
        return Drawn(np.sort(rows), place[np.sort(rows)])

    return planned(
        metric,
        cells,
        threshold,
        drawn,
        labels=labels,
        strata=strata,
        least=least,
        confidence=confidence,
        seed=seed,
    )


class Cells(NamedTuple):
    """Groups of instances that are alike as far as is known, in arrays of the shape (cells,).

    A cell is a single instance or a bin of scores.
    """

    lowest: Array
    """The lowest score."""

    highest: Array
    """The highest score."""

    numbers: NDArray[np.intp]
    """Number of instances, at least 1."""

    guesses: Array
    """Guessed mean chance to be positive."""


class Drawn(NamedTuple):
    """The instances to label, in rising order, with their strata."""

    rows: NDArray[Any]
    stratum: NDArray[np.intp]


def planned(
    metric: Metric,
    cells: Cells,
    threshold: float,
    drawn: Callable[[list[float], list[NDArray[np.intp]]], Drawn],
    *,
    labels: int,
    strata: int,
    least: int,
    confidence: float,
    seed: int,
) -> LabelPlan:
    """Make the plan of :func:`plan_labels` for instances that are known by their cells.

    `drawn` returns the chosen instances, given the scores at which strata begin, except the lowest
    one, and the places of those to label among the instances of each stratum.
    """
    called = cells.lowest >= threshold
    both = bool(called.any() and not called.all())
    expect(both, "threshold", threshold, "scores on both sides of it")
    expect_whole("strata", strata, 1, MOST_STRATA)
    expect_whole("least", least, 1)
    expect_confidence("confidence", confidence)
    expect_seed(seed)
    spread = cells.numbers.astype(np.float64) * np.sqrt(cells.guesses * (1 - cells.guesses))
    lower, upper = (cuts(cells.lowest[side], spread[side], strata) for side in (~called, called))
    edges = [*lower, threshold, *upper]
    place = np.searchsorted(edges, cells.lowest, side="right")
    design = _Design.of(called, cells, place)
    total = int(design.sizes.sum())
    first = np.minimum(min(least, total), design.sizes)
    expected = (
        f"a whole number from {first.sum()}, which {len(first)} strata need, to {total},"
        " the number of instances"
    )
    fits = expect_whole("labels", labels) in range(first.sum(), total + 1)
    expect(fits, "labels", labels, expected)
    numbers = _allocated(design.sizes, design.guesses, design.weights(metric), first, labels)
    chosen = [
        np.random.default_rng([seed, stratum]).permutation(size)[:number]
        for stratum, (size, number) in enumerate(zip(design.sizes, numbers, strict=True))
    ]
    rows, stratum = drawn(edges, chosen)
    width, random_width = design.widths(metric, numbers, confidence, seed)
    return LabelPlan(
        metric=metric.key,
        rows=rows,
        strata=_table(cells, place, design, numbers),
        stratum=stratum,
        value=design.value(metric, design.totals),
        width=width,
        random_width=random_width,
        confidence=float(confidence),
    )


@overload
def estimate_from_labels(
    metric: str | Metric,
    plan: LabelPlan | pd.DataFrame,
    y_true: ArrayLike,
    *,
    pos_label: Any = ...,
    confidence: float = ...,
) -> LabeledEstimate: ...


@overload
def estimate_from_labels(
    metric: list[Any] | tuple[Any, ...],
    plan: LabelPlan | pd.DataFrame,
    y_true: ArrayLike,
    *,
    pos_label: Any = ...,
    confidence: float = ...,
) -> pd.DataFrame: ...


def estimate_from_labels(
    metric: str | Metric | list[Any] | tuple[Any, ...],
    plan: LabelPlan | pd.DataFrame,
    y_true: ArrayLike,
    *,
    pos_label: Any = 1,
    confidence: float = 0.95,
) -> LabeledEstimate | pd.DataFrame:
    """Estimate a metric of all instances of a plan from the labels of those that it chose.

    The interval is for exactly these instances, and assumes nothing about the scores: only that the
    labels are those of the plan's rows, which were drawn at random within strata. Its ends are the
    metric's extremes over the ball of deviations of the strata's shares of positives, as those of
    :func:`skewproof.interval` are over rates. If all instances of a stratum are labeled, its share
    is known. If no labeled instance is positive, its share is from 0 to the upper end of Jeffreys'
    interval.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula; or a list of several.
    plan
        Result of :func:`skewproof.plan_labels`, or a frame of its ``to_frame``.
    y_true
        Labels of the instances ``plan.rows``, or of the frame's rows, in this order.
    pos_label
        Label of the positive class; any other label is negative.
    confidence
        Level of the interval, in (0, 1).

    Returns
    -------
    The value with its interval and the numbers of labels; for a list, a frame with a row for each
    metric, and the same in columns.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If the labels are refused, or their number is not that of the plan's rows; or if an argument
        is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import estimate_from_labels, plan_labels
    >>> random = np.random.default_rng(0)
    >>> chances = random.beta(0.02, 1, 50_000)
    >>> true = random.random(50_000) < chances
    >>> plan = plan_labels("f1", chances, labels=500)
    >>> found = estimate_from_labels("f1", plan, true[plan.rows])
    >>> called = chances >= 0.5
    >>> f1 = 2 * (true & called).sum() / (true.sum() + called.sum())
    >>> bool(found.low < f1 < found.high), found.labels_not_called == plan.labels_not_called
    (True, True)
    """
    expect_confidence("confidence", confidence)
    called, sizes, stratum = _strata(plan)
    true = checked_labels(y_true, "y_true")
    if true.shape != stratum.shape:
        raise ValueError(
            f"y_true has {true.size} labels: expected {stratum.size}, one for each row of the plan"
        )
    check_classes(true, true, pos_label)
    labeled = np.bincount(stratum, minlength=len(sizes)).astype(np.float64)
    hits = np.bincount(stratum[true == pos_label], minlength=len(sizes))
    found = LabeledStrata(called, sizes, labeled[:, np.newaxis], hits[:, np.newaxis].astype(float))

    def estimate(one: Metric) -> LabeledEstimate:
        ends = stratified_estimates(one, found, confidence)
        return LabeledEstimate(
            metric=one.key,
            value=float(ends.values[0]),
            low=float(ends.low[0]),
            high=float(ends.high[0]),
            undefined=bool(ends.undefined[0]),
            confidence=float(confidence),
            instances=int(sizes.sum()),
            labels_called=int(labeled[called].sum()),
            labels_not_called=int(labeled[~called].sum()),
            positives_called=int(hits[called].sum()),
            positives_not_called=int(hits[~called].sum()),
        )

    if isinstance(metric, list | tuple):
        import pandas as pd

        return pd.DataFrame([asdict(estimate(one)) for one in as_metrics(metric)])
    return estimate(as_metric(metric))


def _strata(plan: Any) -> tuple[NDArray[np.bool_], Array, NDArray[np.intp]]:
    """Return whether each stratum is called positive, its size, and the stratum of each row."""
    if isinstance(plan, LabelPlan):
        strata, stratum = plan.strata, plan.stratum
    else:
        columns = set(getattr(plan, "columns", ()))
        is_plan = {"stratum", "called", "stratum_size", "stratum_labels"} <= columns
        expect(is_plan, "plan", plan, "the result of plan_labels, or a frame of its to_frame")
        stratum = plan["stratum"].to_numpy(dtype=np.intp)
        strata = plan.groupby("stratum")[["called", "stratum_size", "stratum_labels"]].first()
        complete = list(strata.index) == list(range(len(strata))) and bool(
            (plan.groupby("stratum").size() == strata["stratum_labels"]).all()
        )
        expect(complete, "plan", f"{len(plan)} rows", "every row that plan_labels chose")
        strata = strata.rename(columns={"stratum_size": "size"})
    called, sizes = strata["called"].to_numpy(dtype=bool), strata["size"].to_numpy(dtype=float)
    return called, sizes, stratum


def _guesses(
    scores: NDArray[np.float64],
    threshold: float,
    reference_true: ArrayLike | None,
    reference_scores: ArrayLike | None,
    pos_label: Any,
) -> Array:
    """Guess the chance of each instance to be positive."""
    if (reference_true is None) != (reference_scores is None):
        raise ValueError("reference_true and reference_scores: expected both, or neither")
    if reference_true is not None and reference_scores is not None:
        bins = bin_reference(
            reference_true, reference_scores, threshold=threshold, pos_label=pos_label
        ).with_scores(scores)
        chances = chances_in_bins(bins)
        return np.asarray(chances[np.searchsorted(bins.edges, scores, side="right")])
    called = scores >= threshold
    if np.isin(scores, (0, 1)).all():
        return np.where(called, PRIOR, chance_missed(called.sum(), (~called).sum()))
    outside = np.flatnonzero((scores < 0) | (scores > 1))
    if outside.size:
        place = outside[0]
        raise ValueError(
            f"scores[{place}] = {scores[place]:g}: expected probabilities from 0 to 1, or a labeled"
            " reference in reference_true and reference_scores"
        )
    return scores


def chances_in_bins(bins: ScoreBins) -> Array:
    """Guess the chance to be positive in each bin, at the prevalence that unlabeled scores imply.

    Raises
    ------
    ValueError
        If the unlabeled scores are not a mixture of those of the reference's two classes.
    """
    if len(bins.positives) >= FEWEST_BINS:
        refuse_other_scores(fit_of_bins(bins))
    total = sum(bins.unlabeled)
    smoothed = [np.array(counts) + PRIOR for counts in bins.counts]
    positive, negative, unlabeled = (counts / counts.sum() for counts in smoothed)
    found = mixing_share(*(some[np.newaxis] for some in (positive, negative, unlabeled)))
    share = np.clip(found[0], 1 / total, 1 - 1 / total)
    return np.asarray(share * positive / (share * positive + (1 - share) * negative))


def chance_missed(called: int, kept: int) -> float:
    """Guess from predictions alone the chance that an instance called negative is positive.

    As many positives are assumed to be missed as are found.
    """
    return min(PRIOR, PRIOR * called / max(kept, 1))


class _Design(NamedTuple):
    """Strata, with the guessed share of positives of each."""

    called: NDArray[np.bool_]
    sizes: NDArray[np.intp]
    guesses: Array

    @classmethod
    def of(cls, called: NDArray[np.bool_], cells: Cells, place: NDArray[np.intp]) -> _Design:
        sizes = np.bincount(place, cells.numbers).astype(np.intp)
        in_stratum = np.bincount(place[called], minlength=len(sizes)) > 0
        return cls(in_stratum, sizes, np.bincount(place, cells.numbers * cells.guesses) / sizes)

    @property
    def sides(self) -> NDArray[np.intp]:
        """Numbers of instances called positive and negative."""
        return np.array([self.sizes[self.called].sum(), self.sizes[~self.called].sum()])

    @property
    def totals(self) -> Array:
        """Positives that are found, and positives that are missed.

        They are kept away from none and all of the instances, where a metric may be undefined.
        """
        positives = self.sizes * self.guesses
        found, missed = positives[self.called].sum(), positives[~self.called].sum()
        return np.clip(np.array([found, missed]), PRIOR, self.sides - PRIOR)

    def value(self, metric: Metric, totals: Array) -> float:
        """Return the metric for given numbers of found and missed positives."""
        (tp, fn), (fp, tn) = totals, self.sides - totals
        return float(metric(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)))

    def weights(self, metric: Metric) -> Array:
        """Return the slope of the metric by the number of positives in each stratum."""
        totals = self.totals
        steps = np.diag(STEP * np.minimum(totals, self.sides - totals))
        slopes = [
            (self.value(metric, totals + step) - self.value(metric, totals - step)) / step.sum()
            for step in steps
        ]
        value = self.value(metric, totals)
        if not np.isfinite([value, *slopes]).all():
            raise ValueError(
                f"{metric.key} is {value} if {totals[0]:.3g} positives are found and"
                f" {totals[1]:.3g} missed: expected a metric with a finite value and slope there"
            )
        return np.where(self.called, abs(slopes[0]), abs(slopes[1]))

    def widths(
        self, metric: Metric, numbers: NDArray[np.intp], confidence: float, seed: int
    ) -> tuple[float, float]:
        """Return mean widths of intervals of simulated samples: by strata, and at random."""
        random = np.random.default_rng([seed, len(numbers)])
        labeled = np.repeat(numbers[:, np.newaxis], STUDIES, axis=1)
        positives = random.binomial(labeled, self.guesses[:, np.newaxis])
        planned = LabeledStrata(self.called, *_floats(self.sizes, labeled, positives))
        called, kept = self.sides
        of_called = random.hypergeometric(called, kept, numbers.sum(), STUDIES)
        labeled = np.array([of_called, numbers.sum() - of_called])
        positives = random.binomial(labeled, (self.totals / self.sides)[:, np.newaxis])
        sides = np.array([True, False])
        drawn = LabeledStrata(sides, *_floats(self.sides, labeled, positives))
        first, second = (
            float(np.nanmean(ends.high - ends.low))
            for ends in (
                stratified_estimates(metric, some, confidence) for some in (planned, drawn)
            )
        )
        return first, second


def _floats(*arrays: NDArray[Any]) -> list[Array]:
    return [array.astype(np.float64) for array in arrays]


def _allocated(
    sizes: NDArray[np.intp],
    guesses: Array,
    weights: Array,
    first: NDArray[np.intp],
    labels: int,
) -> NDArray[np.intp]:
    """Allocate labels to strata.

    After the first ones each label goes where it most reduces the sum of weight² N² V(n), with V(n)
    = (1/n - 1/N) (p + 1/(2n)) (1 - p + 1/(2n)), about the posterior's variance in a stratum of N
    with n labels and a share p of positives. V is convex: the largest reductions are the first ones
    of each stratum.
    """
    left = labels - int(first.sum())
    numbers = first[:, np.newaxis] + np.arange(left + 1)
    there = np.minimum(numbers, sizes[:, np.newaxis])
    share, prior = guesses[:, np.newaxis], PRIOR / there
    variance = (1 / there - 1 / sizes[:, np.newaxis]) * (share + prior) * (1 - share + prior)
    gains = -np.diff((weights * sizes)[:, np.newaxis] ** 2 * variance, axis=1)
    gains[numbers[:, 1:] > sizes[:, np.newaxis]] = -1
    best = np.argsort(-gains, axis=None, kind="stable")[:left]
    chosen = np.unravel_index(best, gains.shape)[0]
    return first + np.bincount(chosen, minlength=len(sizes))


def _table(
    cells: Cells, place: NDArray[np.intp], design: _Design, numbers: NDArray[np.intp]
) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            "called": design.called,
            "lowest": pd.Series(cells.lowest).groupby(place).min().to_numpy(),
            "highest": pd.Series(cells.highest).groupby(place).max().to_numpy(),
            "size": design.sizes,
            "labels": numbers,
            "guess": design.guesses,
        }
    )
