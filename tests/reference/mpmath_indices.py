"""Reference values of first-order indices, by formulas and a quadrature of their own.

``python tests/reference/mpmath_indices.py > tests/reference/mpmath_indices.csv`` takes some
minutes. Each value comes from the larger of two tanh-sinh rules that agree to 30 decimals.
"""

import itertools
import sys
from concurrent.futures import ProcessPoolExecutor

from mpmath import mp, mpf

DIGITS = 30
mp.dps = DIGITS + 15

LEVELS = ["1:1", "1:1000", "1:1000000", "1000000:1"]
POSITIVES = 100
REACH = mpf("4.3")


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


def rule(half_nodes):
    """Compute nodes, their distances from 1, and weights of the tanh-sinh rule on (0, 1)."""
    width = REACH / half_nodes
    for step in range(-half_nodes, half_nodes + 1):
        exponent = mp.pi * mp.sinh(step * width)
        node, complement = 1 / (1 + mp.exp(-exponent)), 1 / (1 + mp.exp(exponent))
        yield node, complement, width * mp.pi * mp.cosh(step * width) * node * complement


def lines(nodes, split):
    """Compute inner points and weights of each outer node, split at 1 minus the outer node."""
    for out, out_complement, weight in nodes:
        if split:
            inner = [
                (out_complement * x, out + out_complement * y, out_complement * w)
                for x, y, w in nodes
            ]
            inner += [(out_complement + out * x, out * y, out * w) for x, y, w in nodes]
        else:
            inner = nodes
        yield out, out_complement, weight, inner


def integrate(metric, level, half_nodes):
    """Compute first-order indices of tp and fp, mean and variance."""
    positives, negatives = (mpf(POSITIVES * int(part)) for part in level.split(":"))
    negatives /= int(level.split(":")[0])
    positives = mpf(POSITIVES)
    nodes = list(rule(half_nodes))
    moments = []
    for outer in ("tp", "fp"):
        first = second = between = mpf(0)
        for out, out_complement, weight, inner in lines(nodes, metric is optimized_precision):
            conditional = square = mpf(0)
            for x, y, w in inner:
                rates = (
                    (out, out_complement, x, y) if outer == "tp" else (x, y, out, out_complement)
                )
                u, u_complement, v, v_complement = rates
                value = metric(
                    positives * u, positives * u_complement, negatives * v, negatives * v_complement
                )
                conditional += w * value
                square += w * value * value
            first += weight * conditional
            second += weight * square
            between += weight * conditional * conditional
        variance = second - first * first
        moments.append((between - first * first) / variance)
    return (*moments, first, variance)


def row(case):
    metric, level = case
    half_nodes = 60
    previous = integrate(metric, level, half_nodes)
    while True:
        half_nodes = half_nodes * 3 // 2
        found = integrate(metric, level, half_nodes)
        distance = max(abs(a - b) for a, b in zip(found, previous, strict=True))
        print(metric.__name__, level, half_nodes, mp.nstr(distance, 3), file=sys.stderr)
        if distance < mpf(10) ** -DIGITS:
            return [metric.__name__, level, *(mp.nstr(value, DIGITS) for value in found)]
        previous = found


if __name__ == "__main__":
    print("metric,level,s1_tp,s1_fp,mean,variance")
    with ProcessPoolExecutor() as pool:
        for cells in pool.map(row, itertools.product(METRICS, LEVELS)):
            print(",".join(cells), flush=True)
