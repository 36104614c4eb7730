import numpy as np
import pytest

from skewproof import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.operating_points import EmpiricalCurve, best_point, cutoffs, exchange_rate
from skewproof.operating_points.cutoff_values import extreme_in_words


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(4)
    y_true = np.repeat([1, 0], [200, 800])
    return y_true, random.normal(2 * y_true)


@pytest.mark.slow
def test_each_metric_has_its_best_threshold(data):
    y_true, y_score = data
    frame = cutoffs(y_true, y_score, metrics=["f1", "mcc", "youden_j"], at="1:100")
    for row in frame.itertuples():
        point = best_point(row.metric, EmpiricalCurve(y_true, y_score), at="1:100")
        assert (row.threshold, row.value) == (point.threshold, point.value)
        assert row.tpr == (y_score[y_true == 1] >= row.threshold).mean()
        assert row.fpr == (y_score[y_true == 0] >= row.threshold).mean()
        assert row.alarms_per_hit == pytest.approx(100 * row.fpr / row.tpr)
        assert row.share_called == pytest.approx((row.tpr + 100 * row.fpr) / 101)
        matrix = ConfusionMatrix.from_rates(row.tpr, row.fpr, positives=1, negatives=100)
        expected = float(exchange_rate(row.metric)(matrix))
        assert row.hit_is_worth == pytest.approx(expected, nan_ok=True)


@pytest.mark.slow
def test_all_registered_metrics_but_those_that_need_the_number_of_instances(data):
    there = cutoffs(*data, at="1:100")
    needing = [key for key in METRICS if key not in set(there["metric"])]
    assert needing == ["laplace", "adjusted_g_mean"]
    whole = cutoffs(*data, metrics=needing, at="1:100", total=10100)
    assert whole["metric"].tolist() == needing
    with pytest.raises(ValueError, match="total = None"):
        cutoffs(*data, metrics="laplace", at="1:100")


@pytest.mark.slow
def test_extremes_are_remarked(data):
    frame = cutoffs(
        *data, metrics=["accuracy", "true_positive_rate", "youden_j"], at="1:1000000000"
    ).set_index("metric")
    y_true, y_score = data
    lowest = y_score[y_true == 1].min()
    assert frame.loc["youden_j", "remark"] == ""
    assert frame.loc["true_positive_rate", "threshold"] == lowest
    upright = (y_score[y_true == 1] > y_score[y_true == 0].max()).mean()
    assert frame.loc["accuracy", "tpr"] == upright
    assert frame.loc["accuracy", "remark"] == "rests on no false alarm in the sample"
    rows = [0, 1, 0], [3, 2, 1]
    assert cutoffs(*rows, metrics="accuracy", at="1:100")["remark"].tolist() == [
        "finds next to nothing: 0 % of the positives"
    ]
    reversed_scores = [0, 0, 1], [3, 2, 1]
    assert cutoffs(*reversed_scores, metrics="true_positive_rate")["remark"].tolist() == [
        "calls nearly everything positive: 100 % of all instances"
    ]


@pytest.mark.parametrize(
    ("tpr", "share_called", "words"),
    [
        (0.1, 0.9, ""),
        (0.0999, 0.5, "finds next to nothing: 10 % of the positives"),
        (0.0, 0.0, "finds next to nothing: 0 % of the positives"),
        (1.0, 0.9001, "calls nearly everything positive: 90.01 % of all instances"),
        (0.05, 0.95, "finds next to nothing: 5 % of the positives"),
    ],
)
def test_less_than_a_tenth_is_extreme(tpr, share_called, words):
    assert extreme_in_words(tpr, share_called) == words
