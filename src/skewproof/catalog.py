"""Metrics as formulas, and the page of all of them: ``python -m skewproof.catalog``."""

from __future__ import annotations

import sympy

from skewproof.bounded import scale
from skewproof.confusion import ConfusionMatrix, Value
from skewproof.metrics import REGISTRY
from skewproof.registry import Metric

_INTRODUCTION = """\
# The metrics

Written by `make docs` from the declarations in `src/skewproof/metrics/`. Equation numbers are those
of van Zyl and Engelbrecht, and so is the notation: $t_p, f_p, f_n, t_n$ are counts, $P, N$ the
class sizes, $P', N'$ how many were called positive and negative, $\\Phi$ rates of a true class,
$\\rho$ predictive values. A metric is undefined where its formula divides 0 by 0; one without a
bound is infinite where it divides another number by 0. The study analyzes a metric whose range is
not [0, 1] after the map that stands behind its range (`skewproof.bounded`). Of metrics marked with
an arrow lower values are better.

| key | name | symbol | formula | range | source |
|:----|:-----|:-------|:--------|:------|:-------|
"""


def formula(metric: Metric) -> sympy.Expr:
    """A metric as a SymPy expression in the positive symbols t_p, f_p, f_n and t_n."""
    return metric(ConfusionMatrix(*sympy.symbols("t_p f_p f_n t_n", positive=True)))


def page() -> str:
    """The page of all registered metrics in Markdown."""
    matrix = _in_paper_notation()
    rows = [
        f"| `{key}` | {', '.join([metric.name, *metric.aliases])} | ${metric.symbol}$ "
        f"| ${_latex(metric(matrix))}$ | {_range(metric)} | {metric.source} |\n"
        for key, metric in REGISTRY.items()
    ]
    return _INTRODUCTION + "".join(rows)


def _range(metric: Metric) -> str:
    low, high = (f"{end:g}".replace("inf", "∞") for end in metric.bounds)
    arrow = " ↓" if metric.lower_is_better else ""
    map_to_unit = scale(metric)
    # Infinities are values too, so that an unbounded range is closed like the others.
    return f"[{low}, {high}]{arrow}" + (f"; {map_to_unit.name}" if map_to_unit else "")


COUNTS = ("t_p", "f_p", "f_n", "t_n")


def matrix_of_rates() -> ConfusionMatrix:
    """A matrix of the rates in the paper's notation, whose classes are of size 1."""
    rates = [_symbol(rf"\Phi_{{{count}}}") for count in COUNTS]
    of_rates = ConfusionMatrix(*rates)
    vars(of_rates).update(positives=1, negatives=1, tpr=rates[0], tnr=rates[3])
    return of_rates


def _in_paper_notation() -> ConfusionMatrix:
    """A matrix whose sums and rates are symbols of their own, where others are expressions."""
    of_rates = matrix_of_rates()
    matrix = ConfusionMatrix(*map(_symbol, COUNTS))
    vars(matrix).update(
        positives=_symbol("P"),
        negatives=_symbol("N"),
        predicted_positives=_symbol("P'"),
        predicted_negatives=_symbol("N'"),
        tpr=of_rates.tp,
        fpr=of_rates.fp,
        fnr=of_rates.fn,
        tnr=of_rates.tn,
        ppv=_symbol(r"\rho_{t_p}"),
        npv=_symbol(r"\rho_{t_n}"),
        rates=of_rates,
    )
    return matrix


def _symbol(name: str) -> Value:
    return sympy.Symbol(name, positive=True)


def _latex(expression: sympy.Expr) -> str:
    """LaTeX without the bars that would end a Markdown cell."""
    return sympy.latex(expression).replace("|", r"\vert ")


if __name__ == "__main__":
    print(page(), end="")
