import numpy as np
import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof_studies.tharwat.areas import AREA_KINDS, mcc_f1_of_scores, sampled_areas
from skewproof_studies.tharwat.binormal import Binormal

pytestmark = pytest.mark.slow  # they wait for tables that take long


def test_the_mcc_f1_of_samples_tends_to_that_of_the_population():
    exact = Binormal(1.5, 0.5).mcc_f1_area().value
    random, gaps = np.random.default_rng(0), []
    for size in (100, 3000, 100_000):
        true = np.repeat([1, 0], size)
        scores = random.standard_normal(true.size) + 1.5 * true
        gaps.append(abs(mcc_f1_of_scores(true, scores) - exact))
    assert gaps[0] > 3 * gaps[1] > 9 * gaps[2]


def test_which_areas_move(study):
    moving = study[study["level"] != "1:1"].groupby("area")["changes"]
    still = {"roc", "det", "equal_error_rate"}
    assert set(moving.any()[moving.any()].index) == set(AREA_KINDS) - still
    assert moving.all().sum() == len(AREA_KINDS) - len(still)
    assert (study.loc[study["level"] == "1:1", ["shift", "sampled_shift"]] == 0).all().all()


def test_samples_of_unbiased_areas_are_where_they_should_be(study):
    """AUC is unbiased: 4 standard errors, with 20 samples, are left once in a thousand times."""
    rows = study[study["area"].isin(["roc", "det"])]
    apart = (rows["sampled"] - rows["exact"]).abs()
    assert (apart < 4 * rows["standard_error"]).all()


def test_a_level_has_its_own_seed():
    options = {"positives": 20, "replicates": 3}
    once, again = (sampled_areas(1.5, Level(1, 10), seed=1, **options) for _ in range(2))
    pd.testing.assert_frame_equal(once, again)
    assert not once.equals(sampled_areas(1.5, Level(1, 10), seed=2, **options))
