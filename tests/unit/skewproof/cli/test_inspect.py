"""The command ``skewproof inspect``, which is also ``skewproof`` with a file."""

import json
import shlex
import subprocess
import sys

import pandas as pd
import pytest

from skewproof.cli import main

pytestmark = pytest.mark.slow

ROWS = {"y_true": [1, 0, 0, 1, 0, 1] * 20, "score": [0.9, 0.1, 0.6, 0.4, 0.2, 0.8] * 20}


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize("arguments", [["FILE", "--at", "1:9"], ["--at", "1:9", "FILE"]])
def test_a_file_alone_is_inspected(scores, parsed, arguments):
    words = [scores if word == "FILE" else word for word in arguments]
    inspection = parsed(*words)
    assert inspection == parsed("inspect", scores, "--at", "1:9")
    assert {"question", "command"} == set(inspection["commands"][0])
    assert inspection["roles"]["score"] == "score"


def test_options_may_come_first(scores, run, parsed):
    code, output, _ = run("--json", scores)
    assert (code, json.loads(output)) == (0, parsed("inspect", scores))


def test_the_name_of_a_command_is_not_a_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "score").write_text("truth,pred\n1,1\n")
    code, _, errors = run("score")
    assert (code, "Missing argument 'FILE...'" in errors) == (2, True)
    assert "'./score' is of an unknown kind" in run("./score")[2]


def test_a_word_that_is_no_file_is_a_command(run):
    assert "No such command 'scroe'" in run("scroe")[2]


def test_the_commands_are_printed_on_one_line_each_for_a_shell(scores, run):
    code, output, errors = run(scores)
    assert (code, errors) == (0, "")
    assert "Class of interest: 1" in output
    commands = [line.strip() for line in output.splitlines() if line.startswith("  skewproof ")]
    assert commands
    words = [shlex.split(command)[1:] for command in commands]
    for arguments in words:
        assert main(arguments) in (0, 3)
    said = "skewproof() { printf '%s\\0' \"$@\"; echo; }\n" + "\n".join(commands)
    done = subprocess.run(["bash", "-c", said], capture_output=True, text=True, check=True)
    assert [line.split("\0")[:-1] for line in done.stdout.splitlines()] == words


@pytest.mark.parametrize(
    ("columns", "options", "roles"),
    [
        ({"label": ROWS["y_true"], "target": ROWS["y_true"]}, "--true target", {"true": "target"}),
        ({"flag": ROWS["y_true"], "s": ROWS["score"]}, "--true flag --score s", {"score": "s"}),
        ({"user": [1, 2] * 60, "case_id": [1, 2, 3] * 40}, "--groups user", {"groups": "user"}),
        ({"a": ROWS["score"], "c": ROWS["score"]}, "--models a c", {"models": ["a", "c"]}),
        ({"y": [1, 0, 0] * 40}, "--pos-label 0", {"pos_label": "0"}),
    ],
)
def test_options_overrule(tmp_path, parsed, columns, options, roles):
    path = tmp_path / "rows.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    inspection = parsed("inspect", str(path), *options.split())
    assert {role: inspection["roles"][role] for role in roles} == roles


def test_a_csv_file_needs_no_engine_of_frames(scores, tmp_path):
    page = tmp_path / "page.md"
    lines = f"""
import sys
for engine in ("duckdb", "narwhals", "pyarrow", "polars"):
    sys.modules[engine] = None
from skewproof.cli import main
codes = [main(["inspect", {scores!r}]), main(["report", {scores!r}, "-o", {str(page)!r}])]
assert codes == [0, 0], codes
"""
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Class of interest: 1" in done.stdout
    assert "120 rows, of which 60 are positive (1)" in page.read_text()
