"""Findings at the start of the report, counted in the existing tables."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from skewproof.reporting.templates import render

Row = dict[str, str]

TARGETS = {
    "conclusions": "verdicts.csv",
    "real-world": "real_world_comparison.csv",
    "burduk": "burduk/comparison.csv",
    "mullick": "mullick/conditions.csv",
    "mullick-experiment": "mullick/experiment/findings.csv",
    "survey": "survey/cluster_shifts.csv",
    "tharwat": "tharwat/examples.csv",
}
"""Table that shows that a target of make was run, by target."""

_HEADING = re.compile(r"^# Discrepancies in (.+)$", flags=re.MULTILINE)
_PLACE = re.compile(r"^## [0-9]+\. ", flags=re.MULTILINE)


def findings_text(texts: Mapping[str, str]) -> str:
    """Write the findings in Markdown, without those of missing tables.

    Parameters
    ----------
    texts
        The content of each table and text by its path under results, such as "comparison.csv".

    Examples
    --------
    >>> comparison = "table,metric,column,printed,computed,agrees,exact,exact_agrees\\n"
    >>> page = findings_text({"comparison.csv": comparison + "7,f1,1:2,9.0,9.1,True,,\\n"})
    >>> "1 of the 1 numbers that the paper prints" in " ".join(page.split())
    True
    """
    rows = {
        path: list(csv.DictReader(io.StringIO(text)))
        for path, text in texts.items()
        if path.endswith(".csv")
    }
    comparison = rows.get("comparison.csv", [])
    scores = [row for row in comparison if row["column"] in ("tp", "fp")]
    return render(
        "skewproof_studies.pipeline",
        "findings.md.jinja",
        printed=_agreement(comparison),
        exact=_agreement(scores, "exact_agrees"),
        types=_types(rows.get("behavior_types.csv", [])),
        verdicts=_verdicts(rows.get("verdicts.csv", [])),
        real_world=_agreement(rows.get("real_world_comparison.csv", [])),
        flips=_agreement(rows.get("ranking_flips.csv", []), "flips"),
        burduk=_agreement(rows.get("burduk/comparison.csv", [])),
        tharwat=_agreement(rows.get("tharwat/examples.csv", [])),
        mullick=_agreement(rows.get("mullick/conditions.csv", [])),
        discrepancies=list(_discrepancies(texts.values())),
        missing=[target for target, table in TARGETS.items() if table not in texts],
    )


def _agreement(rows: Iterable[Row], column: str = "agrees") -> dict[str, int]:
    """Count the rows with a truth value in a column, and the true ones among them."""
    values = [row[column] for row in rows]
    return {
        "all": len(values),
        "compared": sum(value != "" for value in values),
        "true": values.count("True"),
    }


def _types(rows: list[Row]) -> dict[str, list[str]]:
    """Count the metrics of each type, by contours and by importance scores."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        name = "contours" if row["verdict"] == "contour" else "importance scores"
        counts.setdefault(name, Counter())[row["type"]] += 1
    return {
        name: [f"{count} {_kind(kind)}" for kind, count in sorted(by_kind.items())]
        for name, by_kind in sorted(counts.items())
    }


def _kind(kind: str) -> str:
    """Describe a type in words; types between the first and the last are such as "last 2 of 3"."""
    last, _, levels = kind.removeprefix("last ").partition(" of ")
    if levels:
        return f"that differ at exactly the last {last} of {levels} levels"
    return "of mixed type" if kind == "mixed" else f"of type {kind}"


def _verdicts(rows: list[Row]) -> dict[str, Any]:
    """Count the agreeing verdicts, and the metrics that a proof shows to be the same."""
    changes: dict[str, set[str]] = {}
    for row in rows:
        changes.setdefault(row["metric"], set()).add(row["symbolic"])
    return _agreement(rows, "agree") | {
        "metrics": len(changes),
        "same": sum(verdicts == {"same"} for verdicts in changes.values()),
        "differs": sum("differs" in verdicts for verdicts in changes.values()),
    }


def _discrepancies(texts: Iterable[str]) -> Iterable[str]:
    """Yield the number of places in each paper's report of discrepancies, with the paper's name."""
    for text in texts:
        heading = _HEADING.match(text)
        if heading:
            yield f"{len(_PLACE.findall(text))} in {heading[1]}"
