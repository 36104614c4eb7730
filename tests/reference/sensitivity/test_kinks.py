"""Metrics with kinks beside nested adaptive quadrature that knows no kinks.

An error estimate must be above the error. What the reference itself is unsure of is the distance
of two references with different first intervals, and its tolerance.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import ParsedFormula, unnamed_metric
from skewproof.sensitivity.exact import exact_indices

sys.path.insert(0, str(Path(__file__).parent))
from adaptive_quadrature import moments

RATES = [
    *("tp/P", "tn/N", "fp/N", "tp/(tp+fp)", "tn/(tn+fn)", "2*tp/(2*tp+fp+fn)"),
    *("(tp+tn)/(P+N)", "tp/(tp+fp+fn)", "(tp/P+tn/N)/2"),
]
SIZES = [100.0, 1e3, 1e4, 1e5, 1e7]
CHECKED = 10
"""Cases of each kind."""


def plausible(random):
    """A formula that one might write."""
    a, b, c = (RATES[number] for number in random.integers(len(RATES), size=3))
    cut, factor = round(float(random.uniform(0.05, 0.97)), 3), random.choice([2, 5, 20, 100])
    forms = [
        *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - {b})", f"max({a} - {cut}, 0)"),
        *(f"abs({a} - {cut})", f"min({a}, {cut})", f"max({a} - {cut}, 0) + {b}"),
        *(f"{b}*min({a}, {cut})", f"{c} + abs({a} - {b})", "abs(tp - fp)/(tp + fp)"),
        *(f"{b} + max(0, 1 - {factor}*abs({a} - {cut}))", f"min({a}, {b})*({c})"),
        *(f"min({a}, {b})/max({a}, {b})", f"sqrt({a}*{b}) - abs({a} - {c})"),
    ]
    return forms[random.integers(len(forms))]


def nested(random, depth=3):
    """Minima, maxima, absolute values and squares within each other."""
    if depth == 0 or random.random() < 0.12:
        cut = str(round(float(random.uniform(0.05, 0.95)), 3))
        return RATES[random.integers(len(RATES))] if random.random() < 0.85 else cut
    form, a, b = random.integers(7), nested(random, depth - 1), nested(random, depth - 1)
    forms = [
        *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - {b})", f"({a})*({b})"),
        *(f"({a} + {b})/2", f"max({a} - {b}, 0)", f"({a} - {b})**2"),
    ]
    return forms[form]


def cases(kind, count, seed):
    """Metrics that vary, with the size of the negative class."""
    random = np.random.default_rng(seed)
    u, v = random.random((2, 300))
    found = []
    while len(found) < count:
        text, negatives = kind(random), SIZES[random.integers(len(SIZES))]
        metric = unnamed_metric("own", text, ParsedFormula(text))
        values = function_of(metric, negatives)(u, 1 - u, v, 1 - v)
        if np.ptp(values) > 1e-9:
            found.append((metric, negatives))
    return found


def function_of(metric, negatives):
    def function(u, u_complement, v, v_complement):
        matrix = ConfusionMatrix.from_rates(
            u, v, positives=100.0, negatives=negatives, fnr=u_complement, tnr=v_complement
        )
        return np.broadcast_to(metric(matrix), u.shape)

    return function


def error_and_doubt(found, function):
    """Largest error of indices, mean over deviation and relative variance, and the reference's."""
    quantities, apart = [], []
    for cuts in (14, 19):
        mean, variance, s1, distance = moments(function, cuts=cuts)
        deviation = found.variance[0] ** 0.5
        quantities.append(np.array([*s1, mean / deviation, variance / found.variance[0]]))
        apart.append(distance)
    own = np.array([*found.s1[0], found.mean[0] / found.variance[0] ** 0.5, 1])
    grid = (np.arange(60) + 0.5) / 60
    u, v = (part.ravel() for part in np.meshgrid(grid, grid))
    scale = np.ptp(function(u, 1 - u, v, 1 - v))
    doubt = np.abs(quantities[0] - quantities[1]).max() + max(apart) + 5e-12 * scale / deviation
    return min(np.abs(own - one).max() for one in quantities), doubt


def check(kind, count, seed, least_resolved):
    resolved = 0
    for metric, negatives in cases(kind, count, seed):
        found = exact_indices([metric], positives=100.0, negatives=negatives)
        if np.isnan(found.mean[0]):
            continue
        resolved += 1
        error, doubt = error_and_doubt(found, function_of(metric, negatives))
        claimed = found.index_error[0] + 2 * doubt
        assert error <= claimed, (
            f"{metric.source} at N = {negatives:g}: {error:.1e} > {claimed:.1e}"
        )
    assert resolved >= least_resolved * count


@pytest.mark.parametrize("kind", [plausible, nested])
def test_no_estimate_is_below_the_error(kind):
    check(kind, CHECKED, 31, 0.5)
