"""The explorer in Chromium, built once for all tests."""

import json
import os
import shutil
from pathlib import Path

import pytest
from filelock import FileLock
from needs import needs

from skewproof.explorer.page import explorer_page

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1300,900",
)


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    """The address of the page, which one worker writes for all."""
    needs("chromium", "chromium")
    needs("chromedriver", "chromium-driver")
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    path = folder / "explorer.html"
    with FileLock(folder / "explorer.lock"):
        if not path.exists():
            path.write_text(explorer_page(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="session")
def driver(address, tmp_path_factory):
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    with webdriver.Chrome(options=options, service=service) as driver:
        yield driver


class Page:
    """The page in the browser."""

    def __init__(self, driver, address):
        self.driver, self.address = driver, address

    def open(self, state=""):
        """Open the page anew, with a state in its address, and wait for its first frame."""
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get(f"{self.address}{state}")
        self.until("skewproof.frames() > 0")

    def reset(self):
        """Go back to the first state, without what was typed."""
        if not self.driver.current_url.startswith(self.address):
            self.open()
        self.enter("#labels", "")
        self.run(
            "document.activeElement.blur(); window.seen = skewproof.frames();"
            "location.hash = `again=${seen}`"
        )
        self.until("skewproof.frames() > seen && skewproof.state().level === 2")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def until(self, condition):
        """Wait until a condition in JavaScript holds."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 20, poll_frequency=0.02).until(
            lambda driver: driver.execute_script(f"return Boolean({condition})"), condition
        )

    def state(self):
        return self.run("return skewproof.state()")

    def element(self, css):
        return self.driver.find_element("css selector", css)

    def text(self, css):
        return self.run("return document.querySelector(arguments[0]).textContent", css)

    def enter(self, css, value):
        """Put a value into an input as if it were typed, however long."""
        script = "const input = document.querySelector(arguments[0]); input.value = arguments[1];"
        self.run(f"{script} input.dispatchEvent(new Event('input', {{bubbles: true}}))", css, value)

    def choose(self, css, value):
        """Choose from a list."""
        script = "const list = document.querySelector(arguments[0]); list.value = arguments[1];"
        self.run(f"{script} list.dispatchEvent(new Event('change', {{bubbles: true}}))", css, value)

    def wrong(self):
        """List the ids of the fields that are marked as invalid."""
        marked = "[...document.querySelectorAll('[aria-invalid=true]')]"
        return self.run(f"return {marked}.map((one) => one.id)")

    def row(self, key):
        """Read the values of a metric in the table: here, at 1:1, deployed."""
        cells = "[...document.querySelectorAll(`tr[data-key=${arguments[0]}] td`)]"
        return self.run(f"return {cells}.slice(0, 3).map((cell) => cell.textContent)", key)

    def errors(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The requests of the page since it was opened."""
        entries = [json.loads(entry["message"]) for entry in self.driver.get_log("performance")]
        events = [entry["message"] for entry in entries]
        return [
            event["params"]["request"]["url"]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def opened(driver, address):
    page = Page(driver, address)
    page.open()
    return page


@pytest.fixture
def page(opened):
    """The page in its first state; a test that leaves an error on the console fails."""
    opened.reset()
    yield opened
    assert opened.errors() == []


@pytest.fixture(scope="session")
def page_path(address):
    return Path(address.removeprefix("file://"))
