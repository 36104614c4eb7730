"""Contradictions in the survey, shown by separate code, and a corrected survey."""

import itertools
from fractions import Fraction
from pathlib import Path

import pytest
from sklearn.metrics import adjusted_rand_score

from skewproof_studies.survey.discrepancies import clusterings_and_rankings
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
