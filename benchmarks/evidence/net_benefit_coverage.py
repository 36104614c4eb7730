"""Measure how often intervals of decision curves cover, and write
``docs/evidence/net_benefit_coverage.md`` and ``docs/images/net_benefit_coverage.csv``.

Scores are binormal, and probabilities are the true ones at the prevalence of the sample; they are
adjusted to where the model runs. What intervals should cover is the net benefit, standardized net
benefit and number of avoided interventions of the population, at the rates that the cut-off has
there.
"""

from itertools import product
from pathlib import Path

import jinja2
import numpy as np
import pandas as pd
from scipy.special import expit, logit
from scipy.stats import norm

from skewproof import Prevalence, decision_curve

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "evidence/net_benefit_coverage.md"
OUTPUT = DOCS / "images/net_benefit_coverage.csv"
TEMPLATE = Path(__file__).with_suffix(".md.jinja")

CONFIDENCE = 0.95
SIZES = [(5, 50), (10, 100), (20, 200), (50, 500), (200, 2000), (20, 2000)]
"""Numbers of positives and negatives."""

DISTANCES = [1.0, 2.0, 3.0]
"""Means of the positives' scores, in standard deviations above the negatives'."""

TIMES = [0.3, 1.0, 3.0]
"""Thresholds, as odds over those of the prevalence."""

REPETITIONS = 1000
OF_SAMPLES = 300
"""Repetitions where each has a prevalence of its own, which takes longer."""

SAMPLE = 2000
"""Size of the sample that tells a prevalence."""

SHARE = 0.01
BELIEF = (4, 396)
RANGE = (0.003, 0.03)
KINDS = ("test set", "population", "1:10", "1:1000", "sampled", "believed", "between")
ONE_BY_ONE = ("population", "sampled")
QUANTITIES = ("net_benefit", "standardized", "interventions_avoided")


def known(kind, share, random, models):
    """What is known of the prevalence, and what it is for each of some models."""
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


def thresholds_for(kind, share):
    """Thresholds around the prevalence that a kind stands for."""
    there = {
        "test set": share,
        "population": share,
        "sampled": SHARE,
        "believed": Prevalence.believed(*BELIEF).share,
        "between": Prevalence.between(*RANGE).share,
    }
    middle = there[kind] if kind in there else Prevalence.given(kind).share
    return expit(logit(middle) + np.log(TIMES))


def labels_of(kind, sizes, random):
    """Labels of a sample: of these sizes, or a random one of as many instances."""
    true = np.repeat([1, 0], sizes)
    while kind == "population":
        true = (random.random(sum(sizes)) < sizes[0] / sum(sizes)).astype(int)
        if 0 < true.sum() < true.size:
            break
    return true


def truth(curve, there, share, distance):
    """The quantities of the population at the cut-offs of a curve, each in its order."""
    cut = (logit(curve["cutoff"]) - logit(share) + distance**2 / 2) / distance
    tpr, fpr = norm.sf(cut - distance), norm.sf(cut)
    odds = curve["threshold"] / (1 - curve["threshold"])
    benefit = there * tpr - (1 - there) * fpr * odds
    of_all = there - (1 - there) * odds
    return benefit, benefit / there, 100 * (benefit - of_all) / odds


def trials(kind, sizes, distance):
    """Whether each interval of some models covers: by quantity, of the shape (models, times)."""
    random = np.random.default_rng([*sizes, round(10 * distance), KINDS.index(kind)])
    share = sizes[0] / sum(sizes)
    thresholds = thresholds_for(kind, share)
    models = 1 if kind in ONE_BY_ONE else REPETITIONS
    for _ in range(OF_SAMPLES if kind in ONE_BY_ONE else 1):
        true = labels_of(kind, sizes, random)
        at, there = known(kind, share, random, models)
        scores = random.normal(distance * true, size=(models, true.size))
        p = expit(distance * scores - distance**2 / 2 + logit(share))
        curve = decision_curve(
            true,
            dict(enumerate(p)),
            at=at,
            thresholds=thresholds,
            trained=Prevalence.given(share),
            confidence=CONFIDENCE,
        ).dropna()
        values = truth(curve, np.repeat(there, len(TIMES)), share, distance)
        yield {
            name: curve[f"{name}_low"].le(value).mul(curve[f"{name}_high"].ge(value)).to_numpy()
            for name, value in zip(QUANTITIES, values, strict=True)
        }


def measured(kind, sizes, distance):
    """A row for each quantity and threshold of a setting."""
    found = list(trials(kind, sizes, distance))
    for name in QUANTITIES:
        covered = np.concatenate([one[name].reshape(-1, len(TIMES)) for one in found])
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


def summed(rows, column):
    """The least and the mean coverage by the values of a column, as a table of Markdown."""
    head = f"| {column} | settings | least | mean |\n|---|---|---|---|\n"
    groups = rows.groupby(column, sort=False)["covered"]
    lines = (
        f"| {value} | {one.size} | {one.min():.3f} | {one.mean():.3f} |" for value, one in groups
    )
    return head + "\n".join(lines)


def measure():
    """Rows of all settings, which takes some minutes."""
    rows = []
    for kind, sizes, distance in product(KINDS, SIZES, DISTANCES):
        rows += measured(kind, sizes, distance)
        print(kind, sizes, distance, flush=True)
    return pd.DataFrame(rows)


def main():
    found = measure()
    found.to_csv(OUTPUT, index=False, float_format="%.5f")
    PAGE.write_text(written(found))


def written(found):
    """The page of measured rows."""
    template = jinja2.Template(
        TEMPLATE.read_text(),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return template.render(
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
        errors=[
            np.sqrt(CONFIDENCE * (1 - CONFIDENCE) / size) for size in (REPETITIONS, OF_SAMPLES)
        ],
        sample=SAMPLE,
        sampled_share=SHARE,
        belief=Prevalence.believed(*BELIEF),
        range=" to ".join(map(str, RANGE)),
        by_kind=summed(found, "at"),
        by_positives=summed(found, "positives"),
        by_quantity=summed(found, "quantity"),
    )


if __name__ == "__main__":
    main()
