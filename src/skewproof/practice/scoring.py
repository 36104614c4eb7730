"""Metrics as scores of labels: several at once, and as scorers of scikit-learn.

One metric's score is its method: ``f1_i.score(y_true, y_pred)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shown
from skewproof.core.metric import Metric, ScorePolicy, settled
from skewproof.metrics import METRICS, get_metric


@dataclass(frozen=True)
class _Score:
    """The score of a declared metric by its key, which can be pickled for parallel searches."""

    key: str

    @property
    def __name__(self) -> str:
        return self.key

    def __call__(self, y_true: ArrayLike, y_pred: ArrayLike, **options: Any) -> float:
        return get_metric(self.key).score(y_true, y_pred, **options)


def get_scorer(metric: str | Metric, **options: Any) -> Any:
    """A metric as a scorer of scikit-learn, for any ``scoring=``.

    Parameters
    ----------
    metric
        A declared metric's key, or a metric; one that is not declared can be pickled if its formula
        can, as that of :func:`skewproof.parse_metric`.
    options
        Passed on to the score: `pos_label`, `undefined`.

    Returns
    -------
    Scorer whose larger values are better: those of a metric of errors have their sign changed.

    Raises
    ------
    KeyError
        If there is no such metric; the message offers the nearest spelling.
    TypeError
        If an option is unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skewproof import get_scorer
    >>> data = load_breast_cancer()
    >>> scores = cross_val_score(GaussianNB(), data.data, data.target, scoring=get_scorer("f1_i"))
    >>> scores.round(2).tolist()
    [0.92, 0.91, 0.94, 0.94, 0.95]
    """
    from sklearn.metrics import make_scorer

    chosen = get_metric(metric) if isinstance(metric, str) else metric
    inspect.signature(chosen.score).bind([], [], **options)
    score = _Score(chosen.key) if METRICS.get(chosen.key) is chosen else chosen.score
    return make_scorer(score, greater_is_better=not chosen.lower_is_better, **options)


def score_all(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metrics: Iterable[str] | None = None,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    undefined: ScorePolicy = "warn",
) -> pd.DataFrame:
    """Score predicted labels by several metrics, counting them once.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight, undefined
        As for :meth:`skewproof.Metric.score`; one warning names all undefined metrics.
    metrics
        Keys of metrics; all registered ones where None.

    Returns
    -------
    Frame with the columns metric, name and value.

    Raises
    ------
    KeyError
        If there is no such metric; the message offers the nearest spelling.
    ValueError
        If labels or weights are refused, or `metrics` is one text.

    Examples
    --------
    >>> from skewproof import score_all
    >>> score_all([1, 1, 0, 0], [1, 0, 0, 0], metrics=["accuracy", "f1"]).value.round(3).tolist()
    [0.75, 0.667]
    """
    if isinstance(metrics, str):
        raise ValueError(f"metrics = {shown(metrics)}: expected a list of keys")
    chosen = [get_metric(key) for key in (METRICS if metrics is None else metrics)]
    matrix = ConfusionMatrix.from_labels(
        y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
    values = settled({metric.key: float(metric(matrix)) for metric in chosen}, undefined)
    return pd.DataFrame(
        [(metric.key, metric.name, values[metric.key]) for metric in chosen],
        columns=["metric", "name", "value"],
    )
