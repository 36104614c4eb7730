"""Parts of a change between slices: prevalence and the classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_choice, expect_confidence, expect_number
from skewproof.core.confusion import CELLS
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.parts import RATES_OF_TWO, Change
from skewproof.metrics.lookup import as_metrics
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure, of_two_classes
from skewproof.multiclass.lookup import as_measures
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.slices.many_classes.class_changes import (
    CLASS_COLUMNS,
    common_prevalences,
    explained_classes,
)
from skewproof.slices.many_classes.class_table import are_pairs, read_class_slices
from skewproof.slices.questions import Adjustment, ClassSizes, Question, in_chunks
from skewproof.slices.sentences import sentence
from skewproof.slices.slice_table import Slices, read_slices

CAUSES = ("prevalence", *RATES_OF_TWO, "size")

PARTS = ("difference", "classifier_part", *(f"{cause}_part" for cause in CAUSES))

COLUMNS = (
    *("metric", "value", "low", "high", "reference_value"),
    *(f"{part}{end}" for part in PARTS for end in ("", "_low", "_high")),
    *(f"{cause}_order_{end}" for cause in CAUSES for end in ("min", "max")),
    "value_at_reference_prevalence",
    *(f"value_at_common_prevalence{end}" for end in ("", "_low", "_high")),
    *("p", "p_adjusted", "classifier_p", "classifier_p_adjusted"),
    *("positives", "negatives", "missing", "sentence"),
)
"""Columns of the result beside the keys; not every metric has all of them."""

DEFAULT_NEGLIGIBLE = 0.1
"""Share of a difference up to which a part is negligible in a sentence."""

MOST_SLICES = 40
"""Most slices in a figure, and in a table on a terminal."""

CHUNK = 500
"""Number of slices that are processed together; their arrays fit in a processor's cache."""


