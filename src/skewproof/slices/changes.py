"""Parts of a change between slices: prevalence and the classifier."""

from __future__ import annotations

import math
import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_choice,
    expect_confidence,
    expect_number,
    expect_several,
)
from skewproof.core.data.label_texts import as_text
from skewproof.core.metric import Metric
from skewproof.intervals.estimates import Grouping
from skewproof.intervals.extremes import (
    Function,
    Gradient,
    Proportions,
    Rows,
    distance_to_zero,
    extremes,
    radius_of,
)
from skewproof.intervals.grouped.effective_numbers import few_groups
from skewproof.intervals.parts import Change
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import Measure
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.result_table import ResultTable
from skewproof.sensitivity.sampling.adjustment import benjamini_hochberg, holm
from skewproof.slices.sentences import NO_INSTANCES, WHERE, class_name, named, sentence
from skewproof.slices.slice_table import ClassSizes, Slices, read_slices

Adjustment = Literal["holm", "benjamini-hochberg"]

ENDS = ("", "_low", "_high")

PARTS = ("difference", "classifier_part", "prevalence_part", "size_part")

COLUMNS = (
    *("metric", "value", "low", "high", "sentence", "reference_value"),
    *(f"{part}{end}" for part in PARTS for end in ENDS),
    *("prevalence_order_min", "prevalence_order_max"),
    "value_at_reference_prevalence",
    *(f"value_at_common_prevalence{end}" for end in ENDS),
    *("p", "p_adjusted", "classifier_p", "classifier_p_adjusted"),
    *("moved_class", "moved_recall", "moved_reference_recall", "moved_p_adjusted"),
    *("instances", "missing"),
)
"""Columns of the result beside the keys and the parts of classes."""

GROUPED = ("groups", "effective_instances")
"""Further columns if instances belong together in groups."""

NUMBERS = (
    *("low", "high"),
    *(f"{part}{end}" for part in PARTS for end in ENDS),
    *("prevalence_order_min", "prevalence_order_max", "value_at_reference_prevalence"),
    *("p", "classifier_p"),
)
"""Columns that have values if a measure is defined on a slice and on its reference."""

DEFAULT_NEGLIGIBLE = 0.1
"""Share of a difference up to which a part is negligible in a sentence."""

MOST_SLICES = 40
"""Most slices in a figure, and in a table on a terminal."""

MOST_AT_ONCE = 500
"""Most slices that are processed together; their arrays fit in a processor's cache."""

MOST_CELLS = 2**20
"""Limit of the number of slices that are processed together, times the fourth power of the number
of classes, which is that of the derivatives of cells by proportions."""


@dataclass(frozen=True)
class Question:
    """Settings for the question that is asked of every slice.

    Attributes
    ----------
    class_sizes
        Sampling of the slices.
    radius
        Radius of the ball of deviations, the normal quantile of the confidence.
    at
        Prevalence at which all slices are also shown; None for none.
    adjustment
        Adjustment of p-values for the number of slices.
    negligible
        Share of a difference that is negligible in a sentence.
    """

    class_sizes: ClassSizes = "sampled"
    radius: float = radius_of(0.95)
    at: Prevalence | None = None
    adjustment: Adjustment = "holm"
    negligible: float = DEFAULT_NEGLIGIBLE

    @property
    def alpha(self) -> float:
        """Level below which an adjusted p-value distinguishes a number from 0."""
        return 2 * float(ndtr(-self.radius))

    def estimate(
        self, function: Function, proportions: Proportions, gradient: Gradient | None = None
    ) -> dict[str, Array]:
        """Compute observed values of a function of proportions, with ends of intervals."""
        ends = extremes(function, proportions, self.radius, gradient)
        values = function(proportions.observed, proportions.slices)
        return {"": values, "_low": ends.low, "_high": ends.high}

    def p(
        self, function: Function, proportions: Proportions, gradient: Gradient | None = None
    ) -> Array:
        """Compute the probability of so large a distance from 0; NaN if the value is undefined."""
        p = 2 * ndtr(-distance_to_zero(function, proportions, gradient))
        values = function(proportions.observed, proportions.slices)
        return np.where(np.isnan(values), np.nan, p)

    def adjusted(self, p_values: Array) -> Array:
        """Adjust the known p-values of an array of any shape."""
        known = ~np.isnan(p_values)
        adjusted = np.full(p_values.shape, np.nan)
        if known.any():
            adjust = holm if self.adjustment == "holm" else benjamini_hochberg
            adjusted[known] = adjust(p_values[known])
        return adjusted


