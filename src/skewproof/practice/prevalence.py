"""What a confusion matrix would be at another prevalence."""

from __future__ import annotations

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level


def project(matrix: ConfusionMatrix, to: str | Level) -> ConfusionMatrix:
    """The confusion matrix that the same rates would give at another imbalance level.

    A classifier keeps its true and false positive rate when only the class sizes change, and with
    them any metric of rates; the others take the values that they will have in deployment.

    Parameters
    ----------
    matrix
        Counts of any shape, with at least one instance of either class everywhere.
    to
        The level "P:N" to project to. The positives stay as they are, the negatives are scaled.

    Raises
    ------
    ValueError
        If a class is empty, for then a rate is unknown; if `to` is no level.

    Examples
    --------
    Of what is called positive, most is right in a balanced test set, and little is right where
    one in a thousand is positive:

    >>> from skewproof import ConfusionMatrix, precision, project
    >>> tested = ConfusionMatrix(tp=80, fp=30, fn=20, tn=70)
    >>> deployed = project(tested, to="1:1000")
    >>> round(float(precision(tested)), 4), round(float(precision(deployed)), 4)
    (0.7273, 0.0027)
    """
    level = to if isinstance(to, Level) else Level.parse(to)
    for name, size in (("positives", matrix.positives), ("negatives", matrix.negatives)):
        if not np.all(size > 0):
            raise ValueError(f"the matrix has no {name}: expected instances of both classes")
    scale = level.negatives(matrix.positives) / matrix.negatives
    return ConfusionMatrix(tp=matrix.tp, fp=matrix.fp * scale, fn=matrix.fn, tn=matrix.tn * scale)
