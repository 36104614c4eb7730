"""Overlap of two regions, as in the survey of Beddar-Wiesing et al. (2025)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.labels import refuse_masked


def intersection_over_union(true: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the overlap of two regions over their union, in [0, 1] (Section 5 of the survey).

    With pixels as instances it is the Jaccard index, or Gilbert's ratio of verification.

    Parameters
    ----------
    true, predicted
        Boolean masks of one shape.

    Raises
    ------
    ValueError
        If a mask is not boolean or has masked entries, the shapes differ, or both regions are
        empty, so that the overlap is 0/0.

    Examples
    --------
    >>> from skewproof import intersection_over_union
    >>> intersection_over_union(true=[[True, True, False]], predicted=[[False, True, False]])
    0.5
    """
    for name, region in (("true", true), ("predicted", predicted)):
        refuse_masked(region, name)
    masks = {"true": np.asarray(true), "predicted": np.asarray(predicted)}
    for name, mask in masks.items():
        if mask.dtype != np.bool_:
            raise ValueError(f"{name} is of the type {mask.dtype}: expected a boolean mask")
    first, second = masks.values()
    if first.shape != second.shape:
        raise ValueError(
            f"true and predicted have the shapes {first.shape} and {second.shape}: expected one"
        )
    union = np.count_nonzero(first | second)
    if not union:
        raise ValueError("true and predicted are empty: expected at least one region")
    return float(np.count_nonzero(first & second) / union)
