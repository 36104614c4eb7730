"""Tharwat's experiment (Section 7): Iris, two principal components, a support vector machine.

The article names neither kernel nor split. Here every sample is scored by a machine that was not
trained on it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.curves.areas.area import area
from skewproof.curves.areas.roc import multiclass_auc
from skewproof.metrics import get_metric
from skewproof_studies.tharwat.examples import IRIS_METRICS, METRIC_KEYS


class Experiment(NamedTuple):
    """True classes and held-out scores of every sample."""

    classes: list[str]
    """Names of the classes, in the order of the labels and of the scores' columns."""

    true: NDArray[np.int64]
    """Labels of the true classes, shape (150,)."""

    scores: NDArray[np.float64]
    """One-vs-rest decision values, shape (150, 3)."""


def iris_experiment(*, folds: int, seed: int) -> Experiment:
    """Score every sample by a machine trained on the other folds.

    Parameters
    ----------
    folds
        Number of stratified folds; components and machine are fitted without the held-out one.
    seed
        Seed of the shuffle into folds.
    """
    data = load_iris()
    model = make_pipeline(PCA(n_components=2), SVC())
    split = StratifiedKFold(folds, shuffle=True, random_state=seed)
    scores = cross_val_predict(model, data.data, data.target, cv=split, method="decision_function")
    return Experiment(data.target_names.tolist(), data.target, scores)


def iris_results(experiment: Experiment) -> pd.DataFrame:
    """Return the results of each class against the other two (Figs. 13 and 14).

    Returns
    -------
    Frame with one row per class, and one for all with the AUC weighted by priors (Section 4):
    class, tp, fp, fn, tn, the metrics of Section 7, auc and average_precision.
    """
    predicted = experiment.scores.argmax(axis=1)
    rows = []
    for label, name in enumerate(experiment.classes):
        is_class, scores = experiment.true == label, experiment.scores[:, label]
        matrix = ConfusionMatrix.from_labels(is_class, predicted == label)
        cells = {cell: int(getattr(matrix, cell)) for cell in CELLS}
        values = {short: float(get_metric(METRIC_KEYS[short])(matrix)) for short in IRIS_METRICS}
        areas = {
            "auc": area("auc", is_class, scores),
            "average_precision": area("average_precision", is_class, scores),
        }
        rows.append({"class": name, **cells, **values, **areas})
    total = {
        "class": "all",
        "Acc": float(np.mean(predicted == experiment.true)),
        "auc": multiclass_auc(experiment.true, experiment.scores),
    }
    return pd.DataFrame([*rows, total]).astype(dict.fromkeys(CELLS, "Int64"))
