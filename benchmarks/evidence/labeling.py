"""Measure how often intervals from planned labels hold, and their widths.

It writes ``docs/evidence/labeling.md``. With two strata, those called positive and those called
negative, every outcome of the labels is enumerated with its probability, so that coverage is exact
but for the interval's search. With strata by score samples of labels are drawn repeatedly.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import Task
from scipy import stats
from scipy.special import expit, logit

from skewproof import get_metric, plan_labels
from skewproof.core.confusion import ConfusionMatrix
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates

METRIC_KEYS = ("precision", "true_positive_rate", "f1")
CONFIDENCE = 0.95
SEED = 29

RATES = ((0.8, 0.05), (0.7, 0.005), (0.95, 0.01))
PREVALENCES = (0.001, 0.01, 0.1)
SIZES = (2000, 100_000)
LABELS = (100, 400)
RAREST = 1e-6
"""Probability of a count of positives in one stratum, below which it is left out."""

SCORED_SIZE = 200_000
SEPARATION = 3.0
"""Distance of the means of positive and negative scores, in standard deviations."""
CUT = 0.2
"""Probability from which on an instance is called positive."""
SCORED_PREVALENCES = (0.001, 0.01, 0.1)
SCORED_LABELS = (200, 500, 1000, 2000)
FACTOR = 10
"""Factor by which the odds of wrong guesses are off."""
WRONG = {
    f"by odds {FACTOR} times too small": -np.log(FACTOR),
    f"by odds {FACTOR} times too large": np.log(FACTOR),
}
REFERENCE = (100, 2000)
REPETITIONS = 2000

Counts = NDArray[np.intp]


class Population(NamedTuple):
    """Strata of exactly these instances, with all of their labels."""

    called: NDArray[np.bool_]
    sizes: Counts
    positives: Counts

    def value(self, key: str) -> float:
        """Return a metric of the instances."""
        negatives = self.sizes - self.positives
        matrix = ConfusionMatrix(
            tp=self.positives[self.called].sum(),
            fp=negatives[self.called].sum(),
            fn=self.positives[~self.called].sum(),
            tn=negatives[~self.called].sum(),
        )
        return float(get_metric(key)(matrix))

    def judged(self, key: str, labeled: Counts, found: Counts) -> tuple[NDArray[np.bool_], ...]:
        """Return whether the intervals of samples hold, and their widths.

        Counts have the shape (strata, samples).
        """
        labels = np.stack([found.T, (labeled - found).T], axis=-1).astype(np.float64)
        sizes = np.tile(self.sizes.astype(np.float64), (len(labels), 1))
        strata = LabeledStrata(self.called[np.newaxis], sizes, labels, True)
        ends = stratified_estimates(get_metric(key), [strata], CONFIDENCE)
        value = self.value(key)
        return (ends.low <= value) & (value <= ends.high), ends.high - ends.low


def enumerated(
    tpr: float, fpr: float, prevalence: float, instances: int, labels: int
) -> Iterator[dict[str, object]]:
    """Return coverage and mean width over all outcomes of a plan for F1 by predictions."""
    positives = round(instances * prevalence)
    tp, fp = round(positives * tpr), round((instances - positives) * fpr)
    predictions = np.repeat([1.0, 0.0], [tp + fp, instances - tp - fp])
    plan = plan_labels("f1", predictions, labels=labels)
    called = plan.strata["called"].to_numpy(dtype=bool)
    sizes, numbers = (plan.strata[name].to_numpy() for name in ("size", "labels"))
    population = Population(called, sizes, np.where(called, tp, positives - tp))
    supports, chances = [], []
    for whole, hits, number in zip(sizes, population.positives, numbers, strict=True):
        counts = np.arange(number + 1)
        chance = stats.hypergeom(whole, hits, number).pmf(counts)
        supports.append(counts[chance > RAREST])
        chances.append(chance[chance > RAREST])
    found = np.array(np.meshgrid(*supports, indexing="ij")).reshape(len(sizes), -1)
    chance = np.multiply.outer(*chances).ravel()
    labeled = np.repeat(numbers[:, np.newaxis], found.shape[1], axis=1)
    for key in METRIC_KEYS:
        inside, width = population.judged(key, labeled, found)
        coverage, mean = np.average(inside, weights=chance), np.average(width, weights=chance)
        yield {"metric": key, "coverage": coverage, "width": mean}


def drawn(
    population: Population, key: str, labeled: Counts, random: np.random.Generator
) -> dict[str, float]:
    """Return the coverage and mean width over samples with so many labels in each stratum."""
    hits, size = population.positives[:, np.newaxis], population.sizes[:, np.newaxis]
    found = random.hypergeometric(hits, size - hits, labeled)
    inside, width = population.judged(key, labeled, found)
    return {"coverage": float(inside.mean()), "width": float(width.mean())}


def by_scores(prevalence: float) -> Iterator[dict[str, object]]:
    """Return the coverage and width at every number of labels, by what the plan knows."""
    random = np.random.default_rng([SEED, round(1e6 * prevalence)])
    true = np.arange(SCORED_SIZE) < round(SCORED_SIZE * prevalence)
    scores = random.normal(size=SCORED_SIZE) + SEPARATION * true
    known = np.repeat([1, 0], REFERENCE)
    seen = random.normal(size=known.size) + SEPARATION * known
    log_odds = SEPARATION * (scores - SEPARATION / 2) + logit(prevalence)
    chances, called = expit(log_odds), log_odds >= logit(CUT)
    cut = SEPARATION / 2 + (logit(CUT) - logit(prevalence)) / SEPARATION
    sides = Population(
        np.array([True, False]),
        np.array([called.sum(), (~called).sum()]),
        np.array([true[called].sum(), true[~called].sum()]),
    )
    tilted = {name: expit(log_odds + shift) for name, shift in WRONG.items()}
    cuts = {name: float(expit(logit(CUT) + shift)) for name, shift in WRONG.items()}
    for labels, key in product(SCORED_LABELS, METRIC_KEYS):
        of_called = random.hypergeometric(*sides.sizes, labels, REPETITIONS)
        at_random = np.array([of_called, labels - of_called])
        found = {"at random from all": drawn(sides, key, at_random, random)}
        plans = {
            "by predictions": (called.astype(float), {}),
            "by probabilities": (chances, {"threshold": CUT}),
            "by a reference": (
                scores,
                {"threshold": cut, "reference_true": known, "reference_scores": seen},
            ),
        }
        plans |= {name: (tilted[name], {"threshold": cuts[name]}) for name in WRONG}
        for name, (given, options) in plans.items():
            plan = plan_labels(key, given, labels=labels, **options)
            stratum = np.searchsorted(plan.strata["lowest"], given, side="right") - 1
            of_plan = Population(
                plan.strata["called"].to_numpy(dtype=bool),
                np.bincount(stratum),
                np.bincount(stratum[true]),
            )
            numbers = plan.strata["labels"].to_numpy()[:, np.newaxis]
            draw = np.random.default_rng([SEED, plan.rows.size])
            found[name] = drawn(of_plan, key, np.repeat(numbers, REPETITIONS, axis=1), draw)
        row = {"labels": labels, "metric": key, "value": sides.value(key)}
        for name, judged in found.items():
            yield row | {"plan": name} | judged


LEAST_AND_MEAN = {
    "least coverage": ("coverage", "min"),
    "mean coverage": ("coverage", "mean"),
}
OF_KNOWN = {
    "settings": ("coverage", "size"),
    **LEAST_AND_MEAN,
    "mean width": ("width", "mean"),
}
"""Columns of summaries."""


def worth(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the coverage of each way to plan, and how many random labels one label is worth, over
    the settings that labels leave uncertain."""
    at_random = frame.loc[frame["plan"] == "at random from all"]
    where = ["prevalence", "labels", "metric"]
    beside = frame.merge(at_random[[*where, "width"]], on=where, suffixes=("", "_at_random"))
    uncertain = beside[beside["width"] > 0]
    ratio = uncertain["width_at_random"] / uncertain["width"]
    rows = uncertain.assign(worth=ratio**2).groupby(["metric", "plan"])
    found = rows.agg(**LEAST_AND_MEAN, **{"worth of a label": ("worth", "median")})
    names = ["metric", "plan"]
    order = pd.MultiIndex.from_product([METRIC_KEYS, frame["plan"].unique()], names=names)
    return found.loc[order].reset_index()


def widths(frame: pd.DataFrame, prevalence: float) -> pd.DataFrame:
    """Return mean widths for F1: a row for each number of labels, a column for each plan."""
    rows = frame.query("metric == 'f1' and prevalence == @prevalence").astype({"labels": str})
    plans, labels = rows["plan"].unique(), rows["labels"].unique()
    table = rows.pivot(index="labels", columns="plan", values="width")
    return table.loc[labels, plans].reset_index()


TABLES = {
    "labeling_exact": Task(
        enumerated,
        ((*rates, *cell) for rates, *cell in product(RATES, PREVALENCES, SIZES, LABELS)),
        "%.5f",
        (),
    ),
    "labeling_scored": Task(
        by_scores, zip(SCORED_PREVALENCES, strict=True), "%.5f", samples=REPETITIONS
    ),
}


def page(exact: pd.DataFrame, scored: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return {
        "exact": exact,
        "scored": worth(scored),
        "values": scored.query("metric == 'f1'").groupby("prevalence")["value"].first(),
        "widths": {one: widths(scored, one) for one in SCORED_PREVALENCES},
    }
