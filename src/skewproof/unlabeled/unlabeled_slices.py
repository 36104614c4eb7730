"""Prevalence and metrics of slices without labels, wherever their data are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import ratio
from skewproof.core.arguments import (
    expect,
    expect_columns,
    expect_confidence,
    expect_flag,
    expect_several,
)
from skewproof.core.data.frames import check_column, fetched, lazy_frame, reached
from skewproof.core.data.label_texts import positive_among, whole_numbers
from skewproof.core.extras import narwhals as nw
from skewproof.core.metric import Metric
from skewproof.intervals.label_shift import fit_of
from skewproof.intervals.metric_interval import interval
from skewproof.intervals.without_labels import PREVALENCE, prevalence_key
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import as_metric_or_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prediction_bins import Bins, PredictionBins, bin_scores
from skewproof.prevalence.prevalence import Estimated
from skewproof.reporting.result_table import ResultTable
from skewproof.slices.counting import count_slices
from skewproof.slices.slice_table import Slices, read_slices
from skewproof.unlabeled.frame_labeling import labeled_scores
from skewproof.unlabeled.prevalence_estimates import prevalences_of

NO_LABEL, GROUP = "skewproof_label", "skewproof_group"
"""Columns that are added to a frame while it is counted."""

DEFAULT_METRICS, DEFAULT_MEASURES = ("f1", "precision"), ("macro_f1", "accuracy")
"""Metrics of two classes, and measures of more, by default."""

LOOKED_AT = 1000
"""Number of rows of the reference whose labels show whether they are text."""

LAST = ("instances", "called", "missing", "fit_p", "sentence")
"""The last columns of the result."""


def score_unlabeled(
    frame: Any,
    reference: Any,
    *,
    y_true: str,
    y_pred: str | None = None,
    y_score: str | None = None,
    threshold: float | None = None,
    by: str | Iterable[str] = (),
    metrics: str | Metric | Measure | Iterable[str | Metric | Measure] | None = None,
    pos_label: Any = None,
    of_instances: bool = False,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Estimate prevalence and metrics of unlabeled predictions from a labeled reference.

    Within each class, unlabeled instances are assumed to look like those of the reference (label
    shift). With `y_pred` the estimate uses the share called positive, as
    :meth:`Prevalence.from_predictions <skewproof.Prevalence.from_predictions>` does. With `y_score`
    it uses the distribution of scores, which is more informative and can be checked, as
    :meth:`Prevalence.from_scores <skewproof.Prevalence.from_scores>` does. With more than two
    labels, the prevalence of each class is estimated from the numbers of instances predicted as
    each.

    Parameters
    ----------
    frame
        Unlabeled predictions, a row each, of an engine that :func:`skewproof.count_slices` takes.
    reference
        Labeled predictions of the same classifier, in a frame like the first.
    y_true
        Column of the reference's labels.
    y_pred, y_score, threshold
        Column of the predicted labels, or of the scores with the cut-off, in both frames.
    by
        Columns of `frame` whose values make a slice.
    metrics
        One or several: measures of any number of classes; for two labels also metrics, keys or
        names, or formulas. By default F1 and precision, or macro F1 and accuracy.
    pos_label
        Label of the positive class; more than two labels are then refused. By default it is 1, or
        the text "1", if there are two labels, and every label is a class if the reference has more.
    of_instances
        True for the metrics of exactly these instances, False for those of the population from
        which they were drawn at random.
    confidence
        Level of the intervals, in (0, 1).

    Returns
    -------
    Frame with a row per slice and metric, prevalences first: the slice's keys, metric, value, low,
    high, instances, called, missing, fit_p, the p-value of the check of fit (NaN if nothing can be
    checked), and a sentence. The first metric is the "prevalence" of a positive class, or, with
    more than two classes, there is a row for each, such as "prevalence of cat". There called is the
    number of instances predicted as the class; it is missing for other metrics. If rates or scores
    must have changed, value and ends are NaN, and the sentence says why.

    Raises
    ------
    KeyError
        If there is no such column or metric.
    ValueError
        If labels, predictions or scores are refused, or the reference lacks a class; for more than
        two labels if there are scores.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import score_unlabeled
    >>> labeled = pd.DataFrame({"y": [1] * 100 + [0] * 900, "p": [1] * 80 + [0] * 911 + [1] * 9})
    >>> production = pd.DataFrame({"p": [1] * 90 + [0] * 1910})
    >>> estimates = score_unlabeled(production, labeled, y_true="y", y_pred="p", metrics="f1")
    >>> estimates[["metric", "value", "low", "high"]].round(2).values.tolist()
    [['prevalence', 0.04, 0.03, 0.06], ['f1', 0.79, 0.68, 0.86]]
    """
    if metrics is not None:
        metrics = (
            [metrics]
            if isinstance(metrics, str | Metric | Measure)
            else expect_several("metrics", metrics, "metrics, their keys or formulas")
        )
        for metric in metrics:  # the reference will show whether there are two classes or more
            as_metric_or_measure(metric)
    expect_confidence("confidence", confidence)
    expect_flag("of_instances", of_instances)
    options: dict[str, Any] = {"y_pred": y_pred, "y_score": y_score, "threshold": threshold}
    keys = [by] if isinstance(by, str) else expect_several("by", by, "names of columns")
    schema = lazy_frame(frame).collect_schema()
    for role, column in (("y_pred", y_pred), ("y_score", y_score)):
        if column is not None:
            check_column(schema, role, column)
    labeled = read_slices(count_slices(reference, y_true=y_true, pos_label=pos_label, **options))
    matrix = MulticlassConfusionMatrix(labeled.counts[0], labeled.labels)
    default = DEFAULT_METRICS if labeled.has_positive_class else DEFAULT_MEASURES
    measures = labeled.measures(default if metrics is None else metrics)
    if labeled.has_positive_class and pos_label is None:
        some = fetched(lazy_frame(reference).select(y_true).head(LOOKED_AT))[y_true]
        pos_label = "1" if any(isinstance(label, str) for label in some) else 1
    bins: PredictionBins | None = None
    if y_score is not None:
        labels = labeled_scores(reference, y_true, None, y_score, pos_label)
        positive = positive_among(pos_label, labels[0])
        bins = bin_scores(*labels, threshold=float(threshold or 0), pos_label=positive)
    counted = _counted(frame, labeled, bins, keys, pos_label, options)
    if bins is None:
        bins = PredictionBins.of_matrix(matrix)
    rows = []
    for key, unlabeled, missing in counted:
        at = Estimated(bins._replace(unlabeled=unlabeled), of_instances)
        sizes = {"instances": at.bins.total, "missing": missing}
        rows += [key | row | sizes for row in _scored(at, matrix, measures, confidence)]
    frame = pd.DataFrame(rows)[[*keys, "metric", "value", "low", "high", *LAST]]
    return ResultTable(frame.astype({"called": "Int64"}))


