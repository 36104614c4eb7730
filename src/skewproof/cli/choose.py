"""The command ``skewproof choose``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import SimpleNamespace

from skewproof.audits.choosing.tree import (
    Question,
    Recommendation,
    check_answer,
    follow,
    load_tree,
    recommend,
)
from skewproof.audits.choosing.worth import Worth, checked_worth, metrics_by_worth
from skewproof.cli.shared.command import command, option
from skewproof.cli.shared.options import MARKDOWN
from skewproof.cli.shared.output import Result
from skewproof.prevalence.projection import stated_prevalence


@command(
    "choose",
    option(
        "--answer QUESTION=ANSWER",
        "An answer given in advance; the command asks the other questions.",
        multiple=True,
    ),
    option(
        "--worth ALARMS",
        "Number of false alarms that you would accept to find one more positive; the command"
        " lists the metrics that imply it and asks no questions.",
        type=float,
    ),
    option("--at PREVALENCE", "With --worth: prevalence of deployment, such as 0.003 or 1:1000."),
    option(
        "--rates TPR FPR",
        "With --worth: rates of your classifier.  [default: each metric's best point on a"
        " normal ROC curve]",
        type=float,
        nargs=2,
    ),
    MARKDOWN,
    example="skewproof choose --worth 20 --at 1:1000",
)
def run(options: SimpleNamespace) -> Result:
    """List metrics by the worth of a hit, or ask questions and recommend measures."""
    worth, at = options.worth, options.at
    if worth is None:
        alone = [name for name in ("at", "rates") if getattr(options, name) is not None]
        if alone:
            raise ValueError(f"--{alone[0]}: expected --worth as well")
        if not options.answer:
            worth = _ask_worth()
            at = None if worth is None else _ask_prevalence()
    elif options.answer:
        raise ValueError("--answer: expected no answers with --worth, which asks no questions")
    elif at is None:
        raise ValueError("--worth: expected --at as well, the prevalence of deployment")
    if worth is not None:
        return _result(metrics_by_worth(worth, at=at, rates=options.rates), "metrics", options)
    advice = recommend(*follow(load_tree(), _given_answers(options.answer), _ask))
    return _result(advice, "measures", options)


def _result(advice: Worth | Recommendation, table: str, options: SimpleNamespace) -> Result:
    data = advice.to_dict()
    return Result(advice.to_markdown() if options.markdown else advice, data, data[table])


def _ask_worth() -> float | None:
    """Ask for the worth of a hit; an empty line is None."""
    print(
        "How many false alarms would you accept to find one more positive?\n"
        "  A number, or nothing if you do not know or do not have two classes",
        file=sys.stderr,
    )
    while True:
        text = _read("worth", "a number, or nothing")
        if not text:
            return None
        try:
            return checked_worth(text)
        except ValueError as error:
            print(error, file=sys.stderr)


def _ask_prevalence() -> str:
    """Ask for the prevalence of deployment."""
    expected = "a prevalence such as 0.003 or 1:1000"
    print(
        f"What share of the instances is positive where the classifier will run?\n  {expected}",
        file=sys.stderr,
    )
    while True:
        text = _read("at", expected)
        try:
            stated_prevalence(text)
        except ValueError as error:
            print(error, file=sys.stderr)
        else:
            return text


def _given_answers(texts: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for text in texts:
        question, sign, answer = text.partition("=")
        if not sign:
            raise ValueError(f"--answer {text}: expected QUESTION=ANSWER")
        if given.setdefault(question, answer) != answer:
            raise ValueError(f"--answer {text}: expected a single answer to each question")
    return given


def _ask(question: Question) -> str:
    """Ask on standard error until the answer from standard input is valid."""
    names = list(question.answers)
    lines = [
        f"  {number}. {name}: {question.answers[name][0]}" for number, name in enumerate(names, 1)
    ]
    print("\n".join([question.text, *lines]), file=sys.stderr)
    while True:
        answer = _read(question.key, f"one of {', '.join(names)}")
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        try:
            return check_answer(question, answer)
        except ValueError as error:
            print(error, file=sys.stderr)


def _read(key: str, expected: str) -> str:
    """Ask on standard error and read a line from standard input.

    Raises
    ------
    ValueError
        If there is no line.
    """
    print(f"{key}? ", end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        print(file=sys.stderr)
        raise ValueError(
            f"no answer to {key}: expected {expected}; without a terminal, give --answer or --worth"
        )
    return line.strip()
