"""Estimates of metrics from labels of some of the rows.

docs/evidence/labels_coverage.md and docs/evidence/labeling.md measure how often the intervals hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypedDict, Unpack, overload

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc
from scipy.stats import hypergeom, rankdata

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_columns, expect_confidence, expect_flag
from skewproof.core.data.arrays import checked_numbers, expect_equal_lengths
from skewproof.core.data.labels import check_classes, checked_labels
from skewproof.core.metric import Metric
from skewproof.intervals.estimates import in_digits_of_width, percent
from skewproof.intervals.without_labels import PREVALENCE
from skewproof.metrics.lookup import as_metric, as_metrics
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.prevalence.projection import stated_prevalence
from skewproof.reporting.result_table import ResultTable
from skewproof.reporting.summary import Summarized, Summary
from skewproof.unlabeled.label_plans import SIDES
from skewproof.unlabeled.labeled_strata import (
    POSITIVE,
    LabeledStrata,
    labeled_value,
    stratified_estimates,
)

PREDICTIONS = "predictions"
"""Word for strata that are the predictions alone."""

MOST_CELLS = 16
"""Most cells of strata and predictions."""

FEWEST = 5
"""Fewest labels of an estimate, and the labels that an empty stratum is said to need."""

UNLIKELY = 0.001
"""Probability below which labels are no random draw."""

TABLE = ("called", "size", "labels", "positives")
ROWS = ("called", "size", "instances", "stratum", "y_true")
"""Columns of a table of strata, and of a plan's rows with their labels."""


@dataclass(frozen=True, repr=False)
class LabeledEstimate(Summarized):
    """A metric with its interval, from labels of some of the rows."""

    metric: str
    """The metric's key; "prevalence" for the share of positives."""

    value: float
    """The metric at the share of positives that the labels of each stratum show; NaN if it is
    undefined there."""

    low: float
    high: float

    undefined: bool
    """True if the metric is undefined at some of the examined shares, which are left out."""

    confidence: float
    """Level of the interval."""

    where: str
    """The rows, population or prevalence for which the metric holds, in words."""

    instances: int
    """Number of all rows."""

    labels_called: int
    """Number of labeled instances that are called positive."""

    labels_not_called: int
    """Number of labeled instances that are called negative."""

    positives_called: int
    """Number of labeled instances called positive that are positive."""

    positives_not_called: int
    """Number of labeled instances called negative that are positive."""

    remark: str = ""
    """Further remark on the interval, in a sentence."""

    def __str__(self) -> str:
        value, low, high = in_digits_of_width(self.value, self.low, self.high)
        remark = f" {self.remark}" if self.remark else ""
        return (
            f"{self.metric} = {value} ({low} to {high}) {self.where},"
            f" {percent(self.confidence)}. Of the labeled instances, {self.positives_called:,} of"
            f" {self.labels_called:,} called positive are positive, and"
            f" {self.positives_not_called:,} of {self.labels_not_called:,} called negative.{remark}"
        )

    def __repr__(self) -> str:
        return f"LabeledEstimate({self})"

    def summary(self) -> Summary:
        """Return the summary of the estimate."""
        title, _, rest = str(self).partition(". ")
        return Summary(title, paragraphs=[rest])


class _Options(TypedDict, total=False):
    """Options of :func:`estimate_from_labels`."""

    y_score: ArrayLike | None
    check_draw: bool
    of_instances: bool
    at: At
    groups: ArrayLike | None
    pos_label: Any
    confidence: float


@overload
def estimate_from_labels(
    metric: str | Metric,
    y_true: Any,
    y_pred: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    **options: Unpack[_Options],
) -> LabeledEstimate: ...


@overload
def estimate_from_labels(
    metric: list[Any] | tuple[Any, ...],
    y_true: Any,
    y_pred: ArrayLike | None = ...,
    strata: ArrayLike | None = ...,
    **options: Unpack[_Options],
) -> pd.DataFrame: ...


