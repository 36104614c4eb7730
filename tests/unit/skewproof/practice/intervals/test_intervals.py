import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from whole_html import texts_of

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import accuracy
from skewproof.metrics.precision_recall import f1
from skewproof.practice.intervals.intervals import Difference, Interval, compare_models, interval
from skewproof.practice.prevalence import project
from skewproof.sensitivity.label_errors.model import with_label_errors

MATRIX = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
RECALL = Metric("recall", "R", "recall", "", lambda c: c.tpr)


def jeffreys(hits, misses, confidence=0.95):
    return stats.beta(hits + 0.5, misses + 0.5).interval(confidence)


def test_a_recall_has_the_interval_of_jeffreys():
    low, high = jeffreys(40, 10, 0.9)
    result = interval(RECALL, MATRIX, confidence=0.9)
    assert (result.value, result.low, result.high) == pytest.approx((0.8, low, high))
    assert not result.undefined


def test_a_prevalence_has_the_interval_of_jeffreys_when_it_is_estimated():
    share = Metric("share", "s", "share", "", lambda c: c.positives / c.total)
    low, high = jeffreys(50, 200)
    result = interval(share, MATRIX)
    assert (result.value, result.low, result.high) == pytest.approx((0.2, low, high))
    given = interval(share, MATRIX, prevalence="given")
    assert (given.low, given.high) == pytest.approx((0.2, 0.2))


@pytest.mark.parametrize("key", sorted(METRICS))
@pytest.mark.slow
def test_every_metric_lies_in_its_interval(key):
    low, high = METRICS[key].bounds
    result = interval(METRICS[key], MATRIX)
    assert low <= result.low < result.value < result.high <= high


@pytest.mark.parametrize("key", ["f1", "precision", "laplace", "f1_i", "mcc_i"])
@pytest.mark.slow
def test_not_to_know_the_prevalence_is_to_know_less_of_what_depends_on_it(key):
    inner, outer = (
        interval(METRICS[key], MATRIX, prevalence=prevalence)
        for prevalence in ("given", "estimated")
    )
    if key in INVARIANT:
        assert (outer.low, outer.high) == pytest.approx((inner.low, inner.high), abs=1e-9)
    else:
        assert outer.low < inner.low - 1e-3
        assert inner.high + 1e-3 < outer.high


def cells(*, at_most):
    """All matrices of that many positives and negatives, and of fewer."""
    return st.tuples(*[st.integers(0, at_most)] * 4).filter(
        lambda c: c[0] + c[2] > 0 and c[1] + c[3] > 0
    )


@settings(max_examples=25)
@given(counts=cells(at_most=4), key=st.sampled_from(sorted(METRICS)))
@pytest.mark.slow
def test_the_observed_value_is_always_inside(counts, key):
    result = interval(METRICS[key], ConfusionMatrix(*counts))
    if np.isnan(result.value):
        assert result.undefined
    else:
        assert result.low <= result.value <= result.high


def test_ten_of_ten_right_are_1_and_maybe_less():
    """Both rates deviate alike, as they are alike: each by z over the root of 2."""
    result = interval(accuracy, ConfusionMatrix(tp=5, fp=0, fn=0, tn=5), prevalence="given")
    assert (result.value, result.high) == (1, 1)
    each = stats.norm.cdf(-stats.norm.ppf(0.975) / np.sqrt(2))
    assert result.low == pytest.approx(stats.beta(5.5, 0.5).ppf(each))
    labels = [1] * 5 + [0] * 5
    same = compare_models(accuracy, labels, labels, labels)
    assert same.low < same.value == 0 < same.high


def test_undefined_rates_are_left_out_and_said():
    """Nothing is called positive, so that MCC and precision are 0/0."""
    nothing = ConfusionMatrix(tp=0, fp=0, fn=3, tn=50)
    for key in ("mcc", "precision"):
        result = interval(METRICS[key], nothing)
        assert np.isnan(result.value)
        assert result.undefined
        low, high = METRICS[key].bounds
        assert low <= result.low < result.high <= high
    assert (result.low, result.high) == (0, 1)  # the rates may be (0, any) or (any, 0)
    assert not interval(f1, nothing).undefined
    nowhere = Metric("nowhere", "n", "nowhere", "", lambda c: c.tp * np.nan)
    result = interval(nowhere, MATRIX)
    assert np.isnan([result.value, result.low, result.high]).all()
    assert result.undefined


