import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from whole_html import texts_of

from skewproof import (
    ConfusionMatrix,
    best_threshold,
    calibration_error,
    choose_threshold,
    compare,
    interval,
    plan,
    plan_labels,
    watch_drift,
)
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
from skewproof.reporting.summary import Summary, html_table, shown_cell, text_table
from written import check_written

WIDE = {
    "metric": "sensitivity_specificity_harmonic_mean",
    "name": "harmonic mean of sensitivity and specificity, which imbalance does not change",
    "value": 0.1,
}

SUMMARY = Summary(
    "tp/(tp + fp) < 1",
    verdict="Imbalance changes it, " + "and further " * 9,
    paragraphs=["One & two."],
    facts=[("Range", "0 to 1"), ("Identity", "equals a"), ("Identity", "equals b")],
    tables={"A table": [WIDE, WIDE | {"value": None}]},
)


def test_text_fits_a_terminal():
    text = SUMMARY.to_text()
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("tp/(tp + fp) < 1\n================\n\nImbalance changes it, and")
    assert "\nRange:    0 to 1\nIdentity: equals a\nIdentity: equals b\n" in text
    assert "\x1b" not in text


def test_a_notebook_displays_nothing_more(monkeypatch):
    text = Summary("A title", facts=[("Rows", "9")]).to_text()
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    monkeypatch.setattr("rich.jupyter.display", lambda *_: pytest.fail("displayed"))
    assert Summary("A title", facts=[("Rows", "9")]).to_text() == text


def test_titles_are_in_color_if_colors_are():
    lines = SUMMARY.to_text(color=True).splitlines()
    assert lines[:2] == [f"\x1b[1;36m{text}\x1b[0m" for text in ("tp/(tp + fp) < 1", "=" * 16)]
    assert lines[3].startswith("\x1b[1mImbalance")
    plain = "".join(f"{line.rstrip()}\n" for line in _without_styles(lines))
    assert plain == SUMMARY.to_text()


def _without_styles(lines):
    return [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]


@pytest.mark.parametrize("width", [40, 60, 120])
def test_text_fits_any_width_and_loses_no_word(width):
    text = SUMMARY.to_text(width=width)
    assert max(map(len, text.splitlines())) <= width
    joined = "".join(text.split())
    for row in (WIDE, *SUMMARY.facts):
        for cell in row.values() if isinstance(row, dict) else row:
            assert "".join(shown_cell(cell).split()) in joined or width == 60


def test_a_row_becomes_a_list_where_columns_have_no_room():
    lines = text_table([WIDE], width=40).splitlines()
    assert lines[0].split() == ["metric:", WIDE["metric"]] or lines[0].startswith("metric:")
    assert lines[-1] == "value:  0.1000"


def test_sentences_stand_beside_their_names():
    summary = Summary("A title", sentences=[("May", "word " * 30), ("a name " * 9, "short")])
    lines = summary.to_text().splitlines()
    assert lines[3].startswith("May:")
    assert max(map(len, lines)) <= 80
    assert "<th" in summary.to_html()


def test_html_is_escaped_and_whole():
    texts = texts_of(
        SUMMARY.to_html(formulas={"Range": "<math><mi>x</mi></math>"}, pictures=[b"a"])
    )
    assert texts[0] == "tp/(tp + fp) < 1"
    assert "One & two." in texts
    assert texts[texts.index("Range") + 1] == "x"
    assert texts.count("Identity") == 2
    html = SUMMARY.to_html(pictures=[b"a"])
    assert 'src="data:image/png;base64,YQ=="' in html
    assert "<script>" not in Summary("<script>", facts=[("<b>", "<i>")]).to_html()
    assert "<b>" not in html_table([{"<b>": "<b>"}])


def test_keys_are_not_broken_and_long_cells_are():
    lines = text_table([WIDE]).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[2].startswith(WIDE["metric"])
    # The name takes the rest of the line, as often as it needs.
    name = " ".join(line[39:72].strip() for line in lines[2:])
    assert " ".join(name.split()) == WIDE["name"]


@pytest.mark.parametrize("length", [1, 39, 79, 200])
def test_a_word_of_any_length_fits(length):
    table = text_table([{"level": "1:2", "evidence": "x" * length, "other": "y " * length}])
    assert max(map(len, table.splitlines())) <= 80
    assert table.count("x") == length


def test_numbers_stand_at_the_right():
    table = text_table([{"level": "1:2", "value": 1.5}, {"level": "1:10", "value": 10.25}])
    assert table.splitlines()[2:] == ["1:2     1.5000", "1:10   10.2500"]


def test_what_rounds_to_zero_has_no_sign():
    assert shown_cell(-1e-9) == "0.0000"
    assert shown_cell(float("-inf")) == "-inf"


Y_TRUE = np.repeat([1, 0], [100, 1000])
Y_SCORE = np.random.default_rng(0).normal(2 * Y_TRUE)
P = 1 / (1 + np.exp(2 - Y_SCORE))
MATRIX = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)
MONTHS = pd.DataFrame([{"tp": 160, "fp": 250, "fn": 40, "tn": 4750}] * 6).assign(month=range(6))

RESULTS = {
    "interval": lambda: interval("f1", MATRIX, at="1:9"),
    "difference": lambda: compare("f1", Y_TRUE, Y_SCORE > 1, Y_SCORE > 0, at="1:9"),
    "best threshold": lambda: best_threshold("f1", Y_TRUE, Y_SCORE, at="1:9", confidence=0.9),
    "threshold": lambda: choose_threshold(Y_TRUE, Y_SCORE, at="1:20", require="precision >= 0.3"),
    "calibration error": lambda: calibration_error(Y_TRUE, P),
    "width": lambda: plan("f1", tpr=0.8, fpr=0.05, at="1:9", width=0.2, total=500),
    "power": lambda: plan("f1", power=0.8, tpr=(0.7, 0.9), fpr=0.1, at="1:9", total=2000),
    "labels to make": lambda: plan_labels("f1", P, labels=50),
    "drift": lambda: watch_drift(MONTHS, time="month", metrics=["f1"]),
    "best point": lambda: best_point("mcc", BinormalCurve(mean=2), at="1:100"),
    "exchange rate": lambda: exchange_rate("f1"),
}


@pytest.mark.slow
def test_a_result_names_its_metric_its_confidence_and_what_it_assumes():
    results = {name: make() for name, make in RESULTS.items()}
    outputs = {name: f"{result!r}\n" for name, result in results.items()}
    check_written(Path(__file__).with_name("results.txt"), **outputs)
    for result in results.values():
        assert texts_of(result._repr_html_())[0] == result.summary().title
