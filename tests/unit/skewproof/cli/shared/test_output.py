"""Output of commands."""

import argparse
import io
import json
import sys

import pytest

from skewproof.cli.shared.output import as_json, colored, json_number, print_text, shown


def test_standard_output_that_can_not_show_a_character(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    with pytest.raises(ValueError, match=r"standard output .ascii. can't show \\xed: set PYTHONI"):
        print_text("García")


@pytest.mark.parametrize(
    ("terminal", "no_color", "expected"),
    [(True, None, True), (True, "", True), (True, "1", False), (False, None, False)],
)
def test_colors_are_for_terminals(monkeypatch, terminal, no_color, expected):
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color is not None:
        monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert colored() is expected


def test_numbers_that_json_does_not_have():
    values = [json_number(value) for value in (float("nan"), float("-inf"), 0.5, True, "nan")]
    assert values == [None, "-inf", 0.5, True, "nan"]
    assert json.loads(as_json(values)) == values


class Result:
    def to_dict(self):
        return {"a": 1}

    def to_markdown(self):
        return "# a"

    def to_text(self, *, color):
        return "a in color" if color else "a"


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, "a"), ({"markdown": True}, "# a"), ({"json": True}, '{\n  "a": 1\n}\n')],
)
def test_the_form_that_is_asked_for(options, expected):
    given = argparse.Namespace(**{"json": False, "markdown": False} | options)
    assert shown(Result(), given) == expected
