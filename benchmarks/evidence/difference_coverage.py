"""Measure how often intervals of differences of two models' scores cover, and how often they err.

It writes ``docs/evidence/difference_coverage.md``. Scores of two models are correlated normal
numbers, also rounded ones and some with heavy tails; the true values come from the distributions.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from draws import share_of
from numpy.typing import NDArray
from pages import Task, cells, markdown
from scipy import stats
from scipy.special import expit, logit

from skewproof import area_interval, compare

Array = NDArray[np.float64]

AUCS = ((0.75, 0.80), (0.85, 0.85), (0.95, 0.97))
CORRELATIONS = (0.3, 0.8)
SHAPES = ("normal", "rounded", "heavy tails")
REPETITIONS = {20: 300, 100: 250, 1000: 150, 1500: 150}
"""Numbers of samples by the number of positives."""
*SIZES, LARGE = REPETITIONS
RATIO = 10
"""Negatives per positive."""
PLACES = ("population", "0.01", "1:1000", "sampled")
SAMPLED = 400
"""Size of the other sample of a sampled prevalence."""
THRESHOLD = 0.1
KINDS = ("auc", "average_precision", "brier", "log_loss", "net_benefit", "expected_cost")
OF_RATES = ("auc",)
GROUPS = 40
SHARED = 0.3
"""Intraclass correlation of scores of grouped rows."""
SHARES_IMPROVED = (0.02, 0.05, 0.1, 0.2)
CONFIDENCE = 0.95
GRID = 200_000
SEED = 1


class Setting(NamedTuple):
    """Distributions of two models' scores, and how many positives are sampled."""

    design: str
    """"paired", "two test sets", "groups", "gain in few" or "one model"."""
    aucs: tuple[float, float]
    correlation: float
    shape: str
    positives: int
    improved: float = 0.0
    """Share of the positives in which the second model is better, for "gain in few"."""


ONE = "one model"
FEWEST = 0.03
"""A prevalence at which large samples show enough negatives."""


def settings() -> Iterator[Setting]:
    """Yield all settings."""
    for aucs, correlation, size in product(AUCS, CORRELATIONS, SIZES):
        yield Setting("paired", aucs, correlation, "normal", size)
    for shape, size in product(SHAPES[1:], SIZES):
        yield Setting("paired", AUCS[0], 0.8, shape, size)
    for design, aucs, size in product(("two test sets", "groups"), AUCS, SIZES):
        yield Setting(design, aucs, 0.8, "normal", size)
    for size, share in product(SIZES, SHARES_IMPROVED):
        yield Setting("gain in few", (0.85, 0.85), 1.0, "normal", size, share)
    for aucs, shape in product(AUCS, SHAPES):
        yield Setting(ONE, aucs, 0.8, shape, LARGE)


def distances(setting: Setting) -> Array:
    """Return how many standard deviations the positives of each model are above its negatives."""
    return np.sqrt(2) * stats.norm.ppf(setting.aucs)


def shaped(scores: Array, setting: Setting) -> Array:
    """Round normal scores, or give them heavy tails."""
    if setting.shape == "rounded":
        return np.round(2 * scores) / 2
    if setting.shape == "heavy tails":
        return np.sign(scores) * np.abs(scores) ** 1.5
    return scores


def probabilities(scores: Array, distance: float) -> Array:
    """Return probabilities that are calibrated for normal scores at the sampled ratio."""
    return expit(logit(1 / (1 + RATIO)) + distance * scores - distance**2 / 2)


def improvement(setting: Setting) -> float:
    """Return by how much the second model's scores of some positives are higher."""
    return 2.0 if setting.design == "gain in few" else 0.0