def estimate_from_labels(
    metric: str | Metric | list[Any] | tuple[Any, ...],
    y_true: Any,
    y_pred: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    *,
    y_score: ArrayLike | None = None,
    check_draw: bool = True,
    of_instances: bool = False,
    at: At = "population",
    groups: ArrayLike | None = None,
    pos_label: Any = 1,
    confidence: float = 0.95,
) -> LabeledEstimate | pd.DataFrame:
    """Estimate a metric from predictions of all rows and labels of some of them.

    A classifier or a judge, such as a language model, predicts every row, and some rows are labeled
    by who knows the truth: a random sample of all rows, or of the rows of each stratum, such as all
    alarms and a tenth of a percent of the rest (partial verification). Nothing is assumed about the
    predictions.

    The share of positives in each cell, a stratum with one prediction, has Jeffreys' prior. For the
    population the cells' weights are uncertain, too. For exactly these rows only the unlabeled ones
    are, and a cell with all of its labels is known. The ends of the interval are the metric's
    extremes over the ball of deviations of these shares, as those of :func:`skewproof.interval` are
    over rates. If no labeled row of a cell is positive, its share is from 0 to about the upper end
    of Beta(1, n), for n labels. docs/evidence/labels_coverage.md measures the coverage.

    Parameters
    ----------
    metric
        The metric of two classes, its key or name, or a formula; "prevalence" for the share of
        positives; or a list of several.
    y_true
        Labels of all rows, shape (rows,), where the missing ones are NaN, None, pandas.NA or
        masked. Or, without `y_pred`, a frame of pandas: a table of strata with the columns called
        (True or False), size, labels and positives, and a row for each stratum and prediction; or
        the ``to_frame`` of :func:`skewproof.plan_labels` with a column y_true.
    y_pred
        Predicted labels, or verdicts, of all rows, shape (rows,).
    strata
        What the labels were drawn by if not by prediction alone: a value for each row, such as the
        bin of a score or a hospital, shape (rows,). With the predictions they make at most 16
        cells.
    y_score
        Scores of all rows, shape (rows,). If those of labeled rows differ from a random draw in
        their cell (p < .001), the estimate is refused.
    check_draw
        False to proceed although they differ.
    of_instances
        True for the metric of exactly these rows, False for that of their population.
    at
        "population", or a stated prevalence, such as .001 or "1:1000": there the classifier is
        assumed to keep its true and false positive rate.
    groups
        Refused, since rows that belong together were not measured.
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
        If there is no such metric of two classes, or several have the name.
    ValueError
        If labels are refused, or are of more than two classes; if there are fewer than five labels,
        or more than 16 cells; if a cell on which the metric depends was left out of the draw; if
        labels differ from a random draw; or if an argument is out of its range.

    Examples
    --------
    A judge passes 840 of 1,000 answers, and a person checks 100 of them:

    >>> import numpy as np
    >>> from skewproof import estimate_from_labels
    >>> random = np.random.default_rng(0)
    >>> true = random.random(1000) < 0.7
    >>> passed = np.where(true, random.random(1000) < 0.95, random.random(1000) < 0.5)
    >>> checked = random.permutation(1000) < 100
    >>> labels = np.where(checked, true, np.nan)
    >>> share = estimate_from_labels("prevalence", labels, passed)
    >>> round(passed.mean(), 2), share.low < 0.7 < share.high
    (np.float64(0.8), True)

    Of 10,000 transactions all 200 alarms are checked, and 500 of the others:

    >>> import pandas as pd
    >>> table = pd.DataFrame(
    ...     [[True, 200, 200, 150], [False, 9800, 500, 3]],
    ...     columns=["called", "size", "labels", "positives"],
    ... )
    >>> print(estimate_from_labels("precision", table, of_instances=True))
    precision = 0.75 (0.75 to 0.75) of these 10,000 instances, 95 %. Of the labeled instances, 150 \
of 200 called positive are positive, and 3 of 500 called negative.
    """
    metrics = as_metrics(metric) if isinstance(metric, list | tuple) else [as_metric(metric)]
    expect_confidence("confidence", confidence)
    expect_flag("of_instances", of_instances)
    expect_flag("check_draw", check_draw)
    expect(groups is None, "groups", groups, "None: rows in groups were not measured here")
    share = share_at(at, metrics)
    if hasattr(y_true, "columns"):
        given = {"y_pred": y_pred, "strata": strata, "y_score": y_score}
        for name, value in given.items():
            expect(value is None, name, value, "None beside a table, which has the strata")
        cells = _cells_of_table(y_true, pos_label)
    else:
        expect(y_pred is not None, "y_pred", y_pred, "predictions of all rows")
        scores = y_score if check_draw else None
        cells = count_cells([y_true], [y_pred], strata, pos_label, scores)
    block = cells.block(of_instances)
    called, labels = block.called[0], cells.labels

    def estimate(metric: Metric) -> LabeledEstimate:
        remark = remark_on_cells(metric, [cells], [block], share)
        ends = stratified_estimates(metric, [block], confidence, share)
        where = "of these" if of_instances else "of the population of these"
        where = f"{where} {int(cells.sizes.sum()):,} instances"
        return LabeledEstimate(
            metric=key_of(metric),
            value=float(ends.values[0]),
            low=float(ends.low[0]),
            high=float(ends.high[0]),
            undefined=bool(ends.undefined[0]),
            confidence=float(confidence),
            where=where if share is None else Prevalence.given(at).where,
            instances=int(cells.sizes.sum()),
            labels_called=int(labels[called].sum()),
            labels_not_called=int(labels[~called].sum()),
            positives_called=int(labels[called, 0].sum()),
            positives_not_called=int(labels[~called, 0].sum()),
            remark=remark,
        )

    estimates = list(map(estimate, metrics))
    return ResultTable(map(asdict, estimates)) if isinstance(metric, list | tuple) else estimates[0]


