"""Check of Burduk's claim that HMNC reacts less to the majority class and more to the minority.

The majority class is the positive one throughout.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof_studies.burduk.tables import HIT_RATES, HMNC, OTHER_METRICS, PAIRS
from skewproof_studies.burduk.theorem_and_slopes import slopes


def claim_in_the_tables(rows: pd.DataFrame) -> pd.DataFrame:
    """Check that HMNC's difference is the smallest if only TP changes, and the largest if only TN
    does.

    Parameters
    ----------
    rows
        Result of :func:`skewproof_studies.burduk.tables.classifier_rows`.

    Returns
    -------
    Frame with the columns pair, changes (TP or TN), holds.
    """
    differences, checks = rows.set_index("row"), []
    for pair in PAIRS:
        first, second = HIT_RATES[pair.first], HIT_RATES[pair.second]
        tp_changes, tn_changes = first.tpr != second.tpr, first.tnr != second.tnr
        if tp_changes and tn_changes:
            continue
        hmnc = differences.loc[pair.row, HMNC]
        others = differences.loc[pair.row, list(OTHER_METRICS)]
        holds = hmnc < others.min() if tp_changes else hmnc > others.max()
        changes = "TP" if tp_changes else "TN"
        checks.append({"pair": pair.row, "changes": changes, "holds": bool(holds)})
    return pd.DataFrame(checks)


def reactions(*, positives: float, negatives: float, grid: int) -> pd.DataFrame:
    """Compare how strongly HMNC and each other metric react to the majority and the minority class.

    Parameters
    ----------
    positives, negatives
        Sizes of the majority and of the minority class.
    grid
        Number of points along each axis of the square of all (u, v), at the centers of equal cells.

    Returns
    -------
    Frame with one row per point and metric: metric, u, v, less_majority, more_minority (whether
    HMNC reacts less than the metric to the majority, and more to the minority).
    """
    u, v = square(grid)
    sizes = {"positives": positives, "negatives": negatives}
    hmnc_by_u, hmnc_by_v = slopes(HMNC, u, v, **sizes)
    parts = []
    for key in OTHER_METRICS:
        by_u, by_v = slopes(key, u, v, **sizes)
        part = {
            "metric": key,
            "u": u.ravel(),
            "v": v.ravel(),
            "less_majority": (hmnc_by_u < by_u).ravel(),
            "more_minority": (hmnc_by_v > by_v).ravel(),
        }
        parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def square(grid: int) -> tuple[Array, Array]:
    """Return the centers of grid x grid cells of the square of all (u, v); rows are v."""
    middles = (np.arange(grid) + 0.5) / grid
    u, v = np.meshgrid(middles, middles)
    return u, v


def claim_shares(reactions: pd.DataFrame, imbalance_ratio: float) -> pd.DataFrame:
    """Return the shares of the square, and of the article's regions in it, in which the claim
    holds.

    Parameters
    ----------
    reactions
        Result of :func:`reactions`.
    imbalance_ratio
        The IR of these reactions.

    Returns
    -------
    Frame with the columns region, metric ("every" for all six at once), less_majority,
    more_minority, both: shares in [0, 1].
    """
    points = reactions.groupby(["u", "v"], sort=False)[["less_majority", "more_minority"]].all()
    every = points.reset_index().assign(metric="every")
    table = pd.concat([reactions, every], ignore_index=True)
    table["both"] = table["less_majority"] & table["more_minority"]
    regions = {
        "whole": table["u"] > 0,
        "u > IR": table["u"] > imbalance_ratio,
        "u < IR": table["u"] < imbalance_ratio,
        "u > 1/2": table["u"] > 0.5,
        "u > 1/2 and v > 1/2": (table["u"] > 0.5) & (table["v"] > 0.5),
    }
    columns = ["less_majority", "more_minority", "both"]
    parts = [
        table[inside]
        .groupby("metric", sort=False)[columns]
        .mean()
        .reset_index()
        .assign(region=name)
        for name, inside in regions.items()
    ]
    return pd.concat(parts, ignore_index=True)[["region", "metric", *columns]]
