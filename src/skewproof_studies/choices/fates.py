"""Changes of a metric's best point as positives become rare."""

from __future__ import annotations

import pandas as pd

from skewproof_studies.choices.groups import ALIKE

STAYS, NOTHING, BETWEEN, EVERYTHING = (
    "stays where it is",
    "goes to next to nothing called positive",
    "goes to a point in between",
    "goes to nearly everything called positive",
)
FATES = (NOTHING, BETWEEN, STAYS, EVERYTHING)

HARDLY = 0.01
"""TPR of a limit, or distance of its FPR from 1, below which next to nothing, or nearly everything,
is called positive."""

FATE_COLUMNS = ["metric", "curve", "fate"]


def fates(points: pd.DataFrame, limits: pd.DataFrame) -> pd.DataFrame:
    """Return what happens to the best point of each metric on each curve as positives become rare.

    Parameters
    ----------
    points, limits
        Tables of :class:`~skewproof_studies.choices.points.Chosen`.

    Returns
    -------
    Frame with the columns metric, curve and fate (one of :data:`FATES`), one row for each limit of
    a metric with points. A point stays if the points of all levels and the limit are the same.

    Examples
    --------
    >>> points = pd.DataFrame({"metric": ["f1"] * 2, "curve": "d2", "tpr": [0.9, 0.1], "fpr": 0.01})
    >>> limits = pd.DataFrame({"metric": ["f1"], "curve": "d2", "tpr": [0.0], "fpr": [0.0]})
    >>> fates(points, limits)["fate"].item()
    'goes to next to nothing called positive'
    """
    columns = ["metric", "curve", "tpr", "fpr"]
    ends = pd.concat([points[columns], limits[columns]]).groupby(["metric", "curve"], sort=False)
    low, high = ends.min(), ends.max()
    stays = ((high - low) <= ALIKE * high).all(axis=1)
    rows = [
        (row.metric, row.curve, _fate(row.tpr, row.fpr, stays=stays[row.metric, row.curve]))
        for row in limits.itertuples()
        if row.metric in set(points["metric"])
    ]
    return pd.DataFrame(rows, columns=FATE_COLUMNS)


def _fate(tpr: float, fpr: float, *, stays: bool) -> str:
    if stays:
        return STAYS
    if tpr < HARDLY:
        return NOTHING
    return EVERYTHING if 1 - fpr < HARDLY else BETWEEN
