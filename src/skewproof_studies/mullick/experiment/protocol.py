"""Section 5 of Mullick et al.: classifiers for imbalanced data, each tested on five test sets.

S. S. Mullick, S. Datta, S. G. Dhekane, S. Das, *Appropriateness of performance indices for
imbalanced data classification: An analysis*, 2020. This experiment differs from theirs:

- Data sets that scikit-learn ships, undersampled to the stated imbalance ratios, replace the
  features of ImageNet. They are small: an imbalance ratio of 40 leaves a few dozen instances of
  the minority class for training, and one of 30 between ten digits leaves four.
- Only the training part is undersampled. The fold that is held out keeps all its instances. Test
  sets are drawn from it, with replacement if one needs more instances than there are.
- Two of the four classifiers are replaced by the closest relatives in well-maintained libraries
  (:func:`classifiers`), and no parameter is tuned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import datasets
from sklearn.base import ClassifierMixin
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from skewproof.core.algebra import Array
from skewproof_studies.settings.seeds import random_state

Integers = NDArray[np.int64]
"""Classes or indices of instances, from 0, or sizes of classes."""


def settings(ratios: Array) -> dict[str, Array]:
    """Return the five test sets of Section 5.2 by their class sizes.

    Two classes have RRT = 1, 1/2, IR/2, IR and 2 IR (Definition 2). For more classes, the second
    test set reverses the ratios of training; the third and the last one halve and double all
    classes but the smallest.

    Parameters
    ----------
    ratios
        Sizes of the classes in training relative to the smallest, shape (C,).

    Returns
    -------
    Sizes of the classes relative to each other, shape (C,), by the name of the setting.
    """
    others = np.arange(len(ratios)) > 0
    two = len(ratios) == 2
    second = {"minority_doubled": np.array([2.0, 1.0])} if two else {"reversed": 1 / ratios}
    return {
        "balanced": np.ones(len(ratios)),
        **second,
        "halved": np.where(others, ratios / 2, ratios),
        "original": ratios,
        "doubled": np.where(others, ratios * 2, ratios),
    }


def sizes_in_training(available: Integers, ratios: Array) -> Integers:
    """Return the number of instances of each class that undersampling to the ratios leaves.

    Raises
    ------
    ValueError
        If fewer than two instances of the smallest class are left, since SMOTE needs two.
    """
    smallest = int(np.min(available / ratios))
    if smallest < 2:
        raise ValueError(
            f"imbalance_ratio = {ratios.max():g} leaves {smallest} instances of the smallest class"
            " to train with: expected at least 2"
        )
    return np.rint(smallest * ratios).astype(np.int64)


def sizes_in_test(available: Integers, ratios: Array) -> Integers:
    """Return the number of instances of each class in a test set.

    The smallest class has as many instances as the smallest class of the fold, and the others
    follow from the ratios.
    """
    return np.rint(available.min() * ratios / ratios.min()).astype(np.int64)


def drawn(labels: Integers, sizes: Integers, random: np.random.Generator) -> Integers:
    """Draw indices of instances at random, with the requested number of each class.

    A class is drawn with replacement if more instances are requested than there are.
    """
    parts = []
    for number, size in enumerate(sizes):
        indices = np.flatnonzero(labels == number)
        parts.append(random.choice(indices, size, replace=bool(size > len(indices))))
    return np.concatenate(parts)


DATA_SETS = {
    "breast_cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
"""Loaders of the data sets, by name."""

CELL_COLUMNS = ["classifier", "run", "fold", "setting", "true", "predicted", "count"]
"""Columns of :func:`experiment_matrices`."""

SMOTE_NEIGHBORS = 5
"""Number of neighbors in SMOTE by default, used if the smallest class has more instances than
that."""


@dataclass(frozen=True)
class Problem:
    """A classification problem to be made imbalanced."""

    features: Array
    """Attributes of the instances, shape (instances, attributes)."""

    labels: Integers
    """Class of each instance, from 0, the smallest one, to C - 1, the largest."""

    ratios: Array
    """Training size of each class relative to that of the smallest, shape (C,)."""


def named_state(seed: int, *names: object) -> int:
    """Derive a seed from names, so that another problem or classifier changes none of the others.

    Parameters
    ----------
    seed
        Seed of the study.
    names
        Names and numbers without a slash.
    """
    return random_state(seed, *"/".join(map(str, names)).encode())


def load_problem(data: str, classes: Sequence[Sequence[int]], imbalance_ratio: float) -> Problem:
    """Build a problem from the classes of a data set that scikit-learn ships.

    Parameters
    ----------
    data
        One of DATA_SETS.
    classes
        The data set's labels that each class of the problem joins. The smallest class, which is the
        positive one of two, comes first.
    imbalance_ratio
        IR: size of the largest class divided by that of the smallest (Definition 1). Sizes in
        between rise geometrically; the paper does not state them.

    Raises
    ------
    ValueError
        If a label is not in the data set, or is used twice.
    """
    source = DATA_SETS[data]()
    wanted = [label for labels in classes for label in labels]
    for index, label in enumerate(wanted):
        if label not in source.target or label in wanted[:index]:
            known = ", ".join(map(str, np.unique(source.target)))
            raise ValueError(
                f"classes: label {label} of {data}: expected each of {known} at most once"
            )
    kept = np.flatnonzero(np.isin(source.target, wanted))
    number = {label: index for index, labels in enumerate(classes) for label in labels}
    labels = np.array([number[label] for label in source.target[kept]])
    ratios = np.geomspace(1, imbalance_ratio, len(classes))
    return Problem(np.asarray(source.data[kept], dtype=np.float64), labels, ratios)


def training_and_held_out(
    problem: Problem, *, folds: int, seed: int, name: str, run: int
) -> Iterator[tuple[Integers, Integers]]:
    """Yield stratified folds, with the training part undersampled to the problem's ratios.

    Parameters
    ----------
    problem, name
        The problem, and its name, on which all draws depend.
    folds
        Number of folds.
    seed, run
        Seed of the study, and the number of the independent run.

    Yields
    ------
    Indices of the training instances, and of all instances held out.
    """
    splitter = StratifiedKFold(folds, shuffle=True, random_state=named_state(seed, name, run))
    splits = splitter.split(problem.features, problem.labels)
    for fold, (rest, held_out) in enumerate(splits, start=1):
        random = np.random.default_rng(named_state(seed, name, run, fold))
        sizes = sizes_in_training(np.bincount(problem.labels[rest]), problem.ratios)
        yield rest[drawn(problem.labels[rest], sizes, random)], held_out


def classifiers(
    smallest: int, state: int, options: Mapping[str, Any]
) -> dict[str, ClassifierMixin]:
    """Return the four classifiers: two of the paper's, and close relatives of the other two.

    `rusboost` (RUSBoost of decision trees) and `smote_mlp` (a multilayer perceptron after SMOTE)
    are the paper's. RUSBoost ends once a tree is no better than chance, which with so few instances
    is long before the last tree. `cost_sensitive_svm`, a support vector machine with errors
    weighted by the inverse class size, replaces the near-Bayesian SVM. `balanced_bagging_knn`,
    k-nearest neighbors on undersampled resamples with equal votes, replaces Dual-LexiBoost with
    k-nearest neighbors, which take no weights of instances, so that scikit-learn cannot boost them.
    Library defaults apply where `options` has no entry.

    Parameters
    ----------
    smallest
        Number of training instances of the smallest class.
    state
        Seed of the classifiers' random draws.
    options
        Values for trees, hidden_units, iterations, resamples, neighbors.
    """
    from imblearn.ensemble import BalancedBaggingClassifier, RUSBoostClassifier
    from imblearn.over_sampling import SMOTE
    from imblearn.pipeline import make_pipeline

    neighbors = KNeighborsClassifier(options["neighbors"])
    return {
        "rusboost": RUSBoostClassifier(
            DecisionTreeClassifier(), n_estimators=options["trees"], random_state=state
        ),
        "smote_mlp": make_pipeline(
            StandardScaler(),
            SMOTE(k_neighbors=min(SMOTE_NEIGHBORS, smallest - 1), random_state=state),
            MLPClassifier(
                (options["hidden_units"],), max_iter=options["iterations"], random_state=state
            ),
        ),
        "cost_sensitive_svm": make_pipeline(StandardScaler(), SVC(class_weight="balanced")),
        "balanced_bagging_knn": make_pipeline(
            StandardScaler(),
            # No bootstrap, since it may leave out a small class altogether.
            BalancedBaggingClassifier(
                neighbors, n_estimators=options["resamples"], bootstrap=False, random_state=state
            ),
        ),
    }


def experiment_matrices(
    problem: Problem, options: Mapping[str, Any], *, folds: int, seed: int, name: str, run: int
) -> pd.DataFrame:
    """Return the confusion matrices of one run: every classifier, fitted once per fold, on five
    test sets.

    Parameters
    ----------
    problem, folds, seed, name, run
        As for :func:`training_and_held_out`.
    options
        As for :func:`classifiers`.

    Returns
    -------
    Frame with one row for each cell of each matrix: classifier, run, fold, setting, true, predicted
    (numbers of classes from 0) and count.
    """
    parts = []
    splits = training_and_held_out(problem, folds=folds, seed=seed, name=name, run=run)
    for fold, (training, held_out) in enumerate(splits, start=1):
        true = problem.labels[held_out]
        smallest = int(np.bincount(problem.labels[training]).min())
        chosen = classifiers(smallest, named_state(seed, name, run, fold, "fit"), options)
        tests = _test_sets(true, problem.ratios, named_state(seed, name, run, fold, "test"))
        for key, classifier in chosen.items():
            with threadpool_limits(1):  # identical results on any number of cores
                classifier.fit(problem.features[training], problem.labels[training])
                predicted = classifier.predict(problem.features[held_out])
            for setting, indices in tests.items():
                cells = _cells(true[indices], predicted[indices], len(problem.ratios))
                parts.append(cells.assign(classifier=key, run=run, fold=fold, setting=setting))
    return pd.concat(parts, ignore_index=True)[CELL_COLUMNS]


def _test_sets(labels: Integers, ratios: Array, state: int) -> dict[str, Integers]:
    random, available = np.random.default_rng(state), np.bincount(labels)
    return {
        setting: drawn(labels, sizes_in_test(available, sizes), random)
        for setting, sizes in settings(ratios).items()
    }


def _cells(true: Integers, predicted: Integers, classes: int) -> pd.DataFrame:
    counts = np.bincount(classes * true + predicted, minlength=classes**2)
    rows, columns = np.divmod(np.arange(classes**2), classes)
    return pd.DataFrame({"true": rows, "predicted": columns, "count": counts})


def problem_sizes(problem: Problem, *, folds: int, seed: int, name: str) -> pd.DataFrame:
    """Count the instances of each class, and those for training and test in the first fold of run
    1.

    Parameters
    ----------
    problem, folds, seed, name
        As for :func:`training_and_held_out`.

    Returns
    -------
    Frame with one row per class: class, instances, training, held_out, and for each setting its
    size in that test set; if this exceeds held_out, instances are drawn repeatedly.
    """
    first = next(training_and_held_out(problem, folds=folds, seed=seed, name=name, run=1))
    training, held_out = (np.bincount(problem.labels[indices]) for indices in first)
    tests = {key: sizes_in_test(held_out, sizes) for key, sizes in settings(problem.ratios).items()}
    columns = {
        "class": np.arange(len(problem.ratios)),
        "instances": np.bincount(problem.labels),
        "training": training,
        "held_out": held_out,
    }
    return pd.DataFrame(columns | tests)
