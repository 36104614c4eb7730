"""Prevalence and metrics of slices without labels, wherever their data are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.arguments import (
    expect,
    expect_columns,
    expect_confidence,
    expect_flag,
    expect_several,
)
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.frames import check_column, fetched, lazy_frame, reached
from skewproof.core.label_texts import positive_among, whole_numbers
from skewproof.core.metric import Metric
from skewproof.intervals.estimated_prevalence import prevalence_interval
from skewproof.intervals.estimates import Interval
from skewproof.intervals.label_shift import check_fit
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.lookup import as_metrics
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import as_measures, as_metric_or_measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.score_bins import ScoreBins, bin_reference
from skewproof.slices.counting import count_slices
from skewproof.unlabeled.frame_labeling import labeled_scores
from skewproof.unlabeled.prevalence_estimates import class_prevalences

NO_LABEL, BIN, CLASS = "skewproof_label", "skewproof_bin", "skewproof_class"
"""Columns that are added to a frame while it is counted."""

PREVALENCE = "prevalence"
"""Name of the prevalence among the metrics."""

DEFAULT_METRICS, DEFAULT_MEASURES = ("f1", "precision"), ("macro_f1", "accuracy")
"""Metrics of two classes, and measures of more, by default."""

LOOKED_AT = 1000
"""Number of rows of the reference whose labels show whether they are text."""


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
        One or several: metrics, keys or names, or formulas; for more than two labels measures of
        any number of classes. By default F1 and precision, or macro F1 and accuracy.
    pos_label
        Label of the positive class; more than two labels are then refused. By default it is 1, or
        the text "1", if there are two labels, and every label is a class if the reference has more.
    of_instances
        True for the metrics of exactly these instances, False for those of the population from
        which they were drawn at random. True is for two classes only.
    confidence
        Level of the intervals, in (0, 1).

    Returns
    -------
    Frame with a row per slice and metric, "prevalence" first: the slice's keys, metric, value, low,
    high, instances, called (the number called positive), missing, fit_p, the p-value of the check
    of fit, NaN without scores, and a sentence. If rates or scores must have changed, value and ends
    are NaN, and the sentence says why. More than two classes have a row for each prevalence, such
    as "prevalence of cat", where called is the number predicted as the class; it is missing for
    measures.

    Raises
    ------
    KeyError
        If there is no such column or metric.
    ValueError
        If labels, predictions or scores are refused, or the reference lacks a class; for more than
        two labels if there are scores, or `of_instances` is True.

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
    labeled = count_slices(reference, y_true=y_true, pos_label=pos_label, **options)
    if "true" in labeled:
        measures = as_measures(DEFAULT_MEASURES if metrics is None else metrics)
        return _classes_scored(frame, labeled, y_pred, keys, measures, of_instances, confidence)
    chosen = as_metrics(DEFAULT_METRICS if metrics is None else metrics)
    if pos_label is None:
        pos_label = _positive(reference, y_true)
    (known,) = labeled.to_dict("records")
    matrix = ConfusionMatrix(**{cell: known[cell] for cell in CELLS})
    bins = None
    if y_score is not None:
        labels = labeled_scores(reference, y_true, None, y_score, pos_label)
        positive = positive_among(pos_label, labels[0])
        bins = bin_reference(*labels, threshold=float(threshold or 0), pos_label=positive)
    counts = _counted(frame, bins, keys, pos_label, options)
    rows = []
    for key, some in _groups(counts, keys):
        called, kept, missing = (int(some[column].sum()) for column in ("tp", "fn", "missing"))
        sizes = {"instances": called + kept, "called": called, "missing": missing}
        at = None
        if called + kept and bins is None:
            sample: dict[str, Any] = {"called": called, "total": called + kept}
            at = Prevalence.from_predictions(matrix, **sample, of_instances=of_instances)
        elif called + kept and bins is not None:
            filled = bins._replace(unlabeled=_in_bins(some, len(bins.positives)))
            at = Prevalence.from_bins(filled, of_instances=of_instances)
        rows += [key | row | sizes for row in _scored(at, chosen, confidence)]
    last = ["instances", "called", "missing", "fit_p", "sentence"]
    return pd.DataFrame(rows)[[*keys, "metric", "value", "low", "high", *last]]


def _positive(reference: Any, y_true: str) -> Any:
    """Return 1 in the type of the labels."""
    some = fetched(lazy_frame(reference).select(y_true).head(LOOKED_AT))[y_true]
    return "1" if any(isinstance(label, str) for label in some) else 1


def _classes_scored(
    frame: Any,
    labeled: pd.DataFrame,
    y_pred: str | None,
    keys: list[str],
    measures: list[Measure],
    of_instances: bool,
    confidence: float,
) -> pd.DataFrame:
    """Build the frame of :func:`score_unlabeled` for more than two classes."""
    expect(not of_instances, "of_instances", of_instances, "False for more than two classes")
    pairs = labeled.dropna()
    matrix = MulticlassConfusionMatrix.from_labels(
        pairs["true"].to_numpy(dtype=object),
        pairs["predicted"].to_numpy(dtype=object),
        sample_weight=pairs["count"].to_numpy(),
    )
    rows = []
    for key, some in _groups(_counted_classes(frame, y_pred, keys), keys):
        known = some[some[CLASS].notna()]
        called: dict[Any, int] = dict.fromkeys(matrix.labels, 0)
        called |= dict(zip(whole_numbers(known[CLASS].tolist()), known["tp"].tolist(), strict=True))
        at = None
        if any(called.values()):
            at = Prevalence.from_predictions(matrix, called=called)
        sizes = {"instances": sum(called.values()), "missing": int(some["tp"].sum())}
        sizes["missing"] -= sizes["instances"]
        rows += [
            key | row | sizes for row in _scored_classes(at, matrix, called, measures, confidence)
        ]
    last = ["instances", "called", "missing", "fit_p", "sentence"]
    table = pd.DataFrame(rows)[[*keys, "metric", "value", "low", "high", *last]]
    return table.astype({"called": "Int64"})


def _counted_classes(frame: Any, y_pred: str | None, keys: list[str]) -> pd.DataFrame:
    """Count the instances of each slice that are predicted as each class.

    They are tp, since all are labeled positive and called so for the count.
    """
    import narwhals.stable.v2 as nw

    columns = [nw.lit(1).alias(NO_LABEL), nw.col(str(y_pred)).alias(CLASS)]
    rows = lazy_frame(frame).with_columns(*columns).to_native()
    return count_slices(rows, y_true=NO_LABEL, y_pred=NO_LABEL, pos_label=1, by=[*keys, CLASS])


def _scored_classes(
    at: Prevalence | None,
    matrix: MulticlassConfusionMatrix,
    called: dict[Any, int],
    measures: list[Measure],
    confidence: float,
) -> Iterator[dict[str, Any]]:
    """Yield a row for each class's prevalence and each measure of a slice, refused or not."""
    names = [f"{PREVALENCE} of {label}" for label in called]
    names += [measure.key for measure in measures]
    counts = [*called.values(), *[pd.NA] * len(measures)]
    nothing = dict.fromkeys(("value", "low", "high", "fit_p"), np.nan)
    sentence = "The slice has no predictions."
    if at is not None and at.class_estimate is not None:
        try:
            prevalences = class_prevalences(at.class_estimate, confidence)
            intervals = [
                interval(measure, matrix, at=at, confidence=confidence) for measure in measures
            ]
        except ValueError as error:
            sentence = f"Refused: {error}."
        else:
            columns = ["value", "low", "high", "sentence"]
            rows = [*prevalences[columns].to_dict("records"), *map(_row, intervals)]
            for name, count, row in zip(names, counts, rows, strict=True):
                yield row | {"metric": name, "called": count, "fit_p": np.nan}
            return
    for name, count in zip(names, counts, strict=True):
        yield {"metric": name, "called": count, "sentence": sentence} | nothing


