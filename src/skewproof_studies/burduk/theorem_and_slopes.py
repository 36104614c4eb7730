"""Burduk's theorem, and the slopes of metrics by each class, from formulas by SymPy.

The majority class is the positive one throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
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
