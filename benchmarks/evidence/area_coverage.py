"""Measure how often intervals of areas cover, and write ``docs/images/area_coverage.csv``.

Scores are drawn from binormal populations; what they should cover is ``binormal_area``. Those of
few values are in ``docs/images/area_coverage_ties.csv``; there it is the area of all values, each
weighted by its share of its class. Intervals for other prevalences than the test set's, which are
known in several ways, are in ``docs/images/area_coverage_elsewhere.csv``. Intervals of the AUC for
more sizes and populations are in ``docs/images/area_coverage_auc.csv``, beside those of DeLong.
"""

from itertools import product

import numpy as np
import pandas as pd
from pages import write_table
from scipy.integrate import quad
from scipy.special import expit, logit
from scipy.stats import lognorm, norm, rankdata, t

from skewproof import Prevalence, area_interval
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
SHARE = 0.01
"""Prevalence that is counted in a sample of 1,000."""
BELIEF = (2, 200)
RANGE = (0.001, 0.01)
KNOWN = {
    "1:1": lambda random: ("1:1", 1 / 2),
    "1:1000": lambda random: ("1:1000", 1 / 1001),
    "counted in 1,000": lambda random: (
        Prevalence.sampled(int(random.binomial(1000, SHARE)), 1000),
        SHARE,
    ),
    "believed": lambda random: (Prevalence.believed(*BELIEF), random.beta(*BELIEF)),
    "in a range": lambda random: (Prevalence.between(*RANGE), random.choice(RANGE)),
}
"""Kinds of knowledge of the prevalence, with its true value: a belief holds on average over it, and
for a range it is one of the ends."""
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


def measured(kind, level, positives, negatives, mean, deviation):
    """Measure how often the interval of an area covers, is above or is below, and its width."""
    value = binormal_area(kind, level, mean=mean, deviation=deviation)
    true = np.repeat([1, 0], [positives, negatives])
    repetitions = OF_H if kind == "h_measure" else REPETITIONS
    found = []
    for seed in range(repetitions):
        random = np.random.default_rng([seed, positives])
        scores = random.normal(mean * true, np.where(true, deviation, 1))
        one = area_interval(kind, true, scores, at=prevalence_of(kind), draws=DRAWS, rng=seed)
        found.append((one.low, one.high))
    return {
        "sizes": f"{positives}:{negatives}",
        "mean": mean,
        "deviation": deviation,
        "area": kind,
        **counted(value, found),
    }


def prevalence_of(kind):
    """Return the class sizes of the sample, or the level of the area itself."""
    return None if kind == "calibrated_average_precision" else "test set"


def counted(value, found):
    """Return how often intervals contain a value or are above or below it, and their widths."""
    return {"value": value, **shares(value, found)}


def shares(value, found):
    """Return the shares for one value, or for one value per interval."""
    low, high = np.transpose(found)
    return {
        "covered": ((low <= value) & (value <= high)).mean(),
        "above": (low > value).mean(),
        "below": (high < value).mean(),
        "width": (high - low).mean(),
        "repetitions": len(found),
    }


def measured_with_ties(kind, scores, positives, negatives):
    """Measure the same for scores with few values."""
    shares = TIES[scores]
    values = np.arange(len(shares[0]))
    weights = np.concatenate([positives * np.array(shares[0]), negatives * np.array(shares[1])])
    labels = np.repeat([1, 0], values.size)
    value = area(kind, labels, np.tile(values, 2), sample_weight=weights)
    true = np.repeat([1, 0], [positives, negatives])
    found = []
    for seed in range(REPETITIONS):
        random = np.random.default_rng([seed, positives])
        drawn = [
            random.choice(values, size, p=share)
            for size, share in zip((positives, negatives), shares, strict=True)
        ]
        drawn = np.concatenate(drawn)
        one = area_interval(kind, true, drawn, at=prevalence_of(kind), draws=DRAWS, rng=seed)
        found.append((one.low, one.high))
    names = {"scores": scores, "sizes": f"{positives}:{negatives}", "area": kind}
    return names | counted(value, found)


