import json

import pytest

from skewproof import Level, get_metric
from skewproof.metrics import METRICS, parse_metric
from skewproof.operating_points import BinormalCurve, best_point, demands as module
from skewproof.operating_points.demands import demands, level_row, limit_rows, worth_in_words
from skewproof.sensitivity import DEFAULT_LEVELS


def told(key):
    return demands(get_metric(key), DEFAULT_LEVELS, positives=100)


def test_f1_by_level():
    rows = told("f1")
    assert [row["level"] for row in rows] == [*map(str, DEFAULT_LEVELS), "limit, proved"]
    expected = [(1 + 0.1 * ratio) / 0.9 for ratio in (1, 2, 10, 100, 1000)]
    assert [row["hit_is_worth"] for row in rows[:-1]] == pytest.approx(expected)
    assert rows[-1]["best_tpr"] == 0
    assert worth_in_words(rows) == (
        "One hit is worth 1.22 false alarms at 1:1, 112 at 1:1000, for a classifier with TPR"
        " 0.9 and FPR 0.1."
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("true_positive_rate", "worth infinitely many false alarms"),
        ("frequency_bias", "A negative rate rewards a false alarm or punishes a hit."),
        ("optimized_precision", "is not defined"),
    ],
)
@pytest.mark.slow
def test_other_rates_in_words(key, words):
    rows = told(key)
    assert words in worth_in_words(rows)
    json.dumps(rows, allow_nan=False)


def test_a_metric_without_a_direction_has_no_best_point():
    assert set(told("frequency_bias")[0]) == {"level", "hit_is_worth"}


@pytest.mark.slow
@pytest.mark.parametrize("key", METRICS)
def test_what_is_stored_is_what_is_computed(key):
    """Run benchmarks/speed/stored_demands.py if this fails."""
    metric = METRICS[key]
    computed = [level_row(metric, level, 100) for level in DEFAULT_LEVELS] + limit_rows(metric)
    stored = told(key)
    assert [list(row) for row in stored] == [list(row) for row in computed]
    for stored_row, expected in zip(stored, computed, strict=True):
        for value, other in zip(stored_row.values(), expected.values(), strict=True):
            is_number = isinstance(other, float)
            assert value == (pytest.approx(other, rel=1e-9, abs=1e-300) if is_number else other)


def test_what_is_stored_is_of_the_registered_metric_alone(monkeypatch):
    """A formula with its key, other class sizes and other levels are not stored."""
    monkeypatch.setattr(module, "level_row", lambda metric, level, positives: {"level": "computed"})
    monkeypatch.setattr(module, "limit_rows", lambda metric: [{"level": "computed"}])
    namesake = parse_metric("tp/P", key="f1")
    assert {row["level"] for row in demands(namesake, DEFAULT_LEVELS, 100)} == {"computed"}
    assert {row["level"] for row in demands(METRICS["f1"], DEFAULT_LEVELS, 7)} == {"computed"}
    levels = [*DEFAULT_LEVELS, Level.parse("3:997")]
    rows = demands(METRICS["f1"], levels, 100)
    assert [row["level"] for row in rows][-2:] == ["computed", "limit, proved"]


@pytest.mark.slow
def test_another_level_is_computed():
    (row, _) = demands(METRICS["f1"], [Level.parse("3:997")], 100)
    point = best_point("f1", BinormalCurve(mean=2), at="3:997")
    assert row["best_tpr"] == point.tpr
    assert row["hit_is_worth"] == pytest.approx((0.9 + 0.1 + 0.1 * 997 / 3) / 0.9)
