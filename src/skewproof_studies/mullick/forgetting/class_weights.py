"""Weights of the errors on each class in every measure, at every imbalance."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.sensitivity import (
    SHAPES,
    ClassIndices,
    class_sizes,
    exact_class_indices,
    mean_shifts,
    sampled_class_indices,
)
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.sensitivity.sampling.replicates import Replicated, compare_groups

EQUAL = "equal"
"""Shape of the level that the others are compared with."""

PATH = ["index", "classes", "shape"]
"""Columns that identify a path: a measure's levels of one shape, by rising ratio."""


class Sampling(NamedTuple):
    """Sample sizes of a table for one number of classes."""

    log2_samples: int
    """Base-2 logarithm of the number of points of a scramble."""

    replicates: int
    """Number of scrambles per level; each level has its own."""

    seed: int
    """Seed of the study."""


class SizeLevel(NamedTuple):
    """Class sizes of a level."""

    shape: str
    """EQUAL or one of SHAPES."""

    ratio: float
    """Size of the largest class divided by that of the smallest."""

    sizes: Array
    """Class sizes in ascending order, shape (C,)."""


def size_levels(classes: int, ratios: Sequence[float]) -> list[SizeLevel]:
    """Return class sizes by shape and ratio, equal ones first."""
    return [SizeLevel(EQUAL, 1.0, np.ones(classes))] + [
        SizeLevel(shape, ratio, class_sizes(classes, shape, ratio))
        for shape in SHAPES
        for ratio in ratios
    ]


class LevelIndices(NamedTuple):
    """Indices of measures by class at a level, and the shifts of their values."""

    by_measure: Mapping[str, ClassIndices]
    """Indices by the measure's key; those in closed form are a single replicate."""

    exact: Collection[str]
    """Keys of the measures with indices in closed form."""

    shifts: Mapping[str, float]
    """Mean change of the value over all classifiers, by the measure's key."""


def sensitivity_table(
    measures: Sequence[Measure],
    classes: int,
    ratios: Sequence[float],
    sampling: Sampling,
) -> pd.DataFrame:
    """Compute Sobol' indices by class at every level, and compare them with those of equal classes.

    Parameters
    ----------
    measures
        The measures.
    classes
        Number of classes.
    ratios
        Sizes of the largest class divided by that of the smallest, in ascending order.
    sampling
        Sample sizes.

    Returns
    -------
    Frame with the columns index (the measure's key), classes, shape, ratio, rank (of the class by
    size, from 1), size, first_order, first_order_error, total, total_error (standard errors of the
    means, 0 if exact), exact, p_first_order, p_total (Welch's tests against equal classes; 1 or 0
    if both are exact), mean_shift (of the value, over all classifiers).
    """
    levels = size_levels(classes, ratios)
    by_level = [_level_indices(measures, level, sampling) for level in levels]
    parts = [
        _rows_of_measure(measure, level, indices, baseline=by_level[0])
        for level, indices in zip(levels, by_level, strict=True)
        for measure in measures
    ]
    return pd.concat(parts, ignore_index=True)


def _level_indices(
    measures: Sequence[Measure], level: SizeLevel, sampling: Sampling
) -> LevelIndices:
    shape_number = (EQUAL, *SHAPES).index(level.shape)
    seeds = [sampling.seed, len(level.sizes), shape_number, *float(level.ratio).as_integer_ratio()]
    solved = {measure.key: exact_class_indices(measure, level.sizes) for measure in measures}
    exact = {key: indices for key, indices in solved.items() if indices is not None}
    others = [measure for measure in measures if measure.key not in exact]
    points = sampling.log2_samples
    sampled = sampled_class_indices(
        others, level.sizes, log2_samples=points, replicates=sampling.replicates, seed=seeds
    )
    shifts = mean_shifts(measures, level.sizes, log2_samples=points, seed=seeds)
    return LevelIndices(
        exact | dict(zip((measure.key for measure in others), sampled, strict=True)),
        list(exact),
        dict(zip((measure.key for measure in measures), shifts, strict=True)),
    )


def _rows_of_measure(
    measure: Measure, level: SizeLevel, level_indices: LevelIndices, *, baseline: LevelIndices
) -> pd.DataFrame:
    """Return means of the replicates by class, their standard errors, and tests against equal
    classes."""
    columns = {
        "index": measure.key,
        "classes": len(level.sizes),
        "shape": level.shape,
        "ratio": level.ratio,
        "rank": 1 + np.arange(len(level.sizes)),
        "size": level.sizes,
    }
    for name in ClassIndices._fields:
        group, equal = (
            _at_least_two(getattr(at_level.by_measure[measure.key], name))
            for at_level in (level_indices, baseline)
        )
        # Only p-values of differences are used, and they do not depend on the other options.
        test = compare_groups(equal, group, smallest_difference=0.005, confidence=0.95)
        replicated = Replicated.of(group)
        columns |= {
            name: replicated.mean,
            f"{name}_error": replicated.standard_error,
            f"p_{name}": test.p_difference,
        }
    exact, shift = measure.key in level_indices.exact, level_indices.shifts[measure.key]
    return pd.DataFrame(columns | {"exact": exact, "mean_shift": shift})


def _at_least_two(replicates: Array) -> Array:
    """Return replicates for comparison; an exact one is repeated, as two without spread."""
    return np.vstack([replicates, replicates]) if len(replicates) == 1 else replicates


def types_table(table: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Return types of measures by number of classes and shape, as in Tables 3 and 4 of van Zyl.

    Parameters
    ----------
    table
        Results of :func:`sensitivity_table`, possibly for several numbers of classes.
    alpha
        Level of the tests, adjusted by Holm's method over the whole table.

    Returns
    -------
    Frame with the columns index (the measure's key), classes, shape, importance, contour: types by
    whether any class's Sobol' index differs from that of equal classes, and by whether any value
    does. Levels are the ratios in ascending order.
    """
    unequal = table[table["shape"] != EQUAL]
    tests = unequal[["p_first_order", "p_total"]]
    adjusted = holm(tests.fillna(1))
    verdicts = unequal.assign(
        importance=(adjusted < alpha).any(axis=1), contour=unequal["mean_shift"] > ROUNDED_SHIFT
    )
    each = verdicts.groupby([*PATH, "ratio"], sort=False)[["importance", "contour"]].any()
    types = each.groupby(PATH, sort=False).agg(lambda column: str(behavior_type(list(column))))
    return types.reset_index()


def weights_of_the_rarest(table: pd.DataFrame) -> pd.DataFrame:
    """Return the share of a measure's variance due to the rarest class, relative to its fair share.

    Parameters
    ----------
    table
        Results of :func:`sensitivity_table`, possibly for several numbers of classes.

    Returns
    -------
    Frame with the columns index (the measure's key), classes, shape, ratio, weight and
    weight_error. The weight is the class's total Sobol' index as a share of the sum of all classes'
    total indices, times the number of classes, so that 1 is a fair share. Its standard error
    neglects that of the sum.
    """
    sums = table.groupby([*PATH, "ratio"], sort=False)["total"].transform("sum")
    factor = table["classes"] / sums
    weighted = table.assign(
        weight=table["total"] * factor, weight_error=table["total_error"] * factor
    )
    columns = [*PATH, "ratio", "weight", "weight_error"]
    return weighted.loc[table["rank"] == 1, columns].reset_index(drop=True)
