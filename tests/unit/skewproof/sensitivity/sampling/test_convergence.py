import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.convergence import convergence

CHOSEN = [METRICS[key] for key in ("accuracy", "mcc", "f1_i")]


def errors(log2_samples):
    return convergence(
        CHOSEN,
        [Level.parse("1:10")],
        100,
        log2_samples=log2_samples,
        resamples=20,
        confidence=0.95,
        seed=1,
    )


@pytest.mark.slow
def test_convergence_measures_the_distance_from_the_exact_index():
    table = errors(range(5, 9))
    assert len(table) == 3 * 2 * 4
    assert (table["error"] >= 0).all()
    largest = table.groupby("log2_samples")["error"].max()
    assert largest[8] < largest[5]


@pytest.mark.slow
def test_each_sample_continues_the_one_before():
    first, longer = errors(range(5, 7)), errors(range(5, 9))
    same = longer[longer["log2_samples"] < 7]
    np.testing.assert_array_equal(same["error"], first["error"])
