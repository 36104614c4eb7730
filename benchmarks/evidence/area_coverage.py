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
from pages import Task, measured_tables, ratio
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import lognorm, norm, rankdata, t

from skewproof import area_interval
from skewproof.curves import area, binormal_area
from skewproof.curves.areas.area import AREAS

SIZES = [("1:10", (5, 50)), ("1:10", (20, 200)), ("1:100", (100, 10_000))]
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
OF_AUC = 2000
"""Repetitions of the AUC, whose interval needs no draws."""
REPETITIONS = 300
OF_H = 100
"""Repetitions of the H-measure, whose curves are drawn one by one."""
REPETITIONS_ELSEWHERE = 200
OF_H_ELSEWHERE = 60
DRAWS = 500


def measured(kind, level_and_sizes, population):
    """Measure how often the interval of an area covers, is above or is below, and its width."""
    level, sizes = level_and_sizes
    found = []
    for seed in range(OF_H if kind == "h_measure" else REPETITIONS):
        random = np.random.default_rng([seed, sizes[0]])
        true = np.repeat([1, 0], sizes)
        found.append(interval(kind, true, scores_of(true, population, random), seed))
    value = binormal_area(kind, level, mean=population[0], deviation=population[1])
    return named(ratio(sizes), population, kind) | {"value": value} | shares(value, found)


def scores_of(true, population, random):
    """Draw binormal scores."""
    mean, deviation = population
    return random.normal(mean * true, np.where(true, deviation, 1))


def interval(kind, true, scores, seed, at="test set"):
    """Return the ends of an interval; a calibrated area has a level of its own."""
    at = None if kind == "calibrated_average_precision" else at
    found = area_interval(kind, true, scores, at=at, draws=DRAWS, rng=seed)
    return found.low, found.high


def named(sizes, population, kind):
    """Return the columns that name a setting."""
    return {"sizes": sizes, "mean": population[0], "deviation": population[1], "area": kind}


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


def measured_with_ties(kind, scores, sizes):
    """Measure the same for scores with few values."""
    of_classes = TIES[scores]
    values = np.arange(len(of_classes[0]))
    weights = [size * np.array(share) for size, share in zip(sizes, of_classes, strict=True)]
    labels = np.repeat([1, 0], values.size)
    value = area(kind, labels, np.tile(values, 2), sample_weight=np.concatenate(weights))
    found = []
    for seed in range(REPETITIONS):
        drawn = drawn_with_ties(scores, sizes, np.random.default_rng([seed, sizes[0]]))
        found.append(interval(kind, np.repeat([1, 0], sizes), np.concatenate(drawn), seed))
    names = {"scores": scores, "sizes": ratio(sizes), "area": kind}
    return names | {"value": value} | shares(value, found)


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
    for _ in range(OF_AUC):
        if scores in TIES:
            drawn = drawn_with_ties(scores, sizes, random)
        else:
            drawn = [one.rvs(true.size, random_state=random) for one in (positive, negative)]
            hidden = random.random(sizes[0]) < alike
            drawn[0] = np.where(hidden, drawn[1][sizes[1] :], drawn[0][: sizes[0]])
            drawn[1] = drawn[1][: sizes[1]]
        one = area_interval("auc", true, np.concatenate(drawn))
        found.append((one.low, one.high))
        others.append(delong(*drawn))
    names = {"scores": scores, "sizes": ratio(sizes), "value": value}
    of_delong = shares(value, others)
    kept = {f"delong_{name}": of_delong[name] for name in ("covered", "width")}
    return names | shares(value, found) | kept


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


def measured_elsewhere(known, kind, population, sizes):
    """Measure the same at another prevalence, which may differ between samples.

    If it is "estimated", samples are random ones of a population of 1:10, which is meant.
    """
    mean, deviation = population
    values, found = [], []
    for seed in range(OF_H_ELSEWHERE if kind == "h_measure" else REPETITIONS_ELSEWHERE):
        if known == ESTIMATED:
            random = np.random.default_rng([seed, sum(sizes)])
            at, meant = None, {"level": "1:10"}
            true = (random.random(sum(sizes)) < 1 / 11).astype(int)
        else:
            random = np.random.default_rng([seed, sizes[0]])
            at, share = AT.drawn(KNOWN[known], random)
            true, meant = np.repeat([1, 0], sizes), {"level": "1:1", "at": share}
        values.append(binormal_area(kind, mean=mean, deviation=deviation, **meant))
        found.append(interval(kind, true, scores_of(true, population, random), seed, at))
    text = f"{sum(sizes)} in all" if known == ESTIMATED else ratio(sizes)
    return {"known": known} | named(text, population, kind) | shares(np.array(values), found)


def elsewhere():
    """Yield the settings at other prevalences that take less than an hour.

    What takes long is the H-measure, a range, and many scores: at most one of them.
    """
    for kind, populations in POPULATIONS_ELSEWHERE.items():
        for population, sizes in product(populations, SIZES_ELSEWHERE):
            slow = (kind == "h_measure") + (sum(sizes) > 1000)
            for known in (ESTIMATED, *KNOWN):
                if slow + (known == "in a range") <= 1:
                    yield known, kind, population, sizes


def main():
    """Measure and write all tables."""
    kinds = [kind for kind in AREAS if kind not in SAME]
    kinds.sort(key=lambda kind: kind == "h_measure")
    names = (*POPULATIONS_OF_AUC, "two values", "five values")
    tasks = {
        "area_coverage_auc": Task(measured_of_auc, product(names, SIZES_OF_AUC)),
        "area_coverage_ties": Task(measured_with_ties, product(AREAS_OF_TIES, TIES, SIZES_OF_TIES)),
        "area_coverage_elsewhere": Task(measured_elsewhere, elsewhere()),
        "area_coverage": Task(measured, product(kinds, SIZES, POPULATIONS)),
    }
    measured_tables(__doc__, {name: task._replace(digits=None) for name, task in tasks.items()})


if __name__ == "__main__":
    main()
