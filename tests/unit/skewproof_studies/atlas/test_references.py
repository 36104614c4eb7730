"""The bibliography: every citation has its row, and no row claims more than was seen."""

import re

import pytest

from skewproof.metrics.atlas import CATALOG
from skewproof.metrics.atlas.entry import NAMED_HERE, Name
from skewproof.metrics.atlas.families import FAMILIES
from skewproof_studies.atlas.references import PACKAGE, PLACES, REFERENCES, cited

NAMES = [
    *(name for entry in CATALOG.values() for name in entry.names),
    *(name for family in FAMILIES.values() for name in family.names),
]

SURVEY = "Beddar-Wiesing et al. 2025"
YEAR = re.compile(r"\b(1[789]|20)\d\d[ab]?\b")


def test_every_citation_has_a_row_and_every_row_is_cited():
    found = {part.reference.citation for name in NAMES for part in cited(name) if part.reference}
    assert found == set(REFERENCES)
    with pytest.raises(KeyError, match="Nobody 1999"):
        cited(Name("class imbalance", "any", "Nobody 1999"))


def test_what_was_not_seen_is_empty_and_dois_are_of_one_publication_each():
    for reference in REFERENCES.values():
        assert reference.verified == bool(reference.text or reference.doi), reference
    dois = [reference.doi.lower() for reference in REFERENCES.values() if reference.doi]
    assert all(re.fullmatch(r"10\.\d{4,}/\S+", doi) for doi in dois)
    assert len(dois) == len(set(dois))


def test_a_source_with_a_year_is_a_publication_and_others_are_functions():
    for part in (part for name in NAMES for part in cited(name)):
        if part.reference is None:
            assert PACKAGE.fullmatch(part.text) or re.fullmatch(r"\w+, [\w. ]+", part.text), part
        else:
            assert YEAR.search(part.text) or "Eq. " in part.text or "van Zyl" in part.text, part


def test_places_are_of_names_and_citations_that_there_are():
    known = {(name.community, name.name): name for name in NAMES}
    for (community, name, citation), (place, seen_in) in PLACES.items():
        parts = cited(known[community, name])
        assert citation in [part.reference.citation for part in parts if part.reference]
        assert re.fullmatch(r"pp?\. [\d–]+|Eq\. \d+", place)
        assert seen_in


def test_a_name_that_was_coined_here_is_marked():
    coined = {name.name for name in NAMES if name.coined}
    assert {"Jaccard with hits four times", "Eyraud of abydos", "maximum class error"} <= coined
    assert not coined & {"Jaccard", "F1 score", "precision gain", "bias index"}
    # A name is of this atlas alone only where nobody else has the formula.
    assert {name.name for name in NAMES if name.source == NAMED_HERE} == {
        "maximum class error",
        "geometric mean of the predictive values",
    }


@pytest.mark.parametrize(
    ("source", "citations", "places"),
    [
        ("Eq. 19", ["van Zyl and Engelbrecht 2025"], ["Eq. 19"]),
        ("Eq. 45, 46", ["van Zyl and Engelbrecht 2025"], ["Eq. 45, 46"]),
        ("Scott 1955; Eq. 16 of the survey", ["Scott 1955", SURVEY], ["", "Eq. 16"]),
        ("Burduk 2020; his Eq. 11", ["Burduk 2020", "Burduk 2020"], ["", "Eq. 11"]),
        ("Tharwat 2021, his Section 2.8", ["Tharwat 2021"], ["Section 2.8"]),
        ("Mullick et al. 2020, their Eq. 8", ["Mullick et al. 2020"], ["Eq. 8"]),
        ("pycm 4.6: MCC; vcd, assocstats", [None, None], ["", ""]),
        ("Cole 1949, his C7", ["Cole 1949"], [""]),
        ("named here; Ling 2010, as Sorensen", ["Ling 2010"], [""]),
    ],
)
def test_the_parts_of_a_source(source, citations, places):
    parts = cited(Name("class imbalance", "any", source))
    assert [part.reference and part.reference.citation for part in parts] == citations
    assert [part.place for part in parts] == places
