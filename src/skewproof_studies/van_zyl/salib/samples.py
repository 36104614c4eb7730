"""Sample of one level, as SALib's."""

from __future__ import annotations

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_number, expect_whole
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES, saltelli_blocks


def sample(
    level: Level, positives: float, *, log2_samples: int, seed: int | tuple[int, ...]
) -> Array:
    """Return the sample of a level in SALib's layout.

    Parameters
    ----------
    level, positives, log2_samples, seed
        As for :func:`skewproof.sensitivity.sampling.saltelli.saltelli_blocks`.

    Returns
    -------
    Array of shape (4 n, 2) with tp and fp; the rows A, AB_tp, AB_fp and B of one base point after
    another.

    Raises
    ------
    ValueError
        If the class size or the number of base points is not valid.
    """
    expect_number("positives", positives, above=0)
    expect_whole("log2_samples", log2_samples, 0, MOST_LOG2_SAMPLES)
    blocks = []
    for matrix in saltelli_blocks(level, positives, log2_samples=log2_samples, seed=seed):
        points = np.stack(np.broadcast_arrays(matrix.tp, matrix.fp), axis=-1)
        blocks.append(np.stack([points[0, 0], points[1, 0], points[0, 1], points[1, 1]], axis=1))
    return np.concatenate(blocks).reshape(-1, len(INPUTS))
