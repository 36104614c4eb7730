"""The report of a study of which every target was run."""

import csv
import html
import json
import re

import pytest

from study import PROJECT

LEFT_OUT = re.compile(
    r"results/(batches|real_world|report)/"  # parts of other tables
    r"|results/mullick/(crossings|sensitivity|experiment/\w+)/(\d+|matrices|sizes)\.csv"
    r"|results/(\w+/)?table_\w+\.csv|results/explorer\.html"  # beside the Markdown, which is shown
)
CONTENTS = PROJECT / "workflow/report/contents.csv"


def data_of(report, name):
    """What a script of the report assigns to a variable, which is JSON."""
    return json.loads(re.search(rf"^    var {name} = (.*);$", report, flags=re.MULTILINE)[1])


@pytest.fixture(scope="session")
def reported(made_once, whole):
    """The study of which every target was run, with its report."""

    def make(place):
        made = whole.copy(place)
        made.run("--cores", "2", "report")
        made.run("report", "--report", "results/report.html")

    return made_once("reported", make)


@pytest.fixture(scope="module")
def report(reported):
    return (reported.folder / "results/report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def results(report):
    return data_of(report, "results")


def test_every_figure_and_table_is_in_it(reported, results):
    expected = set()
    for path in reported.produced():
        if path.endswith(".png"):
            expected.add(path)
        elif path.endswith((".csv", ".md")) and not LEFT_OUT.match(path):
            expected.add(f"results/report/{path.removeprefix('results/')}.html")
    assert len(expected) > 100
    assert set(results) - {"results/explorer.html"} == expected


def test_each_has_a_category_labels_of_its_own_and_a_caption_of_two_sentences(report, results):
    categories = data_of(report, "categories")
    assert "Other" not in categories
    placed = [path for parts in categories.values() for paths in parts.values() for path in paths]
    assert sorted(placed) == sorted(results)
    for category, parts in categories.items():
        assert list(parts) == ["Other"], category  # which the report leaves out where it is alone
        labels = [tuple(results[path]["labels"].items()) for path in parts["Other"]]
        assert len(set(labels)) == len(labels), category
    for path, result in results.items():
        text = html.unescape(re.sub("<[^>]+>", "", result["caption"])).strip()
        assert len(re.findall(r"[a-z0-9)\]]\.(?= [A-Z]|$)", text)) == 2, (path, text)
        assert not re.search(r"[{}]|None|Undefined", text), path


def test_one_can_pick_by_metric_and_by_level(reported, results):
    contours = {
        result["labels"]["metric"]: path
        for path, result in results.items()
        if path.startswith("figures/contours/")
    }
    assert {"f1", "mcc_i", "iba"} <= set(contours)
    assert all(path == f"figures/contours/{key}.png" for key, path in contours.items())
    levels = {
        result["labels"]["level"]: path
        for path, result in results.items()
        if "level" in result["labels"]
    }
    assert set(levels) == set(reported.table("importance_scores")["level"])
    assert levels["1:10"] == "results/report/tables/table_a14.md.html"


def test_no_result_is_too_large_to_be_shown_and_none_needs_a_network(results):
    for path, result in results.items():
        assert result["data_uri"].startswith("data:"), path
        assert len(result["data_uri"]) < 2 * 2**20, path


def test_the_report_loads_nothing(report):
    assert not re.search(r"<(script|img|iframe|link)\b[^>]*\b(src|href)=[\"']?(?!data:)\w", report)


def test_its_first_page_says_what_was_found(reported, report):
    page = " ".join(html.unescape(re.sub("<[^>]+>", "", data_of(report, "workflow_desc"))).split())
    with (reported.folder / "results/comparison.csv").open() as file:
        agrees = [row["agrees"] for row in csv.DictReader(file)]
    count = f"{agrees.count('True')} of the {len(agrees) - agrees.count('')} numbers"
    assert f"{count} that the paper prints and this study computes agree" in page
    verdicts = reported.table("verdicts")
    assert f"{verdicts['agree'].sum()} of {len(verdicts)} cases" in page
    assert "Not in here" not in page


def test_every_result_has_one_row():
    with CONTENTS.open() as file:
        rows = list(csv.DictReader(file))
    assert len({row["result"] for row in rows}) == len(rows)


def test_what_was_not_run_is_left_out_and_another_caption_computes_nothing(finished, tmp_path):
    study = finished.copy(tmp_path / "study")
    study.run("--cores", "1", "report")
    study.run("report", "--report", "results/report.html")
    report = (study.folder / "results/report.html").read_text(encoding="utf-8")
    categories = data_of(report, "categories")
    assert not [name for name in categories if "Tharwat" in name or "Verdicts" in name]
    assert {"figures/sweep.png", "results/report/comparison.csv.html"} <= set(
        data_of(report, "results")
    )
    assert "Not in here, since they were not run: conclusions, real_world" in " ".join(
        data_of(report, "workflow_desc").split()
    )
    contents = study.folder / "workflow/report/contents.csv"
    text = contents.read_text()
    assert "The p-value of" in text
    contents.write_text(text.replace("The p-value of", "Another caption:"))
    assert study.planned("report") == []
