import numpy as np
import pytest

from known_values import INVARIANT
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.surfaces.grid import deviation, grid_matrix
from skewproof.sensitivity.surfaces.shift import mean_shift

BALANCED = Level(1, 1)


@pytest.mark.parametrize("level", ["1:2", "1:1000", "7:3"])
@pytest.mark.slow
def test_accuracy_in_closed_form(level):
    """The difference is (N - P)/(2 (P + N)) |1 - u - v|, and |1 - u - v| has mean 1/3."""
    level = Level.parse(level)
    positives, negatives = 100, level.negatives(100)
    expected = abs(negatives - positives) / (2 * (positives + negatives)) / 3
    shift = mean_shift(METRICS["accuracy"], level, BALANCED, positives)
    assert shift.mean == pytest.approx(expected, abs=1e-12)
    assert shift.error_estimate < 1e-12


@pytest.mark.slow
def test_a_kink_is_no_obstacle():
    """OP differs by what accuracy differs, since the relationship index is of rates."""
    shifts = [
        mean_shift(METRICS[key], Level(1, 10), BALANCED, 100)
        for key in ("optimized_precision", "accuracy")
    ]
    assert shifts[0].mean == pytest.approx(shifts[1].mean, abs=1e-12)


@pytest.mark.parametrize("key", sorted(set(METRICS) - INVARIANT))
@pytest.mark.slow
def test_grids_tend_to_the_integral(key):
    """Midpoints of a fine grid, whose error is about the square of their distance."""
    metric, level, grid = METRICS[key], Level(7, 3), 300
    middles = (np.arange(grid) + 0.5) / grid

    def surface(place):
        negatives = place.negatives(100)
        matrix = grid_matrix(place, 100, grid=2)
        return metric(
            type(matrix).from_tp_fp(
                100 * middles[:, np.newaxis],
                negatives * middles,
                positives=100,
                negatives=negatives,
            )
        )

    sigma, points, _ = deviation(surface(level), surface(BALANCED), undefined="omit")
    shift = mean_shift(metric, level, BALANCED, 100)
    assert shift.error_estimate < 1e-5
    assert shift.mean == pytest.approx(sigma / points, abs=2e-4)
