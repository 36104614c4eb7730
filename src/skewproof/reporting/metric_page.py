"""The page of all metrics: ``python -m skewproof.reporting.metric_page``."""

from __future__ import annotations

from skewproof.core.extras import sympy
from skewproof.core.formulas.symbolic import matrix_in_paper_notation
from skewproof.core.scales import shown_range
from skewproof.metrics import METRICS
from skewproof.reporting.templates import render


def metric_page() -> str:
    """Write the page of all declared metrics in Markdown."""
    matrix = matrix_in_paper_notation()
    return render(
        "skewproof.reporting",
        "metrics.md.jinja",
        metrics=METRICS.values(),
        formulas={key: _cell(metric(matrix)) for key, metric in METRICS.items()},
        ranges={key: shown_range(metric) for key, metric in METRICS.items()},
    )


def _cell(expression: sympy.Expr) -> str:
    """Write a formula for a cell of a Markdown table, with its cases on a single line."""
    if not isinstance(expression, sympy.Piecewise):
        return f"${_latex(expression)}$"
    *cases, (otherwise, _) = expression.args
    parts = [f"${_latex(value)}$ if ${_latex(condition)}$, " for value, condition in cases]
    return "".join(parts) + f"else ${_latex(otherwise)}$"


def _latex(expression: sympy.Expr) -> str:
    """Write LaTeX without vertical bars, which would end a Markdown cell."""
    return sympy.latex(expression).replace("|", r"\vert ")


if __name__ == "__main__":
    print(metric_page(), end="")
