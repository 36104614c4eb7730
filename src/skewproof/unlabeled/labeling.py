"""Choice of instances to label if positives are rare, and estimates from the labels.

docs/evidence/labeling.md measures the coverage and the width of the intervals.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_number, expect_whole, seed_of
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import check_classes, check_pos_label, checked_labels
from skewproof.core.metric import Metric
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.prevalence.prediction_bins import bin_scores, cut_evenly
from skewproof.reporting.summary import Summary
from skewproof.unlabeled.frame_labeling import instances_of_frame
from skewproof.unlabeled.label_plans import (
    CALLED,
    LEAST,
    MOST_STRATA,
    STRATA,
    Cells,
    Design,
    Drawn,
    Instances,
    LabelPlan,
    allocated,
    chances_by_scores,
    chances_in_bins,
)
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates


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
            f" {percent(self.confidence)}. Of the labeled instances, {self.positives_called:,} of"
            f" {self.labels_called:,} called positive are positive, and"
            f" {self.positives_not_called:,} of {self.labels_not_called:,} called negative."
        )

    def __repr__(self) -> str:
        return f"LabeledEstimate({self})"

    def _repr_html_(self) -> str:
        title, _, rest = str(self).partition(". ")
        return Summary(title, paragraphs=[rest]).to_html()


def plan_labels(
    metric: str | Metric,
    predictions: Any,
    *,
    labels: int,
    row_id: str | None = None,
    y_pred: str | None = None,
    y_score: str | None = None,
    threshold: float | None = None,
    reference: Any = None,
    y_true: str | None = None,
    reference_true: ArrayLike | None = None,
    reference_scores: ArrayLike | None = None,
    pos_label: Any = 1,
    strata: int = STRATA,
    least: int = LEAST,
    confidence: float = 0.95,
    rng: int | np.random.Generator = 0,
) -> LabelPlan:
    """Choose which instances to label, to estimate a metric of all of them if positives are rare.

    Instances are put into strata by score, on each side of the cut-off, such that each stratum has
    about the same sum of sqrt(p (1 - p)), where p is the guessed chance of an instance to be
    positive (Dalenius and Hodges 1959). Labels go where they reduce the metric's variance most
    (Neyman 1934), and within a stratum to instances drawn at random. The variance is the expected
    variance of the posterior under Jeffreys' prior, so that no guess of 0 leaves a stratum without
    labels. Bad guesses make the interval wider, but not invalid.

    The data of a frame stay where they are. Its scores are counted in bins, so that strata begin at
    one of about a hundred scores.

    Parameters
    ----------
    metric
        The metric, its key or name, or a formula. It determines where labels are worth most:
        precision needs none among instances called negative, where recall needs most.
    predictions
        Scores of all instances, shape (instances,), or their predictions as True and False or 1 and
        0. Or a frame with a row for each instance, of an engine that
        :func:`skewproof.count_slices` takes. Rows without a prediction or score are left out, and a
        warning reports their number.
    labels
        Number of instances to label.
    row_id
        Column of a frame with ids, one per row, that identify the rows to label. Rows are drawn by
        the order of their ids: the same seed gives the same rows on every engine that sorts them
        alike.
    y_pred, y_score
        Column of a frame with the predicted labels, or with the scores.
    threshold
        The cut-off: instances are called positive from this score on; by default 0.5. None with
        `y_pred`.
    reference, y_true
        Labeled predictions of the same classifier for other instances, in a frame like the first,
        and the column of their labels. The shares of positives are guessed from them, at the
        prevalence that `predictions` imply. Without a reference scores are taken as probabilities.
        With predictions, half of those called positive are guessed to be positive, and as many
        positives to be missed as are found.
    reference_true, reference_scores
        The same for an array: labels and scores (or predictions) of other instances.
    pos_label
        Label of the positive class in the reference, and in the column `y_pred`.
    strata
        Largest number of strata on either side of the cut-off, from 1 to 8.
    least
        Least number of labels in each stratum; if it has fewer instances, all are labeled.
    confidence
        Level of the interval whose width is expected, in (0, 1).
    rng
        Seed of the drawn instances, a whole number of at least 0, or a generator. With the same
        seed a plan with more labels has all rows of one with fewer.

    Returns
    -------
    The plan, with the expected width of the interval from :func:`skewproof.estimate_from_labels`,
    and the width with as many labels of instances drawn at random from all. Its `rows` are the
    positions of the instances, or the ids of a frame's rows, in rising order.

    Raises
    ------
    TypeError, KeyError
        If a frame is not of such an engine, or there is no such column or metric.
    ValueError
        If nothing or everything is called positive; if the scores are not probabilities and there
        is no reference; if the metric has no finite value at the guesses; if there are fewer labels
        than the strata need, or more than instances; if an id is missing or repeated; if a column
        is named without a frame; or if an argument is out of its range.

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

    A frame:

    >>> import pandas as pd
    >>> calls = pd.DataFrame({"called": [1] * 40 + [0] * 1960}).rename_axis("id").reset_index()
    >>> plan = plan_labels("f1", calls, row_id="id", y_pred="called", labels=100)
    >>> len(plan.rows), plan.labels_called
    (100, 18)
    """
    metric = as_metric(metric)
    check_pos_label(pos_label)
    expect_whole("labels", labels)
    expect_whole("strata", strata, 1, MOST_STRATA)
    expect_whole("least", least, 1)
    expect_confidence("confidence", confidence)
    seed = seed_of(rng)
    if hasattr(type(predictions), "columns"):
        arrays = {"reference_true": reference_true, "reference_scores": reference_scores}
        for name, array in arrays.items():
            expect(array is None, name, array, "None for a frame, which takes reference and y_true")
        instances = instances_of_frame(
            predictions, row_id, y_pred, y_score, threshold, reference, y_true, pos_label
        )
    else:
        columns = {"row_id": row_id, "y_pred": y_pred, "y_score": y_score, "y_true": y_true}
        for name, given in (columns | {"reference": reference}).items():
            expect(given is None, name, given, "None, unless predictions are a frame")
        instances = _instances_of_array(
            predictions, threshold, reference_true, reference_scores, pos_label
        )
    cells, threshold, draw = instances
    called = cells.lowest >= threshold
    both = bool(called.any() and not called.all())
    expect(both, "threshold", threshold, "scores on both sides of it")
    spread = cells.numbers.astype(np.float64) * np.sqrt(cells.guesses * (1 - cells.guesses))
    lower, upper = (
        cut_evenly(cells.lowest[side], spread[side], strata) for side in (~called, called)
    )
    edges = [*lower, threshold, *upper]
    strata_of_cells = np.searchsorted(edges, cells.lowest, side="right")
    design = Design.of(called, cells, strata_of_cells)
    total = int(design.sizes.sum())
    first = np.minimum(min(least, total), design.sizes)
    expected = (
        f"a whole number from {first.sum()}, which {len(first)} strata need, to {total},"
        " the number of instances"
    )
    expect(labels in range(first.sum(), total + 1), "labels", labels, expected)
    numbers = allocated(design.sizes, design.guesses, design.weights(metric), first, labels)
    chosen = [
        np.random.default_rng([seed, stratum]).permutation(size)[:number]
        for stratum, (size, number) in enumerate(zip(design.sizes, numbers, strict=True))
    ]
    rows, stratum = draw(edges, chosen)
    width, random_width = design.widths(metric, numbers, confidence, seed)
    return LabelPlan(
        metric=metric.key,
        rows=rows,
        strata=pd.DataFrame(
            {
                "called": design.called,
                "lowest": pd.Series(cells.lowest).groupby(strata_of_cells).min().to_numpy(),
                "highest": pd.Series(cells.highest).groupby(strata_of_cells).max().to_numpy(),
                "size": design.sizes,
                "labels": numbers,
                "guess": design.guesses,
            }
        ),
        stratum=stratum,
        value=design.value(metric, design.totals),
        width=width,
        random_width=random_width,
        confidence=float(confidence),
    )


def _instances_of_array(
    predictions: ArrayLike,
    threshold: float | None,
    reference_true: ArrayLike | None,
    reference_scores: ArrayLike | None,
    pos_label: Any,
) -> Instances:
    """Return instances whose scores or predictions are in an array, each a cell of its own."""
    scores = checked_numbers(predictions, "predictions", what="score").astype(np.float64)
    expect(scores.ndim == 1, "predictions", predictions, "scores of one dimension")
    threshold = CALLED if threshold is None else expect_number("threshold", threshold)
    numbers = np.ones(scores.size, dtype=np.intp)
    if (reference_true is None) != (reference_scores is None):
        raise ValueError("reference_true and reference_scores: expected both, or neither")
    if reference_true is not None and reference_scores is not None:
        bins = bin_scores(
            reference_true, reference_scores, threshold=threshold, pos_label=pos_label
        ).with_scores(scores)
        guesses = chances_in_bins(bins)[np.searchsorted(bins.edges, scores, side="right")]
    else:
        guesses = chances_by_scores(scores, scores, scores, numbers, threshold, "predictions")
    cells = Cells(scores, scores, numbers, guesses)

    def draw(edges: list[float], chosen: list[NDArray[np.intp]]) -> Drawn:
        strata = np.searchsorted(edges, scores, side="right")
        rows = np.concatenate(
            [np.flatnonzero(strata == stratum)[some] for stratum, some in enumerate(chosen)]
        )
        return Drawn(np.sort(rows), strata[np.sort(rows)])

    return Instances(cells, threshold, draw)


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
    >>> estimate = estimate_from_labels("f1", plan, true[plan.rows])
    >>> called = chances >= 0.5
    >>> f1 = 2 * (true & called).sum() / (true.sum() + called.sum())
    >>> bool(estimate.low < f1 < estimate.high)
    True
    >>> estimate.labels_not_called == plan.labels_not_called
    True
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
    strata = LabeledStrata(called, sizes, labeled[:, np.newaxis], hits[:, np.newaxis].astype(float))

    def estimate(metric: Metric) -> LabeledEstimate:
        ends = stratified_estimates(metric, strata, confidence)
        return LabeledEstimate(
            metric=metric.key,
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
        return pd.DataFrame([asdict(estimate(each)) for each in as_metrics(metric)])
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
