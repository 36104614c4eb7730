"""Proportions at a deviation from the observed ones, on the scale of a normal quantile.

Of k among n the proportion that deviates by x is the quantile of Beta(k + 1/2, n - k + 1/2), the
posterior under Jeffreys' prior, at the normal probability of x. Where none or all of the n were
counted, it is the observed 0 or 1 at deviations that go there. At -z and z stand the limits of
Jeffreys' interval (Brown, Cai and DasGupta 2001).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, betaln, ndtr

from skewproof.core.algebra import Array, Value

PRIOR = 0.5
"""What is added to each count of the posterior: the prior of Jeffreys."""


class Nearby(NamedTuple):
    """Proportions, and how fast they change with their deviations."""

    proportions: Array
    slopes: Array


def nearby(hits: Array, misses: Array, deviations: Array) -> Nearby:
    """The proportions at given deviations from many observed ones, with their slopes.

    Parameters
    ----------
    hits, misses
        Counts among hits + misses instances, which are above 0; fractions are taken, too.
    deviations
        Finite. The three arrays broadcast.

    Returns
    -------
    Numbers in [0, 1], exactly 0 or 1 where the observed one is and the deviation is 0 or beyond;
    the slope is then that at the median of the posterior.
    """
    at_zero, at_one = _at_edges(hits, misses, deviations)
    place = np.where(at_zero | at_one, 0.0, deviations)
    quantile = posterior_quantile(hits, misses, place)
    a, b = hits + PRIOR, misses + PRIOR
    log_density = (a - 1) * np.log(quantile) + (b - 1) * np.log1p(-quantile) - betaln(a, b)
    with np.errstate(over="ignore"):  # where the posterior has next to no density
        slope = np.exp(-(place**2) / 2 - log_density) / np.sqrt(2 * np.pi)
    return Nearby(np.where(at_zero, 0.0, np.where(at_one, 1.0, quantile)), slope)


def _at_edges(
    hits: Value, misses: Value, deviations: Array
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where an observed 0 or 1 stays, since the deviation does not lead inside."""
    return (hits == 0) & (deviations <= 0), (misses == 0) & (deviations >= 0)


def posterior_quantile(hits: Value, misses: Value, deviations: Array) -> Array:
    """The quantile of the posterior at a deviation's normal probability, inside (0, 1)."""
    quantile = betaincinv(hits + PRIOR, misses + PRIOR, ndtr(deviations))
    return np.clip(quantile, np.finfo(float).tiny, 1 - np.finfo(float).epsneg)