def drawn(setting: Setting, random: np.random.Generator) -> dict[str, Any]:
    """Draw labels, groups, and the scores of both models."""
    size = setting.positives * (1 + RATIO)
    codes = np.arange(size) % GROUPS
    if setting.design == "two test sets":
        true = random.random((2, size)) < 1 / (1 + RATIO)
    else:
        true = np.tile(random.random(size) < 1 / (1 + RATIO), (2, 1))
    noise = random.standard_normal((3, size))
    if setting.design == "groups":
        common = random.standard_normal((3, GROUPS))[:, codes]
        noise = np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * noise
    mixed = np.sqrt(setting.correlation) * noise[2] + np.sqrt(1 - setting.correlation) * noise[:2]
    scores = mixed + distances(setting)[:, np.newaxis] * true
    better = random.random(size) < setting.improved
    scores[1] += improvement(setting) * (true[1] & better)
    return {"true": true, "scores": scores, "codes": codes}


def truth(setting: Setting, kind: str, share: float) -> float:
    """Compute the true difference at a prevalence."""
    ranks = (np.arange(GRID) + 0.5) / GRID
    values = []
    for model, distance in enumerate(distances(setting)[: 1 if setting.design == ONE else 2]):
        negative = stats.norm.ppf(ranks)
        positive, weights = negative + distance, np.full(GRID, 1 / GRID)
        if model and setting.improved:
            positive = np.concatenate([positive, positive + improvement(setting)])
            weights = np.outer([1 - setting.improved, setting.improved], weights).ravel()
        values.append(true_value(kind, setting, distance, positive, weights, negative, share))
    return values[-1] - (0.0 if setting.design == ONE else values[0])


def true_value(
    kind: str,
    setting: Setting,
    distance: float,
    positive: Array,
    weights: Array,
    negative: Array,
    share: float,
) -> float:
    """Compute a statistic from quantiles of both classes; those of positives have weights."""
    if kind in ("auc", "average_precision"):
        positive = shaped(positive, setting)
        order = np.argsort(-positive, kind="stable")
        tpr = np.cumsum(weights[order])
        falling = positive[order]
        if setting.shape == "rounded":
            cuts = np.unique(falling)[::-1]
            ends = np.searchsorted(-falling, -cuts, side="right") - 1
            tpr = tpr[ends]
            levels = 2 * cuts / 2 - 0.25
            fpr = stats.norm.sf(levels)
            steps = np.diff(tpr, prepend=0.0)
        else:
            linear = np.sign(falling) * np.abs(falling) ** (2 / 3)
            fpr = stats.norm.sf(falling if setting.shape == "normal" else linear)
            steps = weights[order]
            tpr = tpr - steps / 2
        if kind == "auc":
            before = np.concatenate([[0.0], fpr[:-1]])
            middle = (before + fpr) / 2 if setting.shape == "rounded" else fpr
            return float(np.sum(steps * (1 - middle)))
        return float(np.sum(steps * share * tpr / (share * tpr + (1 - share) * fpr)))
    chances = [probabilities(shaped(some, setting), distance) for some in (positive, negative)]
    losses = {
        "brier": ((1 - chances[0]) ** 2, chances[1] ** 2),
        "log_loss": (-np.log(chances[0]), -np.log1p(-chances[1])),
        "net_benefit": (
            chances[0] >= THRESHOLD,
            (chances[1] >= THRESHOLD) * -THRESHOLD / (1 - THRESHOLD),
        ),
        "expected_cost": (chances[0] < THRESHOLD, chances[1] >= THRESHOLD),
    }[kind]
    weight = share
    if kind == "expected_cost":
        weight = float(expit(logit(share) - logit(THRESHOLD)))
    return float(weight * (losses[0] @ weights) + (1 - weight) * np.mean(losses[1]))


def options_of(setting: Setting, kind: str, sample: dict[str, Any]) -> dict[str, Any]:
    """Return how the package is told of the design."""
    options: dict[str, Any] = {}
    if kind in ("net_benefit", "expected_cost"):
        options["threshold"] = THRESHOLD
    if setting.design == "two test sets":
        options["paired"] = False
    if setting.design == "groups":
        options["groups"] = sample["codes"]
    return options


