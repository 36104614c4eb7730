"""Rule for the weights of instances: what they count for in intervals and tests.

Values are those of the weighted data. Weights that are all whole numbers are counts: an instance of
weight 3 counts as three instances. All other weights have no unit, and a class is worth Kish's
effective number of instances, (sum of weights)²/(sum of squared weights) (Kish 1965).

docs/evidence/weighted_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array

MOST_COUNTED = 2.0**52
"""Sum of weights from which on they are not counts: every float is then a whole number."""


def are_counts(total: float, fractions: float) -> bool:
    """Return whether weights are counts, given their sum and the sum of their fractional parts.

    Examples
    --------
    >>> are_counts(7.0, 0.0), are_counts(7.0, 0.5)
    (True, False)
    """
    return fractions == 0 and total < MOST_COUNTED


def effective_sizes(weights: Array, rows: NDArray[Any], classes: int) -> Array | None:
    """Compute the effective number of instances of each class; None if the weights are counts.

    Parameters
    ----------
    weights
        Weight of each instance, finite and at least 0, shape (n,).
    rows
        Number of the class of each instance, shape (n,).
    classes
        Number of classes.

    Returns
    -------
    Effective numbers, shape (classes,), 0 for a class without weight. They do not depend on the
    unit of the weights.

    Examples
    --------
    >>> import numpy as np
    >>> effective_sizes(np.array([0.5, 0.5, 0.1, 0.3]), np.array([0, 0, 1, 1]), 2).round(3).tolist()
    [2.0, 1.6]
    """
    if are_counts(weights.sum(), (weights % 1).sum()):
        return None
    largest = np.zeros(classes)
    np.maximum.at(largest, rows, weights)
    largest[largest == 0] = 1
    scaled = weights / largest[rows]
    sums, squares = (np.bincount(rows, part, minlength=classes) for part in (scaled, scaled**2))
    return np.divide(sums**2, squares, out=np.zeros(classes), where=squares > 0)


def sampled_sizes(sizes: Array, effective: Array) -> Array:
    """Compute class sizes of an unweighted sample that tells as much about the classes' shares.

    A share is a ratio of sums of weights. By its linearization, an instance of the class k has the
    variance w²((1 - s_k)² + sum of the other s²), summed over all shares s. In a sample of n
    unweighted instances the variances sum up to n times the sum of s(1 - s).

    Parameters
    ----------
    sizes
        Sums of weights of the classes, shape (..., classes), some above 0.
    effective
        Effective number of instances of each class, of the same shape.

    Returns
    -------
    Numbers of instances, of the same shape: `sizes` if all weights are 1.

    Examples
    --------
    All of 40 positives and every tenth of 400 negatives, with weights of 1 and 10: the prevalence
    of 1/11 is as uncertain as in 242 instances.

    >>> import numpy as np
    >>> sampled_sizes(np.array([40.0, 400.0]), np.array([40.0, 40.0])).round(9).tolist()
    [22.0, 220.0]
    """
    total = sizes.sum(axis=-1, keepdims=True)
    shares, others = sizes / total, (total - sizes) / total
    squares = shares**2
    influence = shares * (others**2 + (squares.sum(axis=-1, keepdims=True) - squares))
    influence = np.where(influence.sum(axis=-1, keepdims=True) > 0, influence, shares)
    worth = np.divide(sizes, effective, out=np.ones_like(sizes), where=effective > 0)
    weight = (influence * worth).sum(axis=-1, keepdims=True)
    return np.asarray(sizes * (influence.sum(axis=-1, keepdims=True) / weight))
