import pandas as pd
import pytest

from skewproof_studies.choices.fates import BETWEEN, EVERYTHING, NOTHING, STAYS, fates


@pytest.mark.parametrize(
    ("path", "limit", "fate"),
    [
        ([(0.8, 0.1), (0.8, 0.1)], (0.8, 0.1), STAYS),
        ([(0.8, 0.1), (0.8, 0.1)], (0.8, 0.2), BETWEEN),
        ([(0.8, 0.1), (0.1, 0.0)], (0.009, 0.0), NOTHING),
        ([(0.8, 0.1), (0.9, 0.6)], (1.0, 0.999), EVERYTHING),
        ([(0.0, 0.0), (0.0, 0.0)], (0.0, 0.0), STAYS),
    ],
)
@pytest.mark.slow
def test_what_becomes_of_a_point(path, limit, fate):
    points = pd.DataFrame(path, columns=["tpr", "fpr"]).assign(metric="f1", curve="d2")
    limits = pd.DataFrame([limit], columns=["tpr", "fpr"]).assign(metric="f1", curve="d2")
    assert fates(points, limits)["fate"].to_list() == [fate]


def test_a_limit_of_a_metric_without_points_has_no_fate():
    empty = pd.DataFrame(columns=["metric", "curve", "tpr", "fpr"])
    limits = pd.DataFrame({"metric": ["f1"], "curve": "d2", "tpr": 0.0, "fpr": 0.0})
    assert fates(empty, limits).empty
