"""Summary of the verdicts: counts, disagreements, half-widths, choices, and the meaning of
robust."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.reporting.templates import render
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED
from skewproof_studies.van_zyl.verdicts.false_alarms import false_alarms_at, prevalence_caveat
from skewproof_studies.van_zyl.verdicts.orderings import count_orderings, shared_orderings
from skewproof_studies.van_zyl.verdicts.robustness import changed_types, exchanges_by_choice
from skewproof_studies.van_zyl.verdicts.verdicts import JUDGES


def summarize_verdicts(
    table: pd.DataFrame,
    widths: pd.DataFrame,
    choices: pd.DataFrame,
    orderings: pd.DataFrame,
    *,
    replicates: int,
    log2_samples: int,
    smallest_difference: float,
    registry: Mapping[str, Metric],
) -> str:
    """Write the verdicts as Markdown: counts, disagreements, half-widths, and the effect of
    choices.

    Parameters
    ----------
    table, widths
        Results of :func:`skewproof_studies.van_zyl.verdicts.verdicts.verdicts` and `half_widths`.
    choices
        Result of :func:`skewproof_studies.van_zyl.verdicts.robustness.choices`.
    orderings
        Result of :func:`skewproof_studies.van_zyl.verdicts.orderings.orderings`.
    replicates, log2_samples, smallest_difference
        Settings of the replicated samples.
    registry
        The metrics by key.
    """
    counts = pd.DataFrame({name: table[name].value_counts() for name in JUDGES}).fillna(0)
    counts = counts.reindex([SAME, DIFFERS, UNDECIDED], fill_value=0).astype(int)
    levels = table["level"].unique()
    rarest = max(levels, key=lambda level: Level.parse(level).negatives(1))
    return render(
        "skewproof_studies.van_zyl",
        "verdicts.md.jinja",
        replicates=replicates,
        log2_samples=log2_samples,
        smallest_difference=smallest_difference,
        counts=counts.rename(columns=JUDGES),
        cases=len(table),
        others=table[~table["agree"]].to_dict("records"),
        half_width=widths["s1_conf"].median(),
        error=widths["error"].median(),
        largest_error=widths["error"].max(),
        half_widths=_half_width_table(widths),
        choices=_choice_table(exchanges_by_choice(choices)),
        metrics=choices["metric"].nunique(),
        changed=changed_types(choices),
        robust=len(orderings),
        distinct=count_orderings(orderings),
        shared=shared_orderings(orderings),
        undecided=list(orderings.loc[orderings["ordering"].isna(), "metric"]),
        caveat=prevalence_caveat(
            false_alarms_at(Level.parse(rarest), orderings["metric"], registry=registry)
        ),
    )


def _half_width_table(widths: pd.DataFrame) -> pd.DataFrame:
    by_metric = widths.groupby("metric", sort=False)
    columns = {
        "median half-width": by_metric["s1_conf"].median(),
        "median error": by_metric["error"].median(),
        "largest half-width": by_metric["s1_conf"].max(),
        "largest error": by_metric["error"].max(),
    }
    return pd.DataFrame(columns).reset_index()


def _choice_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the report's table of choices: pairs that change places, and the metric that changes
    most."""
    return pd.DataFrame(
        {
            "choice": pairs["choice"],
            "value": pairs["value"],
            "pairs that change places": [
                f"{row.exchanged} of {row.pairs}" for row in pairs.itertuples()
            ],
            "largest distance of the mean deviation from the mean shift": pairs["change"],
            "of": pairs["metric"] + " at " + pairs["level"],
        }
    )
