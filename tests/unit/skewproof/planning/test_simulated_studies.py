"""Counts of simulated studies, and intervals that equal those that a user will compute."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS, get_metric
from skewproof.planning.simulated_studies import GroupedRows, OneModel, TwoModels, TwoSamples
from skewproof.prevalence.prevalence import Prevalence
from skewproof.scoring.model_comparison import compare
from skewproof.slices.changes import explain_change

RATES = {"tpr": 0.7, "fpr": 0.1}
TABLES = np.array([[3, 4, 6, 20, 61], [2, 1, 3, 0, 39], [1, 0, 9, 12, 100], [9, 50, 80, 190, 900]])


WHERE = [
    ("random", "1:9", "population"),
    ("stratified", "1:9", "test set"),
    ("enriched", "1:99", "1:99"),
    ("enriched", "12/4000", "12/4000"),
    ("enriched", "beta(2, 500)", "beta(2, 500)"),
]
"""Ways of sampling, with the prevalence of the plan and that of the intervals."""


def one_model(key="f1", sampling="random", at="1:9"):
    return OneModel(get_metric(key), Prevalence.given(at), sampling, 0.95, **RATES)


def two_models(agreement=0.0, sampling="random", key="f1", at="1:4"):
    rates = {"tpr": (0.6, 0.8), "fpr": (0.1, 0.05)}
    where = Prevalence.given(at)
    return TwoModels(get_metric(key), where, sampling, 0.95, **rates, agreement=agreement)


def two_samples(sampling="random"):
    rates = {"tpr": (0.7, 0.8), "fpr": (0.1, 0.05)}
    return TwoSamples(get_metric("f1"), Prevalence.given("1:4"), sampling, 0.95, **rates)


def ends_are_those_of(metric, at, ends):
    """Compare with the interval of each table's matrix, within a hundredth of its width."""
    for column, (tp, fn, fp, tn) in enumerate(TABLES.T):
        whole = interval(metric, ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn), at=at)
        near = 0.01 * (whole.high - whole.low)
        found = ends.low[column], ends.high[column]
        assert found == pytest.approx((whole.low, whole.high), abs=near)


@pytest.mark.parametrize(
    ("key", "sampling", "planned", "at"),
    [*(("f1", *where) for where in WHERE), *((key, *WHERE[-1]) for key in ("mcc", "g_mean"))],
)
@pytest.mark.slow
def test_the_intervals_are_those_of_one_matrix(key, sampling, planned, at):
    ends_are_those_of(get_metric(key), at, one_model(key, sampling, planned).ends(TABLES))


@pytest.mark.parametrize(("sampling", "planned", "at"), WHERE)
@pytest.mark.slow
def test_the_intervals_are_those_of_a_comparison(sampling, planned, at):
    tables = np.array([[6, 1, 3, 2, 3, 2, 5, 40], [31, 0, 0, 9, 0, 10, 0, 200]])
    study = two_models(sampling=sampling, at=planned)
    ends = study.ends(tables.T)
    for column, table in enumerate(tables):
        true = np.repeat([1, 0], [table[:4].sum(), table[4:].sum()])
        first = np.repeat([1, 1, 0, 0] * 2, table)
        second = np.repeat([1, 0, 1, 0] * 2, table)
        comparison = compare(get_metric("f1"), true, first, second, at=at)
        expected = comparison.low, comparison.high
        assert (ends.low[column], ends.high[column]) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("sampling", "class_sizes"), [("random", "sampled"), ("stratified", "fixed")]
)
@pytest.mark.slow
def test_the_intervals_are_those_of_an_explained_change(sampling, class_sizes):
    tables = [[14, 6, 10, 70, 17, 3, 9, 71], [3, 1, 0, 20, 4, 0, 3, 17]]
    ends = two_samples(sampling).ends(np.array(tables).T)
    for column, table in enumerate(tables):
        counts = pd.DataFrame([table[:4], table[4:]], columns=["tp", "fn", "fp", "tn"])
        options = {"metrics": ["f1"], "reference": {"month": "May"}, "class_sizes": class_sizes}
        change = explain_change(counts.assign(month=["May", "June"]), **options)
        part = change.classifier_part_low[0], change.classifier_part_high[0]
        assert (ends.low[column], ends.high[column]) == pytest.approx(part, rel=1e-6)


