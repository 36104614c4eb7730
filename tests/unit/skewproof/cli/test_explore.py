"""The command ``skewproof explore``."""

import pytest


@pytest.fixture
def opened(monkeypatch):
    """Record the pages that the browser opens, whose text is the metric and the level."""
    addresses = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    monkeypatch.setattr(
        "skewproof.cli.explore.explorer_page", lambda metric, at: f"<html>{metric} {at}"
    )
    return addresses


def test_the_page_is_written_and_opened(run, opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("explore", "tp/P", "--at", "1:50") == (0, "Wrote explorer.html\n", "")
    page = tmp_path / "explorer.html"
    assert page.read_text() == "<html>tp/P 1:50"
    assert opened == [page.as_uri()]


def test_without_a_browser(parsed, opened, tmp_path):
    page = tmp_path / "a page.html"
    assert parsed("explore", "--output", str(page), "--no-browser") == {"page": str(page)}
    assert opened == []
    assert page.read_text() == "<html>None None"


@pytest.mark.parametrize("path", ["absent/explorer.html", "."])
def test_a_place_where_no_file_can_be(refused, opened, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    errors = refused("explore", "--output", path)
    assert errors == f"skewproof: --output {path}: expected a file in a folder that exists\n"
