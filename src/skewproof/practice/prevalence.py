"""What a confusion matrix would be at another prevalence."""

from __future__ import annotations

import numpy as np

from skewproof.core.confusion import MOST_COUNT, ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.messages import shortened


def project(matrix: ConfusionMatrix, to: str | Level) -> ConfusionMatrix:
    """The confusion matrix that the same rates would give at another imbalance level.

    This assumes label shift: instances of each class look the same at both levels, and only the
    class sizes change. A classifier then keeps its true and false positive rate, and with them any
    metric of rates; the others take the values that they will have at the level. Where positives or
    negatives look different there, the projection does not hold.

    The counts of the projected matrix are those of no instances that anybody observed. What takes
    counts for observations, such as :func:`skewproof.interval`, refuses it.

    Parameters
    ----------
    matrix
        Counts of any shape and size, fractions and sums of weights too, with instances of both
        classes everywhere.
    to
        The level "P:N" to project to. The positives stay as they are, the negatives are scaled,
        mostly to fractions: they are not rounded.

    Raises
    ------
    ValueError
        If a class is empty, for then a rate is unknown; if a count is undefined, or would be more
        than 1e50; if `to` is no level.

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
    level = Level.given(to, "to")
    sizes = {"positives": matrix.positives, "negatives": matrix.negatives}
    for name, size in sizes.items():
        if np.isnan(size).any():
            raise ValueError(f"the matrix has an undefined number of {name}: expected a number")
        if not np.all(size > 0):
            raise ValueError(f"the matrix has no {name}: expected instances of both classes")
    scale = level.negatives(matrix.positives) / matrix.negatives
    fp, tn = matrix.fp * scale, matrix.tn * scale
    largest = max(np.max(fp), np.max(tn))
    if largest > MOST_COUNT:
        raise ValueError(
            f"the matrix has a count of {largest:g} at {shortened(str(level))}: expected counts of"
            f" at most {MOST_COUNT:g}"
        )
    return ConfusionMatrix(
        tp=matrix.tp, fp=fp, fn=matrix.fn, tn=tn, unobserved=f"projected to {shortened(str(level))}"
    )
