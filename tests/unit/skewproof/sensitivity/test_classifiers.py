import logging
import math
import pickle
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from made_metrics import made

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.tanh_sinh import tanh_sinh
from skewproof.sensitivity.sampling.saltelli import saltelli_blocks
from skewproof.sensitivity.sampling.sampled import sobol_indices
from skewproof.sensitivity.surfaces.shift import mean_shift
from written import check_written, refusals

BALANCED = Level(1, 1)
TOP_LEFT = Classifiers.box(tpr=(0.5, 1), fpr=(0, 0.1))
SKILLED = Classifiers.beta(tpr=(8, 2), fpr=(1, 9))
SCORED = Classifiers.binormal(auc=(0.7, 0.95), threshold=(1, 0.5))
OTHERS = [TOP_LEFT, SKILLED, SCORED, Classifiers.beta(tpr=(0.5, 0.5), fpr=(0.5, 2))]


def exact(metric, classifiers, negatives=100.0):
    found = exact_indices([metric], positives=100, negatives=negatives, classifiers=classifiers)
    return type(found)(*(part[0] for part in found))


@pytest.mark.parametrize("negatives", [1, 10, 1000])
def test_accuracy_on_a_box_by_hand(negatives):
    """(u + N (1 - v))/(1 + N) is linear: a rate's variance is the square of its width over 12."""
    box = Classifiers.box(tpr=(0.5, 1), fpr=(0.25, 0.375))
    tp, fp = Fraction(1, 2) ** 2 / 12, (negatives * Fraction(1, 8)) ** 2 / 12
    found = exact_indices([METRICS["accuracy"]], positives=1, negatives=negatives, classifiers=box)
    shares = [float(one / (tp + fp)) for one in (tp, fp)]
    np.testing.assert_allclose(found.s1[0], shares, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.st[0], shares, rtol=0, atol=1e-13)
    mean = (Fraction(3, 4) + negatives * (1 - Fraction(5, 16))) / (1 + negatives)
    assert found.mean[0] == pytest.approx(float(mean), abs=1e-14)
    assert found.variance[0] == pytest.approx(float((tp + fp) / (1 + negatives) ** 2), rel=1e-12)


