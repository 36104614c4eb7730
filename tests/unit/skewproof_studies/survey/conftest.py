"""Results that are computed once for all tests of the survey."""

import itertools

import pandas as pd
import pytest

from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES, RankingModel, ranking_shifts
from skewproof.core.levels import Level
from skewproof_studies.survey.cluster_imbalance import cluster_sensitivity, cluster_shifts
from skewproof_studies.survey.ranking_imbalance import RANKING_INPUTS

LEVELS = [Level(1, 1), Level(1, 2), Level(1, 10)]


@pytest.fixture(scope="session")
def model():
    return RankingModel(items=60, k=5)


@pytest.fixture(scope="session")
def cluster_tables():
    """Indices and shifts."""
    indices = cluster_sensitivity(LEVELS, replicates=8, log2_samples=9, seed=3)
    return indices, cluster_shifts(LEVELS, LEVELS[0])


@pytest.fixture(scope="session")
def ranking_tables(model):
    """Indices, made up since they take long, and shifts."""
    indices = pd.DataFrame(
        itertools.product(RANKING_MEASURES, RANKING_INPUTS), columns=["measure", "input"]
    ).assign(from_level="1:1", to_level="1:10", error_estimate=1e-12)
    for kind, values in {"s1": [0.25, 0.5], "st": [0.5, 0.75]}.items():
        indices[kind] = indices[f"sampled_{kind}"] = values * len(RANKING_MEASURES)
        indices[f"{kind}_standard_error"] = 0.001
    return indices, ranking_shifts(model, LEVELS, LEVELS[0])
