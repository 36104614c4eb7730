"""Two classes as the smallest number of classes, and one class against all others."""

from __future__ import annotations

import numpy as np

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix, MulticlassOrigin

TWO_CLASSES = ("positive", "negative")
"""The names of the classes of a :class:`~skewproof.ConfusionMatrix`, in the order of the rows."""


def matrix_of_two(matrix: ConfusionMatrix) -> MulticlassConfusionMatrix:
    """Convert a matrix of two classes to one of any number, with the positive class first.

    Counts have the shape (..., 2, 2). Effective sizes and the origin of a projection are kept.
    """
    cells = np.broadcast_arrays(matrix.tp, matrix.fn, matrix.fp, matrix.tn)
    counts = np.stack(cells, axis=-1).reshape(*matrix.shape, 2, 2)
    origin = None
    if matrix.origin is not None:
        origin = MulticlassOrigin(matrix_of_two(matrix.origin.matrix), matrix.origin.at)
    effective = None if matrix.effective is None else np.array(matrix.effective)
    return MulticlassConfusionMatrix(
        counts, TWO_CLASSES, origin=origin, effective=effective, by_group=matrix.by_group
    )


def of_class(metric: Metric, position: int) -> Measure:
    """Convert a metric of two classes to a measure of one class against all others.

    Parameters
    ----------
    metric
        The metric.
    position
        Position of the class that is the positive one.
    """

    def formula(matrix: MulticlassConfusionMatrix) -> Value:
        return metric(_against_rest(matrix, position))

    return Measure(metric.key, metric.symbol, metric.name, metric.source, formula)


def _against_rest(matrix: MulticlassConfusionMatrix, position: int) -> ConfusionMatrix:
    """Return the confusion matrix of one class, as the positive class, against the others."""
    instances, others = matrix.counts[..., position, :], np.delete(matrix.counts, position, axis=-2)
    return ConfusionMatrix(
        tp=instances[..., position],
        fn=np.delete(instances, position, axis=-1).sum(axis=-1),
        fp=others[..., position].sum(axis=-1),
        tn=np.delete(others, position, axis=-1).sum(axis=(-2, -1)),
    )
