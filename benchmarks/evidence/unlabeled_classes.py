"""Measure how often intervals of many classes without labels hold, and what the check of fit sees.

It writes ``docs/evidence/unlabeled_classes.md``. A labeled reference and unlabeled instances are
drawn from a classifier with known rates, or with normal scores, repeatedly.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import covering, uneven_rates
from pages import Task
from scipy import stats

from skewproof.core.algebra import Array
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.label_shift import NONE, REFUSED, fit_of
from skewproof.intervals.without_labels import (
    UnlabeledRows,
    drawn_matrices,
    extreme_prevalences,
    is_separated,
)
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prediction_bins import FEWEST_BINS_A_CLASS, PredictionBins
from skewproof.prevalence.prevalence import Estimated, Prevalence

CLASSES = (3, 5)
ACCURACIES = (0.6, 0.8, 0.95)
ROWS = (50, 1000)
RAREST_TO_COMMONEST = {"uniform": 1.0, "skewed": 0.05}
"""The ratio of the smallest to the largest prevalence in production, by its name."""
SIZES = (500, 20_000)
MEASURE_KEYS = ("macro_f1", "accuracy")
REPETITIONS = 150

SEPARATION = 2.0
"""Distance of the score of the true class above the others, in standard deviations."""
SCORE_ROWS = (50, 200)
SCORE_SIZE = 5000
SCORE_REPETITIONS = 150
FIT_REPETITIONS = 400
WEAKER = 1.6
"""The separation after a change that the check of fit should see."""
LIKE_RAREST = 0.05
"""Share of the commonest class that scores like the rarest in a change that it cannot see."""
CHANGES = {
    "label shift alone": (SEPARATION, 0.0),
    f"the true class's score higher by {WEAKER}, not {SEPARATION}": (WEAKER, 0.0),
    f"{100 * LIKE_RAREST:g} % of the commonest class score like the rarest": (
        SEPARATION,
        LIKE_RAREST,
    ),
}
CONFIDENCE = 0.95
RADIUS = radius_of(CONFIDENCE)
TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
DRAWS = 1000
"""Draws of the metrics of exactly the unlabeled instances."""
SEED = 29


class Setting(NamedTuple):
    """A classifier, its reference, and the data that it is used on."""

    classes: int
    accuracy: float
    row: int
    prevalences: str
    size: int


def prevalences(classes: int, kind: str) -> Array:
    """Return the prevalences in production, the commonest class first."""
    shares = np.geomspace(1, RAREST_TO_COMMONEST[kind], classes)
    return shares / shares.sum()


def rates_of(classes: int, accuracy: float) -> Array:
    """Return rates of a classifier whose recalls differ a little and whose misses are uneven."""
    random = np.random.default_rng([SEED, classes, int(100 * accuracy)])
    recalls = np.linspace(accuracy - 0.04, accuracy + 0.04, classes)
    return uneven_rates(recalls, 2.0, random)


def samples(setting: Setting, rates: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """Draw matrices of references and of unlabeled instances, (samples, classes, classes)."""
    sizes = np.full((REPETITIONS, setting.classes), setting.row)
    labeled = random.multinomial(sizes, rates)
    shares = prevalences(setting.classes, setting.prevalences)
    unlabeled = random.multinomial(setting.size, shares, size=REPETITIONS)
    return labeled.astype(float), random.multinomial(unlabeled, rates)


def at_of(labeled: Array, predicted: Array) -> Estimated:
    """Return the prevalences of a single sample, from counts without scores."""
    unlabeled = tuple((int(count),) for count in predicted)
    bins = PredictionBins.of_matrix(MulticlassConfusionMatrix(labeled))
    return Estimated(bins._replace(unlabeled=unlabeled))


class Judged(NamedTuple):
    """Intervals from counts of predicted classes."""

    columns: list[Array]
    low: Array
    high: Array
    """Ends of each prevalence, (samples, classes)."""
    separated: Array
    """Samples whose predictions separate the classes."""

    @property
    def kept(self) -> Array:
        """Return the samples that are not refused."""
        return self.separated & (self.high > NONE).all(axis=1)

    @property
    def rows(self) -> UnlabeledRows:
        """Return rows from which measures are estimated."""
        sizes = sum(column[:, -1].sum(axis=-1) for column in self.columns)
        return UnlabeledRows.from_counts(self.columns, sizes)


def judged(counts: Array) -> Judged:
    """Estimate prevalences from counts (samples, classes + 1, classes), unlabeled ones last."""
    classes = counts.shape[-1]
    columns = [counts[:, :, position, np.newaxis] for position in range(classes)]
    low, high = extreme_prevalences(columns, RADIUS)
    wider = radius_of(max(CONFIDENCE, 1 - 2 * REFUSED / classes))
    high = np.where(high <= NONE, extreme_prevalences(columns, wider)[1], high)
    return Judged(columns, low, high, is_separated(counts[:, :-1], RADIUS))


def by_predictions(setting: Setting) -> Iterator[dict[str, object]]:
    """Measure the coverage and width of intervals from counts of predicted classes.

    Refused samples are counted, and left out of the coverage.
    """
    classes = setting.classes
    random = np.random.default_rng([SEED, *map(ord, "".join(map(str, setting)))])
    rates = rates_of(classes, setting.accuracy)
    shares = prevalences(classes, setting.prevalences)
    labeled, actual = samples(setting, rates, random)
    counts = np.concatenate([labeled, actual.sum(axis=1, keepdims=True)], axis=1)
    found = judged(counts)
    kept, rows = found.kept, found.rows
    base = {"refused": 1 - kept.mean(), "not separated": 1 - found.separated.mean()}
    for place in range(classes):
        covered = covering(found.low[:, place], found.high[:, place], shares[place], kept)
        yield base | {"of": "prevalence", "class": place} | covered
    matrix = MulticlassConfusionMatrix.from_rates(rates, shares)
    drawn = [
        drawn_matrices(at_of(*sample), DRAWS) for sample in zip(labeled, counts[:, -1], strict=True)
    ]
    for key in MEASURE_KEYS:
        measure = MEASURES[key]
        ends = rows.estimates(measure, RADIUS)
        quantiles = np.array([np.nanquantile(measure(matrices), TAILS) for matrices in drawn]).T
        values = measure(MulticlassConfusionMatrix(actual))
        for of, (bottom, top), value in (
            (key, (ends.low, ends.high), float(measure(matrix))),
            (f"{key} of these instances", quantiles, values),
        ):
            yield base | {"of": of, "class": -1} | covering(bottom, top, value, kept)


def scores(
    true: Array, classes: int, separation: float, random: np.random.Generator
) -> tuple[Array, Array]:
    """Draw labels and normal scores of each class; that of the true class is higher."""
    columns = random.normal(size=(len(true), classes))
    columns[np.arange(len(true)), true] += separation
    return true, columns


def scored(
    classes: int, row: int, random: np.random.Generator, change: tuple[float, float]
) -> Prevalence:
    """Estimate prevalences by scores in skewed production."""
    known = scores(np.repeat(np.arange(classes), row), classes, SEPARATION, random)
    true = random.choice(classes, SCORE_SIZE, p=prevalences(classes, "skewed"))
    separation, like_rarest = change
    looks = np.where((true == 0) & (random.random(SCORE_SIZE) < like_rarest), classes - 1, true)
    _, unlabeled = scores(looks, classes, separation, random)
    return Prevalence.from_scores(*known, unlabeled)


def score_rates(classes: int) -> Array:
    """Return the rates of the classifier that predicts the class of the highest score."""
    recall = stats.norm(SEPARATION).expect(lambda x: stats.norm.cdf(x) ** (classes - 1))
    rates = np.full((classes, classes), (1 - recall) / (classes - 1))
    np.fill_diagonal(rates, recall)
    return rates


def by_scores(classes: int, row: int) -> Iterator[dict[str, object]]:
    """Measure coverage and width of intervals from scores, and from predicted classes alone."""
    random = np.random.default_rng([SEED, classes, row])
    drawn = [scored(classes, row, random, (SEPARATION, 0.0)).bins for _ in range(SCORE_REPETITIONS)]
    shares = prevalences(classes, "skewed")
    matrix = MulticlassConfusionMatrix.from_rates(score_rates(classes), shares)
    for name, every in (
        ("scores", drawn),
        ("predictions", [bins.without_scores for bins in drawn]),
    ):
        columns = [np.stack(some) for some in zip(*(bins.columns for bins in every), strict=True)]
        low, high = extreme_prevalences(columns, RADIUS)
        for place in range(classes):
            covered = covering(low[:, place], high[:, place], shares[place])
            yield {"by": name, "of": "prevalence"} | covered
        unlabeled = UnlabeledRows.from_counts(columns, np.full(len(drawn), float(SCORE_SIZE)))
        for key in MEASURE_KEYS:
            measure, value = MEASURES[key], float(MEASURES[key](matrix))
            ends = unlabeled.estimates(measure, RADIUS)
            yield {"by": name, "of": key} | covering(ends.low, ends.high, value)


def fit(classes: int, row: int, change: str) -> dict[str, float]:
    """Measure how often the check of fit doubts or refuses."""
    random = np.random.default_rng([SEED, classes, row, list(CHANGES).index(change)])
    return refusals(
        scored(classes, row, random, CHANGES[change]).bins for _ in range(FIT_REPETITIONS)
    )


def refusals(samples: Iterable[PredictionBins]) -> dict[str, float]:
    """Return how often the check of fit doubts or refuses."""
    p_values = np.array([fit_of(bins).p for bins in samples])
    return {"p < .05": np.mean(p_values < 0.05), "p < .01": np.mean(p_values < 0.01)}


INTERVALS = {
    "intervals": ("coverage", "size"),
    "min": ("coverage", "min"),
    "mean": ("coverage", "mean"),
    "mean width": ("width", "mean"),
}
"""Columns of the summaries."""


TABLES = {
    "unlabeled_classes": Task(
        by_predictions,
        (
            (Setting(*cell),)
            for cell in product(CLASSES, ACCURACIES, ROWS, RAREST_TO_COMMONEST, SIZES)
        ),
        "%.5f",
        samples=REPETITIONS,
    ),
    "scores": Task(by_scores, product(CLASSES, SCORE_ROWS), stored=False),
    "fits": Task(fit, product(CLASSES, SCORE_ROWS, CHANGES), stored=False),
}


def page(calls: pd.DataFrame, by_score: pd.DataFrame, fits: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    columns = ["of", "classes", "accuracy", "row", "prevalences", "size", "coverage"]
    by_setting = calls.drop_duplicates(list(Setting._fields))
    refused = by_setting.groupby(["classes", "accuracy", "row"], sort=False)
    return {
        "settings": len(by_setting),
        "calls": calls,
        "lowest": calls.nsmallest(8, "coverage")[columns],
        "refused": refused[["refused", "not separated"]].max().reset_index(),
        "bins": FEWEST_BINS_A_CLASS,
        "by_score": by_score,
        "fits": fits.rename(columns={"row": "rows of"}),
    }
