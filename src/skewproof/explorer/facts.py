"""Facts of the explorer about a metric: bounds, verdict, proof, exact indices and advice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded, scale
from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof.metrics.atlas.entry import listed_names
from skewproof.multiclass.declaration import total_matters
from skewproof.operating_points.demands import has_best_point
from skewproof.reporting.shown_formula import number_text, set_in_math, typed, typed_matrix
from skewproof.sensitivity.behavior_types import DIFFERS, SAME
from skewproof.sensitivity.proofs.invariance import SizeInvariance, invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.surfaces.shift import mean_shift

LOWEST, HIGHEST = -3, 6
"""Decimal logarithms of N/P at the ends of the slider: 1000:1 and 1:1,000,000."""

STEPS_PER_DECADE = 4
"""Number of levels per factor of 10 at which exact indices are computed."""

BASELINE, EXAMPLE = Level(1, 1), Level(1, 100)
"""The two levels that proofs, examples and advice compare."""

BLIND = 1e-6
"""Total index of a rate below which a metric counts as blind to it."""

ONE_CLASS = (
    ("positives", "one of the negatives, such as the false positive rate"),
    ("negatives", "one of the positives, such as the true positive rate"),
)
"""Class whose rate is the only one that a metric sees, and the rate to report with it."""


def index_levels() -> list[float]:
    """List the decimal logarithms of N/P at which there are exact indices.

    Examples
    --------
    >>> index_levels()[:3], len(index_levels())
    ([-3.0, -2.75, -2.5], 37)
    """
    return np.linspace(LOWEST, HIGHEST, STEPS_PER_DECADE * (HIGHEST - LOWEST) + 1).tolist()


def facts_of_metrics(metrics: Mapping[str, Metric]) -> list[dict[str, Any]]:
    """Collect the facts of each metric, for JSON.

    Parameters
    ----------
    metrics
        Metrics by their keys, with bounds.
    """
    shown = {
        key: invariance(metric, EXAMPLE, BASELINE, DEFAULT_POSITIVES)
        for key, metric in metrics.items()
    }
    variants = {
        metric.variant_of: key for key, metric in metrics.items() if shown[key].verdict == SAME
    }
    indices = _indices(metrics, shown)
    facts = []
    for key, metric in metrics.items():
        proof = shown[key].formula
        facts.append(
            {"key": key}
            | _declared(metric, shown[key])
            | {
                "formulaInMath": set_in_math(metric(typed_matrix())),
                "proofInMath": None if proof is None else set_in_math(proof),
                "indices": indices[key],
                "advice": advice(metric, shown[key], indices[key], variants.get(key)),
            }
        )
    return facts


def facts_of_measures(measures: Mapping[str, Metric]) -> list[dict[str, Any]]:
    """Collect the facts of each measure that the page offers beside its metrics, for JSON.

    These are cheap and small: a formula as text and a proof, but no exact indices, which the page
    approximates when a measure is chosen.

    Parameters
    ----------
    measures
        Measures by their keys, with bounds.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> (lift,) = facts_of_measures({"lift": ATLAS["lift"]})
    >>> lift["name"], lift["low"], lift["high"], lift["verdict"]
    ('lift', 0.0, 'Infinity', 'differs')
    """
    facts = []
    for key, metric in measures.items():
        shown = invariance(metric, EXAMPLE, BASELINE, DEFAULT_POSITIVES)
        proof = None if shown.formula is None else typed(shown.formula)
        if shown.verdict == DIFFERS:
            sentence = "Compare its values at one imbalance only, and say which."
        else:
            sentence = advice(metric, shown, [[None], [None]], None)
        facts.append({"key": key} | _declared(metric, shown) | {"proof": proof, "advice": sentence})
    return facts


def _declared(metric: Metric, shown: SizeInvariance) -> dict[str, Any]:
    """Return the facts that metrics and other measures share."""
    map_to_unit = scale(metric)
    low, high = metric.bounds or (0.0, 1.0)
    return {
        "name": metric.name,
        "names": searched_names(metric),
        "source": metric.source,
        "formula": typed(metric(typed_matrix())),
        "low": _number(low),
        "high": _number(high),
        "lowerIsBetter": metric.lower_is_better,
        "hasBest": has_best_point(metric),
        "scale": map_to_unit.name if map_to_unit else None,
        "verdict": shown.verdict,
        "evidence": evidence(shown),
        "sizes": total_matters(metric),
    }


def searched_names(metric: Metric) -> list[str]:
    """List the other names by which a metric is found: those of the atlas if the metric is in it.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> searched_names(ATLAS["hmnc"])[:2]
    []
    """
    names = list(metric.aliases)
    if ATLAS.get(metric.key) is metric:
        names += [name.name for name in CATALOG[metric.key].names]
        names += [row.name.name for row in listed_names() if row.key == metric.key]
    return [name for name in dict.fromkeys(names) if name != metric.name]


def _number(end: float) -> float | str:
    """Return a bound as JavaScript writes it; JSON has no infinities."""
    return float(end) if np.isfinite(end) else "Infinity" if end > 0 else "-Infinity"


def evidence(shown: SizeInvariance) -> str:
    """Describe the counterexample, or introduce the formula that proves the verdict.

    Examples
    --------
    >>> from skewproof.metrics import f1
    >>> evidence(invariance(f1, EXAMPLE, BASELINE, 100))
    'With tp/P = 1/2 and fp/N = 1/2 it is 1/2 at 1:1 and 2/103 at 1:100.'
    """
    if shown.needs_equal_positives:
        return "The negatives cancel: with u = tp/P and v = fp/N, and P positives, it is"
    if shown.verdict == SAME:
        return "Class sizes cancel: with u = tp/P and v = fp/N it is"
    if shown.point is None or shown.values is None:
        return "Neither a proof that it stays the same nor an example of a change was found."
    (u, v), (at_baseline, at_level) = shown.point, map(number_text, shown.values)
    return (
        f"With tp/P = {u} and fp/N = {v} it is {at_baseline} at {BASELINE} and {at_level} at"
        f" {EXAMPLE}."
    )


def advice(
    metric: Metric, shown: SizeInvariance, indices: list[list[float | None]], variant: str | None
) -> str:
    """Advise in one sentence how to use a metric under imbalance.

    Parameters
    ----------
    metric, shown
        The metric, and the verdict on whether class sizes enter it.
    indices
        S1 of tp and of fp at each level.
    variant
        Key of its normalized variant if class sizes do not enter that, or None.
    """
    if shown.needs_equal_positives:
        return "Compare its values only among test sets with the same number of positives."
    if shown.verdict == SAME:
        sentence = "Values at different imbalances may be compared, since only the two rates enter"
        for seen, (whose, other) in enumerate(ONE_CLASS):
            if all(index is not None and index > 1 - BLIND for index in indices[seen]):
                return f"{sentence}, and of them only that of the {whose}: report it with {other}."
        return f"{sentence}."
    if shown.verdict != DIFFERS:
        return "Compare its values at one imbalance only, until a proof is found."
    shift = mean_shift(bounded(metric), EXAMPLE, BASELINE, DEFAULT_POSITIVES).mean
    digits = f"{shift:.2f}" if shift >= 0.005 else f"{shift:.1g}"
    sentence = (
        "Compare its values at one imbalance only, and say which: the same rates give values that"
        f" differ by {digits} between {BASELINE} and {EXAMPLE}, on average and on its"
        " scale from 0 to 1"
    )
    return f"{sentence}; its variant {variant} stays the same." if variant else f"{sentence}."


def _indices(
    metrics: Mapping[str, Metric], shown: Mapping[str, SizeInvariance]
) -> dict[str, list[list[float | None]]]:
    """Return S1 of tp and fp at each level; one level suffices if the metric is the same at all."""
    levels = index_levels()
    steady = [key for key in metrics if shown[key].verdict == SAME]
    moved = [key for key in metrics if shown[key].verdict != SAME]
    indices = {}
    for chosen, logarithms in ((steady, [0.0]), (moved, levels)):
        if not chosen:
            continue
        scaled = [bounded(metrics[key]) for key in chosen]
        s1 = np.array(
            [
                exact_indices(
                    scaled,
                    positives=DEFAULT_POSITIVES,
                    negatives=DEFAULT_POSITIVES * 10.0**logarithm,
                ).s1
                for logarithm in logarithms
            ]
        )
        for number, key in enumerate(chosen):
            lines = np.broadcast_to(s1[:, number].T, (2, len(levels)))
            indices[key] = [
                [None if np.isnan(value) else round(float(value), 6) for value in line]
                for line in lines
            ]
    return indices
