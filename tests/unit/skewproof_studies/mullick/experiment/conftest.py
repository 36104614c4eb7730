"""Matrices of classifiers whose recalls are the same on all test sets, and results from them."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from skewproof_studies.mullick.experiment.findings import findings
from skewproof_studies.mullick.experiment.protocol import settings, sizes_in_test
from skewproof_studies.mullick.experiment.report import size_table
from skewproof_studies.mullick.experiment.statistics import (
    losses,
    lost_classes,
    mean_performance,
    measure_values,
    minima,
    variability,
    with_a_lost_class,
)

RATIOS = {"two": np.array([1.0, 5]), "three": np.array([1.0, 2, 4])}
"""Sizes of the classes of two problems."""

RECALLS = {"a": 0.95, "b": 0.9, "c": 0.85, "d": 0.8}
"""The recall of all classes, by the classifier; errors are spread evenly."""

HELD_OUT = 1000
"""Instances of each class that test sets are drawn from."""


class Evaluated(NamedTuple):
    """The study's results from matrices."""

    tables: dict[str, pd.DataFrame]
    found: pd.DataFrame
    sizes: pd.DataFrame


def drawn_cells(ratios: np.ndarray, recall: float, random: np.random.Generator) -> pd.DataFrame:
    """Draw the cells of a matrix on a test set with these ratios."""
    classes = len(ratios)
    error = (1 - recall) / (classes - 1)
    rates = np.full((classes, classes), error) + (recall - error) * np.eye(classes)
    sizes = sizes_in_test(np.full(classes, HELD_OUT), ratios)
    true, predicted = np.divmod(np.arange(classes**2), classes)
    counts = random.multinomial(sizes, rates).ravel()
    return pd.DataFrame({"true": true, "predicted": predicted, "count": counts})


@pytest.fixture(scope="session")
def toy():
    """Matrices of a problem of two and one of three classes, in two folds of two runs."""
    random = np.random.default_rng(1)
    parts = [
        drawn_cells(sizes, recall, random).assign(
            problem=problem,
            classes=len(ratios),
            classifier=classifier,
            run=run,
            fold=fold,
            setting=setting,
        )
        for problem, ratios in RATIOS.items()
        for run in (1, 2)
        for fold in (1, 2)
        for classifier, recall in RECALLS.items()
        for setting, sizes in settings(ratios).items()
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="session")
def values(toy):
    """The paper's measures of the matrices."""
    return measure_values(toy)


def problem_sizes(problem: str) -> pd.DataFrame:
    """Tabulate the instances of each class of a problem, in all, for training and for testing."""
    ratios = RATIOS[problem]
    available = np.full(len(ratios), HELD_OUT)
    tests = {name: sizes_in_test(available, sizes) for name, sizes in settings(ratios).items()}
    columns = {
        "problem": problem,
        "class": np.arange(len(ratios)),
        "instances": 2 * available,
        "training": (HELD_OUT // 10 * ratios).astype(int),
        "held_out": available,
    }
    return pd.DataFrame(columns | tests)


@pytest.fixture(scope="session")
def evaluate():
    """Return a function that computes the study's results from such matrices."""

    def evaluated(matrices) -> Evaluated:
        values = measure_values(matrices)
        tables = {
            "performance": mean_performance(values),
            "variability": variability(values),
            "minima": minima(values),
            "lost_classes": lost_classes(values),
            "losses": losses(values, measure_values(with_a_lost_class(matrices))),
        }
        found = findings(tables["variability"], tables["minima"], tables["lost_classes"])
        return Evaluated(tables, found, size_table(pd.concat(map(problem_sizes, RATIOS))))

    return evaluated


@pytest.fixture(scope="session")
def evaluated(evaluate, toy) -> Evaluated:
    return evaluate(toy)
