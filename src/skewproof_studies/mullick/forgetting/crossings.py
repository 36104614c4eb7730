"""Imbalance at which a measure forgets the rarest class, or remembers it again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from skewproof.multiclass.crossings import (
    FORGOTTEN_WEIGHT,
    SIGNIFICANT_DIGITS,
    CrossingSearch,
    crossings,
    last_digit,
)
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.sensitivity import SHAPES
from skewproof.reporting.templates import render
from skewproof_studies.mullick.forgetting.class_weights import PATH, Sampling

FALLS, RISES = "falls below", "rises above"
"""Directions of a crossing of one half of a fair share, as the ratio rises."""


CROSSING_COLUMNS = ["index", "classes", "shape", "ratio", "direction", "error"]


def crossing_table(
    measures: Sequence[Measure], classes: int, ratios: Sequence[float], sampling: Sampling
) -> pd.DataFrame:
    """Find every crossing of one half of a fair share between equal classes and the largest ratio.

    Parameters
    ----------
    measures, classes, ratios
        As for :func:`skewproof_studies.mullick.forgetting.class_weights.sensitivity_table`; only
        the largest of the ratios matters.
    sampling
        Sample sizes. The grid has half as many points. A crossing takes four times as many per
        scramble, and up to 16 times as many scrambles.

    Returns
    -------
    Frame with one row per crossing: index, classes, shape, ratio (of the size of the largest class
    to that of the smallest), direction (FALLS or RISES), error (standard error of the ratio; 0 if
    the weight has a closed form). A measure that does not cross has no row.
    """
    search = CrossingSearch(
        largest=max(ratios),
        log2_scan=sampling.log2_samples - 1,
        log2_samples=sampling.log2_samples + 2,
        scrambles=16 * sampling.replicates,
        seed=sampling.seed,
    )
    rows = [
        (key, classes, shape, root.ratio, FALLS if root.falls else RISES, root.error)
        for shape in SHAPES
        for key, roots in crossings(measures, classes, shape, search).items()
        for root in roots
    ]
    return pd.DataFrame(rows, columns=CROSSING_COLUMNS)


def ratio_text(ratio: float, error: float) -> str:
    """Format a ratio with the usual digits if these are certain, otherwise with its standard error.

    Examples
    --------
    >>> ratio_text(9.1962, 0.0), ratio_text(138.17, 0.2), ratio_text(15.62, 0.09)
    ('1:9.20', '1:138', '1:15.6 ± 0.09')
    """
    text = f"1:{ratio:#.{SIGNIFICANT_DIGITS}g}".removesuffix(".")
    holds = error <= CrossingSearch.largest_unit_share * last_digit(ratio)
    return text if holds else f"{text} ± {error:.1g}"


def summarize_forgetting(
    types: pd.DataFrame, weights: pd.DataFrame, forgetting: pd.DataFrame
) -> str:
    """Write the report on types and crossings as Markdown, one row per measure.

    Parameters
    ----------
    types, weights
        Results of :func:`skewproof_studies.mullick.forgetting.class_weights.types_table` and
        :func:`skewproof_studies.mullick.forgetting.class_weights.weights_of_the_rarest`.
    forgetting
        Results of :func:`crossing_table`, possibly for several numbers of classes.
    """
    measures = types["index"].unique()
    by_type = _a_row_a_measure(
        types.assign(type=types["importance"] + " / " + types["contour"]), "type", measures
    )
    texts = types[PATH].assign(crossings=_crossing_texts(types, weights, forgetting))
    ratios = _a_row_a_measure(texts, "crossings", measures)
    holding = ratios.index[(ratios == "never").all(axis=1)]
    again = forgetting[forgetting["direction"] == RISES]
    sampled = forgetting[forgetting["error"] > 0]
    units = sampled["error"] / sampled["ratio"].map(last_digit)
    return render(
        "skewproof_studies.mullick",
        "forgetting.md.jinja",
        measures=len(ratios),
        holding=list(holding),
        crossings=len(forgetting),
        recovering=list(again["index"].unique()),
        closed=len(forgetting) - len(sampled),
        largest_relative_error=(sampled["error"] / sampled["ratio"]).max(),
        loose=int((units > CrossingSearch.largest_unit_share).sum()),
        points=CrossingSearch.points_a_decade,
        digits=SIGNIFICANT_DIGITS,
        forgotten_at=ratios.drop(index=holding).reset_index(),
        types=by_type.reset_index(),
        any_ordered_classes=any(MEASURES[key].ordered_classes for key in measures),
    )


def _crossing_texts(
    paths: pd.DataFrame, weights: pd.DataFrame, forgetting: pd.DataFrame
) -> list[str]:
    """Describe the crossings of each path."""
    texts = []
    for path in paths[PATH].itertuples(index=False):
        of_path = forgetting[(forgetting[PATH] == list(path)).all(axis=1)]
        least = weights.loc[(weights[PATH] == list(path)).all(axis=1), "weight"].min()
        parts = [
            f"{row.direction} at {ratio_text(row.ratio, row.error)}" for row in of_path.itertuples()
        ]
        below = "always below" if least < FORGOTTEN_WEIGHT else "never"
        texts.append(", ".join(parts) or below)
    return texts


def _a_row_a_measure(table: pd.DataFrame, values: str, measures: Sequence[str]) -> pd.DataFrame:
    wide = table.pivot(index="index", columns=["classes", "shape"], values=values).loc[measures]
    wide.columns = [f"{number} classes, {shape}" for number, shape in wide.columns]
    return wide


def place_on_axis(ratio: float, ratios: Sequence[float]) -> float:
    """Return the place of a ratio on an axis with one place per level, from 0, on a log scale.

    Equal classes, whose ratio is 1, are at -1.

    Examples
    --------
    >>> place_on_axis(10, [2, 10, 1000]), place_on_axis(100, [2, 10, 1000])
    (1.0, 1.5)
    """
    levels = np.log([1, *ratios])
    return float(np.interp(np.log(ratio), levels, np.arange(len(levels)) - 1.0))
