"""The command ``skewproof choose``."""

import io
import json

import pytest

from skewproof.cli import main

ARGUMENTS = ["choose", "--answer", "problem=classification", "--answer", "balance=imbalanced"]
TO_AREA = [*ARGUMENTS, "--answer", "classes=two", "--answer", "goal=positive-class"]


def run(capsys, monkeypatch, *arguments, typed=""):
    """Runs the command with what is typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code = main(arguments)
    return code, *capsys.readouterr()


@pytest.mark.slow
def test_answers_on_the_command_line(capsys, monkeypatch):
    code, output, errors = run(capsys, monkeypatch, *TO_AREA)
    assert (code, errors) == (0, "")
    assert output.startswith("area under the precision-recall curve\n====")
    assert output.count("\nWarning. ") == 1
    page = run(capsys, monkeypatch, *TO_AREA, "--markdown")[1]
    assert page.startswith("# area under the precision-recall curve")
    assert page.count("**Warning.**") == 1


def test_json_on_the_command_line(capsys, monkeypatch):
    arguments = ["choose", "--answer", "problem=ranking", "--answer", "goal=false-negatives"]
    code, output, _ = run(capsys, monkeypatch, *arguments, "--json")
    assert code == 0
    found = json.loads(output)
    assert found["answers"] == {"problem": "ranking", "goal": "false-negatives"}
    assert [one["evidence"]["type"] for one in found["measures"]] == [1]


@pytest.mark.slow
def test_questions_on_the_terminal(capsys, monkeypatch):
    typed = "ranking\n 9\nfalse_negatives\nfalse-negatives\n"
    code, output, errors = run(capsys, monkeypatch, "choose", typed=typed)
    assert code == 0
    assert output.startswith("recall@k\n")
    assert "What does the model do?\n  1. classification: assigns" in errors
    assert "goal = '9': expected one of false-positives, false-negatives, high-ranks" in errors
    assert "goal = 'false_negatives'" in errors
    assert "did you mean 'false-negatives'?" in errors
    by_number = run(capsys, monkeypatch, "choose", typed="3\n2\n")
    assert by_number[:2] == (code, output)


@pytest.mark.slow
def test_what_is_answered_is_not_asked(capsys, monkeypatch):
    arguments = ["choose", "--answer", "problem=ranking"]
    code, output, errors = run(capsys, monkeypatch, *arguments, typed="2\n")
    assert (code, "problem?" in errors) == (0, False)
    assert output.startswith("recall@k\n")


@pytest.mark.parametrize(
    ("arguments", "typed", "message"),
    [
        (["problem=rankin"], "", "problem = 'rankin': expected one of classification, clustering,"
         " ranking, domain; did you mean 'ranking'?"),
        (["problem"], "", "--answer problem: expected QUESTION=ANSWER"),
        (["problem=ranking", "problem=domain"], "", "expected one answer to a question"),
        (["problem=domain", "data=images", "goal=overall"], "", "goal: not asked here; the"
         " questions were problem, data"),
        ([], "", "no answer to problem: expected one of classification, clustering"),
        (["problem=ranking"], "nothing\n", "no answer to goal: expected one of false-positives"),
    ],
)  # fmt: skip
def test_bad_answers(capsys, monkeypatch, arguments, typed, message):
    options = [part for answer in arguments for part in ("--answer", answer)]
    code, output, errors = run(capsys, monkeypatch, "choose", *options, typed=typed)
    assert (code, output) == (2, "")
    assert f"skewproof: {message}" in errors or message in errors
