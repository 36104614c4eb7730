"""Measure how often intervals without labels hold, and what the check of fit sees.

It writes ``docs/evidence/unlabeled_coverage.md``. A labeled reference and unlabeled instances are
drawn from a classifier with known rates, or with normal scores, repeatedly.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import markdown, write_page, write_table
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.label_shift import NONE, REFUSED, check_fit
from skewproof.intervals.unlabeled_rows import UnlabeledRows
from skewproof.intervals.without_labels import drawn_matrices, extreme_prevalences, is_separated
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
PROCESSES = 2

Numbers = NDArray[np.float64]


class Setting(NamedTuple):
    """A reference, a classifier and the data that it is used on."""

    positives: int
    negatives: int
    tpr: float
    fpr: float
    prevalence: float
    size: int


def true_value(key: str, share: float, tpr: float, fpr: float) -> float:
    """Return a metric of the population."""
    matrix = ConfusionMatrix.from_rates(tpr, fpr, positives=share, negatives=1 - share)
    return float(get_metric(key)(matrix))


def by_calls(setting: Setting) -> pd.DataFrame:
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
    rows = []
    found = {"prevalence": (low[:, 0], high[:, 0], setting.prevalence)}
    unlabeled = UnlabeledRows.from_counts(counts, np.full(REPETITIONS, float(setting.size)))
    for key in METRIC_KEYS:
        ends = unlabeled.estimates(of_two_classes(get_metric(key)), radius)
        value = true_value(key, setting.prevalence, setting.tpr, setting.fpr)
        found[key] = (ends.low, ends.high, value)
    for key, (low_end, high_end, value) in found.items():
        inside = (low_end <= value) & (value <= high_end)
        row = {"metric": key, "coverage": float(inside[~refused].mean())}
        width = float((high_end - low_end)[~refused].mean())
        rows.append(setting._asdict() | row | {"width": width, "refused": float(refused.mean())})
    return pd.DataFrame(rows)


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
    at = Prevalence.from_scores(true, known, unlabeled, threshold=SEPARATION / 2 + 0.5)
    return at, labels, unlabeled


def by_scores(reference: tuple[int, int], prevalence: float, size: int) -> pd.DataFrame:
    """Measure coverage of the population's prevalence and metrics, and the instances' metrics."""
    random = np.random.default_rng([SEED, *reference, int(1e4 * prevalence), size])
    threshold = SEPARATION / 2 + 0.5
    tpr, fpr = stats.norm.sf(threshold - SEPARATION), stats.norm.sf(threshold)
    tails, radius = [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], radius_of(CONFIDENCE)
    covered: dict[str, list[bool]] = {}
    for _ in range(SCORE_REPETITIONS):
        at, labels, unlabeled = scored(reference, prevalence, size, random)
        columns = [column[np.newaxis] for column in at.bins.columns]
        low, high = (float(end[0, 0]) for end in extreme_prevalences(columns, radius))
        covered.setdefault("prevalence", []).append(low <= prevalence <= high)
        own = ConfusionMatrix.from_labels(labels, (unlabeled >= threshold).astype(float))
        rows, matrices = UnlabeledRows.of_reference(at.bins), drawn_matrices(at, SCORE_DRAWS)
        for key in METRIC_KEYS:
            metric = get_metric(key)
            ends = rows.estimates(of_two_classes(metric), radius)
            value = true_value(key, prevalence, tpr, fpr)
            covered.setdefault(key, []).append(bool(ends.low[0] <= value <= ends.high[0]))
            low, high = np.nanquantile(metric(matrices.pair), tails)
            name = f"{key} of these instances"
            covered.setdefault(name, []).append(low <= float(metric(own)) <= high)
    row = {"reference": "{}:{}".format(*reference), "prevalence": prevalence, "size": size}
    return pd.DataFrame(
        [row | {"metric": key, "coverage": float(np.mean(some))} for key, some in covered.items()]
    )


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


def fit(reference: tuple[int, int], name: str) -> dict[str, object]:
    """Measure how often the check of fit doubts or refuses."""
    random = np.random.default_rng([SEED, *reference, list(CHANGES).index(name)])
    p_values = np.array(
        [
            check_fit(scored(reference, 0.1, 5000, random, CHANGES[name])[0]).p
            for _ in range(FIT_REPETITIONS)
        ]
    )
    return {
        "reference": "{}:{}".format(*reference),
        "change": name,
        "p < .05": float(np.mean(p_values < 0.05)),
        "p < .01": float(np.mean(p_values < 0.01)),
    }


def size_of_check(reference: tuple[int, int], law: str, prevalence: float) -> dict[str, object]:
    """Measure how often the check of fit doubts or refuses under label shift, for few positives."""
    random = np.random.default_rng([SEED, *reference, LAWS.index(law), int(1e4 * prevalence)])
    threshold = SEPARATION / 2 + 0.5

    def labeled(positives: int, negatives: int) -> tuple[Numbers, Numbers]:
        true = np.repeat([1.0, 0.0], [positives, negatives])
        noise = random.normal(size=true.size) if law == LAWS[0] else random.standard_t(2, true.size)
        return true, noise + SEPARATION * true

    p_values = []
    for _ in range(SMALL_REPETITIONS):
        positives = random.binomial(20_000, prevalence)
        unlabeled = labeled(positives, 20_000 - positives)[1]
        known = labeled(*reference)
        p_values.append(check_fit(Prevalence.from_scores(*known, unlabeled, threshold=threshold)).p)
    return {
        "reference": "{}:{}".format(*reference),
        "scores": law,
        "prevalence": prevalence,
        "p < .05": float(np.mean(np.array(p_values) < 0.05)),
        "p < .01": float(np.mean(np.array(p_values) < 0.01)),
    }


def harder(easy: float, seed: int) -> dict[str, object]:
    """Measure refusals and coverage if the kinds of positives have some share of easy ones."""
    random = np.random.default_rng([SEED, seed])
    threshold, prevalence, size = SEPARATION / 2 + 0.5, 0.1, 20_000

    def positives(number: int, share: float) -> Numbers:
        return random.normal(np.where(random.random(number) < share, EASY, HARD))

    true = np.repeat([1, 0], [200, 2000])
    covered: dict[str, list[bool]] = {"by scores": [], "by calls": [], CHANGED: []}
    for _ in range(HARDER_REPETITIONS):
        known = np.append(positives(200, EASY_BEFORE), random.normal(size=2000))
        number = random.binomial(size, prevalence)
        unlabeled = np.append(positives(number, easy), random.normal(size=size - number))
        at = Prevalence.from_scores(true, known, unlabeled, threshold=threshold)
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


def summary(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the number of settings, with the smallest and the mean coverage."""
    found = frame.groupby(by, sort=False)["coverage"].agg(["size", "min", "mean"])
    return found.rename(columns={"size": "settings"}).reset_index()


