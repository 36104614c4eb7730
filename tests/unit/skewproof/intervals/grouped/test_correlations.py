"""Intraclass correlations by hand, by pairs of rows, and by simulation."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, MulticlassConfusionMatrix
from skewproof.intervals import design_effect, intraclass_correlation
from skewproof.intervals.grouped.correlations import correlation_of


def rows(groups=60, size=8, classes=2, seed=0):
    """Draw true labels, predictions and groups; hits vary between groups."""
    random = np.random.default_rng(seed)
    names = np.repeat(np.arange(groups), random.integers(1, 2 * size, groups))
    true = random.integers(0, classes, len(names))
    right = random.random(len(names)) < random.beta(3, 1, groups)[names]
    return true, np.where(right, true, random.integers(0, classes, len(names))), names


def test_a_one_way_layout_by_hand():
    """Four groups of unequal sizes, with fractions (Donner and Klar 2000)."""
    hits, sizes = [3, 0, 2, 5], [4, 2, 3, 5]
    total, number = sum(sizes), len(sizes)
    mean = Fraction(sum(hits), total)
    between = sum(
        size * (Fraction(hit, size) - mean) ** 2 for hit, size in zip(hits, sizes, strict=True)
    )
    within = sum(hit * (1 - Fraction(hit, size)) for hit, size in zip(hits, sizes, strict=True))
    between, within = between / (number - 1), within / (total - number)
    usual = Fraction(total - Fraction(sum(size**2 for size in sizes), total), number - 1)
    expected = (between - within) / (between + (usual - 1) * within)
    found = correlation_of(np.array(hits, dtype=float), np.array(sizes, dtype=float), 0.95)
    assert found.value == pytest.approx(float(expected), rel=1e-12)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_interval_is_that_of_deleted_groups():
    """The jackknife with loops, for groups that differ so much that it is the wider one."""
    random = np.random.default_rng(1)
    sizes = random.integers(2, 30, 40).astype(float)
    hits = random.binomial(sizes.astype(int), random.beta(0.4, 0.4, 40)).astype(float)

    def ratio(hits, sizes):
        mean, number, total = hits.sum() / sizes.sum(), len(sizes), sizes.sum()
        between = (sizes * (hits / sizes - mean) ** 2).sum() / (number - 1)
        return np.log(between / ((hits * (1 - hits / sizes)).sum() / (total - number)))

    whole = ratio(hits, sizes)
    others = np.array([ratio(np.delete(hits, g), np.delete(sizes, g)) for g in range(40)])
    mixed = min(np.count_nonzero(hits), np.count_nonzero(hits < sizes)) - 1
    error = np.sqrt(39 / 40 * ((others - whole) ** 2).sum()) * stats.t.ppf(0.95, mixed)
    usual = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / 39
    found = correlation_of(hits, sizes, 0.9)
    for end, expected in ((found.low, whole - error), (found.high, whole + error)):
        assert end == pytest.approx(np.expm1(expected) / (np.exp(expected) + usual - 1))


def test_equal_groups_of_normal_values_have_the_exact_interval():
    """The ratio of mean squares that is alike in all groups: only F is wide."""
    hits, sizes = np.tile([3.0, 4.0, 5.0], 10), np.full(30, 8.0)
    means = hits / 8
    between = 8 * ((means - means.mean()) ** 2).sum() / 29
    within = (hits * (1 - means)).sum() / 210
    found = correlation_of(hits, sizes, 0.95)
    limit = between / within / stats.f.ppf(0.025, 29, 210)
    assert found.low == 0
    assert found.high == pytest.approx(max((limit - 1) / (limit + 7), 0))


@pytest.mark.parametrize("classes", [2, 3])
def test_labels_and_their_matrix_agree_in_any_order(classes):
    true, predicted, names = rows(classes=classes)
    kind = ConfusionMatrix if classes == 2 else MulticlassConfusionMatrix
    expected = intraclass_correlation(kind.from_labels(true, predicted, groups=names))
    order = np.random.default_rng(2).permutation(len(true))
    texts = np.array([f"user {name}" for name in names])
    for labels in (names, texts):
        shuffled = intraclass_correlation(true[order], predicted[order], labels[order])
        assert shuffled.to_dict() == expected.to_dict()
    names_of_rates = ["true_positive_rate", "false_positive_rate", "prevalence"]
    if classes == 3:
        names_of_rates = [f"recall of {label}" for label in range(3)]
    assert expected["rate"].tolist() == names_of_rates
    assert (expected["low"] <= expected["value"]).all()
    assert (expected["value"] <= expected["high"]).all()


def test_design_effects_are_those_of_the_correlations():
    true, predicted, names = rows()
    correlations, effects = (
        function(true, predicted, names).set_index("rate")
        for function in (intraclass_correlation, design_effect)
    )
    sizes = np.bincount(names, true == 1)
    larger = (sizes**2).sum() / sizes.sum() - 1
    for column in ("value", "low", "high"):
        expected = 1 + larger * correlations.loc["true_positive_rate", column]
        assert effects.loc["true_positive_rate", column] == pytest.approx(expected)
    assert effects["share"].equals(correlations["share"])


def test_what_is_unknown_is_not_a_number():
    single = intraclass_correlation([1, 1, 0, 0], [1, 0, 0, 1], [1, 2, 3, 4])
    assert single[["value", "low", "high"]].isna().all(axis=None)
    alike = intraclass_correlation([1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 2, 2]).set_index("rate")
    assert np.isnan(alike.loc["true_positive_rate", "value"])
    assert alike.loc["prevalence", ["value", "low", "high"]].tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 0], [1, 0]), "groups = None: expected the label of each row's group"),
        (([1, 0],), "y_true = .* expected labels with y_pred and groups, or a matrix that was"),
        ((ConfusionMatrix(tp=1, fp=2, fn=3, tn=4),), "y_true = .* that was counted with groups"),
        (([1, 0], [1, 0], ["a", "a"]), "groups has the single label a"),
    ],
)
def test_what_has_no_groups_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        intraclass_correlation(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.05, 0.3, 0.8])
def test_intervals_cover(correlation):
    """Rows that take the answer of their group with the square root of the correlation."""
    random, covered = np.random.default_rng(3), []
    for _ in range(400):
        sizes = random.integers(4, 20, 30)
        alike = random.random(30) < 0.75
        common = random.binomial(sizes, np.sqrt(correlation))
        hits = common * alike + random.binomial(sizes - common, 0.75)
        ends = correlation_of(hits.astype(float), sizes.astype(float), 0.95)
        covered.append(ends.low <= correlation <= ends.high)
    # Three standard errors below .95.
    assert np.mean(covered) > 0.95 - 3 * 0.011
