"""Coverage of intervals, summed over all samples, and errors of comparisons, by simulation."""

import numpy as np
import pytest
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS
from skewproof.scoring.model_comparison import compare

KEYS = ("f1", "mcc", "f1_i", "g_mean")
RATES = ((0.7, 0.1), (0.95, 0.01))
POSITIVES, NEGATIVES = 5, 25


@pytest.fixture(scope="module")
def intervals():
    """The interval of every sample of 5 positives and 25 negatives."""
    tp, fp = (part.ravel().tolist() for part in np.indices((POSITIVES + 1, NEGATIVES + 1)))
    matrices = {
        (hits, alarms): ConfusionMatrix(
            tp=hits, fp=alarms, fn=POSITIVES - hits, tn=NEGATIVES - alarms
        )
        for hits, alarms in zip(tp, fp, strict=True)
    }
    return {
        key: {place: interval(METRICS[key], one, at="test set") for place, one in matrices.items()}
        for key in KEYS
    }


@pytest.mark.parametrize("rates", RATES)
@pytest.mark.parametrize("key", KEYS)
def test_exact_coverage(intervals, key, rates):
    """The probability of all samples whose interval has the value at the true rates.

    As binomials are discrete, no interval has 0.95 everywhere; 0.93 to 0.99 is required.
    """
    tp, fp = (
        stats.binom(size, rate) for size, rate in zip((POSITIVES, NEGATIVES), rates, strict=True)
    )
    at_rates = ConfusionMatrix.from_rates(*rates, positives=POSITIVES, negatives=NEGATIVES)
    value = float(METRICS[key](at_rates))
    coverage = sum(
        tp.pmf(hits) * fp.pmf(alarms)
        for (hits, alarms), estimate in intervals[key].items()
        if estimate.low <= value <= estimate.high
    )
    assert 0.93 <= coverage <= 0.99
    for estimate in intervals[key].values():
        assert np.isnan(estimate.value) or estimate.low <= estimate.value <= estimate.high


def test_only_the_default_covers_the_f1_of_a_population():
    """The probability of all random samples of 40, a tenth positive, whose interval has its F1.

    Samples with a probability of less than 5e-5 are left out, less than 2 % together, most of them
    without a class.
    """
    size, prevalence, tpr, fpr = 40, 0.1, 0.9, 0.1
    value = 2 * prevalence * tpr / (prevalence * (1 + tpr) + (1 - prevalence) * fpr)
    whole, covered = 0.0, dict.fromkeys(("test set", "population"), 0.0)
    for positives in range(1, size):
        negatives = size - positives
        table = np.outer(
            stats.binom(positives, tpr).pmf(np.arange(positives + 1)),
            stats.binom(negatives, fpr).pmf(np.arange(negatives + 1)),
        )
        table *= stats.binom(size, prevalence).pmf(positives)
        for tp, fp in np.argwhere(table > 5e-5):
            whole += table[tp, fp]
            matrix = ConfusionMatrix(tp=tp, fp=fp, fn=positives - tp, tn=negatives - fp)
            for meant in covered:
                estimate = interval(METRICS["f1"], matrix, at=meant)
                covered[meant] += table[tp, fp] * (estimate.low <= value <= estimate.high)
            if positives == 4:
                assert interval(METRICS["f1"], matrix) == estimate  # "population" is the default
    assert 1 - whole < 0.02
    assert 0.85 < covered["test set"] / whole < 0.87
    assert 0.95 < covered["population"] / whole < 0.96


def rejected(key, second, sizes, repetitions, seed):
    """Count how often 0 is outside the interval; the first model has the rates 0.7 and 0.1."""
    random = np.random.default_rng(seed)
    true = np.repeat([1, 0], sizes)
    count = 0
    for _ in range(repetitions):
        calls = [
            (random.random(true.size) < np.where(true, *rates)).astype(int)
            for rates in (RATES[0], second)
        ]
        difference = compare(METRICS[key], true, *calls, at="test set")
        count += not difference.low <= 0 <= difference.high
    return count


def test_equal_models_are_seldom_called_different():
    """The limit is what a test that errs in 6 % of samples keeps in all but 1 of 1000 cases."""
    repetitions = 400
    count = rejected("f1", RATES[0], (5, 50), repetitions, seed=3)
    assert count <= stats.binom(repetitions, 0.06).ppf(0.999)


def test_five_positives_hardly_tell_anything():
    """A hundred positives are enough for true positive rates of 0.7 and 0.85.

    The shares are about 4 % and 74 %, more than 3 standard errors of 40 samples from 0.2 and 0.5.
    """
    few, many = (
        rejected("g_mean", (0.85, 0.1), sizes, 40, seed=4) / 40 for sizes in ((5, 50), (100, 1000))
    )
    assert few < 0.2 < 0.5 < many
