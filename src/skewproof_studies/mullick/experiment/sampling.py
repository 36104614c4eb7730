"""How many instances of each class train and test, and which (Section 5.2 of Mullick et al.)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array

Integers = NDArray[np.int64]
"""Classes or places of instances, from 0, or sizes of classes."""


def settings(ratios: Array) -> dict[str, Array]:
    """The five test sets of Section 5.2, by the sizes of their classes.

    Two classes have RRT = 1, 1/2, IR/2, IR and 2 IR (Definition 2); for more classes, the second
    test set has the ratios of training reversed, the third and the last one halve and double all
    classes but the smallest.

    Parameters
    ----------
    ratios
        Sizes of the classes in training, the smallest one's being 1, (C,).

    Returns
    -------
    By the name of the setting, sizes of the classes relative to each other, (C,).
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
    """How many instances of each class are left by undersampling to the ratios.

    Raises
    ------
    ValueError
        If only one is left of the smallest class: SMOTE needs two.
    """
    smallest = int(np.min(available / ratios))
    if smallest < 2:
        raise ValueError(
            f"imbalance_ratio = {ratios.max():g} leaves {smallest} instances of the smallest class"
            " to train with: expected at least 2"
        )
    return np.rint(smallest * ratios).astype(np.int64)


def sizes_in_test(available: Integers, ratios: Array) -> Integers:
    """How many instances of each class a test set has.

    Its smallest class has as many as the smallest class of the fold, and the others follow from
    the ratios.
    """
    return np.rint(available.min() * ratios / ratios.min()).astype(np.int64)


def drawn(labels: Integers, sizes: Integers, random: np.random.Generator) -> Integers:
    """Places of instances drawn at random, as many of each class as asked for.

    A class is drawn with replacement if more are asked for than there are, else without.
    """
    parts = []
    for number, size in enumerate(sizes):
        places = np.flatnonzero(labels == number)
        parts.append(random.choice(places, size, replace=bool(size > len(places))))
    return np.concatenate(parts)
