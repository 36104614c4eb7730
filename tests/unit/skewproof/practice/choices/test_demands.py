import json

import pytest

from skewproof import DEFAULT_LEVELS, get_metric
from skewproof.practice.choices.demands import demands, worth_in_words


def told(key):
    return demands(get_metric(key), DEFAULT_LEVELS, positives=100)


def test_f1_by_level():
    rows = told("f1")
    assert [row["level"] for row in rows] == [*map(str, DEFAULT_LEVELS), "limit, proved"]
    expected = [(1 + 0.1 * ratio) / 0.9 for ratio in (1, 2, 10, 100, 1000)]
    assert [row["hit_is_worth"] for row in rows[:-1]] == pytest.approx(expected)
    assert rows[-1]["best_tpr"] == 0
    assert worth_in_words(rows) == (
        "One hit is worth 1.222 false alarms at 1:1, 112.2 at 1:1000, for a classifier with TPR"
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
