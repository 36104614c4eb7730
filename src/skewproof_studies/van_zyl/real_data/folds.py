"""Section 9 of van Zyl and Engelbrecht: metrics of classifiers on real data, fold by fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, clone
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof_studies.settings.seeds import random_state
from skewproof_studies.van_zyl.real_data.datasets import Data, undersampled

MATRIX_COLUMNS = ["shuffle", "fold", "converged", *CELLS]

SHUFFLE_CONFIDENCE = 0.95
"""Probability that the interval contains the value of one more shuffle."""

Counts = NDArray[np.int64]

DEFAULT_CUTOFF = 0.5
"""Probability above which scikit-learn's classifiers predict the positive class."""


def classifiers(logistic_regression: dict[str, Any], seed: int) -> dict[str, ClassifierMixin]:
    """Return five classifiers of different kinds, the paper's first.

    Parameters
    ----------
    logistic_regression
        Options of the logistic regression (Table 10).
    seed
        Seed of the random classifiers.
    """
    state = random_state(seed, 0)
    return {
        "logistic_regression": LogisticRegression(**logistic_regression),
        "balanced_logistic_regression": LogisticRegression(
            **logistic_regression, class_weight="balanced"
        ),
        "naive_bayes": GaussianNB(),
        "decision_tree": DecisionTreeClassifier(random_state=state),
        "gradient_boosting": HistGradientBoostingClassifier(random_state=state),
    }


def folds(data: Data, count: int, state: int | None) -> Iterator[tuple[Counts, Counts]]:
    """Yield stratified folds: the indices of the training and of the test instances.

    Parameters
    ----------
    data, count
        All instances, and the number of folds.
    state
        scikit-learn's `random_state` of the shuffle; with None the instances stay in order.

    Raises
    ------
    ValueError
        If a class has fewer instances than there are folds.
    """
    smaller = min(np.bincount(data.positive, minlength=2))
    if smaller < count:
        raise ValueError(f"a class of {smaller} instances: expected at least {count}, one per fold")
    splitter = StratifiedKFold(count, shuffle=state is not None, random_state=state)
    return splitter.split(np.empty(len(data.positive)), data.positive)


def fold_matrices(
    data: Data,
    model: LogisticRegression,
    *,
    count: int,
    seed: int,
    shuffle: int,
    undersample: bool = False,
) -> pd.DataFrame:
    """Return the confusion matrix of a logistic regression on each test set of one shuffle.

    Parameters
    ----------
    data
        All instances.
    model
        Unfitted logistic regression.
    count
        Number of folds; each class needs as many instances.
    seed, shuffle
        Seed of the study, and the number of the shuffle; shuffle 0 is that of the tables.
    undersample
        Whether the larger class is first undersampled, differently for each shuffle (D6).

    Returns
    -------
    Frame with one row per fold and the columns shuffle, fold, converged (whether the fit ended
    before its largest number of iterations), tp, fp, fn, tn.
    """
    state = random_state(seed, shuffle)
    if undersample:
        data = undersampled(data, state)
    matrices = fitted_matrices(data, model, count=count, state=state)
    return matrices.assign(shuffle=shuffle)[MATRIX_COLUMNS]


def fitted_matrices(
    data: Data, model: LogisticRegression, *, count: int, state: int | None
) -> pd.DataFrame:
    """Return the confusion matrix of a logistic regression on each test set.

    Parameters
    ----------
    data, model, count
        As for :func:`fold_matrices`.
    state
        As for :func:`folds`.

    Returns
    -------
    Frame with one row per fold and the columns fold, converged, tp, fp, fn, tn.
    """
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):  # identical results on any number of cores
        for number, (training, test) in enumerate(folds(data, count, state), start=1):
            fitted = clone(model).fit(data.features[training], data.positive[training])
            predicted = fitted.predict(data.features[test])
            tn, fp, fn, tp = confusion_matrix(data.positive[test], predicted).ravel()
            converged = fitted.n_iter_.max() < fitted.max_iter
            counts = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
            rows.append({"fold": number, "converged": converged, **counts})
    return pd.DataFrame(rows)


