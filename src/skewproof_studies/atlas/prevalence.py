"""Effect of prevalence on a measure: proofs, counterexamples, exact indices and mean shifts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.reporting.shown_formula import number_text
from skewproof.sensitivity.behavior_types import ROUNDED_SHIFT, SAME, behavior_type
from skewproof.sensitivity.proofs.invariance import SizeInvariance, invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.tanh_sinh import matrices_at_nodes
from skewproof.sensitivity.ranges.ranges import with_bounds
from skewproof.sensitivity.surfaces.shift import RESOLVED, mean_shift
from skewproof_studies.atlas.orderings import order_invariance

COLUMNS = [
    "measure",
    "level",
    "verdict",
    "evidence",
    "order_invariant",
    "order_evidence",
    "mean_shift",
    "mean_shift_error",
    "s1_tp",
    "s1_fp",
    "type",
    "reason",
]
"""Columns of the table of all measures, without names and sources."""


def measure_rows(
    metric: Metric, levels: Sequence[Level], baseline: Level, positives: int, seed: int
) -> list[dict[str, Any]]:
    """Return the rows of one measure, one per level.

    Parameters
    ----------
    metric
        The measure.
    levels, baseline
        The levels, and the one of them with which the others are compared.
    positives
        Size of the positive class at each level.
    seed
        Seed of the classifiers among which two that change their order are searched for.

    Returns
    -------
    One dictionary per level with the keys :data:`COLUMNS`: the verdict and its evidence (empty at
    the baseline), whether the ordering of classifiers is the same at all class sizes, the mean
    shift and first-order indices of the measure scaled to [0, 1] (None if not known), the type by
    the mean shifts, and the reason for missing numbers.
    """
    compared = [level for level in levels if level != baseline]
    shown = dict(zip(compared, _verdicts(metric, compared, baseline, positives), strict=True))
    order = order_invariance(metric, compared[-1], baseline, positives, seed)
    invariant = all(result.verdict == SAME for result in shown.values())
    numbers, reason = _numbers(metric, levels, baseline, positives, invariant)
    shifts = [shift for level in compared if (shift := numbers[level]["mean_shift"]) is not None]
    moved = [shift > ROUNDED_SHIFT for shift in shifts]
    kind = str(behavior_type(moved)) if len(moved) == len(compared) else None
    return [
        {
            "measure": metric.key,
            "level": str(level),
            "verdict": shown[level].verdict if level in shown else None,
            "evidence": evidence(shown[level]) if level in shown else None,
            "order_invariant": order[0],
            "order_evidence": order[1],
            **numbers[level],
            "type": kind,
            "reason": reason,
        }
        for level in levels
    ]


def _verdicts(
    metric: Metric, levels: Sequence[Level], baseline: Level, positives: int
) -> Iterator[SizeInvariance]:
    """Yield a verdict for each level; a proof of invariance at one level holds at all."""
    proof = None
    for level in levels:
        result = proof or invariance(metric, level, baseline, positives)
        proof = result if result.verdict == SAME else None
        yield result


def evidence(shown: SizeInvariance) -> str:
    """Write the proof as a function of the rates, or the values at a counterexample, if any."""
    if shown.formula is not None:
        return str(shown.formula)
    if shown.point is None or shown.values is None:
        return ""
    u, v = shown.point
    at_baseline, at_level = map(number_text, shown.values)
    return f"{at_baseline} and {at_level} at u = {u}, v = {v}"


Numbers = dict[str, float | None]

NO_NUMBERS: Numbers = dict.fromkeys(("mean_shift", "mean_shift_error", "s1_tp", "s1_fp"))

UNMOVED: Numbers = NO_NUMBERS | {"mean_shift": 0.0, "mean_shift_error": 0.0}
"""Numbers of the baseline, or of a measure that is proved to be the same at every level."""


def _numbers(
    metric: Metric, levels: Sequence[Level], baseline: Level, positives: int, invariant: bool
) -> tuple[dict[Level, Numbers], str]:
    """Return the mean shift and indices at each level, and the reason for missing numbers. An
    invariant measure has the baseline's numbers at every level."""
    try:
        scaled = bounded(with_bounds(metric))
    except (FormulaError, ValueError) as error:
        return dict.fromkeys(levels, UNMOVED if invariant else NO_NUMBERS), str(error)
    numbers: dict[Level, Numbers] = {}
    faults: dict[str, list[str]] = {}
    for level in [baseline, *(level for level in levels if level != baseline)]:
        if invariant and level != baseline:
            numbers[level] = numbers[baseline]
            continue
        numbers[level], fault = _numbers_at(scaled, level, baseline, positives)
        if fault:
            faults.setdefault(fault, []).append(str(level))
    return numbers, "; ".join(f"{fault} at {', '.join(at)}" for fault, at in faults.items())


def _numbers_at(
    scaled: Metric, level: Level, baseline: Level, positives: int
) -> tuple[Numbers, str]:
    """Return the numbers of a measure scaled to [0, 1] at one level, and what is missing."""
    negatives = level.negatives(positives)
    values: Any = scaled(matrices_at_nodes(positives, negatives))
    if not np.isfinite(values).all():
        numbers = UNMOVED if level == baseline else NO_NUMBERS
        return numbers, "it is undefined inside the square, or for rounding at its corners,"
    s1 = exact_indices([scaled], positives=positives, negatives=negatives).s1[0]
    shift = _shift(scaled, level, baseline, positives)
    indices = [None if np.isnan(index) else float(index) for index in s1]
    numbers = {**shift, **dict(zip(("s1_tp", "s1_fp"), indices, strict=True))}
    if shift["mean_shift"] is None:
        return numbers, "its mean shift is not resolved"
    return numbers, "its indices are not resolved" if None in indices else ""


def _shift(metric: Metric, level: Level, baseline: Level, positives: int) -> Numbers:
    """Return the mean shift and its error; the shift is None if it is not resolved."""
    if level == baseline:
        return {"mean_shift": 0.0, "mean_shift_error": 0.0}
    with np.errstate(all="ignore"):
        shift = mean_shift(metric, level, baseline, positives)
    mean = shift.mean if shift.error_estimate <= RESOLVED else None
    return {"mean_shift": mean, "mean_shift_error": shift.error_estimate}
