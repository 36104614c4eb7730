"""Numbers about the rows, by the names under which remarks and questions ask for them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.frames import count_copies, lazy_frame
from skewproof.core.extras import duckdb
from skewproof.curves.areas.area import area
from skewproof.curves.areas.area_interval import area_interval
from skewproof.curves.counts import score_counts
from skewproof.inspection.columns import Column, quoted
from skewproof.inspection.roles import Roles
from skewproof.intervals.grouped.correlations import design_effect
from skewproof.intervals.metric_interval import interval
from skewproof.prevalence.adjusting import adjust_probabilities

CUT_OFF = 0.5
"""Cut-off of probabilities if no column has predicted labels."""

WIDE = 0.15
"""Width of an interval that is worth a remark."""

FEW = 20
"""Largest number of scores that are few, and of rows of which equal class sizes may be chance."""

CELLS = {"tp": (True, True), "fn": (True, False), "fp": (False, True), "tn": (False, False)}
"""Truth and prediction of the rows of each cell."""


def facts_of(
    rows: duckdb.DuckDBPyRelation,
    number: int,
    columns: Mapping[str, Column],
    roles: Roles,
    at: str | None,
) -> dict[str, Any]:
    """Return the facts that apply, with the columns of the roles.

    Parameters
    ----------
    rows, number, columns
        The cleaned rows, their number, and their columns by name.
    roles
        The roles of the columns.
    at
        Prevalence where the classifier will run.
    """
    of_roles = {
        role: columns.get(getattr(roles, role) or "")
        for role in ("true", "predicted", "score", "groups", "split")
    }
    true, predicted, score, groups, split = of_roles.values()
    sizes = true.labels if true else {}
    label = min(sizes, key=lambda label: (sizes[label], label != roles.pos_label), default="")
    labeled, classes = sum(sizes.values()), len(roles.classes)
    two_classes = len(sizes) > 1 and classes == 2
    models = roles.models or [*filter(None, [roles.score])]
    used = [name for name, (role, _) in roles.how.items() if role != "row id"]
    probabilities = score is not None and score.probabilities
    facts = vars(roles) | {
        "at": at,
        "rows": number,
        "labeled": labeled,
        "label": roles.pos_label or label,
        "rarest": label,
        "least": sizes.get(label),
        "number_of_classes": classes,
        "binary": classes <= 2,
        "one_class": len(sizes) == 1,
        "several_classes": len(sizes) > 1,
        "two_classes": two_classes,
        "chosen": two_classes and labeled > FEW and len({*sizes.values()}) == 1 and labeled // 2,
        "partly_labeled": 0 < labeled < number,
        "mostly_labeled": 2 * labeled > number,
        "unlabeled": not true and number >= 100 and (predicted or probabilities),
        "predictions": predicted.known if predicted else 0,
        "calls": predicted.labels if predicted else {},
        "one_prediction": predicted and len(predicted.labels) == 1 and predicted.example,
        "are_probabilities": probabilities,
        "all_probabilities": [name for name in models if columns[name].probabilities],
        "few_scores": score and score.distinct <= FEW < number and score.distinct,
        "counted": len(sizes) > 1 and (predicted or (two_classes and probabilities)),
        "ranked": two_classes and score and score.distinct > 1,
        "repeated": groups and groups.distinct,
        "grouped": groups and groups.known,
        "parts": split and split.distinct,
        "copies": count_copies(lazy_frame(rows), used)[0],
        "equal_models": _equal_models(rows, roles.models),
    }
    facts["compared"] = len(sizes) > 1 and len(models) > 1 and (facts["ranked"] or not score)
    facts["compared"] = facts["compared"] and not facts["equal_models"]
    judged = _judged(rows, facts["label"], of_roles)
    if facts["counted"]:
        facts |= _counts(_cells(judged, "y"), facts)
        if groups:
            facts |= _effect(_cells(judged, "g"))
    if facts["ranked"]:
        facts |= _ranking(*_scores(judged, "y"), probabilities)
    if score and predicted and len(predicted.labels) == classes == 2:
        counts, _ = score_counts(*_scores(judged, "called"), pos_label=True)
        agree = np.max(counts.tp + counts.negatives - counts.fp)
        facts["unexplained"] = int(counts.positives + counts.negatives - agree)
    return facts


def _equal_models(rows: duckdb.DuckDBPyRelation, models: list[str]) -> str:
    """Name two neighboring models that say the same in all rows, if there are such."""
    for first, second in itertools.pairwise(models):
        differ = f"{quoted(first)} IS DISTINCT FROM {quoted(second)}"
        if not rows.filter(differ).limit(1).fetchall():
            return f"{first} and {second}"
    return ""


def _judged(
    rows: duckdb.DuckDBPyRelation, label: str, columns: Mapping[str, Column | None]
) -> duckdb.DuckDBPyRelation:
    """Return the truth and the prediction of each row, True for the label, its score and group."""

    def has(column: Column | None) -> Any:
        values = map(duckdb.ConstantExpression, column.values.get(label, [None]) if column else [])
        return duckdb.ColumnExpression(column.name).isin(*values) if column else nothing

    nothing: Any = duckdb.ConstantExpression(None)
    predicted, score, groups = (columns[role] for role in ("predicted", "score", "groups"))
    number = duckdb.ColumnExpression(score.name).cast("DOUBLE") if score else nothing
    called = has(predicted) if predicted else number >= duckdb.ConstantExpression(CUT_OFF)
    group = duckdb.ColumnExpression(groups.name) if groups else nothing
    judged = {"y": has(columns["true"]), "called": called, "score": number, "g": group}
    return rows.select(*(value.alias(name) for name, value in judged.items()))


def _cells(judged: duckdb.DuckDBPyRelation, key: str) -> dict[str, Array]:
    """Count the cells of the confusion matrix for each value of a column."""
    counts = (
        f"count(*) FILTER (y = {positive} AND called = {called}) AS {cell}"
        for cell, (positive, called) in CELLS.items()
    )
    known = judged.filter(f"y IS NOT NULL AND called IS NOT NULL AND {key} IS NOT NULL")
    return known.aggregate(", ".join(counts), key).fetchnumpy()


def _scores(judged: duckdb.DuckDBPyRelation, positive: str) -> tuple[Array, Array]:
    """Return the rows that have a score: True for a positive, and the score."""
    pairs = judged.filter(f"{positive} IS NOT NULL AND isfinite(score)")
    known = pairs.select(f"{positive} AS positive, score").fetchnumpy()
    return np.asarray(known["positive"], bool), np.asarray(known["score"], float)


def _counts(cells: Mapping[str, Array], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return facts about the matrix of one class against the others."""
    tp, fn, fp, tn = (int(cells[cell].sum()) for cell in CELLS)
    called = facts["calls"].get(facts["label"], 0)
    shares: dict[str, Any] = {"tp": tp, "fp": fp, "equal": facts["two_classes"] and not fp + fn}
    others = facts["predictions"] - called
    if facts["partly_labeled"] and called and others:
        shares |= {"labeled_called": (tp + fp) / called, "labeled_others": (fn + tn) / others}
        shares["flattered"] = shares["labeled_called"] > 2 * shares["labeled_others"]
    if not (tp + fn and fp + tn):
        return shares
    metric = "f1" if facts["two_classes"] else "recall"
    ends = interval(metric, ConfusionMatrix(tp=tp, fn=fn, fp=fp, tn=tn))
    width = ends.high - ends.low
    return shares | {
        "metric": metric.upper() if facts["two_classes"] else f"the recall of {facts['label']}",
        "wide": width > WIDE,
        "width": width,
        "half_width": width / 2,
        "low": ends.low,
        "high": ends.high,
        "tpr": tp / (tp + fn),
        "fpr": fp / (fp + tn),
        "prevalence": (tp + fn) / (tp + fn + fp + tn),
    }


