"""Summary of the winners at the usual cut-off and at tuned ones, with every confidence."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof_studies.van_zyl.real_data.folds import DEFAULT_CUTOFF
from skewproof_studies.van_zyl.verdicts.false_alarms import false_alarms_at, prevalence_caveat

RAREST = Level(1, 1000)
"""Level at which the cost of false alarms is shown, the most extreme one of the paper."""


def summarize_flips(
    flips: pd.DataFrame, moved: pd.DataFrame, *, registry: Mapping[str, Metric]
) -> str:
    """Write the summary of the flips as Markdown.

    Parameters
    ----------
    flips, moved
        Results of :func:`skewproof_studies.van_zyl.real_data.flips.ranking_flips` and
        :func:`skewproof_studies.van_zyl.real_data.cutoffs.moved_flips`, with a column dataset.
    registry
        The metrics by key.
    """
    pairs = {"at the usual cut-off": flips, "with tuned cut-offs": moved}
    with_variant = {name: table.dropna(subset="modified") for name, table in pairs.items()}
    counts = pd.DataFrame(
        {
            name: table.groupby("dataset", sort=False)["flips"].agg(
                lambda values: f"{int(values.sum())} of {len(values)}"
            )
            for name, table in with_variant.items()
        }
    )
    return render(
        "skewproof_studies.van_zyl",
        "ranking_flips.md.jinja",
        cutoff=DEFAULT_CUTOFF,
        counts=counts.rename_axis("data set").reset_index(),
        tables={name: _shown(table) for name, table in with_variant.items()},
        caveat=prevalence_caveat(false_alarms_at(RAREST, [], registry=registry)),
    )


def _shown(table: pd.DataFrame) -> pd.DataFrame:
    """Return one row per metric with a variant: both winners, whether they differ, and the
    confidences."""
    return pd.DataFrame(
        {
            "data set": table["dataset"],
            "metric": table["metric"],
            "best": table["winner"],
            "confidence": table["confidence"],
            "variant": table["modified"],
            "best by the variant": table["modified_winner"],
            "its confidence": table["modified_confidence"],
            "flips": table["flips"].map({True: "yes", False: "no"}),
            "confidence in that": table["flip_confidence"],
        }
    )
