"""Differences of all pairs of several models, with intervals that hold at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from skewproof.core.arguments import expect, expect_confidence
from skewproof.core.messages import printable
from skewproof.reporting.result_table import ResultTable
from skewproof.sensitivity.sampling.adjustment import holm


def all_pairs(
    models: Mapping[Any, Any] | pd.DataFrame,
    compared: Callable[..., pd.DataFrame],
    confidence: float,
) -> pd.DataFrame:
    """Compare every two models.

    Intervals are those of Bonferroni over the pairs: all of them hold at once with at least the
    confidence if each holds with its own. P-values are adjusted by Holm's method over the pairs.

    Parameters
    ----------
    models
        What each model says of the instances, by the names of the models.
    compared
        Function of what two models say, and of the confidence, that returns a row for each metric.
    confidence
        Probability that all intervals of a metric hold.

    Returns
    -------
    A row for each metric and pair: the names of the models in `first` and `second`, the columns
    of :class:`skewproof.Difference`, and the adjusted p-value in `p_adjusted`.

    Raises
    ------
    ValueError
        If there are fewer than two models, or a pair is refused; the message names the pair.
    """
    names = list(models)
    expect(
        len(set(names)) == len(names) > 1, "first", names, "at least two models, each named once"
    )
    confidence = expect_confidence("confidence", confidence)
    pairs = list(itertools.combinations(names, 2))
    tables = []
    for pair in pairs:
        try:
            table = compared(
                *(models[name] for name in pair), confidence=1 - (1 - confidence) / len(pairs)
            )
        except ValueError as error:
            first, second = (printable(str(name)) for name in pair)
            raise ValueError(f"first = {first}, second = {second}: {error}") from None
        tables.append(table.assign(first=pair[0], second=pair[1], confidence=confidence))
    rows = pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)
    rows["p_adjusted"] = rows.groupby("metric")["p_value"].transform(holm)
    leading = [
        "metric",
        "first",
        "second",
        "value",
        "low",
        "high",
        "p_value",
        "p_adjusted",
        "remark",
    ]
    return ResultTable(rows[[*leading, *rows.columns.difference(leading, sort=False)]])
