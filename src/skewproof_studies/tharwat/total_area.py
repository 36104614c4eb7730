"""AUC_total under imbalance: the AUC of each class, weighted by its prior (Tharwat, Section 4).

Tharwat says that it is sensitive to class distributions and to error costs.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.practice.curves.areas.roc import auc, multiclass_auc
from skewproof_studies.tharwat.examples import THREE_CLASS_MATRIX
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS

FACTORS_OF_THREE = ((1, 1, 1), (1, 1, 10), (1, 10, 1), (10, 1, 1))
"""How often each class of Section 2.9.2 is repeated, its 100 samples classified as they are."""

FACTORS_OF_TWO = ((1, 1), (10, 1))
"""How often the negatives and the positives of Table 1 are repeated, with their scores."""

Samples = tuple[NDArray[np.int64], NDArray[np.float64]]
"""True classes of shape (samples,), and scores of shape (samples, classes)."""


def total_areas() -> pd.DataFrame:
    """AUC_total of his two examples with the classes as they are and with each ten times as large.

    Returns
    -------
    Frame with the columns example, sizes, auc_of_classes, mean (of these) and auc_total.
    """
    three, two = three_classes(), two_classes()
    rows = [_row("Section 2.9.2", _repeated(three, factors)) for factors in FACTORS_OF_THREE]
    rows += [_row("Table 1", _repeated(two, factors)) for factors in FACTORS_OF_TWO]
    return pd.DataFrame(rows)


def three_classes() -> Samples:
    """The 300 samples of Section 2.9.2; a class is scored 1 where it was predicted, else 0."""
    counts = THREE_CLASS_MATRIX.counts.astype(int)
    true, predicted = np.indices(counts.shape).reshape(2, -1)
    true, predicted = (np.repeat(labels, counts.ravel()) for labels in (true, predicted))
    return true, np.eye(len(counts))[predicted]


def two_classes() -> Samples:
    """The 20 samples of Table 1; the negative class is scored one less the score."""
    return TRUE_LABELS, np.stack([1 - SCORES, SCORES], axis=1)


def _repeated(samples: Samples, factors: tuple[int, ...]) -> Samples:
    true, scores = samples
    times = np.array(factors)[true]
    return np.repeat(true, times), np.repeat(scores, times, axis=0)


def _row(example: str, samples: Samples) -> dict[str, str | float]:
    true, scores = samples
    sizes = np.bincount(true)
    areas = [auc(true == place, scores[:, place]) for place in range(sizes.size)]
    return {
        "example": example,
        "sizes": ":".join(map(str, sizes)),
        "auc_of_classes": ", ".join(f"{area:.4f}" for area in areas),
        "mean": float(np.mean(areas)),
        "auc_total": multiclass_auc(true, scores),
    }
