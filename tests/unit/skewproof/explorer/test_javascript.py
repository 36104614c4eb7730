"""Formulas and scales as JavaScript."""

import json

import pytest

from skewproof.core.scales import LOGISTIC, ODDS
from skewproof.explorer.javascript import (
    data_in_javascript,
    formulas_in_javascript,
    scales_in_javascript,
)
from skewproof.metrics import METRICS


@pytest.mark.slow
def test_a_case_of_its_own_is_a_condition():
    (line,) = formulas_in_javascript({"agm": METRICS["adjusted_g_mean"]}).splitlines()[1:-1]
    assert line.startswith('  ["agm"]: (t_p, f_p, f_n, t_n) => ((t_p/(f_n + t_p) == 0) ? ( 0 ) : (')


@pytest.mark.slow
def test_functions_are_those_of_math():
    text = formulas_in_javascript({"dp": METRICS["discriminant_power"]})
    assert "Math.sqrt(3)*Math.log(t_n*t_p/(f_n*f_p))/Math.PI" in text


@pytest.mark.slow
def test_unbounded_metrics_have_the_scale_of_their_bounds():
    keys = ("f1", "diagnostic_odds_ratio", "positive_likelihood_ratio", "discriminant_power")
    lines = scales_in_javascript({key: METRICS[key] for key in keys}).splitlines()[1:-1]
    assert [line.split('"')[1] for line in lines] == [ODDS.name, LOGISTIC.name]
    assert "to: (x) => 1 - 1/(x + 1)" in lines[0]
    assert "to: (x) => 1/(1 + Math.exp(-x))" in lines[1]


def test_data_end_no_script_and_are_the_same_when_read():
    value = {"a": ["</script><b>", 1.5, None]}
    text = data_in_javascript(value)
    assert "<" not in text
    assert json.loads(text) == value
