"""The file of values at a sample."""

import io

import numpy as np

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.salib.values import PART, write_values


def test_values_are_written_in_parts_as_a_numpy_array():
    points = np.random.default_rng(1).uniform(0, 100, (PART + 3, 2))
    file = io.BytesIO()
    write_values(file, [METRICS["accuracy"], METRICS["laplace"]], points, Level(1, 1), 100)
    file.seek(0)
    values = np.load(file)
    tp, fp = points.T
    np.testing.assert_allclose(values[0], (tp + 100 - fp) / 200, rtol=1e-13)
    np.testing.assert_allclose(values[1], (tp + 1) / (tp + fp + 2), rtol=1e-13)