def share_at(at: Any, metrics: Sequence[Metric]) -> float | None:
    """Return the share of positives of a stated prevalence; None for that of the population.

    Raises
    ------
    ValueError
        If the prevalence is another one, or if a metric is the prevalence itself.
    """
    if isinstance(at, str) and at == "population":
        return None
    expected = '"population", since it is the prevalence that is estimated'
    expect(all(metric.key != "base_rate" for metric in metrics), "at", at, expected)
    return float(stated_prevalence(at).share)


class Cells(NamedTuple):
    """Rows that are predicted alike and stand in the same stratum."""

    called: NDArray[np.bool_]
    """True where a system calls the rows of a cell positive, shape (systems, cells)."""

    sizes: Array
    """Numbers of rows, shape (cells,)."""

    labels: Array
    """Numbers of labeled rows by truth, shape (cells, truths)."""

    strata: NDArray[np.intp]
    """Number of the stratum by which labels were drawn, shape (cells,)."""

    def block(self, of_instances: bool) -> LabeledStrata:
        """Return the cells as a single sample."""
        return LabeledStrata(
            self.called, self.sizes[np.newaxis], self.labels[np.newaxis], of_instances
        )


def _cells_of_table(table: pd.DataFrame, pos_label: Any) -> Cells:
    """Return the cells of a table of strata, or of a plan's rows."""
    if "positives" in table:
        counts = table
    else:
        expect_columns("y_true", table, ROWS, f"plan_labels, or with {', '.join(TABLE)}")
        (labels,), known = _known([table["y_true"]])
        check_classes(labels[known], labels[known], pos_label)
        rows = table.assign(labels=known, positives=known & (labels == pos_label))
        counts = rows.groupby(["stratum", "called"], as_index=False).agg(
            {"size": "first", "instances": "first", "labels": "sum", "positives": "sum"}
        )
        complete = counts["size"].sum() == counts["instances"].iloc[0]
        expect(complete, "y_true", f"{len(table)} rows", "every row that plan_labels chose")
    expect_columns("y_true", counts, TABLE, f"strata with the columns {', '.join(TABLE)}")
    called = checked_numbers(counts["called"], "called")
    sizes, labels, positives = (
        checked_numbers(counts[name], name).astype(np.float64) for name in TABLE[1:]
    )
    ordered = (positives >= 0) & (positives <= labels) & (labels <= sizes) & (sizes > 0)
    whole = all((some % 1 == 0).all() for some in (sizes, labels, positives))
    fits = whole and bool(ordered.all()) and set(called.tolist()) <= {0, 1}
    expected = "called as True or False and whole numbers 0 <= positives <= labels <= size"
    expect(fits, "y_true", f"{len(counts)} strata", expected)
    strata = counts["stratum"] if "stratum" in counts else np.zeros(len(counts))
    by_truth = np.stack([positives, labels - positives], axis=-1)
    return _checked(
        Cells(called[np.newaxis] == 1, sizes, by_truth, pd.factorize(np.asarray(strata))[0])
    )


