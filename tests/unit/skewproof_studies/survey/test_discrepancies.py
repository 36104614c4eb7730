"""Contradictions in the survey, shown by separate code, and a corrected survey."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, cohen_kappa_score, f1_score, matthews_corrcoef

from skewproof_studies.survey.discrepancies import classification, clusterings_and_rankings
from skewproof_studies.survey.discrepancies.report import discrepancies


@pytest.fixture(scope="module")
def found():
    return {one.place: one for one in discrepancies()}


@pytest.mark.slow
def test_the_numbers_show_each(found):
    assert len(found) == 20
    assert all(one.shown for one in found.values())


def labels(tp, fn, fp, tn):
    return np.repeat([1, 1, 0, 0], [tp, fn, fp, tn]), np.repeat([1, 0, 1, 0], [tp, fn, fp, tn])


@pytest.mark.slow
def test_numbers_of_two_classes_by_hand(found):
    rows = found["Section 2.1: rows and columns of the confusion matrix"].evidence
    assert f"gives {float(Fraction(9, 12)):.3f}; precision is {float(Fraction(9, 13)):.3f}" in rows
    words = found["Section 2.3: balanced accuracy in words"].evidence
    described = (Fraction(9, 12) + Fraction(9, 13)) / 2
    balanced = (Fraction(9, 12) + Fraction(20, 24)) / 2
    assert f"the words give {float(described):.3f} and Eq. 12 {float(balanced):.3f}" in words
    kappa = cohen_kappa_score(*labels(9, 3, 4, 20))
    kappa_n = (Fraction(29, 36) - Fraction(1, 2)) / Fraction(1, 2)
    assert f"κ_n is {float(kappa_n):.3f} and κ {kappa:.3f}" in found["Eq. 22: κ_n"].evidence
    # 1000 positives and a million negatives, with TPR 0.9 and FPR 0.01.
    tp, fp = 900, 10_000
    evidence = found["Section 2.3: likelihood ratios in words"].evidence
    assert f"LR+ = {Fraction(tp, 1000) / Fraction(fp, 10**6)}." in evidence
    assert f"with odds of {tp / fp:g}: it is {round(Fraction(fp, tp))} times" in evidence
    # p c(FP) + (1 - p) c(FN) with p = 0.2 and costs of 1 and 3.
    loss = "L of Eq. 18 is 2.6, the largest possible value, and the loss is 0. The H-measure is 1."
    assert loss in found["Eq. 18: the H-measure"].evidence


@pytest.mark.slow
def test_numbers_of_drawn_up_labels(found):
    evidence = found["Section 2.3: MCC and AUC-PR under severe imbalance"].evidence
    for ratio in (1, 1000):
        value = matthews_corrcoef(*labels(90, 10, 10 * ratio, 90 * ratio))
        assert f"{value:.3f} at 1:{ratio}" in evidence
    assert f"{90 / (90 + 10_000):.4f}" in evidence
    true, predicted = np.repeat([0, 1], [990, 10]), np.zeros(1000, dtype=int)
    micro = f1_score(true, predicted, average="micro")
    assert f"the micro F-beta {micro:g};" in found["Section 2.2: micro F-beta"].evidence


def test_true_negative_rates_of_three_classes_by_hand(found):
    """Recalls are 0.6, 0.9, 0.9; the true negative rates follow from who is sent where."""
    evidence = found["Eq. 21: balanced accuracy of many classes"].evidence
    for sizes in ((1, 1, 1), (1, 1000, 1000), (1000, 1, 1)):
        first, second, third = (Fraction(size) for size in sizes)
        specificities = [
            Fraction(1),
            1 - (first * Fraction(4, 10) + third * Fraction(1, 10)) / (first + third),
            1 - second * Fraction(1, 10) / (first + second),
        ]
        value = (Fraction(24, 10) + sum(specificities)) / 6
        assert f"{float(value):.3f} for" in evidence


def test_every_clustering_once():
    """Bell numbers."""
    known = {n: list(clusterings_and_rankings._clusterings(n)) for n in range(1, 7)}
    assert [len(set(known[n])) for n in known] == [1, 2, 5, 15, 52, 203]
    assert [len(known[n]) for n in known] == [1, 2, 5, 15, 52, 203]


@pytest.mark.slow
@pytest.mark.parametrize("instances", [3, 4])
def test_the_least_adjusted_rand_index_by_counting_pairs(instances):
    known = list(clusterings_and_rankings._clusterings(instances))
    pairs = list(itertools.combinations(range(instances), 2))
    least = Fraction(1)
    for one, other in itertools.combinations(known, 2):
        in_one = [one[i] == one[j] for i, j in pairs]
        in_other = [other[i] == other[j] for i, j in pairs]
        both = sum(a and b for a, b in zip(in_one, in_other, strict=True))
        expected = Fraction(sum(in_one) * sum(in_other), len(pairs))
        value = (both - expected) / (Fraction(sum(in_one) + sum(in_other), 2) - expected)
        assert float(value) == pytest.approx(adjusted_rand_score(one, other))
        least = min(least, value)
    assert clusterings_and_rankings.least_adjusted_rand(instances) == float(least)


def test_numbers_of_rankings_by_hand(found):
    """Five relevant items first: P@k is 1 up to 5, and then 5/6, 5/7, ..., 5/10."""
    value = (5 + sum(Fraction(5, k) for k in range(6, 11))) / 10
    assert f"has {float(value):.3f} by Eq. 33" in found["Eq. 33: average precision@k"].evidence
    harmonic = math.fsum(1 / k for k in range(1, 11)) / 10
    assert f"from {harmonic:.3f} to 0.010" in found["Section 4: the ranks in AP@k"].evidence


def test_a_survey_that_were_right_has_no_discrepancy(monkeypatch):
    """It has the usual average precision in Eq. 33, no class sizes in MCC, the range [-1/2, 1]."""
    module = clusterings_and_rankings
    monkeypatch.setattr(module, "average_precision_at_k", lambda *args, k: 1.0)
    assert not module.average_precision().shown
    assert not module.ranks_of_average_precision().shown
    monkeypatch.setattr(module, "adjusted_rand_score", lambda one, other: -1.0)
    assert not module.range_of_adjusted_rand().shown
    monkeypatch.setattr(module, "fowlkes_mallows", lambda one, other: 0.0)
    assert not module.unrelated_clusterings().shown
    monkeypatch.setattr(module, "reciprocal_rank", lambda relevance, scores: sum(relevance))
    assert not module.first_relevant_item().shown
    constant = dict.fromkeys(
        ("mcc", "precision", "true_positive_rate", "balanced_accuracy"), lambda matrix: 0.5
    )
    monkeypatch.setattr(classification, "METRICS", constant)
    assert not classification.mcc_under_imbalance().shown
    assert not classification.balanced_accuracy_in_words().shown
    measures = dict.fromkeys(("auroc_ova", "kappa_n", "cohen_kappa", "acsa", "accuracy"))
    measures = dict.fromkeys(measures, lambda matrix: 0.5)
    monkeypatch.setattr(classification, "MEASURES", measures)
    assert not classification.balanced_accuracy_of_many_classes().shown
    assert not classification.kappa_n_is_not_general().shown
    assert not classification.micro_average().shown
    monkeypatch.setattr(classification, "area", lambda kind, labels, scores: 0.0)
    assert not classification.h_measure_as_printed().shown
