"""Choice of instances to label if positives are rare.

docs/evidence/labeling.md measures the coverage and the width of the intervals from the labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.arguments import expect, expect_confidence, expect_number, expect_whole, seed_of
from skewproof.core.data.arrays import checked_numbers, expect_entries
from skewproof.core.data.labels import check_pos_label
from skewproof.core.metric import Metric
from skewproof.metrics.lookup import as_metric
from skewproof.prevalence.prediction_bins import bin_scores, cut_evenly
from skewproof.unlabeled.frame_labeling import instances_of_frame
from skewproof.unlabeled.label_plans import (
    BOTH,
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


def plan_labels(
    metric: str | Metric,
    predictions: Any,
    *,
    labels: int,
    row_id: str | None = None,
    y_pred: str | tuple[str, str] | None = None,
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

    For two systems on the same instances the plan is for the difference in the metric. Strata are
    then the four pairs of their predictions, since instances on which the systems agree say little.

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
        0; for two systems a tuple of two such arrays of predictions. Or a frame with a row for each
        instance, of an engine that :func:`skewproof.count_slices` takes. Rows without a prediction
        or score are left out, and a warning reports their number.
    labels
        Number of instances to label.
    row_id
        Column of a frame with ids, one per row, that identify the rows to label. Rows are drawn by
        the order of their ids: the same seed gives the same rows on every engine that sorts them
        alike.
    y_pred, y_score
        Column of a frame with the predicted labels, or with the scores; for two systems a tuple of
        two columns of predicted labels.
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
    The plan, with the expected width of the interval for exactly these instances from
    :func:`skewproof.estimate_from_labels` or :func:`skewproof.compare`, and the width with as many
    labels of instances drawn at random from all. Its `rows` are the
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
    >>> plan.width < 0.6 * plan.random_width
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
    cells, threshold, draw, pairs = instances
    if pairs:
        called = np.array([cells.lowest >= 2, cells.lowest % 2 == 1])
        edges = np.unique(cells.lowest)[1:].tolist()
    else:
        called = np.array([cells.lowest >= threshold])
        spread = cells.numbers.astype(np.float64) * np.sqrt(cells.guesses * (1 - cells.guesses))
        lower, upper = (
            cut_evenly(cells.lowest[side], spread[side], strata) for side in (~called[0], called[0])
        )
        edges = [*lower, threshold, *upper]
    both = bool((called.any(axis=1) & ~called.all(axis=1)).all())
    expect(both, "threshold", threshold, "scores on both sides of it")
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
    by_stratum = pd.DataFrame(cells._asdict()).groupby(strata_of_cells)
    ends = {"lowest": by_stratum["lowest"].min(), "highest": by_stratum["highest"].max()}
    width, random_width = design.widths(metric, numbers, confidence, seed)
    return LabelPlan(
        metric=metric.key,
        rows=rows,
        strata=pd.DataFrame(
            {
                **dict(zip(BOTH if pairs else ["called"], design.called, strict=True)),
                **({} if pairs else ends),
                "size": design.sizes,
                "labels": numbers,
                "guess": design.guesses,
            }
        ),
        stratum=stratum,
        value=design.sides.value(metric),
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
    pairs = isinstance(predictions, tuple) and scores.shape[0] == 2 and scores.ndim == 2
    if pairs:
        expect_entries(np.isin(scores, (0, 1)), "predictions", scores, "1 or 0")
        given = threshold is None and reference_true is None
        expect(given, "predictions", "two systems", "neither a threshold nor a reference")
        scores = 2 * scores[0] + scores[1]
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
        any_call = np.minimum(scores, 1) if pairs else scores
        guesses = chances_by_scores(any_call, any_call, any_call, numbers, threshold, "predictions")
    cells = Cells(scores, scores, numbers, guesses)

    def draw(edges: list[float], chosen: list[NDArray[np.intp]]) -> Drawn:
        strata = np.searchsorted(edges, scores, side="right")
        rows = np.concatenate(
            [np.flatnonzero(strata == stratum)[some] for stratum, some in enumerate(chosen)]
        )
        return np.sort(rows), strata[np.sort(rows)]

    return Instances(cells, threshold, draw, pairs)
