"""Burduk's Tables 1 to 3: seven metrics of four classifiers, computed and compared with the print.

The majority class is the positive one throughout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.reporting.printed import printed_once, rounds_to
from skewproof_studies.reporting.table import Table, metric_label

HMNC = "hmnc"
"""Key of the metric that the article proposes."""

OTHER_METRICS = ("accuracy", "balanced_accuracy", "mcc", "f1", "g_mean", "cohen_kappa")
"""Keys of the metrics that the article compares it with."""

COMPARED_METRICS = (HMNC, *OTHER_METRICS)
"""Keys of all seven metrics, in the column order of the tables."""

PRINTED_FROM_MINUS_1 = ("mcc", "cohen_kappa")
"""Metrics that the article prints in [-1, 1], although it prints differences of the metrics scaled
to [0, 1]."""


class HitRates(NamedTuple):
    """Shares of both classes that a classifier recognizes."""

    tpr: float
    tnr: float


HIT_RATES = {
    "psi1": HitRates(0.5, 0.5),
    "psi2": HitRates(0.7, 0.5),
    "psi3": HitRates(0.7, 0.7),
    "psi4": HitRates(0.5, 0.7),
}
"""The article's four classifiers."""


class Pair(NamedTuple):
    """Two classifiers whose values the article compares."""

    first: str
    second: str

    @property
    def row(self) -> str:
        """Name of the row of their differences."""
        return f"|{self.first}-{self.second}|"


PAIRS = [
    Pair("psi1", "psi2"),
    Pair("psi1", "psi3"),
    Pair("psi1", "psi4"),
    Pair("psi2", "psi3"),
    Pair("psi3", "psi4"),
]
"""Pairs in the second part of the tables."""


def imbalance_ratio(positives: float, negatives: float) -> float:
    """Return IR, the size of the smaller class divided by that of the larger, in (0, 1] (Eq. 9)."""
    matrix = ConfusionMatrix.from_rates(0, 0, positives=positives, negatives=negatives)
    return float(matrix.imbalance_ratio)


def classifier_rows(positives: float, negatives: float) -> pd.DataFrame:
    """Return the rows of the tables: four classifiers, then the differences of five pairs of them.

    Returns
    -------
    Frame with the columns row, TP, TN (missing in the second part) and one column per metric: its
    values, and in the second part the differences of the metric scaled to [0, 1].
    """
    tpr, tnr = np.array(list(HIT_RATES.values())).T
    matrix = ConfusionMatrix.from_rates(tpr, 1 - tnr, positives=positives, negatives=negatives)
    values, scaled = (
        pd.DataFrame({metric.key: metric(matrix) for metric in metrics}, list(HIT_RATES))
        for metrics in (
            [get_metric(key) for key in COMPARED_METRICS],
            [bounded(get_metric(key)) for key in COMPARED_METRICS],
        )
    )
    differences = pd.DataFrame(
        {pair.row: (scaled.loc[pair.first] - scaled.loc[pair.second]).abs() for pair in PAIRS}
    ).T
    hits = pd.DataFrame({"TP": positives * tpr, "TN": negatives * tnr}, list(HIT_RATES))
    rows = pd.concat([hits.join(values), differences])
    return rows.rename_axis("row").reset_index()


def classifier_table(rows: pd.DataFrame, *, positives: float, negatives: float) -> Table:
    """Return one of Tables 1 to 3, with two decimals.

    Parameters
    ----------
    rows
        Result of :func:`classifier_rows` for these class sizes.
    positives, negatives
        Sizes of the majority and of the minority class.
    """
    numbers = rows[list(COMPARED_METRICS)].map(printed_once)
    hits = rows[["TP", "TN"]].map(lambda count: "" if np.isnan(count) else f"{count:g}")
    data = pd.concat([rows["row"], hits, numbers], axis=1)
    labels = {key: metric_label(get_metric(key)) for key in COMPARED_METRICS}
    display = data.rename(columns=labels | {"row": "Method"})
    names = display["Method"].str.replace("psi", r"\Psi_")
    names = names.str.replace(r"\|(.*)\|", r"\\lvert \1 \\rvert", regex=True)
    return Table(
        "Four classifiers and their differences at"
        f" IR = {imbalance_ratio(positives, negatives):g}, P = {positives:g}, N = {negatives:g}.",
        data,
        display.assign(Method="$" + names + "$"),
        notes=("MCC and kappa are in [-1, 1]; their differences are of both scaled to [0, 1].",),
    )


def compare_with_printed(printed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare every printed entry of the tables with the computed one.

    Parameters
    ----------
    printed
        Columns positives, negatives, row, metric, printed: numbers with two decimals.
    rows
        Results of :func:`classifier_rows` with the columns positives and negatives.

    Returns
    -------
    Frame with one row per printed entry: the columns of `printed`, computed (missing for class
    sizes that were not requested) and agrees (whether rounding to two decimals gives the printed
    number).
    """
    keys = ["positives", "negatives", "row"]
    computed = rows.melt(keys, list(COMPARED_METRICS), "metric", "computed")
    result = printed.merge(computed, how="left", on=[*keys, "metric"])
    # The article omits final zeros: 0.5 stands for 0.50.
    agrees = [
        rounds_to(entry.computed, printed_once(entry.printed)) for entry in result.itertuples()
    ]
    known = result["computed"].notna()
    return result.assign(agrees=pd.Series(agrees, dtype="boolean").where(known))
