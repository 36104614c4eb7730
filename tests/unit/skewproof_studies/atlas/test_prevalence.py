import pytest

from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof_studies.atlas.prevalence import COLUMNS, measure_rows

pytestmark = pytest.mark.slow

BALANCED, RARE = Level(1, 1), Level(1, 9)


def rows(metric):
    found = measure_rows(metric, [BALANCED, RARE], BALANCED, 100, seed=1)
    assert all(list(row) == COLUMNS for row in found)
    assert [row["level"] for row in found] == ["1:1", "1:9"]
    return found


def test_a_measure_that_prevalence_moves():
    at_baseline, rare = rows(METRICS["precision"])
    assert (at_baseline["verdict"], at_baseline["mean_shift"]) == (None, 0)
    assert (rare["verdict"], rare["order_invariant"], rare["type"]) == ("differs", "yes", "1")
    expected = exact_indices([METRICS["precision"]], positives=1, negatives=9).s1[0]
    assert [rare["s1_tp"], rare["s1_fp"]] == pytest.approx(expected, abs=1e-10)
    assert rare["reason"] == ""


def test_the_shift_of_accuracy_by_hand():
    """It is |(1 - v) - u|·(9/10 - 1/2), and the mean of |1 - v - u| is 1/3."""
    *_, rare = rows(METRICS["accuracy"])
    assert rare["mean_shift"] == pytest.approx(0.4 / 3)
    assert rare["mean_shift_error"] < 1e-6
    assert rare["order_invariant"] == "no"
    assert rare["evidence"] == "5/8 and 29/40 at u = 1/2, v = 1/4"


def test_a_measure_of_the_rates_alone():
    at_baseline, rare = rows(METRICS["youden_j"])
    assert (rare["verdict"], rare["evidence"], rare["type"]) == ("same", "u - v", "5")
    assert rare["mean_shift"] == 0
    assert rare["s1_tp"] == at_baseline["s1_tp"] == pytest.approx(0.5)


def test_a_measure_without_numbers_says_why_and_long_ones_are_given_by_their_digits():
    for formula in ("P/(tp - fp)", "sqrt(tp - fp)"):
        for row in rows(parse_metric(formula)):
            assert "is undefined inside the square" in row["reason"]
            assert row["mean_shift"] is row["s1_tp"] is row["type"] is None
    roots = " + ".join(f"sqrt({number}*tp/(P + N))" for number in range(2, 9))
    *_, rare = rows(parse_metric(roots))
    assert rare["verdict"] == "differs"
    assert len(rare["evidence"]) < 100
