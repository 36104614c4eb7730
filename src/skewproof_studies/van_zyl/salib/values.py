"""Sample of one level, as SALib's, and values of metrics there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import INPUTS, ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.sampling.saltelli import saltelli_blocks


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
    """
    blocks = []
    for matrix in saltelli_blocks(level, positives, log2_samples=log2_samples, seed=seed):
        points = np.stack(np.broadcast_arrays(matrix.tp, matrix.fp), axis=-1)
        blocks.append(np.stack([points[0, 0], points[1, 0], points[0, 1], points[1, 1]], axis=1))
    return np.concatenate(blocks).reshape(-1, len(INPUTS))


PART = 2**16
"""Number of points of a sample at which a metric is evaluated at once."""


def metric_values(metric: Metric, points: Array, level: Level, positives: float) -> Array:
    """Return a metric at the points of a sample, shape (4 n,); NaN where it is undefined."""
    matrix = ConfusionMatrix.from_tp_fp(
        points[:, 0], points[:, 1], positives=positives, negatives=level.negatives(positives)
    )
    return np.asarray(metric(matrix), dtype=np.float64)


def write_values(
    file: IO[bytes], metrics: Sequence[Metric], points: Array, level: Level, positives: float
) -> None:
    """Write the values of metrics at a sample as a NumPy array, shape (metrics, 4 n).

    Values are computed and written in parts, so that memory does not grow with the sample.
    """
    shape = (len(metrics), len(points))
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    for metric in metrics:
        for first in range(0, len(points), PART):
            part = points[first : first + PART]
            file.write(metric_values(metric, part, level, positives).astype("<f8").tobytes())
