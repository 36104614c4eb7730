"""Every measure of the atlas against a value that is not its own: a package's, or by hand."""

import csv
import re
from fractions import Fraction
from math import exp, log, log2, log10, sqrt
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
import scipy.special  # noqa: F401, imported here to be no test's time

from known_values import KNOWN_VALUES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas import ATLAS, CATALOG

STORED = Path(__file__).parents[3] / "reference" / "atlas" / "package_values.csv"

BY_PACKAGE = re.compile(r"[\w-]+ \d[\d.]*: .+")

QUANTILE, SHARE = NormalDist().inv_cdf, NormalDist().cdf
HITS, ALARMS = QUANTILE(3 / 4), QUANTILE(1 / 6)

PRIOR, CALLED = Fraction(12, 36), Fraction(13, 36)
CHANCE = Fraction(13 * 12, 36)
SHARED = sum(
    cell / 36 * log2(cell * 36 / (row * column))
    for cell, row, column in [(9, 13, 12), (4, 13, 24), (3, 23, 12), (20, 23, 24)]
)
JOINT = -sum(cell / 36 * log2(cell / 36) for cell in (9, 4, 3, 20))
TRUTH = -(1 / 3 * log2(1 / 3) + 2 / 3 * log2(2 / 3))
CALLS = -(13 / 36 * log2(13 / 36) + 23 / 36 * log2(23 / 36))

BY_HAND = {
    "f2_of_negatives": 5 * 20 / (5 * 20 + 4 * 4 + 3),
    "jaccard_of_negatives": 20 / 27,
    "appleman_skill_score": (29 - 24) / (36 - 24),
    "number_needed_to_diagnose": 1 / (3 / 4 + 5 / 6 - 1),
    "number_needed_to_misdiagnose": 1 / (1 - 29 / 36),
    "likelihood_to_be_diagnosed_or_misdiagnosed": 36 / 7 * (3 / 4 + 5 / 6 - 1),
    "likelihood_to_be_predicted_or_misdiagnosed": 36 / 7 * (9 / 13 + 20 / 23 - 1),
    "negative_clinical_utility": 20 / 24 * 20 / 23,
    "summary_utility": 9 / 12 * 9 / 13 + 20 / 24 * 20 / 23,
    "number_needed_for_utility": 1 / (9 / 12 * 9 / 13 + 20 / 24 * 20 / 23),
    "likelihood_for_utility_or_misdiagnosis": 36 / 7 * (9 / 12 * 9 / 13 + 20 / 24 * 20 / 23),
    "sensitivity_specificity_product": 3 / 4 * 5 / 6,
    "prevalence_threshold": (sqrt(3 / 4 * 1 / 6) - 1 / 6) / (3 / 4 - 1 / 6),
    "excess_relative_risk": 9 / 13 / (3 / 23) - 1,
    "vaccine_efficacy": 1 - 9 / 13 / (3 / 23),
    "attributable_fraction": (9 / 13 / (3 / 23) - 1) / (9 / 13 / (3 / 23)),
    "attributable_fraction_by_odds": (15 - 1) / 15,
    "population_attributable_fraction_by_odds": (3 / 4 - 1 / 6) / (1 - 1 / 6),
    "relative_difference": (9 / 13 - 3 / 23) / (1 - 3 / 23),
    "peto_odds_ratio": exp((9 - 13 / 3) / (13 * 23 * 12 * 24 / (36**2 * 35))),
    "discordant_odds_ratio": 4 / 3,
    "adjusted_contingency_coefficient": sqrt(2)
    * sqrt(36 * 168**2 / (13 * 12 * 24 * 23) / (36 + 36 * 168**2 / (13 * 12 * 24 * 23))),
    "stuart_tau_c": 4 * (9 * 20 - 4 * 3) / 36**2,
    # 4 false alarms and 3 misses: the hits can be 12 at most, and chance has 13/3.
    "cole_c7": (9 - 13 / 3) / (12 - 13 / 3),
    "log_odds_ratio_z": log(15) / sqrt(1 / 9 + 1 / 4 + 1 / 3 + 1 / 20),
    "normalized_information_joint": SHARED / JOINT,
    "rajski_distance": 1 - SHARED / JOINT,
    "variation_of_information": JOINT - SHARED,
    "conditional_entropy_of_truth": JOINT - CALLS,
    "log_lift": log(9 * 36 / (12 * 13)),
    "squared_pointwise_information": log2((9 / 36) ** 2 / (12 / 36 * 13 / 36)),
    "cubic_pointwise_information": log2((9 / 36) ** 3 / (12 / 36 * 13 / 36)),
    "two_way_support": 9 / 36 * log2(9 * 36 / (12 * 13)),
    "one_way_support": 9 / 13 * log2(9 * 36 / (12 * 13)),
    "certainty_factor": (9 / 13 - 1 / 3) / (1 - 1 / 3),
    "collective_strength": 29
    / 36
    / (13 * 12 / 36**2 + 23 * 24 / 36**2)
    * (1 - 13 * 12 / 36**2 - 23 * 24 / 36**2)
    / (7 / 36),
    "gini_gain": 13 / 36 * ((9 / 13) ** 2 + (4 / 13) ** 2)
    + 23 / 36 * ((3 / 23) ** 2 + (20 / 23) ** 2)
    - (1 / 3) ** 2
    - (2 / 3) ** 2,
    "j_measure": 9 / 36 * log2(9 / 13 * 3) + 4 / 36 * log2(4 / 13 * 3 / 2),
    "klosgen_of_support": sqrt(9 / 36) * (9 / 12 - 13 / 36),
    "larger_added_value": 9 / 12 - 13 / 36,
    "sebag_schoenauer": 9 / 4,
    "least_contradiction": (9 - 4) / 12,
    "examples_and_counterexamples": (9 - 4) / 9,
    "ganascia": 2 * 9 / 13 - 1,
    "causal_confidence": (9 / 13 + 20 / 24) / 2,
    "implication_index": (4 - 13 * 24 / 36) / sqrt(13 * 24 / 36),
    "kemeny_oppenheim": (9 / 2 - 1) / (9 / 2 + 1),
    "mortimer": 9 / 12 - 13 / 36,
    "log_positive_likelihood_ratio": log(9 / 2),
    "fager_mcgowan_of_choi": 9 / sqrt(12 * 13) - 13 / 2,
    "hellinger_distance": 2 * sqrt(1 - 9 / sqrt(12 * 13)),
    "chord_distance": sqrt(2) * sqrt(1 - 9 / sqrt(12 * 13)),
    "twice_jaccard": 2 * 9 / 16,
    "tulloss_t": sqrt(
        log2(1 + 9 / 13) * log2(1 + 9 / 12) / sqrt(log2(2 + 3 / 10)) * log2(1 + 12 / 13)
    ),
    "imbalance_of_errors": 1 / 16,
    "volumetric_similarity": 1 - (13 - 12) / (13 + 12),
    "log_dice": 14 + log2(18 / 25),
    "segmentation_d": sqrt(((1 - 9 / 12) ** 2 + (1 - 9 / 13) ** 2) / 2),
    "right_calls": 29,
    "root_of_right_calls": sqrt(29),
    "vari": 7 / 144,
    "root_error_rate": sqrt(7) / 6,
    "shape_difference": (36 * 7 - 1) / 36**2,
    "quantity_disagreement": 13 / 36 - 12 / 36,
    "allocation_disagreement": 2 * 3 / 36,
    "eyraud": 36**2 * (36 * 9 - 13 * 12) / (13 * 12 * 24 * 23),
    "stiles": log10(36 * (168 - 18) ** 2 / (13 * 12 * 24 * 23)),
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
    "naish_o": -1,
    "naish_op": 9 - 4 / (4 + 20 + 1),
    "wong2": 9 - 4,
    "wong3": 9 - (2 + 0.1 * (4 - 2)),
    "zoltar": 9 / (9 + 3 + 4 + 10_000 * 3 * 4 / 9),
    "d_star": 81 / 7,
    "naish_m2": 9 / (9 + 20 + 2 * 7),
    "ample": 3 / 4 - 1 / 6,
    "naish_fleiss": (4 * 9 * 20 - 4 * 3 * 4 - (3 - 4) ** 2) / (2 * 9 + 3 + 4 + 2 * 20 + 3 + 4),
    "naish_rogot1": (9 / (2 * 9 + 3 + 4) + 20 / (2 * 20 + 3 + 4)) / 2,
    "naish_harmonic_mean": (9 * 20 - 3 * 4) * (13 * 23 + 12 * 24) / (13 * 23 * 12 * 24),
    "gp13": 9 * (1 + 1 / (2 * 4 + 9)),
    "naish_binary": 0,
    "naish_ochiai2": 9 * 20 / sqrt(13 * 23 * 29 * 7),
    "naish_overlap": 9 / 3,
    "gp02": 2 * (9 + sqrt(24)) + sqrt(4),
    "gp03": sqrt(81 - 2),
    "gp19": 9 * sqrt(29 - 7),
    "relative_linkage_disequilibrium": (9 - 13 / 3) / (9 - 13 / 3 + 3),
    "varying_rates_liaison": 9 / (12 * 13 / 36) - 1,
    "rule_importance": log10(10 * 25 / (4 * 15)),
}
"""At tp = 9, fp = 4, fn = 3, tn = 20 (P = 12, N = 24, P' = 13, N' = 23, n = 36), where no package
has the measure."""


