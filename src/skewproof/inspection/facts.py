"""Numbers about the rows, by the names under which remarks and questions ask for them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import pandas as pd

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.frames import LEAST_VARIED, NEARLY_ALL
from skewproof.curves.areas.area import area
from skewproof.curves.areas.area_interval import area_interval
from skewproof.curves.counts import score_counts
from skewproof.inspection.columns import Column
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

CELLS = ("tp", "fn", "fp", "tn")

MOST_COPIES = 10
"""Most rows on average with a value that tells rows apart."""


def facts_of(
    rows: pd.DataFrame, columns: Mapping[str, Column], roles: Roles, at: str | None
) -> dict[str, Any]:
    """Return the facts that apply, with the columns of the roles.

    Parameters
    ----------
    rows, columns
        The cleaned rows, and their columns by name.
    roles
        The roles of the columns.
    at
        Prevalence where the classifier will run.
    """
    number = len(rows)
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
        "copies": _copies(columns, used, number),
        "equal_models": next(
            (
                f"{first} and {second}"
                for first, second in itertools.pairwise(roles.models)
                if rows[first].equals(rows[second])
            ),
            "",
        ),
    }
    facts["compared"] = len(sizes) > 1 and len(models) > 1 and (facts["ranked"] or not score)
    facts["compared"] = facts["compared"] and not facts["equal_models"]
    nothing = np.full(number, -1)
    positive = true.has(facts["label"]) if true else nothing
    score_of = score.scores() if score else np.full(number, np.nan)
    called = predicted.has(facts["label"]) if predicted else nothing
    if not predicted and probabilities:
        called = np.where(np.isnan(score_of), -1, score_of >= CUT_OFF)
    if facts["counted"]:
        facts |= _counts(_cells(positive, called, np.zeros(number, int)), facts)
        if groups:
            facts |= _effect(_cells(positive, called, groups.codes))
    scored = np.isfinite(score_of)
    if facts["ranked"]:
        known = scored & (positive >= 0)
        facts |= _ranking(positive[known], score_of[known], probabilities)
    if score and predicted and len(predicted.labels) == classes == 2:
        known = scored & (called >= 0)
        counts, _ = score_counts(called[known], score_of[known])
        agree = np.max(counts.tp + counts.negatives - counts.fp)
        facts["unexplained"] = int(counts.positives + counts.negatives - agree)
    return facts


def _copies(columns: Mapping[str, Column], used: Collection[str], rows: int) -> int:
    """Count the rows that are copies of others, if a column without a role tells rows apart.

    Labels and predictions always repeat. A column tells rows apart if it has another value in
    nearly every row that is not a copy.
    """
    further = [column for name, column in columns.items() if name not in used]
    key = max(further, key=lambda column: column.distinct, default=None)
    if key is None or key.distinct < max(LEAST_VARIED, rows / MOST_COPIES):
        return 0
    repeated = np.bincount(key.codes + 1)[key.codes + 1] > 1
    frame = pd.DataFrame({name: column.codes[repeated] for name, column in columns.items()})
    different = len(frame.drop_duplicates())
    return len(frame) - different if frame[key.name].nunique() >= NEARLY_ALL * different else 0


def _cells(true: Array, called: Array, groups: Array) -> dict[str, Array]:
    """Count the cells of the confusion matrix in each group, of rows that have all three."""
    known = (true >= 0) & (called >= 0) & (groups >= 0)
    cell = 3 - 2 * true[known] - called[known]
    number = int(groups.max(initial=0)) + 1
    counts = np.bincount(4 * groups[known] + cell, minlength=4 * number).reshape(number, 4)
    return dict(zip(CELLS, counts[counts.any(axis=1)].T, strict=True))


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
    auc = area("auc", positive, score)
    facts: dict[str, Any] = {"auc": auc, "above_chance": auc > 0.5, "perfect": auc == 1}
    if auc < 0.5:
        facts["backwards"] = area_interval("auc", positive, score).high < 0.5
    share, mean = float(positive.mean()), float(score.mean())
    chance = 4 * float(np.sqrt((score * (1 - score)).mean() / score.size)) if probabilities else 1
    if probabilities and abs(mean - share) > max(chance, min(share, 1 - share) / 4):
        adjusted = float(adjust_probabilities(score, trained="1:1", at=share).mean())
        balanced = abs(adjusted - share) < abs(mean - share) / 2
        facts |= {"far": True, "share": share, "mean": mean}
        facts |= {"adjusted": adjusted, "balanced": balanced}
    return facts
