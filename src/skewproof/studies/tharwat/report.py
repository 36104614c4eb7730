"""The reports on Tharwat's examples and on his claims."""

from __future__ import annotations

import pandas as pd

from skewproof.reporting.templates import render
from skewproof.studies.tharwat.twenty_samples import areas_of_samples

PACKAGE = "skewproof.studies.tharwat"


def examples_report(comparison: pd.DataFrame, iris: pd.DataFrame) -> str:
    """Printed and computed numbers as Markdown.

    Parameters
    ----------
    comparison
        The result of :func:`skewproof.studies.tharwat.examples.compare_with_printed`.
    iris
        The result of :func:`skewproof.studies.tharwat.iris.iris_results`.
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
        areas=areas.reset_index(),
        iris=iris,
    )


def claim_report(rows: pd.DataFrame, of_shares: pd.DataFrame) -> str:
    """The claims as Markdown.

    Parameters
    ----------
    rows, of_shares
        The results of :func:`skewproof.studies.tharwat.claims.claim_rows` and
        :func:`skewproof.studies.tharwat.claims.adjusted_g_mean_of_shares_shifts`.
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
    slight = rows.loc[rows["says"] == "slightly", ["level", "mean_shift", "largest_shift"]]
    return render(
        PACKAGE,
        "invariance.md.jinja",
        stated=int(stated.sum()),
        right=int(measures.loc[stated, "agrees"].sum()),
        silent=int((~stated).sum()),
        measures=shown.fillna("").reset_index(),
        of_numbers=slight,
        of_shares=of_shares,
    )
