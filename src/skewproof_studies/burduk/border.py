"""Where HMNC reacts less to the majority class than to the minority, by rates and by counts.

The majority class is the positive one throughout. A small step moves a rate, u = TP/P or v = TN/N,
or a count, TP or TN; between the two scales lies the size of the class.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import sympy

from skewproof_studies.burduk.tables import HMNC
from skewproof_studies.burduk.theorem_and_slopes import N, P, U, V, formula_in_rates

SCALES: dict[str, tuple[sympy.Expr, sympy.Expr]] = {
    "rates": (sympy.Integer(1), sympy.Integer(1)),
    "counts": (P, N),
}
"""What a step of 1 along u and along v is on each scale: a whole class, or its instances."""


@cache
def isoline_slope(key: str, scale: str) -> sympy.Expr:
    """Slope of a metric's isoline at (u, v), the minority's step by the majority's, on a scale."""
    of_u, of_v = SCALES[scale]
    formula = formula_in_rates(key, U, V)
    return sympy.simplify(-(formula.diff(U) / of_u) / (formula.diff(V) / of_v))


def by_counts(expression: sympy.Expr) -> sympy.Expr:
    """An expression of u, v and the class sizes as one of TP and TN."""
    tp, tn = sympy.symbols("TP TN", positive=True)
    return sympy.simplify(expression.subs({U: tp / P, V: tn / N}))


@cache
def turning_line(key: str, scale: str) -> sympy.Expr:
    """The u at which a metric reacts as much to the majority class as to the minority, for given v.

    There its isoline, on the same scale, has the slope -1. Right of it HMNC reacts less to the
    majority. The article has u = N/P; it is u = v·sqrt(N/P) by rates, and u = v·N/P by counts.
    """
    (line,) = sympy.solve(sympy.numer(sympy.together(isoline_slope(key, scale) + 1)), U)
    return sympy.simplify(line)


@cache
def turning_rate(scale: str) -> sympy.Expr:
    """The u at which an isoline of HMNC turns, divided by the value of HMNC there."""
    line, value = turning_line(HMNC, scale), sympy.Symbol("h", positive=True)
    on_line = formula_in_rates(HMNC, line, V)
    (height,) = sympy.solve(sympy.numer(sympy.together(on_line - value)), V)
    return sympy.simplify(line.subs(V, height) / value)


def border_shares(imbalance_ratio: float) -> pd.DataFrame:
    """The shares of his two regions in which HMNC by itself does as he says, in closed form.

    He has it react less to the majority class than to the minority where u > IR, and more where
    u < IR.

    Parameters
    ----------
    imbalance_ratio
        IR, in (0, 1].

    Returns
    -------
    Frame with the columns scale (rates or counts), region, reacts_to_majority (what he says, less
    or more), holds (the share of the region, in [0, 1]; missing where the region is empty).
    """
    rows = []
    for scale in SCALES:
        line = float(turning_line(HMNC, scale).subs({V: 1, P: 1, N: imbalance_ratio}))
        # Over a uniform v, the mean of max(IR, line·v); line >= IR on both scales.
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
