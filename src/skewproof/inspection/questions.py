"""Questions that the rows can answer, each with its command, and what is missing for more."""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from skewproof.inspection.facts import CUT_OFF, Facts

MOST = 8
"""Largest number of commands."""

METRICS = ["recall", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy", "f1_i"]
MEASURES = ["accuracy", "macro_f1", "acsa", "mcc"]
"""Metrics to score, of two and of more classes."""

QUESTIONS = (
    (
        "What are precision, recall and F1 of all rows, by the labels of some?",
        "predicted two_classes partly_labeled",
        "score-labels {files} {predicted} {true}",
    ),
    (
        "What are the scores, with their intervals?",
        "classes predicted mostly_labeled",
        "score {files} --metrics {metrics} {predicted} {true} {where}",
    ),
    (
        "Which cut-off promises a precision of a half?",
        "above_chance",
        "threshold {files} --require {half} {score} {true} {where}",
    ),
    (
        "Which model is better?",
        "compared",
        "compare {files} --models {models} --metrics {metric} {true} {where}",
    ),
    (
        "How much of each change over time is due to prevalence?",
        "counted roles.time",
        "explain-change {files} --by {time} {predicted} {cut} {weight} {true} {groups}",
    ),
    (
        "Has the classifier changed, and since when?",
        "counted roles.time",
        "watch {files} --time {time} {predicted} {cut} {weight} {true} {groups}",
    ),
    (
        "How much of each difference between slices is due to prevalence?",
        "counted roles.by",
        "explain-change {files} --by {slice} {predicted} {cut} {weight} {true} {groups}",
    ),
    (
        "What is a decision by these probabilities worth?",
        "ranked probabilities",
        "decide {files} --score {probabilities} {trained} {true} {where}",
    ),
    (
        "How many rows give an interval half as wide?",
        "rates",
        "plan f1 {rates} {share} --sampling random",
    ),
    (
        "Which 100 rows are worth labeling?",
        "unlabeled roles.row_id",
        "plan-labels f1 {files} --labels 100 --row-id {row_id} {called}",
    ),
)
"""Questions, each with the facts that it needs and its command, most useful first."""

MISSING = (
    ("", "true", "labels of a reference, for an estimate for these rows (score --reference)"),
    ("", "true roles.row_id", "a column of row ids, to choose which rows to label (plan-labels)"),
    ("true", "classes", "labels of a second class, for any metric"),
    ("", "said", "a column of predictions (--predicted) or scores (--score), for any metric"),
    ("predicted binary", "score", "scores of the class (--score), for a cut-off with a promise"),
    (
        "true score",
        "predicted",
        "predicted labels (--predicted), for metrics of the cut-off in use",
    ),
    ("true", "roles.time", "a column of periods (--time), for changes of the classifier"),
    ("true", "groups", "patients or the like (--groups), if rows belong together, for intervals"),
    ("true", "at", "the prevalence where the classifier will run, for metrics there: --at 1:1000"),
)
"""Facts that are there, facts that are missing, and what these are for."""


def missing(facts: Facts) -> list[str]:
    """Return what else would let more be answered."""
    return [
        text
        for given, empty, text in MISSING
        if all(_values(facts, given)) and not any(_values(facts, empty))
    ]


def commands(facts: Facts, files: Sequence[str]) -> list[tuple[str, str]]:
    """Return the questions that can be answered, each with its command."""
    options = _options(facts, files)
    answers = []
    for text, needed, command in QUESTIONS:
        if all(_values(facts, needed)):
            words = (options.get(word, [word]) for word in command.split())
            answers.append((text, shlex.join(["skewproof", *itertools.chain(*words)])))
    return answers[:MOST]


def _values(facts: Facts, names: str) -> list[Any]:
    return [attrgetter(name)(facts) for name in names.split()]


def _options(facts: Facts, files: Sequence[str]) -> dict[str, list[str]]:
    """Return the words for each name in the commands."""
    roles = facts.roles
    given = {
        "true": roles.true,
        "pos-label": roles.pos_label,
        "predicted": roles.predicted,
        "score": roles.score,
        "weight": roles.weight,
        "groups": roles.groups,
        "at": facts.at,
        "trained": "1:1" if facts.balanced else None,
    }
    options = {
        name: [f"--{name}", str(value)] * (value is not None) for name, value in given.items()
    }
    labels = options["pos-label"]
    cut = [*options["score"], "--threshold", f"{CUT_OFF:g}"] if facts.probabilities else []
    metric = "auc" if facts.score else "f1" if facts.two_classes else "macro_f1"
    scores = dict.fromkeys([*roles.models, roles.score or ""])
    tpr, fpr, share = facts.rates or (0, 0, 0)
    plan = {"tpr": tpr, "fpr": fpr, "width": facts.width / 2}
    options |= {
        "files": list(files),
        "true": options["true"] + labels,
        "where": options["groups"] + options["at"],
        "cut": cut if facts.cut else [],
        "called": cut or options["predicted"] + labels,
        "metrics": METRICS if roles.pos_label else MEASURES,
        "metric": [metric],
        "models": roles.models,
        "half": ["precision >= 0.5"],
        "time": [str(roles.time)],
        "slice": roles.by[:1],
        "row_id": [str(roles.row_id)],
        "probabilities": [name for name in scores if name and facts.columns[name].probabilities],
        "rates": [f"--{name}={number:.2g}" for name, number in plan.items()],
        "share": options["at"] or ["--at", f"{share:.2g}"],
    }
    return {f"{{{name}}}": words for name, words in options.items()}