def _effect(cells: Mapping[str, Array]) -> dict[str, Any]:
    """Return the larger design effect of the two rates, with its rows."""
    effects = design_effect(ConfusionMatrix.from_groups(**cells)).iloc[:2].dropna(subset="value")
    if effects.empty:
        return {}
    row = effects.loc[effects["value"].idxmax()]
    rate, rows, effect = row["rate"].replace("_", " "), row["rows"], row["value"]
    return {"rate": rate, "effect": effect, "rate_rows": rows, "worth": rows / effect}


def _ranking(positive: Array, score: Array, probabilities: bool) -> dict[str, Any]:
    """Return facts about scores of two classes."""
    auc = area("auc", positive, score, pos_label=True)
    facts: dict[str, Any] = {"auc": auc, "above_chance": auc > 0.5, "perfect": auc == 1}
    if auc < 0.5:
        facts["backwards"] = area_interval("auc", positive, score, pos_label=True).high < 0.5
    share, mean = float(positive.mean()), float(score.mean())
    chance = 4 * float(np.sqrt((score * (1 - score)).mean() / score.size)) if probabilities else 1
    if probabilities and abs(mean - share) > max(chance, min(share, 1 - share) / 4):
        adjusted = float(adjust_probabilities(score, trained="1:1", at=share).mean())
        balanced = abs(adjusted - share) < abs(mean - share) / 2
        facts |= {"far": True, "share": share, "mean": mean}
        facts |= {"adjusted": adjusted, "balanced": balanced}
    return facts
