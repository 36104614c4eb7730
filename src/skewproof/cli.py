"""The command ``skewproof``: audit, list and choose metrics, score predictions."""

from __future__ import annotations

import argparse
import csv
import json
import logging
import math
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skewproof import __version__
from skewproof.core.messages import listed, printable, shortened, shown

if TYPE_CHECKING:
    from skewproof.studies.survey.choosing import Question

LONGEST_FIELD = 10**9
"""Characters of a field of a CSV file; Python's own limit is 131,072."""

MISSING = frozenset(["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>"])
"""Fields that are no label."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code, 2 where the input is at fault."""
    options = _parser().parse_args(arguments)
    logging.getLogger("skewproof").addHandler(logging.NullHandler())  # the cards say it all
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            _print(options.run(options))
    except (ValueError, KeyError, OSError) as error:
        message = str(error.args[0] if isinstance(error, KeyError) else error)
        print(f"skewproof: {listed(message.splitlines())}", file=sys.stderr)
        return 2
    for warning in caught:
        print(f"skewproof: {listed(str(warning.message).splitlines())}", file=sys.stderr)
    return 0


def _print(text: str) -> None:
    try:
        print(text, end="")
    except UnicodeEncodeError as error:
        sign = text[error.start].encode("unicode_escape").decode()
        raise ValueError(
            f"standard output, in {error.encoding}, can't show {sign}:"
            " set PYTHONIOENCODING=utf-8, or take --json"
        ) from None


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
    from skewproof.metrics import METRICS, get_metric
    from skewproof.practice.scoring import score_all

    labels = _read_labels(options.predictions, (options.true, options.predicted))
    keys = [get_metric(key).key for key in options.metrics or METRICS]
    scores = score_all(*labels, metrics=keys, pos_label=options.pos_label)
    rows = [row | {"value": _json_number(row["value"])} for row in scores.to_dict("records")]
    return _shown(rows, options)


def _read_labels(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """The labels in some columns of a CSV file; all its other fields are only counted."""
    csv.field_size_limit(LONGEST_FIELD)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            header = next(reader, [])
            places = [_place(column, header) for column in columns]
            rows = [_labels_of(row, header, places, reader.line_num) for row in reader if row]
    except (csv.Error, ValueError) as error:
        raise ValueError(f"{printable(str(path))} {error}") from None
    return [list(labels) for labels in zip(*rows, strict=True)] or [[] for _ in columns]


def _place(column: str, header: Sequence[str]) -> int:
    count = header.count(column)
    if count != 1:
        known = shortened(", ".join(header[:50]), 200)
        found = f"has {count} columns" if count else "has no column"
        raise ValueError(f"{found} {shown(column)}: it has {known}")
    return header.index(column)


def _labels_of(row: list[str], header: list[str], places: list[int], line: int) -> list[str]:
    if len(row) != len(header):
        expected = f"expected {len(header)}, as in the header"
        raise ValueError(f"has in line {line} {len(row)} fields: {expected}")
    labels = [row[place] for place in places]
    for place, label in zip(places, labels, strict=True):
        if label in MISSING:
            place_name = f"line {line} {shown(label)} in column {shown(header[place])}"
            raise ValueError(f"has in {place_name}: expected a label")
    return labels


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
    return json.dumps(value, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
