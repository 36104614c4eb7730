"""Rows of numbers, compared with the definitions of robust F and with calls by hand."""

import pytest

from skewproof import interval
from skewproof.metrics import get_metric
from skewproof_studies.made_for_imbalance.numbers import (
    call_table,
    cost_table,
    kept_rows,
    level_rows,
)


def test_values_and_exchange_rates_at_each_level():
    """With P = 100 at 1:r: (d0(1 + r) + 2)·0.8/(d0(1 + r) + 1.8 + 0.03r)."""
    rows = level_rows(get_metric("robust_f"))
    assert [row["level"] for row in rows] == [f"1:{10**power}" for power in range(7)]
    for row, ratio in zip(rows, (10**power for power in range(7)), strict=True):
        weight = 0.1 * (1 + ratio)
        value = (weight + 2) * 0.8 / (weight + 1.8 + 0.03 * ratio)
        rate = (weight + 1 + 0.03 * ratio) / 0.8 / ratio
        assert (row["value"], row["exchange_over_ratio"]) == pytest.approx((value, rate))
    assert {row["type"] for row in rows} == {"1"}
    assert rows[0]["sigma"] == 0 < rows[1]["sigma"] < rows[6]["sigma"]
    unchanged = level_rows(get_metric("balanced_accuracy"))
    assert {row["type"] for row in unchanged} == {"5"}
    assert [row["s1_tp"] for row in unchanged] == pytest.approx([0.5] * 7)


@pytest.mark.slow
def test_best_points_have_seven_levels_and_a_limit_on_each_curve():
    kinds, points = kept_rows(get_metric("robust_mcc(d=0.5)"))
    assert [row["kind"] for row in kinds] == ["value", "order", "choice"]
    assert [row["level"] for row in points[7::8]] == ["limit", "limit"]
    path = [row["tpr"] for row in points[:8]]
    assert path[-1] == pytest.approx(0.7948, abs=5e-5)
    assert path[-2] == pytest.approx(path[-1], abs=1e-5)
    assert path[0] == pytest.approx(0.8413, abs=5e-5)  # by symmetry at 1:1
    _, kept = kept_rows(get_metric("youden_j"))
    assert {round(row["tpr"], 4) for row in kept[:8]} == {0.8413}


@pytest.mark.slow
def test_widths_of_intervals_are_near_those_of_normal_errors():
    """Slopes by u, v and the logarithm of r, by hand, times the standard errors of all three: the
    instances were drawn together, so that the number of positives varies too."""
    u, v, r = 0.8, 0.03, 1000
    weight = 0.1 * (1 + r)
    f1, robust = 1 + u + r * v, weight + 1 + u + r * v
    slopes = {
        "balanced_accuracy": (1 / 2, -1 / 2, 0),
        "precision_i": (v / (u + v) ** 2, -u / (u + v) ** 2, 0),
        "f1": (2 * (1 + r * v) / f1**2, -2 * u * r / f1**2, -2 * u * r * v / f1**2),
        "robust_f": (
            (weight + 2) * (weight + 1 + r * v) / robust**2,
            -(weight + 2) * u * r / robust**2,
            0.1 * r * u / robust - (weight + 2) * u * (0.1 * r + r * v) / robust**2,
        ),
    }
    table = cost_table({key: get_metric(key) for key in slopes}, interval).set_index("measure")
    assert list(table.columns) == ["width_20", "width_100", "width_1000"]
    for positives, tolerance in ((100, 0.06), (1000, 0.02)):
        errors = u * (1 - u), v * (1 - v) / r, 1 + 1 / r
        for key, by in slopes.items():
            variance = sum(slope**2 * error for slope, error in zip(by, errors, strict=True))
            width = 2 * 1.96 * (variance / positives) ** 0.5
            assert table.loc[key, f"width_{positives}"] == pytest.approx(width, rel=tolerance), key


def test_calls_that_ignore_the_instances():
    """Always negative is right at 1:1000 for 1000 of 1001, and F1 of always positive is 2/1002."""
    metrics = {key: get_metric(key) for key in ("accuracy", "f1", "mcc", "robust_f")}
    table = call_table(metrics).set_index("measure")
    assert table.loc["accuracy", "always negative"] == pytest.approx(1000 / 1001)
    assert table.loc["f1", "always positive"] == pytest.approx(2 / 1002)
    assert table.loc["mcc"].isna().sum() == 2
    assert table.loc["mcc", "random at 0.1"] == pytest.approx(0, abs=1e-12)
    assert table.loc["robust_f", "always positive"] == pytest.approx(102.1 / 1102.1)
