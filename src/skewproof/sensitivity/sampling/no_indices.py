"""Metrics that have no indices from a sample, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skewproof.core.levels import Level


class NoIndicesError(ValueError):
    """A metric is constant, or undefined at every base point."""


def refuse_undefined(
    keys: Sequence[str], touched: NDArray[np.int64], samples: int, level: Level
) -> None:
    """Refuse metrics that are undefined at some base points.

    Raises
    ------
    ValueError
        It names each of them, with the number of base points.
    """
    if touched.any():
        raise ValueError(
            "; ".join(
                f"{key} is undefined at {count} of {samples} base points at {level}"
                for key, count in zip(keys, touched, strict=True)
                if count
            )
            + ": expected defined values under the policy error"
        )


def refuse_constant(key: str, value: float) -> None:
    """Say that a metric has no indices, since it is the same everywhere."""
    raise NoIndicesError(f"{key} is constant ({value}): expected a metric that varies")
