"""The worth of a hit by differences of the definition, and constants by the worth."""

import mpmath
import pytest

from skewproof.core.levels import Level
from skewproof_studies.made_for_imbalance.parameters import (
    WORTHS,
    d0_of_worth,
    d_of_worth,
    worth_table,
)


def robust_f(tp, fp, positives, negatives, d0, beta=1):
    total = positives + negatives
    mean = 1 / (d0 * total / tp + beta**2 * positives / tp + (tp + fp) / tp)
    return (d0 * total / positives + beta**2 + 1) * mean


def robust_mcc(tp, fp, positives, negatives, d):
    total = positives + negatives
    of_truth = mpmath.mpf(positives) * negatives / total**2
    called = (tp + fp) / total
    covariance = tp / total - called * positives / total
    scale = mpmath.sqrt(d / of_truth + 1)
    return scale * covariance / mpmath.sqrt(of_truth * (d + called * (1 - called)))


def worth(measure, constant, *, tpr, fpr, ratio, **options):
    """Divide both slopes, by central differences of 40 digits."""
    with mpmath.workdps(40):
        tp, fp, step = mpmath.mpf(tpr), mpmath.mpf(fpr) * ratio, mpmath.mpf(10) ** -12
        sizes = (mpmath.mpf(1), mpmath.mpf(ratio), mpmath.mpf(constant))
        by_hit = measure(tp + step, fp, *sizes, **options)
        by_hit -= measure(tp - step, fp, *sizes, **options)
        by_alarm = measure(tp, fp - step, *sizes, **options)
        by_alarm -= measure(tp, fp + step, *sizes, **options)
        return float(by_hit / by_alarm)


@pytest.mark.parametrize(("tpr", "fpr", "ratio"), [(0.8, 0.03, 1000), (0.4, 0.2, 10)])
@pytest.mark.parametrize("constant", [0.01, 0.3])
def test_the_worth_of_a_constant_gives_the_constant(tpr, fpr, ratio, constant):
    at = {"tpr": tpr, "fpr": fpr, "ratio": ratio}
    level = Level(1, ratio)
    of_f = worth(robust_f, constant, **at, beta=2)
    assert d0_of_worth(of_f, tpr, fpr, level, beta=2) == pytest.approx(constant, rel=1e-9)
    of_mcc = worth(robust_mcc, constant, **at)
    assert d_of_worth(of_mcc, tpr, fpr, level) == pytest.approx(constant, rel=1e-8)


@pytest.mark.slow
def test_the_table_has_constants_of_worths_and_worths_of_constants():
    """No d0 gives a hit the worth of 10 false alarms where a hit comes with 37.5 of them."""
    table = worth_table()
    asked = table[table["measure"] == "robust_f"].set_index("worth")["constant"]
    assert list(asked.index) == list(WORTHS)
    assert asked[100] == pytest.approx((100 * 0.8 - 1 - 30) / 1001)
    assert asked[10] < 0 < asked[50]
    stated = table.set_index("measure")["worth"]
    assert stated["robust_f(d0=0.1)"] == pytest.approx((100.1 + 1 + 30) / 0.8)
    at = {"tpr": 0.8, "fpr": 0.03, "ratio": 1000}
    assert stated["robust_mcc(d=0.05)"] == pytest.approx(worth(robust_mcc, 0.05, **at))
