"""Sensitivity analysis of indices of many classes: whose errors an index reacts to.

The inputs are the C·(C - 1) free entries of the matrix of rates, uniform on the product of C
simplices, grouped by row: a class's index is the share of the variance of the value that is due to
how this class is classified. Levels are vectors of class sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.stats import qmc

from skewproof.core.algebra import Array
from skewproof.multiclass.conditions import linear_parts
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measure import Measure

SHAPES = ("step", "linear", "long tail")
"""How sizes rise from the smallest class to the largest: half of the classes (rounded down) are
small and the others large; in equal steps; by equal factors (in a geometric series)."""


class ClassIndices(NamedTuple):
    """First-order and total indices by class."""

    first_order: Array
    """(replicates, C)."""

    total: Array
    """(replicates, C)."""


def class_sizes(classes: int, shape: str, ratio: float) -> Array:
    """Sizes of classes, rising from 1 to the ratio.

    Parameters
    ----------
    classes
        Number of classes.
    shape
        One of SHAPES.
    ratio
        Size of the largest class over that of the smallest, at least 1.
    """
    if shape == "step":
        return np.where(np.arange(classes) < classes // 2, 1.0, ratio)
    if shape == "linear":
        return np.linspace(1, ratio, classes)
    if shape == "long tail":
        return np.geomspace(1, ratio, classes)
    raise ValueError(f"shape = {shape!r}: expected one of {', '.join(SHAPES)}")


def exact_class_indices(index: Measure, sizes: Array) -> ClassIndices | None:
    """First-order and total indices in closed form, where there is one.

    An index that is linear in the matrix is a sum over its rows, so that both indices of a class
    are its row's share of the variance; a row that is uniform on a simplex has the covariance
    (δ_jk/C - 1/C²)/(C + 1). The geometric mean of the recalls is a product, each recall having the
    distribution Beta(1, C - 1).

    Returns
    -------
    ClassIndices of one replicate, or None.
    """
    classes = len(sizes)
    if index.key == "g_mean":
        moments = stats.beta(1, classes - 1).expect
        # E[r^(2/C)]/E[r^(1/C)]² for one recall.
        mean, square = (moments(lambda r, power=p: r ** (power / classes)) for p in (1, 2))
        ratio = square / mean**2
        first = (ratio - 1) / (ratio**classes - 1)
        total = (ratio**classes - ratio ** (classes - 1)) / (ratio**classes - 1)
        return ClassIndices(np.full((1, classes), first), np.full((1, classes), total))
    linear = linear_parts(index, sizes)
    if linear is None:
        return None
    variances = (linear[1] ** 2).sum(axis=1) / (classes * (classes + 1))
    shares = (variances / variances.sum())[np.newaxis]
    return ClassIndices(shares, shares)


def sampled_rates(uniform: Array, classes: int) -> Array:
    """Points of the unit cube as matrices of rates, uniform on the product of simplices.

    The rows are broken from sticks: of what is left the k-th entry takes 1 - (1 - u)^(1/(C - k)).

    Parameters
    ----------
    uniform
        (..., C·(C - 1)), in [0, 1).
    classes
        Number of classes.

    Returns
    -------
    (..., C, C), rows adding up to 1.
    """
    sticks = uniform.reshape(*uniform.shape[:-1], classes, classes - 1)
    left = np.cumprod((1 - sticks) ** (1 / np.arange(classes - 1, 0, -1)), axis=-1)
    ends = np.concatenate([np.ones_like(left[..., :1]), left, np.zeros_like(left[..., :1])], -1)
    return -np.diff(ends, axis=-1)


def designs(
    classes: int, *, log2_samples: int, replicates: int, seed: Sequence[int]
) -> Iterator[Array]:
    """Matrices of rates for grouped indices, one scramble of a Sobol' sequence at a time.

    Yields
    ------
    (C + 2, samples, C, C): matrices A and B, then A with one row after another from B.
    """
    inputs = classes * (classes - 1)
    for replicate in range(replicates):
        random = np.random.default_rng([*seed, replicate])
        points = qmc.Sobol(2 * inputs, rng=random).random_base2(log2_samples)
        a, b = (sampled_rates(half, classes) for half in (points[:, :inputs], points[:, inputs:]))
        rows = np.eye(classes, dtype=bool)[:, np.newaxis, :, np.newaxis]
        yield np.concatenate([[a, b], np.where(rows, b, a)])


def grouped_indices(values: Array) -> tuple[Array, Array]:
    """First-order indices by Saltelli et al. 2010, total ones by Jansen 1999.

    Parameters
    ----------
    values
        (..., C + 2, samples), the values at the matrices of :func:`designs`.

    Returns
    -------
    Both (..., C).
    """
    a, b, mixed = values[..., :1, :], values[..., 1:2, :], values[..., 2:, :]
    variance = values[..., :2, :].reshape(*values.shape[:-2], -1).var(axis=-1)[..., np.newaxis]
    # Less the mean the products keep their digits.
    center = values[..., :2, :].mean(axis=(-2, -1), keepdims=True)
    first = ((b - center) * (mixed - a)).mean(axis=-1) / variance
    return first, ((a - mixed) ** 2).mean(axis=-1) / (2 * variance)


def sampled_class_indices(
    indices: Sequence[Measure],
    sizes: Array,
    *,
    log2_samples: int,
    replicates: int,
    seed: Sequence[int],
) -> list[ClassIndices]:
    """First-order and total indices by class, from independent scrambles.

    Parameters
    ----------
    indices
        ClassIndices of a confusion matrix.
    sizes
        Class sizes, (C,).
    log2_samples, replicates
        Base-2 logarithm of the number of points of a scramble, and number of scrambles.
    seed
        Numbers that make the seed.

    Returns
    -------
    For each index its estimates, a row a scramble; NaN where the index is undefined at a point.
    """
    found: list[list[tuple[Array, Array]]] = [[] for _ in indices]
    for rates in designs(len(sizes), log2_samples=log2_samples, replicates=replicates, seed=seed):
        matrix = MulticlassConfusionMatrix(rates * sizes[:, np.newaxis])
        for index, estimates in zip(indices, found, strict=True):
            estimates.append(grouped_indices(index(matrix)))
    return [ClassIndices(*map(np.array, zip(*estimates, strict=True))) for estimates in found]


def mean_shifts(
    indices: Sequence[Measure], sizes: Array, *, log2_samples: int, seed: Sequence[int]
) -> list[float]:
    """Mean over all classifiers of how far a value is from that at equal class sizes.

    Returns
    -------
    For each index, the mean of |f(M) - f(M')|, where M and M' have the same rates.
    """
    (rates,) = designs(len(sizes), log2_samples=log2_samples, replicates=1, seed=seed)
    equal, scaled = (
        MulticlassConfusionMatrix(rates[0] * rows[:, np.newaxis]) for rows in (sizes**0, sizes)
    )
    return [float(np.abs(index(scaled) - index(equal)).mean()) for index in indices]
