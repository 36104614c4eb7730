"""Changes of areas under curves with imbalance, in a population and in samples, and a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike
from scipy.special import ndtri

from skewproof.core.levels import Level
from skewproof.curves.areas.area import area
from skewproof.curves.thresholds import equal_error_rate, mcc_f1_score
from skewproof.reporting.style import COLORS, MARKERS, STYLE
from skewproof.sensitivity.sampling.replicates import Replicated
from skewproof_studies.tharwat.binormal import MCC_SUBRANGES, Area, Binormal, population_curves


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


class CurvePanel(NamedTuple):
    """Curve of a panel."""

    x: str
    """Column of :func:`skewproof_studies.tharwat.binormal.population_curves`."""
    y: str
    x_label: str
    y_label: str
    deviates: bool = False
    """True if both axes have standard normal quantiles, labeled with the rates."""


CURVE_PANELS = {
    "ROC": CurvePanel("fpr", "tpr", "FPR", "TPR"),
    "Precision-recall": CurvePanel("tpr", "precision", "recall", "precision"),
    "DET": CurvePanel("far_deviate", "frr_deviate", "FAR", "FRR", deviates=True),
    "MCC-F1": CurvePanel("unit_mcc", "f1", "MCC, scaled to [0, 1]", "$F_1$"),
}
"""Panels of the curves, by title."""


def areas_figure(areas: pd.DataFrame, separation: float) -> Figure:
    """Draw curves of one classifier at every level, and the areas under them.

    Parameters
    ----------
    areas
        Result of :func:`skewproof_studies.tharwat.areas.area_study`.
    separation
        Separation of the classifier.
    """
    levels = list(dict.fromkeys(areas["level"]))
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(10.5, 5), layout="constrained")
        grid = figure.add_gridspec(2, len(CURVE_PANELS), height_ratios=[1, 1.1])
        for column, (title, panel) in enumerate(CURVE_PANELS.items()):
            axes = figure.add_subplot(grid[0, column])
            _draw_curves(axes, panel, levels, separation)
            axes.set_title(title)
        axes.legend(title="level P:N", loc="center left", bbox_to_anchor=(1.02, 0.5))
        _draw_areas(figure.add_subplot(grid[1, :]), areas, levels)
    return figure


def _draw_areas(axes: Axes, areas: pd.DataFrame, levels: Sequence[str]) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(AREA_KINDS)))
    for number, (name, kind) in enumerate(AREA_KINDS.items()):
        of_kind = areas[areas["area"] == name]
        x = np.arange(len(levels)) + 0.05 * (number - 2.5)
        style = {"color": colors[number], "marker": MARKERS[number]}
        axes.plot(x, of_kind["exact"], label=kind.label, ms=4, **style)
        bars = 2 * of_kind["standard_error"]
        axes.errorbar(x, of_kind["sampled"], bars, fmt="none", ecolor=colors[number], capsize=3)
    axes.set_xticks(range(len(levels)), levels)
    axes.set(xlabel="level P:N", ylabel="value", ylim=(0, 1))
    axes.set_title("Areas: exact (lines), and in samples (bars of two standard errors)")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))


def _draw_curves(axes: Axes, panel: CurvePanel, levels: Sequence[str], separation: float) -> None:
    colors = matplotlib.colormaps[COLORS](np.linspace(0, 0.9, len(levels)))
    for number, level in enumerate(levels):
        curves = population_curves(separation, Level.parse(level))
        axes.plot(
            curves[panel.x],
            curves[panel.y],
            color=colors[number],
            marker=MARKERS[number % len(MARKERS)],
            markevery=(5 * number, 60),
            ms=3,
            lw=1,
            label=level,
        )
    axes.set(xlabel=panel.x_label, ylabel=panel.y_label)
    if panel.deviates:
        ticks = np.array([0.01, 0.2, 0.5, 0.8, 0.99])
        axes.set_xticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set_yticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        axes.set(xlim=ndtri([0.002, 0.998]), ylim=ndtri([0.002, 0.998]))
    axes.set_box_aspect(1)
