import itertools
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score, brier_score_loss, log_loss, roc_auc_score

from skewproof import Prevalence, compare
from skewproof.intervals.leave_one_out import Variance
from skewproof.scoring.score_comparison import KINDS
from written import check_refusals

THRESHOLD = 0.3


def models(seed=0, positives=8, negatives=16, digits=1):
    """Draw labels and the probabilities of two models, with ties."""
    random = np.random.default_rng(seed)
    true = random.permutation(np.repeat([1, 0], [positives, negatives]))
    first = 1 / (1 + np.exp(-random.normal(true, 1)))
    second = 1 / (1 + np.exp(-random.normal(1.5 * true + np.log(first / (1 - first)), 1)))
    return true, *(np.clip(model.round(digits), 0.05, 0.95) for model in (first, second))


def given(key, model):
    """Return what a statistic takes of a model."""
    return (model >= 0.5).astype(int) if key == "expected_cost" else model


def options_of(key):
    return {"threshold": THRESHOLD} if KINDS[key].takes_threshold else {}


def value_of(key, true, model, share):
    """Compute a statistic by other functions, at a prevalence."""
    weights = np.where(true == 1, share / true.sum(), (1 - share) / (true.size - true.sum()))
    if key == "auc":
        return roc_auc_score(true, model)
    if key == "brier":
        return brier_score_loss(true, model, sample_weight=weights)
    if key == "log_loss":
        return log_loss(true, model, sample_weight=weights)
    if key.endswith("average_precision"):
        return average_precision_score(true, model, sample_weight=weights)
    cutoff = THRESHOLD if key == "net_benefit" else 0.5
    tpr, fpr = (np.mean(model[true == label] >= cutoff) for label in (1, 0))
    odds = THRESHOLD / (1 - THRESHOLD)
    if key == "net_benefit":
        return share * tpr - (1 - share) * fpr * odds
    weight = share / odds / (share / odds + 1 - share)
    return weight * (1 - tpr) + (1 - weight) * fpr


def jackknife(key, true, first, second, share):
    """Compute the difference and its leave-one-out variance by class, from the definition."""

    def difference(kept):
        values = [value_of(key, true[kept], model[kept], share) for model in (first, second)]
        return values[1] - values[0]

    rows = np.arange(true.size)
    parts = []
    for label in (1, 0):
        without = np.array([difference(rows != row) for row in np.flatnonzero(true == label)])
        size = without.size
        changes = -(size - 1) * (without - without.mean())
        parts.append((np.sum(changes**2) / (size * (size - 1)), size - 1))
    return difference(rows >= 0), parts


@pytest.mark.parametrize("key", KINDS)
@pytest.mark.parametrize("share", [0.5, 0.02])
def test_a_difference_is_that_of_the_definition(key, share):
    true, first, second = models()
    share = 0.5 if key == "balanced_average_precision" else share
    value, parts = jackknife(key, true, first, second, share)
    variance = sum(part for part, _ in parts)
    freedom = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    low, high = stats.t(freedom, value, np.sqrt(variance)).interval(0.9)
    models_given = given(key, first), given(key, second)
    difference = compare(key, true, *models_given, at=share, confidence=0.9, **options_of(key))
    ends = difference.value, difference.low, difference.high
    assert ends == pytest.approx((value, low, high), rel=1e-9)
    p_value = 2 * stats.t(freedom).sf(abs(value) / np.sqrt(variance))
    assert difference.p_value == pytest.approx(p_value)
    better = -1 if KINDS[key].lower_is_better else 1
    assert (difference.probability > 0.5) == (better * value > 0)


@pytest.mark.parametrize("key", KINDS)
def test_the_prevalence_adds_its_own_variance(key):
    """The square of the numeric derivative times the variance of the Beta distribution."""
    true, first, second = models(1)
    share = 0.25
    step = 1e-5
    near = [
        value_of(key, true, second, at) - value_of(key, true, first, at)
        for at in (share - step, share + step)
    ]
    balanced = key == "balanced_average_precision"
    slope = 0.0 if balanced else (near[1] - near[0]) / (2 * step)
    _, parts = jackknife(key, true, first, second, 0.5 if balanced else share)
    of_prevalence = slope**2 * stats.beta(10.5, 30.5).var()
    variance = sum(part for part, _ in parts) + of_prevalence
    freedom = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    half = stats.t(freedom).ppf(0.975) * np.sqrt(variance)
    difference = compare(
        key, true, given(key, first), given(key, second), at="10/40", **options_of(key)
    )
    assert difference.high - difference.low == pytest.approx(2 * half, rel=1e-6)


@pytest.mark.parametrize("key", KINDS)
def test_exchanged_models_have_the_mirrored_interval(key):
    true, first, second = models(2)
    for at in ("population", "test set", 0.01, "0.01..0.1", "beta(2, 50)"):
        once, turned = (
            compare(key, true, given(key, a), given(key, b), at=at, **options_of(key))
            for a, b in ((first, second), (second, first))
        )
        assert (turned.value, turned.low, turned.high) == (-once.value, -once.high, -once.low)
        assert turned.p_value == once.p_value


