"""Bibliography of the atlas: the publications that are cited for names, and whether they were seen.

The file references.csv has a row per publication; cells that nobody looked up are empty. The file
places.csv has the places where a publication prints the formula under a name.
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
"""The publication that an equation number alone refers to."""

SURVEY = "Beddar-Wiesing et al. 2025"
"""The publication that an equation "of the survey" refers to."""

PACKAGE = re.compile(r"[\w-]+ \d[\d.]*: .+")
"""Pattern of a source that is a function of a package, with its version."""

_CITATION = re.compile(r"(?P<citation>.*?\b\d{4}[a-z]?)\b(?:, (?P<rest>.*))?$")
_PLACE = re.compile(r"(?:his |their )?(?P<place>(?:Eq\.|Section) [\d.]+(?:, \d+)*)(?: corrected)?")


class Reference(NamedTuple):
    """A publication."""

    citation: str
    """Authors and year, as sources cite it."""

    text: str
    """Title and place of publication; empty if no record was seen."""

    doi: str
    """The DOI; empty if none was seen."""

    seen_in: str
    """Source of the text and the DOI; empty for an unverified publication."""

    @property
    def verified(self) -> bool:
        """True if a bibliographic record of the publication was seen."""
        return bool(self.seen_in)


class Part(NamedTuple):
    """One of the sources of a name."""

    text: str
    """The source as written in the declaration."""

    reference: Reference | None
    """The publication; None for a function of a package."""

    place: str
    """Place of the formula in the publication; empty if it was not seen."""


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
"""Places where formulas are printed, and the sources of the places, by community, name and
citation."""


def cited(name: Name) -> tuple[Part, ...]:
    """Split the sources of a name, without the mark of a name that the atlas coined.

    Raises
    ------
    KeyError
        If a source cites a publication that is not in references.csv.

    Examples
    --------
    >>> from skewproof.metrics.atlas import CATALOG
    >>> from skewproof_studies.atlas.references import cited
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
            parts.append(Part(text, None, ""))
            continue
        match = _PLACE.search(rest)
        known, _ = PLACES.get((name.community, name.name, citation), ("", ""))
        parts.append(Part(text, REFERENCES[citation], match["place"] if match else known))
    return tuple(parts)


def _split(text: str, before: list[Part]) -> tuple[str | None, str]:
    """Split a source into its citation and the rest; a package's function has no citation."""
    if PACKAGE.fullmatch(text):
        return None, ""
    match = _CITATION.match(text)
    if match:
        return match["citation"], match["rest"] or ""
    if text.endswith("of the survey"):
        return SURVEY, text
    if text.startswith("Eq. ") or PAPER.startswith(text):
        return PAPER, text
    if text.startswith(("his ", "their ")) and before and before[-1].reference:
        return before[-1].reference.citation, text
    return None, ""
