import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof_studies.atlas.classes import DIFFERENT, SAME, partition
from skewproof_studies.atlas.orderings import Orderings, order_invariance
from skewproof_studies.atlas.values import SampledRates

pytestmark = pytest.mark.slow

BALANCED, RARE = Level(1, 1), Level(1, 100)

DEFINITIONS = {
    "accuracy": lambda u, v, n: (u + n * (1 - v)) / (1 + n),
    "f1": lambda u, v, n: 2 * u / (u + 1 + n * v),
    "gilbert_ratio": lambda u, v, n: u / (1 + n * v),
    "precision": lambda u, v, n: u / (u + n * v),
    "false_discovery_rate": lambda u, v, n: -n * v / (u + n * v),
    "true_positive_rate": lambda u, v, n: u,
    "false_positive_rate": lambda u, v, n: -v,
    "balanced_accuracy": lambda u, v, n: u - v,
    "f1_i": lambda u, v, n: u / (u + v + 1),
    "negative_predictive_value": lambda u, v, n: n * (1 - v) / (n * (1 - v) + 1 - u),
}
"""Definitions in the rates and the negatives for each positive, better first."""


def orders_alike(one, other, negatives, seed):
    """Return whether two definitions order random classifiers alike, by fractions."""
    draw = random.Random(seed)
    points = [[Fraction(draw.randint(1, 99), 100) ** power for power in (1, 3)] for _ in range(60)]
    points += [[points[0][0], points[1][1]], [points[1][0], points[0][1]]]
    values = [[DEFINITIONS[key](u, v, negatives) for u, v in points] for key in (one, other)]
    return all(
        (f > g) == (s > t) and (f < g) == (s < t)
        for (f, s), (g, t) in itertools.combinations(zip(*values, strict=True), 2)
    )


@pytest.mark.parametrize("level", [BALANCED, RARE], ids=str)
def test_classes_are_those_of_the_definitions(level):
    registry = {key: METRICS[key] for key in DEFINITIONS}
    first = partition(list(registry), judge_of(registry, level)).first
    assert None not in first.values()
    for one, other in itertools.combinations(registry, 2):
        alike = orders_alike(one, other, level.negative_part, seed=5)
        assert (first[one] == first[other]) == alike


def classifiers_of(evidence):
    """Read the two classifiers that evidence names, each u and v as fractions."""
    points = evidence.partition(", which")[0].split(" and ")
    return [[Fraction(part) for part in point.strip("()").split(", ")] for point in points]


def judge_of(registry, level=RARE, classifiers=60):
    return Orderings(registry, SampledRates.drawn(classifiers, level, 100, seed=1)).judge


def judged(one, other, level=RARE):
    metrics = [
        METRICS[text] if text in METRICS else parse_metric(text, key=f"own_{place}")
        for place, text in enumerate((one, other))
    ]
    registry = {metric.key: metric for metric in metrics}
    return judge_of(registry, level)(*registry)


def test_a_measure_that_ignores_a_rate_ties_what_others_tell_apart():
    """The G-mean is a share of a ten-thousandth of AGM with 10,000 negatives."""
    relation, evidence = judged("true_negative_rate", "adjusted_g_mean")
    assert relation == DIFFERENT
    assert evidence.endswith("which true_negative_rate ties")
    (_, v), (_, other_v) = classifiers_of(evidence)
    assert v == other_v


def test_orders_that_rise_and_fall_are_known_by_a_quotient():
    """The squared phi coefficient and the contingency coefficient."""
    squared = "(tp*tn - fp*fn)**2/(P*N*(tp + fp)*(fn + tn))"
    relation, evidence = judged(f"sqrt({squared}/(1 + {squared}))", squared)
    assert relation == SAME
    assert evidence == "f|f| = (1 g + 0)/(1 g + 1)"


def test_values_in_the_opposite_order_are_another_ordering_unless_lower_is_better():
    assert judged("true_positive_rate", "false_negative_rate")[0] == SAME
    assert judged("true_positive_rate", "fn/P")[0] == DIFFERENT


def test_a_proof_by_constant_values_says_of_which_classifiers():
    """Naish's O is the number of correct rejections where nothing is missed, else -1."""
    keys = ["no_information_rate", "naish_o"]
    judge = judge_of({key: ATLAS[key] for key in keys})
    inside = "at rates strictly between 0 and 1"
    assert judge(*keys) == (SAME, f"both are constant {inside}")
    evidence = f"it is constant on classes of given sizes, {inside}"
    assert order(ATLAS["naish_o"]) == ("yes", evidence)
    at_the_edge = ConfusionMatrix.from_rates(1, [0.1, 0.9], positives=100, negatives=100)
    assert np.ptp(ATLAS["naish_o"](at_the_edge)) > 0