def test_infinite_values_are_ends_like_others():
    """Without false positives LR+ is inf, and at least what the limits of both rates allow."""
    ratio = METRICS["positive_likelihood_ratio"]
    result = interval(ratio, ConfusionMatrix(tp=40, fp=0, fn=10, tn=200))
    assert result.value == result.high == np.inf
    tpr, fpr = (jeffreys(*counts) for counts in ((40, 10), (0, 200)))
    assert 0.8 / fpr[1] > result.low > tpr[0] / fpr[1]
    finite = interval(ratio, ConfusionMatrix(tp=40, fp=1, fn=10, tn=199))
    assert 0 < finite.low < finite.value == pytest.approx(160)
    assert finite.value < finite.high < np.inf
    odds = interval(METRICS["discriminant_power"], ConfusionMatrix(tp=0, fp=4, fn=5, tn=6))
    assert odds.low == odds.value == -np.inf
    assert np.isfinite(odds.high)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prevalence": "known"}, "prevalence = 'known': expected 'given' or 'estimated'"),
        ({"confidence": 1}, "confidence = 1: expected a number between 0 and 1"),
        ({"confidence": 0}, "confidence = 0: expected a number between 0 and 1"),
        ({"confidence": "x" * 10**4}, "confidence = 'xxx.*: expected a number between 0 and 1"),
        ({"prevalence": ["given"]}, r"prevalence = \['given'\]: expected 'given' or 'estimated'"),
        ({"draws": 0}, "draws = 0: expected a whole number of at least 1"),
        ({"draws": 1.5}, "draws = 1.5: expected a whole number of at least 1"),
        ({"draws": 10**12}, "draws = 1000000000000: .* of at least 1 and of at most 10000000"),
        ({"draws": True}, "draws = True: expected a whole number of at least 1"),
        ({"seed": True, "draws": 1}, "seed = True: expected a whole number of at least 0"),
        ({"seed": -1, "draws": 1}, "seed = -1: expected a whole number of at least 0"),
        ({"seed": None, "draws": 1}, "seed = None: expected a whole number of at least 0"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        compare_models(f1, [1, 0], [1, 0], [1, 0], **options)
    if "draws" not in options:
        with pytest.raises(ValueError, match=message):
            interval(f1, MATRIX, **options)


def test_one_matrix_is_expected():
    with pytest.raises(ValueError, match=r"the matrix has the shape \(2,\): expected one matrix"):
        interval(f1, ConfusionMatrix(tp=[1, 2], fp=1, fn=1, tn=1))


@pytest.mark.parametrize("prevalence", ["given", "estimated"])
@pytest.mark.parametrize(
    "matrix",
    [ConfusionMatrix(0, 3, 0, 7), ConfusionMatrix(3, 0, 7, 0), ConfusionMatrix(0, 0, 0, 0)],
)
def test_an_interval_needs_both_classes(matrix, prevalence):
    with pytest.raises(ValueError, match="the matrix has an empty class: expected instances of b"):
        interval(f1, matrix, prevalence=prevalence)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ((1e50, 1, 1e50, 1), r"the matrix has 2e\+50 positives: expected 1e-12 to 1e\+12"),
        ((1, 1e50, 1, 1), r"the matrix has 1e\+50 negatives: expected 1e-12"),
        ((1, 1e-300, 1, 0), "the matrix has 1e-300 negatives: expected 1e-12"),
        ((np.nan, 1, 1, 1), "the matrix has an undefined number of positives"),
        ((1, 1, 1, np.nan), "the matrix has an undefined number of negatives"),
    ],
)
def test_counts_of_which_products_are_no_floats(cells, message, recwarn):
    with pytest.raises(ValueError, match=message):
        interval(f1, ConfusionMatrix(*cells))
    assert not recwarn.list


@pytest.mark.parametrize("size", [1e-12, 1e-3, 0.5, 2.5, 1e6, 1e12])
def test_fractions_and_large_numbers_of_instances(size, recwarn):
    """Of k = n/2 the posterior is symmetric, and nearly normal where n is large."""
    half = size / 2
    found = interval(RECALL, ConfusionMatrix(tp=half, fp=1, fn=half, tn=1))
    assert found.low + found.high == pytest.approx(1)
    reach = stats.norm.ppf(0.975) / 2 / np.sqrt(size)
    if size >= 1e6:
        assert found.high - 0.5 == pytest.approx(reach, rel=1e-5)
    else:
        assert stats.beta(half + 0.5, half + 0.5).cdf(found.low) == pytest.approx(0.025)
    for key in ("f1", "mcc", "diagnostic_odds_ratio"):
        found = interval(METRICS[key], ConfusionMatrix(*[half] * 4))
        assert not np.isnan([found.value, found.low, found.high]).any()
    assert not recwarn.list


