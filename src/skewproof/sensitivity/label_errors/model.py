"""A model of wrong labels, and the apparent performance of a classifier that they imply.

The labels of an evaluation call a share of the negatives positive and a share of the positives
negative. Their errors and those of the classifier are assumed to be independent given the truth. A
metric of the apparent matrix is then a function of four inputs: the classifier's two rates, uniform
on the unit square, and the two error rates of the labels, uniform from 0 to given largest rates.
The shares of its variance hold for these ranges and no others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_share
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import refuse_masked
from skewproof.core.messages import shown

GROUPS = {
    "tpr": (0,),
    "fpr": (1,),
    "label_fpr": (2,),
    "label_fnr": (3,),
    "classifier": (0, 1),
    "labels": (2, 3),
}
"""The four inputs in their order, and their two groups, for all of which shares are computed."""

LARGEST_RATE = 0.1
"""Default of the labels' largest error rate. Northcutt et al. 2021 estimate that in the worst of
ten test sets about 10 % of the labels are wrong, and on average at least 3.3 %."""

CONSTANT = 1e-22
"""Variance of a constant that is due to rounding, relative to the mean square."""


def with_label_errors(
    matrix: ConfusionMatrix, *, false_positive_rate: ArrayLike, false_negative_rate: ArrayLike
) -> ConfusionMatrix:
    """Compute the expected confusion matrix if some of the labels are wrong.

    Errors of the labels and of the classifier are assumed to be independent given the truth: the
    same share of labels is wrong among the negatives that the classifier calls positive as among
    the others, and likewise for the positives. The counts are those of Buck and Gart 1966.

    Parameters
    ----------
    matrix
        Counts against the truth, of any shape.
    false_positive_rate, false_negative_rate
        Share of the true negatives that are labeled positive, and of the true positives that are
        labeled negative, in [0, 1]; arrays broadcast against the counts.

    Returns
    -------
    Expected counts against the labels. Observed shares approach theirs with more instances.

    Raises
    ------
    ValueError
        If `matrix` is not a confusion matrix, or a rate is not a number from 0 to 1, is masked, or
        has a shape that does not fit the counts.

    Examples
    --------
    A perfect classifier, if one instance of 1,000 is positive and 1 % of the labels are wrong:

    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.metrics import true_positive_rate
    >>> from skewproof.sensitivity import with_label_errors
    >>> perfect = ConfusionMatrix(tp=100, fp=0, fn=0, tn=99_900)
    >>> apparent = with_label_errors(perfect, false_positive_rate=0.01, false_negative_rate=0.01)
    >>> round(float(true_positive_rate(apparent)), 3)
    0.09
    """
    expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
    wrong_positive = _checked(false_positive_rate, "false_positive_rate")
    wrong_negative = _checked(false_negative_rate, "false_negative_rate")
    shapes = {
        "counts": matrix.shape,
        "false_positive_rate": wrong_positive.shape,
        "false_negative_rate": wrong_negative.shape,
    }
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise ValueError(f"the shapes are {listed}: expected shapes that broadcast") from None
    return ConfusionMatrix(
        tp=matrix.tp * (1 - wrong_negative) + matrix.fp * wrong_positive,
        fp=matrix.tp * wrong_negative + matrix.fp * (1 - wrong_positive),
        fn=matrix.fn * (1 - wrong_negative) + matrix.tn * wrong_positive,
        tn=matrix.fn * wrong_negative + matrix.tn * (1 - wrong_positive),
        unobserved=matrix.unobserved or ("one of sums of weights" if matrix.effective else ""),
    )


def _checked(rate: ArrayLike, name: str) -> Array:
    refuse_masked(rate, name)
    try:
        array = np.asarray(rate, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if not np.all((array >= 0) & (array <= 1)):
        raise ValueError(f"{name} = {shown(rate)}: expected a number from 0 to 1")
    return array


def checked_ranges(
    largest_false_positive_rate: float, largest_false_negative_rate: float
) -> tuple[float, float]:
    """Check the upper ends of the ranges of both error rates.

    Raises
    ------
    ValueError
        If an end is not a number from 0 to 1.
    """
    return (
        expect_share("largest_false_positive_rate", largest_false_positive_rate),
        expect_share("largest_false_negative_rate", largest_false_negative_rate),
    )
