"""The report in Chromium."""

import pytest
from browser.conftest import Page
from workflow.conftest import finished, made_once, whole  # noqa: F401  fixtures of `reported`
from workflow.test_report import reported  # noqa: F401

ROWS = "[...document.querySelectorAll('nav tbody tr')]"


class Report(Page):
    """The report, as one clicks through it."""

    def __init__(self, driver, address):
        super().__init__(driver, address)
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(address)
        self.until("document.querySelector('nav')")

    def choose(self, category):
        self.run("document.querySelector('nav nav a').click()")
        links = "[...document.querySelectorAll('nav a')]"
        found = f"{links}.find((link) => link.textContent.trim() === `{category}`)"
        self.until(found)
        self.run(f"{found}.click()")
        self.until(f"{ROWS}.length")

    def show(self, content):
        found = f"{ROWS}.find((row) => row.cells[0].textContent === `{content}`)"
        self.run(f"{found}.querySelector('a').click()")


@pytest.fixture(scope="module")
def opened(driver, reported):  # noqa: F811
    return Report(driver, (reported.folder / "results/report.html").as_uri())


def test_it_opens_with_what_was_found(opened):
    text = opened.run("return document.querySelector('.prose').innerText")
    assert "What was found" in text
    box = opened.run("return document.querySelector('.prose').getBoundingClientRect().toJSON()")
    assert box["top"] >= 0  # of what is above the window nothing can be read


def test_a_figure_of_a_category_shows(opened):
    opened.choose("2. Contours")
    opened.show("mcc")
    opened.until("[...document.images].some((image) => image.naturalWidth > 600)")


def test_a_table_shows_and_is_sorted_by_a_click(opened):
    opened.choose("4. Indices")
    opened.show("p-values")
    opened.until("document.querySelector('iframe')")
    opened.driver.switch_to.frame(opened.driver.find_element("css selector", "iframe"))
    try:
        opened.until("document.querySelector('th button')")
        header = "[...document.querySelectorAll('th')].find((th) => th.textContent === 'p')"
        values = []
        for _ in range(2):
            opened.run(f"{header}.querySelector('button').click()")
            column = "[...document.querySelectorAll('tr > td:nth-child(5)')]"
            values.append(opened.run(f"return {column}.map((cell) => Number(cell.textContent))"))
    finally:
        opened.driver.switch_to.default_content()
    assert len(set(values[0])) > 2
    assert values == [sorted(values[0]), sorted(values[0], reverse=True)]


def test_it_opens_without_an_error_and_asks_no_network_for_anything(opened):
    logged = opened.driver.get_log("browser")
    assert [entry["message"] for entry in logged if entry["level"] == "SEVERE"] == []
    requests = [
        entry["message"]
        for entry in opened.driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    assert requests
    assert not [request for request in requests if '"url":"http' in request]