def test_the_ends_of_an_enriched_change_are_those_at_the_prevalence():
    """Ends at the planned prevalence, with classes of one to four, are those of fixed sizes."""
    table = np.array([[14, 6, 8, 72, 17, 3, 9, 71]]).T
    fixed, enriched = (two_samples(sampling).ends(table) for sampling in ("stratified", "enriched"))
    np.testing.assert_allclose(enriched, fixed, rtol=1e-6)
    twice = np.array([[28, 12, 8, 72, 34, 6, 9, 71]]).T
    assert two_samples("enriched").ends(twice).width < fixed.width


def test_samples_are_drawn_independently_and_with_their_own_rates():
    study = two_samples()
    counts = study.drawn(500, 0.2, 4000, np.random.default_rng(0))
    means = [70, 30, 40, 360, 80, 20, 20, 380]
    assert counts.mean(axis=1) == pytest.approx(means, abs=4 * np.sqrt(500 / 4 / 4000))
    assert study.expected(np.array(100), np.array(400)) == pytest.approx(means)
    positives = counts[0] + counts[1], counts[4] + counts[5]
    assert abs(np.corrcoef(*positives)[0, 1]) < 4 / np.sqrt(4000)


@pytest.mark.parametrize(
    ("agreement", "both", "both_wrong"), [(0.0, 0.48, 0.005), (0.5, 0.54, 0.0275), (1.0, 0.6, 0.05)]
)
def test_answers_agree_as_much_as_is_said(agreement, both, both_wrong):
    study = two_models(agreement, "stratified")
    for counts in (
        study.drawn(500, 0.2, 4000, np.random.default_rng(0)).mean(axis=1),
        study.expected(np.array(100.0), np.array(400.0)),
    ):
        wrong = np.array([both_wrong, 0.1 - both_wrong, 0.05 - both_wrong, 0.85 + both_wrong])
        right = np.array([both, 0.6 - both, 0.8 - both, both - 0.4])
        wanted = [*(100 * right), *(400 * wrong)]
        assert counts == pytest.approx(wanted, abs=4 * np.sqrt(400 / 4 / 4000))


@pytest.mark.slow
def test_a_study_without_positives_has_no_interval():
    ends = one_model(at=0.05).simulated(20, 0.05, 1000, np.random.default_rng(0))
    without = np.isnan(ends.width)
    expected = stats.binom.pmf(0, 20, 0.05)
    assert without.mean() == pytest.approx(expected, abs=4 * np.sqrt(expected / 1000))


@pytest.mark.parametrize("sampling", ["random", "stratified", "enriched"])
def test_only_a_random_sample_leaves_the_class_sizes_to_chance(sampling):
    counts = one_model(sampling=sampling).drawn(100, 0.3, 500, np.random.default_rng(0))
    positives = counts[:2].sum(axis=0)
    assert (counts.sum(axis=0) == 100).all()
    assert positives.std() == (pytest.approx(np.sqrt(21), rel=0.15) if sampling == "random" else 0)
    assert positives.mean() == pytest.approx(30, abs=4 * np.sqrt(21 / 500))


@pytest.mark.filterwarnings("error")
@pytest.mark.slow
def test_every_metric_has_intervals_for_differences():
    random = np.random.default_rng(0)
    for key in METRICS:
        ends = two_models(key=key).simulated(100, 0.2, 20, random)
        assert not np.isnan(ends).any(), key


@pytest.mark.parametrize(
    ("correlation", "variation", "groups"), [(0.3, 0, 26), (0.05, 0, 12), (0.3, 0.9**0.5, 45)]
)
def test_groups_by_the_formula(correlation, variation, groups):
    """The rate is .8 and the width .2; sizes with that variation are geometric, of mean 10."""
    independent = 0.8 * 0.2 * (2 * stats.norm.ppf(0.975) / 0.2) ** 2
    needed = GroupedRows(10, correlation, variation, 1.0).needed(independent, 0.95)
    assert np.ceil(needed) == pytest.approx(groups, abs=1)
    effect = 1 + (10 * (1 + variation**2) - 1) * correlation
    quantile = stats.t.ppf(0.975, needed / (1 + variation**2) - 1)
    variance = 0.16 * effect / (10 * needed)
    assert 2 * quantile * np.sqrt(variance) == pytest.approx(0.2, rel=1e-6)


