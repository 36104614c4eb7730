"""Labels of two classes: checked, and counted into the cells of a confusion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def counted_cells(
    y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: Any, sample_weight: ArrayLike | None
) -> dict[str, Any]:
    """The four counts, or sums of weights, by their names.

    Parameters and errors are those of :meth:`skewproof.core.confusion.ConfusionMatrix.from_labels`.
    """
    true, predicted = checked_labels(y_true, "y_true"), checked_labels(y_pred, "y_pred")
    weights = None if sample_weight is None else _weights(sample_weight, len(true))
    if len(true) != len(predicted):
        raise ValueError(
            f"y_true and y_pred have {len(true)} and {len(predicted)} labels:"
            " expected equal lengths"
        )
    check_classes(true, predicted, pos_label)
    is_positive, called_positive = true == pos_label, predicted == pos_label
    if weights is None:
        tp = np.count_nonzero(is_positive & called_positive)
        positives, predicted_positives = map(np.count_nonzero, (is_positive, called_positive))
        total: float = len(true)
    else:
        tp = weights[is_positive & called_positive].sum()
        positives, predicted_positives = weights[is_positive].sum(), weights[called_positive].sum()
        total = weights.sum()
    fn, fp = positives - tp, predicted_positives - tp
    # Sums of weights are rounded, so that what is 0 may come out a little below.
    tn = total - positives - fp
    return {"tp": tp, "fp": max(fp, 0), "fn": max(fn, 0), "tn": max(tn, 0)}


def checked_labels(values: ArrayLike, name: str) -> NDArray[Any]:
    """Labels as an array of one dimension, none of them missing; the name is for the error."""
    labels = np.asarray(values)
    if labels.ndim != 1:
        raise ValueError(f"{name} has the shape {labels.shape}: expected one dimension")
    if not labels.size:
        raise ValueError(f"{name} is empty: expected at least one label")
    # Whole numbers, booleans and text can't be missing.
    if labels.dtype.kind not in "iubUS":
        import pandas as pd

        missing = pd.isna(labels)
        if missing.any():
            first = int(np.argmax(missing))
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
