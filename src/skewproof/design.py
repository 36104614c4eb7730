"""Saltelli designs from scrambled Sobol' sequences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from SALib.sample import sobol

from skewproof.levels import Level

INPUTS = ("tp", "fp")
"""The two inputs of the sensitivity analysis, in the order of a design's columns."""


def problem(positives: float, negatives: float) -> dict[str, object]:
    """SALib's description of the inputs: tp in [0, P], fp in [0, N]."""
    return {
        "num_vars": len(INPUTS),
        "names": list(INPUTS),
        "bounds": [[0, positives], [0, negatives]],
    }


def saltelli_design(
    level: Level, positives: float, *, log2_samples: int, seed: int
) -> NDArray[np.float64]:
    """Points (tp, fp) at which first-order indices need a metric's values.

    SALib's Saltelli design without second order on a scrambled Sobol' sequence in four dimensions.
    Each level has a scramble of its own, which depends on the seed and the level alone.

    Parameters
    ----------
    level
        Imbalance level.
    positives
        P, the size of the positive class.
    log2_samples
        Base-2 logarithm of the number of base points n.
    seed
        Study's seed, at least 0.

    Returns
    -------
    Array of shape (4 n, 2): for each base point the rows A, AB_tp, AB_fp, B of Saltelli et al.
    2010; columns tp in [0, P] and fp in [0, N], counts.
    """
    scramble = np.random.default_rng([seed, level.positive_part, level.negative_part])
    return sobol.sample(
        problem(positives, level.negatives(positives)),
        2**log2_samples,
        calc_second_order=False,
        seed=scramble,
    )