def test_draws_have_the_sizes_and_correlations_that_are_asked_for():
    random, number = np.random.default_rng(2), 40_000
    groups = GroupedRows(6.5, 0.2, 0.8, 0.4)
    positive = groups.shares(0.3, number, random)
    counts = groups.drawn((np.array([0.7, 0.3]), np.array([0.1, 0.9])), positive, random)
    sizes = counts.sum(axis=(1, 2))
    assert sizes.min() >= 1
    assert sizes.mean() == pytest.approx(6.5, rel=0.02)
    assert sizes.std() / sizes.mean() == pytest.approx(0.8, rel=0.03)

    def correlation(hits, rows):
        """Correlation of two rows of a group, over all pairs."""
        value = hits.sum() / rows.sum()
        # The sum of (x - p)(y - p) over pairs of rows of a group.
        residual = hits - value * rows
        alone = hits * (1 - value) ** 2 + (rows - hits) * value**2
        pairs = (rows * (rows - 1)).sum()
        return float((residual**2 - alone).sum() / pairs / (value * (1 - value)))

    by_class = counts.sum(axis=2)
    assert correlation(by_class[:, 0], sizes) == pytest.approx(0.4, abs=0.02)
    for row, rate in enumerate((0.7, 0.1)):
        hits, rows = counts[:, row, 0], by_class[:, row]
        assert hits.sum() / rows.sum() == pytest.approx(rate, abs=0.01)
        assert correlation(hits, rows) == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize(
    ("correlation", "of_classes"), [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 0.5)]
)
def test_correlations_at_the_edge_are_drawn(correlation, of_classes):
    random = np.random.default_rng(3)
    groups = GroupedRows(5, correlation, 0.0, of_classes)
    probabilities = np.array([0.3, 0.0, 0.7, 0.0]), np.array([0.5, 0.25, 0.25, 0.0])
    counts = groups.drawn(probabilities, groups.shares(0.4, 4000, random), random)
    assert (counts.sum(axis=(1, 2)) == 5).all()
    for row, expected in zip(np.moveaxis(counts, 1, 0), probabilities, strict=True):
        assert row.sum(axis=0) / row.sum() == pytest.approx(expected, abs=0.04)
        assert (np.count_nonzero(row, axis=1).max() == 1) == (correlation == 1)
    assert (counts.sum(axis=2).all(axis=1).any()) == (of_classes < 1)


def test_the_intervals_are_those_of_the_rows():
    groups, random = GroupedRows(4, 0.3, 0.5, 0.2), np.random.default_rng(4)
    where = Prevalence.given("1:4")
    one = OneModel(get_metric("f1"), where, "random", 0.9, tpr=0.8, fpr=0.1, groups=groups)
    rates = {"tpr": (0.6, 0.8), "fpr": (0.1, 0.1), "agreement": 0.0}
    pair = TwoModels(get_metric("f1"), where, "random", 0.9, **rates, groups=groups)
    for study in (one, pair):
        counts = groups.drawn(study.samples[0], groups.shares(0.3, 40, random), random)
        ends = study.ends(counts.sum(axis=0).reshape(-1, 1), [counts])
        group, cls, cell = np.indices(counts.shape).reshape(3, -1)
        names, true, cell = (
            np.repeat(of, counts.ravel().astype(int)) for of in (group, 1 - cls, cell)
        )
        options = {"groups": names, "confidence": 0.9}
        if study is one:
            expected = interval("f1", true, 1 - cell, **options)
        else:
            expected = compare("f1", true, 1 - cell // 2, 1 - cell % 2, **options)
        assert (ends.low[0], ends.high[0]) == pytest.approx((expected.low, expected.high), abs=1e-4)
