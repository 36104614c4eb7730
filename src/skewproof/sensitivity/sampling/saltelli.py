"""Saltelli designs from scrambled Sobol' sequences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.stats import qmc

from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.sensitivity.classifiers import UNIFORM, Classifiers
from skewproof.sensitivity.sampling.resampling import BLOCK

MOST_LOG2_SAMPLES = 30
"""Base-2 logarithm of the largest number of base points, that of SciPy's Sobol' sequences."""


def saltelli_blocks(
    level: Level,
    positives: float,
    *,
    log2_samples: int,
    seed: int | tuple[int, ...],
    classifiers: Classifiers = UNIFORM,
) -> Iterator[ConfusionMatrix]:
    """Generate the confusion matrices at which first-order and total indices need values.

    A scrambled Sobol' sequence in four dimensions yields two points A and B of (tp, fp) for each
    base point, which are combined by the design of Saltelli et al. 2010 without second order. The
    points are those of SALib. Each level has a scramble of its own, which depends on the seed and
    the level alone.

    Parameters
    ----------
    level
        Imbalance level.
    positives
        P, the size of the positive class.
    log2_samples
        Base-2 logarithm of the number of base points n.
    seed
        The study's seed, at least 0, or several such numbers.
    classifiers
        The distribution of true and false positive rates to which the points are mapped; its inputs
        take the place of tp and fp.

    Yields
    ------
    Matrices of shape (2, 2, b), with b base points per block and n in all. Along the first axis tp
    is that of A or B, and along the second axis fp is. So [0, 0] is A, [1, 0] is AB_tp, [0, 1] is
    AB_fp, and [1, 1] is B.
    """
    scramble = np.random.default_rng(
        [*np.atleast_1d(seed), level.positive_part, level.negative_part]
    )
    sequence = qmc.Sobol(2 * len(INPUTS), scramble=True, seed=scramble)
    negatives = level.negatives(positives)
    samples = 2**log2_samples
    for _ in range(0, samples, BLOCK):
        tp_a, fp_a, tp_b, fp_b = sequence.random(min(BLOCK, samples)).T
        p, q = np.stack([tp_a, tp_b])[:, np.newaxis, :], np.stack([fp_a, fp_b])[np.newaxis, :, :]
        if classifiers is UNIFORM:  # so that fn is P - tp, bitwise as in stored scores
            yield ConfusionMatrix.from_rates(p, q, positives=positives, negatives=negatives)
        else:
            yield classifiers.matrices((p, 1 - p, q, 1 - q), positives, negatives)
