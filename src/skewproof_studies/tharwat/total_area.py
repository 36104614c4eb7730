"""AUC_total under imbalance: the AUC of each class, weighted by its prior (Tharwat, Section 4).

Tharwat says that it is sensitive to class distributions and to error costs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.curves.areas.area import area
from skewproof.curves.areas.roc import multiclass_auc
from skewproof_studies.tharwat.examples import THREE_CLASS_MATRIX
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS

FACTORS_OF_THREE = ((1, 1, 1), (1, 1, 10), (1, 10, 1), (10, 1, 1))
"""Factors by which the classes of Section 2.9.2 are repeated, with the same predictions."""

FACTORS_OF_TWO = ((1, 1), (10, 1))
"""Factors by which the negatives and the positives of Table 1 are repeated, with the same
scores."""

Samples = tuple[NDArray[np.int64], NDArray[np.float64]]
"""True classes, shape (samples,), and scores, shape (samples, classes)."""


def total_areas() -> pd.DataFrame:
    """Compute AUC_total of the two examples with the given classes and with each ten times as
    large.

    Returns
    -------
    Frame with the columns example, sizes, auc_of_classes, mean (of these areas) and auc_total.
    """
    three, two = three_classes(), two_classes()
    rows = [_row("Section 2.9.2", _repeated(three, factors)) for factors in FACTORS_OF_THREE]
    rows += [_row("Table 1", _repeated(two, factors)) for factors in FACTORS_OF_TWO]
    return pd.DataFrame(rows)


def three_classes() -> Samples:
    """Return the 300 samples of Section 2.9.2; a class has the score 1 if it was predicted,
    otherwise 0."""
    counts = THREE_CLASS_MATRIX.counts.astype(int)
    true, predicted = np.indices(counts.shape).reshape(2, -1)
    true, predicted = (np.repeat(labels, counts.ravel()) for labels in (true, predicted))
    return true, np.eye(len(counts))[predicted]


def two_classes() -> Samples:
    """Return the 20 samples of Table 1; the negative class has 1 minus the score."""
    return TRUE_LABELS, np.stack([1 - SCORES, SCORES], axis=1)


def _repeated(samples: Samples, factors: tuple[int, ...]) -> Samples:
    true, scores = samples
    times = np.array(factors)[true]
    return np.repeat(true, times), np.repeat(scores, times, axis=0)


def _row(example: str, samples: Samples) -> dict[str, str | float]:
    true, scores = samples
    sizes = np.bincount(true)
    areas = [area("auc", true == label, scores[:, label]) for label in range(sizes.size)]
    return {
        "example": example,
        "sizes": ":".join(map(str, sizes)),
        "auc_of_classes": ", ".join(f"{value:.4f}" for value in areas),
        "mean": float(np.mean(areas)),
        "auc_total": multiclass_auc(true, scores),
    }
