"""Matrices of five folds that have the means printed in Table 11 of van Zyl and Engelbrecht."""

from __future__ import annotations

import pandas as pd

from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.printed_scores.digits import printed_interval
from skewproof.sensitivity.printed_scores.folds import reproduced
from skewproof.sensitivity.printed_scores.matrices import Score


def check_witnesses(printed: pd.DataFrame, witnesses: pd.DataFrame) -> pd.DataFrame:
    """Count the printed means of each data set that the matrices of its folds have exactly.

    Parameters
    ----------
    printed
        Columns table, row (a metric), column (a data set), printed (text).
    witnesses
        Columns dataset, rounding, fold, positives, negatives, tp, fp, a row for each fold.

    Returns
    -------
    Frame with the columns dataset, rounding, "tp, fp", means and reproduced.
    """
    means = printed[printed["table"] == "11"]
    rows = []
    for (dataset, rounding), folds in witnesses.groupby(["dataset", "rounding"]):
        entries = means.loc[means["column"] == dataset, ["row", "printed"]]
        scores = [
            Score(bounded(METRICS[metric]), printed_interval(text, rounding))
            for metric, text in entries.itertuples(index=False)
        ]
        pairs, sizes = (
            folds[columns].to_numpy().T for columns in (["tp", "fp"], ["positives", "negatives"])
        )
        rows.append(
            {
                "dataset": dataset,
                "rounding": rounding,
                "tp, fp": "; ".join(f"{tp}, {fp}" for tp, fp in pairs.T),
                "means": len(scores),
                "reproduced": sum(reproduced(scores, pairs, sizes)),
            }
        )
    return pd.DataFrame(rows)
