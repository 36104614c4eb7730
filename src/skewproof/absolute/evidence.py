"""What this project measures of the survey's measures: type, shift and Conditions, when asked."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from skewproof.absolute.cluster_tables import CLUSTER_METRICS
from skewproof.absolute.measures import Measure, resolve
from skewproof.absolute.ranking_imbalance import MEASURES as RANKING_MEASURES
from skewproof.absolute.ranking_imbalance import RankingModel, ranking_shifts
from skewproof.audit import audit
from skewproof.bounded import scale
from skewproof.confusion import ConfusionMatrix, Value, is_symbolic
from skewproof.formulas import parse_metric
from skewproof.levels import Level
from skewproof.metrics import REGISTRY
from skewproof.multiclass.condition_table import second_and_third
from skewproof.multiclass.indices import Index
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.ranges import LEVELS
from skewproof.registry import Metric

Verdict = Literal["holds", "fails", "undecided"]

RANKING = RankingModel(items=10010, k=10)
"""Lists on which measures of a ranking are examined: 10 relevant items at 1:1000."""

CLASSES = (2, 3)
"""Numbers of classes between which bounds are compared."""

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


def evidence(measure: Measure) -> Evidence | None:
    """Examine a measure, or what stands for it, by the audit of its two-class case; a measure of a
    ranking by its mean over all qualities of the ranking. Conditions 2 and 3 of Mullick et al. are
    examined for indices of any number of classes.

    Returns
    -------
    None where a measure is neither a function of one confusion matrix nor of a ranked list, and
    nothing stands for it.
    """
    if measure.key in RANKING_MEASURES:
        return _of_ranking(measure.key)
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
        **_conditions_of_many_classes(_function(measure)),
        proof=at_last["evidence"],
    )


def _conditions_of_many_classes(function: Any) -> dict[str, Any]:
    names = {2: "condition_2", 3: "condition_3"}
    if not isinstance(function, Index):
        return dict.fromkeys(names.values())
    rows = second_and_third(function, CLASSES, seed=0)
    return {names[row["condition"]]: "holds" if row["satisfied"] else "fails" for row in rows}


def _of_ranking(key: str) -> Evidence:
    levels = [Level.parse(level) for level in LEVELS]
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


def examined_metric(measure: Measure) -> tuple[Metric, str] | None:
    """The metric of two classes that stands for a measure, and what it is of the measure."""
    if measure.examined:
        text, name = measure.examined["metric"], measure.examined["as"]
        return _examined(measure, text), f"{text.rpartition(':')[2]}, {name}"
    if measure.key in CLUSTER_METRICS:
        return CLUSTER_METRICS[measure.key], "two clusters with errors up to 1/2 in each"
    function = _function(measure)
    if isinstance(function, Metric):
        to_unit = scale(function)
        return function, "" if to_unit is None else to_unit.name
    if isinstance(function, Index):
        return of_two_classes(function), "the case of two classes"
    return None


def _function(measure: Measure) -> Any:
    return measure.function and resolve(measure.function)


def _examined(measure: Measure, text: str) -> Metric:
    if text in REGISTRY:
        return REGISTRY[text]
    if ":" in text:
        formula = resolve(text)
        return Metric(measure.key, "H", formula.__name__, measure.reference, formula)
    return parse_metric(text, key=measure.key)


def of_two_classes(index: Index) -> Metric:
    """An index of any number of classes as a metric of two."""

    def formula(c: ConfusionMatrix) -> Value:
        rows = [[c.tp, c.fn], [c.fp, c.tn]]
        if is_symbolic(c.tp):
            return index(MulticlassConfusionMatrix(np.array(rows, dtype=object)))
        counts = np.array([[np.broadcast_to(count, c.shape) for count in row] for row in rows])
        return index(MulticlassConfusionMatrix(np.moveaxis(counts, (0, 1), (-2, -1))))

    return Metric(index.key, index.symbol, index.name, index.source, formula, index.aliases)
