"""Which index forgets the rare classes, and at what imbalance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.multiclass.measure import Measure
from skewproof.multiclass.sensitivity import (
    SHAPES,
    ClassIndices,
    class_sizes,
    exact_class_indices,
    mean_shifts,
    sampled_class_indices,
)
from skewproof.sensitivity.replicates import compare_groups, holm
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type

EQUAL = "equal"
"""Shape of the level that the others are compared with."""

FORGOTTEN = 0.5
"""Weight, as a part of a fair share, below which an index has forgotten the rarest class."""

TEST = {"smallest_difference": 0.005, "confidence": 0.95}
"""Of the comparison only p-values of differences are used, which neither enters."""

KEYS = ["index", "classes", "shape"]


def levels(classes: int, ratios: Sequence[float]) -> list[tuple[str, float, Array]]:
    """Class sizes by shape and ratio, equal ones first."""
    return [(EQUAL, 1.0, np.ones(classes))] + [
        (shape, ratio, class_sizes(classes, shape, ratio)) for shape in SHAPES for ratio in ratios
    ]


def sensitivity_table(
    indices: Sequence[Measure],
    classes: int,
    ratios: Sequence[float],
    *,
    log2_samples: int,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Indices by class at every level, beside those of equal classes.

    Parameters
    ----------
    indices
        ClassIndices of a confusion matrix.
    classes
        Number of classes.
    ratios
        Sizes of the largest class over that of the smallest, rising.
    log2_samples, replicates
        Points of a scramble, as a logarithm of base 2, and scrambles; each level has its own.
    seed
        Seed of the study.

    Returns
    -------
    Frame with the columns index, classes, shape, ratio, rank (of the class by size, from 1), size,
    first_order, first_order_error, total, total_error (standard errors of the means, 0 where
    exact), exact, p_first_order, p_total (Welch's tests against equal classes; 1 or 0 where both
    are exact), mean_shift (of the value, over all classifiers).
    """
    options = {"log2_samples": log2_samples, "replicates": replicates}
    parts: list[pd.DataFrame] = []
    baseline: dict[str, ClassIndices] = {}
    for shape, ratio, sizes in levels(classes, ratios):
        solved = {index.key: exact_class_indices(index, sizes) for index in indices}
        exact = {key: one for key, one in solved.items() if one is not None}
        open_ones = [index for index in indices if index.key not in exact]
        place = (EQUAL, *SHAPES).index(shape)
        seeds = [seed, classes, place, *float(ratio).as_integer_ratio()]
        sampled = sampled_class_indices(open_ones, sizes, **options, seed=seeds)
        found = exact | {i.key: s for i, s in zip(open_ones, sampled, strict=True)}
        shifts = mean_shifts(indices, sizes, log2_samples=log2_samples, seed=seeds)
        baseline = baseline or found
        for index, shift in zip(indices, shifts, strict=True):
            part = _rows(found[index.key], baseline[index.key], sizes)
            start = {"index": index.key, "classes": classes, "shape": shape, "ratio": ratio}
            parts.append(
                pd.DataFrame(start | part | {"exact": index.key in exact, "mean_shift": shift})
            )
    return pd.concat(parts, ignore_index=True)


def _rows(found: ClassIndices, baseline: ClassIndices, sizes: Array) -> dict[str, Any]:
    columns: dict[str, Any] = {"rank": 1 + np.arange(len(sizes)), "size": sizes}
    for name in ClassIndices._fields:
        # An exact one stands for two replicates without spread.
        group, equal = (np.vstack([g, g]) if len(g) == 1 else g
                        for g in (getattr(found, name), getattr(baseline, name)))  # fmt: skip
        test = compare_groups(equal, group, **TEST)
        columns |= {
            name: group.mean(axis=0),
            f"{name}_error": group.std(axis=0, ddof=1) / np.sqrt(len(group)),
            f"p_{name}": test.p_difference,
        }
    return columns


