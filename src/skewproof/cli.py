"""The command ``skewproof``: audit, list and choose metrics, score predictions."""

from __future__ import annotations

import argparse
import json
import logging
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skewproof import __version__

if TYPE_CHECKING:
    from skewproof.studies.survey.choosing import Question


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code, 2 where the input is at fault."""
    options = _parser().parse_args(arguments)
    logging.getLogger("skewproof").addHandler(logging.NullHandler())  # the cards say it all
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(options.run(options), end="")
    except (ValueError, KeyError, OSError) as error:
        message = error.args[0] if isinstance(error, KeyError) else error
        print(f"skewproof: {message}", file=sys.stderr)
        return 2
    for warning in caught:
        print(f"skewproof: {warning.message}", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skewproof",
        description="Does a classification metric mean the same thing under class imbalance?",
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("audit", help="what imbalance does to a metric, your own too")
    command.add_argument("metric", help="a formula in tp, fp, fn, tn, P, N, or a metric's key")
    command.add_argument("--figure", type=Path, help="also draw its contours, to this file")
    command.set_defaults(run=_audit)

    listing = commands.add_parser("list", help="the known metrics")
    listing.set_defaults(run=_list)

    score = commands.add_parser("score", help="score the predictions in a CSV file")
    score.add_argument("predictions", type=Path, help="CSV file with true and predicted labels")
    score.add_argument("--metrics", nargs="+", metavar="KEY", help="default: all")
    score.add_argument("--true", default="y_true", metavar="COLUMN", help="default: y_true")
    score.add_argument("--predicted", default="y_pred", metavar="COLUMN", help="default: y_pred")
    score.add_argument("--pos-label", default="1", metavar="LABEL", help="default: 1")
    score.set_defaults(run=_score)

    choice = commands.add_parser(
        "choose", help="which measure, by questions, and what is known of it"
    )
    choice.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="QUESTION=ANSWER",
        help="an answer given beforehand; what is left is asked for",
    )
    choice.set_defaults(run=_choose)

    for each in (command, listing, score, choice):
        each.add_argument("--json", action="store_true", help="for machines")
    return parser


def _audit(options: argparse.Namespace) -> str:
    from skewproof.practice.audit import audit, audit_figure

    card = audit(options.metric)
    if options.figure:
        audit_figure(options.metric).savefig(options.figure)
    return _as_json(card.to_dict()) if options.json else card.to_markdown()


def _list(options: argparse.Namespace) -> str:
    from skewproof.metrics import METRICS

    rows = [
        {"metric": metric.key, "name": metric.name, "source": metric.source}
        for metric in METRICS.values()
    ]
    return _shown(rows, options)


def _score(options: argparse.Namespace) -> str:
    import pandas as pd

    from skewproof.metrics import METRICS, get_metric
    from skewproof.practice.scoring import score_all

    table = pd.read_csv(options.predictions, dtype=str)
    for column in (options.true, options.predicted):
        if column not in table:
            known = ", ".join(table.columns)
            raise ValueError(f"{options.predictions} has no column {column!r}: it has {known}")
    labels = (table[options.true], table[options.predicted])
    keys = [get_metric(key).key for key in options.metrics or METRICS]
    scores = score_all(*labels, metrics=keys, pos_label=options.pos_label)
    rows = [row | {"value": _json_number(row["value"])} for row in scores.to_dict("records")]
    return _shown(rows, options)


def _choose(options: argparse.Namespace) -> str:
    from skewproof.studies.survey.choosing import choose, load_tree, recommend

    given = _given_answers(options.answer)
    unused = dict(given)

    def ask(question: Question) -> str:
        unused.pop(question.key, None)
        return given[question.key] if question.key in given else _ask(question)

    answers, advice = choose(load_tree(), ask)
    if unused:
        asked = ", ".join(answers)
        raise ValueError(f"{', '.join(unused)}: not asked here; the questions were {asked}")
    recommendation = recommend(answers, advice)
    return _as_json(recommendation.to_dict()) if options.json else recommendation.to_markdown()


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
    from skewproof.studies.survey.choosing import check_answer

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


def _shown(rows: list[dict[Any, Any]], options: argparse.Namespace) -> str:
    if options.json:
        return _as_json(rows)
    from tabulate import tabulate

    return tabulate(rows, headers="keys", tablefmt="pipe") + "\n"


def _json_number(value: float) -> float | str | None:
    """JSON has neither NaN, for which null stands, nor infinities, which are text."""
    if math.isinf(value):
        return str(value)
    return None if math.isnan(value) else value


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
