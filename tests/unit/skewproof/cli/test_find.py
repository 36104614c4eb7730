"""The command ``skewproof find``."""

import json

import pytest

from skewproof.audits.finding import find


@pytest.mark.slow
def test_find_on_the_command_line(run):
    assert run("find", "Youden's J") == (0, find("Youden's J").to_text(), "")
    code, output, errors = run("find", "Dice", "--json")
    assert (code, errors) == (0, "")
    assert json.loads(output) == find("Dice").to_dict()


def test_what_is_not_found(run):
    code, output, errors = run("find", "Heidkee")
    assert (code, output) == (2, "")
    assert errors == "skewproof: no metric 'Heidkee'; did you mean 'cohen_kappa' (Heidke)?\n"
