import numpy as np
import pytest
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import accuracy, mcc
from skewproof.metrics.precision_recall import f1
from skewproof.metrics.sensitivity_specificity import balanced_accuracy
from skewproof.practice.uncertainty import compare_models, interval

MATRIX = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
RECALL = Metric("recall", "R", "recall", "", lambda c: c.tpr)


def test_a_recall_has_the_interval_of_its_posterior():
    result = interval(RECALL, MATRIX, draws=200_000)
    low, high = stats.beta(40.5, 10.5).interval(0.95)
    assert result == (0.8, pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3), 0)


def test_a_bootstrapped_recall_has_binomial_quantiles():
    result = interval(RECALL, MATRIX, method="bootstrap", draws=200_000, confidence=0.9)
    low, high = stats.binom(50, 0.8).interval(0.9)
    assert (result.low, result.high) == (low / 50, high / 50)


@pytest.mark.parametrize("key", sorted(METRICS))
def test_every_metric_lies_in_its_interval(key):
    for method in ("bayes", "bootstrap"):
        result = interval(METRICS[key], MATRIX, method=method)
        low, high = METRICS[key].bounds
        assert low <= result.low < result.value < result.high <= high


def test_coverage_of_balanced_accuracy():
    """Nominal 90 % over 400 samples: 0.86 to 0.94 in all but one case of a hundred."""
    random = np.random.default_rng(0)
    covered = 0
    for _ in range(400):
        tp, fp = random.binomial(40, 0.8), random.binomial(200, 0.1)
        matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=40, negatives=200)
        result = interval(balanced_accuracy, matrix, confidence=0.9, draws=1000)
        covered += result.low <= 0.85 <= result.high
    assert 0.86 <= covered / 400 <= 0.94


def test_no_errors_among_few_are_not_no_errors():
    perfect = ConfusionMatrix(tp=5, fp=0, fn=0, tn=5)
    assert interval(accuracy, perfect).low < 0.9
    assert interval(accuracy, perfect, method="bootstrap").low == 1


def test_undefined_draws_are_counted():
    rare = ConfusionMatrix(tp=1, fp=0, fn=2, tn=50)
    result = interval(mcc, rare, method="bootstrap")
    assert result.undefined == pytest.approx((2 / 3) ** 3, abs=0.02)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "exact"}, "method = 'exact': expected 'bayes' or 'bootstrap'"),
        ({"confidence": 1}, "confidence = 1: expected a number between 0 and 1"),
        ({"draws": 0}, "draws = 0: expected at least 1"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        interval(f1, MATRIX, **options)


def test_an_empty_class_is_refused():
    with pytest.raises(ValueError, match="empty class"):
        interval(f1, ConfusionMatrix(0, 3, 0, 7))
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


def test_a_model_does_not_differ_from_itself():
    true, first, _ = models()
    assert compare_models(f1, true, first, first) == (0, 0, 0, 0.5, 0)


def test_pairing_is_that_of_resampled_instances():
    """The spread of the multinomial draws is that of resampling instances by class."""
    true, first, second = models()
    random = np.random.default_rng(1)
    classes = [np.flatnonzero(true == label) for label in (0, 1)]
    differences = []
    for _ in range(2000):
        drawn = np.concatenate([random.choice(members, members.size) for members in classes])
        right = [(predicted[drawn] == true[drawn]).mean() for predicted in (first, second)]
        differences.append(right[1] - right[0])
    result = compare_models(accuracy, true, first, second)
    low, high = np.quantile(differences, [0.025, 0.975])
    assert (result.low, result.high) == (
        pytest.approx(low, abs=0.01),
        pytest.approx(high, abs=0.01),
    )


def test_the_same_seed_gives_the_same_numbers():
    assert interval(f1, MATRIX, seed=3) == interval(f1, MATRIX, seed=3)
    assert interval(f1, MATRIX, seed=3) != interval(f1, MATRIX, seed=4)


def test_infinite_values_are_ends_like_others():
    """With 1 of 200 negatives called positive, a share of exp(-1) of the resamples has none."""
    matrix = ConfusionMatrix(tp=40, fp=1, fn=10, tn=199)
    ratio = METRICS["positive_likelihood_ratio"]
    result = interval(ratio, matrix, method="bootstrap")
    assert (result.high, result.undefined) == (np.inf, 0)
    assert 0 < result.low < result.value == 0.8 * 200


def test_fewer_errors_are_better():
    true, first, second = models()
    right, wrong = (
        compare_models(METRICS[key], true, first, second) for key in ("accuracy", "error_rate")
    )
    assert wrong.value == pytest.approx(-right.value)
    assert wrong.probability == pytest.approx(right.probability)