def explain_change(
    counts: pd.DataFrame,
    *,
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure],
    reference: Mapping[str, Any] | None = None,
    classes: Iterable[Any] = (),
    class_sizes: ClassSizes = "sampled",
    at: At | None = None,
    confidence: float = 0.95,
    adjustment: Adjustment = "holm",
    negligible: float = DEFAULT_NEGLIGIBLE,
    groups: str | None = None,
) -> pd.DataFrame:
    """Split the difference of a metric between slices into parts of prevalence and of rates.

    A metric of any number of classes is a function of the class sizes and of the rates at which
    instances of each class are predicted as each class. The difference of a slice from its
    reference is shared out between prevalence, which is that of all class sizes, the classifier,
    which is all rates, and, for the few metrics that depend on it, the number of instances. Each
    part is a Shapley value, and they sum to the difference. If the rates are the same, all of the
    difference is due to prevalence or to the number of instances.

    Intervals are the extremes over all proportions that deviate from the observed ones, on the
    scale of Jeffreys' limits, by a distance of at most the normal quantile; p is the normal
    probability of the distance at which 0 is reached. docs/evidence/coverage.md measures how often
    they hold.

    Slices are taken as alike but for chance and for what the parts measure. If rates also vary
    between slices for other reasons, the intervals are too narrow. Divide the effective sizes of
    the classes by the dispersions in `scans` of :func:`skewproof.watch_drift`.

    If a class has no instances in a slice or in its reference, its rates there are taken from the
    other of the two: its recall counts as unchanged, and the sentence says so. A metric that is
    undefined in a slice without them, such as the recall of the class, has no parts there.

    Parameters
    ----------
    counts
        A row per slice, as from :func:`skewproof.count_slices`: tp, fp, fn, tn, and columns with
        the keys of the slice. With positives_effective and negatives_effective, intervals are for
        classes of these sizes. The classes are then named "positive" and "negative". Otherwise a
        row per slice and pair of labels, for any number of classes: true, predicted, count, and
        columns with the keys; with effective, the effective sizes of pairs. Of two labels, 1 or "1"
        is the positive class.
    metrics
        One or several: measures of any number of classes, their keys or names; for two classes,
        also metrics, keys or names as for :func:`skewproof.get_metric`, or formulas as for
        :func:`skewproof.metrics.parse_metric`.
    reference
        Values of keys, such as {"month": "2026-05"}. If there are other keys, each slice is
        compared with the reference that has the same values of these. By default each slice is
        compared with all others together.
    classes
        Names of classes, each of which gets the part that is due to its own rates.
    class_sizes
        "sampled" if slices are random samples of populations, whose prevalences are estimated from
        them; "fixed" if class sizes are fixed by design.
    at
        One prevalence at which all slices are also shown: as for :func:`skewproof.interval`, or
        "whole" for that of all slices together. It adds the column value_at_common_prevalence, with
        the ends of its interval, which is known for slices with instances of every class. For more
        than two classes it names each, such as {"cat": .9, "dog": .09, "owl": .01}. "population"
        and "test set" are refused, since they differ between slices, and so is a prevalence
        estimated without labels, which belongs to the rates of its own reference. A metric that
        depends on the number of instances, such as the Laplace estimate, uses each slice's own
        number there.
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
    groups
        Column of the group of each row of `counts` if instances belong together, such as the
        patient, as :func:`skewproof.count_slices` adds it. Instances of the same group then count
        for less, as for :func:`skewproof.interval`. A group that occurs in a slice and in its
        reference counts as two that are independent. If its rates stay alike, as those of a patient
        may, intervals of the difference and of its parts are too wide.

    Returns
    -------
    Frame with a row per slice and metric, without the reference. Its columns are the same for any
    number of classes:

    - the keys; metric, value, low, high, reference_value;
    - difference, and its parts classifier_part, prevalence_part and size_part, each with the ends
      of its interval in low and high; size_part is 0 for most metrics;
    - for each of `classes`, such as "owl", part_of_owl with the ends of its interval: the mean
      change by the exchange of its rates right before or right after those of all other classes
      together (Owen 1977). The parts of two classes sum to classifier_part;
    - prevalence_order_min and prevalence_order_max, the smallest and largest change over the orders
      in which prevalence and the other causes can be exchanged; value_at_reference_prevalence;
    - with `at`, value_at_common_prevalence with the ends of its interval;
    - p of the difference and classifier_p, each also adjusted;
    - among the classes whose recall has changed significantly, moved_class, whose recall changed
      most; moved_recall and moved_reference_recall, its recalls; and moved_p_adjusted, adjusted for
      all slices and classes;
    - instances, missing, and a sentence. It also names labels that occur only in this slice or its
      reference, and classes without instances;
    - with `groups`, their number in the slice, and effective_instances, the number of independent
      instances that tell as much about the value; the sentence says both.

    A metric is evaluated over the classes that occur in the slice or its reference. If it is
    undefined in one of them, all numbers but the other value are NaN.

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

    The classifier's part by class:

    >>> worse = counts.assign(tp=[80, 50], fp=[90, 45], fn=[20, 50], tn=[810, 855])
    >>> change = explain_change(
    ...     worse, metrics="f1", reference={"month": "May"}, classes=["positive", "negative"]
    ... )
    >>> parts = ["classifier_part", "part_of_positive", "part_of_negative"]
    >>> change[parts].round(2).values.tolist()
    [[-0.08, -0.19, 0.11]]

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
    apart = expect_several("classes", classes, "names of classes")
    taken = {*COLUMNS, *_class_columns(apart), *(() if groups is None else GROUPED)}
    slices = read_slices(counts, reserved=taken, groups=groups, confidence=float(confidence))
    for label in apart:
        known = isinstance(label, Hashable) and label in slices.labels
        expect(known, "classes", label, f"some of {named(slices.labels)}")
    measures = slices.measures(metrics)
    common = None if at is None else _common_prevalence(at, slices)
    question = Question(class_sizes, radius_of(confidence), common, adjustment, negligible)
    return explain_slices(slices, measures, reference, question, classes=apart)


def explain_slices(
    slices: Slices,
    measures: Iterable[Measure],
    reference: Mapping[str, Any] | None,
    question: Question,
    *,
    classes: Sequence[Any] = (),
) -> pd.DataFrame:
    """Build the frame of :func:`skewproof.explain_change` for checked arguments."""
    here, there = slices.beside(reference)
    recalls = _moved_recalls(here, there, question)
    remarks = _remarks(slices, here, there, recalls, one_reference=reference is not None)
    tables = []
    for measure in measures:
        table = _explained(measure, here, there, classes, question).assign(**recalls)
        sentences = zip(table["sentence"], remarks, _worth(table), strict=True)
        table["sentence"] = ["; ".join([said, *more, *worth]) for said, more, worth in sentences]
        tables.append(table)
    table = pd.concat(tables, ignore_index=True)
    split = COLUMNS.index("prevalence_order_min")
    columns = [*COLUMNS[:split], *_class_columns(classes), *COLUMNS[split:]]
    if question.at is None:
        columns = [name for name in columns if not name.startswith("value_at_common")]
    if slices.groups is not None:
        columns += GROUPED
    return ResultTable(table.reindex(columns=[*here.keys, *columns]))


def _worth(table: pd.DataFrame) -> list[list[str]]:
    """State for each row what grouped instances are worth; nothing if they are independent."""
    if "groups" not in table:
        return [[]] * len(table)
    effects = table["instances"] / table["effective_instances"]
    rows = zip(table["groups"], table["instances"], effects, strict=True)
    groupings = [Grouping(groups, instances, effect) for groups, instances, effect in rows]
    return [[] if math.isnan(each.design_effect) else [str(each)] for each in groupings]


def _class_columns(classes: Sequence[Any]) -> list[str]:
    """List the columns with the parts of classes."""
    return [f"part_of_{as_text(label)}{end}" for label in classes for end in ENDS]


def check_negligible(share: float) -> None:
    """Refuse a share that is not in [0, 1)."""
    expect_number("negligible", share, 0, below=1)


def _common_prevalence(at: Any, slices: Slices) -> Prevalence:
    """Return the prevalences at which all slices are also shown.

    Raises
    ------
    ValueError
        If they are not one number for each class, or the same range for all slices.
    """
    if isinstance(at, str) and at == "whole":
        sizes = slices.class_sizes.sum(axis=0)
        expect(bool((sizes > 0).all()), "at", at, "slices with instances of every class")
        return Prevalence.given(dict(zip(slices.labels, sizes / sizes.sum(), strict=True)))
    common = Prevalence.given(at)
    expected = 'one prevalence for all slices, such as "1:1000" or "whole"'
    expect(common.elsewhere, "at", at, expected)
    common.for_classes(_names(common, slices))
    return common


def _names(at: Prevalence, slices: Slices) -> Sequence[Any]:
    """Return the names of the classes by which prevalences are stated."""
    return TWO_CLASSES if at.has_positive_class and slices.has_positive_class else slices.labels


def _explained(
    measure: Measure, here: Slices, there: Slices, apart: Sequence[Any], question: Question
) -> pd.DataFrame:
    """Build the table of one measure; each pair of slices has the classes that occur in it."""
    table = here.keys.assign(metric=measure.key)
    numbers = []
    values = np.full((2, len(table)), np.nan)
    occurring = _at_least_two(here.occurring | there.occurring)
    patterns, group = np.unique(occurring, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        which = np.flatnonzero(pattern)
        rows = np.flatnonzero(group.ravel() == number)
        pairs = [side.at(rows).of_classes(which) for side in (here, there)]
        for value, side in zip(values, pairs, strict=True):
            value[rows] = measure(side.matrix)
        known = ~np.isnan(values[:, rows]).any(axis=0)
        known = np.flatnonzero(known & (pairs[0].total > 0) & (pairs[1].total > 0))
        if known.size:
            at_once = min(MOST_AT_ONCE, max(1, MOST_CELLS // len(which) ** 4))
            chunks = [known[start : start + at_once] for start in range(0, len(known), at_once)]
            find = partial(_numbers, measure, pairs[0], pairs[1], apart, question)
            with ThreadPoolExecutor(os.cpu_count()) as threads:
                frames = [pd.DataFrame(columns) for columns in threads.map(find, chunks)]
            numbers.append(pd.concat(frames, ignore_index=True).set_axis(rows[known]))
    none = pd.DataFrame(columns=NUMBERS, dtype=float)
    table = table.join(pd.concat(numbers) if numbers else none)
    table["value"], table["reference_value"] = values
    # Intervals take a class without instances as next to nothing, at the other side's rates.
    table["low"] = np.minimum(table["low"], table["value"])
    table["high"] = np.maximum(table["high"], table["value"])
    with np.errstate(invalid="ignore"):  # inf less inf is NaN
        table["difference"] = table["difference"].fillna(table["value"] - table["reference_value"])
    if question.at is not None:
        table = table.assign(**_at_common_prevalence(measure, here, question))
    table = table.assign(instances=here.total, missing=here.missing)
    if here.groups is not None:
        sizes = (counts.sum(axis=(1, 2)) for counts in here.groups.of_each)
        table["groups"] = [np.count_nonzero(of_slice) for of_slice in sizes]
    for name in ("p", "classifier_p"):
        table[f"{name}_adjusted"] = question.adjusted(table[name].to_numpy())
    table["sentence"] = [
        sentence(
            row,
            (_why(here, number), _why(there, number)),
            alpha=question.alpha,
            negligible=question.negligible,
        )
        for number, row in enumerate(table.to_dict("records"))
    ]
    return table


def _at_least_two(occurring: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the classes that occur, with others if there are fewer than two."""
    missing = 2 - occurring.sum(axis=1, keepdims=True)
    return occurring | (~occurring & (np.cumsum(~occurring, axis=1) <= missing))


