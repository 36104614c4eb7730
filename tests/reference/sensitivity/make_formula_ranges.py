"""Write formula_ranges.csv: ranges of random formulas with kinks, by constrained optimization.

Every choice of the arguments that minima and maxima pass on, and of the signs in absolute values,
leaves a smooth function on a piece of the square. Its extremes there are looked for by sequential
quadratic programming (SciPy's SLSQP) with the piece as constraints and gradients by complex steps,
from the best points of a grid in the rates, and again in their logits from other points, up to four
times in all. Nothing of the package evaluates formulas: Python does. The column doubt has by how
much the best run is beyond the second best, at the worse end, as a share of the range; formulas of
which that is more than 1e-10 after four runs, or that are constant or unbounded, are left out, and
counted on the terminal. About ten minutes:

    python tests/reference/sensitivity/make_formula_ranges.py
"""

import ast
import csv
import itertools
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent))
from range_formulas import cases

POSITIVES = 100.0
NEGATIVES = [100.0, 200.0, 1e3, 1e4, 1e5]
COUNT, SEED = 645, 31
AGREED = 1e-10
STARTS = 3
MOST_KINKS = 5
STEP = 1e-30

NAMES = {"sqrt": np.sqrt, "log": np.log, "exp": np.exp}


class Split(ast.NodeTransformer):
    """Replace kinks by the chosen argument, and record the functions whose signs choose."""

    def __init__(self, choices):
        self.choices, self.kinks = choices, []

    def visit_Call(self, node):
        name = node.func.id
        if name not in ("min", "max", "abs"):
            return self.generic_visit(node)
        first, *other = [self.visit(part) for part in node.args]
        zero = ast.BinOp(first, ast.Sub(), other[0]) if other else first
        positive = self.choices[len(self.kinks)] if len(self.kinks) < len(self.choices) else True
        self.kinks.append(zero)
        if name == "abs":
            return first if positive else ast.UnaryOp(ast.USub(), first)
        return first if positive == (name == "max") else other[0]


def compiled(tree):
    body = ast.fix_missing_locations(ast.Expression(tree))
    return compile(body, "formula", "eval")


def pieces(text):
    """List the smooth function of each choice, its constraints and their signs."""
    tree = ast.parse(text, mode="eval").body
    counter = Split(())
    counter.visit(ast.parse(text, mode="eval").body)
    if len(counter.kinks) > MOST_KINKS:
        return None
    for choices in itertools.product([True, False], repeat=len(counter.kinks)):
        split = Split(choices)
        tree = split.visit(ast.parse(text, mode="eval").body)
        yield compiled(tree), [compiled(kink) for kink in split.kinks], choices


def cells(u, v, negatives, u_complement=None, v_complement=None):
    other_u = 1 - u if u_complement is None else u_complement
    other_v = 1 - v if v_complement is None else v_complement
    return NAMES | {
        "tp": POSITIVES * u,
        "fp": negatives * v,
        "fn": POSITIVES * other_u,
        "tn": negatives * other_v,
        "P": POSITIVES,
        "N": negatives,
    }


class Rates:
    """Coordinates that are the rates."""

    bounds = ((0, 1), (0, 1))

    @staticmethod
    def points(random):
        log = 10 ** np.linspace(-18, -2, 24)
        line = np.unique([*random.uniform(0, 1, 180), *log, *(1 - log), 0, 1])
        return np.array([part.ravel() for part in np.meshgrid(line, line, indexing="ij")])

    @staticmethod
    def cells(x, negatives):
        return cells(x[0], x[1], negatives)


class Logits:
    """Coordinates that are logits of the rates, 0 and 1 at the ends."""

    bounds = ((-40, 40), (-40, 40))

    @staticmethod
    def points(random):
        line = np.unique(random.uniform(-40, 40, 80).tolist() + random.normal(0, 3, 150).tolist())
        line = np.array([-40, *line, 40])
        return np.array([part.ravel() for part in np.meshgrid(line, line, indexing="ij")])

    @staticmethod
    def cells(x, negatives):
        rates = [1 / (1 + np.exp(-part)) for part in x]
        others = [1 / (1 + np.exp(part)) for part in x]
        ends = [(part.real <= -40, part.real >= 40) for part in map(np.asarray, x)]
        rates = [
            np.where(low, 0, np.where(high, 1, rate))
            for (low, high), rate in zip(ends, rates, strict=True)
        ]
        others = [
            np.where(low, 1, np.where(high, 0, other))
            for (low, high), other in zip(ends, others, strict=True)
        ]
        return cells(rates[0], rates[1], negatives, others[0], others[1])


def value(code, coordinates, x, negatives):
    with np.errstate(all="ignore"):
        return eval(code, {"__builtins__": {}}, coordinates.cells(x, negatives))


