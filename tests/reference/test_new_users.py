"""Ten tasks of new users, solved from an empty folder with what the README leads to."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from study import PROJECT

SCRIPT = PROJECT / "tests/reference/new_users.sh"
README = (PROJECT / "README.md").read_text(encoding="utf-8")
TASKS = re.findall(
    r"^task (\d+) \"([^\"]*)\" (\S+) '\n(.*?)'$",
    SCRIPT.read_text(encoding="utf-8"),
    flags=re.DOTALL | re.MULTILINE,
)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task[0])
def test_every_call_of_a_task_is_on_its_page(task):
    _, _, page, commands = task
    assert page == "README.md" or f"({page})" in README
    shown = README + (PROJECT / page).read_text(encoding="utf-8")
    names = re.findall(r"from skewproof import (.*)", commands)
    calls = re.findall(r"^(?:skewproof|snakemake) [\w-]+|--[\w-]+|\b\w+=", commands, re.MULTILINE)
    wanted = {*", ".join(names).split(", "), *calls} - {"", "--quiet", "called=", "total="}
    assert [word for word in sorted(wanted) if word not in shown] == []


@pytest.mark.slow
def test_ten_tasks_are_solved_in_an_empty_folder(tmp_path):
    assert [number for number, *_ in TASKS] == [str(number) for number in range(1, 11)]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    surroundings = os.environ | {"PATH": path, "SOURCE": str(PROJECT)}
    done = subprocess.run(
        ["sh", SCRIPT], cwd=tmp_path, env=surroundings, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    answers = dict(
        re.findall(r"^== (\d+)\. (.*?)^-- ", done.stdout, flags=re.DOTALL | re.MULTILINE)
    )
    assert len(answers) == len(TASKS)

    rows = pd.read_csv(tmp_path / "predictions.csv")
    u, v = (rows.loc[rows["y_true"] == kind, "y_pred"].mean() for kind in (1, 0))
    assert f"{u / (u + 500 * v):.3f}" in answers["1"]
    assert "cannot be\n         distinguished from 0" in answers["2"]
    assert "1:50" in answers["10"]
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
