"""Contradictions in the survey, shown by separate code, and a corrected survey."""

import itertools
from fractions import Fraction
from pathlib import Path

import pytest
from sklearn.metrics import adjusted_rand_score

from skewproof_studies.survey.discrepancies import classification, clusterings_and_rankings
from skewproof_studies.survey.discrepancies.report import discrepancies, discrepancy_report
from written import check_written


@pytest.fixture(scope="module")
def found():
    return {one.place: one for one in discrepancies()}


@pytest.mark.slow
def test_the_numbers_show_each(found):
    assert len(found) == 20
    assert all(one.shown for one in found.values())
    report = discrepancy_report(list(found.values()))
    check_written(Path(__file__).with_name("discrepancies.txt"), report=report)


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
