"""First-order Sobol' indices and their bootstrap half-widths, SALib's numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from SALib.analyze import sobol

from skewproof.design import problem


class FirstOrder(NamedTuple):
    """First-order indices of one metric, in the order of :data:`skewproof.design.INPUTS`."""

    s1: NDArray[np.float64]
    """Shape (2,), the share of the variance that each input alone explains."""

    s1_conf: NDArray[np.float64]
    """Shape (2,), half-width of the bootstrap interval of each index."""


def first_order(
    values: NDArray[np.float64], *, resamples: int, confidence: float, seed: int
) -> FirstOrder:
    """Estimate the first-order indices from a metric's values on a Saltelli design.

    The estimator is that of Saltelli et al. 2010 on standardized values. The half-width is the
    normal quantile times the standard deviation over bootstrap resamples of the base points.
    The resamples depend on the seed, their number and the number of points alone.

    Parameters
    ----------
    values
        Shape (4 n,), the metric at the points of :func:`skewproof.design.saltelli_design`.
    resamples
        Number of bootstrap resamples, at least 2.
    confidence
        Level of the bootstrap interval, in (0, 1).
    seed
        Seed of the resamples, at least 0.

    Raises
    ------
    ValueError
        If a value is undefined (an index would be, too), or if all values are equal.
    """
    undefined = np.count_nonzero(~np.isfinite(values))
    if undefined:
        raise ValueError(
            f"undefined at {undefined} of {values.size} sample points; expected a defined value"
            " at each of them"
        )
    if np.ptp(values) == 0:
        raise ValueError(f"constant {values[0]}: expected a metric that varies with tp or fp")
    result = sobol.analyze(
        problem(1, 1),  # only the number of inputs matters here
        values,
        calc_second_order=False,
        num_resamples=resamples,
        conf_level=confidence,
        # A generator and not the seed: SALib takes a seed of 0 for no seed.
        seed=np.random.default_rng(seed),
    )
    return FirstOrder(result["S1"], result["S1_conf"])
