"""Indices of formulas with kinks by nested adaptive Gauss-Kronrod rules that ignore the kinks.

Rates are integrated in their logits. An interval is halved until the two rules agree on it, so that
kinks are closed in on by bisection alone.

The formulas of kinked_indices.csv were drawn at random: plausible ones of one or two kinks, and
nested ones. Their numbers are computed again in about four minutes:

    python tests/reference/sensitivity/kinked_indices.py

The column doubt has ten times how far mean and variance along one rate are from those along the
other, the tolerance and rounding: in indices, in the mean in standard deviations, and in the
variance relative to itself.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.metrics import ParsedFormula, unnamed_metric

TABLE = Path(__file__).with_name("kinked_indices.csv")
POSITIVES = 100.0

KRONROD = np.array(
    [
        *(0.991455371120812639206854697526329, 0.949107912342758524526189684047851),
        *(0.864864423359769072789712788640926, 0.741531185599394439863864773280788),
        *(0.586087235467691130294144838693326, 0.405845151377397166906606412076961),
        *(0.207784955007898467600689403773245, 0.0),
    ]
)
WEIGHTS = np.array(
    [
        *(0.022935322010529224963732008058970, 0.063092092629978553290700663189204),
        *(0.104790010322250183839876322541518, 0.140653259715525918745189590510238),
        *(0.169004726639267902826583426598550, 0.190350578064785409913256402421014),
        *(0.204432940075298892414161999234649, 0.209482141084727828012999174891714),
    ]
)
GAUSS = np.array(
    [
        *(0.0, 0.129484966168869693270611432679082, 0.0, 0.279705391489276667901467771423780),
        *(0.0, 0.381830050505118944950369775488975, 0.0, 0.417959183673469387755102040816327),
    ]
)
PLACES = np.concatenate([-KRONROD, KRONROD[-2::-1]])
WITH_ENDS = np.concatenate([[-1, 1], PLACES])
FINE = np.concatenate([WEIGHTS, WEIGHTS[-2::-1]])
COARSE = np.concatenate([GAUSS, GAUSS[-2::-1]])
BESIDE = np.array(
    [
        [
            np.prod([(end - other) / (place - other) for other in np.delete(PLACES, number)])
            for number, place in enumerate(PLACES)
        ]
        for end in (-1, 1)
    ]
).T
"""Maps values at the nodes to those at both ends of the polynomial through them."""
UNSEEN = (1 - PLACES[-1]) / 2
"""A share of half an interval. The rules miss a kink between its end and the outermost node, which
changes the integral by at most this times the distance of the end's value from the polynomial."""

MOST_INTERVALS = 60_000
"""Intervals at a time."""


def logits(cuts):
    """Make first intervals, even in the rate in the middle and in the logit at both edges.

    No simple rate is in the middle of one or of its halves, where both rules might treat a kink
    alike.
    """
    even = (np.arange(cuts) + (np.sqrt(5) - 1) / 2) / (cuts + 0.3)
    middle = np.log(even / (1 - even))
    low, high = np.linspace(-38, middle[0], 14), np.linspace(middle[-1], 38, 14)
    return np.concatenate([low[:-1], middle, high[1:]])


