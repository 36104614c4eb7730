"""Write best_points.csv: best points of metrics on binormal curves, by golden sections.

Nothing of the package is used: formulas are written in the rates u and v and the ratio r of the
classes, values are compared on a grid of thresholds, and the best of it is refined at 120 digits
without derivatives. Where the best lies at an end of the grid the column kind has "end". It takes
about a minute:

    python tests/reference/operating_points/make_best_points.py
"""

import csv
from pathlib import Path

from mpmath import erfc, mp, mpf, nstr, sqrt

mp.dps = 120
DIGITS = 25
"""Digits that are written: a golden section knows the place to half of those of the values."""

CURVES = [(1, 1.0), (2, 1.0), (3, 1.0), (2, 1 / 0.7)]
"""Means and deviations."""

RATIOS = [1, 10, 100, 1000, 1_000_000]
LOW, HIGH, STEPS = -20, 30, 1000
GOLDEN = (sqrt(5) - 1) / 2


def f_measure(beta):
    square = mpf(beta) ** 2
    return lambda u, v, r: (1 + square) * u / (square + u + r * v)


def mcc(u, v, r):
    called = u + r * v
    return (u - v) * r / sqrt(called * r * (1 + r - called))


def mcc_f1(u, v, r):
    distances = (f_measure(1)(u, v, r) - 1) ** 2 + ((mcc(u, v, r) + 1) / 2 - 1) ** 2
    return 1 - sqrt(distances / 2)


def accuracy(u, v, r):
    return (u + r * (1 - v)) / (1 + r)


def kappa(u, v, r):
    called = (u + r * v) / (1 + r)
    share = 1 / (1 + r)
    chance = called * share + (1 - called) * (1 - share)
    return (accuracy(u, v, r) - chance) / (1 - chance)


def scott_pi(u, v, r):
    share = ((u + r * v) / (1 + r) + 1 / (1 + r)) / 2
    chance = share**2 + (1 - share) ** 2
    return (accuracy(u, v, r) - chance) / (1 - chance)


def precision(u, v, r):
    return u / (u + r * v)


def adjusted_f(u, v, r):
    inverse = mpf(5) / 4 * r * (1 - v) / (mpf(1) / 4 * r + r * (1 - v) + (1 - u))
    return sqrt(f_measure(2)(u, v, r) * inverse)


METRICS = {
    "accuracy": accuracy,
    "error_rate": lambda u, v, r: 1 - accuracy(u, v, r),
    "balanced_accuracy": lambda u, v, r: (u + 1 - v) / 2,
    "f1": f_measure(1),
    "f2": f_measure(2),
    "f0_5": f_measure(mpf(1) / 2),
    "f1_i": lambda u, v, r: f_measure(1)(u, v, 1),
    "gilbert_ratio": lambda u, v, r: u / (1 + r * v),
    "cohen_kappa": kappa,
    "scott_pi": scott_pi,
    "mcc": mcc,
    "mcc_i": lambda u, v, r: mcc(u, v, 1),
    "mcc_f1": mcc_f1,
    "fowlkes_mallows": lambda u, v, r: sqrt(u * precision(u, v, r)),
    "precision_recall_mean": lambda u, v, r: (u + precision(u, v, r)) / 2,
    "g_mean": lambda u, v, r: sqrt(u * (1 - v)),
    "iba": lambda u, v, r: u * (1 - v) * (u + v),
    "sensitivity_specificity_harmonic_mean": lambda u, v, r: 2 * u * (1 - v) / (u + 1 - v),
    "hmnc": lambda u, v, r: u * (1 - v) * (1 + r) / (u + r * (1 - v)),
    "optimized_precision": lambda u, v, r: accuracy(u, v, r) - abs(1 - v - u) / (1 - v + u),
    "adjusted_f": adjusted_f,
    "markedness": lambda u, v, r: precision(u, v, r) + r * (1 - v) / (r * (1 - v) + 1 - u) - 1,
}
LOWER_IS_BETTER = {"error_rate"}


def rates(mean, deviation, threshold):
    root = sqrt(mpf(2))
    return erfc((threshold - mean) / deviation / root) / 2, erfc(threshold / root) / 2


def highest(function, low, high):
    """Find the place of the maximum by golden sections, and the maximum."""
    left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
    values = function(left), function(right)
    while high - low > mpf(10) ** -DIGITS:
        if values[0] > values[1]:
            high, right = right, left
            left = high - GOLDEN * (high - low)
            values = function(left), values[0]
        else:
            low, left = left, right
            right = low + GOLDEN * (high - low)
            values = values[1], function(right)
    return (low + high) / 2


def row(metric, ratio, grid, mean, deviation):
    sign = -1 if metric in LOWER_IS_BETTER else 1
    formula, ratio = METRICS[metric], mpf(ratio)
    values = [sign * formula(u, v, ratio) for _, u, v in grid]
    best = values.index(max(values))
    if best in (0, len(grid) - 1):
        return ["end", "", "", ""]
    position = highest(
        lambda threshold: sign * formula(*rates(mean, deviation, threshold), ratio),
        grid[best - 1][0],
        grid[best + 1][0],
    )
    u, v = rates(mean, deviation, position)
    return ["attained", *(nstr(number, 20) for number in (u, v, formula(u, v, ratio)))]


def main():
    path = Path(__file__).with_name("best_points.csv")
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["mean", "deviation", "metric", "ratio", "kind", "tpr", "fpr", "value"])
        for mean, deviation in CURVES:
            positions = [mpf(LOW) + mpf(HIGH - LOW) * step / STEPS for step in range(STEPS + 1)]
            grid = [(position, *rates(mean, mpf(deviation), position)) for position in positions]
            for metric in METRICS:
                for ratio in RATIOS:
                    best = row(metric, ratio, grid, mean, mpf(deviation))
                    writer.writerow([mean, deviation, metric, ratio, *best])
                file.flush()


if __name__ == "__main__":
    main()
