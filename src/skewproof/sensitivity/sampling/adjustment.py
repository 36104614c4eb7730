"""Adjustment of the p-values of many tests for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array


def holm(p_values: ArrayLike) -> Array:
    """Adjust p-values of one family by Holm's method (Holm 1979), in any shape."""
    p_values = np.asarray(p_values, dtype=float)
    order = np.argsort(p_values, axis=None)
    factors = np.arange(p_values.size, 0, -1)
    adjusted = np.empty(p_values.size)
    adjusted[order] = np.maximum.accumulate(p_values.ravel()[order] * factors).clip(max=1)
    return adjusted.reshape(p_values.shape)


def benjamini_hochberg(p_values: ArrayLike) -> Array:
    """Adjust p-values of one family by the method of Benjamini and Hochberg (1995)."""
    from scipy import stats  # slow to import, and seldom needed

    return stats.false_discovery_control(p_values)