def test_a_range_has_the_envelope_of_its_intervals():
    true, first, second = models(3)
    at = Prevalence.between(0.01, 0.1)
    shares = np.concatenate([at.points(0.5), at.ends])
    parts = [compare("brier", true, first, second, at=float(share)) for share in shares]
    whole = compare("brier", true, first, second, at=at)
    assert whole.low == pytest.approx(min(part.low for part in parts))
    assert whole.high == pytest.approx(max(part.high for part in parts))


@pytest.mark.parametrize(
    ("key", "at"),
    [
        *(("auc", "population"), ("average_precision", "population")),
        *(("average_precision", 0.05), ("brier", "test set"), ("net_benefit", 0.05)),
    ],
)
def test_groups_are_left_out_one_by_one(key, at):
    """Rows of a group are alike, so that the variance by groups is above that by rows."""
    true, first, second = models(4, 30, 50, digits=2)
    groups = np.empty(true.size, dtype=int)
    groups[np.lexsort([second - first])] = np.arange(true.size) // 8

    def difference(kept):
        share = {"test set": np.mean(true), "population": np.mean(true[kept])}.get(at, at)
        values = [value_of(key, true[kept], model[kept], share) for model in (first, second)]
        return values[1] - values[0]

    whole = difference(groups >= 0)
    changes = np.array([difference(groups != group) - whole for group in range(10)])
    error = np.sqrt(9 / 10 * np.sum(changes**2))
    options = {"at": at, **options_of(key)}
    result = compare(key, true, first, second, groups=groups, **options)
    plain = compare(key, true, first, second, **options)
    assert result.value == plain.value == pytest.approx(whole)
    assert error > (plain.high - plain.low) / 4
    # With ten groups of unequal classes there are at most 9 degrees of freedom.
    quantile = (result.high - result.low) / 2 / error
    assert stats.t(9).ppf(0.975) <= quantile < stats.t(2).ppf(0.975)


@pytest.mark.parametrize("key", KINDS)
def test_groups_of_one_row_change_nothing(key):
    true, first, second = models(4)
    models_given = given(key, first), given(key, second)
    plain, single = (
        compare(key, true, *models_given, groups=groups, **options_of(key))
        for groups in (None, np.arange(true.size))
    )
    assert (single.low, single.high, single.p_value) == (plain.low, plain.high, plain.p_value)


@pytest.mark.slow
def test_two_test_sets_add_their_variances():
    true, first, _ = models(5)
    other, second, _ = models(6)
    value = roc_auc_score(other, second) - roc_auc_score(true, first)
    variances = []
    for labels, scores in ((true, first), (other, second)):
        _, parts = jackknife("auc", labels, np.zeros(labels.size), scores, 0.5)
        variances += parts
    variance = Variance.total(itertools.starmap(Variance, variances))
    result = compare("auc", (true, other), first, second, paired=False)
    assert result.value == pytest.approx(value)
    assert result.high - result.low == pytest.approx(2 * variance.half_width(0.95))


SCORES = (np.repeat([1, 0], 4), np.arange(8.0) / 8, np.arange(8.0)[::-1] / 8)


def test_few_positives_are_remarked():
    assert "With 4 positives" in compare("auc", SCORES[0], SCORES[1], SCORES[1] % 0.3).remark


@pytest.mark.parametrize(("at", "remarked"), [("1:1000", True), ("0.001..0.5", True), (0.1, False)])
def test_rarer_positives_are_remarked(at, remarked):
    true, first, second = models(0, 25, 50)
    remark = compare("average_precision", true, first, second, at=at).remark
    assert ("so much rarer" in remark) == remarked
    assert not compare("auc", true, first, second, at=at).remark


def test_refusals_are_those_that_are_written():
    true, _, down = SCORES
    missing = np.where(true == true[0], np.nan, true)
    calls = [
        partial(compare, "auc", (missing, true), down, down, paired=False),
        partial(compare, "auc", (true, missing), down, down, paired=False),
        partial(compare, "partial_auc", *SCORES),
        partial(compare, "brier_skill", *SCORES),
        partial(compare, ["auc", "f1"], *SCORES),
        partial(compare, "net_benefit", *SCORES),
        partial(compare, "auc", *SCORES, threshold=0.5),
        partial(compare, "auc", *SCORES, total=5),
        partial(compare, "f1", *SCORES, threshold=0.5),
        partial(compare, "f1", *SCORES, paired=False),
        partial(compare, "auc", *SCORES, paired=False),
        partial(compare, "expected_cost", *SCORES, threshold="0.1..0.2"),
        partial(compare, "auc", *SCORES, groups=list("aaaaaaaa")),
        partial(compare, "auc", true, down, down),
        partial(compare, "auc", true, down**2, down),
        partial(compare, "auc", true, down[:-1], down),
        partial(compare, "brier", true, down * 2, down),
        partial(compare, "log_loss", true, np.array([0.0] + 7 * [0.5]), down),
    ]
    check_refusals(Path(__file__).with_name("score_comparison_refusals.txt"), calls)
