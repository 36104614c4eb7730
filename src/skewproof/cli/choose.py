"""The command ``skewproof choose``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from skewproof.audits.choosing.tree import Question, check_answer, follow, load_tree, recommend
from skewproof.audits.choosing.worth import checked_worth, metrics_by_worth
from skewproof.cli.shared.output import Output, shown
from skewproof.prevalence.projection import stated_prevalence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="QUESTION=ANSWER",
        help="an answer given in advance; the command asks the other questions",
    )
    parser.add_argument(
        "--worth",
        type=float,
        metavar="ALARMS",
        help="number of false alarms that you would accept to find one more positive; the command"
        " lists the metrics that imply it and asks no questions",
    )
    parser.add_argument(
        "--at",
        metavar="PREVALENCE",
        help="with --worth: prevalence of deployment, such as 0.003 or 1:1000",
    )
    parser.add_argument(
        "--rates",
        type=float,
        nargs=2,
        metavar=("TPR", "FPR"),
        help="with --worth: rates of your classifier; default: each metric's best point on a normal"
        " ROC curve",
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown")


def run(options: argparse.Namespace) -> Output:
    """List metrics by the worth of a hit, or ask the open questions and recommend measures."""
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
        return Output(shown(metrics_by_worth(worth, at=at, rates=options.rates), options))
    answers, advice = follow(load_tree(), _given_answers(options.answer), _ask)
    return Output(shown(recommend(answers, advice), options))


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
