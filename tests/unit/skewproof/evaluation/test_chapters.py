"""The numbers of each chapter are those of the functions that its lines call."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from skewproof import __version__, report
from skewproof.evaluation.chapters import picture
from written import check_written

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(1)
TRUE = np.repeat([1, 0], [100, 900])
SCORE = 1 / (1 + np.exp(2 - 2 * RANDOM.normal(2 * TRUE)))
OTHER = 1 / (1 + np.exp(2 - 2 * RANDOM.normal(1.5 * TRUE)))
CALLED = (SCORE >= 0.4).astype(int)
MONTH = np.array([f"2026-{1 + place % 4:02d}" for place in range(1000)])
SITE = np.tile(["north", "south"], 500)
ANIMALS = np.array(["cat", "dog", "owl", "fox"])[RANDOM.choice(4, 600, p=[0.5, 0.3, 0.15, 0.05])]
GUESSED = np.where(RANDOM.uniform(size=600) < 0.7, ANIMALS, RANDOM.permutation(ANIMALS))


def of_any_day(page):
    """Write a page without its date and the version."""
    return re.sub(r"\d{4}-\d\d-\d\d", "YYYY-MM-DD", page.to_markdown().replace(__version__, "?"))


def test_pages_are_those_that_are_written():
    """All numbers of the first page were compared with those of the functions in its last lines."""
    given = {"y_score": SCORE, "threshold": 0.4, "at": "1:50", "require": "precision >= 0.2"}
    given |= {"time": pd.Series(MONTH, name="month"), "slices": {"site": SITE}}
    two = report(TRUE, **given, models={"other": OTHER})
    shares = {"cat": 0.1, "dog": 0.2, "owl": 0.3, "fox": 0.4}
    more = {"time": MONTH[:600], "models": {"other": ANIMALS}}
    many = report(ANIMALS, GUESSED, at=shares, **more)
    pages = {"two classes": of_any_day(two), "four classes": of_any_day(many)}
    check_written(Path(__file__).with_name("pages.txt"), **pages)


def test_scores_that_rank_backwards_are_said_in_the_chapter():
    page = report(TRUE, y_score=-SCORE)
    assert "higher for negatives than for positives" in page.chapters[3].sentence


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ({"y_pred": CALLED}, {"Curves", "Cut-off", "Probabilities", "Slices and months"}),
        ({"y_pred": CALLED, "time": MONTH}, {"Curves", "Cut-off", "Probabilities"}),
        ({"y_score": 5 * SCORE, "slices": {"site": SITE}}, {"Probabilities", "Slices and months"}),
    ],
)
def test_a_chapter_without_data_is_left_out(given, left_out):
    titles = {chapter.title for chapter in report(TRUE, at="1:50", **given).chapters}
    everything = {"Curves", "Cut-off", "Probabilities", "Slices and months"}
    assert everything - titles == left_out
    assert "Two or more models" not in titles


def test_the_lines_compute_the_numbers_of_the_page():
    words = np.where(TRUE == 1, "yes", "no")
    calls = np.where(CALLED == 1, "yes", "no")
    page = report(words, calls, SCORE, at="1:50", pos_label="yes", groups=np.arange(1000) // 2)
    known = {"y_true": words, "y_pred": calls, "y_score": SCORE, "groups": np.arange(1000) // 2}
    exec("from skewproof import *", known)
    lines = page.chapters[1].lines.splitlines()
    frame, *areas = (eval(line, known) for line in lines if ", at='1:50'" in line)
    areas = [area for area in areas if area.metric in ("auc", "average_precision")]
    values = page.to_frame()["value"].tolist()
    assert values == [*frame["value"], *(area.value for area in areas)]
    assert all(line in page.chapters[-1].lines for line in lines)


def test_a_large_picture_is_no_drawing():
    for points, start in ((10, b"<?xml"), (30_000, b"\x89PNG")):
        figure, axes = plt.subplots()
        axes.scatter(*RANDOM.uniform(size=(2, points)))
        content = picture(figure)
        assert content.startswith(start)
        assert len(content) < 1_000_000
        assert not plt.fignum_exists(figure.number)
