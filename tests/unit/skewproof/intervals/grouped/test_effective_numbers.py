"""Worth of groups of rows, by other formulas, by hand, and by simulation."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, MulticlassConfusionMatrix, compare, interval, score
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.grouped.effective_numbers import (
    degrees_of_freedom,
    effective_groups,
    grouped_shares,
)
from skewproof.metrics import METRICS
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

PLACES = ["population", "test set", "1:100", "12/4000", "beta(2, 50)", "0.01..0.1"]


def rows(groups=40, size=15, classes=2, seed=0):
    """Draw true labels, predictions and groups; hits vary between groups."""
    random = np.random.default_rng(seed)
    names = np.repeat(np.arange(groups), size)
    shares = random.dirichlet(np.full(classes, 2.0), groups)
    true = np.array([random.choice(classes, p=shares[name]) for name in names])
    right = random.beta(2, 1, groups)[names]
    predicted = np.where(
        random.random(len(true)) < right, true, random.integers(0, classes, len(true))
    )
    return true, predicted, names


def test_degrees_of_freedom_are_those_of_the_quadratic_form():
    """Twice the squared mean of the variance over its variance, with matrices of all groups."""
    random = np.random.default_rng(1)
    for _ in range(20):
        sizes, correlation = random.integers(1, 40, 12).astype(float), random.random()
        total, number = sizes.sum(), len(sizes)
        residuals = np.eye(number) - np.outer(sizes, np.ones(number)) / total
        variances = np.diag(sizes * (1 + (sizes - 1) * correlation))
        form = np.diag(1 / (total - sizes) ** 2) @ residuals @ variances @ residuals.T
        expected = np.trace(form) ** 2 / np.trace(form @ form)
        assert degrees_of_freedom(sizes, correlation) == pytest.approx(expected, rel=1e-10)


def test_a_design_effect_is_that_of_the_delete_group_jackknife_by_hand():
    """Four groups of unequal sizes, with fractions."""
    hits, sizes = [3, 0, 2, 1], [4, 2, 3, 5]
    total, value = sum(sizes), Fraction(sum(hits), sum(sizes))
    without = [
        Fraction(sum(hits) - hit, total - size) for hit, size in zip(hits, sizes, strict=True)
    ]
    # The jackknife around the value of all groups.
    variance = Fraction(3, 4) * sum((share - value) ** 2 for share in without)
    expected = variance / (value * (1 - value) / (total - 1))
    shares = grouped_shares(np.array([hits]).T, np.array([sizes]).T, 0.95)
    assert shares.design_effect[0] == pytest.approx(max(float(expected), 1))


def test_few_groups_with_a_hit_leave_few_degrees_of_freedom():
    """Three of forty groups of five have two hits, so that there are 2 (3 - 1) degrees."""
    hits = np.repeat([2.0, 0.0], [3, 37])[:, np.newaxis]
    shares = grouped_shares(hits, np.full((40, 1), 5.0), 0.95)
    total, value = 200, Fraction(6, 200)
    squares = 3 * (2 - 5 * value) ** 2 + 37 * (5 * value) ** 2
    effect = Fraction(39, 40) * squares / 195**2 / (value * (1 - value) / (total - 1))
    ratio = stats.t.ppf(0.975, total - 1) / stats.t.ppf(0.975, 4)
    assert shares.effective[0] == pytest.approx(total / float(effect) * ratio**2)
    assert shares.effective[0] > 40  # more than if all rows of a group were alike


# Genders et al., Radiology 265, 2012: counts of coronary artery segments of 50 patients by CT
# angiography (tp, fn, fp, tn), from github.com/KataTam/DiagTestCluster.
ANGIOGRAPHY = """
    1 1 2 9  1 1 0 9  2 1 0 8  0 0 2 14  5 2 2 4  0 1 2 9  1 1 3 10  4 1 4 7  0 1 4 10
    1 1 0 14  0 0 0 14  0 0 0 16  0 4 1 9  0 2 2 10  0 0 0 16  4 3 0 4  3 1 2 9  0 1 2 11
    1 0 2 11  1 0 0 12  1 3 3 5  2 0 2 8  0 3 0 10  1 0 0 14  0 0 0 16  2 0 3 12  1 0 3 10
    0 0 2 12  1 0 2 13  5 0 1 6  0 3 0 11  0 0 0 16  0 1 1 12  0 3 3 11  0 0 3 13  0 0 2 13
    2 0 1 6  0 1 0 14  2 0 2 9  0 0 2 14  0 0 0 13  2 3 1 9  1 2 0 7  2 0 2 8  2 0 1 13
    0 1 4 11  0 0 0 14  1 1 2 10  0 1 1 11  1 0 2 11
