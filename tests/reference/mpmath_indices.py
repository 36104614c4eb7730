"""Reference values of first-order indices, by formulas of their own and mpmath's quadrature.

``python tests/reference/mpmath_indices.py > tests/reference/mpmath_indices.csv`` takes minutes.
"""

import itertools
from concurrent.futures import ProcessPoolExecutor

from mpmath import mp, mpf

DIGITS = 30
mp.dps = DIGITS + 15

LEVELS = ["1:1", "1:1000", "1:1000000", "1000000:1"]
POSITIVES = mpf(100)


def accuracy(tp, fn, fp, tn):
    return (tp + tn) / (tp + fn + fp + tn)


def f1(tp, fn, fp, tn):
    return 2 * tp / (2 * tp + fn + fp)


def laplace(tp, fn, fp, tn):
    return (tp + 1) / (tp + fp + 2)


def mcc(tp, fn, fp, tn):
    return (1 + (tp * tn - fp * fn) / mp.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))) / 2


def optimized_precision(tp, fn, fp, tn):
    sensitivity, specificity = tp / (tp + fn), tn / (tn + fp)
    relationship = abs(specificity - sensitivity) / (specificity + sensitivity)
    return (1 + accuracy(tp, fn, fp, tn) - relationship) / 2


def sensitivity_specificity_harmonic_mean(tp, fn, fp, tn):
    return 2 / ((tp + fn) / tp + (tn + fp) / tn)


METRICS = [
    accuracy,
    f1,
    laplace,
    mcc,
    optimized_precision,
    sensitivity_specificity_harmonic_mean,
]


def integral(function, places):
    value, error = mp.quad(function, places, error=True, maxdegree=9)
    assert error < mpf(10) ** -DIGITS
    return value


def row(case):
    metric, level = case
    one, other = map(mpf, level.split(":"))
    negatives = POSITIVES * other / one

    def value(u, v):
        return metric(POSITIVES * u, POSITIVES * (1 - u), negatives * v, negatives * (1 - v))

    def places(rate):
        """List ends of smooth parts: OP has a kink where sensitivity is specificity."""
        return [0, 1 - rate, 1] if metric is optimized_precision else [0, 1]

    def mean_along_v(u, power=1):
        return integral(lambda v: value(u, v) ** power, places(u))

    def mean_along_u(v):
        return integral(lambda u: value(u, v), places(v))

    mean = integral(mean_along_v, [0, 1])
    variance = integral(lambda u: mean_along_v(u, 2), [0, 1]) - mean**2
    of_tp = integral(lambda u: mean_along_v(u) ** 2, [0, 1]) - mean**2
    of_fp = integral(lambda v: mean_along_u(v) ** 2, [0, 1]) - mean**2
    numbers = (of_tp / variance, of_fp / variance, mean, variance)
    return [metric.__name__, level, *(mp.nstr(number, DIGITS) for number in numbers)]


if __name__ == "__main__":
    print("metric,level,s1_tp,s1_fp,mean,variance")
    with ProcessPoolExecutor() as pool:
        for cells in pool.map(row, itertools.product(METRICS, LEVELS)):
            print(",".join(cells), flush=True)
