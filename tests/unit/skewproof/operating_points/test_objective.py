import numpy as np
import pytest

from skewproof import get_metric
from skewproof.operating_points import BinormalCurve
from skewproof.operating_points.objective import Objective


@pytest.mark.parametrize(
    ("key", "ratio"),
    [
        *((key, 1e6) for key in ("f1", "mcc", "markedness", "error_rate", "mcc_f1", "iba")),
        ("f1", 1),
    ],
)
@pytest.mark.slow
def test_signs_are_those_of_exact_slopes(key, ratio):
    objective = Objective(get_metric(key), BinormalCurve(2, 1.2), 100, ratio)
    positions, signs = objective.curve.positions, objective.signs()
    changes = np.flatnonzero(signs[1:] != signs[:-1])
    for position, sign in list(zip(positions, signs, strict=True))[::37]:
        exact = objective.slope(float(position))
        near_change = changes.size and np.abs(positions[changes] - position).min() < 0.2
        if exact and not np.isnan(exact) and not near_change:
            assert np.sign(exact) == sign, position


@pytest.mark.parametrize("position", [-3.0, 0.5, 2.0, 5.0])
@pytest.mark.parametrize("key", ["f1", "mcc", "error_rate", "g_mean"])
@pytest.mark.slow
def test_slopes_have_the_sign_of_the_values_changes(key, position):
    objective = Objective(get_metric(key), BinormalCurve(2), 100, 10)
    change = objective.value(position - 1e-4) - objective.value(position + 1e-4)
    assert np.sign(objective.slope(position)) == np.sign(change)


def test_slopes_near_a_corner_keep_their_sign():
    """Precision rises to the start of the curve, where floats have it as 1."""
    objective = Objective(get_metric("precision"), BinormalCurve(2), 100, 1000)
    assert objective.value(30.0) == 1
    assert all(objective.slope(position) < 0 for position in (10.0, 30.0, 60.0))
