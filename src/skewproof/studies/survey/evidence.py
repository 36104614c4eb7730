"""What this project measures of the survey's measures: type, shift and Conditions, when asked."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from skewproof.core.formulas import parse_metric
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.metric import Metric
from skewproof.core.scales import scale
from skewproof.metrics import METRICS
from skewproof.multiclass.conditions import condition_1, second_and_third
from skewproof.multiclass.measure import Measure
from skewproof.multiclass.sensitivity import class_sizes, mean_shifts
from skewproof.practice.audit import audit
from skewproof.sensitivity.types import ROUNDED_SHIFT, behavior_type
from skewproof.studies.survey.catalog import CatalogEntry, resolve
from skewproof.studies.survey.ranking_imbalance import (
    RANKING_MEASURES,
    RankingModel,
    ranking_shifts,
)
from skewproof.studies.survey.two_clusters import CLUSTER_MEASURES

Verdict = Literal["holds", "fails", "undecided"]

RANKING = RankingModel(items=10010, k=10)
"""Lists on which measures of a ranking are examined: 10 relevant items at 1:1000."""

COMPARED_CLASSES = (2, 3)
"""Numbers of classes between which bounds are compared."""

LOG2_SAMPLES = 10
"""Base-2 logarithm of the number of matrices over which the shift of an index is averaged."""

INVARIANT = 5
"""The type of a metric that no level of the paper changes."""


@dataclass(frozen=True)
class Evidence:
    """What imbalance does to a measure, at the paper's levels from 1:1 to 1:1000."""

    examined: str
    """What was examined in place of the measure, or empty."""
    type: int | str
    """By the contours (Table 8 of van Zyl and Engelbrecht), 1 to 5 or mixed."""
    shift: float
    """Mean over all classifiers of the change from 1:1 to 1:1000, in ranges of the measure."""
    condition_1: Verdict
    """Of Mullick et al.: whether class sizes leave the value as it is."""
    condition_2: Verdict | None
    """Whether the bounds are the same for two and three classes; None where there are two only."""
    condition_3: Verdict | None
    """Whether one of three classes may be missed without the lowest value; None likewise."""
    proof: str
    """The formula of the rates alone, or a counterexample."""

    def to_dict(self) -> dict[str, Any]:
        """The evidence as JSON has it."""
        return dataclasses.asdict(self)


def evidence(measure: CatalogEntry) -> Evidence | None:
    """Examine a measure, or what stands for it.

    One of two classes is examined by its audit, one of many with three classes, one of a ranking by
    its mean over all qualities of the ranking.

    Returns
    -------
    None where a measure is neither a function of one confusion matrix nor of a ranked list, and
    nothing stands for it.
    """
    if measure.key in RANKING_MEASURES:
        return _of_ranking(measure.key)
    function = _function(measure)
    if isinstance(function, Measure):
        return _of_many_classes(function, measure.range)
    found = examined_metric(measure)
    if found is None:
        return None
    metric, name = found
    card = audit(metric)
    at_last = card.invariance[-1]
    verdicts: dict[str, Verdict] = {"same": "holds", "differs": "fails"}
    return Evidence(
        examined=name,
        type=card.type,
        shift=card.sigma[-1]["mean_shift"],
        condition_1=verdicts.get(at_last["verdict"], "undecided"),
        condition_2=None,
        condition_3=None,
        proof=at_last["evidence"],
    )


def _of_many_classes(index: Measure, bounds: tuple[float, float] | None) -> Evidence:
    """An index of three classes, of which one is as small as the positives of a level."""
    ratios = [level.negatives(1) for level in DEFAULT_LEVELS[1:]]
    sizes = [class_sizes(COMPARED_CLASSES[-1], "step", ratio) for ratio in ratios]
    shifts = [mean_shifts([index], size, log2_samples=LOG2_SAMPLES, seed=[0])[0] for size in sizes]
    low, high = bounds or (0, 1)
    proven = condition_1(index, COMPARED_CLASSES[-1])
    before, after = proven.values
    rows = second_and_third(index, COMPARED_CLASSES, seed=0)
    others = {row["condition"]: _verdict(row["satisfied"]) for row in rows}
    return Evidence(
        examined="three classes, one small",
        type=behavior_type([shift > ROUNDED_SHIFT for shift in shifts]),
        shift=shifts[-1] / (high - low),
        condition_1=_verdict(proven.satisfied),
        condition_2=others[2],
        condition_3=others[3],
        proof=proven.proof or f"{before:.4f} becomes {after:.4f} as rows are scaled",
    )


def _verdict(satisfied: bool | None) -> Verdict:
    if satisfied is None:
        return "undecided"
    return "holds" if satisfied else "fails"


def _of_ranking(key: str) -> Evidence:
    levels = list(DEFAULT_LEVELS)
    shifts = ranking_shifts(RANKING, levels, levels[0])
    last = shifts[shifts["measure"] == key].iloc[-1]
    values = [float(RANKING.value(key, 0.75, level.negatives(1))) for level in levels]
    return Evidence(
        examined=f"lists of {RANKING.items} items on average, k = {RANKING.k}, binormal scores",
        type=last["type"],
        shift=float(last["mean_shift"]),
        condition_1="holds" if values[0] == values[-1] else "fails",
        condition_2=None,
        condition_3=None,
        proof=f"{values[0]:.4f} at {levels[0]} and {values[-1]:.4f} here, at AUC 3/4",
    )


def examined_metric(measure: CatalogEntry) -> tuple[Metric, str] | None:
    """The metric of two classes that stands for a measure, and what it is of the measure."""
    if measure.examined:
        text, name = measure.examined["metric"], measure.examined["as"]
        return _examined(measure, text), f"{text.rpartition(':')[2]}, {name}"
    if measure.key in CLUSTER_MEASURES:
        return CLUSTER_MEASURES[measure.key], "two clusters with errors up to 1/2 in each"
    function = _function(measure)
    if isinstance(function, Metric):
        to_unit = scale(function)
        return function, "" if to_unit is None else to_unit.name
    return None


def _function(measure: CatalogEntry) -> Any:
    return measure.function and resolve(measure.function)


def _examined(measure: CatalogEntry, text: str) -> Metric:
    if text in METRICS:
        return METRICS[text]
    if ":" in text:
        formula = resolve(text)
        return Metric(measure.key, "H", formula.__name__, measure.reference, formula)
    return parse_metric(text, key=measure.key)
