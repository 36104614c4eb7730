"""The page of all metrics: ``python -m skewproof.reporting.metric_page``."""

from __future__ import annotations

import sympy

from skewproof.core.symbolic import matrix_in_paper_notation, shown_range
from skewproof.metrics import METRICS

_INTRODUCTION = """\
# The metrics

Written by `make docs` from the declarations in `src/skewproof/metrics/`. Equation numbers are those
of van Zyl and Engelbrecht, and so is the notation: $t_p, f_p, f_n, t_n$ are counts, $P, N$ the
class sizes, $P', N'$ how many were called positive and negative, $\\Phi$ rates of a true class,
$\\rho$ predictive values. A metric is undefined where its formula divides 0 by 0; one without a
bound is infinite where it divides another number by 0. The study analyzes a metric whose range is
not [0, 1] after the map that stands behind its range (`skewproof.core.scales`). Of metrics marked with
an arrow lower values are better.

| key | name | symbol | formula | range | source |
|:----|:-----|:-------|:--------|:------|:-------|
"""


def metric_page() -> str:
    """The page of all registered metrics in Markdown."""
    matrix = matrix_in_paper_notation()
    rows = [
        f"| `{key}` | {', '.join([metric.name, *metric.aliases])} | ${metric.symbol}$ "
        f"| ${_latex(metric(matrix))}$ | {shown_range(metric)} | {metric.source} |\n"
        for key, metric in METRICS.items()
    ]
    return _INTRODUCTION + "".join(rows)


def _latex(expression: sympy.Expr) -> str:
    """LaTeX without the bars that would end a Markdown cell."""
    return sympy.latex(expression).replace("|", r"\vert ")


if __name__ == "__main__":
    print(metric_page(), end="")