@np.errstate(divide="ignore", invalid="ignore")  # an infinite metric has no derivatives
def _numbers(
    measure: Measure,
    here: Slices,
    there: Slices,
    apart: Sequence[Any],
    question: Question,
    rows: Rows,
) -> dict[str, Array]:
    """Compute the columns of numbers for pairs of slices on which the measure is defined."""
    sides = [side.at(rows).observed(question.class_sizes) for side in (here, there)]
    positions = range(len(here.labels))
    change = Change(measure, sides[0], sides[1], {"classifier": positions})
    side, both = change.here, change.proportions
    columns: dict[str, Array] = {}

    def add(name: str, change: Change, *causes: str) -> None:
        estimates = question.estimate(change.part(*causes), both, change.gradient(*causes))
        columns.update({f"{name}{end}": values for end, values in estimates.items()})

    of_slice = both.some(slice(len(side.proportions.hits)))
    value = question.estimate(side.value(measure), of_slice, side.gradient(measure))
    columns |= {"low": value["_low"], "high": value["_high"]}
    if here.groups is not None:
        columns["effective_instances"] = here.total[rows] / side.design_effects(measure)
    add("difference", change, *change.causes)
    for cause in ("classifier", "prevalence"):
        add(f"{cause}_part", change, cause)
    columns |= {f"size_part{end}": np.zeros(len(rows)) for end in ENDS}
    if "size" in change.causes:
        add("size_part", change, "size")
    for label in apart:
        if label in here.labels:
            position = here.labels.index(label)
            rates = {"class": [position], "others": [*{*positions} - {position}]}
            of_class = replace(change, rates=rates, together=("class", "others"))
            add(f"part_of_{as_text(label)}", of_class, "class")
    smallest, largest = change.orders("prevalence", both.observed)
    columns |= {"prevalence_order_min": smallest, "prevalence_order_max": largest}
    others = tuple(cause for cause in change.causes if cause != "prevalence")
    of_reference = change.value(*others)
    columns["value_at_reference_prevalence"] = of_reference(both.observed, both.slices)
    for name, causes in {"p": change.causes, "classifier_p": ("classifier",)}.items():
        columns[name] = question.p(change.part(*causes), both, change.gradient(*causes))
    return columns


