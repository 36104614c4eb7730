"""The file of values at a sample."""

import io

import numpy as np
import pytest
from SALib.sample import sobol as salib_sample

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.salib.values import PART, sample, write_values


def test_values_are_written_in_parts_as_a_numpy_array():
    points = np.random.default_rng(1).uniform(0, 100, (PART + 3, 2))
    file = io.BytesIO()
    write_values(file, [METRICS["accuracy"], METRICS["laplace"]], points, Level(1, 1), 100)
    file.seek(0)
    values = np.load(file)
    tp, fp = points.T
    np.testing.assert_allclose(values[0], (tp + 100 - fp) / 200, rtol=1e-13)
    np.testing.assert_allclose(values[1], (tp + 1) / (tp + fp + 2), rtol=1e-13)


@pytest.mark.parametrize("log2_samples", [5, 14])
@pytest.mark.slow
def test_design_is_salibs(log2_samples):
    expected = salib_sample.sample(
        {"num_vars": 2, "names": ["tp", "fp"], "bounds": [[0, 100], [0, 1000]]},
        2**log2_samples,
        calc_second_order=False,
        seed=np.random.default_rng([0, 1, 10]),
    )
    found = sample(Level.parse("1:10"), 100, log2_samples=log2_samples, seed=0)
    np.testing.assert_array_equal(found, expected)