def explain_change(
    counts: pd.DataFrame,
    *,
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure],
    reference: Mapping[str, Any] | None = None,
    class_sizes: ClassSizes = "sampled",
    at: At | None = None,
    confidence: float = 0.95,
    adjustment: Adjustment = "holm",
    negligible: float = DEFAULT_NEGLIGIBLE,
) -> pd.DataFrame:
    """Split the difference of a metric between slices into parts of prevalence and of rates.

    A metric is a function of the true positive rate, the false positive rate and the prevalence; a
    few, such as the Laplace estimate, also depend on the number of instances. The difference of a
    slice from its reference is shared out among these by their Shapley values, which sum to it. The
    parts of both rates together are the classifier's. If the rates are the same, all of the
    difference is due to prevalence or to the number of instances.

    Intervals are the extremes over all proportions that deviate from the observed ones, on the
    scale of Jeffreys' limits, by a distance of at most the normal quantile; p is the normal
    probability of the distance at which 0 is reached. docs/evidence/coverage.md measures how often
    they hold.

    Slices are taken as alike but for chance and for what the parts measure. If rates also vary
    between slices for other reasons, the intervals are too narrow. Divide the sizes of the classes
    by the dispersions in `scans` of :func:`skewproof.watch_drift`, and pass the results as
    positives_effective and negatives_effective.

    A measure of more than two classes is a function of the class sizes and of the rates at which
    instances of each class are predicted as each class. There are then two parts: prevalence's,
    that of all class sizes, and the classifier's, that of all rates. If a class has no instances in
    a slice or in its reference, its rates there are taken from the other of the two: its recall
    counts as unchanged.

    Parameters
    ----------
    counts
        A row per slice, as from :func:`skewproof.count_slices`: tp, fp, fn, tn, and columns with
        the keys of the slice. With positives_effective and negatives_effective, intervals are for
        classes of these sizes. For more than two classes a row per slice and pair of labels: true,
        predicted, count, and columns with the keys; with effective, the effective sizes of pairs.
    metrics
        One or several: metrics, keys or names as for :func:`skewproof.get_metric`, or formulas as
        for :func:`skewproof.metrics.parse_metric`. For more than two classes measures, their keys
        or names.
    reference
        Values of keys, such as {"month": "2026-05"}. If there are other keys, each slice is
        compared with the reference that has the same values of these. By default each slice is
        compared with all others together.
    class_sizes
        "sampled" if slices are random samples of populations, whose prevalences are estimated from
        them; "fixed" if class sizes are fixed by design.
    at
        One prevalence at which all slices are also shown: as for :func:`skewproof.interval`, or
        "whole" for that of all slices together. It adds the column value_at_common_prevalence, with
        the ends of its interval. For more than two classes it names each, such as {"cat": .9,
        "dog": .09, "owl": .01}. "population" and "test set" are refused, since they differ between
        slices, and so is a prevalence estimated without labels, which belongs to the rates of its
        own reference. A metric that depends on the number of instances, such as the Laplace
        estimate, uses each slice's own number there.
    confidence
        Level of the intervals, in (0, 1).
    adjustment
        "holm", for the probability of any error among the slices, which is kept as far as p-values
        are exact (docs/evidence/coverage.md), or "benjamini-hochberg", for the share of errors
        among the findings; for each metric. It affects only p-values: each interval
        is that of its slice alone.
    negligible
        Share of a difference, in [0, 1). A sentence says that nearly all of a difference is one
        part if the intervals of the other parts are within this share of it on either side of 0.

    Returns
    -------
    Frame with a row per slice and metric, without the reference: its keys, metric, value, low,
    high, reference_value; difference and, for each of classifier (both rates), prevalence, tpr, fpr
    and size, the part, each with the ends of its interval; for each cause the smallest and largest
    change over the orders of exchange, order_min and order_max; value_at_reference_prevalence; with
    `at`, value_at_common_prevalence and the ends of its interval; p of the difference and
    classifier_p, both also adjusted; positives, negatives, missing if counts have it, and a
    sentence. A slice without positives has no true positive rate, and one without negatives no
    false positive rate. If a metric depends on the missing rate, value, reference_value and
    difference are computed from the counts, all else is NaN, and the sentence says why. p is NaN if
    the difference is.

    For more than two classes there are no columns of tpr, fpr and size, and instances replaces
    positives and negatives. Among the classes whose recall has changed significantly, moved_class
    is the one whose recall changed most; moved_recall and moved_reference_recall are its recalls,
    and moved_p_adjusted is adjusted for all slices and classes. The sentence also names labels that
    occur only in this slice or its reference, and classes without instances. A measure is evaluated
    over the classes that occur in the slice or its reference.

    Raises
    ------
    KeyError
        If there is no such metric (the message suggests the nearest spelling), or several metrics
        have the name (the message lists them).
    ValueError
        If `counts`, `reference` or an option is invalid.

    Examples
    --------
    >>> import textwrap
    >>> import pandas as pd
    >>> from skewproof import explain_change
    >>> counts = pd.DataFrame(
    ...     [("May", 80, 90, 20, 810), ("June", 16, 98, 4, 882)],
    ...     columns=["month", "tp", "fp", "fn", "tn"],
    ... )
    >>> change = explain_change(counts, metrics=["f1"], reference={"month": "May"})
    >>> print(textwrap.fill(change.sentence[0], 88))
    f1 fell by 0.35 (0.23 to 0.47): prevalence -0.35 (-0.44 to -0.26), the classifier 0.00
    (-0.10 to +0.08); the classifier's part cannot be distinguished from 0
    >>> change[["difference", "prevalence_part", "classifier_part"]].round(2).values.tolist()
    [[-0.35, -0.35, 0.0]]

    Three classes:

    >>> months = {"May": [[80, 15, 5], [10, 35, 5], [2, 3, 45]]}
    >>> months["June"] = [[400, 75, 25], [10, 35, 5], [20, 15, 15]]
    >>> pairs = [
    ...     (month, true, predicted, count)
    ...     for month, matrix in months.items()
    ...     for true, row in zip(["cat", "dog", "owl"], matrix)
    ...     for predicted, count in zip(["cat", "dog", "owl"], row)
    ... ]
    >>> counts = pd.DataFrame(pairs, columns=["month", "true", "predicted", "count"])
    >>> change = explain_change(counts, metrics="macro_f1", reference={"month": "May"})
    >>> print(textwrap.fill(change.sentence[0], 88))
    macro_f1 fell by 0.26 (0.18 to 0.34): prevalence -0.09 (-0.12 to -0.06), the classifier
    -0.18 (-0.26 to -0.09); the recall of owl fell most, from 0.90 to 0.30
    """
    expect_choice("class_sizes", class_sizes, get_args(ClassSizes))
    expect_confidence("confidence", confidence)
    expect_choice("adjustment", adjustment, get_args(Adjustment))
    check_negligible(negligible)
    radius = radius_of(confidence)
    if are_pairs(counts):
        measures = as_measures(metrics)
        of_classes = read_class_slices(counts, reserved=CLASS_COLUMNS)
        common = None if at is None else common_prevalences(at, of_classes)
        question = Question(class_sizes, radius, common, adjustment, negligible)
        return explained_classes(measures, of_classes, reference, question)
    chosen = as_metrics(metrics)
    slices = read_slices(counts, reserved=COLUMNS)
    here, there = slices.beside(reference)
    common = None if at is None else _common_prevalence(at, slices)
    question = Question(class_sizes, radius, common, adjustment, negligible)
    tables = [_explained(metric, here, there, question) for metric in chosen]
    table = pd.concat(tables, ignore_index=True)
    columns = [name for name in COLUMNS if name in table and (name != "missing" or name in counts)]
    return table[[*here.keys, *columns]]


