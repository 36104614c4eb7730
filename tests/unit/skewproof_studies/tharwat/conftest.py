from pathlib import Path

import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof_studies.tharwat.areas import area_study
from skewproof_studies.tharwat.claims import claim_rows
from skewproof_studies.tharwat.examples import compare_with_printed
from skewproof_studies.tharwat.iris import iris_experiment, iris_results

RESOURCES = Path(__file__).parents[4] / "resources/tharwat"


@pytest.fixture(scope="session")
def printed():
    """The three tables of what is printed, all digits as text."""
    names = ("printed", "table_1", "remarks")
    return {name: pd.read_csv(RESOURCES / f"{name}.csv", dtype=str) for name in names}


@pytest.fixture(scope="session")
def comparison(printed):
    return compare_with_printed(*printed.values())


@pytest.fixture(scope="session")
def experiment():
    return iris_experiment(folds=5, seed=1)


@pytest.fixture(scope="session")
def iris(experiment):
    return iris_results(experiment)


@pytest.fixture(scope="session")
def claims():
    return pd.read_csv(RESOURCES / "claims.csv", dtype={"section": str})


@pytest.fixture(scope="session")
def rows(claims):
    return claim_rows(claims, [Level(1, 10), Level(1, 1000)], Level(1, 1), 100)


@pytest.fixture(scope="session")
def study():
    levels = [Level(1, 1), Level(1, 100), Level(7, 3)]
    return area_study(1.5, levels, Level(1, 1), positives=20, replicates=20, seed=1)