def count_cells(
    truths: Sequence[ArrayLike],
    predictions: Sequence[Any],
    strata: Any,
    pos_label: Any,
    y_score: ArrayLike | None = None,
) -> Cells:
    """Count the rows of each stratum and prediction, and their labels by truth.

    Parameters
    ----------
    truths
        Labels, some of them missing: those that all systems share, or of each system.
    predictions
        Predicted labels of each system.
    strata
        Stratum of each row; None or "predictions" for none but the predictions.
    pos_label
        Label of the positive class.
    y_score
        Scores that labeled rows must not differ in; None for none.

    Raises
    ------
    ValueError
        If labels, predictions, strata or scores are refused.
    """
    labels, known = _known(truths)
    calls = [checked_labels(some, "y_pred") for some in predictions]
    if strata is None or (isinstance(strata, str) and strata == PREDICTIONS):
        strata = np.zeros(len(known))
    given = np.asarray(strata)
    named = {f"predictions {position}": call for position, call in enumerate(calls)}
    expect_equal_lengths(y_true=known, strata=given, **named)
    expect(
        not bool(pd.isna(given).any()), "strata", "missing in some rows", "a stratum of each row"
    )
    for label in labels:
        for call in calls:
            check_classes(label[known], call, pos_label)
    stratum = pd.factorize(given)[0]
    code = stratum
    for call in calls:
        code = 2 * code + (call == pos_label)
    _, first, cell = np.unique(code, return_index=True, return_inverse=True)
    expected = f"strata that make at most {MOST_CELLS} cells with the predictions, such as bins"
    expect(len(first) <= MOST_CELLS, "strata", f"{len(first)} cells", expected)
    if y_score is not None:
        _check_draw(checked_numbers(y_score, "y_score"), cell, known)
    truth = np.zeros(len(known), dtype=np.intp)
    for label in labels:
        truth = 2 * truth + (label != pos_label)
    number = 2 ** len(labels)
    counts = np.bincount(number * cell[known] + truth[known], minlength=number * len(first))
    called = np.array([call[first] == pos_label for call in calls])
    sizes = np.bincount(cell).astype(np.float64)
    by_truth = counts.reshape(-1, number).astype(np.float64)
    return _checked(Cells(called, sizes, by_truth, stratum[first]))


