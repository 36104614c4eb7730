"""Registered metrics as scores of labels, for scikit-learn and without it.

Every metric is here under its key as ``f(y_true, y_pred, *, pos_label=1, sample_weight=None,
undefined="warn")``: ``from skewproof.scoring import mcc_i``.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.confusion import ConfusionMatrix
from skewproof.metrics import REGISTRY, get_metric

Undefined = Literal["warn", "error"] | float
"""What to do with an undefined score: give NaN with a warning, raise, or take a number for it."""


class UndefinedMetricWarning(UserWarning):
    """A metric divides 0 by 0 on the labels that it was given."""


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
) -> ConfusionMatrix:
    """Count the confusion matrix of two classes.

    Parameters
    ----------
    y_true, y_pred
        True and predicted labels, of one dimension and the same length: arrays, Series or lists
        of at most two different values.
    pos_label
        The label of the positive class; all others are negative.
    sample_weight
        Weight of each instance, finite and at least 0; 1 each where None.

    Raises
    ------
    ValueError
        If a length or dimension is wrong, a label missing (NaN, None), a weight negative or not
        finite; if there are more than two classes, or two and neither is `pos_label`.
    """
    true, predicted = checked_labels(y_true, "y_true"), checked_labels(y_pred, "y_pred")
    weights = None if sample_weight is None else _weights(sample_weight, len(true))
    if len(true) != len(predicted):
        raise ValueError(
            f"y_true and y_pred have {len(true)} and {len(predicted)} labels: expected as many"
        )
    check_classes(true, predicted, pos_label)
    is_positive, said_positive = true == pos_label, predicted == pos_label
    if weights is None:
        tp = np.count_nonzero(is_positive & said_positive)
        positives, predicted_positives = map(np.count_nonzero, (is_positive, said_positive))
        total: float = len(true)
    else:
        tp = weights[is_positive & said_positive].sum()
        positives, predicted_positives = weights[is_positive].sum(), weights[said_positive].sum()
        total = weights.sum()
    fn, fp = positives - tp, predicted_positives - tp
    # Sums of weights are rounded, so that what is 0 may come out a little below.
    tn = total - positives - fp
    return ConfusionMatrix(tp=tp, fp=max(fp, 0), fn=max(fn, 0), tn=max(tn, 0))


def checked_labels(values: ArrayLike, name: str) -> NDArray[Any]:
    """Labels as an array of one dimension, none of them missing; the name is for the error."""
    labels = np.asarray(values)
    if labels.ndim != 1:
        raise ValueError(f"{name} has the shape {labels.shape}: expected one dimension")
    if not labels.size:
        raise ValueError(f"{name} is empty: expected at least one label")
    # Whole numbers, booleans and text can't be missing.
    if labels.dtype.kind not in "iubUS" and pd.isna(labels).any():
        first = int(np.argmax(pd.isna(labels)))
        raise ValueError(f"{name}[{first}] = {labels[first]}: expected a label")
    return labels


def _weights(values: ArrayLike, length: int) -> NDArray[np.float64]:
    weights = np.asarray(values, dtype=np.float64)
    if weights.shape != (length,):
        raise ValueError(f"sample_weight has the shape {weights.shape}: expected ({length},)")
    invalid = ~(np.isfinite(weights) & (weights >= 0))
    if invalid.any():
        first = int(np.argmax(invalid))
        raise ValueError(f"sample_weight[{first}] = {weights[first]}: expected a number >= 0")
    return weights


def check_classes(true: NDArray[Any], predicted: NDArray[Any], pos_label: Any) -> None:
    """Refuse more than two classes, and two without the positive one.

    Labels are not sorted for this, which takes longer than counting them.
    """
    negative = None
    for labels in (true, predicted):
        others = labels != pos_label
        if negative is None and others.any():
            negative = labels[np.argmax(others)]
        if negative is not None and not np.all((labels == negative) | ~others):
            _refuse_classes(true, predicted, pos_label)


def _refuse_classes(true: NDArray[Any], predicted: NDArray[Any], pos_label: Any) -> None:
    classes = sorted({*true.tolist(), *predicted.tolist()}, key=str)
    if len(classes) > 2:
        raise ValueError(f"{len(classes)} classes, {_listed(classes)}: expected two")
    raise ValueError(f"pos_label = {pos_label!r}: expected one of the labels {_listed(classes)}")


def _listed(classes: list[Any]) -> str:
    return ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")


@dataclass(frozen=True)
class Score:
    """A metric as a function of labels. It can be pickled, as parallel searches need."""

    key: str

    def __post_init__(self) -> None:
        get_metric(self.key)

    @property
    def __name__(self) -> str:
        return self.key

    def __call__(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        undefined: Undefined = "warn",
    ) -> float:
        """Score predicted labels.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As for :func:`confusion_matrix`, which says what it refuses.
        undefined
            What to do where the metric divides 0 by 0: "warn" gives NaN and an
            :class:`UndefinedMetricWarning`, "error" raises; a number, NaN too, is taken for it.

        Returns
        -------
        The metric's value; infinite where an unbounded one divides another number by 0.
        """
        matrix = confusion_matrix(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight)
        return _settled({self.key: float(get_metric(self.key)(matrix))}, undefined)[self.key]


def __getattr__(name: str) -> Score:
    if name in REGISTRY:
        return Score(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *REGISTRY])


def get_scorer(key: str, **options: Any) -> Any:
    """A metric as a scorer of scikit-learn, for any ``scoring=``.

    Parameters
    ----------
    key
        The metric's key.
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
    """
    from sklearn.metrics import make_scorer

    score = Score(key)
    inspect.signature(score).bind([], [], **options)
    return make_scorer(score, greater_is_better=not get_metric(key).lower_is_better, **options)


def score_all(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metrics: Iterable[str] | None = None,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    undefined: Undefined = "warn",
) -> pd.DataFrame:
    """Score predicted labels by several metrics, counting them once.

    Parameters
    ----------
    y_true, y_pred, pos_label, sample_weight, undefined
        As for :class:`Score`; one warning names all undefined metrics.
    metrics
        Keys of metrics; all registered ones where None.

    Returns
    -------
    Frame with the columns metric, name and value.
    """
    chosen = [get_metric(key) for key in (REGISTRY if metrics is None else metrics)]
    matrix = confusion_matrix(y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight)
    values = _settled({metric.key: float(metric(matrix)) for metric in chosen}, undefined)
    return pd.DataFrame(
        [(metric.key, metric.name, values[metric.key]) for metric in chosen],
        columns=["metric", "name", "value"],
    )


def _settled(values: dict[str, float], undefined: Undefined) -> dict[str, float]:
    """Apply the policy to what is undefined."""
    if isinstance(undefined, str) and undefined not in ("warn", "error"):
        raise ValueError(f"undefined = {undefined!r}: expected 'warn', 'error' or a number")
    missing = [key for key, value in values.items() if np.isnan(value)]
    if not missing:
        return values
    message = f"undefined on these labels, 0 divided by 0: {', '.join(missing)}"
    if undefined == "error":
        raise ValueError(message)
    if undefined == "warn":
        warnings.warn(f"{message}; NaN is given", UndefinedMetricWarning, stacklevel=3)
    stand_in = np.nan if isinstance(undefined, str) else float(undefined)
    return values | dict.fromkeys(missing, stand_in)
