"""The command ``skewproof choose``."""

import io

import pytest

from skewproof.metrics import METRICS

ARGUMENTS = ["choose", "--answer", "problem=classification", "--answer", "balance=imbalanced"]


@pytest.fixture(autouse=True)
def typed(monkeypatch):
    """Type text, nothing at first."""

    def typed(text):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    typed("")
    return typed


@pytest.mark.slow
def test_json_on_the_command_line(parsed):
    found = parsed("choose", "--answer", "problem=ranking", "--answer", "goal=false-negatives")
    assert found["answers"] == {"problem": "ranking", "goal": "false-negatives"}
    assert [one["evidence"]["type"] for one in found["measures"]] == [1]


@pytest.mark.slow
def test_questions_on_the_terminal(run, typed):
    typed("\nranking\n 9\nfalse_negatives\nfalse-negatives\n")
    code, output, errors = run("choose")
    assert code == 0
    assert output.startswith("recall@k\n")
    assert "What does the model do?\n  1. classification: assigns" in errors
    assert "goal = '9': expected one of false-positives, false-negatives, high-ranks" in errors
    assert "goal = 'false_negatives'" in errors
    assert "did you mean 'false-negatives'?" in errors
    typed("\n3\n2\n")
    assert run("choose")[:2] == (code, output)


@pytest.mark.parametrize(
    ("arguments", "text", "message"),
    [
        (["problem"], "", "--answer problem: expected QUESTION=ANSWER"),
        (["problem=ranking", "problem=domain"], "", "expected a single answer to each question"),
        ([], "", "no answer to worth: expected a number, or nothing"),
        ([], "\n", "no answer to problem: expected one of classification, clustering"),
        ([], "20\n", "no answer to at: expected a prevalence such as 0.003 or 1:1000"),
        (["problem=ranking"], "nothing\n", "no answer to goal: expected one of false-positives"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_bad_answers(refused, typed, arguments, text, message):
    typed(text)
    options = [part for answer in arguments for part in ("--answer", answer)]
    assert message in refused("choose", *options)


@pytest.fixture
def few(monkeypatch):
    """Two metrics, so that a test takes a moment."""
    metrics = {key: METRICS[key] for key in ("f1", "balanced_accuracy")}
    monkeypatch.setattr("skewproof.audits.choosing.worth.METRICS", metrics)


@pytest.mark.slow
def test_what_a_hit_is_worth(printed, parsed, run, few):
    arguments = ["choose", "--worth", "100", "--at", "1:1000", "--rates", "0.9", "0.1"]
    assert printed(*arguments).startswith("One hit is worth 100 false alarms\n====")
    found = parsed(*arguments)
    assert found["implied_by"] == ["f1"]
    assert found["metrics"][1]["hit_is_worth"] == pytest.approx((0.9 + 0.1 + 100) / 0.9)
    page = run(*arguments, "--markdown")[1]
    assert page.startswith("# One hit is worth 100 false alarms\n\nMaximize the net benefit")


@pytest.mark.slow
def test_what_a_hit_is_worth_is_asked_first(run, typed, few):
    arguments = ["choose", "--worth", "100", "--at", "1:1000"]
    expected = run(*arguments)[1]
    typed("many\n-3\n100\nrare\n1:1000\n")
    code, output, errors = run("choose")
    assert (code, output) == (0, expected)
    assert errors.startswith("How many false alarms would you accept to find one more positive?")
    assert "worth = 'many': expected" in errors
    assert "worth = -3.0: expected" in errors
    assert "at = 'rare': expected" in errors


def test_without_a_terminal_it_stops_and_says_what_to_give(refused, monkeypatch):
    """Standard input is empty, or closed."""
    for stream in (io.StringIO(), None):
        monkeypatch.setattr("sys.stdin", stream)
        errors = refused("choose")
        said = "expected a number, or nothing; without a terminal, give --answer or --worth"
        assert errors.endswith(f"skewproof: no answer to worth: {said}\n")
