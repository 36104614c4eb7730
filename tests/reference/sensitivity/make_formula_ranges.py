"""Write low and high in formula_ranges.csv: ranges of random formulas with kinks, by search.

The extremes at each level are looked for by the simplex method of Nelder and Mead, in the logits of
the rates, from the best points of two grids and again from where it stops, until that gains
nothing. Nothing of the package evaluates formulas: Python does. Two runs from other grids agree to
1e-10 of the range, or the formula is printed. It takes more than half an hour:

    python tests/reference/sensitivity/make_formula_ranges.py
"""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit

TABLE = Path(__file__).with_name("formula_ranges.csv")
POSITIVES = 100.0
NEGATIVES = [100.0, 200.0, 1e3, 1e4, 1e5]
END = 45.0
"""The logit from which on a rate is 0 or 1."""

AGREED = 1e-10
FUNCTIONS = {
    "min": np.minimum, "max": np.maximum, "abs": np.abs,
    "sqrt": np.sqrt, "log": np.log, "exp": np.exp,
}  # fmt: skip


def rates(logits):
    return np.where(logits <= -END, 0, np.where(logits >= END, 1, expit(logits)))


def value(code, logits, negatives):
    """Evaluate a formula at logits of the rates, beyond whose ends the rates are 0 and 1."""
    u, v = rates(logits)
    other_u, other_v = rates(-logits)
    cells = {
        "tp": POSITIVES * u,
        "fp": negatives * v,
        "fn": POSITIVES * other_u,
        "tn": negatives * other_v,
        "P": POSITIVES,
        "N": negatives,
    }
    with np.errstate(all="ignore"):
        return eval(code, {"__builtins__": {}}, FUNCTIONS | cells)


def grid(random):
    line = [-END, *random.uniform(-END, END, 80), *random.normal(0, 3, 200), END]
    return np.array([part.ravel() for part in np.meshgrid(line, line)])


def lowest(function, points, starts=6):
    """Find the smallest value from the best points that are apart from each other."""
    values = np.broadcast_to(function(points), points.shape[1:])
    values = np.where(np.isfinite(values), values, np.inf)
    best = values.min()
    left = np.ones(values.size, dtype=bool)
    for _ in range(starts):
        start = points[:, np.argmin(np.where(left, values, np.inf))]
        left &= np.abs(points - start[:, np.newaxis]).max(axis=0) > 1
        for size in (1, 0.1, 1e-2, 1e-3):
            simplex = start + size * np.array([[0, 0], [1, 0.3], [-0.3, 1]])
            options = {"initial_simplex": simplex, "xatol": 1e-14, "fatol": 0, "maxiter": 2000}
            found = minimize(function, start, method="Nelder-Mead", options=options)
            if np.isfinite(found.fun):
                start = found.x
                best = min(best, found.fun)
    return best


def ends(text, seed):
    """Find the smallest and the largest value of one run."""
    code, points = compile(text, "formula", "eval"), grid(np.random.default_rng(seed))

    def lowest_of_all(sign):
        return min(lowest(lambda x, n=n: sign * value(code, x, n), points) for n in NEGATIVES)

    return np.array([lowest_of_all(1), -lowest_of_all(-1)])


if __name__ == "__main__":
    table = pd.read_csv(TABLE)
    for place, text in enumerate(table["formula"]):
        first, second = ends(text, 1), ends(text, 2)
        low, high = min(first[0], second[0]), max(first[1], second[1])
        table.loc[place, ["low", "high"]] = low, high
        if np.abs(first - second).max() > AGREED * (high - low):
            print(text, first, second)
    table.to_csv(TABLE, index=False)
