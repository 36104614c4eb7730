"""Places where Mullick et al. contradict themselves, each by hand."""

from fractions import Fraction

import pytest

from skewproof_studies.mullick.discrepancies import (
    discrepancies,
    discrepancy_report,
    ova_area_of_example_1,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def found():
    return discrepancies()


def test_every_discrepancy_is_shown_with_its_place(found):
    assert all(one.shown for one in found)
    report = discrepancy_report(found)
    places = ["Table 2", "Example 1", "Eq. 7", "Theorem 1", "Theorem 2", "Eq. 20", "Eqs. 14 and 25"]
    places += ["Theorem 4: column", "contribution 4", "Eq. 28: start", "Eq. 28: lowest", "5.5"]
    for number, place in enumerate(places, start=1):
        (heading,) = (line for line in report.splitlines() if line.startswith(f"## {number}. "))
        assert place in heading
    corrected = ova_area_of_example_1("0.76")
    assert not corrected.shown
    assert "0 places" in discrepancy_report([corrected])


@pytest.mark.parametrize(
    ("place", "numbers"),
    [
        # nAUROC-OVA at equal sizes: with recall .7 AUROC-OVA is (1 + .7 - .3/2)/2, (6·it - 1)/5.
        ("Table 2", [f"{(6 * (1.7 - 0.15) / 2 - 1) / 5:.4f}"]),
        ("Eq. 7", ["Eq. 7 is 2 times Eq. 5"]),
        ("Theorem 1", [f"{Fraction(1, 3) - Fraction(1, 2)}"]),
        # TP/(2TP) + 1/(1/2) of a perfect classifier.
        ("Theorem 2", ["4 times", f"{1 / 2 + 1 / (1 / 2)}"]),
        ("Theorem 4: column", ["sum 4."]),
        ("lowest value", [f"{11 / 18:.4f}", "0.5 for three"]),
        ("5.5", [f"{3 / 4:.3f} for 3", f"{5 / 8:.3f} for 5", f"{5 / 9:.3f} for 10"]),
    ],
)
def test_numbers_by_hand(found, place, numbers):
    (one,) = (one for one in found if place in one.place)
    for number in numbers:
        assert number in one.printed + one.evidence


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
