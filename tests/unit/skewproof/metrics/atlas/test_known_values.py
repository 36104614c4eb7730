"""Every measure of the atlas, compared with a package's value or a value by hand."""

import csv
import re
from fractions import Fraction
from math import atanh, exp, log, log2, log10, pi, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
import scipy.special  # noqa: F401, imported here to be no test's time

from known_values import KNOWN_VALUES
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.metrics.atlas import ATLAS, CATALOG

STORED = Path(__file__).parents[4] / "reference" / "atlas" / "package_values.csv"

BY_PACKAGE = re.compile(r"[\w-]+ \d[\d.]*: .+")

QUANTILE, SHARE = NormalDist().inv_cdf, NormalDist().cdf
HITS, ALARMS = QUANTILE(3 / 4), QUANTILE(1 / 6)

PRIOR, CALLED = Fraction(12, 36), Fraction(13, 36)
SHARED = sum(
    cell / 36 * log2(cell * 36 / (row * column))
    for cell, row, column in [(9, 13, 12), (4, 13, 24), (3, 23, 12), (20, 23, 24)]
)
JOINT = -sum(cell / 36 * log2(cell / 36) for cell in (9, 4, 3, 20))
CALLS = -(13 / 36 * log2(13 / 36) + 23 / 36 * log2(23 / 36))

