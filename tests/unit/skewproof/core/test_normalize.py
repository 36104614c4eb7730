import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS


def test_names_are_made_from_the_metric_s_unless_they_are_given():
    found = normalized(METRICS["f2"])
    assert (found.key, found.symbol, found.source) == ("f2_i", "{F_2}_i", "f2 of the rates")
    own = normalized(METRICS["f2"], key="k", symbol="S", name="n", source="s")
    assert (own.key, own.symbol, own.name, own.source) == ("k", "S", "n", "s")


def test_the_metric_of_the_rates():
    """F1 of (0.8, 0.1, 0.2, 0.9), by hand: 1.6/1.9."""
    matrix = ConfusionMatrix.from_rates(0.8, 0.1, positives=10, negatives=1e6)
    assert normalized(METRICS["f1"])(matrix) == pytest.approx(1.6 / 1.9)
    scaled = normalized(METRICS["f1"], rescale=lambda value: np.sqrt(value))
    assert scaled(matrix) == pytest.approx((1.6 / 1.9) ** 0.5)
