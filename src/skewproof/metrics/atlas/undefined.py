"""Where a measure has no value: cells that are 0, found by evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.metric import Metric

OTHERS = np.array([[7, 3, 5, 11], [23, 2, 13, 61], [3, 29, 17, 5]]).T
"""Counts of the cells that are not 0, in three matrices: a quotient of some that happen to be
equal does not count."""


def undefined_cells(metric: Metric) -> tuple[frozenset[str], ...]:
    """The smallest sets of cells at whose zeros a metric is NaN or infinite, by evaluation.

    Two cells of a set can be a class that is empty, or is never called. At the zeros of a set and
    of more cells a metric may have a value again, as 0 by definition. It may be undefined elsewhere
    too: where two products are the same, or where there is but one instance, as for the Rand index.

    Examples
    --------
    >>> from skewproof import precision
    >>> from skewproof.metrics.atlas import undefined_cells
    >>> [sorted(cells) for cells in undefined_cells(precision)]
    [['fp', 'tp']]
    """
    found: list[frozenset[str]] = []
    for chosen in _zeros():
        if not any(cells <= chosen for cells in found) and _undefined(metric, chosen):
            found.append(chosen)
    return tuple(found)


def defined_again(metric: Metric) -> tuple[frozenset[str], ...]:
    """The sets of cells at whose zeros a metric has a value, although one of
    :func:`undefined_cells` is among them.

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
    """Sets of cells, but the empty and the full one, from the smallest on."""
    for size in range(1, len(CELLS)):
        yield from map(frozenset, combinations(CELLS, size))


def _undefined(metric: Metric, zeros: frozenset[str]) -> bool:
    cells = [np.where(name in zeros, 0, others) for name, others in zip(CELLS, OTHERS, strict=True)]
    with np.errstate(all="ignore"):
        return not np.isfinite(metric(ConfusionMatrix(*cells))).any()
