"""Measure how often intervals of expected costs cover, and write ``docs/evidence/expected_cost.md``
and ``docs/images/expected_cost.csv``.

The rates of two models are known. What intervals should cover is the normalized expected cost at
these rates, at the true prevalence and threshold.
"""

from itertools import product

import numpy as np
from draws import Unsure, labels_of_both
from pages import Task

from skewproof import expected_cost

CONFIDENCE = 0.95
REPETITIONS = 400
SEED = 31
SIZES = [(10, 100), (50, 500), (200, 2000)]
"""Numbers of positives and negatives."""

MODELS = {"bold": (0.8, 0.1), "shy": (0.6, 0.01)}
"""True and false positive rate of each model."""

AT = Unsure(share=0.02, sample=1000, belief=(8, 392), ends=(0.005, 0.05))
THRESHOLD = 0.05
CUT_OFF = Unsure(belief=(5, 95), ends=(0.02, 0.2))
KINDS = ("test set", "population", "0.02", "sampled", "believed", "between")
THRESHOLDS = ("stated", "believed", "between")


def cost(rates, share, threshold):
    """Return the cost of misses and false alarms over that of errors alone, by the definition."""
    tpr, fpr = rates
    miss, alarm = share * (1 - threshold), (1 - share) * threshold
    return (miss * (1 - tpr) + alarm * fpr) / (miss + alarm)


def measured(at, threshold, positives, negatives):
    """Return a row for each model of a setting."""
    sizes, kinds = (positives, negatives), (KINDS.index(at), THRESHOLDS.index(threshold))
    random = np.random.default_rng([SEED, *sizes, *kinds])
    covered = {name: [] for name in MODELS}
    widths = {name: [] for name in MODELS}
    for _ in range(REPETITIONS):
        true = labels_of_both(sizes, random, at)
        known, share = at, positives / sum(sizes)
        if at not in ("test set", "population"):
            known, share = AT.drawn(at, random)
        cut = middle = THRESHOLD
        if threshold != "stated":
            cut, middle = CUT_OFF.drawn(threshold, random)
        called = {
            name: (random.random(true.size) < np.where(true == 1, *rates)).astype(int)
            for name, rates in MODELS.items()
        }
        # The draws for the probability of costing least are not measured here.
        given = {"threshold": cut, "at": known, "confidence": CONFIDENCE, "draws": 1}
        found = expected_cost(true, called, **given).set_index("model")
        for name, rates in MODELS.items():
            value = cost(rates, share, middle)
            covered[name].append(found.low[name] <= value <= found.high[name])
            widths[name].append(found.high[name] - found.low[name])
    for name in MODELS:
        row = {"model": name, "covered": np.mean(covered[name]), "width": np.mean(widths[name])}
        yield row | {"repetitions": REPETITIONS}


TABLES = {
    "expected_cost": Task(
        measured,
        ((at, threshold, *sizes) for at, threshold, sizes in product(KINDS, THRESHOLDS, SIZES)),
        "%.5f",
        ("covered",),
        "repetitions",
    )
}


def page(found):
    """Return what the page has beside the constants."""
    return {"found": found}
