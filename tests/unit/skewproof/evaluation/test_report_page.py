"""The page: its forms, its size, and what it does not show."""

import json
import re

import numpy as np
import pandas as pd
import pytest

from skewproof import report

pytestmark = pytest.mark.slow

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
    figures = sum(len(chapter.figures) for chapter in page.chapters)
    assert html.count('src="data:image/') == html.count("<img") == figures
    assert "http" not in html
    assert "<script" not in html
    assert page._repr_html_() == html


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
    kept = ["true_positive_rate", "false_positive_rate", "balanced_accuracy", "auc"]
    assert frame.loc[same, "metric"].tolist() == kept
    assert np.allclose(frame.loc[same, "value"], frame.loc[same, "value_in_test_set"])
    recall = np.mean(PROBABILITY[:80] >= 0.5)
    fall_out = np.mean(PROBABILITY[80:] >= 0.5)
    precision = recall / (recall + 100 * fall_out)
    assert frame.set_index("metric").loc["precision", "value"] == pytest.approx(precision)


def test_the_page_is_not_met_if_a_requirement_is_broken(page):
    rows = {row["requirement"]: row for row in page.requirements}
    assert rows["recall >= 0.1"]["status"] == "met"
    assert rows["recall >= 0.1"]["low"] >= 0.1
    assert rows["precision >= 0.9"]["status"] == "broken"
    assert rows["precision >= 0.9"]["high"] < 0.9
    assert not page.met


LABELS = np.repeat([1, 0], [20, 80])
SCORES = np.concatenate([np.linspace(0.3, 0.9, 20), np.linspace(0.0, 0.6, 80)])
ANIMALS = np.tile(["cat", "dog", "owl"], 30)


@pytest.mark.parametrize(
    ("labels", "given", "message"),
    [
        ([LABELS], {}, "y_pred = None: expected y_pred or y_score"),
        ([LABELS, LABELS], {"threshold": 0.5}, "threshold = 0.5: expected y_score as well"),
        ([LABELS, LABELS, SCORES], {"threshold": 0.5}, "expected the cut-off of the scores"),
        ([LABELS, LABELS], {"metrics": ["auc"]}, "expected one of labels if these are given"),
        ([LABELS, LABELS], {"require": []}, "require = []: expected at least one requirement"),
        ([LABELS, LABELS], {"slices": {"x": [1]}}, "slices['x'] = array([1]): expected 100 values"),
        ([LABELS, None, SCORES[:5]], {}, "expected a number for each row"),
        ([ANIMALS, ANIMALS], {"threshold": 0.5}, "none with more than two classes"),
        ([LABELS, LABELS], {"models": {"scores": SCORES}}, "these look like scores"),
        ([LABELS, None, SCORES], {"models": {"b": ["x"] * 100}}, "models['b']"),
    ],
)
def test_refusals(labels, given, message):
    with pytest.raises((ValueError, KeyError)) as error:
        report(*labels, **given)
    assert message in error.value.args[0]


@pytest.mark.parametrize(
    ("called", "shown"),
    [
        (SCORES >= 0.5, True),
        (LABELS == 1, False),  # calls that no cut-off of the scores makes
        (SCORES >= 0, False),
    ],
)
def test_the_cut_off_in_use_is_between_the_scores_of_the_calls(called, shown):
    page = report(LABELS, called.astype(int), SCORES, metrics=["f1"])
    table = page.chapters[0].tables[""].set_index("fact")["is"]
    assert ("Cut-off in use" in table) == shown
    if shown:
        cut = float(table["Cut-off in use"])
        assert SCORES[~called].max() < cut < SCORES[called].min()


def test_requirements_are_met_broken_or_not_shown():
    """Alarms and misses are those in a thousand rows."""
    calls = (SCORES >= 0.5).astype(int)
    given = {"metrics": ["f1"], "at": "1:50"}
    recall, fall_out = np.mean(calls[:20]), np.mean(calls[20:])
    precision = recall / (recall + 50 * fall_out)
    require = ["alarms <= 10", "misses <= 90", f"precision <= {precision}", "precision <= 0.9"]
    page = report(LABELS, calls, **given, require=require)
    values = [row["value"] for row in page.requirements]
    alarms, misses = 1000 * (recall + 50 * fall_out) / 51, 1000 * (1 - recall) / 51
    assert values == pytest.approx([alarms, misses, precision, precision])
    statuses = [row["status"] for row in page.requirements]
    assert statuses == ["broken", "met", "not shown", "met"]
    assert "counted in 1,000 rows" in " ".join(page.chapters[2].notes)
    assert report(LABELS, calls, **given, require=require[3:]).met
    assert not report(LABELS, calls, **given, require=require[2:3]).met


def test_without_a_cut_off_one_can_be_promised_or_not():
    given = {"y_score": SCORES, "at": "1:50", "metrics": ["auc"]}
    promised = report(LABELS, **given, require="recall >= 0.5")
    refused = report(LABELS, **given, require="precision >= 0.99")
    assert [row["status"] for row in promised.requirements] == ["promised"]
    assert [row["status"] for row in refused.requirements] == ["not promised"]
    assert promised.met
    assert not refused.met


def test_requirements_on_many_classes():
    said = np.where(np.arange(90) % 5, ANIMALS, "cat")
    page = report(ANIMALS, said, metrics=["accuracy"], require=["accuracy >= 0.5", "mcc >= 0.99"])
    assert page.requirements[0]["value"] == np.mean(said == ANIMALS)
    assert [row["status"] for row in page.requirements] == ["met", "broken"]
