"""Two small problems, the matrices of their classifiers, and what is computed of these."""

import warnings
from typing import NamedTuple

import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

from skewproof.studies.mullick.experiment.findings import findings
from skewproof.studies.mullick.experiment.protocol import (
    Problem,
    experiment_matrices,
    load_problem,
    problem_sizes,
)
from skewproof.studies.mullick.experiment.report import size_table
from skewproof.studies.mullick.experiment.statistics import (
    losses,
    lost_classes,
    mean_performance,
    measure_values,
    minima,
    variability,
    with_a_lost_class,
)


class Evaluated(NamedTuple):
    """What the study makes of matrices."""

    tables: dict[str, pd.DataFrame]
    found: pd.DataFrame
    sizes: pd.DataFrame


@pytest.fixture(scope="session")
def problems() -> dict[str, Problem]:
    return {
        "two": load_problem("iris", [[2], [1]], 5),
        "three": load_problem("iris", [[2], [1], [0]], 4),
    }


@pytest.fixture(scope="session")
def options():
    """Options of the classifiers."""
    return {"trees": 3, "hidden_units": 8, "iterations": 2000, "resamples": 2, "neighbors": 3}


@pytest.fixture(scope="session")
def few_iterations(options):
    """Options with which the perceptron may end before it converges, yet predicts each class."""
    return options | {"iterations": 500}


@pytest.fixture(scope="session")
def toy(problems, few_iterations):
    """Matrices of a problem of two and one of three classes, in two runs."""
    protocol = {"folds": 2, "seed": 1, "name": "toy"}
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        parts = [
            experiment_matrices(problem, few_iterations, **protocol, run=run).assign(
                problem=name, classes=len(problem.ratios)
            )
            for name, problem in problems.items()
            for run in (1, 2)
        ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="session")
def values(toy):
    """The paper's measures of the matrices."""
    return measure_values(toy)


@pytest.fixture(scope="session")
def evaluate(problems):
    """What the study makes of any such matrices."""
    sizes = [
        problem_sizes(problem, folds=2, seed=1, name=name).assign(problem=name)
        for name, problem in problems.items()
    ]

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
        return Evaluated(tables, found, size_table(pd.concat(sizes)))

    return evaluated


@pytest.fixture(scope="session")
def evaluated(evaluate, toy) -> Evaluated:
    return evaluate(toy)