BY_HAND = {
    "f2_of_negatives": 5 * 20 / (5 * 20 + 4 * 4 + 3),
    "jaccard_of_negatives": 20 / 27,
    "number_needed_to_diagnose": 1 / (3 / 4 + 5 / 6 - 1),
    "number_needed_to_misdiagnose": 1 / (1 - 29 / 36),
    "likelihood_to_be_diagnosed_or_misdiagnosed": 36 / 7 * (3 / 4 + 5 / 6 - 1),
    "likelihood_to_be_predicted_or_misdiagnosed": 36 / 7 * (9 / 13 + 20 / 23 - 1),
    "negative_clinical_utility": 20 / 24 * 20 / 23,
    "summary_utility": 9 / 12 * 9 / 13 + 20 / 24 * 20 / 23,
    "sensitivity_specificity_product": 3 / 4 * 5 / 6,
    "balanced_efficiency": (3 / 4 + 5 / 6) / (1 / 4 + 1 / 6),
    "balanced_level_efficiency": (9 / 13 + 20 / 23) / (4 / 13 + 3 / 23),
    # The share of the calls is 13/36: Q' = 23/36 beyond it is what sensitivity can have.
    "quality_efficiency": ((3 / 4 - 13 / 36) / (23 / 36) + (5 / 6 - 23 / 36) / (13 / 36))
    / ((1 / 4) / (23 / 36) + (1 / 6) / (13 / 36)),
    "unbiased_efficiency": (29 / 36 - 708 / 36**2) / (1 - 29 / 36),
    "share_of_negatives": 24 / 36,
    "presence_increment": 13 / 12 - 1,
    "absence_increment": 23 / 24 - 1,
    "f1_of_macro_averages": 2
    * ((9 / 13 + 20 / 23) / 2)
    * ((3 / 4 + 5 / 6) / 2)
    / ((9 / 13 + 20 / 23) / 2 + (3 / 4 + 5 / 6) / 2),
    "prevalence_threshold": (sqrt(3 / 4 * 1 / 6) - 1 / 6) / (3 / 4 - 1 / 6),
    "excess_relative_risk": 9 / 13 / (3 / 23) - 1,
    "vaccine_efficacy": 1 - 9 / 13 / (3 / 23),
    "attributable_fraction": (9 / 13 / (3 / 23) - 1) / (9 / 13 / (3 / 23)),
    "attributable_fraction_by_odds": (15 - 1) / 15,
    "population_attributable_fraction_by_odds": (3 / 4 - 1 / 6) / (1 - 1 / 6),
    "relative_difference": (9 / 13 - 3 / 23) / (1 - 3 / 23),
    "peto_odds_ratio": exp((9 - 13 / 3) / (13 * 23 * 12 * 24 / (36**2 * 35))),
    "discordant_odds_ratio": 4 / 3,
    "cramer_v_corrected": sqrt((168**2 / (13 * 12 * 24 * 23) - 1 / 35) / (1 - 1 / 35)),
    "adjusted_contingency_coefficient": sqrt(2)
    * sqrt(36 * 168**2 / (13 * 12 * 24 * 23) / (36 + 36 * 168**2 / (13 * 12 * 24 * 23))),
    "edwards_q": (15 ** (pi / 4) - 1) / (15 ** (pi / 4) + 1),
    "jaccard_4w": 36 / (36 + 7),
    "jaccard_8w": 72 / (72 + 7),
    "alroy": 9 * (16 + 4) / (9 * (16 + 4) + 3 / 2 * 4 * 3),
    "stuart_tau_c": 4 * (9 * 20 - 4 * 3) / 36**2,
    # 4 false alarms and 3 misses: the hits can be 12 at most, and chance has 13/3.
    "cole_c7": (9 - 13 / 3) / (12 - 13 / 3),
    "log_odds_ratio_z": log(15) / sqrt(1 / 9 + 1 / 4 + 1 / 3 + 1 / 20),
    "normalized_information_joint": SHARED / JOINT,
    "rajski_distance": 1 - SHARED / JOINT,
    "variation_of_information": JOINT - SHARED,
    "conditional_entropy_of_truth": JOINT - CALLS,
    "squared_pointwise_information": log2((9 / 36) ** 2 / (12 / 36 * 13 / 36)),
    "cubic_pointwise_information": log2((9 / 36) ** 3 / (12 / 36 * 13 / 36)),
    "collective_strength": 29
    / 36
    / (13 * 12 / 36**2 + 23 * 24 / 36**2)
    * (1 - 13 * 12 / 36**2 - 23 * 24 / 36**2)
    / (7 / 36),
    "certainty_factor": (9 / 13 - 1 / 3) / (1 - 1 / 3),
    "klosgen_of_support_one_way": sqrt(9 / 36) * (9 / 13 - 12 / 36),
    "klosgen_of_support": sqrt(9 / 36) * (9 / 12 - 13 / 36),
    "larger_added_value": 9 / 12 - 13 / 36,
    "implication_index": (4 - 13 * 24 / 36) / sqrt(13 * 24 / 36),
    "kemeny_oppenheim": (9 / 2 - 1) / (9 / 2 + 1),
    "mortimer": 9 / 12 - 13 / 36,
    "log_positive_likelihood_ratio": log(9 / 2),
    "tulloss_t": sqrt(
        log2(1 + 9 / 13) * log2(1 + 9 / 12) / sqrt(log2(2 + 3 / 10)) * log2(1 + 12 / 13)
    ),
    "imbalance_of_errors": 1 / 16,
    "log_dice": 14 + log2(18 / 25),
    "segmentation_d": sqrt(((1 - 9 / 12) ** 2 + (1 - 9 / 13) ** 2) / 2),
    "shape_difference": (36 * 7 - 1) / 36**2,
    "quantity_disagreement": 13 / 36 - 12 / 36,
    "allocation_disagreement": 2 * 3 / 36,
    "normal_area": SHARE((HITS - ALARMS) / sqrt(2)),
    "largest_share_right": SHARE((HITS - ALARMS) / 2),
    "criterion": -(HITS + ALARMS) / 2,
    "log_beta": (HITS - ALARMS) * -(HITS + ALARMS) / 2,
    "beta": NormalDist().pdf(HITS) / NormalDist().pdf(ALARMS),
    "relative_criterion": -(HITS + ALARMS) / 2 / (HITS - ALARMS),
    # Grier: 1/2 + (y - x)(1 + y - x)/(4y(1 - x)) with x = 1/6 and y = 3/4.
    "a_prime": 1 / 2 + 7 / 12 * 19 / 12 / (4 * 3 / 4 * 5 / 6),
    "b_double_prime": (3 / 4 * 1 / 4 - 1 / 6 * 5 / 6) / (3 / 4 * 1 / 4 + 1 / 6 * 5 / 6),
    "donaldson_bias": (1 / 4 * 5 / 6 - 3 / 4 * 1 / 6) / (1 / 4 * 5 / 6 + 3 / 4 * 1 / 6),
    "luce_similarity": sqrt(1 / 4 * 1 / 6 / (3 / 4 * 5 / 6)),
    "luce_bias": sqrt(1 / 4 * 5 / 6 / (3 / 4 * 1 / 6)),
    "naish_ochiai2": 9 * 20 / sqrt(13 * 23 * 29 * 7),
    "naish_overlap": 9 / 3,
    "relative_linkage_disequilibrium": (9 - 13 / 3) / (9 - 13 / 3 + 3),
    "rule_importance": log10(10 * 25 / (4 * 15)),
    # Flach and Kull: (x - pi)/((1 - pi)x), of precision, recall and F1, with pi = 1/3.
    "precision_gain": (Fraction(9, 13) - PRIOR) / ((1 - PRIOR) * Fraction(9, 13)),
    "recall_gain": (Fraction(3, 4) - PRIOR) / ((1 - PRIOR) * Fraction(3, 4)),
    "f1_gain": (Fraction(18, 25) - PRIOR) / ((1 - PRIOR) * Fraction(18, 25)),
    "minimum_sensitivity": Fraction(3, 4),
    "maximum_class_error": Fraction(1, 4),
    "balanced_negative_predictive_value": Fraction(5, 6) / (Fraction(5, 6) + Fraction(1, 4)),
    "balanced_markedness": Fraction(3, 4) / (Fraction(3, 4) + Fraction(1, 6))
    + Fraction(5, 6) / (Fraction(5, 6) + Fraction(1, 4))
    - 1,
    "bias_index": CALLED - PRIOR,
    "prevalence_index": Fraction(9 - 20, 36),
    "log_negative_likelihood_ratio": log((1 / 4) / (5 / 6)),
    "error_odds_ratio": (Fraction(3, 4) / Fraction(1, 4)) / (Fraction(5, 6) / Fraction(1, 6)),
    "predictive_values_geometric_mean": sqrt(9 / 13 * 20 / 23),
    "fisher_z": atanh(168 / sqrt(13 * 12 * 24 * 23)),
    # Holzmann and Klar: the covariance is 168/36², and d = d0 = 1/10.
    "robust_mcc": 168 / 36**2 / (2 / 9) * sqrt((1 / 10 + 2 / 9) / (1 / 10 + 13 * 23 / 36**2)),
    "robust_f": (Fraction(3, 10) + 2) * 9 / (Fraction(36, 10) + 12 + 13),
    "general_robust_f": (Fraction(3, 10) + 2) * (9 + 12) / (2 * (Fraction(36, 10) + 12 + 13)),
    "normalized_expected_cost": Fraction(7, 12),
    # The smallest share of a class is 12/36, so that the power is 1/2 - (1/2 - 1/3)² = 17/36.
    "bonett_price_y": (15 ** (17 / 36) - 1) / (15 ** (17 / 36) + 1),
}
"""Values at tp = 9, fp = 4, fn = 3, tn = 20 (P = 12, N = 24, P' = 13, N' = 23, n = 36), where no
package has the measure."""


