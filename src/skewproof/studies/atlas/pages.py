"""The atlas as pages: one for each community, with each measure that it names first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.core.symbolic import matrix_in_paper_notation, rate_formula
from skewproof.metrics.atlas import ATLAS, CATALOG, COMMUNITIES, undefined_cells
from skewproof.metrics.atlas.directions import direction_in_words
from skewproof.metrics.atlas.undefined import defined_again
from skewproof.reporting.templates import render


def community_pages() -> Iterator[tuple[str, str]]:
    """The name of each page's file, without an ending, and its text in Markdown."""
    for community in COMMUNITIES:
        keys = [key for key in ATLAS if CATALOG[key].names[0].community == community.key]
        if keys:
            text = render(
                "skewproof.studies.atlas",
                "community.md.jinja",
                community=community,
                measures=[_facts(ATLAS[key]) for key in keys],
            )
            yield community.key.replace(" ", "_"), text


def _facts(metric: Metric) -> dict[str, Any]:
    entry = CATALOG[metric.key]
    formula = sympy.sympify(metric(matrix_in_paper_notation()))
    return {
        "key": metric.key,
        "name": f"{metric.name[0].upper()}{metric.name[1:]}",
        "formula": sympy.latex(formula),
        "zero_logarithm": _multiplies_a_logarithm(formula),
        "range": _range(metric.bounds or ()),
        "range_of_counts": _range(entry.bounds_of_counts or ()),
        "direction": direction_in_words(metric),
        "names": entry.names,
        "remark": entry.remark,
        "undefined": [" and ".join(sorted(cells)) for cells in undefined_cells(metric)],
        "defined_again": [" and ".join(sorted(cells)) for cells in defined_again(metric)],
        "of_rates": _of_rates(metric),
    }


def _range(bounds: Iterable[float]) -> str:
    return " to ".join(f"{end:g}".replace("inf", "∞") for end in bounds)


def _multiplies_a_logarithm(formula: sympy.Expr) -> bool:
    """Whether a logarithm is multiplied by a count or share, which may be 0."""
    return any(
        any(part.func is sympy.log for part in product.args)
        and any(part.is_Symbol for part in product.args)
        for product in formula.atoms(sympy.Mul)
    )


def _of_rates(metric: Metric) -> str | None:
    """The measure as a function of the rates, which is looked for where floats leave one."""
    u, v = np.random.default_rng(0).random((2, 20))
    with np.errstate(all="ignore"):
        first, second = (
            metric(ConfusionMatrix.from_rates(u, v, positives=100, negatives=negatives))
            for negatives in (100, 1000)
        )
    if not np.allclose(first, second, equal_nan=True):
        return None
    found = rate_formula(metric)
    return None if found is None else sympy.latex(found)
