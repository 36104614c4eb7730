"""Figures 13 and 14 of Tharwat's Iris experiment, redrawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from sklearn.metrics import roc_curve

from skewproof.curves.precision_recall import precision_recall_curve
from skewproof.reporting.style import BLUE, COLORS, GREEN, VERMILION
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.tharwat.iris import Experiment

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
