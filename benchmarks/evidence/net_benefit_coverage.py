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
import pandas as pd
from pages import standard_error, write_page, write_table
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
OF_SAMPLES = 300
"""Repetitions if each has its own prevalence, which takes longer."""

BANDS, BANDS_OF_SAMPLES = 200, 100
"""Repetitions of bands, and those if each has its own prevalence."""

SAMPLE = 2000
"""Size of the sample that estimates a prevalence."""

SHARE = 0.01
BELIEF = (4, 396)
RANGE = (0.003, 0.03)
KINDS = ("test set", "population", "1:10", "1:1000", "sampled", "believed", "between")
ONE_BY_ONE = ("population", "sampled")
QUANTITIES = ("net_benefit", "standardized", "interventions_avoided")


def known(kind, share, random, models):
    """Draw what is known of the prevalence, and its true value for each of some models."""
    if kind in ("test set", "population"):
        return kind, np.full(models, share)
    if kind == "sampled":
        at = Prevalence.sampled(int(random.binomial(SAMPLE, SHARE)), SAMPLE)
        return at, np.full(models, SHARE)
    if kind == "believed":
        return Prevalence.believed(*BELIEF), random.beta(*BELIEF, models)
    if kind == "between":
        return Prevalence.between(*RANGE), random.choice(RANGE, models)
    return kind, np.full(models, Prevalence.given(kind).share)


def thresholds_for(kind, share, times):
    """Return thresholds around the prevalence of a kind."""
    there = {
        "test set": share,
        "population": share,
        "sampled": SHARE,
        "believed": Prevalence.believed(*BELIEF).share,
        "between": Prevalence.between(*RANGE).share,
    }
    middle = there[kind] if kind in there else Prevalence.given(kind).share
    return expit(logit(middle) + np.log(times))


def labels_of(kind, sizes, random):
    """Draw the labels of a sample: of these sizes, or a random sample of as many instances."""
    true = np.repeat([1, 0], sizes)
    while kind == "population":
        true = (random.random(sum(sizes)) < sizes[0] / sum(sizes)).astype(int)
        if 0 < true.sum() < true.size:
            break
    return true


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
        true = labels_of(kind, sizes, random)
        at, there = known(kind, share, random, models)
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


def repeated(kind, repetitions, of_samples):
    """Return the numbers of models and of repetitions: one prevalence for each, or one for all."""
    if kind in ONE_BY_ONE:
        return {"models": 1, "repetitions": of_samples}
    return {"models": repetitions, "repetitions": 1}


def held(found, name):
    """Return whether the intervals of a quantity cover, of the shape (repetitions, times)."""
    true, low, high = np.concatenate([one[name] for one in found], axis=1)
    return (low <= true) & (true <= high)


def measured(kind, sizes, distance):
    """Return a row for each quantity and threshold of a setting."""
    times = {"times": TIMES} | repeated(kind, REPETITIONS, OF_SAMPLES)
    found = list(trials(kind, sizes, distance, **times))
    for name in QUANTITIES:
        covered = held(found, name)
        for place, times in enumerate(TIMES):
            yield {
                "at": kind,
                "positives": sizes[0],
                "negatives": sizes[1],
                "distance": distance,
                "odds": times,
                "quantity": name,
                "covered": covered[:, place].mean(),
                "repetitions": len(covered),
            }


def of_bands(kind, sizes):
    """Return a row for each quantity: how often bands hold at all thresholds, and those that hold
    at each, and how wide they are beside these."""
    times = {"times": MANY_TIMES} | repeated(kind, BANDS, BANDS_OF_SAMPLES)
    together, each = (
        list(trials(kind, sizes, DISTANCE, **times, simultaneous=simultaneous))
        for simultaneous in (True, False)
    )
    for name in QUANTITIES:
        widths = [
            np.mean([one[name][2] - one[name][1] for one in found]) for found in (together, each)
        ]
        covered = held(together, name).all(axis=1)
        yield {
            "at": kind,
            "positives": sizes[0],
            "negatives": sizes[1],
            "quantity": name,
            "covered": covered.mean(),
            "covered_by_intervals": held(each, name).all(axis=1).mean(),
            "times_as_wide": widths[0] / widths[1],
            "repetitions": len(covered),
        }


def summed(rows, column):
    """Return the least and the mean coverage by the values of a column, as a table of Markdown."""
    head = f"| {column} | settings | least | mean |\n|---|---|---|---|\n"
    groups = rows.groupby(column, sort=False)["covered"]
    lines = (
        f"| {value} | {one.size} | {one.min():.3f} | {one.mean():.3f} |" for value, one in groups
    )
    return head + "\n".join(lines)


def measure():
    """Return the rows of all settings, and those of bands, which takes some minutes."""
    rows, bands = [], []
    for kind, sizes in product(KINDS, SIZES):
        for distance in DISTANCES:
            rows += measured(kind, sizes, distance)
        bands += of_bands(kind, sizes)
        print(kind, sizes, flush=True)
    return pd.DataFrame(rows), pd.DataFrame(bands)


def main():
    found, bands = measure()
    write_table("net_benefit_coverage", found)
    write_table("net_benefit_bands", bands)
    write(found, bands)


def write(found, bands):
    """Write the page of measured rows."""
    write_page(
        "net_benefit_coverage",
        confidence=CONFIDENCE,
        sizes=", ".join("{}:{}".format(*one) for one in SIZES),
        distances=", ".join(f"{one:g}" for one in DISTANCES),
        times=", ".join(f"{one:g}" for one in TIMES),
        settings=len(found),
        least=found["covered"].min(),
        mean=found["covered"].mean(),
        share=(found["covered"] >= 0.93).mean(),
        repetitions=REPETITIONS,
        of_samples=OF_SAMPLES,
        errors=[standard_error(CONFIDENCE, size) for size in (REPETITIONS, OF_SAMPLES)],
        sample=SAMPLE,
        sampled_share=SHARE,
        belief=Prevalence.believed(*BELIEF),
        range=" to ".join(map(str, RANGE)),
        by_kind=summed(found, "at"),
        by_positives=summed(found, "positives"),
        by_quantity=summed(found, "quantity"),
        many_times=f"{MANY_TIMES[0]:g} to {MANY_TIMES[-1]:g}",
        number=len(MANY_TIMES),
        distance=f"{DISTANCE:g}",
        bands=bands,
        bands_repetitions=BANDS,
        bands_of_samples=BANDS_OF_SAMPLES,
        bands_errors=[standard_error(CONFIDENCE, size) for size in (BANDS, BANDS_OF_SAMPLES)],
        bands_by_kind=summed(bands, "at"),
        bands_by_positives=summed(bands, "positives"),
    )


if __name__ == "__main__":
    main()
