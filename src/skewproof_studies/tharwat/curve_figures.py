"""Tharwat's Figures 5 to 14, redrawn: the 20 samples, curves of scores, and the Iris experiment."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.special import ndtr, ndtri
from sklearn.metrics import roc_curve

from skewproof.curves.areas.area import area
from skewproof.curves.precision_recall import interpolated_precision, precision_recall_curve
from skewproof.curves.thresholds import equal_error_rate
from skewproof.reporting.style import BLUE, COLORS, GREEN, VERMILION
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.tharwat.iris import Experiment
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS, table_1

LIGHT_COLOR, DARK_COLOR = matplotlib.colormaps[COLORS]([0.8, 0.15])

RATE_LIMITS = {"xlim": (-0.03, 1.06), "ylim": (-0.06, 1.03)}
"""Limits of axes of rates, with space for numbers next to points."""

TEXT_BOX = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
"""Box behind text, so that no line runs through it."""

THRESHOLDS_OF_FIGURE_8 = (1, 3, 8, 11, 14, 20)
"""Numbers of the thresholds whose errors Fig. 8 shows."""

CURVE_WITH_TIES = [(0, 0), (0, 0.3), (0.15, 0.5), (0.55, 0.8), (0.8, 1), (1, 1)]
"""ROC curve for Fig. 5; equal scores cause its third step."""


def roc_basics_figure() -> Figure:
    """Draw points of the ROC plane, and a curve with equal scores (Fig. 5)."""
    with styled_figure((4, 4)) as (figure, axes):
        axes.set(aspect="equal", **RATE_LIMITS)
        (x0, y0), (x1, y1) = CURVE_WITH_TIES[2:4]
        axes.fill_between([x0, x1], y0, y1, color=LIGHT_COLOR, alpha=0.35, lw=0)
        axes.plot(
            *zip(*CURVE_WITH_TIES, strict=True),
            color=DARK_COLOR,
            marker="o",
            ms=3,
            label="expected",
        )
        axes.plot([x0, x0, x1], [y0, y1, y1], color=BLUE, ls="--", label="optimistic")
        axes.plot([x0, x1, x1], [y0, y0, y1], color=VERMILION, ls=":", lw=2, label="pessimistic")
        axes.plot([0, 0, 1], [0, 1, 1], color=GREEN, lw=2.5, zorder=0, label="perfect")
        _chance(axes)
        corners = {"A": (0, 0), "B": (0, 1), "C": (1, 1), "D": (1, 0)}
        for name, point in corners.items():
            axes.plot(*point, "s", color="black", ms=5, clip_on=False)
            dx, dy = (7 if coordinate == 0 else -13 for coordinate in point)
            axes.annotate(name, point, xytext=(dx, dy), textcoords="offset points", weight="bold")
        axes.set(xlabel="FPR", ylabel="TPR", title="Equal scores in the ROC curve")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 0.1))
    return figure


def samples_figure() -> Figure:
    """Draw the 20 samples by falling score, and both rates with each score as the threshold (Fig.
    6)."""
    scan = table_1().iloc[1:]
    order = np.arange(1, TRUE_LABELS.size + 1)
    with styled_figure((6, 4), 2, 1, sharex=True) as (figure, (top, bottom)):
        _mark_classes(top, order, SCORES, TRUE_LABELS)
        top.set(ylabel="score", ylim=(0, 1), title="Samples sorted by score")
        top.legend()
        bottom.step(order, scan["TPR"], where="mid", color=BLUE, marker="o", ms=3, label="TPR")
        bottom.step(
            order, scan["FPR"], where="mid", color=VERMILION, ls="--", marker="x", label="FPR"
        )
        bottom.set(ylabel="rate", ylim=(-0.05, 1.05), xticks=order)
        bottom.set_xlabel("sample whose score is the threshold")
        bottom.legend()
    return figure


def roc_example_figure() -> Figure:
    """Draw the ROC curve of the example with its thresholds (Fig. 7)."""
    scan = table_1()
    with styled_figure((4, 4)) as (figure, axes):
        axes.set(aspect="equal", **RATE_LIMITS)
        axes.plot(scan["FPR"], scan["TPR"], color=DARK_COLOR, marker="o", ms=4)
        _number_thresholds(axes, scan["FPR"], scan["TPR"])
        best = scan.loc[scan["accuracy_percent"].idxmax()]
        axes.plot(best["FPR"], best["TPR"], "*", color=VERMILION, ms=13, label="highest accuracy")
        _chance(axes)
        axes.set(
            xlabel="FPR",
            ylabel="TPR",
            title=f"ROC curve, AUC = {area('auc', TRUE_LABELS, SCORES):.2f}",
        )
        axes.legend(loc="lower right")
    return figure


def thresholds_figure() -> Figure:
    """Draw which samples are classified correctly at six thresholds (Fig. 8)."""
    scan = table_1()
    with styled_figure((7, 4.2), 2, 3, sharex=True, sharey=True) as (figure, panels):
        for axes, number in zip(panels.flat, THRESHOLDS_OF_FIGURE_8, strict=True):
            row = scan.iloc[number - 1]
            threshold = min(row["threshold"], 0.9)
            _mark_classes(axes, SCORES, TRUE_LABELS, TRUE_LABELS)
            axes.axvline(threshold, color="black", lw=1)
            axes.axvspan(threshold, 0.95, color=LIGHT_COLOR, alpha=0.25, lw=0)
            axes.set_title(f"$t_{{{number}}}$ = {row['threshold']:g}".replace("inf", "$\\infty$"))
            counts = {"TP": (0.93, 1.25), "FN": (0.03, 1.25), "FP": (0.93, 0.2), "TN": (0.03, 0.2)}
            for cell, (x, y) in counts.items():
                side = "right" if x > 0.5 else "left"
                axes.text(x, y, f"{cell} = {row[cell]:g}", ha=side, bbox=TEXT_BOX)
            axes.set(xlim=(0, 0.95), ylim=(-0.5, 1.6), yticks=[0, 1])
            axes.set_yticklabels(["negative", "positive"])
        figure.supxlabel("score (shaded: called positive)", fontsize=8)
    return figure


def auc_figure() -> Figure:
    """Draw two classifiers with crossing ROC curves, and one trapezoid of Algorithm 2 (Fig. 9)."""
    fpr = np.linspace(0, 1, 401)
    # Two binormal curves that cross at FPR = 0.6, as in the article.
    steep = 0.6 + (0.9 - 0.75) / ndtri(0.6)
    first, second = ndtr(0.75 + steep * ndtri(fpr)), ndtr(0.9 + 0.6 * ndtri(fpr))
    start, stop = 80, 120
    with styled_figure((4, 4)) as (figure, axes):
        axes.set(aspect="equal", **RATE_LIMITS)
        axes.fill_between(fpr, 0, np.minimum(first, second), color="0.85", lw=0)
        axes.fill_between(
            fpr, first, second, where=second > first, color=LIGHT_COLOR, alpha=0.7, lw=0
        )
        axes.fill_between(
            fpr, first, second, where=second <= first, color=DARK_COLOR, alpha=0.7, lw=0
        )
        ends = [start, stop]
        axes.fill_between(
            fpr[ends], 0, second[ends], facecolor="none", edgecolor="black", hatch="//"
        )
        axes.plot(fpr, first, color=DARK_COLOR, ls="--", label="A")
        axes.plot(fpr, second, color=VERMILION, label="B")
        axes.legend(loc="lower right")
        axes.set(xlabel="FPR", ylabel="TPR", title="Areas under two curves")
    return figure


def precision_recall_figure() -> Figure:
    """Draw the precision-recall curve of the example, straight and interpolated (Fig. 10)."""
    recall, precision, _ = precision_recall_curve(TRUE_LABELS, SCORES)
    fine = np.linspace(0, 1, 1001)
    interpolated_area = area("interpolated_average_precision", TRUE_LABELS, SCORES)
    with styled_figure((4, 4)) as (figure, axes):
        axes.plot([0, 1, 1], [1, 1, 0.5], color=GREEN, lw=2.5, zorder=0, label="perfect")
        axes.plot(recall, precision, color=DARK_COLOR, marker="o", ms=4, lw=0.8, label="straight")
        interpolated = interpolated_precision(TRUE_LABELS, SCORES, fine)
        axes.plot(fine, interpolated, color=VERMILION, ls="--", label="interpolated")
        axes.axhline(0.5, color="0.5", ls=":", label="chance, P/(P + N)")
        axes.set(xlabel="recall", ylabel="precision", ylim=(0.4, 1.03))
        axes.set_title(f"Precision-recall curve, interpolated area {interpolated_area:.2f}")
        axes.set_box_aspect(1)
        axes.legend(loc="upper right", bbox_to_anchor=(0.96, 0.92))
    return figure


def error_rates_figure() -> Figure:
    """Draw scores of both classes, FAR and FRR over the threshold, and the EER (Fig. 11)."""
    far, tpr, thresholds = roc_curve(TRUE_LABELS, SCORES, drop_intermediate=False)
    frr = 1 - tpr
    rate, threshold = equal_error_rate(TRUE_LABELS, SCORES)
    steps = np.concatenate([[1.0], thresholds[1:]])
    shared = {"sharex": True, "height_ratios": [1, 2]}
    with styled_figure((4.2, 4.2), 2, 1, **shared) as (figure, (top, bottom)):
        _mark_classes(top, SCORES, TRUE_LABELS, TRUE_LABELS)
        top.set(ylim=(-0.5, 1.5), yticks=[0, 1], title="Errors over the threshold")
        top.set_yticklabels(["impostors", "clients"])
        bottom.step(steps, far, where="pre", color=VERMILION, ls="--", label="FAR")
        bottom.step(steps, frr, where="pre", color=BLUE, label="FRR")
        bottom.plot(threshold, rate, "o", color="black", ms=5)
        bottom.annotate(
            f"EER = {rate:g}", (threshold, rate), xytext=(0.7, 0.15), arrowprops={"arrowstyle": "-"}
        )
        bottom.set(xlabel="threshold", ylabel="rate", xlim=(0, 1), ylim=(-0.03, 1.03))
        bottom.legend(loc="center right")
    return figure


def det_figure() -> Figure:
    """Draw the DET curve of the example, between rates and between normal deviates (Fig. 12)."""
    far, tpr, _ = roc_curve(TRUE_LABELS, SCORES, drop_intermediate=False)
    frr = 1 - tpr
    far_deviate, frr_deviate = ndtri(far), ndtri(frr)
    finite = np.isfinite(far_deviate) & np.isfinite(frr_deviate)
    ticks = np.array([0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95])
    with styled_figure((7, 3.6), 1, 2) as (figure, (left, right)):
        left.plot([0, 0, 1], [1, 0, 0], color=GREEN, lw=2.5, label="perfect", zorder=0)
        left.plot(frr, far, color=DARK_COLOR, marker="o", ms=4, label="example")
        _number_thresholds(left, frr, far)
        left.set(xlabel="FRR", ylabel="FAR", title="Axes of rates", **RATE_LIMITS)
        left.legend(loc="upper right")
        right.plot(frr_deviate[finite], far_deviate[finite], color=DARK_COLOR, marker="o", ms=4)
        right.set(xlabel="FRR", ylabel="FAR", title="Axes of normal deviates")
        right.set_xticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        right.set_yticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        right.plot(ndtri(ticks), ndtri(ticks), color="0.6", ls=":", label="FAR = FRR")
        right.legend(loc="upper right")
        for axes in (left, right):
            axes.set_box_aspect(1)
    return figure


CURVE_FIGURES: dict[str, Callable[[], Figure]] = {
    "figure_5": roc_basics_figure,
    "figure_6": samples_figure,
    "figure_7": roc_example_figure,
    "figure_8": thresholds_figure,
    "figure_9": auc_figure,
    "figure_10": precision_recall_figure,
    "figure_11": error_rates_figure,
    "figure_12": det_figure,
}
"""Figures of the article that show the example or the basics of a curve, by file name."""


def _chance(axes: Axes) -> None:
    axes.plot([0, 1], [0, 1], color="0.6", lw=0.8, ls=":", zorder=0)


def _mark_classes(axes: Axes, x: object, y: object, labels: object) -> None:
    styles = {1: ("o", BLUE, "positive"), 0: ("x", VERMILION, "negative")}
    for label, (marker, color, name) in styles.items():
        rows = np.asarray(labels) == label
        axes.scatter(
            np.asarray(x)[rows], np.asarray(y)[rows], marker=marker, color=color, s=22, label=name
        )


def _number_thresholds(axes: Axes, x: object, y: object) -> None:
    """Write every threshold's number next to its point."""
    points = np.column_stack([np.asarray(x), np.asarray(y)])
    for number, point in enumerate(points, start=1):
        axes.annotate(str(number), point, xytext=(4, -9), textcoords="offset points", fontsize=6)