def _at_common_prevalence(measure: Measure, here: Slices, question: Question) -> dict[str, Array]:
    """Compute values of the slices that have instances of every class, NaN for the others."""
    name = "value_at_common_prevalence"
    rows = np.flatnonzero((here.class_sizes > 0).all(axis=1))
    columns = {f"{name}{end}": np.full(len(here.total), np.nan) for end in ENDS}
    if rows.size and question.at is not None:
        some = here.at(rows)
        side = some.elsewhere(question.at, _names(question.at, here))
        estimates = side.estimates(measure, question.radius)
        for end, values in zip(ENDS, estimates, strict=False):
            columns[f"{name}{end}"][rows] = values
    return columns


def _moved_recalls(here: Slices, there: Slices, question: Question) -> dict[str, list[Any]]:
    """Find the class of each slice whose recall changed most, among significant changes.

    p-values are adjusted for all slices and classes.
    """
    shape = here.class_sizes.shape
    sides = (here.worth, there.worth)
    hits = np.array([np.diagonal(worth, axis1=1, axis2=2).ravel() for worth in sides])
    sizes = np.array([worth.sum(axis=-1).ravel() for worth in sides])
    proportions = Proportions(hits, sizes - hits)
    known = np.flatnonzero((sizes > 0).all(axis=0))
    p, recalls = np.full(hits.shape[1], np.nan), np.full(hits.shape, np.nan)
    if known.size:
        some = proportions.at(known)
        recalls[:, known] = some.observed
        p[known] = question.p(lambda shares, _: shares[0] - shares[1], some)
    adjusted = question.adjusted(p).reshape(shape)
    ours, theirs = recalls.reshape(2, *shape)
    significant = np.less(adjusted, question.alpha)
    most = np.where(significant, abs(ours - theirs), -1).argmax(axis=1)
    moved = np.any(significant, axis=1)
    classes = np.full(len(most), None, dtype=object)
    for row in np.flatnonzero(moved):
        classes[row] = here.labels[most[row]]
    numbers = {
        "moved_recall": ours,
        "moved_reference_recall": theirs,
        "moved_p_adjusted": adjusted,
    }
    columns: dict[str, Any] = {
        name: np.where(moved, values[np.arange(len(most)), most], np.nan)
        for name, values in numbers.items()
    }
    return {"moved_class": classes, **columns}


