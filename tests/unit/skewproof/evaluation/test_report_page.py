"""The page: its forms, its size, and what it does not show."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from skewproof import report

RANDOM = np.random.default_rng(0)
TRUE = np.repeat(["ill", "well"], [80, 720])
SCORE = RANDOM.normal(2 * (TRUE == "ill"))
PROBABILITY = 1 / (1 + np.exp(2 - 2 * SCORE))
MONTH = pd.Series([f"2026-{1 + place % 5:02d}" for place in range(800)], name="month")
PATIENT = [f"patient-{7919 * (place // 3)}" for place in range(800)]


@pytest.fixture(scope="module")
def page():
    return report(
        TRUE,
        y_score=PROBABILITY,
        at="1:100",
        threshold=0.5,
        groups=PATIENT,
        time=MONTH,
        slices={"site": np.tile(["north", "south"], 400)},
        models={"worse": 1 / (1 + np.exp(2 - 2 * SCORE - RANDOM.normal(size=800)))},
        require=["recall >= 0.1", "precision >= 0.9", "f1 >= 0.2"],
        pos_label="ill",
        facts={"File": "scores & labels.csv"},
    )


def test_all_chapters_and_their_order(page):
    titles = [chapter.title for chapter in page.chapters]
    assert titles == [
        "What was counted",
        "What the scores are, and what they will be",
        "Curves",
        "Cut-off",
        "Probabilities",
        "Slices and months",
        "Two or more models",
        "How to get each number",
    ]
    assert all(any(sign.isdigit() for sign in chapter.sentence) for chapter in page.chapters)


def test_each_form_has_the_same_sentences(page, tmp_path):
    for suffix in (".html", ".md", ".json"):
        page.save(tmp_path / f"page{suffix}")
    markdown = (tmp_path / "page.md").read_text()
    html = (tmp_path / "page.html").read_text()
    data = json.loads((tmp_path / "page.json").read_text())
    assert data == page.to_dict()
    for chapter, as_json in zip(page.chapters, data["chapters"], strict=True):
        assert as_json["sentence"] == chapter.sentence
        assert f"**{chapter.sentence}**\n" in markdown
        assert chapter.sentence.replace("&", "&amp;").replace(">", "&gt;") in html
        assert chapter.sentence.split()[0] in str(page)
    assert ">scores &amp; labels.csv</td>" in html
    assert re.search(r"\| File +\| scores & labels.csv +\|", markdown)
    with pytest.raises(ValueError, match=r"expected a suffix of \.html, \.md, \.json"):
        page.save(tmp_path / "page.pdf")


def test_the_page_needs_no_other_file_and_is_small(page):
    html = page.to_html()
    assert len(html) < 1_500_000
    assert (
        html.count('src="data:image/')
        == html.count("<img")
        == sum(len(chapter.figures) for chapter in page.chapters)
    )
    assert "http" not in html
    assert "<script" not in html
    assert page._repr_html_() in html


def test_no_identifiers_and_no_values_of_rows_are_shown(page):
    everything = page.to_html() + page.to_markdown() + json.dumps(page.to_dict())
    assert "patient-" not in everything
    for value in PROBABILITY:
        assert repr(float(value)) not in everything


def test_the_frame_has_a_row_for_each_of_eight_scores(page):
    frame = page.to_frame()
    assert len(frame) == 8
    assert frame["value"].between(frame["low"], frame["high"]).all()
    same = ~frame["changes_with_prevalence"]
    assert frame.loc[same, "metric"].tolist() == [
        "true_positive_rate",
        "false_positive_rate",
        "balanced_accuracy",
        "auc",
    ]
    assert np.allclose(frame.loc[same, "value"], frame.loc[same, "value_in_test_set"])
    recall = np.mean(PROBABILITY[:80] >= 0.5)
    fall_out = np.mean(PROBABILITY[80:] >= 0.5)
    precision = recall / (recall + 100 * fall_out)
    assert frame.set_index("metric").loc["precision", "value"] == pytest.approx(precision)


def test_requirements_are_met_broken_or_not_shown(page):
    statuses = {row["requirement"]: row["status"] for row in page.requirements}
    assert statuses["recall >= 0.1"] == "met"
    assert statuses["precision >= 0.9"] == "broken"
    assert not page.met
    rows = {row["requirement"]: row for row in page.requirements}
    assert rows["recall >= 0.1"]["low"] >= 0.1
    assert rows["precision >= 0.9"]["high"] < 0.9
    middle = rows["precision >= 0.9"]["value"]
    upper, lower = (
        report(TRUE, y_score=PROBABILITY, at="1:100", threshold=0.5, pos_label="ill", require=text)
        for text in (f"precision <= {middle}", "precision <= 0.9")
    )
    assert [row["status"] for row in upper.requirements + lower.requirements] == [
        "not shown",
        "met",
    ]
    assert lower.met
    assert not upper.met


def test_without_a_cut_off_one_can_be_promised_or_not():
    given = {"y_score": PROBABILITY, "pos_label": "ill", "at": "1:100"}
    promised = report(TRUE, **given, require="recall >= 0.5")
    refused = report(TRUE, **given, require="precision >= 0.99")
    assert [row["status"] for row in promised.requirements] == ["promised"]
    assert [row["status"] for row in refused.requirements] == ["not promised"]
    assert promised.met
    assert not refused.met
