"""The report in Chromium."""

import pytest
from browser.conftest import Page
from workflow.conftest import finished, made_once, whole  # noqa: F401  fixtures of `reported`
from workflow.test_report import reported  # noqa: F401

WIDE, PHONE = (1300, 900), (390, 844)


class Report(Page):
    """Open the report and scroll through it as a reader does."""

    def __init__(self, driver, address):
        super().__init__(driver, address)
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(address)
        self.until("document.querySelector('nav')")

    def resize(self, width, height):
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


@pytest.fixture(scope="module")
def opened(driver, reported):  # noqa: F811
    return Report(driver, (reported.folder / "results/report.html").as_uri())


def test_it_opens_with_what_was_found(opened):
    opened.resize(*WIDE)
    box = opened.run("return document.querySelector('#findings').getBoundingClientRect().toJSON()")
    assert 0 <= box["top"] < WIDE[1] / 2


def test_it_has_at_most_ten_screens_before_anything_is_opened(opened):
    opened.resize(*WIDE)
    assert opened.run("return document.documentElement.scrollHeight") <= 10 * WIDE[1]


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_nothing_is_wider_than_the_window(opened, size):
    opened.resize(*size)
    width = opened.run("return document.documentElement.scrollWidth")
    assert width <= size[0]


def test_pictures_show_when_they_come_into_view(opened):
    opened.resize(*WIDE)
    image = "document.getElementById('figures/contours/mcc.png').querySelector('img')"
    opened.run("document.querySelector('nav a[href=\"#contours-figures\"]').click()")
    opened.until("document.getElementById('contours-figures').open")
    opened.run(f"{image}.scrollIntoView()")
    opened.until(f"{image}.complete && {image}.naturalWidth > 600")


def test_colors_follow_the_readers_choice(opened):
    colors = []
    for scheme in ("light", "dark"):
        feature = {"name": "prefers-color-scheme", "value": scheme}
        opened.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
        colors.append(opened.run("return getComputedStyle(document.body).backgroundColor"))
    assert colors[0] == "rgb(255, 255, 255)"
    assert colors[1] != colors[0]


def test_a_table_is_sorted_by_a_click(opened):
    article = "document.getElementById('results/p_values.csv')"
    opened.run(f"{article}.querySelector('details').open = true")
    header = f"[...{article}.querySelectorAll('th')].find((th) => th.textContent === 'p')"
    values = []
    for _ in range(2):
        opened.run(f"{header}.querySelector('button').click()")
        column = f"[...{article}.querySelectorAll('tr > td:nth-child(5)')]"
        values.append(opened.run(f"return {column}.map((cell) => Number(cell.textContent))"))
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