def _remarks(
    slices: Slices,
    here: Slices,
    there: Slices,
    recalls: dict[str, list[Any]],
    *,
    one_reference: bool,
) -> list[list[str]]:
    """Return the remarks on each slice that do not depend on the measure."""
    alone = slices.occurring.sum(axis=0) == 1
    remarks: list[list[str]] = []
    rows = zip(*recalls.values(), strict=True)
    for row, (moved, recall, reference_recall, _) in enumerate(rows):
        said = []
        if moved is not None:
            way = "fell" if recall < reference_recall else "rose"
            decimals = max(2, 1 - math.floor(math.log10(abs(recall - reference_recall))))
            said.append(
                f"the recall of {class_name(moved)} {way} most, from"
                f" {reference_recall:.{decimals}f} to {recall:.{decimals}f}"
            )
        sides = (here, there) if one_reference else (here,)
        for side, whose in zip(sides, ("this slice", "its reference"), strict=False):
            only = _labels_where(here, alone & side.occurring[row])
            if only:
                said.append(f"only {whose} has {named(only)}")
            few = "" if side.groups is None else few_groups(side.groups.of(row), here.labels)
            if few:
                said.append(f"{whose} has {few}")
        sizes = here.class_sizes[row] > 0, there.class_sizes[row] > 0
        for has, other, where in zip(sizes, sizes[::-1], WHERE, strict=True):
            lost = _labels_where(here, ~has & other) if has.any() else []
            if lost:
                said.append(
                    f"no instances of {named(lost)} {where}, so that recall there counts as"
                    " unchanged"
                )
        remarks.append(said)
    return remarks


def _labels_where(slices: Slices, which: NDArray[np.bool_]) -> list[Any]:
    return [slices.labels[position] for position in np.flatnonzero(which)]


def _why(side: Slices, row: int) -> str:
    """Name what is empty in a slice on which a measure is undefined."""
    if not side.total[row]:
        return NO_INSTANCES
    lost = _labels_where(side, side.class_sizes[row] == 0)
    never = _labels_where(side, side.counts[row].sum(axis=0) == 0)
    if lost:
        return f"no instances of {named(lost)}"
    return f"nothing predicted as {named(never)}" if never else "by its formula"


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