def integrals(function, lines, tolerance, cuts):
    """Integrate function(line, rate, 1 - rate), of shape (components, points), along some lines.

    An interval is done if the two rules agree to the tolerance on it and on the interval of which
    it is a half, and both halves agree with the whole: on a kink they may agree once by accident.
    """
    ends = logits(cuts)
    line = np.repeat(np.arange(lines), ends.size - 1)
    low, high = np.tile(ends[:-1], lines), np.tile(ends[1:], lines)
    total, calm_before = None, np.zeros(line.size, dtype=bool)
    for _ in range(45):
        if line.size > MOST_INTERVALS:
            raise RuntimeError("more intervals than are allowed")
        half = (high - low) / 2
        t = ((low + high) / 2)[:, None] + half[:, None] * WITH_ENDS
        rate, complement = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
        values = function(np.repeat(line, WITH_ENDS.size), rate.ravel(), complement.ravel())
        values = values.reshape(len(values), *t.shape) * rate * complement * half[:, None]
        ends_of_each, values = values[..., :2], values[..., 2:]
        fine, coarse = values @ FINE, values @ COARSE
        unseen = UNSEEN * np.abs(values @ BESIDE - ends_of_each).max(axis=-1)
        if total is None:
            total, whole = np.zeros((len(values), lines)), np.full(fine.shape, np.inf)
        else:
            first, second = np.split(fine, 2, axis=1)
            calm_before &= np.tile((np.abs(first + second - whole) <= tolerance).all(axis=0), 2)
        calm = (np.maximum(np.abs(fine - coarse), unseen) <= tolerance).all(axis=0)
        done = calm & calm_before
        for part, sums in zip(fine[:, done], total, strict=True):
            np.add.at(sums, line[done], part)
        line, low, high, whole = line[~done], low[~done], high[~done], fine[:, ~done]
        calm_before = np.tile(calm[~done], 2)
        if not line.size:
            return total
        middle = (low + high) / 2
        line = np.tile(line, 2)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
    return total


def moments(function, *, cuts):
    """Compute mean, variance and both S1 of function(u, 1 - u, v, 1 - v), and the distances of the
    means, in standard deviations, and of the variances, relative to them, by lines along either
    rate."""
    grid = (np.arange(60) + 0.5) / 60
    u, v = np.meshgrid(grid, grid)
    seen = function(u.ravel(), 1 - u.ravel(), v.ravel(), 1 - v.ravel())
    center, scale = seen.mean(), seen.std()
    tolerance = 1e-13 + 4e-15 * np.abs(seen).max() / scale
    found = []
    for first in (True, False):

        def along(fixed, fixed_complement, first=first):
            def values(line, rate, complement):
                outer, inner = (fixed[line], fixed_complement[line]), (rate, complement)
                pairs = (*outer, *inner) if first else (*inner, *outer)
                value = (function(*pairs) - center) / scale
                return np.array([value, value**2])

            return integrals(values, fixed.size, tolerance, cuts)

        def outer(line, rate, complement, along=along):
            parts = [
                along(rate[part], complement[part])
                for part in np.array_split(np.arange(rate.size), 1 + rate.size // 60)
            ]
            mean, square = np.concatenate(parts, axis=1)
            return np.array([mean, square, mean**2])

        mean, square, of_mean = integrals(outer, 1, 10 * tolerance, cuts)[:, 0]
        found.append((mean, square - mean**2, of_mean - mean**2))
    (mean, variance, _), (other_mean, other, _) = found
    s1 = [part[2] / part[1] for part in found]
    distance = max(abs(mean - other_mean) / variance**0.5, abs(other / variance - 1))
    return center + scale * mean, scale**2 * variance, s1, distance


def metric_of(text):
    return unnamed_metric("own", text, ParsedFormula(text))


def function_of(metric, negatives):
    """Convert a metric to a function of both rates and their complements, all of one shape."""

    def function(u, u_complement, v, v_complement):
        matrix = ConfusionMatrix.from_rates(
            u, v, positives=POSITIVES, negatives=negatives, fnr=u_complement, tnr=v_complement
        )
        return np.broadcast_to(metric(matrix), u.shape)

    return function


def numbers_of(row):
    function = function_of(metric_of(row.formula), row.negatives)
    mean, variance, s1, apart = moments(function, cuts=14)
    grid = (np.arange(60) + 0.5) / 60
    u, v = (part.ravel() for part in np.meshgrid(grid, grid))
    rounding = 1e-14 * np.abs(function(u, 1 - u, v, 1 - v)).max() / variance**0.5
    return [mean, variance, *s1, 10 * apart + 1e-12 + rounding]


if __name__ == "__main__":
    table = pd.read_csv(TABLE)
    columns = ["mean", "variance", "s1_tp", "s1_fp", "doubt"]
    table[columns] = [numbers_of(row) for row in table.itertuples()]
    table.to_csv(TABLE, index=False)
