"""Plans for rows in groups, against printed formulas and simulations of their own."""

import re

import numpy as np
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, compare, interval, plan
from skewproof.metrics import get_metric
from skewproof.planning.grouped_rows import GroupedRows
from skewproof.planning.simulated_studies import OneModel, TwoModels
from skewproof.prevalence.prevalence import Prevalence

RECALL = {"tpr": 0.8, "fpr": 0.1, "at": 0.5, "width": 0.2, "sampling": "enriched"}
GROUPS = {"rows_per_group": 10, "intraclass_correlation": 0.3}


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


@pytest.mark.slow
def test_a_mean_width_takes_about_as_many_groups_as_the_formula():
    study = plan("true_positive_rate", **RECALL, **GROUPS, assurance=None)
    assert study.negatives == 20
    assert study.positives / 10 == pytest.approx(26, abs=2)
    assert study.groups == study.total / 10
    assert 0.19 < study.mean_width <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.05, 0.3])
def test_studies_of_the_planned_size_are_as_narrow_as_was_said(correlation):
    """Common causes of a whole group in place of a beta distribution of its rate."""
    options = {"rows_per_group": 10, "intraclass_correlation": correlation}
    study = plan("true_positive_rate", **RECALL, **options)
    random, widths, covered = np.random.default_rng(1), [], []
    groups = study.positives // 10
    for _ in range(100):
        common = random.random((groups, 10)) < np.sqrt(correlation)
        alike = random.random((groups, 1)) < 0.8
        hits = np.where(common, alike, random.random((groups, 10)) < 0.8).sum(axis=1)
        none = [0, 0]
        matrix = ConfusionMatrix.from_groups(
            tp=[*hits, *none], fn=[*(10 - hits), *none], fp=[0] * groups + [1, 1],
            tn=[0] * groups + [9, 9],
        )  # fmt: skip
        ends = interval("true_positive_rate", matrix, at=0.5)
        widths.append(ends.high - ends.low)
        covered.append(ends.low <= 0.8 <= ends.high)
    assert np.mean(np.array(widths) <= 0.2) > 0.8
    assert np.mean(widths) == pytest.approx(study.mean_width, rel=0.1)
    assert np.mean(covered) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 100)


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


@pytest.mark.slow
def test_a_comparison_in_groups(monkeypatch):
    for number in ("SEARCHED", "CHECKED"):
        monkeypatch.setattr(f"skewproof.planning.study_size.{number}", 400)
    models = {"tpr": (0.6, 0.9), "fpr": 0.1, "at": 0.5, "power": 0.8}
    study = plan("accuracy", **models, **GROUPS)
    assert study.achieved >= 0.8
    assert f"instances in {study.groups} groups of 10, each of one class," in study.sentence
    assert 'compare(..., groups=..., at="population")' in study.sentence
    fewer = models | {"total": study.total}
    assert plan("accuracy", **fewer).achieved > study.achieved + 0.05
    spread = plan("accuracy", **fewer, **GROUPS, class_correlation=0)
    assert spread.achieved > study.achieved + 0.05
    assert repr(study).startswith(f"{study.total:,} instances in {study.groups:,} groups")


CHANGE = {"width": None, "power": 0.8, "samples": "separate", "tpr": (0.7, 0.8)}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rows_per_group": 1}, "rows_per_group = 1: expected a finite number above 1"),
        ({"rows_per_group": None}, "intraclass_correlation = 0.3: expected None without rows_per"),
        ({"intraclass_correlation": None}, "intraclass_correlation = None: expected a number from"),
        ({"intraclass_correlation": 2}, "intraclass_correlation = 2: expected a number from 0 to"),
        ({"size_variation": -1}, "size_variation = -1: expected a number from 0 to 5"),
        ({"class_correlation": 0.5}, "class_correlation = 0.5: expected 1 for groups that are dra"),
        ({"total": 30}, "total = 30: expected 4 to 20,000 groups of 10 rows"),
        ({"width": 0.001}, "width = 0.001: more than 20,000 groups are needed: expected at least"),
        (CHANGE, "rows_per_group = 10: expected None for separate samples, whose comparison by g"),
    ],
)
@pytest.mark.slow
def test_groups_that_are_not_planned(changed, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}.{{,80}}$"):
        plan("true_positive_rate", **RECALL | GROUPS | changed)