def types_table(table: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Types of indices by number of classes and shape, as of metrics in Tables 3 and 4.

    Parameters
    ----------
    table
        The results of :func:`sensitivity_table`, for any numbers of classes together.
    alpha
        Level of the tests, adjusted by Holm's method over all of the table.

    Returns
    -------
    Frame with the columns index, classes, shape, importance, contour: types by whether any class's
    index differs from that of equal classes, and by whether any value does; levels are the ratios
    in rising order.
    """
    unequal = table[table["shape"] != EQUAL]
    tests = unequal[["p_first_order", "p_total"]]
    adjusted = holm(tests.fillna(1))
    verdicts = unequal.assign(
        importance=(adjusted < alpha).any(axis=1), contour=unequal["mean_shift"] > ROUNDED_SHIFT
    )
    each = verdicts.groupby([*KEYS, "ratio"], sort=False)[["importance", "contour"]].any()
    types = each.groupby(KEYS, sort=False).agg(lambda column: str(behavior_type(list(column))))
    return types.reset_index()


def weights_of_the_rarest(table: pd.DataFrame) -> pd.DataFrame:
    """How much of an index's variance errors on the rarest class make, against its fair share.

    Returns
    -------
    Frame with the columns index, classes, shape, ratio, weight: its total index as a share of the
    sum of all classes' total indices, times the number of classes, so that 1 is a fair share;
    weight_error, its standard error with that of the sum left out.
    """
    sums = table.groupby([*KEYS, "ratio"], sort=False)["total"].transform("sum")
    factor = table["classes"] / sums
    weighted = table.assign(
        weight=table["total"] * factor, weight_error=table["total_error"] * factor
    )
    columns = [*KEYS, "ratio", "weight", "weight_error"]
    return weighted.loc[table["rank"] == 1, columns].reset_index(drop=True)


def forgetting_table(weights: pd.DataFrame) -> pd.DataFrame:
    """At which imbalance an index gives the rarest class half of a fair share.

    Parameters
    ----------
    weights
        The result of :func:`weights_of_the_rarest`.

    Returns
    -------
    Frame with the columns index, classes, shape, forgotten_at: the ratio at which the weight falls
    below FORGOTTEN, read off between neighboring levels on a logarithmic scale of ratios; missing
    where it does not. And last_weight, at the largest ratio.
    """
    equal = weights[weights["shape"] == EQUAL]
    rows = []
    for key, group in weights[weights["shape"] != EQUAL].groupby(KEYS, sort=False):
        index, classes, _ = key
        start = equal[(equal["index"] == index) & (equal["classes"] == classes)]
        path = pd.concat([start, group])
        below = (path["weight"] < FORGOTTEN).to_numpy()
        at = np.nan
        if below.any():
            last = int(np.argmax(below))
            span = path.iloc[last - 1 : last + 1]
            at = float(
                np.exp(np.interp(FORGOTTEN, span["weight"][::-1], np.log(span["ratio"])[::-1]))
            )
        rows.append((*key, at, float(path["weight"].iloc[-1])))
    return pd.DataFrame(rows, columns=[*KEYS, "forgotten_at", "last_weight"])


def summarize_forgetting(types: pd.DataFrame, forgetting: pd.DataFrame) -> str:
    """Types and forgetting as Markdown, a row an index."""
    columns = ["classes", "shape"]
    by_type = types.assign(type=types["importance"] + " / " + types["contour"])
    wide = by_type.pivot(index="index", columns=columns, values="type")
    wide = wide.loc[types["index"].unique()]
    at = forgetting.pivot(index="index", columns=columns, values="forgotten_at")
    at = at.loc[wide.index].map(lambda ratio: "never" if np.isnan(ratio) else f"1:{ratio:.2g}")
    for table in (wide, at):
        table.columns = [f"{number} classes, {shape}" for number, shape in table.columns]
    never = at.index[(at == "never").all(axis=1)]
    sections = [
        "# Which index forgets the rare classes",
        f"Of {len(at)} indices {len(never)} never give the rarest class less than half of a fair"
        f" share of their variance: {', '.join(never)}. The others do at these ratios of the"
        " largest class to the smallest:",
        at.drop(index=never).reset_index().to_markdown(index=False),
        "Types by the indices of the classes and by the values, as in Tables 3 and 4 of van Zyl and"
        " Engelbrecht (1: differs from equal classes at every ratio; the last one: at none):",
        wide.reset_index().to_markdown(index=False),
        "The weighted kappas take the classes for ordered by size; errors on a class at an end of"
        " the order weigh more, also among equals.",
    ]
    return "\n\n".join(sections) + "\n"
