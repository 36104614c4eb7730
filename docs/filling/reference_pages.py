"""The pages of all metrics, of the survey's measures and of scores of probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import sympy
from jinja2 import FileSystemLoader
from prevalence_page import page_values

from skewproof.audits.choosing.catalog import SECTIONS, CatalogEntry, load_catalog
from skewproof.core.formulas.symbolic import matrix_in_paper_notation
from skewproof.core.scales import shown_range
from skewproof.metrics import METRICS
from skewproof.reporting.templates import environment

PROJECT = Path(__file__).parents[2]
TEMPLATES = environment(FileSystemLoader(PROJECT / "docs/filling/templates"))


def metrics_page() -> str:
    """Write the page of all declared metrics."""
    matrix = matrix_in_paper_notation()
    return _page(
        "metrics",
        metrics=METRICS.values(),
        formulas={key: _formula(metric(matrix)) for key, metric in METRICS.items()},
        ranges={key: shown_range(metric) for key, metric in METRICS.items()},
    )


def measures_page() -> str:
    """Write the page of all measures of the survey."""
    rows: dict[str, list[list[str]]] = {section: [] for section in SECTIONS}
    for entry in load_catalog().values():
        rows[entry.section].append(_cells(entry))
    return _page("measures", rows=rows)


def probabilities_page() -> str:
    """Write the page of scores of probabilities."""
    return _page("probabilities", **page_values())


PAGES = {
    "metrics": metrics_page,
    "measures": measures_page,
    "probabilities": probabilities_page,
}
"""Pages of the folder docs/reference, by their names."""


def _page(name: str, **values: Any) -> str:
    return TEMPLATES.get_template(f"{name}.md.jinja").render(values)


def _formula(expression: sympy.Expr) -> str:
    """Write a formula for a cell of a Markdown table, with its cases on a single line."""
    if not isinstance(expression, sympy.Piecewise):
        return f"${_latex(expression)}$"
    *cases, (otherwise, _) = expression.args
    parts = [f"${_latex(value)}$ if ${_latex(condition)}$, " for value, condition in cases]
    return "".join(parts) + f"else ${_latex(otherwise)}$"


def _latex(expression: sympy.Expr) -> str:
    """Write LaTeX without vertical bars, which would end a Markdown cell."""
    return sympy.latex(expression).replace("|", r"\vert ")


def _cells(entry: CatalogEntry) -> list[str]:
    formula = "" if entry.formula is None else f"${entry.formula}$".replace("|", r"\vert ")
    options = ", ".join(f"{name}={value!r}" for name, value in entry.options.items())
    function = "none" if entry.function is None else f"`{entry.function.replace(':', '.')}`"
    return [
        f"`{entry.key}`",
        entry.name,
        entry.balance or "",
        entry.classes or "",
        "yes" if entry.chance_corrected else "no",
        entry.error_type or "",
        "" if entry.range is None else f"[{_end(entry.range[0])}, {_end(entry.range[1])}]",
        formula,
        entry.reference,
        f"{function} with `{options}`" if options else function,
        entry.note,
    ]


def _end(value: float) -> str:
    return "∞" if np.isinf(value) else f"{value:g}"


if __name__ == "__main__":
    for name, page in PAGES.items():
        (PROJECT / f"docs/reference/{name}.md").write_text(page())
