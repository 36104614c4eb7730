import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.burduk.tables import COMPARED_METRICS
from skewproof_studies.burduk.theorem_and_slopes import normalized_difference, slopes, theorem


@pytest.mark.slow
def test_theorem():
    formulas = theorem()
    assert set(formulas) == {"hmnc", "accuracy", "balanced_accuracy", "g_mean"}
    assert set(map(str, formulas.values())) == {"u"}


def test_normalized_it_is_the_harmonic_mean_of_both_rates():
    assert normalized_difference() == 0
    u, v = np.random.default_rng(1).random((2, 50))
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=7, negatives=900)
    harmonic = get_metric("sensitivity_specificity_harmonic_mean")(matrix)
    np.testing.assert_allclose(get_metric("hmnc")(matrix.rates), harmonic, rtol=1e-14)


@pytest.mark.parametrize("key", COMPARED_METRICS)
@pytest.mark.slow
def test_slopes_are_the_differences_of_near_values(key):
    u, v, step, sizes = 0.6, 0.3, 1e-6, {"positives": 1000, "negatives": 100}

    def value(du, dv):
        rates = u + du * step, 1 - (v + dv * step)
        return bounded(get_metric(key))(ConfusionMatrix.from_rates(*rates, **sizes))

    by_u, by_v = slopes(key, np.array(u), np.array(v), **sizes)
    assert by_u == pytest.approx(abs(value(1, 0) - value(-1, 0)) / (2 * step), rel=1e-6)
    assert by_v == pytest.approx(abs(value(0, 1) - value(0, -1)) / (2 * step), rel=1e-6)
