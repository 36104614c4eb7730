"""Parts of a difference, from their definition: orders of exchange, one at a time."""

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from known_values import INVARIANT
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.parts import Change
from skewproof.metrics import METRICS
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.multiclass.lookup import MEASURES
from skewproof.prevalence.prevalence import Prevalence

CAUSES = ("prevalence", "tpr", "fpr", "size")
HERE = Fraction(1, 50), Fraction(3, 4), Fraction(1, 10)
THERE = Fraction(1, 5), Fraction(9, 10), Fraction(1, 20)


def f1_of(prevalence, tpr, fpr):
    tp, fp = prevalence * tpr, (1 - prevalence) * fpr
    return 2 * tp / (2 * tp + fp + prevalence * (1 - tpr))


def counts_of(sizes, *proportions):
    """Return the counts (slices, 2, 2) of slices with a prevalence, tpr and fpr each."""
    prevalence, tpr, fpr = (np.array(shares, dtype=float) for shares in proportions)
    positives, negatives = sizes * prevalence, sizes * (1 - prevalence)
    cells = [positives * tpr, positives * (1 - tpr), negatives * fpr, negatives * (1 - fpr)]
    return np.stack(cells, axis=-1).reshape(-1, 2, 2)


def change_of(key, here, there):
    """Return the change of a metric of two classes between counts, and the observed rates."""
    rows = (
        ClassRows.at(side, Prevalence.given("population"), TWO_CLASSES) for side in (here, there)
    )
    change = Change(of_two_classes(METRICS[key]), *rows, {"tpr": [0], "fpr": [1]})
    return change, (change.proportions.observed, change.proportions.slices)


def test_a_part_is_the_mean_over_the_orders_of_exchange():
    """Change F1 by one cause after the other, in each order, in fractions."""
    steps = {cause: [] for cause in CAUSES[:3]}
    for order in itertools.permutations(range(3)):
        now = list(THERE)
        for position in order:
            before = f1_of(*now)
            now[position] = HERE[position]
            steps[CAUSES[position]].append(f1_of(*now) - before)
    change, observed = change_of("f1", counts_of(1000, *HERE), counts_of(500, *THERE))
    for cause, changes in steps.items():
        part = float(change.part(cause)(*observed)[0])
        assert part == pytest.approx(float(sum(changes) / 6))
        ends = [float(end[0]) for end in change.orders(cause, observed[0])]
        assert ends == pytest.approx([float(min(changes)), float(max(changes))])
    together = float(sum(steps["tpr"] + steps["fpr"]) / 6)
    assert change.part("tpr", "fpr")(*observed)[0] == pytest.approx(together)


@pytest.mark.slow
def test_prevalence_has_no_part_in_what_is_proved_invariant(subtests):
    random = np.random.default_rng(1)
    sides = [
        counts_of(random.uniform(10, 10**6, 200), *random.uniform(0.01, 0.99, (3, 200)))
        for _ in range(2)
    ]
    for key in METRICS:
        with subtests.test(key):
            change, observed = change_of(key, *sides)
            part = change.part("prevalence")(*observed)
            assert (part == 0).all() if key in INVARIANT else np.mean(part != 0) > 0.99
            total = sum(change.part(cause)(*observed) for cause in change.causes)
            difference = change.difference(*observed)
            np.testing.assert_allclose(total, difference, rtol=1e-9, atol=1e-12)


def check_derivatives(change, causes, point, rows):
    """Compare the derivatives of a part with differences around a point."""
    part = change.part(*causes)
    values, slopes = change.gradient(*causes)(point[:, np.newaxis], rows)
    assert values[0] == pytest.approx(part(point, rows), abs=1e-12)
    for dimension in range(len(point)):
        step = 1e-5 * (np.arange(len(point)) == dimension)[:, np.newaxis]
        difference = (part(point + step, rows) - part(point - step, rows)) / 2e-5
        assert slopes[dimension, 0] == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("causes", [("prevalence",), ("tpr",), ("tpr", "fpr"), CAUSES])
@pytest.mark.parametrize("key", ["f1", "laplace"])
def test_derivatives_are_differences(causes, key):
    causes = [cause for cause in causes if cause != "size" or key == "laplace"]
    sides = (
        counts_of(1000, [0.2, 0.6], [0.75, 0.3], [0.1, 0.2]),
        counts_of(500, [0.3, 0.6], [0.5, 0.3], [0.2, 0.4]),
    )
    change, (point, rows) = change_of(key, *sides)
    check_derivatives(change, causes, point, rows)


def test_all_rates_can_be_one_cause():
    """Half of the change of the accuracy, in either order of the two causes, and for 3 classes."""
    here = np.array([[[80.0, 15, 5], [10, 35, 5], [2, 3, 45]]])
    there = np.array([[[400.0, 75, 25], [10, 35, 5], [20, 15, 15]]])
    sides = [ClassRows.at(side, Prevalence.given("population"), range(3)) for side in (here, there)]
    change = Change(MEASURES["accuracy"], *sides, {"classifier": range(3)})
    recalls = [np.diagonal(side[0]) / side[0].sum(axis=1) for side in (here, there)]
    shares = [side[0].sum(axis=1) / side.sum() for side in (here, there)]
    gains = [share @ (recalls[0] - recalls[1]) for share in shares]
    assert change.causes == ("prevalence", "classifier")
    observed = change.proportions.observed, change.proportions.slices
    assert change.part("classifier")(*observed)[0] == pytest.approx(sum(gains) / 2)
    assert change.orders("classifier", observed[0])[0][0] == pytest.approx(min(gains))


@pytest.mark.parametrize("causes", [("prevalence",), ("owl",), ("owl", "others")])
def test_derivatives_are_differences_if_a_class_has_the_rates_of_the_other_side(causes):
    may, june, july = np.array(
        [
            [[70.0, 20, 10], [5, 40, 5], [2, 8, 20]],
            [[70, 20, 10], [5, 44, 1], [0, 0, 0]],
            [[30, 12, 8], [20, 90, 10], [1, 4, 35]],
        ]
    )
    sides = [
        ClassRows.at(np.array(side), Prevalence.given("population"), range(3))
        for side in ((june, may), (july, june))
    ]
    rates = {"owl": [2], "others": [0, 1]}
    change = Change(MEASURES["macro_f1"], *sides, rates, together=("owl", "others"))
    point = np.clip(change.proportions.observed, 0.05, 0.95)
    check_derivatives(change, causes, point, np.arange(2))


@pytest.mark.parametrize("key", ["f1", "laplace"])
def test_causes_together_have_the_part_of_a_single_cause(key):
    sides = counts_of(1000, *HERE), counts_of(500, *THERE)
    change, observed = change_of(key, *sides)
    together = replace(change, together=("tpr", "fpr"))
    single = replace(change, rates={"classifier": [0, 1]})
    parts = [together.part(cause)(*observed)[0] for cause in ("tpr", "fpr")]
    assert sum(parts) == pytest.approx(single.part("classifier")(*observed)[0])
    for cause in {"prevalence", "size"} & set(change.causes):
        expected = single.part(cause)(*observed)
        assert together.part(cause)(*observed) == pytest.approx(expected)
    assert parts[0] != pytest.approx(change.part("tpr")(*observed)[0], rel=1e-4)
