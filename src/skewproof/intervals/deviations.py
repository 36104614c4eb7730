"""Proportions at a deviation of so many standard errors from the observed ones.

A deviation x is a normal quantile. If k of n instances were counted, the proportion at x is the
quantile of Beta(k + 1/2, n - k + 1/2), the posterior under Jeffreys' prior, at the normal
probability of x. If none or all of the n were counted, it is the observed 0 or 1 at deviations in
that direction. The limits of Jeffreys' interval are at -z and z (Brown, Cai and DasGupta 2001).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import betainccinv, betaincinv, betaln, expit, ndtr

from skewproof.core.algebra import Array, Value

PRIOR = 0.5
"""Number that Jeffreys' prior adds to each count of the posterior."""

MOST_DRAWS = 10_000_000
"""Most draws from posteriors, which fit into two gigabytes."""

MOST_INSTANCES = 1e12
"""Largest class: beyond, quantiles of the posterior lose digits."""

FARTHEST = 9.0
"""Largest deviation that a search considers: a share of 1e-19 lies beyond."""

SPACING = 1.0
"""Distance between the nodes of a table of quantiles."""


class Nearby(NamedTuple):
    """Proportions, and their slopes along the deviations."""

    proportions: Array
    slopes: Array


def nearby(hits: Array, misses: Array, deviations: Array) -> Nearby:
    """Compute the proportions at given deviations from many observed ones, with their slopes.

    Parameters
    ----------
    hits, misses
        Counts among hits + misses instances, which are above 0; fractions are allowed.
    deviations
        Finite deviations. The three arrays broadcast.

    Returns
    -------
    Proportions in [0, 1], exactly 0 or 1 if the observed one is and the deviation is 0 or leads
    outside; the slope is then that at the median of the posterior.
    """
    at_zero, at_one = (hits == 0) & (deviations <= 0), (misses == 0) & (deviations >= 0)
    inner = np.where(at_zero | at_one, 0.0, deviations)
    quantile = posterior_quantile(hits, misses, inner)
    a, b = hits + PRIOR, misses + PRIOR
    log_density = (a - 1) * np.log(quantile) + (b - 1) * np.log1p(-quantile) - betaln(a, b)
    with np.errstate(over="ignore"):  # where the posterior has hardly any density
        slope = np.exp(-(inner**2) / 2 - log_density) / np.sqrt(2 * np.pi)
    return Nearby(np.where(at_zero, 0.0, np.where(at_one, 1.0, quantile)), slope)


def posterior_quantile(hits: Value, misses: Value, deviations: Array) -> Array:
    """Return the quantile of the posterior at a deviation's normal probability, inside (0, 1).

    Above the median it is computed from the upper tail probability, which is more precise there.
    """
    a, b, probability = hits + PRIOR, misses + PRIOR, ndtr(-abs(deviations))
    below = deviations <= 0
    quantile = np.empty(np.broadcast(a, b, probability).shape)
    betaincinv(a, b, probability, out=quantile, where=below)
    betainccinv(a, b, probability, out=quantile, where=~below)
    return _inside(quantile)


def _inside(quantile: Array) -> Array:
    return np.clip(quantile, np.finfo(float).tiny, 1 - np.finfo(float).epsneg)


def negatives_needed(fpr: float, confidence: float) -> float:
    """Return how many negatives, none called positive, bound a false positive rate.

    The bound is the upper end of Jeffreys' interval.

    Examples
    --------
    >>> round(negatives_needed(0.001, 0.95))
    2510
    """
    tail = (1 + confidence) / 2

    def beyond(log_negatives: float) -> float:
        return float(betaincinv(PRIOR, math.exp(log_negatives) + PRIOR, tail)) - fpr

    return math.exp(brentq(beyond, -10, 60)) if 0 < fpr < 0.9 else 0.0


