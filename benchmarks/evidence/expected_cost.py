"""Measure how often intervals of expected costs cover, and write ``docs/evidence/expected_cost.md``
and ``docs/images/expected_cost.csv``.

The rates of two models are known. What intervals should cover is the normalized expected cost at
these rates, at the true prevalence and threshold.
"""

from itertools import product

import numpy as np
import pandas as pd
from net_benefit_coverage import summed
from pages import standard_error, write_page, write_table

from skewproof import Prevalence, expected_cost

CONFIDENCE = 0.95
REPETITIONS = 400
SEED = 31
SIZES = [(10, 100), (50, 500), (200, 2000)]
"""Numbers of positives and negatives."""

MODELS = {"bold": (0.8, 0.1), "shy": (0.6, 0.01)}
"""True and false positive rate of each model."""

SHARE, SAMPLE = 0.02, 1000
"""A prevalence, and the size of a sample that estimates it."""

BELIEF = (8, 392)
RANGE = (0.005, 0.05)
THRESHOLD = 0.05
THRESHOLD_BELIEF = (5, 95)
THRESHOLD_RANGE = (0.02, 0.2)
KINDS = ("test set", "population", "0.02", "sampled", "believed", "between")
THRESHOLDS = ("stated", "believed", "between")


def known(kind, share, random):
    """Draw what is known of the prevalence, and its true value."""
    if kind == "sampled":
        return Prevalence.sampled(int(random.binomial(SAMPLE, SHARE)), SAMPLE), SHARE
    if kind == "believed":
        return Prevalence.believed(*BELIEF), random.beta(*BELIEF)
    if kind == "between":
        return Prevalence.between(*RANGE), random.choice(RANGE)
    return kind, share if kind in ("test set", "population") else float(kind)


def threshold_of(kind, random):
    """Draw what is known of the threshold, and its true value."""
    if kind == "believed":
        return Prevalence.believed(*THRESHOLD_BELIEF), random.beta(*THRESHOLD_BELIEF)
    if kind == "between":
        return Prevalence.between(*THRESHOLD_RANGE), random.choice(THRESHOLD_RANGE)
    return THRESHOLD, THRESHOLD


def labels_of(kind, sizes, random):
    """Draw the labels of a sample: of these sizes, or a random sample of as many instances."""
    true = np.repeat([1, 0], sizes)
    while kind == "population":
        true = (random.random(sum(sizes)) < sizes[0] / sum(sizes)).astype(int)
        if 0 < true.sum() < true.size:
            break
    return true


def cost(rates, share, threshold):
    """Return the cost of misses and false alarms over that of errors alone, by the definition."""
    tpr, fpr = rates
    miss, alarm = share * (1 - threshold), (1 - share) * threshold
    return (miss * (1 - tpr) + alarm * fpr) / (miss + alarm)


def measured(kind, threshold_kind, sizes):
    """Return a row for each model of a setting."""
    kinds = KINDS.index(kind), THRESHOLDS.index(threshold_kind)
    random = np.random.default_rng([SEED, *sizes, *kinds])
    covered = {name: [] for name in MODELS}
    widths = {name: [] for name in MODELS}
    for _ in range(REPETITIONS):
        true = labels_of(kind, sizes, random)
        at, share = known(kind, sizes[0] / sum(sizes), random)
        threshold, middle = threshold_of(threshold_kind, random)
        called = {
            name: (random.random(true.size) < np.where(true == 1, *rates)).astype(int)
            for name, rates in MODELS.items()
        }
        # The draws for the probability of costing least are not measured here.
        given = {"threshold": threshold, "at": at, "confidence": CONFIDENCE, "draws": 1}
        found = expected_cost(true, called, **given).set_index("model")
        for name, rates in MODELS.items():
            value = cost(rates, share, middle)
            covered[name].append(found.low[name] <= value <= found.high[name])
            widths[name].append(found.high[name] - found.low[name])
    for name in MODELS:
        yield {
            "at": kind,
            "threshold": threshold_kind,
            "positives": sizes[0],
            "negatives": sizes[1],
            "model": name,
            "covered": np.mean(covered[name]),
            "width": np.mean(widths[name]),
            "repetitions": REPETITIONS,
        }


def measure():
    """Return the rows of all settings, which takes some minutes."""
    rows = []
    for setting in product(KINDS, THRESHOLDS, SIZES):
        rows += measured(*setting)
        print(*setting, rows[-1]["covered"], flush=True)
    return pd.DataFrame(rows)


def main():
    found = measure()
    write_table("expected_cost", found)
    write(found)


def write(found):
    """Write the page of measured rows."""
    write_page(
        "expected_cost",
        confidence=CONFIDENCE,
        sizes=", ".join("{}:{}".format(*one) for one in SIZES),
        models=" and ".join(f"TPR {tpr:g}, FPR {fpr:g}" for tpr, fpr in MODELS.values()),
        settings=len(found),
        least=found["covered"].min(),
        mean=found["covered"].mean(),
        repetitions=REPETITIONS,
        error=standard_error(CONFIDENCE, REPETITIONS),
        sample=SAMPLE,
        share=SHARE,
        belief=Prevalence.believed(*BELIEF),
        range=" to ".join(map(str, RANGE)),
        threshold=THRESHOLD,
        threshold_belief=Prevalence.believed(*THRESHOLD_BELIEF),
        threshold_range=" to ".join(map(str, THRESHOLD_RANGE)),
        by_kind=summed(found, "at"),
        by_threshold=summed(found, "threshold"),
        by_positives=summed(found, "positives"),
    )


if __name__ == "__main__":
    main()
