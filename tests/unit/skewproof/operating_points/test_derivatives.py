import numpy as np
import pytest

from skewproof import ConfusionMatrix, get_metric
from skewproof.core.confusion import matrix_of
from skewproof.metrics import parse_metric
from skewproof.operating_points.derivatives import derivatives

CELLS = (9.0, 4.0, 3.0, 20.0)


@pytest.mark.parametrize("key", ["f1", "mcc", "optimized_precision", "limited_yates_chi_squared"])
@pytest.mark.slow
def test_derivatives_are_those_of_finite_differences(key):
    metric, step = get_metric(key), 1e-5
    value, by_hit, by_alarm = derivatives(metric).in_floats(*map(np.array, CELLS))
    tp, fp, fn, tn = CELLS
    hits, alarms = (
        [
            float(
                metric(
                    ConfusionMatrix(
                        tp=tp + s * hit, fp=fp + s * alarm, fn=fn - s * hit, tn=tn - s * alarm
                    )
                )
            )
            for s in (step, -step)
        ]
        for hit, alarm in ((1, 0), (0, 1))
    )
    assert value == pytest.approx(float(metric(matrix_of(CELLS))), rel=1e-12)
    assert by_hit == pytest.approx((hits[0] - hits[1]) / (2 * step), rel=1e-6)
    assert by_alarm == pytest.approx((alarms[0] - alarms[1]) / (2 * step), rel=1e-6)


def test_switches_are_where_a_metric_has_a_kink():
    (switch,) = derivatives(parse_metric("max(tp, 2*fn)/P")).switches
    tp, _, fn, _ = derivatives(get_metric("f1")).cells
    assert switch.subs({tp: 2, fn: 1}) == 0
    assert derivatives(get_metric("f1")).switches == ()
