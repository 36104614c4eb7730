"""Types of behavior under imbalance (Tables 3 and 4), from any verdict a level."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

ROUNDED_SHIFT = 1e-13
"""Mean deviation a grid point up to which two surfaces are one: rounding of values in [0, 1]
leaves about 1e-16, the smallest deviation of the paper's Table 7 is 1e-2."""

MIXED = "mixed"


def behavior_type(rejected: Sequence[bool]) -> int | str:
    """Type of a metric from the levels at which it was found to differ from the baseline.

    Type k, from 1 to L + 1 for L levels, says that exactly the last L + 1 - k levels of the list
    were rejected: Type 1 all of them, Type L + 1 none (Tables 3 and 4 have L = 4).

    Returns
    -------
    The type, or "mixed" where the rejected levels are not the last ones of the list, a case that
    the paper leaves open.

    Examples
    --------
    >>> from skewproof import behavior_type
    >>> behavior_type([True] * 4), behavior_type([False, False, True, True])
    (1, 3)
    >>> behavior_type([True, False, False, False])
    'mixed'
    """
    count = sum(rejected)
    first = len(rejected) - count
    return first + 1 if all(rejected[first:]) else MIXED


def rejected_by_importance(p_values: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Where the importance scores differ: p < alpha (Table 3).

    Returns
    -------
    Boolean frame, metrics by levels, both in the order of `p_values`.
    """
    return _by_level(p_values, p_values["p"] < alpha)


def rejected_by_contours(deviations: pd.DataFrame) -> pd.DataFrame:
    """Where the surfaces differ: Sigma > 0 beyond rounding (Table 4).

    Returns
    -------
    Boolean frame, metrics by levels, both in the order of `deviations`.
    """
    return _by_level(deviations, deviations["sigma"] > ROUNDED_SHIFT * deviations["points"])


def _by_level(table: pd.DataFrame, verdict: pd.Series) -> pd.DataFrame:
    wide = table.assign(rejected=verdict).pivot(index="metric", columns="level", values="rejected")
    return wide.loc[table["metric"].unique(), table["level"].unique()]


def behavior_types(
    p_values: pd.DataFrame, deviations: pd.DataFrame, *, alpha: float
) -> pd.DataFrame:
    """Classify every metric by its importance scores and by its contours.

    Returns
    -------
    Frame with columns metric, verdict ("importance" or "contour") and type.
    """
    verdicts = {
        "importance": rejected_by_importance(p_values, alpha=alpha),
        "contour": rejected_by_contours(deviations),
    }
    return pd.DataFrame(
        [
            (metric, verdict, behavior_type(list(rejected.loc[metric])))
            for verdict, rejected in verdicts.items()
            for metric in rejected.index
        ],
        columns=["metric", "verdict", "type"],
    )
