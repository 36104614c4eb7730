"""Cut-offs of given scores that metrics choose, at the prevalence of deployment."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import as_metrics
from skewproof.multiclass.declaration import total_matters
from skewproof.operating_points.curves import EmpiricalCurve
from skewproof.operating_points.exchange import exchange_rate
from skewproof.operating_points.optimum import CONSEQUENCES, best_point
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import ResultTable

NO_ALARM = "rests on no false alarm in the sample"


def cutoffs(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    metrics: str | Metric | Iterable[str | Metric] | None = None,
    at: Any = "test set",
    total: float | None = None,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """Compute the cut-off of given scores that each metric chooses, and its consequences.

    Values at a cut-off that the same data chose are too optimistic; report one from other data.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.curves.threshold_matrices`.
    metrics
        One or several, as for :func:`skewproof.score`. By default all registered metrics,
        except those that depend on the number of instances if `total` is missing and `at` is
        elsewhere.
    at, total
        Prevalence and number of instances of the deployment, as for
        :func:`skewproof.operating_points.best_point`.

    Returns
    -------
    Frame with a row for each metric: metric (its key), name, threshold, tpr, fpr, value,
    share_called, alarms_per_hit as in :class:`skewproof.operating_points.BestPoint`; hit_is_worth,
    the exchange rate at the cut-off; tpr_low and tpr_high, the ends of the plateau within 1 % of
    the best value; at; and remark. The remark says, with a number, that the metric finds less than
    a tenth of the positives or calls more than nine tenths of the instances positive; failing that,
    that no negative of the sample reaches the threshold, so that the number that do elsewhere is
    unknown; else it is empty.

    Raises
    ------
    KeyError, FormulaError, ValueError
        As for :func:`skewproof.curves.threshold_matrices` and
        :func:`skewproof.operating_points.best_point`.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof.operating_points import cutoffs
    >>> random = np.random.default_rng(0)
    >>> y_true = np.repeat([1, 0], [1000, 1000])
    >>> y_score = random.normal(2 * y_true)
    >>> frame = cutoffs(y_true, y_score, metrics=["f1", "youden_j"], at="1:1000")
    >>> frame[["metric", "tpr", "alarms_per_hit"]].round(2).values.tolist()
    [['f1', 0.17, 0.0], ['youden_j', 0.85, 201.18]]
    """
    curve = EmpiricalCurve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    where = Prevalence.given(at).for_two_classes()
    chosen = chosen_metrics(metrics, where, total)
    if total is not None:
        expect_number("total", total, above=0)
        expect(where.elsewhere, "at", at, "a prevalence elsewhere, as total is of its instances")
    rows = [_row(metric, curve, where, total) for metric in chosen]
    return ResultTable(rows)


def chosen_metrics(
    metrics: str | Metric | Iterable[str | Metric] | None, at: Prevalence, total: float | None
) -> list[Metric]:
    """Look up metrics; by default all registered ones that have a value without a missing total."""
    chosen = as_metrics(METRICS if metrics is None else metrics)
    if metrics is None and at.elsewhere and total is None:
        return [metric for metric in chosen if not total_matters(metric)]
    return chosen


def _row(
    metric: Metric, curve: EmpiricalCurve, where: Prevalence, total: float | None
) -> dict[str, Any]:
    point = best_point(metric, curve, at=where, total=total)
    counts = curve.counts
    ratio = counts.negatives / counts.positives
    if where.elsewhere:
        ratio = (1 - where.share) / where.share
    positives = counts.positives if total is None else total * where.share
    matrix = ConfusionMatrix.from_rates(
        point.tpr, point.fpr, positives=positives, negatives=positives * ratio
    )
    plateau = (np.nan, np.nan) if point.plateau is None else point.plateau.tpr
    extreme = extreme_in_words(point.tpr, point.share_called)
    rests_on_none = NO_ALARM if point.tpr > 0 and point.fpr == 0 else ""
    return {
        "metric": metric.key,
        "name": metric.name,
        **{field: getattr(point, field) for field in ("threshold", "tpr", "fpr", "value")},
        **{field: getattr(point, field) for field in CONSEQUENCES},
        "hit_is_worth": float(exchange_rate(metric)(matrix)),
        "tpr_low": plateau[0],
        "tpr_high": plateau[1],
        "at": str(where),
        "remark": extreme or rests_on_none,
    }


FEWEST_FOUND = 0.1
"""Share of the positives below which a cut-off finds next to nothing."""

MOST_CALLED = 0.9
"""Share of all instances above which a cut-off calls nearly everything positive."""

NOTHING, EVERYTHING = "finds next to nothing", "calls nearly everything positive"


def extreme_in_words(tpr: float, share_called: float) -> str:
    """Describe what is extreme about a cut-off, with the number; the text is empty if nothing is.

    Parameters
    ----------
    tpr
        Share of the positives that it finds.
    share_called
        Share of all instances that it calls positive.

    Examples
    --------
    >>> extreme_in_words(0.004, 1e-6)
    'finds next to nothing: 0.4 % of the positives'
    >>> extreme_in_words(1.0, 0.97)
    'calls nearly everything positive: 97 % of all instances'
    >>> extreme_in_words(0.8, 0.1)
    ''
    """
    if tpr < FEWEST_FOUND:
        return f"{NOTHING}: {100 * tpr:.2g} % of the positives"
    if share_called > MOST_CALLED:
        return f"{EVERYTHING}: {100 * share_called:.4g} % of all instances"
    return ""
