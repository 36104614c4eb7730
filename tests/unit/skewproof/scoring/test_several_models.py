"""Differences of all pairs of several models."""

import itertools
import re

import numpy as np
import pandas as pd
import pytest

from skewproof import compare

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], 50)
SCORES = {name: RANDOM.normal(gain * TRUE) for name, gain in (("a", 0.3), ("b", 0.9), ("c", 1))}
CALLS = {name: (scores > 0.5).astype(int) for name, scores in SCORES.items()}


@pytest.mark.parametrize(("metric", "models"), [("auc", SCORES), ("f1", CALLS)])
@pytest.mark.slow
def test_each_pair_has_the_interval_of_a_third_of_the_errors(metric, models):
    rows = compare(metric, TRUE, models, confidence=0.94)
    for row, (first, second) in zip(
        rows.itertuples(), itertools.combinations("abc", 2), strict=True
    ):
        alone = compare(metric, TRUE, models[first], models[second], confidence=0.98)
        assert (row.first, row.second) == (first, second)
        assert (row.value, row.low, row.high) == pytest.approx((alone.value, alone.low, alone.high))
        assert row.p_value == pytest.approx(alone.p_value)
        assert row.confidence == 0.94


def test_p_values_are_those_of_holm_by_hand():
    rows = compare(
        ["auc", "brier"], TRUE, {name: 1 / (1 + np.exp(-x)) for name, x in SCORES.items()}
    )
    assert rows["metric"].tolist() == ["auc"] * 3 + ["brier"] * 3
    for _, of_metric in rows.groupby("metric"):
        least, middle, most = np.sort(of_metric["p_value"])
        steps = [3 * least, max(3 * least, 2 * middle), max(3 * least, 2 * middle, most)]
        assert np.sort(of_metric["p_adjusted"]) == pytest.approx(np.minimum(steps, 1))


def test_frames_are_mappings_and_two_models_need_no_adjustment():
    rows = compare("auc", TRUE, pd.DataFrame(SCORES))
    pd.testing.assert_frame_equal(rows, compare("auc", TRUE, SCORES))
    (row,) = compare("auc", TRUE, {"a": SCORES["a"], "b": SCORES["b"]}).itertuples()
    alone = compare("auc", TRUE, SCORES["a"], SCORES["b"])
    assert (row.low, row.high, row.p_adjusted) == (alone.low, alone.high, alone.p_value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"first": {"a": SCORES["a"]}}, "first = ['a']: expected at least two models"),
        ({"second": SCORES["a"]}, "expected None with several models in first"),
        ({"paired": False}, "paired = False: expected True with several models"),
        ({"first": SCORES["a"]}, "second = None: expected a second model"),
        ({"first": SCORES | {"d": [1, 2]}}, "first = a, second = d: "),
    ],
)
def test_refusals(wrong, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        compare(**{"metric": "auc", "y_true": TRUE, "first": SCORES} | wrong)
