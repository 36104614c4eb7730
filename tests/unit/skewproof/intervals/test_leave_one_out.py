from fractions import Fraction

import numpy as np
import pytest

from skewproof.intervals.leave_one_out import MeanLoss, Variance


def test_mean_losses_vary_as_means():
    """Welch's interval, for a loss of two classes."""
    random = np.random.default_rng(0)
    positive = np.arange(30) < 10
    losses = random.random(30)
    changes = MeanLoss(positive, losses).at(0.2)
    parts = [Variance.of_rows(changes.rows[of_class]) for of_class in (positive, ~positive)]
    expected = 0.04 * losses[:10].var(ddof=1) / 10 + 0.64 * losses[10:].var(ddof=1) / 20
    assert Variance.total(parts).value == pytest.approx(expected)
    assert [part.freedom for part in parts] == [9, 19]


def test_degrees_of_freedom_are_those_of_satterthwaite():
    total = Variance.total([Variance(1, 4), Variance(2, 9)], known=0.5)
    assert total.value == 3.5
    assert total.freedom == pytest.approx(
        float(Fraction(49, 4) / (Fraction(1, 4) + Fraction(4, 9)))
    )


def test_a_threshold_moves_the_weight_of_the_positives():
    """Both classes count alike at a prevalence equal to the threshold."""
    positive = np.array([True, True, False, False])
    losses = np.array([0.0, 1.0, 0.0, 0.5])
    log_odds = np.log(0.1 / 0.9)
    statistic = MeanLoss(positive, losses, log_odds)
    assert statistic.at(0.1).value == pytest.approx(0.375)
    step = 1e-6
    slope = (statistic.at(0.1 + step).value - statistic.at(0.1 - step).value) / (2 * step)
    assert statistic.at(0.1).slope == pytest.approx(slope)


def test_groups_of_equal_sizes_have_one_degree_of_freedom_less():
    values = np.array([0.1, -0.2, 0.3, -0.2])
    variance = Variance.of_groups(values, np.full((4, 2), 5.0), 0.0)
    assert variance.value == pytest.approx(3 / 4 * 0.18)
    assert variance.freedom == pytest.approx(3)


def test_groups_count_for_no_more_than_their_rows():
    values = np.array([0.1, -0.2, 0.3, -0.2])
    assert Variance.of_groups(values, np.full((4, 2), 5.0), 0.5).value == 0.5
