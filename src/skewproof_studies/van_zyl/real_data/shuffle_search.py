"""Search for the seed of Table 11 of van Zyl and Engelbrecht among likely ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression

from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.reporting.templates import render
from skewproof_studies.reporting.printed import half_unit
from skewproof_studies.van_zyl.real_data.datasets import Data
from skewproof_studies.van_zyl.real_data.folds import fitted_matrices, matrix_of

FAVORITES = (42, 123, 1234, 12345, 1337, 2022, 2023, 2024, 2025)
"""Popular seeds beyond the first natural numbers."""

UNSHUFFLED = "none"
"""Entry for the instances in the order of the file."""

SEARCH_COLUMNS = ["dataset", "random_state", "values", "matched", "mean_distance", "distance"]


def candidates(count: int) -> list[int | None]:
    """Return the states to try, each once: no shuffle, 0 to count - 1, and FAVORITES."""
    return [None, *dict.fromkeys([*range(count), *FAVORITES])]


def shuffle_distances(
    data: Data,
    printed: Mapping[str, str],
    model: LogisticRegression,
    *,
    count: int,
    states: list[int | None],
) -> Iterator[dict[str, Any]]:
    """Yield the distance of the fold means of each shuffle from the printed values.

    Parameters
    ----------
    data
        All instances.
    printed
        Digits of Table 11 for this data set, by the metric's key.
    model, count
        Unfitted logistic regression, and number of folds.
    states
        Seeds of the shuffle; None for no shuffle.

    Yields
    ------
    For each state its random_state, values (number of compared values), matched (number of them
    that round to the printed digits), mean_distance and distance (the largest).
    """
    for state in states:
        matrices = matrix_of(fitted_matrices(data, model, count=count, state=state))
        means = np.array([np.nanmean(bounded(METRICS[key])(matrices)) for key in printed])
        distances = np.abs(means - np.array([float(digits) for digits in printed.values()]))
        halves = np.array([half_unit(digits) for digits in printed.values()])
        yield {
            "random_state": UNSHUFFLED if state is None else state,
            "values": len(printed),
            "matched": int((distances <= halves).sum()),
            "mean_distance": distances.mean(),
            "distance": distances.max(),
        }


def summarize_search(table: pd.DataFrame) -> str:
    """Write the report on the search as Markdown.

    Parameters
    ----------
    table
        Columns SEARCH_COLUMNS; each row has a unique index.
    """
    groups = table.groupby("dataset", sort=False)
    best = table.loc[groups["distance"].idxmin()]
    matches = table[(table["matched"] == table["values"])]
    return render(
        "skewproof_studies.van_zyl",
        "shuffle_search.md.jinja",
        tried=table["random_state"].nunique(),
        best=best.assign(median=list(groups["distance"].median())),
        matches=matches.to_dict("records"),
        common=_nearest_on_all(table),
    )


def _nearest_on_all(table: pd.DataFrame) -> tuple[Any, float] | None:
    """Return the state with the smallest largest distance over all data sets, and that distance."""
    if table["dataset"].nunique() < 2:
        return None
    worst = table.groupby("random_state", sort=False)["distance"].max()
    return worst.idxmin(), float(worst.min())