def _counted(
    frame: Any,
    reference: Slices,
    bins: PredictionBins | None,
    keys: list[str],
    pos_label: Any,
    options: dict[str, Any],
) -> Iterator[tuple[dict[str, Any], Bins, int]]:
    """Count the predictions of each slice by class, or its scores in bins.

    Yields the key of the slice, the numbers of its instances by predicted class and bin, and the
    number of instances without a prediction.

    All instances are labeled positive for the count, so that a single function counts frames of
    every engine: tp are those called positive, and fn those that are not. More than two classes are
    counted like bins, and all are called positive.
    """
    group: nw.Expr | None = None
    classes: Sequence[Any] = reference.labels
    if not reference.has_positive_class:
        group, pos_label, options = nw.col(options["y_pred"]), 1, {"y_pred": NO_LABEL}
    elif bins is not None:
        group, classes = reached(options["y_score"], bins.edges), range(len(bins.edges) + 1)
    added = {NO_LABEL: nw.lit(pos_label)} | ({} if group is None else {GROUP: group})
    rows = lazy_frame(frame).with_columns(**added).to_native()
    by = keys if group is None else [*keys, GROUP]
    counts = count_slices(rows, y_true=NO_LABEL, pos_label=pos_label, by=by, **options)
    slices: Iterable[tuple[Any, pd.DataFrame]] = [((), counts)]
    if keys:
        slices = counts.groupby(keys, sort=False, dropna=False, observed=True)
    for key, some in slices:
        missing = some["missing"].sum()
        if group is None:
            numbers = dict(zip(classes, some[["tp", "fn"]].sum(), strict=True))
        else:
            known = some[GROUP].notna()
            sizes = some["tp"] + some["fn"]
            missing += sizes[~known].sum()
            names = whole_numbers(some.loc[known, GROUP].tolist())
            numbers = dict(zip(names, sizes[known], strict=True))
        for label in numbers:
            expect(label in classes, "y_pred", label, "labels of the reference")
        ordered = [int(numbers.get(label, 0)) for label in classes]
        unlabeled: Bins = tuple((number,) for number in ordered)
        if bins is not None:
            unlabeled = bins.with_counts(ordered).unlabeled
        yield dict(zip(keys, key, strict=True)), unlabeled, int(missing)


