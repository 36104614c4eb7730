"""What Tharwat says of each measure under imbalance (his Section 2), and what is proved of it.

A. Tharwat, *Classification assessment methods*, Applied Computing and Informatics 17, 2021.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import pandas as pd

from skewproof.core.algebra import Value, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.core.tanh_sinh import tanh_sinh
from skewproof.metrics import get_metric
from skewproof.metrics.composite import adjusted_g_mean
from skewproof.metrics.sensitivity_specificity import g_mean
from skewproof.sensitivity.invariance import invariance
from skewproof.sensitivity.surface_shift import mean_shift

EXPECTED = {"changes": "differs", "slightly": "differs", "same": "same"}
"""Which verdict agrees with what he says."""


def claim_rows(
    claims: pd.DataFrame, levels: Sequence[Level], baseline: Level, positives: int
) -> pd.DataFrame:
    """Every claim beside a proof or a counterexample, and how far the measure moves.

    Parameters
    ----------
    claims
        Columns measure, metric (its key), section and says: changes, slightly or same with the
        class distribution; missing where he does not say.
    levels, baseline
        The levels that are compared with the baseline.
    positives
        Size of the positive class.

    Returns
    -------
    Frame with a row a claim and level: the columns of `claims`, level, verdict (same or differs),
    formula (of the rates u and v), u, v, baseline_value and level_value (a counterexample), agrees
    (missing where he does not say), scale, mean_shift and largest_shift (over all classifiers, on
    the scale from 0 to 1).
    """
    rows = []
    for claim in claims.itertuples(index=False):
        metric = get_metric(claim.metric)
        for level in levels:
            shown = invariance(metric, level, baseline, positives)
            point, values = shown.point or ("", ""), shown.values or ("", "")
            proof = (shown.verdict, str(shown.formula or ""), *map(str, (*point, *values)))
            expected = EXPECTED.get(claim.says)
            agrees = None if expected is None else shown.verdict == expected
            # A proof makes every shift 0, which integration would have to rounding only.
            still = shown.verdict == "same"
            shifts = (0.0, 0.0) if still else shifts_of(metric, level, baseline, positives)
            rows.append((*claim, str(level), *proof, agrees, *shifts))
    columns = ["level", "verdict", "formula", "u", "v", "baseline_value", "level_value", "agrees"]
    columns = [*claims.columns, *columns, "mean_shift", "largest_shift"]
    table = pd.DataFrame(rows, columns=columns)
    return table.assign(agrees=table["agrees"].astype("boolean"))


def shifts_of(metric: Metric, level: Level, baseline: Level, positives: int) -> tuple[float, float]:
    """Mean and largest absolute shift of a metric's value, scaled to [0, 1], over all classifiers.

    The largest is that of 257 x 257 pairs of rates that come within 1e-21 of the edges.
    """
    scaled = bounded(metric)
    nodes, complements, _ = tanh_sinh()
    at_level, at_baseline = (
        scaled(
            ConfusionMatrix(
                tp=positives * nodes[:, np.newaxis],
                fn=positives * complements[:, np.newaxis],
                fp=place.negatives(positives) * nodes,
                tn=place.negatives(positives) * complements,
            )
        )
        for place in (level, baseline)
    )
    largest = float(np.abs(at_level - at_baseline).max())
    return mean_shift(scaled, level, baseline, positives).mean, largest


def adjusted_g_mean_of_shares() -> Metric:
    """AGM as Batuwita and Palade have it: with the share of the negatives, not their number."""

    def formula(c: ConfusionMatrix) -> Value:
        share = ratio(c.negatives, c.total)
        return ratio(g_mean(c) + c.tnr * share, 1 + share)

    return dataclasses.replace(
        adjusted_g_mean, key="adjusted_g_mean_of_shares", name="AGM of shares", formula=formula
    )


def claim_report(rows: pd.DataFrame, shares: pd.DataFrame) -> str:
    """The claims as Markdown.

    Parameters
    ----------
    rows
        The result of :func:`claim_rows`.
    shares
        Columns level, mean_shift and largest_shift of AGM with the share of the negatives.
    """
    of_claim = rows.groupby("measure", sort=False).agg(
        section=("section", "first"),
        says=("says", "first"),
        verdict=("verdict", lambda verdicts: ", ".join(dict.fromkeys(verdicts))),
        agrees=("agrees", "all"),
        mean_shift=("mean_shift", "max"),
        largest_shift=("largest_shift", "max"),
    )
    said = of_claim.dropna(subset="says")
    slight = rows.loc[rows["says"] == "slightly", ["level", "mean_shift", "largest_shift"]]
    shown = of_claim.assign(
        says=of_claim["says"].fillna("nothing"),
        agrees=of_claim["agrees"].map({True: "yes", False: "no"}).where(of_claim["says"].notna()),
    ).fillna("")
    sections = [
        "# Which measures change with the class distribution?",
        f"Of the {len(said)} measures of which the article says whether they change,"
        f" {int(said['agrees'].sum())} do as it says at every level; of"
        f" {len(of_claim) - len(said)} it says nothing. Shifts are the largest of all levels.",
        shown.reset_index().to_markdown(index=False, floatfmt=".4g"),
        "## How slight is slight?",
        "AGM as printed, with the number of negatives, over all classifiers:",
        slight.to_markdown(index=False, floatfmt=".3g"),
        "With the share of the negatives in its place, as Batuwita and Palade define it:",
        shares.to_markdown(index=False, floatfmt=".3g"),
    ]
    return "\n\n".join(sections) + "\n"
