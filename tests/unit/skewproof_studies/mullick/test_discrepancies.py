"""Places where Mullick et al. contradict themselves, each by hand."""

from pathlib import Path

import pytest

from skewproof_studies.mullick.discrepancies import (
    discrepancies,
    discrepancy_report,
    ova_area_of_example_1,
)
from written import check_written

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    return discrepancies()


def test_every_discrepancy_is_shown_with_its_place(found):
    assert all(one.shown for one in found)
    check_written(Path(__file__).with_name("discrepancies.txt"), report=discrepancy_report(found))
    corrected = ova_area_of_example_1("0.76")
    assert not corrected.shown
    assert "0 places" in discrepancy_report([corrected])


def test_the_expression_of_eq_28_by_hand(found):
    (one,) = (one for one in found if "start of the limit" in one.place)
    rates = [[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.3, 0.1, 0.6]]
    for sizes in ([1, 1, 1], [1, 10, 100]):
        printed = defined = 0
        for j in range(3):
            others = [i for i in range(3) if i != j]
            alarms = sum(sizes[i] * rates[i][j] for i in others) / sum(sizes[i] for i in others)
            hit = rates[j][j]
            printed += (hit + hit / (hit + alarms)) / 6
            defined += (hit + hit / (hit + sum(rates[i][j] for i in others))) / 6
        assert f"{printed:.4f}" in one.evidence
        assert f"{defined:.4f}" in one.evidence
