"""Pages of the atlas: one per community, one of families and one of sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

import numpy as np
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import matrix_in_paper_notation, rate_formula
from skewproof.core.metric import Metric
from skewproof.metrics.atlas import ATLAS, CATALOG, COMMUNITIES, undefined_cells
from skewproof.metrics.atlas.entry import Community, Name, direction_in_words
from skewproof.metrics.atlas.families import FAMILIES, Family
from skewproof.metrics.atlas.undefined import defined_again
from skewproof.reporting.templates import render
from skewproof_studies.atlas.references import REFERENCES, Part, Reference, cited

UNVERIFIED = "°"
"""Mark after a publication of which no bibliographic record was read."""


def community_pages() -> Iterator[tuple[str, str]]:
    """Yield the file name of each community's page, without the extension, and its Markdown.

    A page has every measure with a name from its community. It describes a measure in full if the
    measure's first name is from there, and links to the full description otherwise.
    """
    for community in COMMUNITIES:
        measures = [
            (_facts if _home(key) == community else _link)(key, community)
            for key in ATLAS
            if _names(key, community)
        ]
        text = render(
            "skewproof_studies.atlas",
            "community.md.jinja",
            community=community,
            measures=measures,
            unverified=UNVERIFIED,
        )
        yield page_name(community), text


def further_pages() -> Iterator[tuple[str, str]]:
    """Yield the pages of families and of sources, as :func:`community_pages` does."""
    families = [
        {
            "family": family,
            "formula": sympy.latex(_general_formula(family)),
            "names": [_shown_name(name) for name in family.names],
            "members": _members(family),
        }
        for family in FAMILIES.values()
    ]
    yield "families", render("skewproof_studies.atlas", "families.md.jinja", families=families)
    measures = _citing_measures()
    listed = [(work, _linked(work), measures[work.citation]) for work in REFERENCES.values()]
    yield (
        "sources",
        render(
            "skewproof_studies.atlas",
            "sources.md.jinja",
            seen=[row for row in listed if row[0].verified],
            unverified=[row for row in listed if not row[0].verified],
            dois=sum(bool(reference.doi) for reference in REFERENCES.values()),
            mark=UNVERIFIED,
        ),
    )


def page_name(community: Community) -> str:
    """Return the file name of a community's page, without the extension."""
    return community.key.replace(" ", "_")


def _home(key: str) -> Community:
    """Return the community of a measure's first name."""
    first = CATALOG[key].names[0].community
    return next(community for community in COMMUNITIES if community.key == first)


def _names(key: str, community: Community) -> list[Name]:
    return [name for name in CATALOG[key].names if name.community == community.key]


def _link(key: str, community: Community) -> dict[str, Any]:
    """Return the entry of a measure that another page describes in full."""
    names = _names(key, community)
    return {
        "key": key,
        "label": f"{key}-{page_name(community)}",
        "name": _heading(names[0].name),
        "formula": _formula(key),
        "names": [_shown_name(name, community) for name in names],
        "home": _home(key),
        "home_name": ATLAS[key].name,
    }


def _facts(key: str, community: Community) -> dict[str, Any]:
    """Return all known facts about a measure."""
    metric, entry = ATLAS[key], CATALOG[key]
    return {
        "key": key,
        "label": key,
        "name": _heading(metric.name),
        "formula": _formula(key),
        "zero_logarithm": _multiplies_a_logarithm(_expression(key)),
        "range": _range(metric.bounds or ()),
        "range_of_counts": _range(entry.bounds_of_counts or ()),
        "direction": direction_in_words(metric),
        "names": [_shown_name(name) for name in entry.names],
        "remark": entry.remark,
        "undefined": [" and ".join(sorted(cells)) for cells in undefined_cells(metric)],
        "defined_again": [" and ".join(sorted(cells)) for cells in defined_again(metric)],
        "of_rates": _formula_of_rates(metric),
        "families": [family.name for family in FAMILIES.values() if key in family.members],
        "home": None,
    }


def _heading(name: str) -> str:
    return f"{name[0].upper()}{name[1:]}"


@cache
def _expression(key: str) -> sympy.Expr:
    return sympy.sympify(ATLAS[key](matrix_in_paper_notation()))


@cache
def _formula(key: str) -> str:
    return str(sympy.latex(_expression(key)))


def _shown_name(name: Name, community: Community | None = None) -> str:
    """Return a name with its sources, and with its community if that is not the page's."""
    sources = "; ".join(map(_shown_part, cited(name)))
    if name.coined:
        sources = f"named here: {sources}" if sources else "named here"
    return f"{name.name} ({sources if community else f'{name.community}: {sources}'})"


def _shown_part(part: Part) -> str:
    """Return a source: its publication, linked if there is a DOI, and the place there."""
    if part.reference is None:
        return part.text
    note = part.text.removeprefix(part.reference.citation).removeprefix(", ")
    if part.place and part.place in note:
        note = note.removeprefix("his ").removeprefix("their ").removesuffix(" of the survey")
    else:
        note = ", ".join(filter(None, (note if note != part.text else "", part.place)))
    return ", ".join(filter(None, (_linked(part.reference), note)))


def _linked(reference: Reference) -> str:
    if reference.doi:
        return f"[{reference.citation}](https://doi.org/{quote(reference.doi, safe='/')})"
    return reference.citation if reference.verified else f"{reference.citation}{UNVERIFIED}"


def _citing_measures() -> Mapping[str, list[str]]:
    """Return the measures and families whose names cite each publication."""
    citing: dict[str, list[str]] = {citation: [] for citation in REFERENCES}
    names = {key: entry.names for key, entry in CATALOG.items()}
    names |= {f"family of the {family.name}": family.names for family in FAMILIES.values()}
    for key, listed in names.items():
        for reference in {part.reference for name in listed for part in cited(name)}:
            if reference is not None:
                citing[reference.citation].append(key)
    return citing


def _general_formula(family: Family) -> sympy.Expr:
    symbols = (sympy.Symbol(parameter.latex, positive=True) for parameter in family.parameters)
    return family.function(matrix_in_paper_notation(), *symbols)


def _members(family: Family) -> list[dict[str, str]]:
    return [
        {
            "key": key,
            "name": ATLAS[key].name,
            "parameters": ", ".join(
                f"${parameter.latex} = {sympy.latex(sympy.Rational(value))}$"
                for parameter, value in zip(family.parameters, values, strict=True)
            ),
        }
        for key, values in family.members.items()
    ]


def _range(bounds: Iterable[float]) -> str:
    return " to ".join(f"{end:g}".replace("inf", "∞") for end in bounds)


def _multiplies_a_logarithm(formula: sympy.Expr) -> bool:
    """Return whether a logarithm is multiplied by a count or share, which may be 0."""
    return any(
        any(part.func is sympy.log for part in product.args)
        and any(part.is_Symbol for part in product.args)
        for product in formula.atoms(sympy.Mul)
    )


def _formula_of_rates(metric: Metric) -> str | None:
    """Return the measure as a function of the rates, searched for only if floats allow it."""
    u, v = np.random.default_rng(0).random((2, 20))
    with np.errstate(all="ignore"):
        first, second = (
            metric(ConfusionMatrix.from_rates(u, v, positives=100, negatives=negatives))
            for negatives in (100, 1000)
        )
    if not np.allclose(first, second, equal_nan=True):
        return None
    formula = rate_formula(metric)
    return None if formula is None else sympy.latex(formula)
