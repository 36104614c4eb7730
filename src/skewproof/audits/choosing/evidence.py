"""Evidence on the survey's measures, computed on demand: type, shift and Conditions."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from skewproof.audits.auditing import compare_levels, examined
from skewproof.audits.choosing.catalog import CatalogEntry, resolve
from skewproof.audits.choosing.poisson_lists import RankingMeasure, RankingModel, ranking_shifts
from skewproof.core.formulas.metrics import parse_metric, unnamed_metric
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.metric import Metric
from skewproof.core.scales import scale
from skewproof.metrics import METRICS
from skewproof.multiclass.conditions import condition_1, condition_2, condition_3
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.sensitivity import class_sizes, mean_shifts
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, behavior_type

Verdict = Literal["holds", "fails", "undecided"]

EXAMINED_LISTS = RankingModel(items=10010, k=10)
"""Model of the lists on which measures of a ranking are examined: 10 relevant items at 1:1000."""

COMPARED_CLASSES = (2, 3)
"""Numbers of classes between which bounds are compared."""

LOG2_MATRICES = 10
"""Base-2 logarithm of the number of matrices over which the shift of a measure is averaged."""


@dataclass(frozen=True)
class Evidence:
    """Effect of imbalance on a measure, at the paper's levels from 1:1 to 1:1000."""

    examined: str
    """Description of what was examined in place of the measure, or empty."""
    type: int | str
    """Type by the contours (Table 8 of van Zyl and Engelbrecht), 1 to 5 or mixed."""
    shift: float
    """Mean change from 1:1 to 1:1000 over all classifiers, as a fraction of the measure's range."""
    condition_1: Verdict
    """Condition 1 of Mullick et al.: class sizes do not change the value."""
    condition_2: Verdict | None
    """Condition 2: the bounds are the same for two and three classes; None with only two."""
    condition_3: Verdict | None
    """Condition 3: one of three classes may be missed without the lowest value; None likewise."""
    proof: str
    """The formula of the rates alone, or a counterexample."""

    def to_dict(self) -> dict[str, Any]:
        """Return the evidence as a dictionary for JSON."""
        return dataclasses.asdict(self)


class Subject(NamedTuple):
    """Subject that is examined for a measure."""

    measure: Metric | Measure | RankingMeasure
    description: str
    """Difference from the measure; empty if there is none."""


def evidence(entry: CatalogEntry) -> Evidence | None:
    """Examine a measure, or its stand-in.

    A measure of two classes is examined as by its audit, one of many with three classes, and one of
    a ranking by its mean over all qualities of the ranking.

    Returns
    -------
    The evidence, or None if the measure takes neither a single confusion matrix nor a ranked list,
    and has no stand-in.
    """
    subject = examined_for(entry)
    if subject is None:
        return None
    match subject.measure:
        case Metric() as metric:
            return _of_two_classes(metric, subject.description)
        case Measure() as measure:
            return _of_many_classes(measure, subject.description, entry.range)
        case RankingMeasure() as measure:
            return _of_ranking(measure, subject.description)


def examined_for(entry: CatalogEntry) -> Subject | None:
    """Return the subject for a measure: what the catalog names, else the measure's own function."""
    if entry.examined:
        text, description = entry.examined["metric"], entry.examined["as"]
        name = text.rpartition(":")[2]
        named = description if name == entry.key else f"{name}, {description}"
        return Subject(_named(text, entry), named)
    match entry.function and resolve(entry.function):
        case Measure() as measure:
            return Subject(measure, "three classes, one small")
        case Metric() as metric:
            to_unit = scale(metric)
            # The shift is a fraction of the range, which a linear map does not change.
            if to_unit is None or np.isfinite(metric.bounds or ()).all():
                return Subject(metric, "")
            return Subject(metric, to_unit.name)
    return None


def _named(text: str, entry: CatalogEntry) -> Metric | RankingMeasure:
    """Look up what a key, a formula or module:name stands for."""
    if text in METRICS:
        return METRICS[text]
    if ":" not in text:
        return parse_metric(text, key=entry.key)
    function = resolve(text)
    if isinstance(function, Metric | RankingMeasure):
        return function
    return unnamed_metric(entry.key, entry.reference, function)


def _of_two_classes(metric: Metric, description: str) -> Evidence:
    compared = compare_levels(examined(metric), DEFAULT_LEVELS)
    at_last = compared.invariance[-1]
    verdicts: dict[str, Verdict] = {"same": "holds", "differs": "fails"}
    return Evidence(
        examined=description,
        type=compared.type,
        shift=compared.sigma[-1]["mean_shift"],
        condition_1=verdicts.get(at_last["verdict"], "undecided"),
        condition_2=None,
        condition_3=None,
        proof=at_last["evidence"],
    )


def _of_many_classes(
    measure: Measure, description: str, bounds: tuple[float, float] | None
) -> Evidence:
    """Examine a measure with three classes, one of them as small as the positives of a level."""
    classes = COMPARED_CLASSES[-1]
    ratios = [level.negatives(1) for level in DEFAULT_LEVELS[1:]]
    sizes = [class_sizes(classes, "step", ratio) for ratio in ratios]
    shifts = [
        mean_shifts([measure], size, log2_samples=LOG2_MATRICES, seed=[0])[0] for size in sizes
    ]
    low, high = bounds or (0, 1)
    first = condition_1(measure, classes)
    second = condition_2(measure, COMPARED_CLASSES)
    third = condition_3(measure, classes, lower_bound=second.bounds[classes].widest.low)
    before, after = first.worst.before, first.worst.after
    return Evidence(
        examined=description,
        type=behavior_type([shift > ROUNDED_SHIFT for shift in shifts]),
        shift=shifts[-1] / (high - low),
        condition_1=_verdict(first.satisfied),
        condition_2=_verdict(second.satisfied),
        condition_3=_verdict(third.satisfied),
        proof=first.proof or f"{before:.4f} becomes {after:.4f} as rows are scaled",
    )


def _verdict(satisfied: bool | None) -> Verdict:
    if satisfied is None:
        return "undecided"
    return "holds" if satisfied else "fails"


def _of_ranking(measure: RankingMeasure, description: str) -> Evidence:
    levels = list(DEFAULT_LEVELS)
    shifts = ranking_shifts(EXAMINED_LISTS, levels, levels[0], measures=[measure])
    last = shifts.to_dict("records")[-1]
    values = [float(EXAMINED_LISTS.value(measure, 0.75, level.negatives(1))) for level in levels]
    return Evidence(
        examined=description.format(**EXAMINED_LISTS._asdict()),
        type=last["type"],
        shift=last["mean_shift"],
        condition_1="holds" if values[0] == values[-1] else "fails",
        condition_2=None,
        condition_3=None,
        proof=f"{values[0]:.4f} at {levels[0]} and {values[-1]:.4f} here, at AUC 3/4",
    )
