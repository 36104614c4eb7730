"""Measure how often intervals of areas cover, and write ``docs/images/area_coverage.csv``.

Scores are drawn from binormal populations; what they should cover is ``binormal_area``. Those of
few values are in ``docs/images/area_coverage_ties.csv``; there it is the area of all values, each
weighted by its share of its class. Intervals for other prevalences than the test set's, which are
known in several ways, are in ``docs/images/area_coverage_elsewhere.csv``. Intervals of the AUC for
more sizes and populations are in ``docs/images/area_coverage_auc.csv``, beside those of DeLong.
"""

from itertools import product

import numpy as np
from draws import Unsure, holds
from pages import Task, ratio
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import lognorm, norm, rankdata, t

from skewproof import area_interval
from skewproof.curves import area as area_of, binormal_area
from skewproof.curves.areas.area import AREAS

SIZES = [(5, 50), (20, 200), (100, 10_000)]
POPULATIONS = [(0, 1), (1, 1), (2, 1), (3, 1), (1.5, 2)]
SAME = {
    "normalized_average_precision": "average_precision",
    "normalized_precision_recall_area": "interpolated_average_precision",
    "balanced_average_precision": "calibrated_average_precision",
}
"""Areas whose intervals are shifted and scaled intervals of others, with the same coverage."""
TIES = {
    "two values": ([0.4, 0.6], [0.9, 0.1]),
    "five values": ([0.05, 0.1, 0.2, 0.3, 0.35], [0.4, 0.3, 0.15, 0.1, 0.05]),
    "normal, rounded to 0.1": tuple(
        np.diff(norm(mean).cdf(np.concatenate([[-np.inf], np.arange(-4.95, 7, 0.1), [np.inf]])))
        for mean in (2, 0)
    ),
}
"""Shares of the values among positives and among negatives, from the lowest on."""
SIZES_OF_TIES = [(5, 50), (20, 200), (200, 2000)]
AREAS_OF_TIES = ["auc", "average_precision", "calibrated_average_precision"]
AT = Unsure(share=0.01, sample=1000, belief=(2, 200), ends=(0.001, 0.01))
KNOWN = {
    "1:1": "1:1",
    "1:1000": "1:1000",
    "counted in 1,000": "sampled",
    "believed": "believed",
    "in a range": "between",
}
"""Kinds of knowledge of the prevalence: a belief holds on average over it, and for a range the true
value is one of the ends."""
ESTIMATED = "estimated"
SIZES_ELSEWHERE = [(20, 200), (50, 500), (100, 10_000)]
POPULATIONS_ELSEWHERE = {"average_precision": POPULATIONS, "h_measure": [(2, 1), (1, 1)]}
POPULATIONS_OF_AUC = {
    **{f"normal, mean {mean}": (norm(mean), norm(), 0) for mean in (0, 1, 2, 3)},
    "normal, mean 1.5, deviation 2": (norm(1.5, 2), norm(), 0),
    "normal, mean 2, deviation 0.5": (norm(2, 0.5), norm(), 0),
    "normal, mean 2, deviation 3": (norm(2, 3), norm(), 0),
    **{f"t of 2 degrees, moved by {by}": (t(2, by), t(2), 0) for by in (1, 2, 3)},
    **{f"lognormal, moved by {by}": (lognorm(1, by), lognorm(1), 0) for by in (0.5, 1, 3)},
    "normal, mean 3, 30 % of positives like negatives": (norm(3), norm(), 0.3),
    "normal, mean 4, 10 % of positives like negatives": (norm(4), norm(), 0.1),
}
"""Scores of positives and of negatives, and the share of positives that score like negatives."""
SIZES_OF_AUC = [(3, 111), (5, 50), (10, 1000), (20, 200), (40, 400), (100, 1000), (500, 500)]
AUC_REPETITIONS = 2000
"""Repetitions of the AUC, whose interval needs no draws."""
REPETITIONS = 300
H_REPETITIONS = 100
"""Repetitions of the H-measure, whose curves are drawn one by one."""
ELSEWHERE_REPETITIONS = 200
H_ELSEWHERE_REPETITIONS = 60
DRAWS = 500


def measured(sizes, mean, deviation, area):
    """Measure how often the interval of an area covers, is above or is below, and its width."""
    true, found = np.repeat([1, 0], sizes), []
    for seed in range(H_REPETITIONS if area == "h_measure" else REPETITIONS):
        scores = scores_of(true, mean, deviation, np.random.default_rng([seed, sizes[0]]))
        found.append(interval(area, true, scores, seed))
    level = f"1:{sizes[1] // sizes[0]}"
    value = binormal_area(area, level, mean=mean, deviation=deviation)
    return {"value": value} | shares(value, found)


def scores_of(true, mean, deviation, random):
    """Draw binormal scores."""
    return random.normal(mean * true, np.where(true, deviation, 1))


def interval(kind, true, scores, seed, at="test set"):
    """Return the ends of an interval; a calibrated area has a level of its own."""
    at = None if kind == "calibrated_average_precision" else at
    found = area_interval(kind, true, scores, at=at, draws=DRAWS, rng=seed)
    return found.low, found.high


def shares(value, found):
    """Return how often intervals contain a value or are above or below it, and their widths.

    There may be a value for each interval.
    """
    low, high = np.transpose(found)
    return {
        "covered": holds(low, high, value).mean(),
        "above": (low > value).mean(),
        "below": (high < value).mean(),
        "width": (high - low).mean(),
        "repetitions": len(found),
    }


