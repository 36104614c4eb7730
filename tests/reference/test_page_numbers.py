"""Every number on the pages that comes from results is the stored one, and has its name."""

import re
import sys

import numpy as np
import pytest

from skewproof import Level
from skewproof.metrics import f1
from skewproof.sensitivity import surface
from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
import markers
from values import VALUES

STORED = markers.stored_values()
PAGES = {str(page.relative_to(PROJECT)): markers.read(page) for page in markers.pages()}

HAVE_RESULTS = ("README.md", "docs/evidence/findings.md", "docs/evidence/studies/", "docs/paper/")
WITH_RESULTS = [
    name for name, text in PAGES.items() if name.startswith(HAVE_RESULTS) or "<!-- given:" in text
]
"""Pages whose numbers are checked; the others have none, or compute them when built."""

PLACES = re.compile(
    r"(?:Sections?|Eqs?\.|Tables?|Figures?|Definitions?|Remarks?|arXiv:?)\s+"
    r"[A-Z]?[\d.]*\d(?:(?:,| to| and)\s+[A-Z]?[\d.]*\d)*"
)
NOT_READ = (r"\A---\n.*?\n---", r"```.*?```", r"`[^`]*`", r"\]\([^)]*\)", r"\$[^$]*\$")
NUMBERS = re.compile(r"(?<![\w.:/@])(?:\d+\.\d+(?:e-?\d+)?|\d+e-?\d+|\d+ of (?:the )?\d+)")


def bare_numbers(text):
    """List decimals and counts "n of m" without a name, except those of sections and the like."""
    (given,) = re.findall(r"<!-- given: (.*?) -->", text) or [""]
    for pattern in NOT_READ:
        text = re.sub(pattern, "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", markers.MARKED.sub("", text), flags=re.DOTALL)
    return set(NUMBERS.findall(PLACES.sub("", text))) - set(given.split())


@pytest.mark.parametrize("name", [name for name in PAGES if markers.MARKED.search(PAGES[name])])
def test_a_page_has_the_numbers_of_the_results(name):
    assert markers.other_numbers(PAGES[name], STORED) == []


@pytest.mark.parametrize("name", WITH_RESULTS)
def test_a_number_of_a_page_has_a_name_or_is_given(name):
    assert bare_numbers(PAGES[name]) == set()


def test_what_pages_say_in_words_of_numbers():
    half_width, error = STORED["van_zyl.median_half_width"], STORED["van_zyl.median_error"]
    assert half_width > 2000 * error  # thousands of times
    assert round(STORED["real_data.independent_of_all"]) == 3  # about three numbers
    f1_there = surface(f1, Level.parse("1:1000"), 100, grid=201).values
    assert np.mean(f1_there < 0.1) > 0.9  # nearly every classifier scores close to 0


def test_no_value_is_stored_that_no_page_has():
    named = {found["name"] for text in PAGES.values() for found in markers.MARKED.finditer(text)}
    assert set(STORED) == named


def test_numbers_without_a_run_are_those_of_the_package(tmp_path):
    found = {f"package.{name}": value for name, value in VALUES["package"](tmp_path).items()}
    stored = {name: value for name, value in STORED.items() if name.startswith("package.")}
    assert {name: found[name] for name in stored} == pytest.approx(stored, rel=1e-9)


@pytest.mark.parametrize(
    ("value", "shown", "text"),
    [
        (0.06628, "0.89", "0.07"),
        (0.46699, "40 %", "47 %"),
        (0.00015870, "9.9e-1", "1.6e-4"),
        (-0.6149, "-0.61", "-0.61"),
        (0.2, "+0.123", "+0.200"),
        (10_010.4, "9 000", "10 010"),
        (818.0, "840", "818"),
        (9.0, "seven", "nine"),
        (12.0, "Two", "Twelve"),
        (0.0, "one", "none"),
        (-1e-17, "1.0", "0.0"),
        (21.0, "one", "21"),
    ],
)
def test_a_number_is_written_in_the_manner_of_the_page(value, shown, text):
    marked = f"of {shown}<!-- study.name --> metrics"
    assert markers.filled(marked, {"study.name": value}) == f"of {text}<!-- study.name --> metrics"


def test_another_number_and_another_name_are_said():
    text = "818<!-- van_zyl.agreeing --> of 839<!-- van_zyl.printed -->"
    values = {"van_zyl.agreeing": 818.0, "van_zyl.printed": 840.0}
    assert markers.other_numbers(text, values) == ["839 where van_zyl.printed is 840"]
    unknown = {"van_zyl.printed": 839.0}
    assert markers.other_numbers(text, unknown) == ["van_zyl.agreeing is no name in values.csv"]
    assert markers.filled(text, unknown) == text
    assert markers.MARKED.search("on D4 48<!-- a.b --> values")["shown"] == "48"
    text = "In Section 2.7 it is 0.25, 3 of 4 in `0.1`, and 0.5<!-- a.b -->.\n<!-- given: 0.3 -->"
    assert bare_numbers(text) == {"0.25", "3 of 4"}
