"""Measure how often intervals without labels hold, and what the check of fit sees.

It writes ``docs/evidence/unlabeled_coverage.md``. A labeled reference and unlabeled instances are
drawn from a classifier with known rates, or with normal scores, repeatedly.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import covering, true_value
from numpy.typing import NDArray
from pages import Task
from scipy import stats
from unlabeled_classes import RADIUS, TAILS, judged, refusals

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.without_labels import UnlabeledRows, drawn_matrices, extreme_prevalences
from skewproof.metrics import get_metric
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.prevalence.prevalence import Estimated, Prevalence
from skewproof.unlabeled.prevalence_estimates import estimate_prevalence

REFERENCES = ((50, 500), (200, 2000), (500, 50_000))
RATES = ((0.8, 0.05), (0.7, 0.005), (0.95, 0.01))
PREVALENCES = (0.001, 0.01, 0.1, 0.3)
SIZES = (2000, 200_000)
METRIC_KEYS = ("f1", "precision")
CONFIDENCE = 0.95
REPETITIONS = 1000

SEPARATION = 2.0
"""Distance of the means of positive and negative scores, in standard deviations."""
THRESHOLD = SEPARATION / 2 + 0.5
SCORE_REFERENCES = ((50, 500), (200, 2000))
SCORE_REPETITIONS = 400
SCORE_DRAWS = 1000
FIT_REPETITIONS = 2000
SHIFT, DROP = 0.2, 0.32
"""The rise of all scores, and the fall of the scores of positives, that the check should see."""
LIKE_POSITIVES = 0.05
"""Share of the negatives that score like positives in a change that it cannot see."""
SMALL_REFERENCES = ((5, 500), (10, 1000), (20, 2000))
SMALL_REPETITIONS = 2000
"""References whose few positives make the check of fit draw samples, and repetitions of each."""
SMALL_PREVALENCES = (0.3,)
LAWS = ("normal", "Student's t with 2 degrees of freedom")
EASY, HARD = 3.0, 1.0
"""Mean scores of two kinds of positives."""
EASY_BEFORE, EASY_AFTER = 0.7, 0.5
"""Share of the easy kind in the reference, and among the unlabeled positives."""
TPR_CHANGE = 0.15
CHANGED = f"with tpr_change={TPR_CHANGE}"
HARDER_REPETITIONS = 400
SEED = 29

Numbers = NDArray[np.float64]


class Setting(NamedTuple):
    """A reference, a classifier and the data that it is used on."""

    positives: int
    negatives: int
    tpr: float
    fpr: float
    prevalence: float
    size: int


def by_calls(setting: Setting) -> Iterator[dict[str, object]]:
    """Measure coverage and width of intervals by the share called positive; count refusals."""
    positives, negatives, tpr, fpr, prevalence, size = setting
    random = np.random.default_rng([SEED, positives, negatives, size, int(1e4 * tpr)])
    hits = [random.binomial(positives, tpr, REPETITIONS)]
    hits.append(random.binomial(negatives, fpr, REPETITIONS))
    hits.append(random.binomial(size, prevalence * tpr + (1 - prevalence) * fpr, REPETITIONS))
    called = np.stack(hits, axis=-1).astype(float)
    found = judged(np.stack([called, [positives, negatives, size] - called], axis=-1))
    intervals = {"prevalence": (found.low[:, 0], found.high[:, 0], prevalence)}
    for key in METRIC_KEYS:
        ends = found.rows.estimates(of_two_classes(get_metric(key)), RADIUS)
        intervals[key] = ends.low, ends.high, true_value(key, tpr, fpr, prevalence)
    for key, interval in intervals.items():
        refused = {"refused": (~found.kept).mean()}
        yield {"metric": key} | covering(*interval, found.kept) | refused


def scores(positives: int, negatives: int, random: np.random.Generator) -> tuple[Numbers, Numbers]:
    """Draw labels and normal scores."""
    true = np.repeat([1.0, 0.0], [positives, negatives])
    return true, random.normal(size=true.size) + SEPARATION * true


def scored(
    reference: tuple[int, int],
    prevalence: float,
    size: int,
    random: np.random.Generator,
    change: Callable[[Numbers, Numbers], Numbers] | None = None,
) -> tuple[Prevalence, Numbers, Numbers]:
    """Return a prevalence by scores, with the labels and scores of the unlabeled instances."""
    true, known = scores(*reference, random)
    positives = random.binomial(size, prevalence)
    labels, unlabeled = scores(positives, size - positives, random)
    if change is not None:
        unlabeled = change(labels, unlabeled)
    at = Prevalence.from_scores(true, known, unlabeled, threshold=THRESHOLD)
    return at, labels, unlabeled


def by_scores(
    reference: tuple[int, int], prevalence: float, size: int
) -> Iterator[dict[str, object]]:
    """Measure coverage of the population's prevalence and metrics, and the instances' metrics."""
    random = np.random.default_rng([SEED, *reference, int(1e4 * prevalence), size])
    tpr, fpr = stats.norm.sf(THRESHOLD - SEPARATION), stats.norm.sf(THRESHOLD)
    covered: dict[str, list[bool]] = {}
    for _ in range(SCORE_REPETITIONS):
        at, labels, unlabeled = scored(reference, prevalence, size, random)
        columns = [column[np.newaxis] for column in at.bins.columns]
        low, high = (float(end[0, 0]) for end in extreme_prevalences(columns, RADIUS))
        covered.setdefault("prevalence", []).append(low <= prevalence <= high)
        own = ConfusionMatrix.from_labels(labels, (unlabeled >= THRESHOLD).astype(float))
        rows, matrices = UnlabeledRows.of_reference(at.bins), drawn_matrices(at, SCORE_DRAWS)
        for key in METRIC_KEYS:
            metric = get_metric(key)
            ends = rows.estimates(of_two_classes(metric), RADIUS)
            value = true_value(key, tpr, fpr, prevalence)
            covered.setdefault(key, []).append(bool(ends.low[0] <= value <= ends.high[0]))
            low, high = np.nanquantile(metric(matrices.pair), TAILS)
            name = f"{key} of these instances"
            covered.setdefault(name, []).append(low <= float(metric(own)) <= high)
    for key, some in covered.items():
        yield {"metric": key, "coverage": float(np.mean(some))}


def raised(_: Numbers, unlabeled: Numbers) -> Numbers:
    """Raise all scores a little."""
    return unlabeled + SHIFT


def dropped(labels: Numbers, unlabeled: Numbers) -> Numbers:
    """Lower the scores of positives."""
    return unlabeled - DROP * labels


def alike(labels: Numbers, unlabeled: Numbers) -> Numbers:
    """Give some of the negatives scores like those of positives."""
    random = np.random.default_rng(len(labels))
    return unlabeled + SEPARATION * ((labels == 0) & (random.random(len(labels)) < LIKE_POSITIVES))


CHANGES = {
    "label shift alone": None,
    f"all scores higher by {SHIFT} standard deviations": raised,
    f"scores of positives lower by {DROP}": dropped,
    f"{100 * LIKE_POSITIVES:g} % of the negatives score like positives": alike,
}


def fit(reference: tuple[int, int], change: str) -> dict[str, float]:
    """Measure how often the check of fit doubts or refuses after a change."""
    random = np.random.default_rng([SEED, *reference, list(CHANGES).index(change)])
    return refusals(
        scored(reference, 0.1, 5000, random, CHANGES[change])[0].bins
        for _ in range(FIT_REPETITIONS)
    )


def size_of_check(reference: tuple[int, int], scores: str, prevalence: float) -> dict[str, float]:
    """Measure how often the check of fit doubts or refuses under label shift, for few positives."""
    random = np.random.default_rng([SEED, *reference, LAWS.index(scores), int(1e4 * prevalence)])

    def labeled(positives: int, negatives: int) -> tuple[Numbers, Numbers]:
        true = np.repeat([1.0, 0.0], [positives, negatives])
        normal = scores == LAWS[0]
        noise = random.normal(size=true.size) if normal else random.standard_t(2, true.size)
        return true, noise + SEPARATION * true

    def bins() -> PredictionBins:
        positives = random.binomial(20_000, prevalence)
        unlabeled = labeled(positives, 20_000 - positives)[1]
        known = labeled(*reference)
        return Prevalence.from_scores(*known, unlabeled, threshold=THRESHOLD).bins

    return refusals(bins() for _ in range(SMALL_REPETITIONS))


def harder(seed: int, case: float) -> dict[str, object]:
    """Measure refusals and coverage if the kinds of positives have some share of easy ones."""
    random = np.random.default_rng([SEED, seed])
    prevalence, size = 0.1, 20_000

    def positives(number: int, share: float) -> Numbers:
        return random.normal(np.where(random.random(number) < share, EASY, HARD))

    true = np.repeat([1, 0], [200, 2000])
    covered: dict[str, list[bool]] = {"by scores": [], "by calls": [], CHANGED: []}
    for _ in range(HARDER_REPETITIONS):
        known = np.append(positives(200, EASY_BEFORE), random.normal(size=2000))
        number = random.binomial(size, prevalence)
        unlabeled = np.append(positives(number, case), random.normal(size=size - number))
        at = Prevalence.from_scores(true, known, unlabeled, threshold=THRESHOLD)
        calls = Estimated(at.bins.without_scores)
        for name, way in zip(covered, (at, calls, at), strict=True):
            change = TPR_CHANGE if name == CHANGED else 0.0
            try:
                (found,) = estimate_prevalence(way, tpr_change=change).itertuples()
            except ValueError:
                continue
            covered[name].append(found.low <= prevalence <= found.high)
    coverages = {name: float(np.mean(some)) for name, some in covered.items()}
    accepted = len(covered["by scores"]) / HARDER_REPETITIONS
    return {"easy positives": case, "not refused": accepted, **coverages}


COLUMNS_OF_HARDER = ("not refused", "by scores", "by calls", CHANGED)
TABLES = {
    "unlabeled_coverage": Task(
        by_calls,
        (
            (Setting(*reference, *rates, *cell),)
            for reference, rates, *cell in product(REFERENCES, RATES, PREVALENCES, SIZES)
        ),
        "%.5f",
        ("coverage", "refused"),
        REPETITIONS,
    ),
    "scores": Task(by_scores, product(SCORE_REFERENCES, (0.01, 0.1), (2000, 20_000)), stored=False),
    "fits": Task(fit, product(SCORE_REFERENCES, CHANGES), stored=False),
    "small": Task(size_of_check, product(SMALL_REFERENCES, LAWS, SMALL_PREVALENCES), stored=False),
    "unlabeled_harder": Task(
        harder, enumerate((EASY_BEFORE, EASY_AFTER)), "%.3f", COLUMNS_OF_HARDER, HARDER_REPETITIONS
    ),
}


def page(*tables: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    return dict(zip(("calls", "by_score", "fits", "small", "harder"), tables, strict=True))
