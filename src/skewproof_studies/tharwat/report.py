"""Reports on Tharwat's examples and claims."""

from __future__ import annotations

import pandas as pd

from skewproof.reporting.templates import render
from skewproof_studies.tharwat.examples import possible_examples
from skewproof_studies.tharwat.twenty_samples import areas_of_samples

PACKAGE = "skewproof_studies.tharwat"


def examples_report(comparison: pd.DataFrame, iris: pd.DataFrame) -> str:
    """Write the report on printed and computed numbers as Markdown.

    Parameters
    ----------
    comparison
        Result of :func:`skewproof_studies.tharwat.examples.compare_with_printed`.
    iris
        Result of :func:`skewproof_studies.tharwat.iris.iris_results`.
    """
    sections = comparison.groupby("section", sort=False)["agrees"].agg(printed="size", agree="sum")
    areas = pd.Series(areas_of_samples(), name="area").rename_axis("curve of Table 1")
    return render(
        PACKAGE,
        "report.md.jinja",
        printed=len(comparison),
        agreeing=int(comparison["agrees"].sum()),
        sections=sections.reset_index(),
        disagreeing=comparison[~comparison["agrees"]].drop(columns="agrees"),
        possible=possible_examples(comparison),
        areas=areas.reset_index(),
        iris=iris,
    )


def claim_report(
    rows: pd.DataFrame, of_numbers: pd.DataFrame, of_shares: pd.DataFrame, total: pd.DataFrame
) -> str:
    """Write the report on the claims as Markdown.

    Parameters
    ----------
    rows, of_numbers, of_shares
        Results of :func:`skewproof_studies.tharwat.claims.claim_rows`,
        :func:`skewproof_studies.tharwat.claims.adjusted_g_mean_shifts` and
        :func:`skewproof_studies.tharwat.claims.adjusted_g_mean_of_shares_shifts`.
    total
        Result of :func:`skewproof_studies.tharwat.claims.total_areas`.
    """
    measures = rows.groupby("measure", sort=False).agg(
        section=("section", "first"),
        says=("says", "first"),
        verdict=("verdict", lambda verdicts: ", ".join(dict.fromkeys(verdicts))),
        agrees=("agrees", "all"),
        mean_shift=("mean_shift", "max"),
        largest_shift=("largest_shift", "max"),
    )
    stated = measures["says"].notna()
    shown = measures.assign(
        says=measures["says"].fillna("nothing"),
        agrees=measures["agrees"].map({True: "yes", False: "no"}).where(stated),
    )
    levels = list(of_numbers["level"].unique())
    largest, mean = (
        of_numbers.pivot(index="positives", columns="level", values=shift)[levels]
        .map("{:.3g}".format)
        .reset_index()
        for shift in ("largest_shift", "mean_shift")
    )
    return render(
        PACKAGE,
        "invariance.md.jinja",
        stated=int(stated.sum()),
        right=int(measures.loc[stated, "agrees"].sum()),
        silent=int((~stated).sum()),
        measures=shown.fillna("").reset_index(),
        positives=rows["positives"].iloc[0],
        largest=largest,
        mean=mean,
        of_shares=of_shares,
        total=total,
    )