def check_negligible(share: float) -> None:
    """Refuse a share that is not in [0, 1)."""
    expect_number("negligible", share, 0, below=1)


def _common_prevalence(at: Any, slices: Slices) -> Prevalence:
    if isinstance(at, str) and at == "whole":
        positives, negatives = slices.positives.sum(), slices.negatives.sum()
        expect(positives > 0 and negatives > 0, "at", at, "slices with instances of both classes")
        return Prevalence.given(float(positives / (positives + negatives)))
    common = Prevalence.given(at).for_two_classes().for_any_rates()
    expect(common.elsewhere, "at", at, 'one prevalence for all slices, such as "1:1000" or "whole"')
    return common


def _explained(metric: Metric, here: Slices, there: Slices, question: Question) -> pd.DataFrame:
    """Build the table of one metric."""
    rows = np.flatnonzero(here.assessable_by(metric) & there.assessable_by(metric))
    with_rates = here.with_rates(), there.with_rates()
    numbers = in_chunks(
        lambda rows: _numbers(metric, with_rates[0].at(rows), with_rates[1].at(rows), question),
        rows,
        CHUNK,
    )
    table = here.keys.assign(metric=metric.key)
    table = table.join(numbers)
    table["value"], table["reference_value"] = (metric(side.matrix) for side in (here, there))
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        table["difference"] = table["difference"].fillna(table["value"] - table["reference_value"])
    table = table.assign(positives=here.positives, negatives=here.negatives, missing=here.missing)
    for name in ("p", "classifier_p"):
        table[f"{name}_adjusted"] = question.adjusted(table[name].to_numpy())
    counts = ({name: getattr(side, name) for name in CELLS} for side in (here, there))
    table["sentence"] = [
        sentence(
            row,
            *of_both,
            alpha=question.alpha,
            negligible=question.negligible,
        )
        for row, *of_both in zip(
            table.to_dict("records"),
            *(pd.DataFrame(columns).to_dict("records") for columns in counts),
            strict=True,
        )
    ]
    return table


def rows_of(slices: Slices, at: Prevalence) -> ClassRows:
    """Return the rows of slices that have both classes."""
    (positives, tp, fp), (negatives, fn, tn) = slices.proportions.hits, slices.proportions.misses
    counts = np.stack([tp, fn, fp, tn], axis=-1).reshape(-1, 2, 2)
    sampled = np.stack([positives, negatives], axis=-1)
    return ClassRows.at(counts, at, TWO_CLASSES, slices.total, sampled)


def _numbers(metric: Metric, here: Slices, there: Slices, question: Question) -> dict[str, Array]:
    """Compute the columns of numbers for slices that have both classes."""
    measure = of_two_classes(metric)
    where = Prevalence.given("population" if question.class_sizes == "sampled" else "test set")
    change = Change(measure, rows_of(here, where), rows_of(there, where), RATES_OF_TWO)
    both = change.proportions
    columns: dict[str, Array] = {}

    def add(name: str, *causes: str) -> None:
        estimates = question.estimate(change.part(*causes), both, change.gradient(*causes))
        columns.update({f"{name}{end}": values for end, values in estimates.items()})

    estimates = change.here.estimates(measure, question.radius)
    columns |= {"low": estimates.low, "high": estimates.high}
    of_coalition = change.values(both.observed, both.slices)
    columns["reference_value"] = of_coalition(())
    add("difference", *change.causes)
    add("classifier_part", *RATES_OF_TWO)
    for cause in change.causes:
        add(f"{cause}_part", cause)
        smallest, largest = change.orders(cause, both.observed)
        columns |= {f"{cause}_order_min": smallest, f"{cause}_order_max": largest}
    others = tuple(cause for cause in change.causes if cause != "prevalence")
    columns["value_at_reference_prevalence"] = of_coalition(others)
    if question.at is not None:
        common = rows_of(here, question.at).estimates(measure, question.radius)
        name = "value_at_common_prevalence"
        columns |= {name: common.values, f"{name}_low": common.low, f"{name}_high": common.high}
    for name, causes in (("p", change.causes), ("classifier_p", tuple(RATES_OF_TWO))):
        columns[name] = question.p(change.part(*causes), both, change.gradient(*causes))
    return columns


def largest_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """Keep at most 40 slices, those with the largest assessable difference in any metric.

    Parameters
    ----------
    changes
        Frame of :func:`skewproof.explain_change`; slices stay in its order.
    """
    number = changes.groupby("metric", sort=False).cumcount()
    size = changes["difference"].abs().where(changes["p"].notna(), -1).groupby(number).max()
    kept = size.sort_values(ascending=False, kind="stable").index[:MOST_SLICES]
    return changes[number.isin(kept)]
