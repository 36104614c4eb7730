"""Bibliography of the atlas: the publications that names are cited from, and what was seen of them.

The file references.csv has a row a publication; what nobody looked up is left empty there. The file
places.csv says where a publication prints the formula under a name.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple

from skewproof.metrics.atlas.entry import NAMED_HERE, Name

PAPER = "van Zyl and Engelbrecht 2025"
"""The publication that an equation number alone is of."""

SURVEY = "Beddar-Wiesing et al. 2025"
"""The publication that an equation "of the survey" is of."""

PACKAGE = re.compile(r"[\w-]+ \d[\d.]*: .+")
"""How a source names a function of a package, whose values are the measure's: by its version."""

_CITATION = re.compile(r"(?P<citation>.*?\b\d{4}[a-z]?)\b(?:, (?P<rest>.*))?$")
_PLACE = re.compile(r"(?:his |their )?(?P<place>(?:Eq\.|Section) [\d.]+(?:, \d+)*)(?: corrected)?")


class Reference(NamedTuple):
    """A publication."""

    citation: str
    """Authors and year, as sources cite it."""

    text: str
    """Title and place of publication; empty if no record was seen."""

    doi: str
    """Its DOI; empty where none was seen."""

    seen_in: str
    """Where the text and the DOI were read; empty for an unverified publication."""

    @property
    def verified(self) -> bool:
        """Whether a bibliographic record of the source was seen."""
        return bool(self.seen_in)


class Part(NamedTuple):
    """One of the sources of a name."""

    text: str
    """The source as the declaration has it."""

    reference: Reference | None
    """The publication; None for a function of a package."""

    place: str
    """Where the publication prints the formula; empty where that was not seen."""

    place_seen_in: str
    """Where the place was read."""


def _rows(file: str) -> Iterator[dict[str, str]]:
    text = files("skewproof.metrics.atlas").joinpath(file).read_text("utf-8")
    return csv.DictReader(text.splitlines())


REFERENCES: Mapping[str, Reference] = MappingProxyType(
    {
        row["citation"]: Reference(row["citation"], row["reference"], row["doi"], row["seen_in"])
        for row in _rows("references.csv")
    }
)
"""The publications by citation, in alphabetical order."""

PLACES: Mapping[tuple[str, str, str], tuple[str, str]] = MappingProxyType(
    {
        (row["community"], row["name"], row["citation"]): (row["place"], row["seen_in"])
        for row in _rows("places.csv")
    }
)
"""Where a formula is printed, and where that was read: by community, name and citation."""


def cited(name: Name) -> tuple[Part, ...]:
    """The sources of a name, one by one, without the mark of a name that was coined here.

    Raises
    ------
    KeyError
        If a source cites a publication that references.csv has no row of.

    Examples
    --------
    >>> from skewproof.metrics.atlas import CATALOG
    >>> from skewproof.metrics.atlas.references import cited
    >>> dice = next(name for name in CATALOG["f1"].names if name.name == "Dice")
    >>> [(part.text, part.place) for part in cited(dice)][:2]
    [('Dice 1945', 'p. 302'), ('Choi et al. 2010', 'Eq. 2')]
    >>> cited(dice)[0].reference.doi
    '10.2307/1932409'
    """
    parts: list[Part] = []
    for text in name.source.split("; "):
        if text == NAMED_HERE:
            continue
        citation, rest = _split(text, parts)
        if citation is None:
            parts.append(Part(text, None, "", ""))
            continue
        found = _PLACE.search(rest)
        place, seen = PLACES.get((name.community, name.name, citation), ("", ""))
        if found:
            place, seen = found["place"], "the paper"
        parts.append(Part(text, REFERENCES[citation], place, seen))
    return tuple(parts)


def _split(text: str, before: list[Part]) -> tuple[str | None, str]:
    """The citation of a source, None of a package's function, and what follows it."""
    if PACKAGE.fullmatch(text):
        return None, ""
    found = _CITATION.match(text)
    if found:
        return found["citation"], found["rest"] or ""
    if text.endswith("of the survey"):
        return SURVEY, text
    if text.startswith("Eq. ") or PAPER.startswith(text):
        return PAPER, text
    if text.startswith(("his ", "their ")) and before and before[-1].reference:
        return before[-1].reference.citation, text
    return None, ""
