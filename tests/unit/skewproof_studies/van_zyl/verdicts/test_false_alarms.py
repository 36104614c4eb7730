from fractions import Fraction

import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.verdicts.false_alarms import false_alarms_at, prevalence_caveat


def test_false_alarms_by_hand():
    """90 of 100 positives are hits; 1 000 of 100 000 negatives are false alarms, or one of 100."""
    found = false_alarms_at(Level(1, 1000), ["balanced_accuracy"], registry=METRICS)
    assert found["for_each_hit"] == pytest.approx(1000 / 90)
    assert found["for_each_hit_when_balanced"] == pytest.approx(1 / 90)
    assert found["precision"] == pytest.approx(float(Fraction(90, 1090)))
    assert found["scores"].to_dict() == pytest.approx({"balanced_accuracy": (0.9 + 0.99) / 2})


def test_the_caveat_names_the_numbers():
    keys = ["g_mean", "optimized_precision_i"]
    text = prevalence_caveat(false_alarms_at(Level(1, 1000), keys, registry=METRICS))
    assert "0.011 false alarms for each hit at 1:1 and 11.1 at 1:1000" in text
    assert "its precision is 0.083" in text
    # sqrt(0.9·0.99) = 0.9439; (0.945 - 0.09/1.89 + 1)/2 = 0.9487.
    assert "0.94 (`g_mean`) to 0.95 (`optimized_precision_i`), scaled to [0, 1], at both" in text
    assert "robust" not in prevalence_caveat(false_alarms_at(Level(1, 9), [], registry=METRICS))
