"""Exact tests that a requirement is met, compared with binomials and with all counts."""

import numpy as np
import pytest
from scipy import stats

from skewproof.decisions.frontiers import (
    ALONE,
    ALONE_OF_UNSURE,
    FARTHEST,
    LEAST,
    SPARED,
    Sizes,
    frontier,
)
from skewproof.decisions.requirements import Requirement
from skewproof.prevalence.prevalence import Prevalence


def found(require, at, sizes, total=1.0):
    return frontier(Requirement.parsed(require), Prevalence.given(at), Sizes(*sizes), total)


@pytest.mark.parametrize(
    "at",
    [
        *("1:1000", 0.3, "test set", "0.01..0.2"),
        *(pytest.param(at, marks=pytest.mark.slow) for at in ("12/400", "population")),
    ],
)
def test_a_requirement_on_one_rate_is_a_binomial_test(at):
    hits, alarms = np.arange(51.0), np.arange(0, 400, 7.0)
    by_hits = found("recall >= 0.8", at, (50, 399)).p_values(hits, 0 * hits)
    assert by_hits == pytest.approx(stats.binom.sf(hits - 1, 50, 0.8), abs=1e-9)
    by_alarms = found("fpr <= 0.03", at, (50, 399)).p_values(0 * alarms, alarms)
    assert by_alarms == pytest.approx(stats.binom.cdf(alarms, 399, 0.03), abs=1e-9)
    at_most = found("recall <= 0.3", at, (50, 399)).p_values(hits, 0 * hits)
    assert at_most == pytest.approx(stats.binom.cdf(hits, 50, 0.3), abs=1e-9)


TPR = np.array([0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])

EDGES = {
    "precision": lambda tpr, share, bound: tpr * share / (1 - share) * (1 - bound) / bound,
    "alarms": lambda tpr, share, number: (number - share * tpr) / (1 - share),
    # Where 2 tp/(tp + fp + P) is the bound.
    "f1": lambda tpr, share, b: (2 * share * tpr / b - share * tpr - share) / (1 - share),
}
"""The false positive rates at which a requirement is just not met, by hand."""


@pytest.mark.parametrize(
    ("require", "share", "sizes"),
    [
        ("precision >= 0.5", 1 / 31, (12, 60)),
        ("precision >= 0.9", 0.5, (12, 24)),
        ("alarms <= 0.2", 0.1, (12, 30)),
        ("f1 >= 0.5", 0.2, (12, 30)),
    ],
)
@pytest.mark.slow
def test_no_more_than_the_level_is_rejected_where_the_requirement_is_just_not_met(
    require, share, sizes
):
    """All counts are enumerated: the test is exact, also in small samples."""
    test = found(require, share, sizes)
    positives, negatives = sizes
    tp, fp = (np.arange(size + 1.0) for size in sizes)
    p_values = np.array([test.p_values(np.full(len(fp), hits), fp) for hits in tp])
    name, _, bound = require.split()
    edge = EDGES[name](TPR, share, float(bound))
    for tpr, fpr in zip(TPR[edge >= 0], edge[edge >= 0], strict=True):
        chance = np.outer(stats.binom.pmf(tp, positives, tpr), stats.binom.pmf(fp, negatives, fpr))
        for level in (0.01, 0.05, 0.1, 0.3):
            assert chance[p_values <= level].sum() <= level


@pytest.mark.slow
def test_the_test_nears_its_level_in_large_samples():
    """It gives away little: by simulation at a point where precision is 1/2."""
    share, sizes = 0.1, (2000, 20_000)
    random = np.random.default_rng(0)
    tp, fp = random.binomial(sizes[0], 0.6, 4000), random.binomial(sizes[1], 0.6 / 9, 4000)
    distinct, counts = np.unique(np.array([tp, fp]), axis=1, return_counts=True)
    some = random.choice(len(counts), 400, p=counts / counts.sum())
    p_values = found("precision >= 0.5", share, sizes).p_values(*distinct[:, some].astype(float))
    assert np.mean(p_values <= 0.1) > 0.1 - 3 * np.sqrt(0.09 / 400)


