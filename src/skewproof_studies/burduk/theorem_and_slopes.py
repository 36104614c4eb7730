"""Burduk's theorem, slopes of metrics by each class, and where HMNC reacts equally to both.

The majority class is the positive one throughout. HMNC reacts to a small step in a rate, u = TP/P
or v = TN/N, or in a count, TP or TN. The two scales differ by the sizes of the classes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import formula
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.burduk.tables import HMNC

U, V = sympy.symbols("u v", positive=True)
"""Rates of the majority (TP/P) and of the minority class (TN/N)."""

P, N = sympy.symbols("P N", positive=True)
"""Sizes of the majority and of the minority class."""

ALIKE_AT_EQUAL_RATES = (HMNC, "accuracy", "balanced_accuracy", "g_mean")
"""Keys of the metrics in the theorem."""

HARMONIC_MEAN = "sensitivity_specificity_harmonic_mean"
"""Key of the metric that normalized HMNC equals (Eq. 52 of van Zyl and Engelbrecht)."""


def theorem() -> dict[str, sympy.Expr]:
    """Simplify the metrics of the theorem for TP/P = TN/N = u; HMNC, accuracy, B and G-mean are all
    u.

    Returns
    -------
    The simplified formula, by the metric's key.
    """
    return {key: sympy.simplify(formula_in_rates(key, U, U)) for key in ALIKE_AT_EQUAL_RATES}


def normalized_difference() -> sympy.Expr:
    """Simplify normalized HMNC minus the harmonic mean of sensitivity and specificity; it is 0."""
    of_rates, harmonic_mean = normalized(get_metric(HMNC)), get_metric(HARMONIC_MEAN)
    return sympy.simplify(formula(of_rates) - formula(harmonic_mean))


def slopes(
    key: str, u: Array, v: Array, *, positives: float, negatives: float
) -> tuple[Array, Array]:
    """Return how strongly a metric changes with the rates of the majority and of the minority
    class.

    Returns
    -------
    Absolute partial derivatives by u = TP/P and by v = TN/N, with the shape of u and v. The metric
    is scaled to [0, 1].
    """
    by_u, by_v = _derivatives(key)(u, v, positives, negatives)
    return np.abs(by_u + 0 * u), np.abs(by_v + 0 * v)


@cache
def _derivatives(key: str) -> Callable[..., tuple[Array, Array]]:
    of_rates = formula_in_rates(key, U, V)
    return sympy.lambdify((U, V, P, N), (of_rates.diff(U), of_rates.diff(V)), cse=True)


def formula_in_rates(key: str, u: sympy.Expr, v: sympy.Expr) -> sympy.Expr:
    """Return a metric, scaled to [0, 1], as a SymPy formula in the rates TP/P and TN/N and the
    class sizes."""
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=P, negatives=N)
    return sympy.sympify(bounded(get_metric(key))(matrix))


SCALES: dict[str, tuple[sympy.Expr, sympy.Expr]] = {
    "rates": (sympy.Integer(1), sympy.Integer(1)),
    "counts": (P, N),
}
"""Size of a unit step along u and along v on each scale: a whole class, or its number of
instances."""


@cache
def isoline_slope(key: str, scale: str) -> sympy.Expr:
    """Return the slope of a metric's isoline at (u, v) on a scale: the minority's step by the
    majority's."""
    of_u, of_v = SCALES[scale]
    formula = formula_in_rates(key, U, V)
    return sympy.simplify(-(formula.diff(U) / of_u) / (formula.diff(V) / of_v))


def by_counts(expression: sympy.Expr) -> sympy.Expr:
    """Rewrite an expression in u, v and the class sizes in terms of TP and TN."""
    tp, tn = sympy.symbols("TP TN", positive=True)
    return sympy.simplify(expression.subs({U: tp / P, V: tn / N}))


@cache
def turning_line(key: str, scale: str) -> sympy.Expr:
    """Return the u at which a metric reacts equally to both classes, for a given v.

    The metric's isoline, on the same scale, has the slope -1 there. For larger u, HMNC reacts less
    to the majority. The border in the article is u = N/P; it is u = v·sqrt(N/P) by rates, and u =
    v·N/P by counts.
    """
    (line,) = sympy.solve(sympy.numer(sympy.together(isoline_slope(key, scale) + 1)), U)
    return sympy.simplify(line)


@cache
def turning_rate(scale: str) -> sympy.Expr:
    """Return the u at which an isoline of HMNC turns, divided by the value of HMNC there."""
    line, value = turning_line(HMNC, scale), sympy.Symbol("h", positive=True)
    on_line = formula_in_rates(HMNC, line, V)
    (height,) = sympy.solve(sympy.numer(sympy.together(on_line - value)), V)
    return sympy.simplify(line.subs(V, height) / value)


def border_shares(imbalance_ratio: float) -> pd.DataFrame:
    """Return the shares of the article's two regions in which its claim on HMNC by itself holds.

    The article claims that HMNC reacts less to the majority class than to the minority where u >
    IR, and more where u < IR. The shares are in closed form.

    Parameters
    ----------
    imbalance_ratio
        IR, in (0, 1].

    Returns
    -------
    Frame with the columns scale (rates or counts), region, reacts_to_majority (the claim: less or
    more), holds (the share of the region, in [0, 1]; missing if the region is empty).
    """
    rows = []
    for scale in SCALES:
        line = float(turning_line(HMNC, scale).subs({V: 1, P: 1, N: imbalance_ratio}))
        # Mean of max(IR, line·v) over a uniform v; line >= IR on both scales.
        turn = imbalance_ratio / line
        mean_larger = imbalance_ratio * turn + line * (1 - turn**2) / 2
        mean_smaller = imbalance_ratio + line / 2 - mean_larger
        right = 1 - imbalance_ratio
        regions = {
            "u > IR": ("less", (1 - mean_larger) / right if right > 0 else np.nan),
            "u < IR": ("more", mean_smaller / imbalance_ratio),
        }
        rows += [
            {"scale": scale, "region": region, "reacts_to_majority": says, "holds": share}
            for region, (says, share) in regions.items()
        ]
    return pd.DataFrame(rows)
