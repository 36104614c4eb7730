"""The command ``skewproof choose``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skewproof.cli.output import Commands, Output, shown

if TYPE_CHECKING:
    from skewproof.practice.choosing.choosing import Question


def add_to(commands: Commands) -> argparse.ArgumentParser:
    """Add the command's parser."""
    parser = commands.add_parser(
        "choose", help="which measure, by questions, and what is known of it"
    )
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="QUESTION=ANSWER",
        help="an answer given beforehand; what is left is asked for",
    )
    parser.add_argument("--markdown", action="store_true", help="for a page")
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> Output:
    """Ask what was not answered beforehand, and recommend measures."""
    from skewproof.practice.choosing.choosing import choose, load_tree, recommend

    given = _given_answers(options.answer)
    unused = dict(given)

    def ask(question: Question) -> str:
        unused.pop(question.key, None)
        return given[question.key] if question.key in given else _ask(question)

    answers, advice = choose(load_tree(), ask)
    if unused:
        asked = ", ".join(answers)
        raise ValueError(f"{', '.join(unused)}: not asked here; the questions were {asked}")
    return Output(shown(recommend(answers, advice), options))


def _given_answers(texts: Sequence[str]) -> dict[str, str]:
    given: dict[str, str] = {}
    for text in texts:
        question, sign, answer = text.partition("=")
        if not sign:
            raise ValueError(f"--answer {text}: expected QUESTION=ANSWER")
        if given.setdefault(question, answer) != answer:
            raise ValueError(f"--answer {text}: expected one answer to a question")
    return given


def _ask(question: Question) -> str:
    """Ask on the terminal, with standard error for the question, until the answer is possible."""
    from skewproof.practice.choosing.choosing import check_answer

    names = list(question.answers)
    lines = [
        f"  {number}. {name}: {question.answers[name][0]}" for number, name in enumerate(names, 1)
    ]
    print("\n".join([question.text, *lines]), file=sys.stderr)
    while True:
        print(f"{question.key}? ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            print(file=sys.stderr)
            raise ValueError(f"no answer to {question.key}: expected one of {', '.join(names)}")
        answer = line.strip()
        if answer.isdecimal() and 1 <= int(answer) <= len(names):
            return names[int(answer) - 1]
        try:
            return check_answer(question, answer)
        except ValueError as error:
            print(error, file=sys.stderr)
