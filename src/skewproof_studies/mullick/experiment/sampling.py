"""Training and test instances of each class: numbers and random draws (Section 5.2 of Mullick et
al.)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array

Integers = NDArray[np.int64]
"""Classes or indices of instances, from 0, or sizes of classes."""


def settings(ratios: Array) -> dict[str, Array]:
    """Return the five test sets of Section 5.2 by their class sizes.

    Two classes have RRT = 1, 1/2, IR/2, IR and 2 IR (Definition 2). For more classes, the second
    test set reverses the ratios of training; the third and the last one halve and double all
    classes but the smallest.

    Parameters
    ----------
    ratios
        Sizes of the classes in training relative to the smallest, shape (C,).

    Returns
    -------
    Sizes of the classes relative to each other, shape (C,), by the name of the setting.
    """
    others = np.arange(len(ratios)) > 0
    two = len(ratios) == 2
    second = {"minority_doubled": np.array([2.0, 1.0])} if two else {"reversed": 1 / ratios}
    return {
        "balanced": np.ones(len(ratios)),
        **second,
        "halved": np.where(others, ratios / 2, ratios),
        "original": ratios,
        "doubled": np.where(others, ratios * 2, ratios),
    }


def sizes_in_training(available: Integers, ratios: Array) -> Integers:
    """Return the number of instances of each class that undersampling to the ratios leaves.

    Raises
    ------
    ValueError
        If fewer than two instances of the smallest class are left, since SMOTE needs two.
    """
    smallest = int(np.min(available / ratios))
    if smallest < 2:
        raise ValueError(
            f"imbalance_ratio = {ratios.max():g} leaves {smallest} instances of the smallest class"
            " to train with: expected at least 2"
        )
    return np.rint(smallest * ratios).astype(np.int64)


def sizes_in_test(available: Integers, ratios: Array) -> Integers:
    """Return the number of instances of each class in a test set.

    The smallest class has as many instances as the smallest class of the fold, and the others
    follow from the ratios.
    """
    return np.rint(available.min() * ratios / ratios.min()).astype(np.int64)


def drawn(labels: Integers, sizes: Integers, random: np.random.Generator) -> Integers:
    """Draw indices of instances at random, with the requested number of each class.

    A class is drawn with replacement if more instances are requested than there are.
    """
    parts = []
    for number, size in enumerate(sizes):
        indices = np.flatnonzero(labels == number)
        parts.append(random.choice(indices, size, replace=bool(size > len(indices))))
    return np.concatenate(parts)
