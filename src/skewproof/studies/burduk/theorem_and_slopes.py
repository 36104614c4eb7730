"""Burduk's theorem, and how strongly metrics react to each class, from formulas by SymPy.

The majority class is the positive one throughout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import get_metric
from skewproof.studies.burduk.tables import HMNC

U, V = sympy.symbols("u v", positive=True)
"""Rates of the majority (TP/P) and of the minority class (TN/N)."""

P, N = sympy.symbols("P N", positive=True)
"""Sizes of the majority and of the minority class."""

ALIKE_AT_EQUAL_RATES = (HMNC, "accuracy", "balanced_accuracy", "g_mean")
"""Keys of the metrics of which his theorem speaks."""


def theorem() -> dict[str, sympy.Expr]:
    """His theorem by SymPy: where TP/P = TN/N = u, HMNC, accuracy, B and G-mean are all u.

    Returns
    -------
    By the metric's key, the simplified formula.
    """
    return {key: sympy.simplify(_formula(key, U, U)) for key in ALIKE_AT_EQUAL_RATES}


def turning_line() -> sympy.Expr:
    """At which u, for given v, HMNC reacts as much to the majority class as to the minority.

    Right of it HMNC reacts less to the majority. He has u = N/P; it is u = v·sqrt(N/P).
    """
    hmnc = _formula(HMNC, U, V)
    difference = sympy.numer(sympy.together(sympy.diff(hmnc, U) - sympy.diff(hmnc, V)))
    (line,) = sympy.solve(difference, U)
    return sympy.simplify(line)


def slopes(
    key: str, u: Array, v: Array, *, positives: float, negatives: float
) -> tuple[Array, Array]:
    """How much a metric changes with the rate of the majority and with that of the minority.

    Returns
    -------
    Absolute partial derivatives by u = TP/P and by v = TN/N, of the shape of u and v; the metric is
    scaled to [0, 1].
    """
    by_u, by_v = _derivatives(key)(u, v, positives, negatives)
    return np.abs(by_u + 0 * u), np.abs(by_v + 0 * v)


@cache
def _derivatives(key: str) -> Callable[..., tuple[Array, Array]]:
    formula = _formula(key, U, V)
    return sympy.lambdify((U, V, P, N), (formula.diff(U), formula.diff(V)), cse=True)


def _formula(key: str, u: sympy.Expr, v: sympy.Expr) -> sympy.Expr:
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=P, negatives=N)
    return sympy.sympify(get_metric(key)(matrix))
