"""Report on the repeated experiment of Mullick et al. as Markdown, with its tables."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from skewproof.reporting.templates import render
from skewproof_studies.mullick.paper import (
    FIGURE_5,
    MULTICLASS,
    MULTICLASS_NAMES,
    NAMES,
    TWO_CLASS,
    stated,
)

DEVIATIONS = [
    "sd",
    "standard_error",
    "sd_by_chance",
    "times_chance",
    "times_reference",
    "sd_over_all",
]
"""Columns of :func:`deviation_table` that are medians."""


def deviation_table(variability: pd.DataFrame) -> pd.DataFrame:
    """Return medians over problems of each measure's deviation, for two and for more classes.

    Parameters
    ----------
    variability
        Result of :func:`skewproof_studies.mullick.experiment.statistics.variability`.

    Returns
    -------
    Frame with the columns classes ("2" or "more"), index (the measure's name in the paper), sd,
    standard_error, sd_by_chance, times_chance (sd divided by sd_by_chance), times_reference (sd
    divided by the mean sd of GMean and AUROC on the same problem; for more classes, of GMean and
    ACSA) and sd_over_all.
    """
    reference = variability["index"].isin(["g_mean", "balanced_accuracy", "acsa"])
    means = variability["sd"].where(reference).groupby(variability["problem"]).transform("mean")
    table = variability.assign(
        classes=(variability["classes"] == 2).map({True: "2", False: "more"}),
        times_chance=variability["sd"] / variability["sd_by_chance"],
        times_reference=variability["sd"] / means,
        index=variability["index"].map(NAMES),
    )
    return table.groupby(["classes", "index"], sort=False)[DEVIATIONS].median().reset_index()


def chance_table(variability: pd.DataFrame) -> pd.DataFrame:
    """Return, over problems, each measure's change as a multiple of that by chance.

    Parameters
    ----------
    variability
        As for :func:`deviation_table`.

    Returns
    -------
    Frame with the columns classes ("2" or "more"), index (the measure's name in the paper),
    problems, smallest, median and largest (sd divided by sd_by_chance) and dependent (whether the
    measure violates Condition 1 according to the paper).
    """
    table = variability.assign(
        scope=(variability["classes"] == 2).map({True: TWO_CLASS, False: MULTICLASS}),
        times=variability["sd"] / variability["sd_by_chance"],
    )
    groups = table.groupby(["scope", "index"], sort=False)["times"]
    rows = groups.agg(problems="count", smallest="min", median="median", largest="max")
    rows = rows.reset_index()
    dependent = [stated(row.scope, row.index, 1) is False for row in rows.itertuples(index=False)]
    return rows.assign(
        scope=rows["scope"].map({TWO_CLASS: "2", MULTICLASS: "more"}),
        index=rows["index"].map(NAMES),
        dependent=dependent,
    ).rename(columns={"scope": "classes"})


def minimum_table(minima: pd.DataFrame) -> pd.DataFrame:
    """Return the minima by the number of classes.

    Parameters
    ----------
    minima
        Result of :func:`skewproof_studies.mullick.experiment.statistics.minima`.

    Returns
    -------
    Frame with one row per number of classes above two: classes, problems, the mean minimum of each
    measure of Figure 5 under its name, and for AUROC-OVA and -OVO the lead over ACSA's minimum and
    the shortfall from 1 as a share of ACSA's.
    """
    chosen = minima[minima["classes"] > 2]
    wide = chosen.pivot(index=["classes", "problem"], columns="index", values="minimum")
    wide = wide.reindex(columns=list(FIGURE_5))
    for key in ("auroc_ova", "auroc_ovo"):
        name = MULTICLASS_NAMES[key]
        wide[f"{name}: lead"] = wide[key] - wide["acsa"]
        wide[f"{name}: shortfall share"] = (1 - wide[key]) / (1 - wide["acsa"])
    groups = wide.rename(columns=MULTICLASS_NAMES).groupby("classes")
    means = groups.mean()
    means.insert(0, "problems", groups.size())
    return means.rename_axis(columns=None).reset_index()


def size_table(sizes: pd.DataFrame) -> pd.DataFrame:
    """Return the sizes of each problem in training and test.

    Parameters
    ----------
    sizes
        Column problem and those of
        :func:`skewproof_studies.mullick.experiment.protocol.problem_sizes`.

    Returns
    -------
    Frame with one row per problem: problem, classes, IR (of the sizes in training), instances,
    training and held_out (of the smallest class), draws (the largest number of instances of a class
    in a test set for each one held out).
    """
    tests = sizes.drop(columns=["problem", "class", "instances", "training", "held_out"])
    draws = tests.max(axis=1) / sizes["held_out"]
    groups = sizes.assign(draws=draws).groupby("problem", sort=False)
    largest = groups["training"].max()
    table = groups.agg(
        classes=("class", "size"),
        instances=("instances", "sum"),
        training=("training", "min"),
        held_out=("held_out", "min"),
        draws=("draws", "max"),
    )
    table.insert(1, "IR", largest / table["training"])
    return table.reset_index()


def experiment_report(
    findings: pd.DataFrame, sizes: pd.DataFrame, tables: Mapping[str, pd.DataFrame]
) -> str:
    """Write the report on the repeated experiment as Markdown.

    Parameters
    ----------
    findings
        Result of :func:`skewproof_studies.mullick.experiment.findings.findings`.
    sizes
        Result of :func:`size_table`.
    tables
        Results of :mod:`skewproof_studies.mullick.experiment.statistics` by name: `performance`,
        `variability`, `minima`, `lost_classes` and `losses`.
    """
    performance, lost = tables["performance"], tables["lost_classes"]
    losses = tables["losses"]
    chances = chance_table(tables["variability"])
    others = chances[~chances["dependent"]]
    return render(
        "skewproof_studies.mullick",
        "experiment.md.jinja",
        sizes=_counts_as_text(sizes),
        values=performance["matrices"].sum(),
        undefined=_counts_as_text(_undefined(performance)),
        findings=_counts_as_text(findings),
        deviations=deviation_table(tables["variability"]),
        chances=_counts_as_text(chances.drop(columns="dependent")),
        moving=chances[chances["dependent"]].to_dict("records"),
        farthest_other=others.loc[others["largest"].round(9).idxmax()],
        minima=_counts_as_text(minimum_table(tables["minima"])),
        lost=lost[["matrices", "zeros", "combinations", "zero_means"]].sum(),
        problems_with_zeros=_counts_as_text(lost[lost["zeros"] > 0]),
        losses=_counts_as_text(losses.assign(index=losses["index"].map(MULTICLASS_NAMES))),
    )


def _counts_as_text(table: pd.DataFrame) -> pd.DataFrame:
    """Convert a table so that its counts stay integers in Markdown, instead of becoming floats."""
    return table.assign(**table.select_dtypes("integer").astype(str))


def _undefined(performance: pd.DataFrame) -> pd.DataFrame:
    """Count the test sets on which a measure is undefined, by problem, measure and classifier."""
    undefined = performance[performance["undefined"] > 0]
    keys = ["problem", "index", "classifier"]
    return undefined.groupby(keys, sort=False)["undefined"].sum().reset_index()
