"""Tharwat's claims on each measure under imbalance (Sections 2 and 4), with counterexamples."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Value, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.curves.areas.area import area
from skewproof.curves.areas.roc import multiclass_auc
from skewproof.metrics import get_metric
from skewproof.metrics.composite import adjusted_g_mean
from skewproof.metrics.sensitivity_specificity import g_mean
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof.sensitivity.quadrature.tanh_sinh import matrices_at_nodes
from skewproof.sensitivity.surfaces.shift import mean_shift
from skewproof_studies.tharwat.examples import THREE_CLASS_MATRIX
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS

CLASS_SIZES = (1, 5, 20, 100, 1000)
"""Numbers of positives at which AGM's shifts are compared, since its formula has a number."""

EXPECTED_VERDICTS = {"changes": "differs", "slightly": "differs", "same": "same"}
"""Verdict that agrees with each claim."""


class Shifts(NamedTuple):
    """Changes of a measure over all classifiers, scaled to [0, 1]."""

    mean_shift: float
    largest_shift: float


def claim_rows(
    claims: pd.DataFrame, levels: Sequence[Level], baseline: Level, positives: int
) -> pd.DataFrame:
    """Compare every claim with a proof or a counterexample, and with the shift of the measure.

    Parameters
    ----------
    claims
        Columns measure, metric (its key), section and says (changes, slightly or same with the
        class distribution; missing if the article does not say).
    levels, baseline
        The levels that are compared with the baseline, and the baseline.
    positives
        Size of the positive class.

    Returns
    -------
    Frame with one row per claim and level: the columns of `claims`, level, positives, verdict (same
    or differs), formula (in the rates u and v), u, v, baseline_value and level_value (a
    counterexample), agrees (missing if the article does not say), mean_shift and largest_shift.
    """
    rows = []
    for claim in claims.to_dict("records"):
        metric, expected = get_metric(claim["metric"]), EXPECTED_VERDICTS.get(claim["says"])
        for level in levels:
            shown = invariance(metric, level, baseline, positives)
            u, v = shown.point or ("", "")
            baseline_value, level_value = shown.values or ("", "")
            # With a proof every shift is 0; integration would give 0 only up to rounding.
            still = shown.verdict == "same"
            shifts = Shifts(0.0, 0.0) if still else shifts_of(metric, level, baseline, positives)
            row = {
                **claim,
                "level": str(level),
                "positives": positives,
                "verdict": shown.verdict,
                "formula": str(shown.formula or ""),
                "u": str(u),
                "v": str(v),
                "baseline_value": str(baseline_value),
                "level_value": str(level_value),
                "agrees": None if expected is None else shown.verdict == expected,
                **shifts._asdict(),
            }
            rows.append(row)
    return pd.DataFrame(rows).astype({"agrees": "boolean"})


def shifts_of(metric: Metric, level: Level, baseline: Level, positives: int) -> Shifts:
    """Return mean and largest absolute shift of a metric, scaled to [0, 1], over all classifiers.

    The largest shift is over 257 x 257 pairs of rates, which reach to within 1e-21 of the edges.
    """
    scaled = bounded(metric)
    at_level, at_baseline = (
        scaled(matrices_at_nodes(positives, compared.negatives(positives)))
        for compared in (level, baseline)
    )
    largest = float(np.abs(at_level - at_baseline).max())
    return Shifts(mean_shift(scaled, level, baseline, positives).mean, largest)


def adjusted_g_mean_of_shares() -> Metric:
    """Return AGM as Batuwita and Palade define it: with the share of the negatives, not their
    number."""

    def formula(c: ConfusionMatrix) -> Value:
        share = ratio(c.negatives, c.total)
        return ratio(g_mean(c) + c.tnr * share, 1 + share)

    return dataclasses.replace(
        adjusted_g_mean, key="adjusted_g_mean_of_shares", name="AGM of shares", formula=formula
    )


def adjusted_g_mean_of_shares_shifts(
    levels: Sequence[Level], baseline: Level, positives: int
) -> pd.DataFrame:
    """Compute the shifts of AGM with the share of the negatives in place of their number.

    Returns
    -------
    Frame with the columns level, mean_shift and largest_shift, one row per level.
    """
    metric = adjusted_g_mean_of_shares()
    return pd.DataFrame(
        {"level": str(level), **shifts_of(metric, level, baseline, positives)._asdict()}
        for level in levels
    )


def adjusted_g_mean_shifts(
    levels: Sequence[Level], baseline: Level, class_sizes: Sequence[int] = CLASS_SIZES
) -> pd.DataFrame:
    """Compute the shifts of AGM as printed, with the number of the negatives, at several class
    sizes.

    Returns
    -------
    Frame with the columns positives, level, mean_shift and largest_shift.
    """
    return pd.DataFrame(
        {
            "positives": positives,
            "level": str(level),
            **shifts_of(adjusted_g_mean, level, baseline, positives)._asdict(),
        }
        for positives in class_sizes
        for level in levels
    )


FACTORS_OF_THREE = ((1, 1, 1), (1, 1, 10), (1, 10, 1), (10, 1, 1))
"""Factors by which the classes of Section 2.9.2 are repeated, with the same predictions."""

FACTORS_OF_TWO = ((1, 1), (10, 1))
"""Factors by which the negatives and the positives of Table 1 are repeated, with the same
scores."""

Samples = tuple[NDArray[np.int64], NDArray[np.float64]]
"""True classes, shape (samples,), and scores, shape (samples, classes)."""


def total_areas() -> pd.DataFrame:
    """Compute AUC_total of the two examples with the given classes and with each ten times as
    large.

    Returns
    -------
    Frame with the columns example, sizes, auc_of_classes, mean (of these areas) and auc_total.
    """
    three, two = three_classes(), two_classes()
    rows = [_row("Section 2.9.2", _repeated(three, factors)) for factors in FACTORS_OF_THREE]
    rows += [_row("Table 1", _repeated(two, factors)) for factors in FACTORS_OF_TWO]
    return pd.DataFrame(rows)


def three_classes() -> Samples:
    """Return the 300 samples of Section 2.9.2; a class has the score 1 if it was predicted,
    otherwise 0."""
    counts = THREE_CLASS_MATRIX.counts.astype(int)
    true, predicted = np.indices(counts.shape).reshape(2, -1)
    true, predicted = (np.repeat(labels, counts.ravel()) for labels in (true, predicted))
    return true, np.eye(len(counts))[predicted]


def two_classes() -> Samples:
    """Return the 20 samples of Table 1; the negative class has 1 minus the score."""
    return TRUE_LABELS, np.stack([1 - SCORES, SCORES], axis=1)


def _repeated(samples: Samples, factors: tuple[int, ...]) -> Samples:
    true, scores = samples
    times = np.array(factors)[true]
    return np.repeat(true, times), np.repeat(scores, times, axis=0)


def _row(example: str, samples: Samples) -> dict[str, str | float]:
    true, scores = samples
    sizes = np.bincount(true)
    areas = [area("auc", true == label, scores[:, label]) for label in range(sizes.size)]
    return {
        "example": example,
        "sizes": ":".join(map(str, sizes)),
        "auc_of_classes": ", ".join(f"{value:.4f}" for value in areas),
        "mean": float(np.mean(areas)),
        "auc_total": multiclass_auc(true, scores),
    }
