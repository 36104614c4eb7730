import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof.operating_points import BinormalCurve
from skewproof_studies.choices.points import (
    Chosen,
    binormal_curves,
    chosen,
    rarer_and_rarer,
    together,
)

pytestmark = pytest.mark.slow


def test_the_best_point_of_accuracy_by_hand(found):
    """The densities have the ratio r at d/2 + ln(r)/d if b = 1."""
    points = found.points.set_index(["metric", "curve", "level"])
    for level, ratio in (("1:1", 1), ("1:1000", 1000)):
        row, threshold = points.loc[("accuracy", "equal", level)], 1 + np.log(ratio) / 2
        tpr, fpr = ndtr(2 - threshold), ndtr(-threshold)
        assert row["threshold"] == pytest.approx(threshold, rel=1e-9)
        assert [row["tpr"], row["fpr"]] == pytest.approx([tpr, fpr], rel=1e-6)
        assert row["value"] == pytest.approx((tpr + ratio * (1 - fpr)) / (1 + ratio), rel=1e-10)
        assert row["share_called"] == pytest.approx((tpr + ratio * fpr) / (1 + ratio), rel=1e-6)
        assert row["alarms_per_hit"] == pytest.approx(ratio * fpr / tpr, rel=1e-6)
        assert row["tpr_low"] <= row["tpr"] <= row["tpr_high"]


def test_limits_rates_and_why_others_are_missing(found):
    curves = binormal_curves({"wide": {"d": 2, "b": 0.5}})
    assert curves == {"wide": BinormalCurve(mean=2, deviation=2)}
    limits = found.limits.set_index(["metric", "curve"])
    assert limits.loc[("f1", "equal"), ["tpr", "fpr", "support"]].to_list() == [0, 0, "proved"]
    rates = found.rates.set_index("metric").loc["f1", ["formula", "cutoff_in_words"]]
    assert rates.to_list() == ["(fn + fp + tp)/tp", "F1/2"]
    missing = found.missing.set_index(["metric", "what"])
    assert set(missing.index) == {("frequency_bias", "best points"), ("frequency_bias", "limit")}
    assert set(missing["curves"]) == {"all"}
    assert missing["reason"].str.contains("a metric whose good values are high or low").all()
    assert "frequency_bias" not in set(found.points["metric"])


def test_a_metric_that_sympy_does_not_read_is_missing(curves, levels):
    def opaque(matrix):
        return np.asarray(matrix.tp, dtype=float)

    metric = parse_metric("tp/P", key="opaque")
    object.__setattr__(metric, "formula", opaque)
    found = chosen([metric], curves, levels, 100)
    assert set(found.missing["what"]) == {"exchange rate", "best points", "limit"}
    assert found.points.empty


def test_the_size_of_the_positive_class_enters(curves, levels):
    """Laplace's correction is next to nothing where there are very many positives."""
    only = {"equal": curves["equal"]}
    few, many = (
        chosen([METRICS["laplace"]], only, levels[:1], positives).points["tpr"].item()
        for positives in (10, 10_000)
    )
    assert few > 5 * many


def test_tables_of_several_jobs_are_in_the_order_of_the_metrics(found):
    parts = {
        name: [table[table["metric"] == key] for key in ("f1", "accuracy", "frequency_bias")]
        for name, table in found._asdict().items()
    }
    both = together(parts, ["accuracy", "f1", "frequency_bias"])
    assert isinstance(both, Chosen)
    assert list(both.points["metric"].unique()) == ["accuracy", "f1"]
    whole = found.points[found.points["metric"].isin(["accuracy", "f1"])]
    pd.testing.assert_frame_equal(both.points, whole.reset_index(drop=True))


def test_levels_rise():
    levels = rarer_and_rarer(["1:10", "7:3", "1:1"])
    assert [str(level) for level in levels] == ["7:3", "1:1", "1:10"]
