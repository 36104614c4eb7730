"""Random formulas with kinks, plausible and implausible ones."""

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import ParsedFormula, unnamed_metric

POSITIVES = 100.0

RATES = [
    *("tp/P", "tn/N", "fp/N", "tp/(tp+fp)", "tn/(tn+fn)", "2*tp/(2*tp+fp+fn)"),
    *("(tp+tn)/(P+N)", "tp/(tp+fp+fn)", "(tp/P+tn/N)/2"),
]
SIZES = [100.0, 1e3, 1e4, 1e5, 1e7]
"""Sizes of the negative class."""


def plausible(random):
    """Draw a formula that a user might write."""
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
    """Draw nested minima, maxima, absolute values and squares."""
    if depth == 0 or random.random() < 0.12:
        cut = str(round(float(random.uniform(0.05, 0.95)), 3))
        return RATES[random.integers(len(RATES))] if random.random() < 0.85 else cut
    form, a, b = random.integers(7), nested(random, depth - 1), nested(random, depth - 1)
    forms = [
        *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a} - {b})", f"({a})*({b})"),
        *(f"({a} + {b})/2", f"max({a} - {b}, 0)", f"({a} - {b})**2"),
    ]
    return forms[form]


def kinked(text):
    """Return whether a formula has any operation with a kink."""
    return any(name in text for name in ("min", "max", "abs"))


def cases(kind, count, seed):
    """Draw formulas with kinks that vary, with the size of the negative class."""
    random = np.random.default_rng(seed)
    u, v = random.random((2, 300))
    found = []
    while len(found) < count:
        text, negatives = kind(random), SIZES[random.integers(len(SIZES))]
        values = function_of(metric_of(text), negatives)(u, 1 - u, v, 1 - v)
        if kinked(text) and np.ptp(values) > 1e-9:
            found.append((text, negatives))
    return found


def metric_of(text):
    return unnamed_metric("own", text, ParsedFormula(text))


def function_of(metric, negatives):
    """Convert a metric to a function of both rates and their complements, all of one shape."""

    def function(u, u_complement, v, v_complement):
        matrix = ConfusionMatrix.from_rates(
            u, v, positives=POSITIVES, negatives=negatives, fnr=u_complement, tnr=v_complement
        )
        return np.broadcast_to(metric(matrix), u.shape)

    return function