def measured_of_auc(scores, positives, negatives):
    """Measure the same of the AUC, beside DeLong's interval on the scale of log odds."""
    if scores in TIES:
        shares_of = [np.array(one) for one in TIES[scores]]
        value = shares_of[0] @ (np.cumsum(shares_of[1]) - shares_of[1] / 2)
    else:
        positive, negative, alike = POPULATIONS_OF_AUC[scores]
        above = quad(lambda share: negative.cdf(positive.ppf(share)), 0, 1)[0]
        value = (1 - alike) * above + alike / 2
    true = np.repeat([1, 0], [positives, negatives])
    random = np.random.default_rng([positives, negatives])
    found, others = [], []
    for _ in range(OF_AUC):
        if scores in TIES:
            drawn = [
                random.choice(share.size, size, p=share)
                for size, share in zip((positives, negatives), shares_of, strict=True)
            ]
        else:
            drawn = [one.rvs(true.size, random_state=random) for one in (positive, negative)]
            hidden = random.random(positives) < alike
            drawn[0] = np.where(hidden, drawn[1][negatives:], drawn[0][:positives])
            drawn[1] = drawn[1][:negatives]
        one = area_interval("auc", true, np.concatenate(drawn))
        found.append((one.low, one.high))
        others.append(delong(*drawn))
    names = {"scores": scores, "sizes": f"{positives}:{negatives}"}
    of_delong = {f"delong_{name}": one for name, one in shares(value, others).items()}
    kept = {name: of_delong[name] for name in ("delong_covered", "delong_width")}
    return names | counted(value, found) | kept


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


def measured_elsewhere(kind, known, positives, negatives, mean, deviation):
    """Measure the same at another prevalence, which may differ between samples."""
    true = np.repeat([1, 0], [positives, negatives])
    values, found = [], []
    for seed in range(OF_H_ELSEWHERE if kind == "h_measure" else REPETITIONS_ELSEWHERE):
        random = np.random.default_rng([seed, positives])
        at, share = KNOWN[known](random)
        values.append(binormal_area(kind, "1:1", mean=mean, deviation=deviation, at=share))
        scores = random.normal(mean * true, np.where(true, deviation, 1))
        one = area_interval(kind, true, scores, at=at, draws=DRAWS, rng=seed)
        found.append((one.low, one.high))
    return {
        "known": known,
        "sizes": f"{positives}:{negatives}",
        "mean": mean,
        "deviation": deviation,
        "area": kind,
        **shares(np.array(values), found),
    }


def measured_of_samples(kind, size, mean, deviation):
    """Measure the same in random samples of a population of 1:10, for that population."""
    value = binormal_area(kind, "1:10", mean=mean, deviation=deviation)
    found = []
    for seed in range(OF_H_ELSEWHERE if kind == "h_measure" else REPETITIONS_ELSEWHERE):
        random = np.random.default_rng([seed, size])
        true = (random.random(size) < 1 / 11).astype(int)
        scores = random.normal(mean * true, np.where(true, deviation, 1))
        one = area_interval(kind, true, scores, draws=DRAWS, rng=seed)
        found.append((one.low, one.high))
    return {
        "known": "estimated",
        "sizes": f"{size} in all",
        "mean": mean,
        "deviation": deviation,
        "area": kind,
        **shares(value, found),
    }


def elsewhere():
    """Yield the rows of the settings at other prevalences that take less than an hour.

    What takes long is the H-measure, a range, and many scores: at most one of them.
    """
    for kind, populations in POPULATIONS_ELSEWHERE.items():
        for population, sizes in product(populations, SIZES_ELSEWHERE):
            slow = (kind == "h_measure") + (sum(sizes) > 1000)
            if slow <= 1:
                yield measured_of_samples(kind, sum(sizes), *population)
            for known in KNOWN:
                if slow + (known == "in a range") <= 1:
                    yield measured_elsewhere(kind, known, *sizes, *population)


def main():
    """Write all tables; those of the AUC and of scores with few values take few minutes."""
    names = (*POPULATIONS_OF_AUC, "two values", "five values")
    rows = [measured_of_auc(name, *sizes) for name, sizes in product(names, SIZES_OF_AUC)]
    write_table("area_coverage_auc", pd.DataFrame(rows).round(6), None)
    rows = [
        measured_with_ties(kind, scores, *sizes)
        for kind, scores, sizes in product(AREAS_OF_TIES, TIES, SIZES_OF_TIES)
    ]
    write_table("area_coverage_ties", pd.DataFrame(rows).round(6), None)
    rows = []
    for row in elsewhere():
        rows.append(row)
        print(*row.values(), flush=True)
        write_table("area_coverage_elsewhere", pd.DataFrame(rows).round(6), None)
    kinds = [kind for kind in AREAS if kind not in SAME]
    kinds.sort(key=lambda kind: kind == "h_measure")
    rows = []
    for kind, (level, sizes), population in product(kinds, SIZES, POPULATIONS):
        rows.append(measured(kind, level, *sizes, *population))
        print(*rows[-1].values(), flush=True)
        write_table("area_coverage", pd.DataFrame(rows).round(6), None)


if __name__ == "__main__":
    main()
