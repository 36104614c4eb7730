"""Cells whose zeros make a measure undefined, found by evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from skewproof.core.confusion import CELLS, matrix_of
from skewproof.core.metric import Metric, expect_metric

OTHERS = np.array([[7, 3, 5, 11], [23, 2, 13, 61], [3, 29, 17, 5]]).T
"""Counts of the nonzero cells in three matrices, so that a metric which is undefined at one of them
by coincidence still has a value at another."""


def undefined_cells(metric: Metric) -> tuple[frozenset[str], ...]:
    """Find the smallest sets of cells whose zeros make a metric NaN or infinite, by evaluation.

    Two zero cells can mean that a class is empty or is never predicted. If further cells are 0 as
    well, a metric may have a value again, such as 0 by definition. It may also be undefined
    elsewhere: where two products are equal, or for a single instance, as the Rand index is.

    Examples
    --------
    >>> from skewproof.metrics import precision
    >>> from skewproof.metrics.atlas import undefined_cells
    >>> [sorted(cells) for cells in undefined_cells(precision)]
    [['fp', 'tp']]
    """
    expect_metric(metric)
    smallest: list[frozenset[str]] = []
    for chosen in _zeros():
        if not any(cells <= chosen for cells in smallest) and _undefined(metric, chosen):
            smallest.append(chosen)
    return tuple(smallest)


def defined_again(metric: Metric) -> tuple[frozenset[str], ...]:
    """Find the sets of cells at whose zeros a metric has a value, although they contain a set of
    :func:`undefined_cells`.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> from skewproof.metrics.atlas.undefined import defined_again
    >>> [sorted(cells) for cells in defined_again(ATLAS["adjusted_g_mean"])]
    [['fp', 'tn', 'tp']]
    """
    smallest = undefined_cells(metric)
    return tuple(
        chosen
        for chosen in _zeros()
        if any(cells <= chosen for cells in smallest) and not _undefined(metric, chosen)
    )


def _zeros() -> Iterator[frozenset[str]]:
    """List the sets of cells except the empty and the full one, the smallest first."""
    for size in range(1, len(CELLS)):
        yield from map(frozenset, combinations(CELLS, size))


def _undefined(metric: Metric, zeros: frozenset[str]) -> bool:
    cells = [np.where(name in zeros, 0, others) for name, others in zip(CELLS, OTHERS, strict=True)]
    with np.errstate(all="ignore"):
        return not np.isfinite(metric(matrix_of(cells))).any()
