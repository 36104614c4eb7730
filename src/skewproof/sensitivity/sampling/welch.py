"""Welch's tests against the baseline level, combined by Stouffer's method.

This is Algorithm 1 of van Zyl and Engelbrecht, as they run it. Their "standard deviation" is the
half-width of a confidence interval, and their sample size is the number of model runs. Therefore it
is not a valid test of an index.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri, stdtr

from skewproof.core.algebra import Array

COLUMNS = ["metric", "level", "p_tp", "p_fp", "p"]


def p_values(scores: pd.DataFrame, *, baseline: str, base_points: int) -> pd.DataFrame:
    """Test each metric's importance scores at every level against those at the baseline level.

    Parameters
    ----------
    scores
        Columns metric, level, input ("tp" or "fp"), s1, s1_conf.
    baseline
        Level with which the others are compared.
    base_points
        Number of base points of the design, which is used as the size of both samples.

    Returns
    -------
    Frame with a row for each metric and level except the baseline, in the order of `scores`, and
    the columns metric, level, p_tp, p_fp (two-sided, Welch 1947) and p (Stouffer's combination,
    unweighted).
    """
    wide = scores.pivot(index=["level", "metric"], columns="input", values=["s1", "s1_conf"])
    others = scores.loc[scores["level"] != baseline, ["level", "metric"]].drop_duplicates()
    if others.empty:
        return pd.DataFrame(columns=COLUMNS)
    compared = wide.loc[pd.MultiIndex.from_frame(others)]
    reference = wide.loc[[(baseline, metric) for metric in others["metric"]]]

    def welch(name: str) -> Array:
        (mean, error), (other, other_error) = (
            (table["s1", name].to_numpy(), table["s1_conf", name].to_numpy() ** 2 / base_points)
            for table in (reference, compared)
        )
        both, last = error + other_error, base_points - 1
        with np.errstate(divide="ignore", invalid="ignore"):
            freedom = both**2 / (error**2 / last + other_error**2 / last)
            t = np.abs(mean - other) / np.sqrt(both)
        # Without any spread means are equal or not, for any degrees of freedom.
        return np.asarray(2 * stdtr(np.where(both > 0, freedom, 1), -t))

    result = others.assign(p_tp=welch("tp"), p_fp=welch("fp"))
    pairs = result[["p_tp", "p_fp"]].to_numpy()
    with np.errstate(invalid="ignore"):  # 0 and 1 together
        result["p"] = ndtr(ndtri(pairs).sum(axis=1) / np.sqrt(2))
    return result[COLUMNS]
