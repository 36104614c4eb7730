"""Completion in the shell."""

import pytest

from skewproof.cli import COMMANDS, main
from skewproof.metrics import METRICS


@pytest.fixture
def answered(monkeypatch, capsys):
    """Return what is printed for the variables that a shell sets."""

    def answered(wanted, **variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("_SKEWPROOF_COMPLETE", wanted)
        assert main([]) == 0
        return capsys.readouterr().out

    return answered


@pytest.fixture
def offered(answered):
    """List the completions of the last word."""

    def offered(words):
        last = str(len(words.split(" ")) - 1)
        output = answered("bash_complete", COMP_WORDS=words, COMP_CWORD=last)
        return [line.split(",", 1) for line in output.splitlines()]

    return offered


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
def test_bash_completes(offered, line, expected):
    assert [name for _, name in offered(line)] == expected


def test_all_keys_commands_and_files_are_offered(offered):
    assert set(METRICS) <= {name for _, name in offered("skewproof audit ")}
    assert set(COMMANDS) <= {name for _, name in offered("skewproof ")}
    assert offered("skewproof score pre") == [["file", "pre"]]