"""
PATIENTS = np.array(ANGIOGRAPHY.split(), dtype=float).reshape(-1, 4)

# Weil, Food and Cosmetics Toxicology 8, 1970: pups that lived and litter sizes, as in the table of
# Rao and Scott, Biometrics 48, 1992, and the data `rats` of the R package aod.
LITTERS = {
    "control": (
        [13, 12, 9, 9, 8, 8, 12, 11, 9, 9, 8, 11, 4, 5, 7, 7],
        [13, 12, 9, 9, 8, 8, 13, 12, 10, 10, 9, 13, 5, 7, 10, 10],
    ),
    "treated": (
        [12, 11, 10, 9, 10, 9, 9, 8, 8, 4, 7, 4, 5, 3, 3, 0],
        [12, 11, 10, 9, 11, 10, 10, 9, 9, 5, 9, 7, 10, 6, 10, 7],
    ),
}


def published():
    """Return hits, sizes and published design effects of rates of clustered studies."""
    tp, fn, fp, tn = PATIENTS.T
    # Wald intervals of the ratio estimator in the authors' supplement, in percent.
    for name, hits, misses, ends in (
        ("sensitivity", tp, fn, (41.356309634791, 66.1705720856391)),
        ("specificity", tn, fp, (85.4956238286838, 91.1874631992308)),
    ):
        rows = (hits + misses).sum()
        rate = hits.sum() / rows
        error = (ends[1] - ends[0]) / 2 / 100 / 1.96
        yield pytest.param(hits, hits + misses, error**2 * rows / (rate * (1 - rate)), id=name)
    for name, effect in (("control", 1.232495), ("treated", 3.952861)):
        yield pytest.param(*(np.array(part, float) for part in LITTERS[name]), effect, id=name)


@pytest.mark.parametrize(("hits", "sizes", "effect"), list(published()))
def test_a_design_effect_is_nearly_that_of_published_studies(hits, sizes, effect):
    """They linearize the rate, where each deviation has n in place of n - n_g.

    Their ratio to the jackknife's lies between the ratios for the smallest and the largest group.
    """
    present = sizes > 0
    hits, sizes = hits[present], sizes[present]
    groups, rows = len(sizes), sizes.sum()
    rate = hits.sum() / rows
    linearized = groups / (groups - 1) * ((hits - rate * sizes) ** 2).sum() / rows**2
    assert linearized * rows / (rate * (1 - rate)) == pytest.approx(effect, rel=2e-6)
    shares = grouped_shares(hits[:, np.newaxis], sizes[:, np.newaxis], 0.95)
    factor = (1 - 1 / groups) ** 2 * (1 - 1 / rows)
    low, high = (factor * (rows / (rows - size)) ** 2 for size in (sizes.min(), sizes.max()))
    assert low <= shares.design_effect[0] / effect <= high


def test_groups_without_rows_of_a_share_do_not_count_for_it():
    hits, sizes = np.array([[3.0], [1.0], [2.0]]), np.array([[5.0], [4.0], [4.0]])
    more = [np.concatenate([part, np.zeros((4, 1))]) for part in (hits, sizes)]
    for part, other in zip(
        grouped_shares(hits, sizes, 0.9), grouped_shares(*more, 0.9), strict=True
    ):
        np.testing.assert_allclose(part, other)


def test_effective_groups_by_hand():
    sizes = np.array([[8.0, 5.0, 0.0], [1.0, 5.0, 0.0], [1.0, 0.0, 0.0]])
    assert effective_groups(sizes).tolist() == [pytest.approx(100 / 66), 2.0, 0.0]


@pytest.mark.parametrize("at", PLACES)
@pytest.mark.slow
def test_groups_of_one_row_change_nothing(at):
    true, predicted, _ = rows()
    alone = interval(["f1", "mcc", "precision"], true, predicted, at=at)
    single = interval(
        ["f1", "mcc", "precision"], true, predicted, at=at, groups=np.arange(len(true))
    )
    ends = ["value", "low", "high"]
    assert single[ends].to_numpy().tolist() == alone[ends].to_numpy().tolist()
    assert set(single["grouping"]) == {"600 groups, 600 rows count as 600"}


def test_neither_the_order_of_rows_nor_the_labels_of_groups_matter():
    true, predicted, names = rows()
    expected = interval("f1", true, predicted, groups=names)
    order = np.random.default_rng(4).permutation(len(true))
    texts = np.array([f"patient {name}" for name in names])
    dates = pd.Timestamp("2026-01-01") + pd.to_timedelta(names, unit="D")
    for labels in (names, texts, texts.astype(object), pd.Categorical(texts), dates, names / 4):
        shuffled = interval("f1", true[order], predicted[order], groups=labels[order])
        assert shuffled == expected


@pytest.mark.parametrize(
    ("at", "key"), list(zip(PLACES, ["f1", "mcc", "precision"] * 2, strict=True))
)
def test_groups_of_alike_rows_make_intervals_wider(at, key):
    true, predicted, names = rows()
    alone, grouped = (
        interval(key, true, predicted, at=at, groups=groups) for groups in (None, names)
    )
    assert grouped.low < alone.low < grouped.value == alone.value < alone.high < grouped.high
    assert grouped.grouping.design_effect > 1
    drawn = "were drawn at random" if at == "population" else "are independent"
    assert f"if groups {drawn}" in str(grouped)


def test_correlated_rates_turn_the_ball():
    """If TPR and FPR rise together, their difference is known better than their sum."""
    random = np.random.default_rng(5)
    level = random.beta(4, 4, 200)
    hits, alarms = random.binomial(20, level), random.binomial(20, level)
    matrix = matrix_of_two(
        ConfusionMatrix.from_groups(tp=hits, fn=20 - hits, fp=alarms, tn=20 - alarms)
    )
    built = ClassRows.at(
        matrix.counts[np.newaxis],
        Prevalence.given("test set"),
        TWO_CLASSES,
        by_group=[matrix.by_group],
    )
    difference = of_two_classes(METRICS["balanced_accuracy"])
    ends = built.estimates(difference, radius_of(0.95))
    per_group = (hits / 20 + 1 - alarms / 20) / 2
    error = per_group.std(ddof=1) / np.sqrt(200) * stats.t.ppf(0.975, 199)
    assert ends.high[0] - ends.low[0] == pytest.approx(2 * error, rel=0.02)
    effects = built.design_effects(difference)
    assert effects[0] < 1.5
    assert built.design_effects(of_two_classes(METRICS["true_positive_rate"]))[0] > 2


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.slow
def test_models_are_compared_by_group(classes):
    true, first, names = rows(classes=classes)
    second = np.where(np.random.default_rng(6).random(len(true)) < 0.8, first, true)
    once, turned = (
        compare("accuracy", true, *pair, groups=names)
        for pair in ((first, second), (second, first))
    )
    assert [turned.low, turned.high] == pytest.approx([-once.high, -once.low], abs=1e-9)
    assert turned.grouping.design_effect == pytest.approx(once.grouping.design_effect)
    alone = compare("accuracy", true, first, second)
    assert once.low < alone.low
    single = compare("accuracy", true, first, second, groups=np.arange(len(true)))
    assert (single.low, single.high) == (alone.low, alone.high)


def test_scores_say_what_groups_are_worth():
    true, predicted, names = rows(groups=12)
    frame = score(true, predicted, metrics=["f1", "mcc"], groups=names)
    several = interval(["f1", "mcc"], true, predicted, groups=names)
    assert frame["low"].tolist() == several["low"].tolist()
    for remark, grouping in zip(frame["remark"], several["grouping"], strict=True):
        assert remark.startswith(f"{grouping}. Few groups, worth as many equal ones as: ")


def test_whole_weights_are_rows_of_the_same_group():
    true, predicted, names = rows(groups=20, size=6)
    weights = np.random.default_rng(7).integers(0, 3, len(true))
    weighted = ConfusionMatrix.from_labels(true, predicted, sample_weight=weights, groups=names)
    repeated = ConfusionMatrix.from_labels(
        *(np.repeat(column, weights) for column in (true, predicted)),
        groups=np.repeat(names, weights),
    )
    assert interval("f1", weighted) == interval("f1", repeated)


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ([1, 2, 3], {}, r"groups has the shape \(3,\): expected \(4,\)"),
        (["a", None, "b", "b"], {}, r"groups\[1\] = None: expected a label"),
        ([1, np.nan, 2, 2], {}, r"groups\[1\] = nan: expected a label"),
        (["a"] * 4, {}, "groups has the single label a: expected at least two groups"),
        ([1, 1, 2, 3], {}, "all 2 rows of the class 'positive' are of one group: expected"),
        ([1, 2, 1, 2], {"sample_weight": [0.5, 1, 1, 1]}, "sample_weight has fractions beside gro"),
    ],
)
def test_refused_groups(groups, options, message):
    with pytest.raises(ValueError, match=message):
        interval("f1", [1, 1, 0, 0], [1, 0, 0, 1], groups=groups, **options)


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.05, 0.3])
def test_intervals_cover(correlation):
    """Positives and negatives in 30 groups of ten each; 400 samples."""
    random = np.random.default_rng(8)
    strength = 1 / correlation - 1
    by_group = np.zeros((400, 60, 2, 2))
    for row, (rate, start) in enumerate([(0.8, 0), (0.1, 30)]):
        rates = random.beta(rate * strength, (1 - rate) * strength, (400, 30))
        by_group[:, start : start + 30, row, 0] = random.binomial(10, rates)
        by_group[:, start : start + 30, row, 1] = 10 - by_group[:, start : start + 30, row, 0]
    built = ClassRows.at(
        by_group.sum(axis=1), Prevalence.given("test set"), TWO_CLASSES, by_group=list(by_group)
    )
    ends = built.estimates(of_two_classes(METRICS["f1"]), radius_of(0.95))
    true = 2 * 0.8 / (2 * 0.8 + 0.1 + 0.2)
    # Three standard errors below .95.
    assert np.mean((ends.low <= true) & (true <= ends.high)) > 0.95 - 3 * 0.011


def test_counts_by_group_add_up():
    one = ConfusionMatrix.from_groups(tp=[3, 1], fp=[0, 1], fn=[1, 1], tn=[4, 4])
    for by_group in (one.by_group[:1], one.by_group * 2, one.by_group - 1, one.by_group[:, 0]):
        with pytest.raises(ValueError, match=r"by_group = .* which add up to the matrix"):
            ConfusionMatrix(tp=4, fp=1, fn=2, tn=8, by_group=by_group)
        with pytest.raises(ValueError, match=r"by_group = .* which add up to the matrix"):
            MulticlassConfusionMatrix([[4, 2], [1, 8]], by_group=by_group)
    with pytest.raises(ValueError, match="expected an entry for each of at least two groups"):
        ConfusionMatrix.from_groups(tp=[3], fp=[0], fn=[1], tn=[4])


def test_few_groups_have_a_remark():
    true, first, names = rows(groups=8)
    second = true[::-1]
    for estimate in (
        interval("f1", true, first, groups=names),
        compare("f1", true, first, second, groups=names),
    ):
        assert "below 15 intervals may cover less than stated" in str(estimate)
    assert compare("f1", true, first, second).remark == ""


def test_intervals_are_nearly_those_of_a_published_study():
    """Genders et al. (2012): 41 to 66 and 85 to 91 percent; 44 to 64 if rows were independent."""
    tp, fn, fp, tn = PATIENTS.T
    matrix = ConfusionMatrix.from_groups(tp=tp, fn=fn, fp=fp, tn=tn)
    sensitivity, specificity = (
        interval(key, matrix) for key in ("true_positive_rate", "specificity")
    )
    assert [sensitivity.low, sensitivity.high] == pytest.approx([0.41, 0.66], abs=0.02)
    assert [specificity.low, specificity.high] == pytest.approx([0.85, 0.91], abs=0.01)
