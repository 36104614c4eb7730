import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.surfaces.grid import deviation, surface


def test_surface_covers_the_counts_corner_to_corner():
    found = surface(METRICS["accuracy"], Level(1, 2), 100, grid=5)
    np.testing.assert_array_equal(found.tp, [0, 25, 50, 75, 100])
    np.testing.assert_array_equal(found.fp, [0, 50, 100, 150, 200])
    assert found.values[4, 0] == 1  # all positives found, no false alarm
    assert found.values[0, 4] == 0
    corner = ConfusionMatrix.from_tp_fp(25, 150, positives=100, negatives=200)
    assert found.values[1, 3] == METRICS["accuracy"](corner)


@pytest.mark.parametrize(
    ("undefined", "sigma", "points"),
    [
        ("omit", 0.25, 1),
        (0, 0.25 + 0.125 + 0.25, 3),
        (0.5, 0.25 + 0.375 + 0.25, 3),
    ],
)
def test_undefined_points_are_counted_under_every_policy(undefined, sigma, points):
    values, reference = np.array([0.5, np.nan, 0.25]), np.array([0.25, 0.125, np.nan])
    assert deviation(values, reference, undefined=undefined) == (sigma, points, 2)
