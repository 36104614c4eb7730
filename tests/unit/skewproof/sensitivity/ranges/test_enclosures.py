"""Enclosures hold all values and slopes on a box: checked at random points in rational steps."""

import re

import mpmath
import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import parse_metric
from skewproof.sensitivity.quadrature.computational_graph import traced_at_all_sizes
from skewproof.sensitivity.ranges.enclosures import Boxes, Interval, NotEnclosedError, enclosed

FORMULAS = [
    "tp - 2*fp + 3*fn - tn/7",
    "tp*fn/(1 + fp)",
    "tp/(tp + fp)",
    "(tp + tn)/(tp + tn + fp + 3)",
    "sqrt(tp*tn)/(P + N)",
    "exp(-tp/P)*log(1 + fp)",
    "(tp - fp)**2 - (tp/P)**3",
    "(tp/P)**0.7 + (1 + fp)**-1.5",
    "abs(tp - fp)/(1 + tp)",
    "min(tp**2, fp*fn)",
    "max(fn**2 - sqrt(fp), P*tp)",
    "min(tp, max(fp, fn))*tn - abs(tp - 30)",
    "min(3, tn/fp)",
    "1/(1 + abs(tp*tn - fp*fn)/N)",
]


def boxes(random, count):
    """Draw boxes of all sizes, some on edges, with class sizes."""
    ends = np.sort(random.random((2, 2, count)) ** random.choice([1, 8], (1, 1, count)), axis=0)
    ends[1] = np.where(random.random((2, count)) < 0.5, ends[1], ends[0] + 1e-6 * ends[1])
    ends[0] = np.where(random.random((2, count)) < 0.1, 0.0, ends[0])
    ends[1] = np.where(random.random((2, count)) < 0.1, 1.0, np.minimum(ends[1], 1))
    low, high = ends
    complements = Interval(np.nextafter(1 - high, -1), np.nextafter(1 - low, 2))
    complements = Interval(np.maximum(complements.low, 0), complements.high)
    return Boxes(Interval(low, high), complements, 10 ** random.uniform(1, 5, (2, count)))


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.slow
def test_values_and_slopes_in_boxes_are_enclosed(text):
    metric, random = parse_metric(text), np.random.default_rng(3)
    held = boxes(random, 300)
    found = enclosed(traced_at_all_sizes(metric), held)
    low, high = held.rates
    for _ in range(20):
        u, v = low + (high - low) * np.clip(random.uniform(-0.2, 1.2, low.shape), 0, 1)
        values = [
            metric(
                ConfusionMatrix.from_rates(*rates, positives=held.sizes[0], negatives=held.sizes[1])
            )
            for rates in ((u, v), (u * (1 - 1e-7), v), (u, v * (1 - 1e-7)))
        ]
        here, rounding = values[0], 1e-12 * np.abs(values[0])
        known = np.isfinite(here)
        assert (here[known] >= (found.values.low - rounding)[known]).all()
        assert (here[known] <= (found.values.high + rounding)[known]).all()
        for axis, rate in enumerate((u, v)):
            step = 1e-7 * rate
            inside = known & (rate - step >= low[axis]) & (step > 0)
            slope = (here - values[1 + axis])[inside] / step[inside]
            error = (1e-12 * np.abs(here) + 1e-13 * held.sizes.max(axis=0) ** 2)[inside] / step[
                inside
            ]
            assert (slope >= found.slopes.low[axis, inside] - error).all()
            assert (slope <= found.slopes.high[axis, inside] + error).all()


@pytest.mark.parametrize(
    "text",
    [
        *("tp*fn/P**2", "(tp/P)**0.3*exp(-fp/N)", "log(1 + tp/(1 + fp))/7"),
        *("0.1*tp", "tp*0.3/0.7 + fp", "tp**0.1"),
    ],
)
def test_narrow_enclosures_hold_the_exact_value(text):
    """Degenerate boxes, by 40 digits of decimals, too: rounding goes outward, and not far."""
    random = np.random.default_rng(4)
    rates, sizes = random.random((2, 50)), random.integers(1, 1000, (2, 50)).astype(float)
    complements = Interval(np.nextafter(1 - rates, 0), np.nextafter(1 - rates, 2))
    found = enclosed(
        traced_at_all_sizes(parse_metric(text)), Boxes(Interval(rates, rates), complements, sizes)
    )
    exact = re.sub(r"\d+\.\d+", r"mpf('\g<0>')", text)
    functions = {"exp": mpmath.exp, "log": mpmath.log, "mpf": mpmath.mpf}
    with mpmath.workdps(40):
        for number, (u, v, positives, negatives) in enumerate(zip(*rates, *sizes, strict=True)):
            tp, fp = mpmath.mpf(u) * positives, mpmath.mpf(v) * negatives
            names = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
            names |= {"P": mpmath.mpf(positives), "N": mpmath.mpf(negatives)}
            value = eval(exact, functions, names)
            low, high = (float(end[number]) for end in found.values)
            assert low <= value <= high
            assert high - low <= 1e-13 * abs(float(value)) + 1e-15


def test_an_operation_without_an_enclosure_is_refused():
    graph = traced_at_all_sizes(parse_metric("tp/P - fp/N"))
    held = boxes(np.random.default_rng(0), 2)
    graph.steps[6] = graph.steps[6]._replace(function=np.cos)
    with pytest.raises(NotEnclosedError, match="no enclosure"):
        enclosed(graph, held)
