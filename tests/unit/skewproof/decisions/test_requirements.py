"""Requirements on a cut-off."""

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.decisions.requirements import Requirement, parsed_requirements

MATRIX = ConfusionMatrix(tp=[3, 6], fp=[2, 18], fn=[7, 4], tn=[18, 2])


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("precision >= 0.6", [True, False]),
        ("precision>=.61", [False, False]),
        ("recall ≥ 6e-1", [False, True]),
        ("fpr <= 0.1", [True, False]),
        ("alarms <= 5", [True, False]),
        ("false_alarms <= 2", [True, False]),
        ("Hits >= 4", [False, True]),
        ("misses <= 4", [False, True]),
        ("tp / (tp + fp + fn) >= 0.25", [True, False]),
        ("tp - fp >= -12", [True, True]),
        # At n = 30 and P = 10 it is 5·tp/(40 + tp + fp): 1/3 and 30/64.
        ("robust_f(d0=1, beta = 1) >= 0.4", [False, True]),
    ],
)
@pytest.mark.slow
def test_a_requirement_is_met_where_its_metric_reaches_the_bound(text, met):
    assert Requirement.parsed(text).met(MATRIX).tolist() == met


def test_an_undefined_value_meets_nothing():
    nothing = ConfusionMatrix(tp=0, fp=0, fn=5, tn=5)
    assert not Requirement.parsed("precision >= 0").met(nothing)
    assert not Requirement.parsed("precision <= 1").met(nothing)


def test_a_requirement_is_shown_as_it_is_written():
    requirements = parsed_requirements(["recall >=0.50", "npv ≥ .9"])
    assert list(map(str, requirements)) == ["recall >= 0.5", "npv >= 0.9"]
    assert [requirement.metric.key for requirement in requirements] == [
        "true_positive_rate",
        "negative_predictive_value",
    ]


@pytest.mark.parametrize(
    ("require", "error", "said"),
    [
        ("precision > 0.5", ValueError, "expected a metric, >= or <=, and a number"),
        ("0.5 <= precision", ValueError, "expected a metric, >= or <=, and a number"),
        ("precision >= half", ValueError, "expected a metric, >= or <=, and a number"),
        ("recall >= 1.2", ValueError, "expected a bound that can be met: recall is at most 1"),
        ("mcc <= -2", ValueError, "expected a bound that can be met: mcc is at least -1"),
        ("precison >= 0.5", KeyError, "did you mean 'precision'"),
        ([], ValueError, "at least one requirement"),
        (3, ValueError, "or several of these"),
        ([0.5], ValueError, "expected a metric, >= or <=, and a number"),
    ],
)
def test_what_is_no_requirement_is_refused(require, error, said):
    with pytest.raises(error, match=said):
        parsed_requirements(require)


def test_bounds_beyond_the_metric_may_be_trivial():
    assert Requirement.parsed("recall >= -1").met(MATRIX).all()
    assert np.all(Requirement.parsed("recall <= 2").met(MATRIX))
