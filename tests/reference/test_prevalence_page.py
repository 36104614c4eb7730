"""Statements of the page on scores of probabilities."""

import sys

import numpy as np
import pytest
from scipy import stats

from skewproof import decision_curve
from study import PROJECT

sys.path.insert(0, str(PROJECT / "docs/filling"))
from prevalence_page import (
    LEVELS,
    MEAN,
    ROWS,
    THRESHOLD,
    TRAINED,
    binormal_net_benefit,
    is_line,
)

VALUES = {row.name: row.value for row in ROWS}
SIZE = 20_000
CHANCES = (np.arange(SIZE) + 0.5) / SIZE
TRUE = np.repeat([1, 0], SIZE)
SCORES = np.concatenate([stats.norm.ppf(CHANCES, MEAN), stats.norm.ppf(CHANCES)])


def probabilities(share):
    """Compute Bayes' rule from both densities."""
    of_positives = share * stats.norm.pdf(SCORES, MEAN)
    return of_positives / (of_positives + (1 - share) * stats.norm.pdf(SCORES))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("trained", [None, TRAINED])
@pytest.mark.slow
def test_the_net_benefit_is_that_of_a_decision_curve(level, trained):
    """Evenly spaced quantiles have the rates to one instance of a class."""
    share = {"1:1": 1 / 2, "1:10": 1 / 11, "1:1000": 1 / 1001}
    p = probabilities(share[trained or level])
    curve = decision_curve(TRUE, p, at=level, thresholds=THRESHOLD).iloc[0]
    step = 1 / SIZE
    for name, scale in (("net_benefit", share[level]), ("standardized", 1)):
        odds = THRESHOLD / (1 - THRESHOLD) * (1 - share[level]) / share[level]
        benefit = binormal_net_benefit(level, trained=trained, standardized=name == "standardized")
        assert abs(benefit - curve[name]) < scale * step * (1 + odds)


def test_the_scores_on_a_line_are_means_over_instances():
    """The score of adjusted forecasts is never linear in the prevalence."""
    lines = {name for name, value in VALUES.items() if is_line(value)}
    assert lines == {"Brier score", "log loss", "net benefit"}
    for value in VALUES.values():
        assert not is_line(lambda at, *, trained, value=value: value(at))


@pytest.mark.parametrize("name", VALUES)
def test_every_score_has_another_value_at_each_level(name):
    """Forecasts are the same where they were trained, and worse elsewhere."""
    adjusted = np.array([VALUES[name](level, trained=None) for level in LEVELS])
    plain = np.array([VALUES[name](level, trained=TRAINED) for level in LEVELS])
    for values in (adjusted, plain):
        assert np.abs(np.diff(values, append=values[:1])).min() > 1e-3
    lost = (adjusted - plain) * (-1 if name in ("Brier score", "log loss") else 1)
    assert (lost[[level != TRAINED for level in LEVELS]] > 0).all()
    assert lost[LEVELS.index(TRAINED)] == 0