def measured_with_ties(scores, sizes, area):
    """Measure the same for scores with few values."""
    of_classes = TIES[scores]
    values = np.arange(len(of_classes[0]))
    weights = [size * np.array(share) for size, share in zip(sizes, of_classes, strict=True)]
    labels = np.repeat([1, 0], values.size)
    value = area_of(area, labels, np.tile(values, 2), sample_weight=np.concatenate(weights))
    found = []
    for seed in range(REPETITIONS):
        drawn = drawn_with_ties(scores, sizes, np.random.default_rng([seed, sizes[0]]))
        found.append(interval(area, np.repeat([1, 0], sizes), np.concatenate(drawn), seed))
    return {"value": value} | shares(value, found)


def drawn_with_ties(scores, sizes, random):
    """Draw the scores of each class, as places among their values."""
    return [
        random.choice(len(share), size, p=share)
        for size, share in zip(sizes, TIES[scores], strict=True)
    ]


def measured_of_auc(scores, sizes):
    """Measure the same of the AUC, beside DeLong's interval on the scale of log odds."""
    if scores in TIES:
        of_positives, of_negatives = (np.array(one) for one in TIES[scores])
        value = of_positives @ (np.cumsum(of_negatives) - of_negatives / 2)
    else:
        positive, negative, alike = POPULATIONS_OF_AUC[scores]
        above = quad(lambda share: negative.cdf(positive.ppf(share)), 0, 1)[0]
        value = (1 - alike) * above + alike / 2
    true = np.repeat([1, 0], sizes)
    random = np.random.default_rng(sizes)
    found, others = [], []
    for _ in range(AUC_REPETITIONS):
        if scores in TIES:
            drawn = drawn_with_ties(scores, sizes, random)
        else:
            drawn = [one.rvs(true.size, random_state=random) for one in (positive, negative)]
            hidden = random.random(sizes[0]) < alike
            drawn[0] = np.where(hidden, drawn[1][sizes[1] :], drawn[0][: sizes[0]])
            drawn[1] = drawn[1][: sizes[1]]
        found.append(interval("auc", true, np.concatenate(drawn), 0, None))
        others.append(delong(*drawn))
    of_delong = shares(value, others)
    kept = {f"delong_{name}": of_delong[name] for name in ("covered", "width")}
    return {"value": value} | shares(value, found) | kept


def delong(positive, negative):
    """Compute DeLong's interval of the AUC on the scale of log odds, a point if it is 0 or 1."""
    ranks = rankdata(np.concatenate([positive, negative]))
    sizes = positive.size, negative.size
    of_positives = (ranks[: sizes[0]] - rankdata(positive)) / sizes[1]
    of_negatives = 1 - (ranks[sizes[0] :] - rankdata(negative)) / sizes[0]
    value = of_positives.mean()
    if value in (0, 1):
        return value, value
    error = np.sqrt(of_positives.var(ddof=1) / sizes[0] + of_negatives.var(ddof=1) / sizes[1])
    step = norm.ppf(0.975) * error / (value * (1 - value))
    return expit(logit(value) - step), expit(logit(value) + step)


def measured_elsewhere(known, sizes, mean, deviation, area):
    """Measure the same at another prevalence, which may differ between samples.

    If it is "estimated", samples are random ones of a population of 1:10, which is meant.
    """
    values, found = [], []
    for seed in range(H_ELSEWHERE_REPETITIONS if area == "h_measure" else ELSEWHERE_REPETITIONS):
        if known == ESTIMATED:
            random = np.random.default_rng([seed, sum(sizes)])
            at, meant = None, {"level": "1:10"}
            true = (random.random(sum(sizes)) < 1 / 11).astype(int)
        else:
            random = np.random.default_rng([seed, sizes[0]])
            at, share = AT.drawn(KNOWN[known], random)
            true, meant = np.repeat([1, 0], sizes), {"level": "1:1", "at": share}
        values.append(binormal_area(area, mean=mean, deviation=deviation, **meant))
        scores = scores_of(true, mean, deviation, random)
        found.append(interval(area, true, scores, seed, at))
    text = f"{sum(sizes)} in all" if known == ESTIMATED else ratio(sizes)
    return {"sizes": text} | shares(np.array(values), found)


def elsewhere():
    """Yield the settings at other prevalences that take less than an hour.

    What takes long is the H-measure, a range, and many scores: at most one of them.
    """
    for kind, populations in POPULATIONS_ELSEWHERE.items():
        for population, sizes in product(populations, SIZES_ELSEWHERE):
            slow = (kind == "h_measure") + (sum(sizes) > 1000)
            for known in (ESTIMATED, *KNOWN):
                if slow + (known == "in a range") <= 1:
                    yield known, sizes, *population, kind


KINDS = sorted((kind for kind in AREAS if kind not in SAME), key=lambda kind: kind == "h_measure")
SCORES = (*POPULATIONS_OF_AUC, "two values", "five values")
DECLARED = {"digits": "%.6f", "shares": ("covered", "above", "below"), "samples": "repetitions"}
TABLES = {
    "area_coverage_auc": Task(measured_of_auc, product(SCORES, SIZES_OF_AUC), **DECLARED),
    "area_coverage_ties": Task(
        measured_with_ties,
        ((*cell, kind) for kind, *cell in product(AREAS_OF_TIES, TIES, SIZES_OF_TIES)),
        **DECLARED,
    ),
    "area_coverage_elsewhere": Task(measured_elsewhere, elsewhere(), **DECLARED),
    "area_coverage": Task(
        measured,
        ((sizes, *model, kind) for kind, sizes, model in product(KINDS, SIZES, POPULATIONS)),
        **DECLARED,
    ),
}