def stored():
    """Read the values of packages' functions, and the matrices."""
    with STORED.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    cells = np.array([cells.split() for cells in head[1:]], dtype=float).T
    return {row[0]: np.array(row[1:], dtype=float) for row in rows}, matrix_of(cells)


PACKAGES, MATRICES = stored()


def functions(key):
    """List the functions of packages that are a measure by the catalog."""
    parts = (part for name in CATALOG[key].names for part in name.source.split("; "))
    return sorted({part for part in parts if BY_PACKAGE.fullmatch(part)})


CLAIMED = {key: functions(key) for key in ATLAS if functions(key)}


def test_every_measure_has_a_second_value():
    assert set(ATLAS) == set(CLAIMED) | set(KNOWN_VALUES) | set(BY_HAND)


def test_by_hand():
    matrix = ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)
    found = {key: float(ATLAS[key](matrix)) for key in BY_HAND}
    expected = {key: float(value) for key, value in BY_HAND.items()}
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.slow
def test_the_functions_of_packages_are_the_measure_that_the_catalog_says():
    for key, function in ((key, one) for key, claimed in CLAIMED.items() for one in claimed):
        np.testing.assert_allclose(
            ATLAS[key](MATRICES), PACKAGES[function], rtol=1e-9, atol=1e-12, err_msg=key
        )
