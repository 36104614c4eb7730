"""The answers that files and frames of predictions can give."""

import json
import re
import shlex

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from prediction_files import write, write_broken
from skewproof import inspect_predictions
from skewproof.cli import main

FILES = (
    *("sklearn", "caret", "caret_iris", "tidymodels", "mlr3", "mlr3_digits", "h2o", "h2o_names"),
    *("pycaret", "pycaret_raw", "azure", "azure_wine", "strings", "booleans", "missing", "months"),
    *("patients", "models", "model_labels", "no_labels", "tenth", "alarms", "weights", "typed"),
    *("json", "index"),
)

BROKEN = (
    *("equal", "two truths", "constant", "one class", "million", "empty", "one row", "percent"),
    *("comma", "mixed", "no role", "backwards", "unexplained", "balanced", "same models"),
    *("two patients", "lists", "lists in parquet", "nothing"),
)

ASKED = {"two truths", "no role", "two patients"}

REFUSED = {"million", "empty", "percent", "comma", "mixed", "lists", "nothing"}


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    return write(tmp_path_factory.mktemp("predictions"))


@pytest.fixture(scope="session")
def broken(tmp_path_factory):
    return write_broken(tmp_path_factory.mktemp("broken"))


def run(capsys, *arguments):
    code = main([str(argument) for argument in arguments])
    return code, *capsys.readouterr()


@pytest.mark.slow
def test_all_files_are_tested(files, broken):
    assert set(files) == set(FILES)
    assert set(broken) == set(BROKEN)


@pytest.mark.parametrize("name", FILES)
def test_roles_are_recognized(capsys, files, name):
    path, expected = files[name]
    code, output, errors = run(capsys, "inspect", path, "--json")
    assert (code, errors) == (0, "")
    inspection = json.loads(output)
    assert {role: inspection["roles"][role] for role in expected} == expected
    assert inspection["pos_label"] == inspection["roles"]["pos_label"]
    assert 1 <= len(inspection["commands"]) <= 8


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.slow
def test_broken_files_are_refused_or_remarked_on(capsys, broken, name):
    path, said = broken[name]
    code, output, errors = run(capsys, "inspect", path)
    assert code == (2 if name in ASKED else 1 if name in REFUSED else 0)
    assert said in " ".join((errors or output).split())
    assert bool(errors) == bool(code) != bool(output)


def form(words):
    """Replace names and numbers in a command's values, so that commands of one form are alike."""
    return tuple(word if word[:2] == "--" else re.sub(r"\w+", "x", word) for word in words[1:])


@pytest.mark.slow
def test_commands_of_every_form_run(capsys, files, broken):
    commands = {}
    for name, (path, _) in (files | broken).items():
        if name not in ASKED | REFUSED:
            inspection = json.loads(run(capsys, "inspect", path, "--json")[1])
            for answer in inspection["commands"]:
                program, *words = shlex.split(answer["command"])
                assert program == "skewproof"
                kind = inspection["pos_label"] is None, path.suffix, name in broken
                commands.setdefault((words[0], kind, form(words)), words)
    for words in commands.values():
        code, output, errors = run(capsys, *words)
        assert code in (0, 3 if words[0] == "threshold" else 0), errors
        assert output


FRAME = {
    "y_true": [1, 0, 0, 1, 0, 0] * 20,
    "y_pred": [1, 0, 1, 0, 0, 0] * 20,
    "month": ["2026-01"] * 60 + ["2026-02"] * 60,
}


@pytest.mark.parametrize(
    "make",
    [
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: duckdb.from_arrow(pa.table(columns)),
        lambda columns: pd.DataFrame(columns).assign(
            y_true=pd.Categorical(columns["y_true"]), month=pd.Categorical(columns["month"])
        ),
        lambda columns: pd.DataFrame(columns).astype({"y_true": float}),
        lambda columns: pd.DataFrame(columns).astype({"y_true": bool, "y_pred": bool}),
    ],
)
def test_frames_of_all_engines_are_inspected(make):
    inspection = inspect_predictions(make(FRAME), at=0.01)
    roles = inspection.roles
    assert (roles.true, roles.predicted, roles.time) == ("y_true", "y_pred", "month")
    assert inspection.pos_label in ("1", "True")
    assert [line.split()[1] for _, line in inspection.commands] == [
        *("score", "explain-change", "watch"),
        *["plan"] * (len(inspection.commands) - 3),
    ]
    assert "--at 0.01" in inspection.commands[0][1]


def test_a_frame_without_a_value_of_the_truth_lacks_that_row():
    frame = pd.DataFrame(FRAME).astype({"y_true": float})
    frame.loc[:3, "y_true"] = np.nan
    assert "116 of 120 rows have a label." in inspect_predictions(frame).remarks


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ({"y": [1, "a", 2.5]}, {}, "frame['y'] = [1, 'a', 2.5]: expected values of one type"),
        ({}, {}, "expected a row for each prediction"),
        ({"y": [1, 0]}, {"y_true": "x"}, "y_true = 'x': expected one of the columns y"),
        ({"y": [1, 0]}, {"pos_label": 2}, "pos_label = 2: expected one of the labels 0, 1"),
        ({"y": [1, 2, 3]}, {"pos_label": 2}, "pos_label = 2: expected none beside 3 classes"),
        ({"y": [1, 0], "s": ["a", "b"]}, {"y_score": "s"}, "y_score = 's': expected finite num"),
        ({"label": [1, 0], "target": [0, 1]}, {}, "y_true = None: expected 'label' or 'target'"),
        ({"y": [1, 0], "pred": [True, False]}, {}, "pred has False, True: expected the labels"),
    ],
)
def test_refusals_name_the_argument(frame, options, message):
    with pytest.raises((ValueError, KeyError), match=re.escape(message)):
        inspect_predictions(pd.DataFrame(frame), **options)


def test_the_printed_inspection_has_all_parts():
    inspection = inspect_predictions(pd.DataFrame(FRAME))
    text = str(inspection)
    words = " ".join(text.split())
    for part in (*inspection.remarks, *inspection.missing):
        assert part in words
    for question, command in inspection.commands:
        assert f"\n{question}\n  {command}" in text
    assert json.loads(json.dumps(inspection.to_dict()))["pos_label"] == "1"
    assert inspection.to_frame()["values"].tolist() == [2, 2, 2]
    assert "<table>" in inspection._repr_html_()
