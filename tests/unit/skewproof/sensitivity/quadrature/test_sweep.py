import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.sweep import sweep, sweep_ratios

CHOSEN = [METRICS[key] for key in ("accuracy", "mcc", "f1_i")]


def test_ratios_are_even_in_their_logarithm():
    ratios = sweep_ratios(Level.parse("1000:1"), Level.parse("1:1000000"), 5)
    assert len(ratios) == 9 * 5 + 1
    np.testing.assert_allclose(ratios[[0, 15, -1]], [1e-3, 1, 1e6])
    np.testing.assert_allclose(ratios[1:] / ratios[:-1], 10**0.2)


@pytest.mark.slow
def test_sweep_has_the_exact_indices_of_its_levels():
    ends = {"start": Level.parse("10:1"), "stop": Level.parse("1:100")}
    table = sweep(CHOSEN, 100, **ends, points_per_decade=2)
    assert len(table) == 3 * 7
    rows = table[np.isclose(table["negatives_per_positive"], 10)].set_index("metric")
    exact = exact_indices(CHOSEN, positives=100, negatives=1000)
    np.testing.assert_allclose(rows["s1_tp"], exact.s1[:, 0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["s1_fp"], exact.s1[:, 1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(rows["s12"], exact.s12, rtol=0, atol=1e-12)
    parts = table[["s1_tp", "s1_fp", "s12"]].sum(axis=1)
    np.testing.assert_allclose(parts, 1, rtol=0, atol=1e-12)
