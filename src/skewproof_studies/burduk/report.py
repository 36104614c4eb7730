"""Report on Burduk's tables, theorem and claim."""

from __future__ import annotations

import pandas as pd
import sympy

from skewproof.metrics import get_metric
from skewproof.reporting.templates import render
from skewproof_studies.burduk.tables import HMNC
from skewproof_studies.burduk.theorem_and_slopes import (
    SCALES,
    by_counts,
    isoline_slope,
    normalized_difference,
    theorem,
    turning_line,
)
from skewproof_studies.reporting.possible import possible_scores
from skewproof_studies.reporting.printed import printed_once
from skewproof_studies.reporting.table import metric_label


def hmnc_report(
    comparison: pd.DataFrame, in_tables: pd.DataFrame, shares: pd.DataFrame, borders: pd.DataFrame
) -> str:
    """Write the report on the tables, the theorem and the claim as Markdown.

    Parameters
    ----------
    comparison
        Result of :func:`skewproof_studies.burduk.tables.compare_with_printed`.
    in_tables, shares
        Results of :func:`~skewproof_studies.burduk.claim.claim_in_the_tables` and
        :func:`~skewproof_studies.burduk.claim.claim_shares`, the latter with a column
        imbalance_ratio.
    borders
        Results of :func:`skewproof_studies.burduk.theorem_and_slopes.border_shares` with a column
        imbalance_ratio.
    """
    computed = comparison.dropna(subset="agrees")
    disagreeing = computed[~computed["agrees"].astype(bool)]
    every = shares[shares["metric"] == "every"]
    return render(
        "skewproof_studies.burduk",
        "report.md.jinja",
        printed=len(comparison),
        computed=len(computed),
        # A bar inside a cell would end it.
        disagreeing=disagreeing.replace(r"\|", r"\|", regex=True),
        equal_metrics=", ".join(
            f"{metric_label(get_metric(key))} = ${sympy.latex(formula)}$"
            for key, formula in theorem().items()
        ),
        possible=possible_scores(
            (row, dict(zip(part["metric"], map(printed_once, part["printed"]), strict=True)), sizes)
            for (*sizes, row), part in comparison.groupby(["positives", "negatives", "row"])
            if not row.startswith("|")  # differences of two classifiers
        ),
        in_tables=in_tables,
        shares=every[["imbalance_ratio", "region", "less_majority", "more_minority", "both"]],
        normalized_difference=normalized_difference(),
        borders=borders[
            ["imbalance_ratio", "region", "reacts_to_majority", "scale", "holds"]
        ].dropna(),
        lines={scale: sympy.latex(turning_line(HMNC, scale)) for scale in SCALES},
        isolines={
            key: {
                "rates": sympy.latex(isoline_slope(key, "rates")),
                "counts": sympy.latex(by_counts(isoline_slope(key, "counts"))),
            }
            for key in (HMNC, "g_mean")
        },
    )
