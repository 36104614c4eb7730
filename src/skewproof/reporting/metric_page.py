"""The page of all metrics: ``python -m skewproof.reporting.metric_page``."""

from __future__ import annotations

import sympy

from skewproof.core.symbolic import matrix_in_paper_notation, shown_range
from skewproof.metrics import METRICS
from skewproof.reporting.templates import render


def metric_page() -> str:
    """The page of all declared metrics in Markdown."""
    matrix = matrix_in_paper_notation()
    return render(
        "skewproof.reporting",
        "metrics.md.jinja",
        metrics=METRICS.values(),
        formulas={key: _latex(metric(matrix)) for key, metric in METRICS.items()},
        ranges={key: shown_range(metric) for key, metric in METRICS.items()},
    )


def _latex(expression: sympy.Expr) -> str:
    """LaTeX without the bars that would end a Markdown cell."""
    return sympy.latex(expression).replace("|", r"\vert ")


if __name__ == "__main__":
    print(metric_page(), end="")
