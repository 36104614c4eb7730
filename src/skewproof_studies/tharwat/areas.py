"""Changes of areas under curves with imbalance, in a population and in finite samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from skewproof.core.levels import Level
from skewproof.curves.areas.area import area
from skewproof.curves.thresholds import equal_error_rate, mcc_f1_score
from skewproof.sensitivity.sampling.replicates import Replicated
from skewproof_studies.tharwat.binormal import MCC_SUBRANGES, Area, Binormal


def mcc_f1_of_scores(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Return the MCC-F1 metric of a sample, with the number of subranges used for the
    population."""
    return mcc_f1_score(y_true, y_score, subranges=MCC_SUBRANGES)


def one_minus_auc(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Return the area under the DET curve of a sample, between axes of rates."""
    return 1 - area("auc", y_true, y_score)


def error_rate_of_scores(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Return the equal error rate of a sample."""
    return equal_error_rate(y_true, y_score).rate


class AreaKind(NamedTuple):
    """An area, or a number used in place of one, in a population and in a sample."""

    label: str
    """Displayed name."""
    population: Callable[[Binormal], Area]
    sample: Callable[[ArrayLike, ArrayLike], float]
    """Function of true labels and scores."""


AREA_KINDS = {
    "roc": AreaKind("ROC (AUC)", Binormal.roc_area, partial(area, "auc")),
    "precision_recall": AreaKind(
        "precision-recall, interpolated",
        Binormal.pr_area,
        partial(area, "interpolated_average_precision"),
    ),
    "average_precision": AreaKind(
        "precision-recall, steps", Binormal.pr_area, partial(area, "average_precision")
    ),
    "det": AreaKind("DET, between rates", Binormal.det_area, one_minus_auc),
    "equal_error_rate": AreaKind(
        "equal error rate", Binormal.equal_error_rate, error_rate_of_scores
    ),
    "mcc_f1": AreaKind("MCC-F1 metric", Binormal.mcc_f1_area, mcc_f1_of_scores),
}
"""Areas by their names in tables; both precision-recall areas have the same limit."""


def sampled_areas(
    separation: float, level: Level, *, positives: int, replicates: int, seed: int
) -> pd.DataFrame:
    """Compute every area of several samples.

    Parameters
    ----------
    separation, level
        Separation of the classifier's classes, and imbalance level.
    positives
        Size of the positive class of each sample; the size of the negative class is rounded.
    replicates
        Number of samples.
    seed
        Seed of the study; the seed of a level derives from it and the level.

    Returns
    -------
    Frame of shape (replicates, areas).
    """
    random = np.random.default_rng([seed, level.positive_part, level.negative_part])
    negatives = round(level.negatives(positives))
    true = np.repeat([1, 0], [positives, negatives])
    rows = []
    for _ in range(replicates):
        scores = random.standard_normal(true.size) + separation * true
        rows.append({name: kind.sample(true, scores) for name, kind in AREA_KINDS.items()})
    return pd.DataFrame(rows)


def area_study(
    separation: float,
    levels: Sequence[Level],
    baseline: Level,
    *,
    positives: int,
    replicates: int,
    seed: int,
) -> pd.DataFrame:
    """Compute every area at each level, exactly and in samples, and its shift from the baseline.

    Parameters
    ----------
    separation
        Distance d between the mean scores of both classes, in standard deviations.
    levels, baseline
        Imbalance levels, and the one with which the others are compared.
    positives, replicates, seed
        As for :func:`sampled_areas`; at least two replicates.

    Returns
    -------
    Frame with one row per area and level: area, level, exact, error, shift (from the baseline's
    exact value), changes (whether the shift exceeds both errors), sampled (mean), standard_error,
    sampled_shift and shift_standard_error.
    """
    options = {"positives": positives, "replicates": replicates, "seed": seed}
    compared = {level: Binormal.at_level(separation, level) for level in {*levels, baseline}}
    samples = {level: sampled_areas(separation, level, **options) for level in compared}
    rows = []
    for name, kind in AREA_KINDS.items():
        exact = {level: kind.population(model) for level, model in compared.items()}
        sampled = {level: Replicated.of(sample[name]) for level, sample in samples.items()}
        for level in levels:
            shift = exact[level].value - exact[baseline].value
            errors = (sampled[level].standard_error, sampled[baseline].standard_error)
            row = {
                "area": name,
                "level": str(level),
                "exact": exact[level].value,
                "error": exact[level].error,
                "shift": shift,
                "changes": abs(shift) > exact[level].error + exact[baseline].error,
                "sampled": sampled[level].mean,
                "standard_error": sampled[level].standard_error,
                "sampled_shift": sampled[level].mean - sampled[baseline].mean,
                "shift_standard_error": 0.0 if level == baseline else np.hypot(*errors),
            }
            rows.append(row)
    return pd.DataFrame(rows)
