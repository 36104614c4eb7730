"""Measures of a clustering: against the true clusters, or by the distances of the instances.

Purity is computed here. The others are scikit-learn's, with checked input, since some of them
return a number where the formula is 0/0. The survey is that of Beddar-Wiesing et al. (2025).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.data.arrays import expect_equal_lengths, refuse_masked
from skewproof.core.data.labels import checked_labels
from skewproof.core.extras import extra

Labels = NDArray[Any]


def purity(true: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the share of instances in the most frequent true class of their cluster, in (0, 1].

    This is Eq. 25 of the survey. It is 1 if every instance is a cluster of its own.

    Parameters
    ----------
    true, predicted
        The true and the predicted cluster of each instance, shape (instances,).

    Raises
    ------
    ValueError
        If the two are empty or differ in length, or a label is missing.

    Examples
    --------
    >>> from skewproof.audits.choosing.clusterings import purity
    >>> purity(true=[0, 0, 0, 1], predicted=["a", "a", "b", "b"])
    0.75
    """
    classes, clusters = _checked(true, predicted, least=1)
    table = np.zeros((classes.max() + 1, clusters.max() + 1), dtype=np.int64)
    np.add.at(table, (classes, clusters), 1)
    return float(table.max(axis=0).sum() / classes.size)


def rand(true: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the Rand index in [0, 1], the share of pairs on which both agree, by scikit-learn.

    This is Eq. 26 of the survey.

    Parameters
    ----------
    true, predicted
        As for :func:`purity`, with the same errors; a single instance, which has no pairs, is
        refused as well.

    Examples
    --------
    Of the six pairs of four instances, three are together in both or apart in both:

    >>> from skewproof.audits.choosing.clusterings import rand
    >>> rand(true=[0, 0, 0, 1], predicted=["a", "a", "b", "b"])
    0.5
    """
    return float(_scikit_learn("rand").rand_score(*_checked(true, predicted, least=2)))


def adjusted_rand(true: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the Rand index adjusted for chance, in [-1/2, 1], by scikit-learn.

    This is Eq. 29 of the survey, which states the range [-1, 1]. The index is 1 if both clusterings
    put all instances into one cluster, or both leave every instance alone: Eq. 29 is then 0/0, and
    the clusterings are the same.

    Parameters
    ----------
    true, predicted
        As for :func:`rand`.

    Examples
    --------
    >>> from skewproof.audits.choosing.clusterings import adjusted_rand
    >>> adjusted_rand(true=[0, 0, 0, 1], predicted=["a", "a", "b", "b"])
    0.0
    """
    return float(
        _scikit_learn("adjusted_rand").adjusted_rand_score(*_checked(true, predicted, least=2))
    )


def fowlkes_mallows(true: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the geometric mean of precision and recall of the pairs, in [0, 1], by scikit-learn.

    This is Eq. 30 of the survey.

    Parameters
    ----------
    true, predicted
        As for :func:`rand`, with the same errors; a clustering in which no two instances are
        together is refused as well, since Eq. 30 is 0/0 and scikit-learn returns 0.

    Examples
    --------
    One of the two predicted pairs is one of the three true ones:

    >>> from skewproof.audits.choosing.clusterings import fowlkes_mallows
    >>> round(fowlkes_mallows(true=[0, 0, 0, 1], predicted=["a", "a", "b", "b"]), 3)
    0.408
    """
    metrics = _scikit_learn("fowlkes_mallows")
    labels = _checked(true, predicted, least=2)
    for name, values in zip(("true", "predicted"), labels, strict=True):
        if np.bincount(values).max() == 1:
            raise ValueError(f"{name} has {values.size} clusters of 1: expected a larger cluster")
    return float(metrics.fowlkes_mallows_score(*labels))


def silhouette(instances: ArrayLike, predicted: ArrayLike) -> float:
    """Compute the mean Euclidean silhouette coefficient, in [-1, 1], by scikit-learn.

    This is Eq. 31 of the survey. An instance that is a cluster of its own counts as 0, as in
    Rousseeuw.

    Parameters
    ----------
    instances
        Finite features, shape (instances, features).
    predicted
        The cluster of each instance, shape (instances,).

    Raises
    ------
    ValueError
        If the lengths differ, a feature is not finite or is masked, a label is missing, or the
        number of clusters is not from 2 to the number of instances less 1.

    Examples
    --------
    >>> from skewproof.audits.choosing.clusterings import silhouette
    >>> round(silhouette([[0.0], [1.0], [10.0], [11.0]], predicted=[0, 0, 1, 1]), 3)
    0.9
    """
    metrics = _scikit_learn("silhouette")
    refuse_masked(instances, "instances")
    labels = _numbered(predicted, "predicted")
    clusters = int(labels.max()) + 1
    if not 2 <= clusters < labels.size:
        raise ValueError(
            f"predicted has {clusters} clusters of {labels.size} instances: expected at least 2"
            " clusters, and fewer than instances"
        )
    return float(metrics.silhouette_score(instances, labels))


def _scikit_learn(needed_by: str) -> Any:
    """Return scikit-learn's metrics, which only some measures need."""
    with extra(needed_by):
        import sklearn.metrics

    return sklearn.metrics


def _checked(true: ArrayLike, predicted: ArrayLike, *, least: int) -> tuple[Labels, Labels]:
    """Return both labelings as numbers from 0."""
    classes, clusters = _numbered(true, "true"), _numbered(predicted, "predicted")
    expect_equal_lengths(true=classes, predicted=clusters)
    if classes.size < least:
        raise ValueError(f"true has {classes.size} label: expected at least {least}")
    return classes, clusters


def _numbered(labels: ArrayLike, name: str) -> Labels:
    return pd.factorize(checked_labels(labels, name))[0]
