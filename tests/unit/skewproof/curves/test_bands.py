"""Bands of curves."""

import numpy as np
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, interval
from skewproof.curves import curve_bands
from skewproof.curves.bands import CutOffs
from skewproof.curves.counts import score_counts
from skewproof.prevalence.prevalence import Prevalence

RANDOM = np.random.default_rng(2)
TRUE = np.repeat([1, 0], [40, 160])
SCORES = RANDOM.normal(1.5 * TRUE)


@pytest.mark.parametrize(
    ("curve", "keys", "at"),
    [
        ("roc", ("fpr", "recall"), "1:30"),
        *(("precision_recall", ("recall", "precision"), at) for at in ("population", "12/400")),
        ("det", ("fpr", "fnr"), "population"),
    ],
)
@pytest.mark.slow
def test_a_band_at_each_cut_off_has_the_ends_of_intervals(curve, keys, at):
    bands = curve_bands(TRUE, SCORES, curve=curve, at=at, simultaneous=False)
    for row in bands.iloc[[3, len(bands) // 2, -5]].itertuples():
        called = row.threshold <= SCORES
        matrix = ConfusionMatrix.from_labels(TRUE, called.astype(int))
        for key, ends in zip(
            keys, ((row.x, row.x_low, row.x_high), (row.y, row.y_low, row.y_high)), strict=True
        ):
            estimate = interval(key, matrix, at=at)
            assert ends == pytest.approx((estimate.value, estimate.low, estimate.high), abs=1e-3)


@pytest.mark.slow
def test_a_simultaneous_band_holds_at_all_cut_offs_at_once():
    """Normal scores, of which the rates are known; seeded."""
    random, repetitions, confidence = np.random.default_rng(4), 40, 0.8
    true = np.repeat([1, 0], [20, 200])
    held = 0
    for _ in range(repetitions):
        bands = curve_bands(true, random.normal(2 * true), confidence=confidence, at="1:1")
        fpr, tpr = stats.norm.sf(bands.threshold), stats.norm.sf(bands.threshold - 2)
        inside = (
            bands.x_low.le(fpr) & bands.x_high.ge(fpr) & bands.y_low.le(tpr) & bands.y_high.ge(tpr)
        )
        held += inside.all()
    error = np.sqrt(confidence * (1 - confidence) / repetitions)
    assert held / repetitions >= confidence - 2 * error


def test_the_radius_is_that_of_a_single_rate_where_there_is_one_cut_off():
    """Both squares are those of a standard normal deviation if classes are large."""
    cut_offs = CutOffs(np.array([1.0]), np.array([5e4]), np.array([2e4]), 1e5, 1e5)
    radius = cut_offs.radius(0.9, Prevalence.given(0.1), seed=0)
    assert radius == pytest.approx(np.sqrt(stats.chi2.ppf(0.9, 2)), rel=0.08)
    wider = cut_offs.radius(0.9, Prevalence.given("10/100"), seed=0)
    assert wider == pytest.approx(np.sqrt(stats.chi2.ppf(0.9, 3)), rel=0.08)


@pytest.mark.parametrize("shared", [0.0, 1.0, -1.0])
def test_the_radius_of_a_cut_off_is_the_same_for_rates_that_vary_together(shared):
    """The squared distance of two normal deviations, correlated or not, is chi-squared."""
    random = np.random.default_rng(3)
    effect = random.normal(size=2000)
    rates = stats.norm.cdf(np.column_stack([effect, shared * effect]))
    hits = random.binomial(20, rates).astype(float)
    (tp, fp), size = hits.sum(axis=0), float(20 * len(hits))
    by_group = [np.stack([hits, 20 - hits], axis=-1)]
    cut_offs = CutOffs(np.array([1.0]), np.array([tp]), np.array([fp]), size, size, by_group)
    radius = cut_offs.radius(0.9, Prevalence.given(0.1), seed=0)
    assert radius == pytest.approx(np.sqrt(stats.chi2.ppf(0.9, 2)), rel=0.08)


def test_all_distinct_scores_are_cut_offs_where_they_are_few():
    counts, scores = score_counts(TRUE, np.round(2 * SCORES))
    assert CutOffs.of(counts, scores).thresholds.tolist() == scores.tolist()
    large = np.arange(5000.0)
    assert len(CutOffs.of(*score_counts(large % 7 == 0, large, pos_label=True)).tp) <= 200


def test_of_many_scores_those_at_rising_numbers_of_calls_are_cut_offs():
    """Their numbers from both ends are 1, 2, 3, ... and then grow by a constant factor."""
    scores = np.arange(5000.0)
    cut_offs = CutOffs.of(*score_counts(scores % 7 == 0, scores, pos_label=True))
    few = {round(5000 ** (step / 99)) for step in range(100)}
    expected = few | {5000 - number for number in few} - {0}
    assert set((cut_offs.tp + cut_offs.fp).tolist()) == expected
    assert cut_offs.thresholds[0] == 4999