def main() -> None:
    settings = [
        Setting(*reference, *rates, prevalence, size)
        for reference, rates, prevalence, size in itertools.product(
            REFERENCES, RATES, PREVALENCES, SIZES
        )
    ]
    with ProcessPoolExecutor(PROCESSES) as pool:
        calls = pd.concat(pool.map(by_calls, settings), ignore_index=True)
        by_all = list(itertools.product(SCORE_REFERENCES, (0.01, 0.1), (2000, 20_000)))
        by_score = pd.concat(pool.map(by_scores, *zip(*by_all, strict=True)), ignore_index=True)
        pairs = list(itertools.product(SCORE_REFERENCES, CHANGES))
        fits = pd.DataFrame(pool.map(fit, *zip(*pairs, strict=True)))
        every = itertools.product(SMALL_REFERENCES, LAWS, SMALL_PREVALENCES)
        small = pd.DataFrame(pool.map(size_of_check, *zip(*every, strict=True)))
        harder_ones = pd.DataFrame(pool.map(harder, (EASY_BEFORE, EASY_AFTER), (0, 1)))
    write_table("unlabeled_harder", harder_ones, "%.3f")
    write_table("unlabeled_coverage", calls, repetitions=REPETITIONS)
    write_page(
        "unlabeled_coverage",
        confidence=CONFIDENCE,
        references=", ".join("{}:{}".format(*one) for one in REFERENCES),
        rates=RATES,
        prevalences=PREVALENCES,
        sizes=SIZES,
        settings=len(settings),
        repetitions=REPETITIONS,
        calls=markdown(summary(calls, ["metric"])),
        most_refused=calls["refused"].max(),
        separation=SEPARATION,
        score_repetitions=SCORE_REPETITIONS,
        scores=markdown(summary(by_score, ["metric"])),
        fit_repetitions=FIT_REPETITIONS,
        fits=markdown(fits),
        small=markdown(small),
        small_repetitions=SMALL_REPETITIONS,
        small_error=np.sqrt(0.01 * 0.99 / SMALL_REPETITIONS),
        harder=markdown(harder_ones),
        harder_repetitions=HARDER_REPETITIONS,
        easy=EASY,
        hard=HARD,
        easy_before=EASY_BEFORE,
        easy_after=EASY_AFTER,
        tpr_change=TPR_CHANGE,
    )


if __name__ == "__main__":
    main()