ALIKE = {
    "edwards_q": "diagnostic_odds_ratio",
    "tetrachoric_cosine": "diagnostic_odds_ratio",
    "goodall": "accuracy",
    "hellinger_distance": "fowlkes_mallows",
    "chord_distance": "fowlkes_mallows",
    "upholt": "f1",
    "normal_area": "d_prime",
    "largest_share_right": "d_prime",
    "beta": "log_beta",
    "stiles": "yates_chi_squared",
    "volumetric_similarity": "tulloss_u",
    "pearson_iii": "mcc",
    "signed_phi_squared": "mcc",
    "certainty_factor": "precision",
    "peto_odds_ratio": "markedness",
}
"""Each a function of the other on classes of given sizes."""


@pytest.mark.parametrize(
    ("key", "other", "level"),
    [(*pair, level) for pair, level in zip(ALIKE.items(), itertools.cycle([BALANCED, RARE]))],
)
def test_a_function_of_another_measure_orders_as_it_does(key, other, level):
    """Each at one of the levels in turn; tests/reference/test_atlas_classes.py has the values."""
    registry = {one: ATLAS[one] for one in (key, other)}
    assert judge_of(registry, level)(key, other)[0] == SAME


def test_functions_of_the_distance_of_the_calls_from_half_order_alike_at_1_to_1():
    keys = ["kappa_histogram", "entropy_of_calls", "cross_entropy", "divergence_of_shares"]
    registry = {key: ATLAS[key] for key in [*keys, "baulieu_viii"]}
    first = partition(list(registry), judge_of(registry, BALANCED)).first
    assert set(first.values()) == {"kappa_histogram"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("precision", "pointwise_information_from_one"),
        ("diagnostic_odds_ratio", "consonni_todeschini_v"),
        ("cohen_kappa", "kuhns_iii"),
        ("specificity_weighted", "naish_op"),
        ("kappa_histogram", "tulloss_u"),
        ("cole_c7_in_one_order", "warrens_v"),
    ],
)
def test_measures_that_nearly_always_agree_are_told_apart(one, other):
    """The order of the two classifiers by floats of 50 digits, from the declarations."""
    registry = {key: ATLAS[key] for key in (one, other)}
    relation, evidence = judge_of(registry, classifiers=200)(one, other)
    assert relation == DIFFERENT
    sizes = {"positives": sympy.Integer(100), "negatives": sympy.Integer(10_000)}
    matrices = [
        ConfusionMatrix.from_rates(*map(sympy.Rational, pair), **sizes)
        for pair in classifiers_of(evidence)
    ]
    signs = []
    for metric in registry.values():
        better, worse = (sympy.N(metric(matrix), 50) for matrix in matrices)
        signs.append((better > worse) == (not metric.lower_is_better))
        assert better != worse
    assert signs[0] != signs[1]


def test_what_one_measure_ties_and_another_does_not_is_told_apart():
    registry = {key: ATLAS[key] for key in ("cramer_v", "cramer_v_corrected")}
    relation, evidence = judge_of(registry, BALANCED, classifiers=200)(*registry)
    assert relation == DIFFERENT
    assert evidence.endswith("which cramer_v_corrected ties")
    u, v = np.array(classifiers_of(evidence), dtype=float).T
    matrix = ConfusionMatrix.from_rates(u, v, positives=100.0, negatives=100.0)
    assert list(ATLAS["cramer_v_corrected"](matrix)) == [0, 0]
    assert np.ptp(ATLAS["cramer_v"](matrix)) > 1e-6


def order(metric):
    return order_invariance(metric, RARE, BALANCED, 100, seed=1)


INVARIANT = ["precision", "negative_predictive_value", "f1_i", "iba", "extreme_dependency_score"]
INVARIANT += ["certainty_factor"]
MOVING = ["f1", "accuracy", "chance_agreement", "lambda_of_truth", "freeman_tukey", "naish_op"]
MOVING += ["pointwise_information_from_one", "goodall", "consonni_todeschini_v", "gilbert_wells"]
MOVING += ["baulieu_iv", "zoltar", "gp13"]


@pytest.mark.parametrize("key", INVARIANT + MOVING)
def test_order_invariance(key):
    found, evidence = order(ATLAS[key])
    assert found == ("yes" if key in INVARIANT else "no")
    assert evidence


def test_two_classifiers_change_places_between_levels():
    _, evidence = order(METRICS["f1"])
    first, second = classifiers_of(evidence)
    f1 = DEFINITIONS["f1"]
    differences = [f1(*first, negatives) - f1(*second, negatives) for negatives in (1, 100)]
    assert differences[0] * differences[1] < 0
