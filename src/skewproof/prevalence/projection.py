"""Projection of a confusion matrix to another prevalence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

import numpy as np

from skewproof.core.arguments import expect
from skewproof.core.confusion import MOST_COUNT, ConfusionMatrix, Origin
from skewproof.core.levels import Level
from skewproof.core.messages import shortened, shown
from skewproof.multiclass.matrix import MulticlassConfusionMatrix, MulticlassOrigin
from skewproof.prevalence.prevalence import Prevalence


@overload
def project(
    matrix: ConfusionMatrix, *, at: float | str | Level | Prevalence
) -> ConfusionMatrix: ...


@overload
def project(
    matrix: MulticlassConfusionMatrix, *, at: Mapping[Any, float] | Prevalence
) -> MulticlassConfusionMatrix: ...


def project(
    matrix: ConfusionMatrix | MulticlassConfusionMatrix, *, at: Any
) -> ConfusionMatrix | MulticlassConfusionMatrix:
    """Project a confusion matrix to another prevalence at the same rates.

    This assumes label shift: instances of each class look the same at both prevalences, and only
    the class sizes change. A classifier then keeps its true and false positive rate, and with them
    all metrics of rates. The other metrics take the values that they will have there. The
    projection does not hold if positives or negatives look different.

    Nobody observed the counts of the projected matrix. It therefore carries its origin:
    :func:`skewproof.interval` computes the uncertainty of a value from the observed counts, and
    functions that compare observed counts, such as :func:`skewproof.explain_change`, refuse it.

    Parameters
    ----------
    matrix
        Counts of any shape and size, including fractions and sums of weights, with instances of
        both classes everywhere.
    at
        A stated prevalence: a number above 0 and below 1, or a level such as "1:1000". The
        positives stay as they are. The negatives are scaled, mostly to fractions, and not rounded.

    Raises
    ------
    ValueError
        If a class is empty, so that a rate is unknown; if a count is undefined, or would be more
        than 1e50; if `at` is not a stated prevalence.

    Examples
    --------
    In a balanced test set most positive predictions are right. Where one in a thousand is positive,
    few are:

    >>> from skewproof import ConfusionMatrix, project
    >>> from skewproof.metrics import precision
    >>> tested = ConfusionMatrix(tp=80, fp=30, fn=20, tn=70)
    >>> deployed = project(tested, at="1:1000")
    >>> round(float(precision(tested)), 4), round(float(precision(deployed)), 4)
    (0.7273, 0.0027)
    """
    if isinstance(matrix, MulticlassConfusionMatrix):
        return _projected_classes(matrix, Prevalence.given(at))
    known = isinstance(matrix, ConfusionMatrix)
    expect(known, "matrix", matrix, "a ConfusionMatrix or MulticlassConfusionMatrix")
    return _projected(matrix, stated_prevalence(at))


def _projected(matrix: ConfusionMatrix, stated: Prevalence) -> ConfusionMatrix:
    sizes = {"positives": matrix.positives, "negatives": matrix.negatives}
    for name, size in sizes.items():
        if np.isnan(size).any():
            raise ValueError(f"the matrix has an undefined number of {name}: expected a number")
        if not np.all(size > 0):
            raise ValueError(f"the matrix has no {name}: expected instances of both classes")
    scale = stated.negatives(matrix.positives) / matrix.negatives
    fp, tn = matrix.fp * scale, matrix.tn * scale
    largest = max(np.max(fp), np.max(tn))
    if largest > MOST_COUNT:
        raise ValueError(
            f"the matrix has a count of {largest:g} {shortened(stated.where)}: expected counts of"
            f" at most {MOST_COUNT:g}"
        )
    origin = Origin(matrix.origin.matrix if matrix.origin else matrix, stated)
    return ConfusionMatrix(tp=matrix.tp, fp=fp, fn=matrix.fn, tn=tn, origin=origin)


def _projected_classes(
    matrix: MulticlassConfusionMatrix, stated: Prevalence
) -> MulticlassConfusionMatrix:
    """Return the matrix with the same total and the stated shares of the classes."""
    expected = "a stated prevalence of each class by name"
    expect(stated.elsewhere and stated.is_exact, "at", str(stated), expected)
    shares = stated.for_classes(matrix.labels)
    for position, label in enumerate(matrix.labels):
        if not np.all(matrix.class_sizes[..., position] > 0):
            raise ValueError(
                f"the matrix has no instances of the class {shown(label)}: expected instances of"
                " each"
            )
    sizes = np.asarray(shares) * matrix.total[..., np.newaxis]
    origin = MulticlassOrigin(matrix.origin.matrix if matrix.origin else matrix, stated)
    return MulticlassConfusionMatrix(
        matrix.rates.counts * sizes[..., np.newaxis], matrix.labels, origin=origin
    )


def stated_prevalence(at: Any, name: str = "at") -> Prevalence:
    """Read an argument that takes a stated prevalence of two classes only.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    known = Prevalence.given(at, name).for_two_classes(name)
    expected = 'a stated prevalence, such as 0.001 or "1:1000"'
    expect(known.elsewhere and known.is_exact, name, at, expected)
    return known
