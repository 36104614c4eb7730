"""Questions about every slice: intervals, p-values and their adjustment."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from scipy.special import ndtr

from skewproof.core.algebra import Array
from skewproof.intervals.extremes import (
    Function,
    Gradient,
    Proportions,
    Rows,
    distance_to_zero,
    extremes,
    radius_of,
)
from skewproof.prevalence.prevalence import Prevalence
from skewproof.sensitivity.sampling.adjustment import benjamini_hochberg, holm

Adjustment = Literal["holm", "benjamini-hochberg"]

ClassSizes = Literal["sampled", "fixed"]
"""Sampling of slices: at random from a population, or with class sizes fixed by design."""


@dataclass(frozen=True)
class Question:
    """Settings for the question that is asked of every slice.

    Attributes
    ----------
    class_sizes
        Sampling of the slices.
    radius
        Radius of the ball of deviations, the normal quantile of the confidence.
    at
        Prevalence at which all slices are also shown; None for none.
    adjustment
        Adjustment of p-values for the number of slices.
    negligible
        Share of a difference that is negligible in a sentence.
    """

    class_sizes: ClassSizes = "sampled"
    radius: float = radius_of(0.95)
    at: Prevalence | None = None
    adjustment: Adjustment = "holm"
    negligible: float = 0.1

    @property
    def alpha(self) -> float:
        """Level below which an adjusted p-value distinguishes a number from 0."""
        return 2 * float(ndtr(-self.radius))

    def estimate(
        self, function: Function, proportions: Proportions, gradient: Gradient | None = None
    ) -> dict[str, Array]:
        """Compute observed values of a function of proportions, with ends of intervals."""
        ends = extremes(function, proportions, self.radius, gradient)
        values = function(proportions.observed, proportions.slices)
        return {"": values, "_low": ends.low, "_high": ends.high}

    def p(
        self, function: Function, proportions: Proportions, gradient: Gradient | None = None
    ) -> Array:
        """Compute the probability of so large a distance from 0; NaN if the value is undefined."""
        p = 2 * ndtr(-distance_to_zero(function, proportions, gradient))
        values = function(proportions.observed, proportions.slices)
        return np.where(np.isnan(values), np.nan, p)

    def adjusted(self, p_values: Array) -> Array:
        """Adjust the known p-values of an array of any shape."""
        known = ~np.isnan(p_values)
        adjusted = np.full(p_values.shape, np.nan)
        if known.any():
            adjust = holm if self.adjustment == "holm" else benjamini_hochberg
            adjusted[known] = adjust(p_values[known])
        return adjusted


def in_chunks(find: Callable[[Rows], dict[str, Array]], rows: Rows, size: int) -> pd.DataFrame:
    """Compute columns of numbers for slices, in chunks of a size, on all processors.

    Returns
    -------
    Frame with the slices as its index; it has the columns even if there are no slices.
    """
    chunks = [rows[start : start + size] for start in range(0, max(len(rows), 1), size)]
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        numbers = pd.concat(map(pd.DataFrame, threads.map(find, chunks)), ignore_index=True)
    return numbers.set_axis(rows)
