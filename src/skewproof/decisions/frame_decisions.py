"""Cut-offs and net benefits from frames, wherever their data are.

Only counts of bins of scores are fetched.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_several
from skewproof.core.frames import (
    check_column,
    fetched,
    lazy_frame,
    reached,
    unless_nan,
    warn_of_copies,
)
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.curves.bins import DEFAULT_BINS, check_both, count_scores
from skewproof.curves.counts import ScoreCounts
from skewproof.decisions.net_benefit import Bands, Grid, check_name
from skewproof.decisions.promised_threshold import PromisedThreshold, Question, promised
from skewproof.prevalence.prevalence import At, Prevalence

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw

TRUE, BIN, NUMBER = "true", "bin", "number"


def choose_threshold_in_frame(
    frame: Any,
    *,
    y_true: str,
    y_score: str,
    at: At,
    require: str | Sequence[str],
    maximize: str | Metric = "recall",
    confidence: float = 0.95,
    per: float | None = None,
    start: float | Literal["everywhere"] | None = None,
    bins: int = DEFAULT_BINS,
    pos_label: Any = 1,
) -> PromisedThreshold:
    """Choose a cut-off that meets requirements, with a promise, from a frame of any engine.

    This is :func:`skewproof.choose_threshold` for a frame whose data stay where they are. The
    scores are counted in bins as by :func:`skewproof.count_scores`, and the smallest score of each
    bin is a cut-off. The counts at these cut-offs and the tests of the requirements are exact: the
    labels do not determine the bins, and the promise holds as it does for arrays. The result is
    that of :func:`skewproof.choose_threshold` for scores lowered to the smallest of their bin.

    Bins only narrow the choice, since no cut-off within a bin is tested. If each bin has a single
    score, nothing is lost. Otherwise a cut-off within a bin may be better than the tested ones next
    to it. Its true positive rate differs from theirs by at most the share of the positives in that
    bin, and its false positive rate by at most the share of the negatives.

    Parameters
    ----------
    frame
        Predictions, a row each, of an engine that :func:`skewproof.count_slices` takes.
    y_true
        Column of the true labels, of two classes, which were not used to train the classifier. Rows
        without a label are left out.
    y_score, bins
        Column of the scores and number of bins, as for :func:`skewproof.count_scores`. Rows whose
        score is null or NaN are left out.
    at, require, maximize, confidence, per, start
        As for :func:`skewproof.choose_threshold`. The tests begin at the lowest cut-off that is at
        least `start`.
    pos_label
        Label of the positive class.

    Raises
    ------
    TypeError, KeyError, MissingExtraError
        As :func:`skewproof.count_slices`.
    KeyError, FormulaError, ValueError
        As :func:`skewproof.choose_threshold` and :func:`skewproof.count_scores`.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from skewproof import choose_threshold_in_frame
    >>> y_true = np.repeat([1, 0], [200, 2000])
    >>> scores = np.random.default_rng(0).normal(3 * y_true)
    >>> frame = pd.DataFrame({"y": y_true, "score": scores})
    >>> columns = {"y_true": "y", "y_score": "score"}
    >>> wanted = {"at": "1:100", "require": "precision >= 0.5"}
    >>> print(choose_threshold_in_frame(frame, **columns, **wanted))
    Calling scores of at least 2.686 positive meets precision >= 0.5 at 1:100, with 95 % \
