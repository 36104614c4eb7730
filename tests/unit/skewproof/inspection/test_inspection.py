"""The answers that files and frames of predictions can give."""

import json
import shlex

import pytest

from prediction_files import write, write_broken
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


def run_commands(capsys, inspection):
    for answer in inspection["commands"]:
        program, name, *arguments = shlex.split(answer["command"])
        code, output, errors = run(capsys, name, *arguments)
        assert program == "skewproof"
        assert code in (0, 3 if name == "threshold" else 0), errors
        assert output


def test_all_files_are_tested(files, broken):
    assert set(files) == set(FILES)
    assert set(broken) == set(BROKEN)


@pytest.mark.parametrize("name", FILES)
def test_roles_are_recognized_and_the_commands_run(capsys, files, name):
    path, expected = files[name]
    code, output, errors = run(capsys, "inspect", path, "--json")
    assert (code, errors) == (0, "")
    inspection = json.loads(output)
    assert {role: inspection["roles"][role] for role in expected} == expected
    assert inspection["pos_label"] == inspection["roles"]["pos_label"]
    assert 1 <= len(inspection["commands"]) <= 8
    run_commands(capsys, inspection)


@pytest.mark.parametrize("name", BROKEN)
def test_broken_files_are_refused_or_remarked_on(capsys, broken, name):
    path, said = broken[name]
    code, output, errors = run(capsys, "inspect", path)
    assert code == (2 if name in ASKED else 1 if name in REFUSED else 0)
    assert said in " ".join((errors or output).split())
    assert bool(errors) == bool(code) != bool(output)
    if not code:
        run_commands(capsys, json.loads(run(capsys, "inspect", path, "--json")[1]))