def gradient(code, coordinates, x, negatives):
    steps = STEP * 1j * np.eye(2)
    points = (np.asarray(x)[:, np.newaxis] + steps).astype(complex)
    found = np.imag(np.broadcast_to(value(code, coordinates, points, negatives), (2,))) / STEP
    return np.nan_to_num(found, nan=0.0, posinf=1e15, neginf=-1e15)


def whole(text):
    """Evaluate the formula with NumPy's minimum, maximum and absolute."""
    code = compile(ast.parse(text, mode="eval"), "formula", "eval")
    functions = {"min": np.minimum, "max": np.maximum, "abs": np.abs}

    def function(coordinates, x, negatives):
        with np.errstate(all="ignore"):
            names = coordinates.cells(x, negatives) | functions
            return eval(code, {"__builtins__": {}}, names)

    return function


def ends(text, coordinates, seed):
    """Find the smallest and the largest value of one run."""
    function, points = whole(text), coordinates.points(np.random.default_rng(seed))
    surfaces = [
        np.broadcast_to(function(coordinates, points, negatives), points.shape[1:])
        for negatives in NEGATIVES
    ]
    surfaces = [np.where(np.isfinite(surface), surface, np.nan) for surface in surfaces]
    best = np.array([min(map(np.nanmin, surfaces)), max(map(np.nanmax, surfaces))])
    scale = np.ptp(best)
    if not 0 < scale < np.inf:
        return best
    for negatives, surface in zip(NEGATIVES, surfaces, strict=True):
        for smooth, kinks, signs in pieces(text):
            inside = np.ones(surface.shape, dtype=bool)
            for kink, positive in zip(kinks, signs, strict=True):
                zero = np.broadcast_to(value(kink, coordinates, points, negatives), surface.shape)
                inside &= zero >= 0 if positive else zero <= 0
            for side, sign in enumerate((1, -1)):
                signed = np.where(inside & ~np.isnan(surface), sign * surface, np.inf)
                order = np.argsort(signed)[: 40 * STARTS : 40]
                for start in order[np.isfinite(signed[order])]:
                    if signed[start] > sign * best[side] + 0.05 * scale:
                        continue
                    x = optimum(
                        smooth, kinks, signs, coordinates, points[:, start], negatives, sign, scale
                    )
                    found = float(function(coordinates, x, negatives))
                    if np.isfinite(found) and sign * found < sign * best[side]:
                        best[side] = found
    return best


def optimum(smooth, kinks, signs, coordinates, start, negatives, sign, scale):
    constraints = []
    for kink, positive in zip(kinks, signs, strict=True):
        factor = (1 if positive else -1) / scale
        constraints.append(
            {
                "type": "ineq",
                "fun": lambda x, k=kink, f=factor: f * float(value(k, coordinates, x, negatives)),
                "jac": lambda x, k=kink, f=factor: f * gradient(k, coordinates, x, negatives),
            }
        )
    with np.errstate(all="ignore"):
        found = minimize(
            lambda x: sign * float(value(smooth, coordinates, x, negatives)) / scale,
            start,
            jac=lambda x: sign * gradient(smooth, coordinates, x, negatives) / scale,
            bounds=coordinates.bounds,
            constraints=constraints,
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 100},
        )
    low, high = np.array(coordinates.bounds).T
    return np.clip(np.where(np.isnan(found.x), start, found.x), low, high)


def best_of(runs):
    lows, highs = np.array(runs).T
    return lows.min(), highs.max()


def doubt_of(runs):
    """Compute how far the best end is beyond the second best, at the worse end."""
    (low, second_low), (high, second_high) = (
        np.sort(sign * part)[:2] for sign, part in zip((1, -1), np.array(runs).T, strict=True)
    )
    with np.errstate(all="ignore"):
        return max(second_low - low, second_high - high) / (-high - low)


def main():
    path = Path(__file__).with_name("formula_ranges.csv")
    left_out = 0
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["formula", "low", "high", "doubt"])
        for text in cases(COUNT, SEED):
            runs = []
            for seed, coordinates in zip(range(SEED, SEED + 4), [Rates, Logits] * 2, strict=True):
                runs.append(ends(text, coordinates, seed))
                if len(runs) > 1 and doubt_of(runs) <= AGREED:
                    break
            low, high = best_of(runs)
            doubt = doubt_of(runs)
            if not doubt <= AGREED:
                left_out += 1
                print(text, np.array(runs).tolist(), flush=True)
                continue
            writer.writerow([text, repr(float(low)), repr(float(high)), f"{doubt:.1e}"])
            file.flush()
    print(left_out, "of", COUNT, "left out")


if __name__ == "__main__":
    main()