@pytest.mark.slow
def test_a_range_of_prevalences_is_tested_at_its_hardest():
    tp, fp = np.array([30.0, 40, 45]), np.array([1.0, 3, 5])
    over = found("precision >= 0.5", "0.02..0.2", (50, 500)).p_values(tp, fp)
    at_low = found("precision >= 0.5", 0.02, (50, 500)).p_values(tp, fp)
    assert over == pytest.approx(at_low, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("counted", [(3, 100), (30, 1000)])
def test_a_sampled_prevalence_keeps_the_level_too(counted):
    """Counts of the other sample are drawn with those of the test set."""
    share, repetitions, level = counted[0] / counted[1], 400, 0.1
    random = np.random.default_rng(1)
    drawn = random.binomial(counted[1], share, repetitions)
    tp = random.binomial(100, 0.6, repetitions)
    fp = random.binomial(1000, 0.6 * share / (1 - share), repetitions)
    rejected = 0
    for count in np.unique(drawn):
        test = found("precision >= 0.5", Prevalence.sampled(int(count), counted[1]), (100, 1000))
        some = drawn == count
        rejected += (test.p_values(tp[some].astype(float), fp[some].astype(float)) <= level).sum()
    assert rejected / repetitions <= level + 2 * np.sqrt(level * (1 - level) / repetitions)


def test_a_prevalence_of_which_none_were_seen_promises_no_precision():
    test = found("precision >= 0.5", "0/400", (50, 500))
    assert test.p_values(np.array([50.0]), np.array([0.0]))[0] > 0.5


@pytest.mark.parametrize("require", ["chi_squared >= 0.1", "optimized_precision >= 0.7"])
def test_what_may_be_met_by_more_and_by_fewer_hits_is_refused(require):
    with pytest.raises(ValueError, match="always help to meet the bound or always hinder"):
        found(require, 0.1, (50, 500))


def test_what_holds_everywhere_needs_no_data():
    test = found("recall >= 0", 0.1, (5, 5))
    assert test.p_values(np.array([0.0]), np.array([5.0])).tolist() == [0]


@pytest.mark.parametrize(
    ("require", "at", "sizes", "counts", "error"),
    [
        ("precision >= 0.5", 1 / 31, (40, 400), ([20, 25], [1, 2]), 0.01),
        ("precision >= 0.5", 1 / 301, (5000, 500_000), ([2500, 3000], [4000, 4600]), 0.01),
        ("mcc >= 0.4", 0.1, (200_000, 200_000), ([100_000, 130_000], [8000, 12_000]), 0.01),
        ("precision >= 0.5", "12/400", (200, 2000), ([120, 150], [10, 14]), 0.2),
        ("precision >= 0.5", "3/90", (50, 500), ([30, 40], [0, 0]), 0.2),
    ],
)
@pytest.mark.slow
def test_more_lines_find_no_point_that_is_harder_to_reject(
    monkeypatch, require, at, sizes, counts, error
):
    tp, fp = (np.array(numbers, dtype=float) for numbers in counts)
    few = found(require, at, sizes).p_values(tp, fp)
    monkeypatch.setattr("skewproof.decisions.frontiers.LINES", 4001)
    monkeypatch.setattr("skewproof.decisions.frontiers.LINES_OF_UNSURE", 401)
    monkeypatch.setattr("skewproof.decisions.frontiers.PREVALENCES", 111)
    many = found(require, at, sizes).p_values(tp, fp)
    assert few == pytest.approx(many, rel=error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("require", "at"),
    [
        *(("precision >= 0.3", at) for at in ("1:30", "4/100", "beta(4, 90)")),
        *((require, "4/100") for require in ("mcc >= 0.3", "npv >= 0.98")),
    ],
)
def test_the_p_value_is_the_largest_of_all_points(require, at):
    """Each point is tested by SciPy's binomials, without leaving any out."""
    test = found(require, at, (40, 300))
    random = np.random.default_rng(2)
    tp, fp = random.integers(0, 41, 6).astype(float), random.integers(0, 60, 6).astype(float)
    share = ALONE if at == "1:30" else ALONE_OF_UNSURE
    expected = []
    for counts in zip(tp, fp, strict=True):
        scores = [
            stats.norm.isf(
                stats.binom.sf(count - 1, size, rates)
                if helps > 0
                else stats.binom.cdf(count, size, rates)
            )
            for count, size, rates, helps in zip(
                counts, (40, 300), (test.tpr, test.fpr), test.orientation, strict=True
            )
        ]
        scores = np.array([*scores, test.of_prevalence])[: 2 if at == "1:30" else 3]
        total = (test.weights[: len(scores)] * np.clip(scores, LEAST, FARTHEST)).sum(axis=0)
        together = stats.norm.sf(total) / (1 - share - SPARED)
        alone = stats.norm.sf(scores.max(axis=0)) * len(scores) / share
        expected.append(min(np.minimum(together, alone).max(), 1))
    assert test.p_values(tp, fp) == pytest.approx(np.array(expected), rel=1e-9)