def test_an_empty_class_is_refused():
    with pytest.raises(ValueError, match="empty class"):
        compare_models(f1, [1, 1], [1, 0], [1, 1], pos_label=1)


def models(number=400, seed=0):
    random = np.random.default_rng(seed)
    true = (random.random(number) < 0.3).astype(int)
    first = np.where(random.random(number) < 0.8, true, 1 - true)
    second = np.where(random.random(number) < 0.9, true, 1 - true)
    return true, first, second


def test_the_better_model_is_better():
    true, first, second = models()
    result = compare_models(f1, true, first, second)
    matrices = [
        ConfusionMatrix(
            tp=sum(true & predicted),
            fp=sum((1 - true) & predicted),
            fn=sum(true & (1 - predicted)),
            tn=sum((1 - true) & (1 - predicted)),
        )
        for predicted in (first, second)
    ]
    assert result.value == pytest.approx(float(f1(matrices[1]) - f1(matrices[0])))
    assert 0 < result.low < result.value < result.high
    assert result.probability > 0.99
    turned = compare_models(f1, true, second, first)
    assert turned.value == -result.value
    assert turned.probability < 0.01


@pytest.mark.slow
def test_a_model_does_not_differ_from_itself_by_more_than_chance_may_hide():
    """With n answers alike, 1/2 added to each of four ways: both shares are Dirichlet's."""
    true = np.repeat([1, 0], [40, 60])
    found = compare_models(METRICS["true_positive_rate"], true, true, true, draws=100_000)
    assert found.value == 0
    assert found.probability == pytest.approx(0.5, abs=0.005)
    # One share less the other is (b - c)/(a + b + c + d) of gammas; its spread by moments.
    shares = np.array([40.5, 0.5, 0.5, 0.5]) / 42
    variance = (shares[1] + shares[2]) / (42 + 1)
    drawn = np.random.default_rng(5).dirichlet([0.5, 0.5, 41], 100_000)
    expected = np.quantile(drawn[:, 0] - drawn[:, 1], [0.025, 0.975])
    assert (found.low, found.high) == pytest.approx(expected, abs=2e-3)
    assert np.var(drawn[:, 0] - drawn[:, 1]) == pytest.approx(variance, rel=0.05)


def test_the_observed_difference_is_always_inside():
    """Draws never reach a difference of 1, so that the interval is stretched to it."""
    true = [1] * 5 + [0] * 50
    found = compare_models(METRICS["true_positive_rate"], true, [0] * 55, true)
    assert found.value == found.high == 1
    assert 0 < found.low < 1


def test_an_infinite_difference():
    true = np.repeat([1, 0], [5, 50])
    one_wrong = true.copy()
    one_wrong[-1] = 1
    ratio = METRICS["positive_likelihood_ratio"]
    better = compare_models(ratio, true, one_wrong, true)
    assert better.value == better.high == np.inf
    assert np.isfinite(better.low)
    both = compare_models(ratio, true, true, true)
    assert np.isnan(both.value)
    assert both.low < 0 < both.high
    assert both.undefined == 0


def test_draws_are_those_of_the_posterior_of_each_class():
    """Of accuracy with 300 to 400 of a class the posterior is nearly normal; its moments exact."""
    true, first, second = models(2000)
    moments = []
    for label in (1, 0):
        size = np.sum(true == label)
        only = [
            np.sum((true == label) & (a == true) & (b != true))
            for a, b in ((first, second), (second, first))
        ]
        total = size + 2
        mean = (only[1] - only[0]) / total
        spread = ((only[0] + only[1] + 1) / total - mean**2) / (total + 1)
        moments.append((size / true.size * mean, (size / true.size) ** 2 * spread))
    mean, variance = np.sum(moments, axis=0)
    expected = stats.norm(mean, np.sqrt(variance)).interval(0.95)
    result = compare_models(accuracy, true, first, second, prevalence="given", draws=50_000)
    assert (result.low, result.high) == pytest.approx(expected, abs=1.5e-3)


