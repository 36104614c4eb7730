"""Measure how often intervals of decision curves cover, at each threshold and at all at once, and
write ``docs/evidence/net_benefit_coverage.md``, ``docs/images/net_benefit_coverage.csv`` and
``docs/images/net_benefit_bands.csv``.

Scores are binormal, and probabilities are the true ones at the prevalence of the sample; they are
adjusted to where the model runs. What intervals should cover is the net benefit, standardized net
benefit and number of avoided interventions of the population, at the rates that the cut-off has
there.
"""

from itertools import product

import numpy as np
from draws import Unsure, holds, labels_of_both
from pages import Task
from scipy.special import expit, logit
from scipy.stats import norm

from skewproof import Prevalence, decision_curve

CONFIDENCE = 0.95
SIZES = [(5, 50), (10, 100), (20, 200), (50, 500), (200, 2000), (20, 2000)]
"""Numbers of positives and negatives."""

DISTANCES = [1.0, 2.0, 3.0]
"""Means of the positives' scores, in standard deviations above the negatives'."""

TIMES = [0.3, 1.0, 3.0]
"""Thresholds, as odds over those of the prevalence."""

MANY_TIMES = np.geomspace(0.1, 10, 20)
"""The thresholds of a band that holds at all of them at once."""

DISTANCE = 2.0
"""The distance for which bands are measured."""

REPETITIONS = 1000
SAMPLE_REPETITIONS = 300
"""Repetitions if each has its own prevalence, which takes longer."""

BAND_REPETITIONS, SAMPLE_BAND_REPETITIONS = 200, 100
"""Repetitions of bands, and those if each has its own prevalence."""

AT = Unsure(share=0.01, sample=2000, belief=(4, 396), ends=(0.003, 0.03))
KINDS = ("test set", "population", "1:10", "1:1000", "sampled", "believed", "between")
ONE_BY_ONE = ("population", "sampled")
QUANTITIES = ("net_benefit", "standardized", "interventions_avoided")


def thresholds_for(kind, share, times):
    """Return thresholds around the prevalence of a kind."""
    there = {
        "test set": share,
        "population": share,
        "sampled": AT.share,
        "believed": AT.believed.share,
        "between": Prevalence.between(*AT.ends).share,
    }
    middle = there[kind] if kind in there else Prevalence.given(kind).share
    return expit(logit(middle) + np.log(times))


def truth(curve, there, share, distance):
    """Return the quantities of the population at the cut-offs of a curve, each in its order."""
    cut = (logit(curve["cutoff"]) - logit(share) + distance**2 / 2) / distance
    tpr, fpr = norm.sf(cut - distance), norm.sf(cut)
    odds = curve["threshold"] / (1 - curve["threshold"])
    benefit = there * tpr - (1 - there) * fpr * odds
    of_all = there - (1 - there) * odds
    return benefit, benefit / there, 100 * (benefit - of_all) / odds


def trials(kind, sizes, distance, *, times, models, repetitions, simultaneous=False):
    """Return intervals of models in each repetition: by quantity the true value, low and high, of
    the shape (3, models, times)."""
    random = np.random.default_rng([*sizes, round(10 * distance), KINDS.index(kind), simultaneous])
    share = sizes[0] / sum(sizes)
    thresholds = thresholds_for(kind, share, times)
    for _ in range(repetitions):
        true = labels_of_both(sizes, random, kind)
        at, there = kind, np.full(models, share)
        if kind not in ("test set", "population"):
            at, there = AT.drawn(kind, random, models)
        scores = random.normal(distance * true, size=(models, true.size))
        p = expit(distance * scores - distance**2 / 2 + logit(share))
        given = {"at": at, "thresholds": thresholds, "trained": Prevalence.given(share)}
        given |= {"confidence": CONFIDENCE, "simultaneous": simultaneous}
        curve = decision_curve(true, dict(enumerate(p)), **given).dropna()
        values = truth(curve, np.repeat(there, len(times)), share, distance)
        yield {
            name: np.reshape([value, curve[f"{name}_low"], curve[f"{name}_high"]], (3, models, -1))
            for name, value in zip(QUANTITIES, values, strict=True)
        }


def repeated(at, repetitions, of_samples):
    """Return the numbers of models and of repetitions: one prevalence for each, or one for all."""
    if at in ONE_BY_ONE:
        return {"models": 1, "repetitions": of_samples}
    return {"models": repetitions, "repetitions": 1}


def held(found, name):
    """Return whether the intervals of a quantity cover, of the shape (repetitions, times)."""
    true, low, high = np.concatenate([one[name] for one in found], axis=1)
    return holds(low, high, true)


def measured(at, positives, negatives, distance):
    """Return a row for each quantity and threshold of a setting."""
    options = {"times": TIMES} | repeated(at, REPETITIONS, SAMPLE_REPETITIONS)
    found = list(trials(at, (positives, negatives), distance, **options))
    for name in QUANTITIES:
        covered = held(found, name)
        for place, times in enumerate(TIMES):
            row = {"odds": times, "quantity": name, "covered": covered[:, place].mean()}
            yield row | {"repetitions": len(covered)}


def of_bands(at, positives, negatives):
    """Return a row for each quantity: how often bands hold at all thresholds, and those that hold
    at each, and how wide they are beside these."""
    options = {"times": MANY_TIMES} | repeated(at, BAND_REPETITIONS, SAMPLE_BAND_REPETITIONS)
    together, each = (
        list(trials(at, (positives, negatives), DISTANCE, **options, simultaneous=simultaneous))
        for simultaneous in (True, False)
    )
    for name in QUANTITIES:
        widths = [
            np.mean([one[name][2] - one[name][1] for one in found]) for found in (together, each)
        ]
        covered = held(together, name).all(axis=1)
        yield {
            "quantity": name,
            "covered": covered.mean(),
            "covered_by_intervals": held(each, name).all(axis=1).mean(),
            "times_as_wide": widths[0] / widths[1],
            "repetitions": len(covered),
        }


TABLES = {
    "net_benefit_coverage": Task(
        measured,
        ((at, *sizes, distance) for at, sizes, distance in product(KINDS, SIZES, DISTANCES)),
        "%.5f",
        ("covered",),
        "repetitions",
    ),
    "net_benefit_bands": Task(
        of_bands,
        ((at, *sizes) for at, sizes in product(KINDS, SIZES)),
        "%.5f",
        ("covered", "covered_by_intervals"),
        "repetitions",
    ),
}


def page(found, bands):
    """Return what the page has beside the constants."""
    return {"found": found, "bands": bands}