def stored():
    """Values of packages' functions, and the matrices."""
    with STORED.open(encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    cells = np.array([cells.split() for cells in head[1:]], dtype=float).T
    return {row[0]: np.array(row[1:], dtype=float) for row in rows}, ConfusionMatrix(*cells)


PACKAGES, MATRICES = stored()


def functions(key):
    """The functions of packages that the catalog says are a measure."""
    parts = (part for name in CATALOG[key].names for part in name.source.split("; "))
    return sorted({part for part in parts if BY_PACKAGE.fullmatch(part)})


CLAIMED = {key: functions(key) for key in ATLAS if functions(key)}


def test_every_measure_has_a_second_value():
    assert set(ATLAS) == set(CLAIMED) | set(KNOWN_VALUES) | set(BY_HAND)


@pytest.mark.parametrize("key", BY_HAND)
def test_by_hand(key):
    value = ATLAS[key](ConfusionMatrix(tp=9, fp=4, fn=3, tn=20))
    assert float(value) == pytest.approx(float(BY_HAND[key]), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("key", CLAIMED)
def test_the_functions_of_packages_are_the_measure_that_the_catalog_says(key):
    for function in CLAIMED[key]:
        np.testing.assert_allclose(ATLAS[key](MATRICES), PACKAGES[function], rtol=1e-9, atol=1e-12)


def test_a_package_function_under_another_measure_is_seen():
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(ATLAS["f1"](MATRICES), PACKAGES["pycm 4.6: J"], rtol=1e-9)