def measured(seed: int, setting: Setting) -> Iterator[dict[str, Any]]:
    """Measure the coverage of the intervals in a setting, and how often they leave out 0."""
    random = np.random.default_rng([SEED, seed])
    places = PLACES if setting.design in ("paired", "groups") else ("0.01",)
    kinds: tuple[str, ...] = KINDS
    if setting.design == ONE:
        places, kinds = ("population", str(FEWEST)), ("average_precision",)
    of_place = {"population": 1 / (1 + RATIO), "0.01": 0.01, "1:1000": 1 / 1001, "sampled": 0.02}
    of_place[str(FEWEST)] = FEWEST
    results: dict[tuple[str, str], list[tuple[bool, bool]]] = {
        (kind, place): []
        for kind in kinds
        for place in places
        if kind not in OF_RATES or place == places[0]
    }
    truths = {(kind, place): truth(setting, kind, of_place[place]) for kind, place in results}
    for _ in range(REPETITIONS[setting.positives]):
        sample = drawn(setting, random)
        true = sample["true"].astype(int)
        if true.sum(axis=1).min() < 2:
            continue
        scores = [shaped(model, setting) for model in sample["scores"]]
        chances = list(map(probabilities, scores, distances(setting)))
        calls = [(chance >= THRESHOLD).astype(int) for chance in chances]
        models = {"auc": scores, "average_precision": scores, "expected_cost": calls}
        labels: Any = tuple(true) if setting.design == "two test sets" else true[0]
        count = random.binomial(SAMPLED, of_place["sampled"])
        for (kind, place), pairs in results.items():
            options = options_of(setting, kind, sample)
            options["at"] = f"{count}/{SAMPLED}" if place == "sampled" else place
            try:
                if setting.design == ONE:
                    interval: Any = area_interval(kind, labels, scores[0], **options)
                else:
                    interval = compare(kind, labels, *models.get(kind, chances), **options)
            except ValueError:  # nothing in the rows tells the models apart
                pairs.append((False, False))
                continue
            inside = interval.low <= truths[kind, place] <= interval.high
            pairs.append((bool(inside), not interval.low <= 0 <= interval.high))
    for (kind, place), pairs in results.items():
        covered, rejected = np.transpose(pairs)
        coverage = share_of("coverage", covered)
        yield (
            {"aucs": " and ".join(map(str, setting.aucs)), "kind": kind, "at": place}
            | {"samples": len(pairs), "difference": truths[kind, place]}
            | {"coverage": coverage["coverage"], "rejected": rejected.mean()}
            | coverage
        )


def summary(frame: pd.DataFrame, by: str) -> str:
    """Return the mean and the least coverage for each number of positives, as a table."""
    return markdown(cells(frame, [by, "positives"]).fillna("").reset_index())


TABLES = {
    "difference_coverage": Task(measured, enumerate(settings()), shares=("coverage", "rejected"))
}


def page(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    usual = frame[frame["design"] != "gain in few"]
    paired = usual[usual["design"] == "paired"]
    null = paired[np.abs(paired["difference"]) < 1e-9]
    least = np.where(usual["positives"] < 100, 0.9, 0.93)
    below = usual[usual["coverage"] + 2 * usual["standard_error"] < least]
    columns = ["design", "aucs", "correlation", "shape", "positives", "kind", "at", "coverage"]
    few = frame[(frame["design"] == "gain in few") & frame["kind"].isin(["auc", "net_benefit"])]
    return {
        "samples": frame.groupby("positives")["samples"].max().to_dict(),
        "paired": paired,
        "usual": usual,
        "errors": null.groupby("positives")["rejected"].agg(["mean", "max"]).reset_index(),
        "below": below.sort_values("coverage")[columns],
        "few": few.assign(kind=few["kind"] + ", " + few["improved"].map(str)),
        "by": summary,
    }
