"""Areas by counting pairs and by scikit-learn, and gains by correcting simulated rankings."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.metrics import average_precision_score, roc_auc_score

from skewproof_studies.statements.areas import (
    CALIBRATED,
    EASY,
    GROUP_MEAN,
    HIGH_MISTAKE,
    LOW_MISTAKE,
    ONE,
    OTHER,
    PREVALENCES,
    RANKING,
    auc_with_easy_negatives,
    corrected,
    favor,
)


def auroc(ranking):
    """Compute the share of pairs in order."""
    pairs = itertools.combinations(ranking, 2)
    return Fraction(sum(a > b for a, b in pairs), sum(ranking) * (len(ranking) - sum(ranking)))


def ap(ranking):
    """Average the precision at the positives."""
    hits = list(itertools.accumulate(ranking))
    precisions = [
        Fraction(tp, rank)
        for rank, (label, tp) in enumerate(zip(ranking, hits, strict=True), 1)
        if label
    ]
    return sum(precisions) / len(precisions)


def test_areas_of_levels(decision):
    """AUROC by its probability, average precision by a sum over thresholds."""
    thresholds = np.linspace(12, -12, 200001)
    tpr, fpr = norm.sf(thresholds - 2), norm.sf(thresholds)
    area = (np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2).sum()
    balanced = None
    for _, row in decision("auroc_stays").table.iterrows():
        ratio = int(row["level"].removeprefix("1:").replace(",", ""))
        precision = tpr / (tpr + ratio * fpr)
        mean = (np.diff(tpr) * (precision[1:] + precision[:-1]) / 2).sum()
        balanced = mean if balanced is None else balanced
        assert row["AUROC"] == f"{area:.5f}"
        assert row["average precision"] == f"{mean:.3f}"
        assert row["calibrated to 1:1"] == f"{balanced:.3f}"


@pytest.mark.slow
def test_easy_negatives_raise_the_auroc(decision):
    random = np.random.default_rng(0)
    positives = random.normal(2, 1, 100_000)
    for ratio in (1, 10, 100):
        easy = random.random(100_000) < 1 - 1 / ratio
        negatives = random.normal(np.where(easy, EASY, 0))
        labels = np.repeat([1, 0], 100_000)
        found = roc_auc_score(labels, np.concatenate([positives, negatives]))
        assert auc_with_easy_negatives(1 - 1 / ratio) == pytest.approx(found, abs=0.003)
        row = decision("auroc_stays").table.set_index("level").loc[f"1:{ratio}"]
        assert float(row["AUROC, easy negatives added"]) == pytest.approx(found, abs=0.003)


def test_gains_of_adjacent_corrections():
    """All rankings of up to eight instances, and every mistake in them."""
    for size in range(2, 9):
        for ranking in itertools.product((0, 1), repeat=size):
            positives = sum(ranking)
            for rank in range(1, size):
                if ranking[rank - 1 : rank + 1] != (0, 1):
                    continue
                better = corrected(ranking, rank)
                assert better[rank - 1 : rank + 1] == (1, 0)
                above = sum(ranking[: rank + 1])
                assert auroc(better) - auroc(ranking) == Fraction(1, positives * (size - positives))
                gain = Fraction(above, rank * (rank + 1) * positives)
                assert ap(better) - ap(ranking) == gain


@pytest.mark.slow
def test_a_lower_mistake_that_weighs_more(decision):
    gains = []
    for rank in (HIGH_MISTAKE, LOW_MISTAKE):
        better = corrected(RANKING, rank)
        scores = -np.arange(len(RANKING))
        of_ap = average_precision_score(better, scores) - average_precision_score(RANKING, scores)
        gains.append(ap(better) - ap(RANKING))
        assert of_ap == pytest.approx(float(gains[-1]))
    assert gains[1] > gains[0]
    table = decision("weights_of_mistakes").table
    assert (table["gain of AUROC"] == table["1/(PN)"]).all()
    assert (table["gain of AP"] == table["*m*/(*k*(*k* + 1)P)"]).all()


def exchanges_in_own_order(labels, group, one):
    """Return the gains of AP by exchanging neighbors in the order of a group, from the definition.

    The positive takes the negative's rank, and each positive between them has one more above it.
    """
    hits = labels.cumsum()
    ranks = np.arange(1, labels.size + 1)
    share = np.append(0, (labels / ranks).cumsum())
    own = np.flatnonzero(group == one)
    upper, lower = own[:-1], own[1:]
    mistakes = ~labels[upper] & labels[lower]
    upper, lower = upper[mistakes], lower[mistakes]
    between = share[lower] - share[upper + 1]
    moved = (hits[upper] + 1) / ranks[upper] - hits[lower] / ranks[lower]
    return (moved + between) / labels.sum()


def simulated_favor(shift, size, samples, ranking="whole"):
    """Divide the mean gain of AP per mistake within the frequent group by that within the rare one,
    with a standard error by leaving out one sample at a time."""
    random = np.random.default_rng(0)
    total, number = np.zeros((2, samples)), np.zeros((2, samples))
    for sample in range(samples):
        group = (random.random(size) < 0.5).astype(int)
        labels = random.random(size) < np.where(group == 0, *PREVALENCES)
        scores = random.normal(GROUP_MEAN * labels + shift * group)
        order = (-scores).argsort()
        labels, group = labels[order], group[order]
        ranks = np.arange(1, size)
        gains = labels.cumsum()[1:] / (ranks * (ranks + 1) * labels.sum())
        mistakes = ~labels[:-1] & labels[1:] & (group[:-1] == group[1:])
        for one in (0, 1):
            found = gains[mistakes & (group[:-1] == one)]
            if ranking == "own":
                found = exchanges_in_own_order(labels, group, one)
            total[one, sample], number[one, sample] = found.sum(), found.size

    def ratio(total, number):
        frequent, rare = total / number
        return frequent / rare

    whole = [one.sum(axis=1, keepdims=True) for one in (total, number)]
    left_out = ratio(whole[0] - total, whole[1] - number)
    error = np.sqrt((samples - 1) * left_out.var())
    return float(ratio(*whole)[0]), error


@pytest.mark.slow
def test_how_much_a_group_is_favored():
    """Corrections in simulated rankings, within four standard errors."""
    for shift in (CALIBRATED, 0):
        found, error = simulated_favor(shift, 200_000, 30)
        assert abs(found - favor(shift)) < 4 * error
        assert error < favor(shift) / 10
    found, error = simulated_favor(-CALIBRATED, 20_000, 10)
    assert max(found + 4 * error, favor(-CALIBRATED)) < 1
    assert favor(0) == pytest.approx(1, abs=1e-12)


@pytest.mark.slow
def test_the_other_group_is_favored_in_its_own_order():
    """Simulated rankings of three sizes come down to the limit, more than four errors below 1."""
    sizes = {1000: 1000, 10_000: 100, 100_000: 20}
    found = [simulated_favor(CALIBRATED, size, number, "own") for size, number in sizes.items()]
    ratios, errors = zip(*found, strict=True)
    assert list(ratios) == sorted(ratios, reverse=True)
    assert all(1 - ratio > 4 * error for ratio, error in found)
    assert abs(ratios[-1] - favor(CALIBRATED, "own")) < 4 * errors[-1]
    assert errors[-1] < 0.05


def test_calibrated_groups_gain_the_same_in_total_in_their_own_order():
    """The means are inverse to the numbers of mistakes, ∫f₀f₁/(f₀ + f₁), for both areas."""

    def density(t, prevalence):
        first, second = prevalence * norm.pdf(t - GROUP_MEAN), (1 - prevalence) * norm.pdf(t)
        return first * second / (first + second)

    numbers = [quad(density, -12, 12, args=(prevalence,))[0] for prevalence in PREVALENCES]
    for area in ("AP", "AUROC"):
        assert favor(CALIBRATED, "own", area) == pytest.approx(numbers[1] / numbers[0])


def test_the_shift_is_that_of_calibrated_scores():
    """The log odds of being positive are GROUP_MEAN times the shifted score, and one constant."""
    constants = []
    for prevalence, shift in zip(PREVALENCES, (0, CALIBRATED), strict=True):
        score = 0.7  # of the group's own scale
        ratio = norm.pdf(score, GROUP_MEAN) / norm.pdf(score)
        odds = ratio * prevalence / (1 - prevalence)
        constants.append(np.log(odds) - GROUP_MEAN * (score + shift))
    assert constants[0] == pytest.approx(constants[1])


def test_dominance_of_exact_curves(decision):
    """Precisions at the same recalls, of exact rates."""
    table = decision("dominance").table
    for _, row in table.iterrows():
        ratios = [int(level.removeprefix("1:")) for level in row["levels"].split(" and ")]
        alarms = [Fraction(text) for text in row["FPR"].split(" and ")]
        recall = Fraction(row["recall"])
        shown = [recall / (recall + r * v) for r, v in zip(ratios, alarms, strict=True)]
        assert row["precision"] == " and ".join(f"{float(one):.3f}" for one in shown)
        assert alarms[0] < alarms[1]
        higher = "higher" if shown[0] > shown[1] else "lower"
        assert row["precision of the better ROC curve"] == higher
        assert (shown[0] > shown[1]) or ratios[0] != ratios[1]


def disagreeing(size):
    rankings = itertools.product((1, 0), repeat=size)
    areas = [(one, auroc(one), ap(one)) for one in rankings if 0 < sum(one) < size]
    return {
        (one, other)
        for (one, *first), (other, *second) in itertools.product(areas, repeat=2)
        if sum(one) == sum(other) and first[0] > second[0] and first[1] < second[1]
    }


def test_the_smallest_rankings_whose_areas_disagree():
    assert not any(disagreeing(size) for size in (2, 3, 4))
    assert (ONE, OTHER) in disagreeing(5)
