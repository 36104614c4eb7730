"""Every link within the project leads to a file, and to a heading in it."""

import re
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
import markers
from pictures import IMAGES, PICTURES, TABLES

from skewproof_studies.statements.page import PICTURE

PAGES = {
    str(page.relative_to(PROJECT)): markers.read(page)
    for page in [*markers.pages(), PROJECT / "CONTRIBUTING.md", PROJECT / "CHANGELOG.md"]
}
MADE_WHEN_BUILT = ("docs/reference/cards/", "docs/reference/api/", "docs/reference/atlas/")


def without_code(text):
    return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)


def links_of(text):
    """List the targets of links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", without_code(text))


def anchors_of(text):
    """List the anchors of headings, as a repository's page and MyST make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def dead_links(name, text):
    dead = []
    for link in links_of(text):
        if "://" in link or link.startswith("mailto:"):
            continue
        path, _, anchor = unquote(link).partition("#")
        place = ((PROJECT / name).parent / path).resolve() if path else PROJECT / name
        within = place.relative_to(PROJECT).as_posix()
        if within.startswith(MADE_WHEN_BUILT):
            continue
        if not place.exists() or (anchor and anchor not in anchors_of(place.read_text())):
            dead.append(link)
    return dead


@pytest.mark.parametrize("name", PAGES)
def test_links_of_a_page_lead_somewhere(name):
    assert dead_links(name, PAGES[name]) == []


def test_a_dead_link_and_a_dead_anchor_are_found():
    text = "# A b: c\n[x](README.md) [y](nowhere.md) [z](#a-b-c) [w](#nowhere) [v](https://x.y)"
    assert anchors_of(text) == {"a-b-c"}
    assert dead_links("README.md", text) == ["nowhere.md", "#a-b-c", "#nowhere"]


def test_pictures_are_drawn_from_tables_that_are_there():
    links = {link for text in PAGES.values() for link in links_of(text) if "images/" in link}
    tables_of_pages = {link for link in links if link.endswith(".csv")}
    images = {link.rpartition("/")[2] for link in links - tables_of_pages}
    terminals = {path.name for path in IMAGES.glob("*.svg")}
    assert terminals == {"session.svg"} <= images
    shown = {name.removesuffix(".png") for name in images - terminals}
    of_statements = {name for name in shown if name.startswith(PICTURE)}
    drawn = set(PICTURES) | of_statements
    assert shown == drawn == {path.stem for path in IMAGES.glob("*.png")}
    tables = {path.stem for path in IMAGES.glob("*.csv")}
    assert tables == {
        *TABLES,
        *("error_rates", "coverage", "rejections"),
        *("area_coverage", "area_coverage_auc", "area_coverage_elsewhere", "area_coverage_ties"),
    } | {Path(link).stem for link in tables_of_pages}


ROOTS = [PROJECT, PROJECT / "src", PROJECT / "src/skewproof", PROJECT / "src/skewproof_studies"]
NAMES = {
    path.name
    for folder in ("src", "workflow", "docs", "tests")
    for path in (PROJECT / folder).rglob("*.*")
}
MADE_BY_A_RUN = ("results/", "figures/", "docs/_build/", "dist/", "build/", "data/", "downloads/")
WRITTEN_BY_A_READER = {"profiles/kubernetes/config.yaml", "tolerances.yaml"}


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"CHANGELOG.md"}))
def test_code_that_a_page_names_is_there(name):
    """It is named by its path in the project or in a package, a file also by its name alone."""
    for path in re.findall(r"`([\w/.-]+(?:/|\.(?:pyi?|yaml|smk)))`", PAGES[name]):
        there = path in NAMES | WRITTEN_BY_A_READER or any((root / path).exists() for root in ROOTS)
        assert there or path.startswith((*MADE_BY_A_RUN, "templates/")), f"{path} is nowhere"


def test_pages_and_scripts_that_code_names_are_there():
    files = [PROJECT / name for name in ("Makefile", "config.yaml", "CITATION.cff", ".ci/run")]
    for folder in ("src", "tests", "benchmarks", "docs", "workflow", "profiles"):
        files += [
            path for kind in ("py", "smk", "yaml") for path in PROJECT.glob(f"{folder}/**/*.{kind}")
        ]
    for file in files:
        for path in re.findall(
            r"(?<![\w/.])(?:docs|benchmarks)/[\w/]+\.(?:md|py)\b", file.read_text()
        ):
            assert (PROJECT / path).exists(), f"{file.relative_to(PROJECT)} names {path}"
