"""Report of the survey's discrepancies that the evidence shows."""

from __future__ import annotations

from collections.abc import Sequence

from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies
from skewproof_studies.survey.discrepancies import classification, clusterings_and_rankings


def discrepancies() -> list[Discrepancy]:
    """Check every known discrepancy, in the survey's order."""
    return [
        classification.unbounded_measures(),
        classification.inherent_chance_correction(),
        classification.rows_and_columns(),
        classification.micro_average(),
        classification.roc_from_precision(),
        classification.balanced_accuracy_in_words(),
        classification.balanced_accuracy_under_imbalance(),
        classification.h_measure_as_printed(),
        classification.likelihood_ratios_in_words(),
        classification.mcc_under_imbalance(),
        classification.balanced_accuracy_of_many_classes(),
        classification.kappa_n_is_not_general(),
        classification.weights_of_kappa(),
        clusterings_and_rankings.purity_sum(),
        clusterings_and_rankings.pairs_of_rand(),
        clusterings_and_rankings.range_of_adjusted_rand(),
        clusterings_and_rankings.unrelated_clusterings(),
        clusterings_and_rankings.average_precision(),
        clusterings_and_rankings.ranks_of_average_precision(),
        clusterings_and_rankings.first_relevant_item(),
    ]


def discrepancy_report(checks: Sequence[Discrepancy]) -> str:
    """Write the discrepancies that the evidence shows as Markdown."""
    return report_of_discrepancies(
        checks,
        title="the survey of absolute measures",
        kind="the text and the formulas of Beddar-Wiesing et al. (2025) contradict each other,"
        " another definition that they cite, or the mathematics. The survey was read in a text"
        " version of arXiv:2507.03392, which has no figures",
        meant="Meant or true",
    )