def _counted(
    frame: Any, bins: ScoreBins | None, keys: list[str], pos_label: Any, options: dict[str, Any]
) -> pd.DataFrame:
    """Count the calls of each slice, and of each bin in it: tp for called, fn for not called.

    All instances are labeled positive for the count, so that a single function counts frames of
    every engine.
    """
    import narwhals.stable.v2 as nw

    columns = [nw.lit(pos_label).alias(NO_LABEL)]
    by = list(keys)
    if bins is not None:
        columns.append(reached(options["y_score"], bins.edges).alias(BIN))
        by.append(BIN)
    rows = lazy_frame(frame).with_columns(*columns).to_native()
    return count_slices(rows, y_true=NO_LABEL, pos_label=pos_label, by=by, **options)


def _groups(counts: pd.DataFrame, keys: list[str]) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Yield the rows of each slice, with its keys, in their order."""
    if not keys:
        yield {}, counts
        return
    for key, some in counts.groupby(keys, sort=False, dropna=False, observed=True):
        yield dict(zip(keys, key, strict=True)), some


def _in_bins(counts: pd.DataFrame, bins: int) -> tuple[int, ...]:
    """Count the instances of a slice in each bin; those without a score are in none."""
    known = counts[counts[BIN].notna()]
    sizes = np.zeros(bins, dtype=np.int64)
    np.add.at(sizes, known[BIN].astype(np.int64), known["tp"] + known["fn"])
    return tuple(map(int, sizes))


def _scored(
    at: Prevalence | None, metrics: Iterable[Metric], confidence: float
) -> Iterator[dict[str, Any]]:
    """Yield a row for the prevalence and for each metric of a slice, refused or not."""
    keys = [PREVALENCE, *(metric.key for metric in metrics)]
    nothing = dict.fromkeys(("value", "low", "high"), np.nan)
    if at is None or at.estimate is None:
        sentence = "The slice has no predictions."
        yield from (
            {"metric": key, "fit_p": np.nan, "sentence": sentence} | nothing for key in keys
        )
        return
    estimate = at.estimate
    fit = np.nan if estimate.bins is None else check_fit(estimate).p
    try:
        intervals = [prevalence_interval(estimate, confidence)]
        intervals += [
            interval(metric, estimate.reference, at=estimate, confidence=confidence)
            for metric in metrics
        ]
    except ValueError as error:
        yield from (
            {"metric": key, "fit_p": fit, "sentence": f"Refused: {error}."} | nothing
            for key in keys
        )
        return
    yield from (_row(known) | {"fit_p": fit} for known in intervals)


def _row(known: Interval) -> dict[str, Any]:
    numbers = {"value": known.value, "low": known.low, "high": known.high}
    return {"metric": known.metric, "sentence": str(known)} | numbers


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
    tallied = CELLS if "true" not in getattr(counts, "columns", ()) else ("predicted", "count")
    expect_columns("counts", counts, tallied, "count_slices")
    names = list(estimates["metric"].unique())
    keys = list(estimates.columns[: estimates.columns.get_loc("metric")])
    labeled_values = _labeled_classes if "true" in counts else _labeled_pair
    by_labels = labeled_values(counts, keys, names, metrics)
    joined = estimates.merge(by_labels, on=[*keys, "metric"], how="left", validate="one_to_one")
    missing = joined["labeled_value"].isna() & joined["value"].notna()
    expect(not missing.any(), "counts", list(counts.columns), "a row for each slice of estimates")
    inside = (joined["low"] <= joined["labeled_value"]) & (
        joined["labeled_value"] <= joined["high"]
    )
    return joined.assign(inside=inside.where(joined["value"].notna()))


def _labeled_pair(
    counts: pd.DataFrame, keys: list[str], names: list[str], metrics: Any
) -> pd.DataFrame:
    """Compute the values from labels of two classes: a row for each slice and name."""
    chosen = as_metrics(
        [name for name in names if name != PREVALENCE] if metrics is None else metrics
    )
    matrix = ConfusionMatrix(**{cell: counts[cell].to_numpy() for cell in CELLS})
    by_key = {metric.key: np.broadcast_to(metric(matrix), len(counts)) for metric in chosen}
    by_key[PREVALENCE] = np.asarray(matrix.positives / matrix.total)
    return pd.concat(
        [counts[keys].assign(metric=name, labeled_value=by_key[name]) for name in names]
    )


def _labeled_classes(
    counts: pd.DataFrame, keys: list[str], names: list[str], metrics: Any
) -> pd.DataFrame:
    """Compute the values from labels of more than two classes: a row for each slice and name."""
    shares = [name for name in names if name.startswith(f"{PREVALENCE} of ")]
    chosen = as_measures(
        [name for name in names if name not in shares] if metrics is None else metrics
    )
    pairs = counts.dropna(subset=["true", "predicted"])
    true, predicted = (pairs[column].to_numpy(dtype=object) for column in ("true", "predicted"))
    labels = MulticlassConfusionMatrix.from_labels(true, predicted).labels
    rows = []
    for key, some in _groups(pairs, keys):
        matrix = MulticlassConfusionMatrix.from_labels(
            some["true"].to_numpy(dtype=object),
            some["predicted"].to_numpy(dtype=object),
            labels=labels,
            sample_weight=some["count"].to_numpy(),
        )
        values = dict.fromkeys(shares, 0.0) | {
            measure.key: float(measure(matrix)) for measure in chosen
        }
        for label, size in zip(labels, matrix.class_sizes.tolist(), strict=True):
            values[f"{PREVALENCE} of {label}"] = size / float(matrix.total)
        rows += [key | {"metric": name, "labeled_value": values[name]} for name in names]
    return pd.DataFrame(rows)
