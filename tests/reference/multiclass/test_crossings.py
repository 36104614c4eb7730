"""Crossings of sampled measures, compared with simulations of the definition."""

import numpy as np
import pytest

from skewproof.multiclass.crossings import CrossingSearch, crossings
from skewproof.multiclass.lookup import MEASURES

SEARCH = CrossingSearch(largest=1000, log2_scan=9, log2_samples=12, scrambles=64, seed=3)
CLASSES, PAIRS = 3, 500_000


def cohen_kappa(counts):
    total, rows, columns = counts.sum((1, 2)), counts.sum(2), counts.sum(1)
    observed = np.trace(counts, axis1=1, axis2=2) / total
    chance = (rows * columns).sum(1) / total**2
    return (observed - chance) / (1 - chance)


def mcc(counts):
    total, rows, columns = counts.sum((1, 2)), counts.sum(2), counts.sum(1)
    covariance = np.trace(counts, axis1=1, axis2=2) * total - (rows * columns).sum(1)
    return covariance / np.sqrt((total**2 - (rows**2).sum(1)) * (total**2 - (columns**2).sum(1)))


def precision_and_recall(counts):
    hits = np.diagonal(counts, axis1=1, axis2=2)
    return (hits / counts.sum(1)).mean(1), (hits / counts.sum(2)).mean(1)


def aurpc_ova(counts):
    return np.mean(precision_and_recall(counts), axis=0)


def f1_of_macro_averages(counts):
    precision, recall = precision_and_recall(counts)
    return 2 * precision * recall / (precision + recall)


def simulated_weight(formula, ratio):
    """Simulate the rarest class's weight on a long tail, with its standard error.

    T_i is the mean variance over row i of what all other rows leave: half the mean squared change
    when the row is drawn anew.
    """
    random = np.random.default_rng(5)
    sizes = np.array([1, np.sqrt(ratio), ratio])[:, None]
    rates = random.dirichlet(np.ones(CLASSES), (PAIRS, CLASSES))
    before, changes = formula(rates * sizes), []
    for row in range(CLASSES):
        other = rates.copy()
        other[:, row] = random.dirichlet(np.ones(CLASSES), PAIRS)
        changes.append((formula(other * sizes) - before) ** 2)
    shares = np.array(changes).reshape(CLASSES, 100, -1).mean(axis=2)
    weights = CLASSES * shares[0] / shares.sum(axis=0)
    return weights.mean(), weights.std(ddof=1) / 10


@pytest.mark.parametrize(
    ("formula", "places"),
    [
        (mcc, [(2.81, True)]),
        (cohen_kappa, [(2.69, True)]),
        (aurpc_ova, [(23.1, True), (138, False)]),
        (f1_of_macro_averages, [(15.7, True), (157, False)]),
    ],
)
def test_crossings_on_the_long_tail_of_three_classes(formula, places):
    key = formula.__name__
    found = crossings([MEASURES[key]], CLASSES, "long tail", SEARCH)[key]
    assert len(found) == len(places)
    for crossing, (ratio, falls) in zip(found, places, strict=True):
        assert crossing.falls == falls
        assert crossing.ratio == pytest.approx(ratio, rel=0.01)
        weight, error = simulated_weight(formula, crossing.ratio)
        assert abs(weight - 1 / 2) < 5 * error
        assert error < 0.002