@pytest.mark.slow
def test_an_estimated_prevalence_is_drawn_from_its_posterior():
    """The share of true positives: one model finds none of 20, the other one all."""
    true = np.repeat([1, 0], [20, 80])
    share = Metric("share", "s", "share of true positives", "", lambda c: c.tp / c.total)
    given, estimated = (
        compare_models(share, true, 0 * true, true, prevalence=prevalence, draws=100_000)
        for prevalence in ("given", "estimated")
    )
    drawn = np.random.default_rng(5).dirichlet([0.5, 20.5, 0.5, 0.5], 100_000)
    found = drawn[:, 1] - drawn[:, 2]
    low = np.quantile(0.2 * found, 0.025)
    assert (given.low, given.high) == (pytest.approx(low, abs=2e-3), 0.2)
    prevalence = np.random.default_rng(6).beta(20.5, 80.5, 100_000)
    expected = np.quantile(prevalence * found, [0.025, 0.975])
    assert (estimated.low, estimated.high) == pytest.approx(expected, abs=2e-3)


def test_the_same_seed_gives_the_same_numbers():
    true, first, second = models(100)
    once, again, other = (
        compare_models(f1, true, first, second, draws=100, seed=seed) for seed in (3, 3, 4)
    )
    assert once == again != other


def test_fewer_errors_are_better():
    true, first, second = models()
    right, wrong = (
        compare_models(METRICS[key], true, first, second) for key in ("accuracy", "error_rate")
    )
    assert wrong.value == pytest.approx(-right.value)
    assert wrong.probability == pytest.approx(right.probability)


POPULATION = "for the population that the test set was drawn from at random"
ESTIMANDS = [("estimated", POPULATION), ("given", "for these class sizes")]


@pytest.mark.parametrize(("prevalence", "estimand"), ESTIMANDS)
def test_an_interval_says_what_it_is_for(prevalence, estimand):
    """As text, in its representation and in a notebook: metric, confidence and assumption."""
    found = Interval("f1", 2 / 3, 0.5, 1.0, False, confidence=0.999, prevalence=prevalence)
    assert str(found) == f"f1: 0.6667, 99.9 % interval 0.5 to 1 {estimand}"
    for part in ("metric='f1'", "confidence=0.999", f"prevalence='{prevalence}'"):
        assert part in repr(found)
    assert texts_of(found._repr_html_()) == [
        "f1: 0.6667 (0.5 to 1)",
        f"The 99.9 % interval is {estimand}.",
    ]
    left_out = Interval("f1", 2 / 3, 0.5, 1.0, True, confidence=0.95, prevalence=prevalence)
    assert "left out" in left_out._repr_html_()


@pytest.mark.parametrize(("prevalence", "estimand"), ESTIMANDS)
def test_a_comparison_says_what_it_is_for(prevalence, estimand):
    true, first, second = models(100)
    found = compare_models(
        f1, true, first, second, prevalence=prevalence, confidence=0.9, draws=100
    )
    assert str(found).startswith(f"difference in f1: {found.value:.4g}, 90 % interval")
    assert str(found).endswith(estimand)
    for part in ("metric='f1'", "confidence=0.9", f"prevalence='{prevalence}'"):
        assert part in repr(found)
    assert f"The 90 % interval is {estimand}." in texts_of(found._repr_html_())


def test_the_population_is_meant_where_nothing_is_said():
    assert interval(f1, MATRIX) == interval(f1, MATRIX, prevalence="estimated")
    true, first, second = models(100)
    found, said = (
        compare_models(f1, true, first, second, draws=100, **options)
        for options in ({}, {"prevalence": "estimated"})
    )
    assert found == said
    assert found.prevalence == interval(f1, MATRIX).prevalence == "estimated"


@pytest.mark.parametrize(
    ("matrix", "what"),
    [
        (project(MATRIX, to="1:1000"), "projected to 1:1000"),
        (project(project(MATRIX, to="1:1000"), to="1:4"), "projected to 1:4"),
        (replace(project(MATRIX, to="1:10"), fn=3), "projected to 1:10"),
        (pickle.loads(pickle.dumps(project(MATRIX, to="1:10"))), "projected to 1:10"),
        (MATRIX.rates, "one of rates"),
        (project(MATRIX, to="1:10").rates, "one of rates"),
        (
            with_label_errors(
                project(MATRIX, to="1:10"), false_positive_rate=0.1, false_negative_rate=0
            ),
            "projected to 1:10",
        ),
    ],
)
def test_counts_that_nobody_observed_have_no_interval(matrix, what):
    message = f"the matrix is {what}: expected counts of instances that were observed"
    with pytest.raises(ValueError, match=message):
        interval(f1, matrix)


