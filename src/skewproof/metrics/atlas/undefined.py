"""Where a measure has no value: cells that are 0, found by evaluation."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

CELLS = ("tp", "fp", "fn", "tn")

OTHERS = np.array([[7, 3, 5, 11], [23, 2, 13, 61], [3, 29, 17, 5]]).T
"""Counts of the cells that are not 0, in three matrices: a quotient of some that happen to be
equal is no reason."""


def undefined_cells(metric: Metric) -> tuple[frozenset[str], ...]:
    """The smallest sets of cells at whose zeros a metric is NaN or infinite, by evaluation.

    Two cells of a set can be a class that is empty, or is never called. A metric may be undefined
    elsewhere too, where two products are the same.

    Examples
    --------
    >>> from skewproof import precision
    >>> from skewproof.metrics.atlas import undefined_cells
    >>> [sorted(cells) for cells in undefined_cells(precision)]
    [['fp', 'tp']]
    """
    found: list[frozenset[str]] = []
    for size in range(1, len(CELLS)):
        for chosen in map(frozenset, combinations(CELLS, size)):
            if not any(cells <= chosen for cells in found) and _undefined(metric, chosen):
                found.append(chosen)
    return tuple(found)


def _undefined(metric: Metric, zeros: frozenset[str]) -> bool:
    cells = {
        name: np.where(name in zeros, 0, others) for name, others in zip(CELLS, OTHERS, strict=True)
    }
    with np.errstate(all="ignore"):
        return not np.isfinite(metric(ConfusionMatrix(**cells))).any()
