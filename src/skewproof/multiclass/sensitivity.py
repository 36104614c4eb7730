"""Sensitivity of measures of many classes to the errors in each class.

The inputs are the C·(C - 1) free entries of the matrix of rates, uniform on the product of C
simplices, grouped by row. A class's Sobol' index is the share of the variance of the value that is
due to the predictions for this class. Levels are vectors of class sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_choice
from skewproof.multiclass.bounds import LinearParts, linear_parts
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

SHAPES = ("step", "linear", "long tail")
"""Shapes of the increase in size from the smallest class to the largest. "step": half of the
classes (rounded down) are small and the others large. "linear": equal steps. "long tail": equal
factors, as in a geometric series."""


class ClassIndices(NamedTuple):
    """First-order and total Sobol' indices of the classes: shares of the variance of a measure."""

    first_order: Array
    """First-order indices, (..., C); replicates, if any, are the first axis."""

    total: Array
    """Total indices, of the same shape."""


def class_sizes(classes: int, shape: str, ratio: float) -> Array:
    """Compute sizes of classes that increase from 1 to the ratio.

    Parameters
    ----------
    classes
        Number of classes.
    shape
        One of SHAPES.
    ratio
        Size of the largest class divided by that of the smallest, at least 1.

    Raises
    ------
    ValueError
        If the shape is not among SHAPES.
    """
    expect_choice("shape", shape, SHAPES)
    if shape == "step":
        return np.where(np.arange(classes) < classes // 2, 1.0, ratio)
    if shape == "linear":
        return np.linspace(1, ratio, classes)
    return np.geomspace(1, ratio, classes)


def exact_class_indices(measure: Measure, sizes: Array) -> ClassIndices | None:
    """Compute first-order and total indices in closed form, if there is one.

    Parameters
    ----------
    measure
        The measure.
    sizes
        Class sizes, (C,).

    Returns
    -------
    ClassIndices of one replicate for a product of powers of the recalls and for a measure that is
    linear in the matrix; None for any other measure.
    """
    classes = len(sizes)
    if measure.recall_power is not None:
        return _indices_of_recall_product(float(measure.recall_power(classes)), classes)
    linear = linear_parts(measure, sizes)
    return None if linear is None else _indices_of_linear(linear)


def _indices_of_recall_product(power: float, classes: int) -> ClassIndices:
    """Compute the indices of a product of powers of the recalls, which are Beta(1, C - 1)."""
    mean, mean_square = (
        (classes - 1) * special.beta(1 + exponent, classes - 1) for exponent in (power, 2 * power)
    )
    ratio = mean_square / mean**2
    first = (ratio - 1) / (ratio**classes - 1)
    total = (ratio**classes - ratio ** (classes - 1)) / (ratio**classes - 1)
    return ClassIndices(np.full((1, classes), first), np.full((1, classes), total))


def _indices_of_linear(linear: LinearParts) -> ClassIndices:
    """Compute the indices of a sum over the rows: both are the row's share of the variance.

    A row that is uniform on a simplex has the covariance (δ_jk/C - 1/C²)/(C + 1).
    """
    classes = len(linear.gains)
    variances = (linear.gains**2).sum(axis=1) / (classes * (classes + 1))
    shares = (variances / variances.sum())[np.newaxis]
    return ClassIndices(shares, shares)


def sampled_rates(uniform: Array, classes: int) -> Array:
    """Map points of the unit cube to matrices of rates, uniform on the product of simplices.

    Rows are made by stick-breaking: the k-th entry takes 1 - (1 - u)^(1/(C - k)) of the remainder.

    Parameters
    ----------
    uniform
        Points, (..., C·(C - 1)), in [0, 1).
    classes
        Number of classes.

    Returns
    -------
    Rates, (..., C, C), whose rows add up to 1.
    """
    sticks = uniform.reshape(*uniform.shape[:-1], classes, classes - 1)
    left = np.cumprod((1 - sticks) ** (1 / np.arange(classes - 1, 0, -1)), axis=-1)
    ends = np.concatenate([np.ones_like(left[..., :1]), left, np.zeros_like(left[..., :1])], -1)
    return -np.diff(ends, axis=-1)


def designs(
    classes: int, *, log2_samples: int, replicates: int, seed: Sequence[int]
) -> Iterator[Array]:
    """Generate matrices of rates for grouped indices, one scramble of a Sobol' sequence at a time.

    Yields
    ------
    (C + 2, samples, C, C): matrices A and B, then A with one row after another from B.
    """
    inputs = classes * (classes - 1)
    for replicate in range(replicates):
        random = np.random.default_rng([*seed, replicate])
        points = qmc.Sobol(2 * inputs, seed=random).random_base2(log2_samples)
        a, b = (sampled_rates(half, classes) for half in (points[:, :inputs], points[:, inputs:]))
        rows = np.eye(classes, dtype=bool)[:, np.newaxis, :, np.newaxis]
        yield np.concatenate([[a, b], np.where(rows, b, a)])


def grouped_indices(values: Array) -> ClassIndices:
    """Estimate first-order indices by Saltelli et al. 2010, and total ones by Jansen 1999.

    Parameters
    ----------
    values
        Values at the matrices of :func:`designs`, (..., C + 2, samples).

    Returns
    -------
    ClassIndices whose arrays are (..., C).
    """
    a, b, mixed = values[..., :1, :], values[..., 1:2, :], values[..., 2:, :]
    variance = values[..., :2, :].reshape(*values.shape[:-2], -1).var(axis=-1)[..., np.newaxis]
    # With the mean subtracted, the products keep their digits.
    center = values[..., :2, :].mean(axis=(-2, -1), keepdims=True)
    return ClassIndices(
        first_order=((b - center) * (mixed - a)).mean(axis=-1) / variance,
        total=((a - mixed) ** 2).mean(axis=-1) / (2 * variance),
    )


def sampled_class_indices(
    measures: Sequence[Measure],
    sizes: Array,
    *,
    log2_samples: int,
    replicates: int,
    seed: Sequence[int],
) -> list[ClassIndices]:
    """Estimate first-order and total indices by class from independent scrambles.

    Parameters
    ----------
    measures
        The measures, which are all evaluated at the same matrices.
    sizes
        Class sizes, (C,).
    log2_samples, replicates
        Base-2 logarithm of the number of points of a scramble, and number of scrambles.
    seed
        Numbers that form the seed.

    Returns
    -------
    The estimates of each measure, with a row per scramble; NaN if the measure is undefined at a
    point.
    """
    estimates: list[list[ClassIndices]] = [[] for _ in measures]
    for rates in designs(len(sizes), log2_samples=log2_samples, replicates=replicates, seed=seed):
        matrix = MulticlassConfusionMatrix.from_rates(rates, sizes)
        for measure, indices in zip(measures, estimates, strict=True):
            indices.append(grouped_indices(measure(matrix)))
    return [
        ClassIndices(
            first_order=np.array([replicate.first_order for replicate in indices]),
            total=np.array([replicate.total for replicate in indices]),
        )
        for indices in estimates
    ]


def mean_shifts(
    measures: Sequence[Measure], sizes: Array, *, log2_samples: int, seed: Sequence[int]
) -> list[float]:
    """Estimate the mean distance, over all classifiers, of a value from that at equal class sizes.

    Parameters
    ----------
    measures, sizes, log2_samples, seed
        As for :func:`sampled_class_indices`, for one scramble.

    Returns
    -------
    The mean of |f(M) - f(M')| for each measure, where M and M' have the same rates.
    """
    (design,) = designs(len(sizes), log2_samples=log2_samples, replicates=1, seed=seed)
    rates = design[0]
    equal = MulticlassConfusionMatrix.from_rates(rates, np.ones(len(sizes)))
    scaled = MulticlassConfusionMatrix.from_rates(rates, sizes)
    return [float(np.abs(measure(scaled) - measure(equal)).mean()) for measure in measures]
