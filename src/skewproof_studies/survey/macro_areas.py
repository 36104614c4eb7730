"""Areas under the macro precision-recall curve of three classes, one of which is rare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from skewproof.core.levels import Level

AUC_OF_CLASSES = (0.75, 0.85, 0.95)
"""AUC of each of three classes against the others; the first class is small."""

REACH, STEP = 9.0, 1e-3
"""Reach and step of the trapezoidal rule over the threshold."""


def binormal_areas(auc: ArrayLike, sizes: ArrayLike) -> tuple[float, float]:
    """Compute the area under the macro curve and the mean area of the classes in a population.

    Parameters
    ----------
    auc
        AUC of each class, (classes,): its scores are normal with the standard deviation 1 and the
        mean that gives this area for its own instances, and standard normal for the others.
    sizes
        Sizes of the classes in any unit, (classes,).
    """
    distance = np.sqrt(2) * ndtri(np.asarray(auc, dtype=np.float64))[:, np.newaxis]
    share = np.asarray(sizes, dtype=np.float64)[:, np.newaxis]
    share = share / share.sum()
    z = np.arange(-REACH, REACH + distance.max(), STEP)
    right, wrong = share * ndtr(distance - z), (1 - share) * ndtr(-z)
    precision = right / (right + wrong)
    density = STEP * np.exp(-((z - distance) ** 2) / 2) / np.sqrt(2 * np.pi)
    macro = precision.mean(axis=0) @ density.mean(axis=0)
    return float(macro), float((precision * density).sum(axis=1).mean())


def macro_areas(levels: Sequence[Level]) -> pd.DataFrame:
    """Compute both areas for three classes, with the first one as rare as a level says.

    The level is the ratio of the first class to each of the others.

    Returns
    -------
    Frame with the columns level, macro_curve (area under it), mean_of_areas.
    """
    rows = []
    for level in levels:
        ratio = level.negatives(1)
        rows.append((str(level), *binormal_areas(AUC_OF_CLASSES, (1, ratio, ratio))))
    return pd.DataFrame(rows, columns=["level", "macro_curve", "mean_of_areas"])