CLASS_STYLES = (
    {"color": BLUE, "ls": "-", "marker": "o"},
    {"color": VERMILION, "ls": "--", "marker": "x"},
    {"color": GREEN, "ls": ":", "marker": "s"},
)
"""Line style of each class, in the order of the labels."""


def iris_curves_figure(experiment: Experiment) -> Figure:
    """Draw the ROC and precision-recall curves of each class against the others (Fig. 13)."""
    with styled_figure((7, 3.6), 1, 2) as (figure, (left, right)):
        for label, name in enumerate(experiment.classes):
            style = CLASS_STYLES[label] | {"ms": 3, "markevery": 10}
            labels_and_scores = (experiment.true == label, experiment.scores[:, label])
            fpr, tpr, _ = roc_curve(*labels_and_scores, drop_intermediate=False)
            recall, precision, _ = precision_recall_curve(*labels_and_scores)
            left.plot(fpr, tpr, label=name, **style)
            right.plot(recall, precision, label=name, **style)
        left.set(xlabel="FPR", ylabel="TPR", title="ROC curves", aspect="equal")
        right.set(xlabel="recall", ylabel="precision", title="Precision-recall curves")
        right.set(aspect="equal", ylim=(-0.05, 1.05))
        left.legend(loc="lower right")
        right.legend(loc="lower left")
    return figure


def iris_matrices_figure(results: pd.DataFrame) -> Figure:
    """Draw the confusion matrix of each class against the others, with true classes in columns
    (Fig. 14)."""
    rows = results.dropna(subset="tp")
    with styled_figure((7, 2.6), 1, len(rows)) as (figure, panels):
        for axes, row in zip(panels, rows.to_dict("records"), strict=True):
            counts = np.array([[row["tp"], row["fp"]], [row["fn"], row["tn"]]], dtype=float)
            shown = axes.imshow(counts, cmap=COLORS, vmin=0, vmax=100)
            for (i, j), count in np.ndenumerate(counts):
                color = "black" if count > 50 else "white"
                axes.text(j, i, f"{count:g}", ha="center", va="center", color=color, fontsize=10)
            axes.set(xticks=[0, 1], yticks=[0, 1], title=row["class"])
            axes.set_xticklabels(["positive", "negative"])
            axes.set_yticklabels(["positive", "negative"], rotation=90, va="center")
            axes.set_xlabel("true class")
        figure.axes[0].set_ylabel("predicted class")
        figure.colorbar(shown, ax=figure.axes, label="samples")
    return figure
