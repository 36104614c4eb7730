"""Measure how many frames a second the explorer draws while its slider moves; explorer.md."""

import platform
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import pandas as pd
from selenium import webdriver

from skewproof.explorer.page import explorer_page
from skewproof.metrics import METRICS

PAGE = Path(__file__).with_suffix(".md")
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,900")
SECONDS = 4
TURNS = 5
VIEWS = {
    "F1 and its variant": "metric=f1&second=f1_i&axis=linear",
    "MCC and kappa": "metric=mcc&second=cohen_kappa&axis=linear",
    "MCC and kappa, logarithmic axis": "metric=mcc&second=cohen_kappa&axis=log",
    "F1 alone": "metric=f1&second=&axis=linear",
}

SCRIPT = """
const [seconds, done] = arguments;
const slider = document.getElementById("level");
const [low, high] = [Number(slider.min), Number(slider.max)];
const before = window.skewproof.frames();
const started = performance.now();
function move(now) {
  const passed = (now - started) / 1000;
  if (passed >= seconds) return done((window.skewproof.frames() - before) / passed);
  slider.value = low + (high - low) * passed / seconds;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(move);
}
requestAnimationFrame(move);
"""
"""Moves the slider over its whole length, and counts the frames that are drawn whole."""


def frames(driver: webdriver.Chrome, address: str) -> float:
    """Return the frames per second of one turn."""
    driver.get("about:blank")
    driver.get(address)
    time.sleep(1)  # what loading leaves to do
    return float(driver.execute_async_script(SCRIPT, SECONDS))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "explorer.html"
        page.write_text(explorer_page(), encoding="utf-8")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in (*FLAGS, f"--user-data-dir={folder}/chromium"):
            options.add_argument(flag)
        service = webdriver.ChromeService(shutil.which("chromedriver"))
        with webdriver.Chrome(options=options, service=service) as driver:
            driver.set_script_timeout(120)
            rows = []
            for name, view in VIEWS.items():
                found = [frames(driver, f"{page.as_uri()}#{view}") for _ in range(TURNS)]
                rows.append((name, min(found), statistics.median(found)))
            version = driver.capabilities["browserVersion"]
    table = pd.DataFrame(rows, columns=["view", "slowest turn", "median"])
    PAGE.write_text(
        "# Frames per second of the explorer\n\n"
        f"Chromium {version} without a graphics card, {platform.system()}, 2 cores,"
        f" 1300 x 900 pixels, a page with {len(METRICS)} metrics. Each of {TURNS} turns moves the"
        f" slider over its whole length in {SECONDS} seconds and counts the frames in which"
        " contours, table and marks are all drawn.\n\n"
        f"{table.to_markdown(index=False, floatfmt='.1f')}\n"
    )


if __name__ == "__main__":
    main()
