"""Fit of two classes and of their mixture to counts of all three."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit, xlogy

from skewproof.core.algebra import Array

PARTS = np.concatenate([[0], expit(np.linspace(-8, 8, 9)), [1]])
"""Ends of the parts of [0, 1] that are each searched for the share of a class."""

HALVINGS = 30
"""Number of halvings of each part."""


class JointFit(NamedTuple):
    """Shares with the largest likelihood of the counts of two classes and of their mixture."""

    first: Array
    """The distribution of the first class, (samples, cells)."""

    second: Array
    """The distribution of the second class, (samples, cells)."""

    mixture: Array
    """The distribution of the mixture, (samples, cells)."""

    ratio: Array
    """Twice the logarithm of the ratio of the likelihood without this restriction, (samples,)."""


def fit_jointly(first: Array, second: Array, mixed: Array) -> JointFit:
    """Fit the distributions of two classes and their mixture to counts of all three.

    Where the likelihood is largest, a share p of the first class and q of the second in a cell
    satisfy A p + B q = the count of the cell in all three samples. A and B are the instances of
    both classes, with those in the mixture. Given its share of the first class, p is the root of a
    quadratic equation. The likelihood rises with this share where the sum of all p is above 1.
    Since it may have several maxima, each part of [0, 1] is searched for one.

    Parameters
    ----------
    first, second, mixed
        Counts of instances, (samples, cells).

    Examples
    --------
    >>> import numpy as np
    >>> counts = np.array([[[30, 10]], [[20, 80]], [[200, 300]]])
    >>> round(abs(float(fit_jointly(*counts).ratio[0])), 6)
    0.0
    """
    counts = [np.asarray(some, dtype=np.float64) for some in (first, second, mixed)]
    low, high = (
        np.tile(ends[:, np.newaxis, np.newaxis], (1, len(counts[0]), 1))
        for ends in (PARTS[:-1], PARTS[1:])
    )
    for _ in range(HALVINGS):
        share = (low + high) / 2
        rising = _classes_at(share, *counts)[0].sum(axis=-1, keepdims=True) > 1
        low, high = np.where(rising, share, low), np.where(rising, high, share)
    first_shares, second_shares = (
        some / some.sum(axis=-1, keepdims=True) for some in _classes_at(share, *counts)
    )
    fitted = first_shares, second_shares, share * first_shares + (1 - share) * second_shares
    logs = sum(
        xlogy(some, shares).sum(axis=-1) for some, shares in zip(counts, fitted, strict=True)
    )
    best = np.asarray(logs).argmax(axis=0), np.arange(len(counts[0]))
    free = sum(xlogy(some, some / some.sum(axis=-1, keepdims=True)).sum(axis=-1) for some in counts)
    first_shares, second_shares, mixture = (shares[best] for shares in fitted)
    return JointFit(first_shares, second_shares, mixture, 2 * (free - np.asarray(logs)[best]))


def _classes_at(share: Array, first: Array, second: Array, mixed: Array) -> tuple[Array, Array]:
    """Solve for the shares of both classes in each cell at a share of the first in the mixture."""
    ones, others, whole = (some.sum(axis=-1, keepdims=True) for some in (first, second, mixed))
    total = first + second + mixed
    ones, others = ones + share * whole, others + (1 - share) * whole
    slope, constant = share - (1 - share) * ones / others, (1 - share) * total / others
    middle = ones * constant - first * slope - share * mixed
    root = np.sqrt(np.maximum(middle**2 + 4 * ones * slope * first * constant, 0))
    falling = middle < 0
    above = np.where(falling, root - middle, 2 * first * constant)
    below = np.where(falling, 2 * ones * slope, middle + root)
    part = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    return part, np.maximum(total - ones * part, 0) / others