def held_out_scores(
    data: Data, classifier: ClassifierMixin, *, count: int, seed: int
) -> NDArray[np.float64]:
    """Return the probability that each instance is positive, by a classifier fitted to other folds.

    Parameters
    ----------
    data
        All instances.
    classifier
        Unfitted classifier of scikit-learn; it is given dense features.
    count, seed
        Number of folds (those of shuffle 0), and the seed of the study.

    Returns
    -------
    Array of shape (instances,) in [0, 1]; the classifier predicts the positive class above
    DEFAULT_CUTOFF.
    """
    splits = list(folds(data, count, random_state(seed, 0)))
    with threadpool_limits(1):
        probabilities = cross_val_predict(
            classifier, data.dense(), data.positive, cv=splits, method="predict_proba"
        )
    return probabilities[:, 1]


def fold_numbers(data: Data, *, count: int, seed: int) -> Counts:
    """Return the fold of shuffle 0 that tests each instance, from 0, shape (instances,)."""
    numbers = np.zeros(len(data.positive), dtype=np.int64)
    for number, (_, test) in enumerate(folds(data, count, random_state(seed, 0))):
        numbers[test] = number
    return numbers


def matrix_of(counts: pd.DataFrame) -> ConfusionMatrix:
    """Return rows of counts as a confusion matrix of arrays."""
    return ConfusionMatrix(**{name: counts[name].to_numpy(dtype=np.float64) for name in CELLS})


def scores(
    matrices: pd.DataFrame, metrics: Sequence[str], *, registry: Mapping[str, Metric]
) -> pd.DataFrame:
    """Compute every metric of every matrix, scaled to [0, 1] as in the paper's Table 11.

    Parameters
    ----------
    matrices
        Columns dataset and tp, fp, fn, tn; other columns are kept.
    metrics, registry
        Keys of metrics, and the metrics by key.

    Returns
    -------
    Frame with one row for each metric of each matrix: the other columns, metric and value, which is
    NaN if the metric is undefined.
    """
    kept = matrices.drop(columns=list(CELLS))
    matrix = matrix_of(matrices)
    parts = [kept.assign(metric=key, value=bounded(registry[key])(matrix)) for key in metrics]
    return pd.concat(parts, ignore_index=True)


def fold_means(values: pd.DataFrame) -> pd.DataFrame:
    """Return means over the folds in which a metric is defined.

    Parameters
    ----------
    values
        Result of :func:`scores`, with the columns shuffle and fold.

    Returns
    -------
    Frame with the columns dataset, metric, shuffle, value and undefined_folds.
    """
    groups = values.groupby(["dataset", "metric", "shuffle"], sort=False)["value"]
    return groups.agg(
        value="mean", undefined_folds=lambda value: int(value.isna().sum())
    ).reset_index()


def pooled(matrices: pd.DataFrame) -> pd.DataFrame:
    """Return counts summed over the folds of each shuffle of each data set."""
    return matrices.groupby(["dataset", "shuffle"], sort=False)[list(CELLS)].sum().reset_index()


def spread(means: pd.DataFrame) -> pd.DataFrame:
    """Return how much a mean over folds depends on the shuffle.

    Parameters
    ----------
    means
        Result of :func:`fold_means`. Shuffle 0, that of the tables, is left out.

    Returns
    -------
    Frame with the columns dataset, metric, shuffles, mean, standard_deviation, low, high. The last
    two are the ends of the interval that contains one more shuffle with probability
    SHUFFLE_CONFIDENCE (Student's prediction interval).
    """
    from scipy.stats import t

    others = means[means["shuffle"] > 0].groupby(["dataset", "metric"], sort=False)["value"]
    result = others.agg(shuffles="count", mean="mean", standard_deviation="std").reset_index()
    quantile = t.ppf((1 + SHUFFLE_CONFIDENCE) / 2, result["shuffles"] - 1)
    reach = quantile * result["standard_deviation"] * np.sqrt(1 + 1 / result["shuffles"])
    return result.assign(low=result["mean"] - reach, high=result["mean"] + reach)
