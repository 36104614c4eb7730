"""Completion in the shell."""

import os
import subprocess
import sys

import pytest

from skewproof.metrics import METRICS

pytest.importorskip("argcomplete", reason="an extra that is not installed")

SCRIPT = """
skewproof() { "$PYTHON" -m skewproof.cli "$@"; }
export -f skewproof
eval "$("$PYTHON" -m argcomplete.scripts.register_python_argcomplete skewproof)"
COMP_LINE="$1" COMP_POINT=${#1} COMP_TYPE=9
_python_argcomplete skewproof
echo "${COMPREPLY[@]}"
"""


def offered(line):
    """List the completions that bash offers at the end of a line."""
    done = subprocess.run(
        ["bash", "-c", SCRIPT, "bash", line],
        env=os.environ | {"PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


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
    assert offered(line) == expected


@pytest.mark.slow
def test_all_keys_are_offered():
    assert set(METRICS) <= set(offered("skewproof audit "))