@dataclass(frozen=True)
class QuantileTable:
    """Table that interpolates the result of :func:`nearby` for many proportions.

    The logit of the posterior's quantile is a polynomial of degree 5 between nodes, given by its
    value and two derivatives there. A test verifies it to 1e-5 deviations of :func:`nearby` for up
    to 1e6 instances. With 1e12 instances the density, and so a derivative, has only 3 digits.
    """

    coefficients: Array
    """Coefficients of the powers of the relative position between two nodes, shape (d, slices,
    nodes - 1, 6)."""

    no_hits: NDArray[np.bool_]
    no_misses: NDArray[np.bool_]
    """True for an observed proportion of 0, or of 1, shape (d, slices)."""

    @classmethod
    def build(cls, hits: Array, misses: Array) -> QuantileTable:
        """Build the table for counts of the shape (d, slices) and deviations up to `FARTHEST`.

        Quantiles take nearly all of the time. Equal counts, of which simulated studies have many,
        therefore share theirs.
        """
        no_hits, no_misses = hits == 0, misses == 0
        pairs, positions = np.unique(hits + 1j * misses, return_inverse=True)
        hits, misses = pairs.real, pairs.imag
        intervals = np.ceil(FARTHEST / SPACING)
        below = SPACING * np.arange(-intervals, 1)[:, np.newaxis]
        lower, upper = _logits(hits, misses, below), _logits(misses, hits, below[:-1])
        signs = (-1, 1, -1)
        nodes = [
            np.concatenate([left, sign * right[::-1]])
            for left, right, sign in zip(lower, upper, signs, strict=True)
        ]
        value, slope, curvature = nodes[0], SPACING * nodes[1], SPACING**2 / 2 * nodes[2]
        # The remainder of the value and two derivatives at the next node.
        rest = np.diff(value, axis=0) - slope[:-1] - curvature[:-1]
        rest_slope = np.diff(slope, axis=0) - 2 * curvature[:-1]
        rest_curvature = np.diff(curvature, axis=0)
        coefficients = [
            value[:-1],
            slope[:-1],
            curvature[:-1],
            10 * rest - 4 * rest_slope + rest_curvature,
            -15 * rest + 7 * rest_slope - 2 * rest_curvature,
            6 * rest - 3 * rest_slope + rest_curvature,
        ]
        table = np.ascontiguousarray(np.stack(coefficients).transpose(2, 1, 0))
        return cls(table[positions.reshape(no_hits.shape)], no_hits, no_misses)

    def nearby(self, deviations: Array, slices: NDArray[np.intp]) -> Nearby:
        """Compute proportions and slopes at deviations of the shape (d, points, slices).

        Deviations are at most those of the table; `slices` are those that the last axis holds.
        """
        at_zero = self.no_hits[:, np.newaxis, slices] & (deviations <= 0)
        at_one = self.no_misses[:, np.newaxis, slices] & (deviations >= 0)
        near = self.inside(np.where(at_zero | at_one, 0.0, deviations), slices)
        shares = np.where(at_zero, 0.0, np.where(at_one, 1.0, near.proportions))
        return Nearby(shares, near.slopes)

    def inside(self, deviations: Array, slices: NDArray[np.intp]) -> Nearby:
        """Compute the posterior's quantiles, which are inside (0, 1), with their slopes."""
        dimensions, number, intervals, terms = self.coefficients.shape
        position = deviations / SPACING + intervals / 2
        interval = np.clip(position.astype(np.intp), 0, intervals - 1)
        way = position - interval
        column = number * np.arange(dimensions)[:, np.newaxis, np.newaxis] + slices
        flat = self.coefficients.reshape(-1, terms)
        terms_there = np.moveaxis(flat.take(intervals * column + interval, axis=0), -1, 0)
        logit = terms_there[-1].copy()
        slope = np.zeros_like(logit)
        for term in terms_there[-2::-1]:
            slope = slope * way + logit
            logit = logit * way + term
        share = _inside(expit(logit))
        return Nearby(share, slope / SPACING * share * (1 - share))


def _logits(hits: Array, misses: Array, deviations: Array) -> tuple[Array, Array, Array]:
    """Compute logits of the posterior's quantile, with two derivatives, at deviations up to 0."""
    a, b, probability = hits + PRIOR, misses + PRIOR, ndtr(deviations)
    share = betaincinv(a, b, probability)
    rest = 1 - share
    large = share > 1 / 2
    a_there, b_there, probability = (
        np.broadcast_to(x, share.shape)[large] for x in (a, b, probability)
    )
    rest[large] = betainccinv(b_there, a_there, probability)
    log_share, log_rest = np.log(share), np.log(rest)
    slope = np.exp(betaln(a, b) - a * log_share - b * log_rest - deviations**2 / 2)
    slope /= np.sqrt(2 * np.pi)
    return log_share - log_rest, slope, slope * (slope * (b * share - a * rest) - deviations)