def test_a_difference_that_is_undefined_tells_nothing():
    """The interval is that of the draws in which it is defined."""
    found = Difference(
        "f1", float("nan"), 0.1, 0.2, 1.0, 0.5, confidence=0.95, prevalence="estimated"
    )
    assert found.verdict == "The difference is undefined."


CANNOT_TELL = "These instances cannot tell the models apart: a difference of"


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (-0.1, 0.2, f"{CANNOT_TELL} -0.1 to 0.2 is possible."),
        (0.0, 0.2, f"{CANNOT_TELL} 0 to 0.2 is possible."),
        (0.01, 0.2, "The models differ: 0 lies outside of the interval."),
        (-0.2, -0.1, "The models differ: 0 lies outside of the interval."),
        (float("nan"), float("nan"), "The difference is undefined."),
    ],
)
def test_a_comparison_in_a_notebook(low, high, verdict):
    options = {"probability": 0.9754, "undefined": 0.25, "confidence": 0.95}
    found = Difference("f1", 0.1, low, high, **options, prevalence="estimated")
    assert texts_of(found._repr_html_())[1:] == [
        verdict,
        f"The 95 % interval is {POPULATION}.",
        "Second model better",
        "in 97.5% of the draws",
        "Undefined",
        "in 25.0% of the draws, left out",
    ]


WRITTEN = ("F1", "f1_score", "2*tp/(2*tp + fp + fn)")


@pytest.mark.parametrize("name", WRITTEN)
def test_an_interval_of_a_name_is_that_of_its_metric(name):
    matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    expected, found = interval(METRICS["f1"], matrix), interval(name, matrix)
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high), rel=1e-12
    )


def test_intervals_of_several_metrics_are_rows_of_a_frame():
    matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    frame = interval(["f1", METRICS["accuracy"], "recall"], matrix, confidence=0.8)
    assert list(frame["metric"]) == ["f1", "accuracy", "true_positive_rate"]
    for row in frame.itertuples():
        found = interval(METRICS[row.metric], matrix, confidence=0.8)
        assert (row.value, row.low, row.high) == (found.value, found.low, found.high)


@pytest.mark.parametrize("name", ["recall", "tp/P", METRICS["true_positive_rate"]])
def test_a_comparison_by_a_name_is_that_of_its_metric(name):
    true, first, second = [1, 1, 1, 0, 0], [1, 0, 0, 0, 1], [1, 1, 0, 0, 0]
    found = compare_models(name, true, first, second, draws=100)
    assert found.value == pytest.approx(1 / 3)


def test_comparisons_by_several_metrics_are_rows_of_a_frame():
    true, first, second = [1, 1, 1, 0, 0], [1, 0, 0, 0, 1], [1, 1, 0, 0, 0]
    frame = compare_models(("recall", "f1"), true, first, second, draws=100, seed=3)
    assert list(frame["metric"]) == ["true_positive_rate", "f1"]
    for row in frame.itertuples():
        found = compare_models(METRICS[row.metric], true, first, second, draws=100, seed=3)
        assert (row.value, row.low, row.high) == (found.value, found.low, found.high)


def test_swapped_and_wrong_arguments_are_told_in_one_sentence():
    matrix = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
    for metric, wrong, message in (
        (matrix, METRICS["f1"], r"^metric = ConfusionMatrix.*: expected a metric, its key or name"),
        ("f1", "f1", r"^matrix = 'f1': expected a ConfusionMatrix$"),
        ([], matrix, r"^metrics = \[\]: expected at least one metric$"),
    ):
        with pytest.raises(ValueError, match=message) as caught:
            interval(metric, wrong)
        assert len(str(caught.value)) < 200
    with pytest.raises(KeyError, match="'Dice' has 2 meanings"):
        interval("Dice", matrix)
    with pytest.raises(ValueError, match=r"^metric = \[1, 0\].*|^metric = 1: expected a metric"):
        compare_models([1, 0], METRICS["f1"], [1, 0], [1, 0])
