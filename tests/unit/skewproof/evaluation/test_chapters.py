"""The numbers of each chapter are those of the functions that its lines call."""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import skewproof as s
from skewproof import report
from skewproof.evaluation.chapters import picture

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(1)
TRUE = np.repeat([1, 0], [100, 900])
SCORE = 1 / (1 + np.exp(2 - 2 * RANDOM.normal(2 * TRUE)))
OTHER = 1 / (1 + np.exp(2 - 2 * RANDOM.normal(1.5 * TRUE)))
CALLED = (SCORE >= 0.4).astype(int)
MONTH = np.array([f"2026-{1 + place % 4:02d}" for place in range(1000)])
SITE = np.tile(["north", "south"], 500)
AT = "1:50"
ANIMALS = np.array(["cat", "dog", "owl", "fox"])[RANDOM.choice(4, 600, p=[0.5, 0.3, 0.15, 0.05])]
GUESSED = np.where(RANDOM.uniform(size=600) < 0.7, ANIMALS, RANDOM.permutation(ANIMALS))


@pytest.fixture(scope="module")
def page():
    given = {"y_score": SCORE, "threshold": 0.4, "at": AT, "require": "precision >= 0.2"}
    given |= {"time": pd.Series(MONTH, name="month"), "slices": {"site": SITE}}
    return report(TRUE, **given, models={"other": OTHER})


@pytest.fixture(scope="module")
def whole(page):
    """Tables of the chapters, as JSON has them, by title."""
    return {chapter["title"]: chapter["tables"] for chapter in page.to_dict()["chapters"]}


def ends(row):
    return [row["value"], row["low"], row["high"]]


def same(row, estimate):
    return ends(row) == pytest.approx([estimate.value, estimate.low, estimate.high], nan_ok=True)


def test_scores(whole):
    rows = whole["What the scores are, and what they will be"]["Values"]
    assert [row["metric"] for row in rows][-2:] == ["auc", "average_precision"]
    for row in rows[:-2]:
        assert same(row, s.interval(row["metric"], TRUE, CALLED, at=AT))
        tested = {end: row["value_in_test_set" + end] for end in ("", "_low", "_high")}
        expected = s.interval(row["metric"], TRUE, CALLED, at="test set")
        assert list(tested.values()) == [expected.value, expected.low, expected.high]
    for row in rows[-2:]:
        assert same(row, s.area_interval(row["metric"], TRUE, SCORE, at=AT))


def test_the_share_of_positives_has_its_interval(page):
    assert page.chapters[0].sentence.startswith(
        "1,000 rows, of which 100 are positive (1) and 900 negative: 10.0 ("
    )


def test_cutoff(page, whole):
    (row,) = whole["Cut-off"]["Requirements"]
    assert same(row, s.interval("precision", TRUE, CALLED, at=AT))
    said = " ".join(page.chapters[3].notes)
    best = s.best_threshold("f1", TRUE, SCORE, at=AT)
    assert f"is best at the cut-off {best.threshold:.4g}, " in said
    promise = s.choose_threshold(TRUE, SCORE, at=AT, require="precision >= 0.2")
    assert promise.sentence in said


def test_scores_that_rank_backwards_are_said_in_the_chapter():
    page = report(TRUE, y_score=-SCORE)
    assert "higher for negatives than for positives" in page.chapters[3].sentence


def test_probabilities(whole):
    rows = whole["Probabilities"]["Scores of the probabilities"]
    for name, options in {
        "in the test set": {"at": "test set"},
        "at 1:50, as they are": {"at": AT},
        "at 1:50, adjusted": {"at": AT, "trained": 0.1},
    }.items():
        asked = [row for row in rows if row["forecasts"] == name]
        keys = [row["score"] for row in asked]
        frame = s.probability_scores(TRUE, SCORE, scores=keys, **options)
        assert len(keys) == (4 if name == "in the test set" else 2)
        for row, expected in zip(asked, frame.itertuples(), strict=True):
            assert same(row, expected)


def test_slices_and_months(whole):
    frame = pd.DataFrame({"y": TRUE, "p": CALLED, "month": MONTH, "site": SITE})
    for key, reference in (("month", {"month": "2026-01"}), ("site", None)):
        counts = s.count_slices(frame, y_true="y", y_pred="p", by=key)
        expected = s.explain_change(counts, metrics="f1", reference=reference)
        rows = whole["Slices and months"][f"F1 score by {key}"]
        assert [row[key] for row in rows] == expected[key].tolist()
        for part in ("difference", "prevalence_part", "classifier_part", "p_adjusted"):
            assert [row[part] for row in rows] == pytest.approx(expected[part].tolist())


def test_models(whole):
    rows = whole["Two or more models"]
    named = [(row["metric"], row["model"]) for row in rows["Values"]]
    assert named == list(product(["auc", "average_precision"], ["this model", "other"]))
    assert same(rows["Values"][1], s.area_interval("auc", TRUE, OTHER, at=AT))
    for row in rows["Differences, the second model less the first"]:
        assert same(row, s.compare(row["metric"], TRUE, SCORE, OTHER, at=AT))


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ({"y_pred": CALLED}, {"Curves", "Cut-off", "Probabilities", "Slices and months"}),
        ({"y_pred": CALLED, "time": MONTH}, {"Curves", "Cut-off", "Probabilities"}),
        ({"y_score": 5 * SCORE, "slices": {"site": SITE}}, {"Probabilities", "Slices and months"}),
    ],
)
def test_a_chapter_without_data_is_left_out(given, left_out):
    titles = {chapter.title for chapter in report(TRUE, at=AT, **given).chapters}
    everything = {"Curves", "Cut-off", "Probabilities", "Slices and months"}
    assert everything - titles == left_out
    assert "Two or more models" not in titles


def test_many_classes():
    shares = {"cat": 0.1, "dog": 0.2, "owl": 0.3, "fox": 0.4}
    more = {"time": MONTH[:600], "models": {"other": ANIMALS}}
    data = report(ANIMALS, GUESSED, at=shares, **more).to_dict()
    titles = {chapter["title"]: chapter for chapter in data["chapters"]}
    assert not {"Curves", "Cut-off", "Probabilities"} & set(titles)
    rows = titles["What the scores are, and what they will be"]["tables"]["Values"]
    overall = [row for row in rows if row["class"] is None]
    assert [row["metric"] for row in overall] == ["accuracy", "macro_f1", "mcc", "cohen_kappa"]
    for row in overall:
        assert same(row, s.interval(row["metric"], ANIMALS, GUESSED, at=shares))
    recalls = {row["class"]: row for row in rows if row["metric"] == "true_positive_rate"}
    for animal, row in recalls.items():
        assert row["value"] == np.mean(GUESSED[animal == ANIMALS] == animal)
    worst = min(recalls, key=lambda animal: recalls[animal]["value"])
    assert f"lowest recall is {worst}, " in data["chapters"][1]["notes"][0]
    assert "the rarest, fox, is " in data["chapters"][0]["sentence"]
    assert "Two or more models" in titles


def test_the_lines_compute_the_numbers_of_the_page():
    words = np.where(TRUE == 1, "yes", "no")
    calls = np.where(CALLED == 1, "yes", "no")
    page = report(words, calls, SCORE, at=AT, pos_label="yes", groups=np.arange(1000) // 2)
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
