"""Classifiers that miss one class."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from skewproof.multiclass.conditions import condition_3
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.missed import MISSED_RECALL, lowest_limit, missed_rates
from skewproof.multiclass.search import Search

QUICK = Search(samples=300, starts=1)


def quadratic_kappa(counts):
    """Compute Cohen's definition in exact arithmetic."""
    places = range(len(counts))
    total = sum(map(sum, counts))
    rows = [sum(row) for row in counts]
    columns = [sum(row[j] for row in counts) for j in places]
    pairs = list(product(places, repeat=2))
    observed = sum((i - j) ** 2 * counts[i][j] for i, j in pairs) / total
    by_chance = sum((i - j) ** 2 * rows[i] * columns[j] for i, j in pairs) / total**2
    return 1 - observed / by_chance


@pytest.mark.slow
def test_quadratic_kappa_fails_condition_3_and_linear_kappa_does_not():
    measure = MEASURES["quadratic_weighted_kappa"]
    found = condition_3(measure, 3, lower_bound=-1, search=QUICK)
    assert not found.satisfied
    worst = found.worst
    exact = [
        [Fraction(share) * Fraction(size) for share in row]
        for row, size in zip(
            missed_rates(worst.missed, worst.goal, worst.lost), worst.sizes, strict=True
        )
    ]
    assert float(quadratic_kappa(exact)) == pytest.approx(found.limit, abs=1e-9)
    other = condition_3(MEASURES["linear_weighted_kappa"], 3, lower_bound=-1, search=QUICK)
    assert other.satisfied


def test_rates_of_a_missed_class_by_hand():
    rates = missed_rates(1, np.array([0.25, 0, 0.75]), MISSED_RECALL)
    np.testing.assert_array_equal(rates[1], [0.25, MISSED_RECALL, 0.75])
    np.testing.assert_array_equal(rates[0], [1, MISSED_RECALL, 0])
    np.testing.assert_array_equal(rates[2], [0, MISSED_RECALL, 1])


@pytest.mark.parametrize("classes", [3, 4])
@pytest.mark.slow
def test_the_lowest_limit_of_maurpc_ova_is_where_the_missed_class_is_spread(classes):
    # The others' recalls are 1 and their precisions 1/(1 + 1/(C - 1)); the missed class's is 1/C.
    precisions = (classes - 1) * Fraction(classes - 1, classes) + Fraction(1, classes)
    expected = (classes - 1 + precisions) / (2 * classes)
    found = lowest_limit(MEASURES["maurpc_ova"], classes, search=QUICK)
    assert found.value == pytest.approx(float(expected), abs=1e-9)
    assert np.count_nonzero(np.isclose(found.goal, 1 / (classes - 1))) == classes - 1


def test_what_takes_no_symbols_keeps_its_double():
    def lowest(matrix):
        return np.min(matrix.recalls, axis=-1) + 0 * np.hypot(matrix.total, 1.0)

    assert lowest_limit(lowest, 3, search=QUICK).value == pytest.approx(0)