confidence, if instances are independent and the classifier keeps its rates. Observed there: \
recall 0.645 (0.577 to 0.709).
    """
    question = Question.of(at, require, maximize, confidence, per)
    found = count_scores(frame, y_true=y_true, y_score=y_score, bins=bins, pos_label=pos_label)
    return promised_of_bins(question, found, start)


def promised_of_bins(
    question: Question, bins: pd.DataFrame, start: float | Literal["everywhere"] | None
) -> PromisedThreshold:
    """Choose the cut-off from the result of :func:`skewproof.count_scores`.

    Raises
    ------
    ValueError
        As :func:`skewproof.choose_threshold`.
    """
    counts = ScoreCounts(
        *(np.append(0.0, bins[side].to_numpy().cumsum()) for side in ("positives", "negatives"))
    )
    lowest, highest = (bins[end].to_numpy(dtype=np.float64) for end in ("low", "high"))
    return promised(question, counts, lowest, highest, start)


def decision_curve_in_frame(
    frame: Any,
    *,
    y_true: str,
    p: str | Sequence[str],
    at: At = "population",
    thresholds: Any = None,
    trained: At | None = None,
    confidence: float = 0.95,
    simultaneous: bool = False,
    pos_label: Any = 1,
    seed: int = 0,
) -> pd.DataFrame:
    """Compute the net benefit of models over threshold probabilities, from a frame of any engine.

    This is :func:`skewproof.decision_curve` for a frame whose data stay where they are. The engine
    counts the positives and negatives with a probability from each threshold to the next. The rates
    at the thresholds follow exactly from these counts: nothing is approximated, and more thresholds
    only cost time.

    Parameters
    ----------
    frame
        Predictions, a row each, of an engine that :func:`skewproof.count_slices` takes. They are
        read once for all models and once for each.
    y_true
        Column of the true labels, of two classes. Rows without a label are left out.
    p
        Column of the probabilities of the positive class, in [0, 1], or several columns, one per
        model. They are taken as float64. Rows in which one of them is null or NaN are left out.
    at, thresholds, trained, confidence, simultaneous, seed
        As for :func:`skewproof.decision_curve`.
    pos_label
        Label of the positive class.

    Returns
    -------
    The frame of :func:`skewproof.decision_curve`; models have the names of their columns.

    Raises
    ------
    TypeError, KeyError, MissingExtraError
        As :func:`skewproof.count_slices`.
    ValueError
        If labels are refused or a class is missing; a probability is outside [0, 1]; or as
        :func:`skewproof.decision_curve`.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import decision_curve_in_frame
    >>> p = [0.9, 0.7, 0.2, 0.6, 0.3, 0.2, 0.1, 0.1]
    >>> frame = pd.DataFrame({"y": [1, 1, 1, 0, 0, 0, 0, 0], "forest": p})
    >>> curve = decision_curve_in_frame(frame, y_true="y", p="forest", thresholds=[0.25, 0.5])
    >>> curve[["model", "threshold", "net_benefit"]].round(3).values.tolist()[:3]
    [['forest', 0.25, 0.167], ['forest', 0.5, 0.125], ['treat all', 0.25, 0.167]]
    """
    bands = Bands.of(confidence, simultaneous, seed)
    where = Prevalence.given(at).for_two_classes().for_any_rates()
    models = [p] if isinstance(p, str) else expect_several("p", p, "one or several columns")
    single = all(isinstance(model, Hashable) for model in models)
    different = single and len(set(models)) == len(models) > 0
    expect(different, "p", p, "one or several different columns")
    for model in models:
        check_name(model)
    rows = _known(lazy_frame(frame), y_true, models)
    grid = Grid.of(where, _sizes(rows, models, pos_label), thresholds, trained)
    called = {
        model: _called(rows, place, grid, pos_label) for place, model in enumerate(map(str, models))
    }
    warn_of_copies(lazy_frame(frame), (y_true, *models))
    return grid.curves(called, bands)


def _name(place: int) -> str:
    return f"p{place}"


def _known(frame: nw.LazyFrame[Any], y_true: str, models: list[str]) -> nw.LazyFrame[Any]:
    """Select label and probabilities under fixed names, of rows that have all of them."""
    import narwhals.stable.v2 as nw

    schema = frame.collect_schema()
    check_column(schema, "y_true", y_true)
    columns = [nw.col(y_true).alias(TRUE)]
    for place, model in enumerate(models):
        check_column(schema, "p", model)
        columns.append(unless_nan(nw.col(model).cast(nw.Float64)).alias(_name(place)))
    names = [TRUE, *map(_name, range(len(models)))]
    return frame.select(*columns).filter(*(~nw.col(name).is_null() for name in names))


def _sizes(rows: nw.LazyFrame[Any], models: list[str], pos_label: Any) -> tuple[int, int]:
    """Count positives and negatives."""
    import narwhals.stable.v2 as nw

    ends = [
        end
        for name in map(_name, range(len(models)))
        for end in (
            nw.col(name).min().alias(f"{name}_low"),
            nw.col(name).max().alias(f"{name}_high"),
        )
    ]
    found = fetched(rows.group_by(TRUE).agg(nw.len().alias(NUMBER), *ends))
    check_both(found[TRUE].to_numpy(dtype=object), pos_label)
    for place, model in enumerate(models):
        low, high = (found[f"{_name(place)}_{end}"] for end in ("low", "high"))
        outside = float(low.min() if low.min() < 0 else high.max())
        expect(0 <= outside <= 1, f"p[{shown(model)}]", outside, "probabilities from 0 to 1")
    positives, negatives = _by_class(found, pos_label)
    return int(positives[NUMBER].sum()), int(negatives[NUMBER].sum())


def _called(rows: nw.LazyFrame[Any], place: int, grid: Grid, pos_label: Any) -> tuple[Array, Array]:
    """Count the positives, and the negatives, that a model calls positive at each cut-off."""
    import narwhals.stable.v2 as nw

    edges = np.sort(grid.cutoffs).tolist()
    binned = rows.select(TRUE, reached(_name(place), edges).alias(BIN))
    found = fetched(binned.group_by(TRUE, BIN).agg(nw.len().alias(NUMBER)))
    positives, negatives = (
        grid.called(of[BIN].to_numpy(dtype=np.intp), of[NUMBER].to_numpy(dtype=np.float64))
        for of in _by_class(found, pos_label)
    )
    return positives, negatives


def _by_class(found: pd.DataFrame, pos_label: Any) -> tuple[pd.DataFrame, pd.DataFrame]:
    positive = found[TRUE].astype(object).isin([pos_label])
    return found[positive], found[~positive]
