"""Border between the regions where HMNC reacts less and more to the majority class.

The majority class is the positive one throughout. HMNC reacts to a small step in a rate, u = TP/P
or v = TN/N, or in a count, TP or TN. The two scales differ by the sizes of the classes.
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
