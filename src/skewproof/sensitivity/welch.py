"""Welch's tests against the baseline level, combined by Stouffer's method: the paper's test.

It is reproduced as the paper runs it. Its "standard deviation" is the half-width of a confidence
interval and its sample size the number of model runs, so it is no sound test of an index.
"""

from __future__ import annotations

import pandas as pd
from scipy import stats

COLUMNS = ["metric", "level", "p_tp", "p_fp", "p"]


def p_values(scores: pd.DataFrame, *, baseline: str, base_points: int) -> pd.DataFrame:
    """Test each metric's importance scores at every level against those at the baseline level.

    Parameters
    ----------
    scores
        Columns metric, level, input ("tp" or "fp"), s1, s1_conf.
    baseline
        Level that the others are compared with.
    base_points
        Number of base points of the design, taken for the size of both samples.

    Returns
    -------
    Frame with a row for each metric and level but the baseline, in the order of `scores`;
    columns metric, level, p_tp, p_fp (two-sided, Welch 1947) and p (Stouffer's combination,
    unweighted). Algorithm 1 of van Zyl and Engelbrecht.
    """
    wide = scores.pivot(index=["level", "metric"], columns="input", values=["s1", "s1_conf"])
    others = scores.loc[scores["level"] != baseline, ["level", "metric"]].drop_duplicates()
    if others.empty:
        return pd.DataFrame(columns=COLUMNS)
    compared = wide.loc[pd.MultiIndex.from_frame(others)]
    reference = wide.loc[[(baseline, metric) for metric in others["metric"]]]

    def welch(name: str) -> pd.Series:
        return stats.ttest_ind_from_stats(
            mean1=reference["s1", name].to_numpy(),
            std1=reference["s1_conf", name].to_numpy(),
            nobs1=base_points,
            mean2=compared["s1", name].to_numpy(),
            std2=compared["s1_conf", name].to_numpy(),
            nobs2=base_points,
            equal_var=False,
        ).pvalue

    result = others.assign(p_tp=welch("tp"), p_fp=welch("fp"))
    pairs = result[["p_tp", "p_fp"]].to_numpy()
    result["p"] = [stats.combine_pvalues(pair, method="stouffer").pvalue for pair in pairs]
    return result[COLUMNS]