@pytest.mark.slow
def test_a_kink_inside_a_box_by_hand():
    """|u - v| on u > 1/2: all integrals are of polynomials on either side of u = v."""
    upper = Classifiers.box(tpr=(0.5, 1), fpr=(0, 1))
    found = exact(made(lambda matrix: abs(matrix.tpr - matrix.fpr)), upper)
    np.testing.assert_allclose(found.s1, [1 / 10, 7 / 10], rtol=0, atol=found.index_error)
    assert found.index_error < 1e-10
    assert found.mean == pytest.approx(1 / 3, abs=1e-12)
    assert found.variance == pytest.approx(1 / 18, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1:10", "1:1000"])
def test_the_shift_of_accuracy_on_a_box_by_hand(level):
    """It is (N - P)/(2 (P + N)) |1 - u - v|, and on u > 1/2, v < 1/10 the mean of |1 - u - v| is
    that of 1 - u - v, 1/5, and twice the part below 0, a third of the cube of 1/10 in a box of
    area 1/20."""
    level = Level.parse(level)
    distance = Fraction(1, 5) + 2 * (Fraction(1, 10) ** 3 / 6) / Fraction(1, 20)
    factor = Fraction(round(level.negatives(100)) - 100, 2 * round(level.negatives(100) + 100))
    shift = mean_shift(METRICS["accuracy"], level, BALANCED, 100, classifiers=TOP_LEFT)
    assert shift.mean == pytest.approx(float(factor * distance), abs=1e-14)
    assert shift.error_estimate < 1e-12


def test_the_area_under_a_binormal_curve_is_the_one_it_was_drawn_by():
    """A standard normal threshold makes fpr uniform, and the mean of tpr is the area."""
    nodes, complements, weights = tanh_sinh()
    p = np.array([[0.1], [0.5], [0.8]])
    family = Classifiers.binormal(auc=(0.7, 0.95), threshold=(0, 1))
    tpr, _, fpr, _ = family.rates(p, 1 - p, nodes, complements)
    np.testing.assert_allclose(fpr, complements, rtol=1e-13)
    np.testing.assert_allclose(tpr @ weights, [0.725, 0.825, 0.9], rtol=0, atol=1e-14)


@pytest.mark.parametrize("classifiers", OTHERS, ids=lambda one: one.words)
def test_rates_and_their_complements_have_all_digits(classifiers):
    nodes, complements, _ = tanh_sinh()
    rates = classifiers.rates(nodes, complements, nodes[::-1], complements[::-1])
    for rate, complement in (rates[:2], rates[2:]):
        assert min(rate.min(), complement.min()) > 0
        np.testing.assert_allclose(rate + complement, 1, rtol=0, atol=4e-16)


def test_a_beta_rate_near_both_edges():
    """Beta(a, 1) has the quantile p^(1/a)."""
    tails = np.array([1e-22, 1e-9, 0.3])
    rates = Classifiers.beta(tpr=(4, 1), fpr=(1, 4)).rates(tails, 1 - tails, 1 - tails, tails)
    np.testing.assert_allclose(rates[0], tails**0.25, rtol=1e-13)
    np.testing.assert_allclose(rates[3], tails**0.25, rtol=1e-13)
    near_one = Classifiers.beta(tpr=(4, 1), fpr=(1, 4)).rates(1 - tails, tails, tails, 1 - tails)
    expected = -np.expm1(np.log1p(-tails) / 4)
    np.testing.assert_allclose(near_one[1], expected, rtol=1e-13)
    np.testing.assert_allclose(near_one[2], expected, rtol=1e-13)


def test_measured_classifiers_by_hand(caplog):
    """Accuracy is (u + 3 (1 - v))/4 at 1:3 and (u + 1 - v)/2 at 1:1."""
    points = pd.DataFrame({"tpr": [0.9, 0.6, 0.5], "fpr": [0.3, 0.0, 0.5], "weight": [1, 2, 0]})
    measured = MeasuredClassifiers.from_frame(points)
    assert repr(measured) == f"MeasuredClassifiers({measured.words})"
    with caplog.at_level(logging.WARNING):
        found = exact(METRICS["accuracy"], measured, 300.0)
    values, weights = [Fraction(3, 4), Fraction(9, 10)], [Fraction(1, 3), Fraction(2, 3)]
    mean = sum(map(Fraction.__mul__, values, weights))
    square = sum(weight * (one - mean) ** 2 for one, weight in zip(values, weights, strict=True))
    assert (found.mean, found.variance) == pytest.approx((float(mean), float(square)), abs=1e-15)
    assert found.moment_error == 0
    assert np.isnan([*found.s1, *found.st, found.s12, found.index_error]).all()
    assert caplog.messages == ["measured classifiers have no indices"]
    shift = mean_shift(METRICS["accuracy"], Level(1, 3), BALANCED, 100, classifiers=measured)
    # |3/4 - 4/5| and |9/10 - 4/5|
    assert shift == (pytest.approx(float(Fraction(1, 20) / 3 + Fraction(2, 3) / 10), abs=1e-15), 0)


def test_undefined_classifiers_take_their_weight_with_them(caplog):
    """Precision is 1/2 and 1/4 at 1:1, so that its mean is (3/2 + 1/4)/4 and its variance 3/16 of
    the square of 1/4; at 1:3 it is 1/4 and 1/10."""
    points = {"tpr": [0.0, 0.5, 0.25], "fpr": [0.0, 0.5, 0.75], "weight": [4, 3, 1]}
    measured = MeasuredClassifiers.from_frame(points)
    found = exact(METRICS["precision"], measured)
    assert (found.mean, found.variance) == pytest.approx((7 / 16, 3 / 256), abs=1e-15)
    shift = mean_shift(METRICS["precision"], Level(1, 3), BALANCED, 100, classifiers=measured)
    assert shift == (pytest.approx((3 * 0.25 + 0.15) / 4, abs=1e-15), 0)
    assert "precision is undefined for 1 of 3 measured classifiers" in caplog.messages


@pytest.mark.parametrize("weights", [[1, 1], [0, 1]])
def test_a_metric_that_no_measured_classifier_defines(weights):
    defined = 0.5 * (weights[0] == 0)
    points = {"tpr": [defined, 0.0], "fpr": [defined, 0.0], "weight": weights}
    measured = MeasuredClassifiers.from_frame(points)
    found = exact(METRICS["precision"], measured)
    shift = mean_shift(METRICS["precision"], Level(1, 3), BALANCED, 100, classifiers=measured)
    assert np.isnan([found.mean, found.variance, found.moment_error, shift.mean]).all()


def test_measured_classifiers_have_no_sampled_indices():
    points = MeasuredClassifiers.from_frame({"tpr": [1], "fpr": [0]})
    options = {"log2_samples": 4, "resamples": 0, "seed": 0, "classifiers": points}
    with pytest.raises(ValueError, match="measured classifiers have no indices: expected a"):
        sobol_indices([METRICS["f1"]], BALANCED, 100, **options)


WRONG = [
    *(("box", {"tpr": pair, "fpr": (0, 1)}) for pair in ((0.5, 0.5), (-0.1, 1), "12", (0, True))),
    ("box", {"tpr": (0, 1), "fpr": (0, 1.5)}),
    *(("beta", {"tpr": (1, 1), "fpr": (1, other)}) for other in (math.nan, 10**400, 0.15)),
    ("binormal", {"auc": (0.4, 0.9), "threshold": (1, 1)}),
    ("binormal", {"auc": (0.6, 0.9), "threshold": (1, 0)}),
]

MASKED = np.ma.array([0.5, 0.6], mask=[0, 1])
FRAMES = [
    *([1, 2], {"tpr": MASKED, "fpr": [0, 0]}, {"tpr": [1], "FPR": [0]}),
    *({"tpr": [1, 1.5], "fpr": [0, 0]}, {"tpr": [1], "fpr": ["low"]}, {"tpr": [[1]], "fpr": [0]}),
    *({"tpr": [], "fpr": []}, {"tpr": [1], "fpr": [0], "weight": [-1]}),
    {"tpr": [1], "fpr": [0], "weight": [0]},
]


def test_wrong_distributions_are_refused():
    check_written(
        Path(__file__).with_name("no_distributions.txt"),
        parameters=refusals(lambda case: getattr(Classifiers, case[0])(**case[1]), WRONG),
        frames=refusals(MeasuredClassifiers.from_frame, FRAMES),
    )


@pytest.mark.parametrize("classifiers", OTHERS, ids=lambda one: one.words)
def test_classifiers_can_be_sent_to_other_processes(classifiers):
    places = np.array([0.25]), np.array([0.75]), np.array([0.5]), np.array([0.5])
    copied = pickle.loads(pickle.dumps(classifiers))
    assert copied.rates(*places) == classifiers.rates(*places)


def test_a_sample_is_the_uniform_one_mapped():
    """The same seeds, so that p and q of each point are the rates of the uniform sample."""
    options = {"log2_samples": 5, "seed": 3}
    (uniform,) = saltelli_blocks(Level(1, 10), 100, **options)
    (in_box,) = saltelli_blocks(Level(1, 10), 100, **options, classifiers=TOP_LEFT)
    np.testing.assert_allclose(in_box.tpr, 0.5 + uniform.tpr / 2, rtol=1e-14)
    np.testing.assert_allclose(in_box.fpr, uniform.fpr / 10, rtol=1e-14)
    np.testing.assert_allclose(in_box.tn, 1000 - in_box.fp, rtol=1e-14)


def test_sampled_indices_of_separation_and_threshold():
    """The exact ones are elsewhere compared with draws; 2^10 scrambled points come this near."""
    metric = bounded(METRICS["f1"])
    sampled = sobol_indices(
        [metric], Level(1, 10), 100, log2_samples=10, resamples=0, seed=1, classifiers=SCORED
    )
    np.testing.assert_allclose(sampled.s1[0], exact(metric, SCORED, 1000.0).s1, atol=0.01)
    np.testing.assert_allclose(sampled.st[0], exact(metric, SCORED, 1000.0).st, atol=0.01)


@pytest.mark.parametrize(
    ("classifiers", "words"),
    [
        (Classifiers.uniform(), "uniform on the unit square"),
        (
            Classifiers.box(tpr=(0.5, 0.5000000000000002), fpr=(0, 1e-300)),
            "uniform on 0.5 < tpr < 0.5000000000000002, 0 < fpr < 1e-300",
        ),
        (
            Classifiers.beta(tpr=(1.0000001, 1000), fpr=(0.2, 1)),
            "tpr Beta(1.0000001, 1000) and fpr Beta(0.2, 1), independent",
        ),
        (
            Classifiers.binormal(auc=(0.7, 0.70000001), threshold=(1, 0.123456789)),
            "binormal, AUC uniform from 0.7 to 0.70000001, threshold normal with mean 1 and"
            " standard deviation 0.123456789",
        ),
    ],
)
def test_words_have_all_digits(classifiers, words):
    assert classifiers.words == words


@pytest.mark.slow
@pytest.mark.parametrize("key", ["accuracy", "f1", "mcc", "optimized_precision"])
def test_a_binormal_family_beside_drawn_classifiers(key):
    """Mean, variance, both indices and shift by draws, within 4 standard errors each."""
    generator, normal, metric = np.random.default_rng(7), NormalDist(), bounded(METRICS[key])
    areas = generator.uniform(0.7, 0.95, (2, 20_000))
    separations = math.sqrt(2) * np.vectorize(normal.inv_cdf)(areas)
    thresholds = generator.normal(1, 0.5, (2, 20_000))
    cdf = np.vectorize(normal.cdf)

    def values(separation, threshold, negatives):
        rates = cdf(separation - threshold), cdf(-threshold)
        return metric(ConfusionMatrix.from_rates(*rates, positives=100, negatives=negatives))

    found = exact(metric, SCORED, 1000.0)
    drawn = values(separations[0], thresholds[0], 1000.0)
    distances = drawn - found.mean
    same_separation = values(separations[0], thresholds[1], 1000.0) - found.mean
    same_threshold = values(separations[1], thresholds[0], 1000.0) - found.mean
    shift = mean_shift(metric, Level(1, 10), BALANCED, 100, classifiers=SCORED).mean
    for sample, expected in (
        (distances, 0.0),
        (distances**2, found.variance),
        (distances * same_separation, found.s1[0] * found.variance),
        (distances * same_threshold, found.s1[1] * found.variance),
        (np.abs(drawn - values(separations[0], thresholds[0], 100.0)), shift),
    ):
        error = sample.std(ddof=1) / math.sqrt(sample.size)
        assert abs(sample.mean() - expected) < 4 * error
