"""Remarks that change conclusions, questions that the rows can answer, and what is missing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from skewproof.inspection.facts import CUT_OFF

REMARKS, MISSING, QUESTIONS = (
    pd.read_csv(Path(__file__).with_name(f"{name}.csv"), keep_default_na=False).to_numpy().tolist()
    for name in ("remarks", "missing", "questions")
)
"""Rows of the tables of remarks by their fact, of what is missing, and of questions."""

MOST = 8
"""Largest number of commands."""

METRICS = ["recall", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy", "f1_i"]
MEASURES = ["accuracy", "macro_f1", "acsa", "mcc"]
"""Metrics to score, of two and of more classes."""


def remarks(facts: Mapping[str, Any]) -> list[str]:
    """Return the remarks whose fact is not empty; those that question the rows come first.

    Examples
    --------
    >>> remarks({"copies": 20, "rows": 1000})
    ['20 of 1,000 rows are copies of others in all columns.']
    """
    return [text.format_map(facts) for fact, text in REMARKS if facts.get(fact)]


def missing(facts: Mapping[str, Any]) -> list[str]:
    """Return what else would let more be answered.

    Examples
    --------
    >>> missing({"predicted": "p", "row_id": "id"})
    ['labels of a reference, for an estimate for these rows (score --reference)']
    """
    return [
        text
        for given, empty, text in MISSING
        if all(map(facts.get, given.split())) and not any(map(facts.get, empty.split()))
    ]


def commands(facts: Mapping[str, Any], files: Sequence[str]) -> list[tuple[str, str]]:
    """Return the questions that can be answered, each with its command, most useful first."""
    options = _options(facts) | {"files": files}
    answers = []
    for text, needed, command in QUESTIONS:
        if all(map(facts.get, needed.split())):
            words = ["skewproof"]
            for word in command.split():
                words += options[word[1:-1]] if word.startswith("{") else [word]
            answers.append((text, shlex.join(words)))
    return answers[:MOST]


def _options(facts: Mapping[str, Any]) -> dict[str, Sequence[str]]:
    """Return the words for each name in braces in the commands."""
    pos_label, true, predicted, score, weight, groups, at = (
        [f"--{name.replace('_', '-')}", str(facts[name])] if facts[name] is not None else []
        for name in ("pos_label", "true", "predicted", "score", "weight", "groups", "at")
    )
    cut = [*score, "--threshold", f"{CUT_OFF:g}"] if facts["are_probabilities"] else []
    return {
        "true": true + pos_label,
        "predicted": predicted,
        "score": score,
        "weight": weight,
        "groups": groups,
        "where": groups + at,
        "cut": cut if facts["counted"] and not predicted else [],
        "called": cut or predicted + pos_label,
        "metrics": METRICS if pos_label else MEASURES,
        "metric": ["auc" if score else "f1" if pos_label else "macro_f1"],
        "models": facts["models"],
        "scores": facts["all_probabilities"],
        "trained": ["--trained", "1:1"] if facts.get("balanced") else [],
        "half": ["precision >= 0.5"],
        "period": [str(facts["time"])],
        "slice": facts["by"][:1],
        "row_id": [str(facts["row_id"])],
        "rates": [
            f"--{name}={facts[fact]:.2g}"
            for name, fact in (("tpr", "tpr"), ("fpr", "fpr"), ("width", "half_width"))
            if fact in facts
        ],
        "share": at or [f"--at={facts.get('prevalence', 0):.2g}"],
    }
