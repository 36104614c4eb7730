"""Remarks that change conclusions, questions that the rows can answer, and what is missing."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from skewproof.inspection.facts import CUT_OFF
from skewproof.reporting.sentences import filled_rows

MOST = 8
"""Largest number of commands."""

METRICS = ["recall", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy", "f1_i"]
MEASURES = ["accuracy", "macro_f1", "acsa", "mcc"]
"""Metrics to score, of two and of more classes."""


def remarks(facts: Mapping[str, Any]) -> list[str]:
    """Return the remarks whose facts are known; those that question the rows come first.

    Examples
    --------
    >>> remarks({"copies": 20, "rows": 1000})
    ['20 of 1,000 rows are copies of others in all columns.']
    """
    return [row["remark"] for row in filled_rows("skewproof.inspection", "remarks", facts)]


def missing(facts: Mapping[str, Any]) -> list[str]:
    """Return what else would let more be answered.

    Examples
    --------
    >>> missing({"predicted": "p", "row_id": "id"})
    ['labels of a reference, for an estimate for these rows (score --reference)']
    """
    return [row["text"] for row in filled_rows("skewproof.inspection", "missing", facts)]


def commands(facts: Mapping[str, Any], files: Sequence[str]) -> list[tuple[str, str]]:
    """Return the questions that can be answered, each with its command, most useful first."""
    options = {name: shlex.join(words) for name, words in _options(facts, files).items()}
    rows = filled_rows("skewproof.inspection", "questions", {**facts, **options}, needs=facts)
    lines = (shlex.join(shlex.split(f"skewproof {row['command']}")) for row in rows[:MOST])
    return [(row["question"], line) for row, line in zip(rows, lines, strict=False)]


def _options(facts: Mapping[str, Any], files: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the words for each name in braces in the commands."""
    pos_label, true, predicted, score, weight, groups, at = (
        [f"--{name.replace('_', '-')}", str(facts[name])] if facts[name] is not None else []
        for name in ("pos_label", "true", "predicted", "score", "weight", "groups", "at")
    )
    cut = [*score, "--threshold", f"{CUT_OFF:g}"] if facts["are_probabilities"] else []
    return {
        "files": files,
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
        "time": [str(facts["time"])],
        "slice": facts["by"][:1],
        "row_id": [str(facts["row_id"])],
        "rates": [
            f"--{name}={facts[fact]:.2g}"
            for name, fact in (("tpr", "tpr"), ("fpr", "fpr"), ("width", "half_width"))
            if fact in facts
        ],
        "share": at or [f"--at={facts.get('prevalence', 0):.2g}"],
    }
