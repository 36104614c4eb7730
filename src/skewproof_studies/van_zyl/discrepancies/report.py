"""Report of the known discrepancies of van Zyl and Engelbrecht that the evidence shows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from skewproof.metrics import METRICS
from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies
from skewproof_studies.van_zyl.discrepancies import equations, tables


def discrepancies(
    printed: pd.DataFrame, widths: pd.DataFrame, real_world: pd.DataFrame
) -> list[Discrepancy]:
    """Check every known discrepancy.

    Parameters
    ----------
    printed
        Printed digits as text, under the headings of the paper: columns table, metric, column,
        printed.
    widths
        Result of :func:`skewproof_studies.van_zyl.verdicts.verdicts.half_widths`.
    real_world
        Printed digits of Tables 9 to 11 as text: columns table, row, column, printed.
    """
    values = tables.printed_values(real_world)
    digits = tables.printed_digits(printed)
    exact = tables.exact_scores(METRICS[key] for key in digits.loc["a12"].index.unique("metric"))
    return [
        tables.swapped_columns(digits, exact),
        tables.double_rounding(digits, exact),
        tables.optimized_precision_i_rejected(digits, exact),
        tables.optimized_precision_i_type(digits),
        tables.gilbert_ratio_listed_twice(digits),
        equations.roc_area(),
        equations.balanced_accuracy(),
        tables.fowlkes_mallows(digits, exact),
        tables.precision_recall_root_mean(digits, exact),
        tables.sensitivity_specificity_root_mean(digits, exact),
        equations.mcc_f1(),
        tables.missing_level(digits),
        equations.cohen_kappa_i(),
        equations.f1_i_and_gilbert_ratio_i(),
        tables.standard_deviation(widths),
        equations.anova_condition(),
        equations.partial_variance(digits),
        equations.false_positive_rate(),
        equations.kappa_denominator(),
        equations.laplace_scale(),
        equations.calibrated_f1(),
        equations.harmonic_mean_and_hmnc(),
        tables.accuracy_overestimates(values),
        tables.f1_matches_on_one(values),
        tables.number_of_test_sets(values),
    ]


def discrepancy_report(checks: Sequence[Discrepancy]) -> str:
    """Write the discrepancies that the evidence shows as Markdown."""
    return report_of_discrepancies(
        checks,
        title="van Zyl and Engelbrecht",
        kind="the paper's text, formulas and tables contradict each other or the mathematics",
        sources=", from the printed digits in resources/van_zyl/printed.csv and from exact indices",
    )
