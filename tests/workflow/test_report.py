"""The report of a study of which every target was run."""

import csv
import html
import re

import pytest

from study import PROJECT

LEFT_OUT = re.compile(
    r"results/(batches|indices|real_world)/"  # parts of other tables
    r"|results/mullick/(crossings|sensitivity|experiment/\w+)/(\d+|matrices|sizes)\.csv"
    r"|results/(\w+/)?table_\w+\.csv"  # beside the Markdown, which is shown
    r"|results/choices/tables/"  # points.csv has them
)
CONTENTS = PROJECT / "workflow/report/contents.csv"


@pytest.fixture(scope="session")
def reported(made_once, whole):
    """The study of which every target was run, with its report."""
    return made_once("reported", lambda place: whole.copy(place).run("--cores", "2", "report"))


@pytest.fixture(scope="module")
def report(reported):
    return (reported.folder / "results/report.html").read_text(encoding="utf-8")


def paths_in(report):
    return re.findall(r'<(?:figure|article) id="([^"]+)"', report)


def words_of(page):
    page = re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]+>", "", page)).split())


def test_every_figure_and_table_is_in_it_once(reported, report):
    expected = {
        path
        for path in reported.produced()
        if path.endswith(".png") or (path.endswith((".csv", ".md")) and not LEFT_OUT.match(path))
    }
    assert len(expected) > 100
    assert sorted(paths_in(report)) == sorted(expected)


def test_each_has_a_title_of_its_own_in_its_section_and_a_caption_of_two_sentences(report):
    for section in re.findall(r"<section>(.*?)</section>", report, flags=re.DOTALL):
        titles = re.findall(r"<(?:h3|figcaption)>([^<]+)</", section)
        assert titles
        assert len(set(titles)) == len(titles)
    captions = re.findall(r'<p class="caption">(.*?)</p>\n(?!</footer>)', report, flags=re.DOTALL)
    assert len(captions) > 80
    for caption in captions:
        text = html.unescape(re.sub("<code>[^<]*</code>|<[^>]+>", "", caption)).strip()
        assert len(re.findall(r"[a-z0-9)\]]\.(?= [A-Z]|$)", text)) == 2, text
        assert not re.search(r"[{}]|None|Undefined", text), text


def test_it_has_a_picture_of_each_metric_and_a_table_for_each_level(reported, report):
    metrics = set(reported.table("importance_scores")["metric"])
    assert {f"figures/contours/{key}.png" for key in metrics} <= set(paths_in(report))
    for level in set(reported.table("importance_scores")["level"]):
        assert re.search(rf"<h3>Importance scores at {level}( \(Table A.\d+\))?</h3>", report)


def test_the_report_loads_nothing(report):
    assert not re.search(r"<(script|img|iframe|link)\b[^>]*\b(src|href)=[\"']?(?!data:)\w", report)


def test_it_begins_with_what_was_found(reported, report):
    page = words_of(report)
    with (reported.folder / "results/comparison.csv").open() as file:
        agrees = [row["agrees"] for row in csv.DictReader(file)]
    count = f"{agrees.count('True')} of the {len(agrees) - agrees.count('')} numbers"
    assert f"{count} that the paper prints and this study computes agree" in page
    verdicts = reported.table("verdicts")
    assert f"{verdicts['agree'].sum()} of {len(verdicts)} cases" in page
    assert "This report leaves out targets that were not run" not in page


def test_every_result_has_one_row():
    with CONTENTS.open() as file:
        rows = list(csv.DictReader(file))
    assert len({row["result"] for row in rows}) == len(rows)


def test_what_was_not_run_is_left_out(finished, tmp_path):
    study = finished.copy(tmp_path / "study")
    study.run("--cores", "1", "report")
    report = (study.folder / "results/report.html").read_text(encoding="utf-8")
    assert not re.search(r"<h2[^>]*>(Tharwat|Verdicts)<", report)
    assert {"figures/sweep.png", "results/comparison.csv"} <= set(paths_in(report))
    page = words_of(report)
    assert "This report leaves out targets that were not run: conclusions, real-world" in page
    assert study.planned("report") == []
