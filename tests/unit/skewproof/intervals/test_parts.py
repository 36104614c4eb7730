"""Parts of a difference, from their definition: orders of exchange, one at a time."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.parts import CAUSES, Change, shapley_weights
from skewproof.metrics import METRICS

HERE, THERE = (
    (Fraction(1, 50), Fraction(3, 4), Fraction(1, 10)),
    (
        Fraction(1, 5),
        Fraction(9, 10),
        Fraction(1, 20),
    ),
)


def f1_of(prevalence, tpr, fpr):
    tp, fp = prevalence * tpr, (1 - prevalence) * fpr
    return 2 * tp / (2 * tp + fp + prevalence * (1 - tpr))


def by_orders(cause):
    """Compute the change of F1 by a cause's exchange in each order, in fractions."""
    steps = []
    for order in itertools.permutations(range(3)):
        now = list(THERE)
        for position in order:
            before = f1_of(*now)
            now[position] = HERE[position]
            if CAUSES[position] == cause:
                steps.append(f1_of(*now) - before)
    return steps


PROPORTIONS = np.array([[float(share)] for share in HERE + THERE])
CHANGE = Change(METRICS["f1"], np.array([1000.0]), np.array([500.0]))
ROWS = np.array([0])


@pytest.mark.parametrize("cause", CAUSES[:3])
def test_a_part_is_the_mean_over_the_orders_of_exchange(cause):
    steps = by_orders(cause)
    assert float(CHANGE.part(cause)(PROPORTIONS, ROWS)[0]) == pytest.approx(float(sum(steps) / 6))
    ends = [float(end[0]) for end in CHANGE.orders(cause, PROPORTIONS)]
    assert ends == pytest.approx([float(min(steps)), float(max(steps))])


def test_parts_sum_to_the_difference():
    parts = [CHANGE.part(cause)(PROPORTIONS, ROWS)[0] for cause in CHANGE.causes]
    expected = float(f1_of(*HERE) - f1_of(*THERE))
    assert sum(parts) == pytest.approx(expected)
    assert CHANGE.difference(PROPORTIONS, ROWS)[0] == pytest.approx(expected)
    assert CHANGE.part("tpr", "fpr")(PROPORTIONS, ROWS)[0] == pytest.approx(sum(parts[1:]))


@pytest.mark.slow
def test_prevalence_has_no_part_in_what_is_proved_invariant(subtests):
    random = np.random.default_rng(1)
    proportions, rows = random.uniform(0.01, 0.99, (6, 200)), np.arange(200)
    sizes = random.uniform(10, 10**6, (2, 200))
    for key, metric in METRICS.items():
        with subtests.test(key):
            change = Change(metric, *sizes)
            part = change.part("prevalence")(proportions, rows)
            assert (part == 0).all() if key in INVARIANT else np.mean(part != 0) > 0.99
            total = sum(change.part(cause)(proportions, rows) for cause in change.causes)
            difference = change.difference(proportions, rows)
            np.testing.assert_allclose(total, difference, rtol=1e-9, atol=1e-12)


def test_the_size_is_a_cause_of_what_is_not_of_shares_alone():
    laplace = Change(METRICS["laplace"], np.array([100.0]), np.array([10.0]))
    same = np.array([[0.5], [0.8], [0.2]] * 2)
    here, there = (
        METRICS["laplace"](ConfusionMatrix.from_rates(0.8, 0.2, positives=n / 2, negatives=n / 2))
        for n in (100, 10)
    )
    assert laplace.causes == CAUSES
    assert laplace.part("size")(same, ROWS)[0] == pytest.approx(float(here - there)) != 0
    assert [laplace.part(cause)(same, ROWS)[0] for cause in CAUSES[:3]] == [0, 0, 0]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_weights_of_a_part_are_of_as_many_orders_as_there_are(number):
    """A cause of everything has the whole difference, and a cause of nothing has no part."""
    causes = CAUSES[:number]
    for cause, other in itertools.permutations(causes, 2):
        weights = shapley_weights(causes, cause)
        assert sum(weight for coalition, weight in weights.items() if cause in coalition) == 1
        of_other = sum(w for coalition, w in weights.items() if other in coalition)
        assert of_other == pytest.approx(0)
