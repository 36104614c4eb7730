"""Estimates of the shares in which several distributions mix to a given one."""

from __future__ import annotations

import numpy as np

from skewproof.core.algebra import Array

STEPS = 40
"""Largest number of steps from equal shares to the largest likelihood."""

NEAR = 1e-14
"""Largest product of share and slope at which the steps end. Shares are then accurate to 1e-8, or
to 1e-5 where the likelihood is flat at a share of 0."""

AIM = 0.01
"""Part of the distance from the limits, where a share or its slope is 0, that a step aims to
leave."""

WAY = 0.99
"""Largest part of the distance to such a limit that a step covers."""

RIDGE = 1e-12
"""Smallest stiffness of a share, which keeps steps finite if equal parts leave shares
undetermined."""

YIELDING = 1e-3
"""Smallest share in the stiffness of a limit: a share of 0 is as stiff as one of this size."""


def mixing_shares(parts: Array, whole: Array) -> Array:
    """Find the shares of the parts with the largest likelihood of a whole, (..., classes).

    The shares are at least 0 and sum to 1. If some positive shares mix the parts to the whole
    exactly, they are the result. Otherwise an interior-point method finds the shares. Its only
    constraint is that they are at least 0, since the shares with the largest value of
    sum_j whole_j log(mixture_j) - sum_i share_i sum to 1.

    Parameters
    ----------
    parts
        The distribution within each class, (..., classes, cells).
    whole
        The distribution of all instances, (..., cells).

    Examples
    --------
    >>> import numpy as np
    >>> parts = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
    >>> mixing_shares(parts, np.array([0.45, 0.31, 0.24])).round(9).tolist()
    [0.5, 0.3, 0.2]
    >>> mixing_shares(parts, np.array([0.55, 0.4, 0.05])).round(6).tolist()
    [0.601504, 0.398496, 0.0]
    """
    shape = np.broadcast_shapes(parts.shape[:-2], whole.shape[:-1])
    classes, cells = parts.shape[-2:]
    every = np.broadcast_to(parts, (*shape, classes, cells)).reshape(-1, classes, cells)
    seen = np.broadcast_to(whole, (*shape, cells)).reshape(-1, cells)
    shares = np.full((len(seen), classes), -1.0)
    if classes == cells:
        regular = np.linalg.det(every) != 0
        upright = every[regular].transpose(0, 2, 1)
        shares[regular] = np.linalg.solve(upright, seen[regular][..., np.newaxis])[..., 0]
    outside = ~(shares > 0).all(axis=1)
    shares[outside] = _likeliest(every[outside], seen[outside])
    return shares.reshape(*shape, classes)


def _likeliest(parts: Array, whole: Array) -> Array:
    """Find the shares, (samples, classes), by Newton's method with both kinds of limits."""
    likeliest = np.full(parts.shape[:2], 1 / parts.shape[1])
    shares, slacks, rows = likeliest.copy(), np.ones_like(likeliest), np.arange(len(likeliest))
    identity = np.eye(parts.shape[1])
    for _ in range(STEPS):
        bend, slope = _curvature(parts, whole, shares)
        near = AIM * (shares * slacks).mean(axis=1, keepdims=True)
        bend += np.maximum(slacks / shares, RIDGE)[..., np.newaxis] * identity
        step = np.linalg.solve(bend, (near / shares + slope)[..., np.newaxis])[..., 0]
        slack_step = (near - slacks * step) / shares - slacks
        shares = shares + _room(shares, step) * step
        slacks = slacks + _room(slacks, slack_step) * slack_step
        likeliest[rows] = shares
        going = (shares * slacks).max(axis=1) > NEAR
        shares, slacks, rows = shares[going], slacks[going], rows[going]
        parts, whole = parts[going], whole[going]
        if not rows.size:
            break
    return likeliest / likeliest.sum(axis=1, keepdims=True)


def _room(numbers: Array, step: Array) -> Array:
    """Compute the part of a step that keeps all numbers above 0."""
    return np.minimum(1, WAY / np.maximum((-step / numbers).max(axis=1, keepdims=True), WAY / 2))


def _curvature(parts: Array, whole: Array, shares: Array) -> tuple[Array, Array]:
    """Compute the negated second derivatives of the likelihood by the shares, (..., classes,
    classes), and the first ones, (..., classes), which are 0 at its maximum for shares above 0."""
    weights, again = _weights(parts, whole, shares)
    slope = (parts @ weights[..., np.newaxis])[..., 0] - 1
    return (parts * again[..., np.newaxis, :]) @ np.swapaxes(parts, -1, -2), slope


def _weights(parts: Array, whole: Array, shares: Array) -> tuple[Array, Array]:
    """Divide the whole by the mixture and by its square; both are 0 where the mixture is 0."""
    mixture = (shares[..., np.newaxis, :] @ parts)[..., 0, :]
    positive = mixture > 0
    weights = np.divide(whole, mixture, out=np.zeros_like(mixture), where=positive)
    return weights, np.divide(weights, mixture, out=np.zeros_like(mixture), where=positive)


def mixing_slopes(
    parts: Array, whole: Array, shares: Array, by_share: Array
) -> tuple[Array, Array]:
    """Differentiate a function of the mixing shares by the parts and by the whole.

    Parameters
    ----------
    parts, whole
        As for :func:`mixing_shares`.
    shares
        The shares that it returns.
    by_share
        The function's derivatives by the shares.

    Returns
    -------
    The derivatives by the parts and by the whole, of their shapes. At a share of 0 they are those
    of a limit that yields a little, so that a search for larger shares has a direction.
    """
    weights, again = _weights(parts, whole, shares)
    bend, slope = _curvature(parts, whole, shares)
    stiff = np.maximum(np.maximum(-slope, 0) / np.maximum(shares, YIELDING), RIDGE)
    bend += stiff[..., np.newaxis] * np.eye(shares.shape[-1])
    moved = np.linalg.solve(bend, by_share[..., np.newaxis])
    by_cell = (np.swapaxes(parts, -1, -2) @ moved)[..., 0]
    by_part = moved * weights[..., np.newaxis, :]
    by_part -= shares[..., np.newaxis] * (by_cell * again)[..., np.newaxis, :]
    mixture = (shares[..., np.newaxis, :] @ parts)[..., 0, :]
    return by_part, np.divide(by_cell, mixture, out=np.zeros_like(by_cell), where=mixture > 0)
