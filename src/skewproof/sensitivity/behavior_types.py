"""Verdicts on a metric at each level, and the resulting types of behavior under imbalance.

The types are those of Tables 3 and 4 of van Zyl and Engelbrecht.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from skewproof.core.arguments import expect, expect_several

if TYPE_CHECKING:
    import pandas as pd

Verdict = Literal["same", "differs", "undecided"]
"""A verdict on whether a metric is the same at two levels, by any instrument."""

SAME: Final = "same"
DIFFERS: Final = "differs"
UNDECIDED: Final = "undecided"

ROUNDED_SHIFT = 1e-13
"""Largest mean deviation per grid point of two surfaces that are the same. Rounding of values in
[0, 1] causes about 1e-16, and the smallest deviation in Table 7 of van Zyl and Engelbrecht is
1e-2."""

SENSITIVE, INVARIANT = 1, 5
"""The types of metrics that differ from the baseline at every level and at no level."""

MIXED = "mixed"
"""The type of a metric that differs at some level but not at all later ones, which van Zyl and
Engelbrecht do not define."""


def type_names(levels: int) -> list[int | str]:
    """List the types, in order, if this many levels are compared with the baseline.

    Van Zyl and Engelbrecht number them for four levels (Tables 3 and 4): for a metric of Type k,
    from 1 to 5, exactly the last 5 - k levels differ. For any other number of levels, at least 1, a
    metric of Type 1 differs at every level and one of Type 5 at none; the types between have no
    number.

    Examples
    --------
    >>> type_names(4), type_names(3), type_names(1)
    ([1, 2, 3, 4, 5], [1, 'last 2 of 3', 'last 1 of 3', 5], [1, 5])
    """
    last = range(levels - 1, 0, -1)
    between: list[int | str] = [
        INVARIANT - count if levels == INVARIANT - 1 else f"last {count} of {levels}"
        for count in last
    ]
    return [SENSITIVE, *between, INVARIANT]


def behavior_type(rejected: Sequence[bool]) -> int | str:
    """Decide the type of a metric from the levels at which it differs from the baseline.

    Returns
    -------
    One of :func:`type_names`: 1 if it differs at all levels, 5 if it differs at none, and a type
    between them if it differs at the last levels of the list; or "mixed" if the levels at which it
    differs are not the last ones.

    Raises
    ------
    ValueError
        If no level is compared.

    Examples
    --------
    >>> from skewproof.sensitivity import behavior_type
    >>> behavior_type([True] * 4), behavior_type([False, False, True, True])
    (1, 3)
    >>> behavior_type([False, True, True]), behavior_type([False, False, False])
    ('last 2 of 3', 5)
    >>> behavior_type([True, False, False, False])
    'mixed'
    """
    rejected = expect_several("rejected", rejected, "a flag for each level")
    expect(bool(rejected), "rejected", rejected, "at least one level")
    kinds = {getattr(flag, "dtype", type(flag)) for flag in rejected}
    expect(kinds <= {bool, np.dtype(bool)}, "rejected", rejected, "True or False for each level")
    first = len(rejected) - sum(rejected)
    return type_names(len(rejected))[first] if all(rejected[first:]) else MIXED


def rejected_by_importance(p_values: pd.DataFrame, *, alpha: float) -> pd.DataFrame:
    """Find the levels at which importance scores differ: p < alpha (Table 3 of van Zyl and
    Engelbrecht).

    Returns
    -------
    Boolean frame, metrics by levels, both in the order of `p_values`.
    """
    return _by_level(p_values, p_values["p"] < alpha)


def rejected_by_contours(deviations: pd.DataFrame) -> pd.DataFrame:
    """Find the levels at which surfaces differ: Sigma > 0 beyond rounding (Table 4 of the paper).

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
    import pandas as pd  # the audit of a metric loads this module, and not pandas

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
