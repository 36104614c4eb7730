"""Groups of rows that belong together, such as those of one patient, and counts by group."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.data.arrays import array_of
from skewproof.core.messages import shortened

MOST_CELLS = 2**27
"""Most counts of all groups together, which take 1 GB."""

ONE_GROUP = (
    "has the single label {}: expected at least two groups, since one shows no variation between"
    " groups"
)
"""End of the message that refuses a single group."""

WEIGHTED_GROUPS = (
    "sample_weight has fractions beside groups: expected whole numbers, which are counts, since no"
    " interval of weighted groups is known to cover"
)
"""Message that refuses weights that are not counts."""


def group_codes(groups: Any, length: int) -> tuple[NDArray[np.intp], int]:
    """Number the groups of rows, and count the groups.

    Parameters
    ----------
    groups
        Label of each row's group: text, numbers, dates, categories or any other hashable values.
    length
        Number of rows.

    Raises
    ------
    ValueError
        If there is not one label for each row, or one is missing; if all rows are of one group.

    Examples
    --------
    >>> codes, number = group_codes(["anna", "ben", "anna"], 3)
    >>> codes.tolist(), number
    ([0, 1, 0], 2)
    """
    import pandas as pd  # takes longer to load than matrices and metrics do

    labels = (
        groups if isinstance(groups, pd.Series | pd.Index) else array_of(groups, "groups", "labels")
    )
    if np.shape(labels) != (length,):
        raise ValueError(f"groups has the shape {np.shape(labels)}: expected ({length},)")
    codes, distinct = pd.factorize(labels)
    if len(codes) and codes.min() < 0:
        row = int(np.argmin(codes))
        raise ValueError(
            f"groups[{row}] = {shortened(str(np.asarray(labels)[row]))}: expected a label"
        )
    if len(distinct) == 1:
        raise ValueError(f"groups {ONE_GROUP.format(shortened(str(distinct[0])))}")
    return codes, len(distinct)


def counted_by_group(
    codes: NDArray[np.intp],
    number: int,
    cells: NDArray[np.intp],
    shape: tuple[int, ...],
    weights: Array | None = None,
) -> Array:
    """Count the rows of each group by cell, shape (groups, *shape).

    Groups are in the order of their counts, so that results depend neither on their labels nor on
    the order of rows.

    Parameters
    ----------
    codes, number
        Number of each row's group, and number of groups.
    cells
        Position of each row's cell in a table of the given shape.
    weights
        Number of instances for which each row stands; None for one.

    Raises
    ------
    ValueError
        If there are so many groups and cells that the counts take more than 1 GB.
    """
    size = int(np.prod(shape))
    if number * size > MOST_CELLS:
        raise ValueError(
            f"groups has {number} labels and a table {size} cells: expected at most"
            f" {MOST_CELLS} counts in all"
        )
    counts = np.bincount(codes * size + cells, weights, minlength=number * size)
    return in_order(counts.reshape(number, size).astype(np.float64)).reshape(number, *shape)


def in_order(counts: Array) -> Array:
    """Sort the rows of a table by their entries, the first column first."""
    return counts[np.lexsort(counts.T[::-1])]


def check_groups(by_group: Array, counts: Any) -> None:
    """Refuse counts by group that do not add up to the counts of a matrix.

    Raises
    ------
    ValueError
        If they do not.
    """
    table, whole = np.asarray(by_group), np.asarray(counts, dtype=np.float64)
    fits = table.ndim == 3 and table.shape[1:] == whole.shape and len(table) > 1
    fits = fits and table.dtype.kind in "iuf" and bool(np.all(table >= 0))
    expected = "the counts of at least two groups, which add up to the matrix"
    expect(fits and np.allclose(table.sum(axis=0), whole), "by_group", by_group, expected)