def with_missing(labels: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Return labels as an array, and where there are any.

    Examples
    --------
    >>> with_missing(["ill", None, float("nan")])[1].tolist()
    [True, False, False]
    """
    if isinstance(labels, np.ma.MaskedArray):
        masked, labels = np.ma.getmaskarray(labels), np.array(labels.data, dtype=object)
        labels[masked] = None
    plain = np.asarray(labels, dtype=None if hasattr(labels, "dtype") else object)
    return plain, ~pd.isna(plain)


def _known(truths: Sequence[Any]) -> tuple[list[NDArray[Any]], NDArray[np.bool_]]:
    """Return labels as arrays, and where they are known.

    Raises
    ------
    ValueError
        If there are fewer than five labels, or a row has the label of one system alone.
    """
    arrays, known = [], []
    for values in truths:
        plain, there = with_missing(values)
        expect(plain.ndim == 1, "y_true", plain.shape, "labels of one dimension")
        number = int(np.count_nonzero(there))
        expect(number >= FEWEST, "y_true", f"{number} labels", f"at least {FEWEST} labeled rows")
        labels = plain.astype(object)
        labels[there] = checked_labels(plain[there].tolist(), "y_true")
        arrays.append(labels)
        known.append(there)
    expect_equal_lengths(**{f"y_true[{i}]": some for i, some in enumerate(known)})
    alone = np.count_nonzero(known[0] != known[-1])
    expect(
        not bool(alone), "y_true", f"{alone} rows with one of two labels", "both labels or neither"
    )
    return arrays, known[0]


def _checked(cells: Cells) -> Cells:
    """Refuse fewer than five labels, and many cells."""
    labels = int(cells.labels.sum())
    expect(labels >= FEWEST, "y_true", f"{labels} labels", f"at least {FEWEST} labeled rows")
    number = len(cells.sizes)
    expect(number <= MOST_CELLS, "y_true", f"{number} cells", f"at most {MOST_CELLS}")
    return cells


def _check_draw(scores: Array, cell: NDArray[np.intp], known: NDArray[np.bool_]) -> None:
    """Refuse labels whose scores differ from a random draw within their cells.

    The squared standardized rank sums of the cells (Wilcoxon 1945, with ties) add up to about a
    chi-squared variable.
    """
    expect_equal_lengths(y_true=known, y_score=scores)
    squares = []
    for position in range(cell.max() + 1):
        ranks, drawn = rankdata(scores[cell == position]), known[cell == position]
        number, size = np.count_nonzero(drawn), len(drawn)
        if 0 < number < size and np.ptp(ranks) > 0:
            variance = number * (size - number) / size * ranks.var(ddof=1)
            squares.append((ranks[drawn].sum() - number * (size + 1) / 2) ** 2 / variance)
    p = float(chdtrc(len(squares), sum(squares))) if squares else 1.0
    if p < UNLIKELY:
        raise ValueError(
            f"the scores of labeled rows differ from a random draw within strata (p = {p:.2g}):"
            " expected labels drawn at random, strata= that they were drawn by, or"
            " check_draw=False to proceed"
        )


def remark_on_cells(
    metric: Metric, all_cells: Sequence[Cells], blocks: Sequence[LabeledStrata], at: float | None
) -> str:
    """Return a remark on cells without labels or positives, on which the metric depends.

    Raises
    ------
    ValueError
        If a cell has no labels although it was not left out by chance.
    """
    remarks = []
    for position, cells in enumerate(all_cells):
        labeled = cells.labels.sum(axis=1)
        matters = [_depends(metric, blocks, position, cell, at) for cell in range(len(labeled))]
        for cell in np.flatnonzero((labeled == 0) & matters):
            alike = cells.strata == cells.strata[cell]
            size, of_stratum = int(cells.sizes[cell]), int(cells.sizes[alike].sum())
            drawn = int(labeled[alike].sum())
            by_chance = hypergeom(of_stratum, size, drawn).pmf(0) if drawn else 0.0
            if by_chance < UNLIKELY:
                raise ValueError(
                    f"{metric.key} depends on {size:,} rows {_words(cells.called[:, cell])} of"
                    f" which none is labeled: expected at least {min(FEWEST, size)} labels of them"
                )
            remarks.append(
                f"None of {size:,} rows {_words(cells.called[:, cell])} is labeled: their share of"
                " positives has its prior."
            )
        for called, true in zip(cells.called, POSITIVE[cells.labels.shape[1]], strict=False):
            missed = ~called & (labeled > 0) & matters
            if missed.any() and not (cells.labels[missed] @ true).any():
                remarks.append(
                    f"None of {int(labeled[missed].sum()):,} labeled rows called negative is"
                    f" positive: {metric.key} is weakly identified."
                )
    return " ".join(dict.fromkeys(remarks))


def _words(called: NDArray[np.bool_]) -> str:
    return SIDES[tuple(called.tolist())]


def _depends(
    metric: Metric,
    blocks: Sequence[LabeledStrata],
    position: int,
    cell: int,
    at: float | None,
) -> bool:
    """Return whether a metric depends on the truths in a cell, at shares that differ by cell."""
    numbers = []
    for block in blocks:
        cells, truths = block.labels.shape[1:]
        shares = 1 + np.outer(np.arange(1, cells + 1), np.arange(truths)) % 5
        numbers.append(block.sizes[..., np.newaxis] * shares / shares.sum(axis=1, keepdims=True))
    before = labeled_value(metric, blocks, numbers, at)
    numbers[position][:, cell] = numbers[position][:, cell, ::-1].copy()
    return not np.isclose(before, labeled_value(metric, blocks, numbers, at), rtol=1e-12).all()


def key_of(metric: Metric) -> str:
    """Return the metric's key, and "prevalence" for the share of positives."""
    return PREVALENCE if metric.key == "base_rate" else metric.key
