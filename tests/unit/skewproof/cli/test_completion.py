"""Completion in the shell."""

import os
import shutil
import subprocess
import sys

import pytest

from skewproof.cli import COMMANDS
from skewproof.metrics import METRICS


def offered(words, shell="bash"):
    """List the completions of the last word."""
    environment = {
        "_SKEWPROOF_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "skewproof.cli"],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [line.split(",", 1) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("skewproof au", ["audit"]),
        ("skewproof audit mcc_f", ["mcc_f1", "mcc_f1_i"]),
        ("skewproof score x.csv --metrics f1 iba g_", ["g_mean"]),
        ("skewproof audit f1 --a", ["--at"]),
        ("skewproof score --to", ["--total"]),
    ],
)
def test_bash_completes(line, expected):
    assert [name for _, name in offered(line)] == expected


@pytest.mark.slow
def test_all_keys_commands_and_files_are_offered():
    assert set(METRICS) <= {name for _, name in offered("skewproof audit ")}
    assert set(COMMANDS) <= {name for _, name in offered("skewproof ")}
    assert offered("skewproof score pre") == [["file", "pre"]]


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_get_a_script_that_they_accept(tmp_path, shell):
    done = subprocess.run(
        [sys.executable, "-m", "skewproof.cli"],
        env=os.environ | {"_SKEWPROOF_COMPLETE": f"{shell}_source"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_SKEWPROOF_COMPLETE" in done.stdout
    if shutil.which(shell):
        script = tmp_path / "completion"
        script.write_text(done.stdout)
        subprocess.run([shell, "-n", script], check=True)