def _scored(
    at: Estimated,
    matrix: MulticlassConfusionMatrix,
    metrics: list[Measure],
    confidence: float,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each prevalence and each metric of a slice, refused or not."""
    names = [prevalence_key(at.classes, name) for name in at.classes]
    called: list[Any] = list(at.bins.predicted)
    if at.has_positive_class:
        names, called = names[:1], called[:1]
    names += [metric.key for metric in metrics]
    called += [pd.NA] * len(metrics)
    nothing = dict.fromkeys(("value", "low", "high"), np.nan)
    rows, fit_p = [nothing | {"sentence": "The slice has no predictions."}] * len(names), np.nan
    if at.bins.total:
        fit_p = fit_of(at.bins).p
        try:
            prevalences = prevalences_of(at, confidence)[["value", "low", "high", "sentence"]]
            rows = prevalences.to_dict("records")
            for metric in metrics:
                known = interval(metric, matrix, at=at, confidence=confidence)
                rows.append(
                    {"value": known.value, "low": known.low, "high": known.high}
                    | {"sentence": str(known)}
                )
        except ValueError as error:
            rows = [nothing | {"sentence": f"Refused: {error}."}] * len(names)
    for name, number, row in zip(names, called, rows, strict=True):
        yield {"metric": name, "called": number, "fit_p": fit_p} | row


def check_estimates(
    estimates: pd.DataFrame,
    counts: pd.DataFrame,
    *,
    metrics: Iterable[str | Metric | Measure] | None = None,
) -> pd.DataFrame:
    """Compare estimates without labels with the labels, once they are known.

    Parameters
    ----------
    estimates
        Frame of :func:`score_unlabeled`.
    counts
        Frame of :func:`skewproof.count_slices` of the same slices, with labels.
    metrics
        The metrics or measures of the estimates, if some are not declared by their keys.

    Returns
    -------
    The estimates with two more columns: labeled_value, the prevalence or metric by the labels, and
    inside, whether it lies in the interval (missing if nothing was estimated).

    Raises
    ------
    ValueError
        If `counts` lacks slices of the estimates.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import count_slices, score_unlabeled
    >>> from skewproof.unlabeled import check_estimates
    >>> labeled = pd.DataFrame({"y": [1] * 100 + [0] * 900, "p": [1] * 80 + [0] * 911 + [1] * 9})
    >>> later = pd.DataFrame({"y": [1] * 60 + [0] * 940, "p": [1] * 48 + [0] * 952})
    >>> estimates = score_unlabeled(later, labeled, y_true="y", y_pred="p", metrics="f1")
    >>> checked = check_estimates(estimates, count_slices(later, y_true="y", y_pred="p"))
    >>> checked[["metric", "labeled_value", "inside"]].round(2).values.tolist()
    [['prevalence', 0.06, True], ['f1', 0.89, False]]
    """
    expect_columns("estimates", estimates, ["metric", "value", "low", "high"], "score_unlabeled")
    slices = read_slices(counts)
    names = list(estimates["metric"].unique())
    keys = list(estimates.columns[: estimates.columns.get_loc("metric")])
    expect_columns("counts", counts, keys, "count_slices")
    given = [name for name in names if not _is_prevalence(name)] if metrics is None else metrics
    values: dict[str, Any] = dict.fromkeys(filter(_is_prevalence, names), 0.0)
    values |= {measure.key: measure(slices.matrix) for measure in slices.measures(given)}
    for label, sizes in zip(slices.labels, slices.class_sizes.T, strict=True):
        values[prevalence_key(slices.labels, label)] = ratio(sizes, slices.total)
    by_labels = pd.concat(
        slices.keys[keys].assign(metric=name, labeled_value=values[name]) for name in names
    )
    joined = estimates.merge(by_labels, on=[*keys, "metric"], how="left", validate="one_to_one")
    missing = joined["labeled_value"].isna() & joined["value"].notna()
    expect(not missing.any(), "counts", list(counts.columns), "a row for each slice of estimates")
    inside = (joined["low"] <= joined["labeled_value"]) & (
        joined["labeled_value"] <= joined["high"]
    )
    return joined.assign(inside=inside.where(joined["value"].notna()))


def _is_prevalence(name: str) -> bool:
    return name == PREVALENCE or name.startswith(f"{PREVALENCE} of ")
