"""The command ``skewproof report``."""

import hashlib
import json

import numpy as np
import pandas as pd
import pytest

from skewproof import area_interval, interval

pytestmark = pytest.mark.slow

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], [60, 540])
SCORE = 1 / (1 + np.exp(2 - 2 * RANDOM.normal(2 * TRUE)))
FRAME = pd.DataFrame(
    {
        "truth": np.where(TRUE == 1, "ill", "well"),
        "forest": SCORE,
        "boosted": np.sqrt(SCORE),
        "called": np.where(SCORE > 0.4, "ill", "well"),
        "nurse": np.where(RANDOM.uniform(size=600) < 0.9, TRUE, 1 - TRUE),
        "month": [f"2026-{1 + place % 3:02d}" for place in range(600)],
        "patient": [f"patient-{place // 2}" for place in range(600)],
    }
)
FRAME["nurse"] = np.where(FRAME["nurse"] == 1, "ill", "well")
COLUMNS = ("--true", "truth", "--pos-label", "ill")
CUT = ("--score", "forest", "--threshold", "0.4", "--at", "1:50")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "scores.csv"
    FRAME.to_csv(path, index=False)
    return str(path)


def values_of(data, title):
    (chapter,) = (chapter for chapter in data["chapters"] if chapter["title"] == title)
    return chapter["tables"]["Values"]


def test_the_page_has_the_numbers_of_the_functions_and_the_facts_of_the_file(run, tmp_path):
    path, page = tmp_path / "missing.csv", tmp_path / "report.json"
    missing = pd.concat([FRAME, FRAME[:3].assign(forest=np.nan)]).assign(weight=0.5)
    missing.to_csv(path, index=False)
    code, output, errors = run("report", str(path), *COLUMNS, *CUT, "-o", str(page))
    assert (code, errors) == (0, "")
    assert output.startswith("Report on a classifier\n")
    data = json.loads(page.read_text())
    rows = {row["metric"]: row for row in values_of(data, data["chapters"][1]["title"])}
    called = (SCORE >= 0.4).astype(int)
    for key in ("precision", "mcc"):
        expected = interval(key, TRUE, called, at="1:50", groups=FRAME["patient"])
        assert (rows[key]["low"], rows[key]["high"]) == (expected.low, expected.high)
    area = area_interval("auc", TRUE, SCORE, at="1:50", groups=FRAME["patient"])
    assert rows["auc"]["value"] == pytest.approx(area.value)
    facts = {row["fact"]: row["is"] for row in data["chapters"][0]["tables"][""]}
    assert facts["File"] == "missing.csv"
    assert facts["SHA-256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert facts["Rows left out, as an entry is missing"] == "3"
    assert facts["Weights"] == "not used, although weight looks like them"
    assert facts["Cut-off in use"] == "0.4"
    assert pd.Timestamp(facts["Date"]).year >= 2026


def test_everything_on_a_page_without_identifiers(run, file, tmp_path):
    page = tmp_path / "report.html"
    more = ["--time", "month", "--groups", "patient", "--models", "boosted"]
    more += ["--require", "recall >= 0.1", "--output", str(page)]
    code, _, errors = run("report", file, *COLUMNS, *CUT, *more)
    assert (code, errors) == (0, "")
    html = page.read_text()
    assert html.count("<h2>") == 8
    assert "patient-" not in html
    assert len(html) < 1_500_000


@pytest.mark.parametrize(
    "options",
    [
        [*CUT, "--require", "recall >= 0.1", "precision >= 0.99"],
        ["--score", "forest", "--at", "1:1000", "--require", "precision >= 0.99"],
    ],
)
def test_a_requirement_that_is_not_met_has_a_status_of_its_own(run, file, options):
    assert run("report", file, *COLUMNS, *options)[0] == 3


@pytest.mark.parametrize(
    ("columns", "metrics"),
    [(["called", "nurse"], {"precision", "f1"}), (["forest", "boosted"], {"auc"})],
)
def test_models_of_labels_or_scores(parsed, file, columns, metrics):
    data = parsed("report", file, *COLUMNS, "--models", *columns, "--metrics", *metrics)
    rows = values_of(data, "Two or more models")
    assert {row["metric"] for row in rows} == metrics
    assert {row["model"] for row in rows} == set(columns)


def test_columns_are_recognized_and_those_for_more_are_offered(parsed, tmp_path):
    path = tmp_path / "clinic.csv"
    FRAME[["truth", "called", "month", "patient"]].to_csv(path, index=False)
    data = parsed("report", str(path), "--predicted", "called")
    assert "positive (ill)" in data["chapters"][0]["sentence"]
    assert any("300 groups" in note for note in data["chapters"][0]["notes"])
    assert "--time month" in data["chapters"][-1]["notes"][-1]


def test_probabilities_of_many_classes_that_are_numbers(parsed, tmp_path):
    path = tmp_path / "three.csv"
    digits = np.array([1, 2, 3])
    true, said = digits[np.arange(120) % 3], digits[np.arange(120) % 4 % 3]
    frame = pd.DataFrame({"y_true": true, "y_pred": said})
    for digit in digits:
        frame[f"prob_{digit}"] = np.where(said == digit, 0.6, 0.2)
    frame.to_csv(path, index=False)
    counted, scores, probabilities, *_ = parsed("report", str(path))["chapters"]
    assert counted["sentence"].startswith("120 rows of 3 classes")
    hits = np.mean(true == said)
    assert scores["tables"]["Values"][0]["value"] == pytest.approx(hits)
    brier = hits * (0.4**2 + 2 * 0.2**2) + (1 - hits) * (0.6**2 + 0.8**2 + 0.2**2)
    (of_probabilities,) = probabilities["tables"].values()
    assert of_probabilities[0]["value"] == pytest.approx(brier)
