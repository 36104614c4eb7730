"""Measure how often intervals without labels hold, and what the check of fit sees.

It writes ``docs/evidence/unlabeled_coverage.md``. A labeled reference and unlabeled instances are
drawn from a classifier with known rates, or with normal scores, repeatedly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from draws import covering, true_value
from numpy.typing import NDArray
from pages import Task, measured_tables, ratio, write_page
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.label_shift import NONE, REFUSED, check_fit
from skewproof.intervals.without_labels import (
    UnlabeledRows,
    drawn_matrices,
    extreme_prevalences,
    is_separated,
)
from skewproof.metrics import get_metric
from skewproof.multiclass.declaration import of_two_classes
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
    random = np.random.default_rng([SEED, *setting[:2], setting.size, int(1e4 * setting.tpr)])
    tp = random.binomial(setting.positives, setting.tpr, REPETITIONS)
    fp = random.binomial(setting.negatives, setting.fpr, REPETITIONS)
    share = setting.prevalence * setting.tpr + (1 - setting.prevalence) * setting.fpr
    called = random.binomial(setting.size, share, REPETITIONS)
    totals = np.array([setting.positives, setting.negatives, setting.size])
    hits = np.stack([tp, fp, called], axis=-1)[..., np.newaxis].astype(float)
    counts, radius = [hits, totals[:, np.newaxis] - hits], radius_of(CONFIDENCE)
    low, high = extreme_prevalences(counts, radius)
    wider = radius_of(max(CONFIDENCE, 1 - REFUSED))
    high = np.where(high <= NONE, extreme_prevalences(counts, wider)[1], high)
    refused = (high <= NONE).any(axis=1)
    labeled = np.concatenate(counts, axis=-1)[:, :2]
    refused |= ~is_separated(labeled, radius)
    found = {"prevalence": (low[:, 0], high[:, 0], setting.prevalence)}
    unlabeled = UnlabeledRows.from_counts(counts, np.full(REPETITIONS, float(setting.size)))
    for key in METRIC_KEYS:
        ends = unlabeled.estimates(of_two_classes(get_metric(key)), radius)
        value = true_value(key, setting.tpr, setting.fpr, setting.prevalence)
        found[key] = (ends.low, ends.high, value)
    for key, interval in found.items():
        row = {"metric": key} | covering(*interval, ~refused) | {"refused": refused.mean()}
        yield setting._asdict() | row


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
    tails, radius = [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], radius_of(CONFIDENCE)
    covered: dict[str, list[bool]] = {}
    for _ in range(SCORE_REPETITIONS):
        at, labels, unlabeled = scored(reference, prevalence, size, random)
        columns = [column[np.newaxis] for column in at.bins.columns]
        low, high = (float(end[0, 0]) for end in extreme_prevalences(columns, radius))
        covered.setdefault("prevalence", []).append(low <= prevalence <= high)
        own = ConfusionMatrix.from_labels(labels, (unlabeled >= THRESHOLD).astype(float))
        rows, matrices = UnlabeledRows.of_reference(at.bins), drawn_matrices(at, SCORE_DRAWS)
        for key in METRIC_KEYS:
            metric = get_metric(key)
            ends = rows.estimates(of_two_classes(metric), radius)
            value = true_value(key, tpr, fpr, prevalence)
            covered.setdefault(key, []).append(bool(ends.low[0] <= value <= ends.high[0]))
            low, high = np.nanquantile(metric(matrices.pair), tails)
            name = f"{key} of these instances"
            covered.setdefault(name, []).append(low <= float(metric(own)) <= high)
    row = {"reference": ratio(reference), "prevalence": prevalence, "size": size}
    for key, some in covered.items():
        yield row | {"metric": key, "coverage": float(np.mean(some))}


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


def refusals(p_values: list[float]) -> dict[str, float]:
    """Return how often the check of fit doubts or refuses."""
    return {f"p < {level}": float(np.mean(np.array(p_values) < float(level))) for level in LEVELS}


LEVELS = (".05", ".01")


def fit(reference: tuple[int, int], name: str) -> dict[str, object]:
    """Measure how often the check of fit doubts or refuses after a change."""
    random = np.random.default_rng([SEED, *reference, list(CHANGES).index(name)])
    p_values = [
        check_fit(scored(reference, 0.1, 5000, random, CHANGES[name])[0]).p
        for _ in range(FIT_REPETITIONS)
    ]
    return {"reference": ratio(reference), "change": name} | refusals(p_values)


def size_of_check(reference: tuple[int, int], law: str, prevalence: float) -> dict[str, object]:
    """Measure how often the check of fit doubts or refuses under label shift, for few positives."""
    random = np.random.default_rng([SEED, *reference, LAWS.index(law), int(1e4 * prevalence)])

    def labeled(positives: int, negatives: int) -> tuple[Numbers, Numbers]:
        true = np.repeat([1.0, 0.0], [positives, negatives])
        noise = random.normal(size=true.size) if law == LAWS[0] else random.standard_t(2, true.size)
        return true, noise + SEPARATION * true

    p_values = []
    for _ in range(SMALL_REPETITIONS):
        positives = random.binomial(20_000, prevalence)
        unlabeled = labeled(positives, 20_000 - positives)[1]
        known = labeled(*reference)
        p_values.append(check_fit(Prevalence.from_scores(*known, unlabeled, threshold=THRESHOLD)).p)
    row = {"reference": ratio(reference), "scores": law, "prevalence": prevalence}
    return row | refusals(p_values)


def harder(easy: float, seed: int) -> dict[str, object]:
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
        unlabeled = np.append(positives(number, easy), random.normal(size=size - number))
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
    return {"easy positives": easy, "not refused": accepted, **coverages}


def main() -> None:
    """Measure all settings, and write two tables and the page."""
    settings = itertools.product(REFERENCES, RATES, PREVALENCES, SIZES)
    every = itertools.product(SMALL_REFERENCES, LAWS, SMALL_PREVALENCES)
    kinds = ((EASY_BEFORE, 0), (EASY_AFTER, 1))
    tasks = {
        "unlabeled_coverage": Task(
            by_calls,
            [(Setting(*reference, *rates, *one),) for reference, rates, *one in settings],
            "%.5f",
            REPETITIONS,
        ),
        "scores": Task(
            by_scores,
            itertools.product(SCORE_REFERENCES, (0.01, 0.1), (2000, 20_000)),
            stored=False,
        ),
        "fits": Task(fit, itertools.product(SCORE_REFERENCES, CHANGES), stored=False),
        "small": Task(size_of_check, every, stored=False),
        "unlabeled_harder": Task(harder, kinds, "%.3f"),
    }
    calls, by_score, fits, small, harder_ones = measured_tables(__doc__, tasks)
    write_page(
        "unlabeled_coverage",
        globals(),
        calls=calls,
        by_score=by_score,
        fits=fits,
        small=small,
        harder=harder_ones,
    )


if __name__ == "__main__":
    main()
