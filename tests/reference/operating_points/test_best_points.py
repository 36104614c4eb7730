"""Best points against stored ones that golden sections at 120 digits found."""

import csv
from pathlib import Path

import pytest

from skewproof.operating_points import BinormalCurve, best_point

with (Path(__file__).parent / "best_points.csv").open(newline="") as file:
    ROWS = list(csv.DictReader(file))

METRICS = sorted({row["metric"] for row in ROWS})


@pytest.mark.parametrize("metric", METRICS)
def test_best_points_are_those_of_a_second_method(metric):
    for row in ROWS:
        if row["metric"] != metric:
            continue
        curve = BinormalCurve(float(row["mean"]), float(row["deviation"]))
        point = best_point(metric, curve, at=f"1:{row['ratio']}")
        where = f"{row}"
        if row["kind"] == "end":
            assert point.kind in ("corner", "supremum"), where
            continue
        assert point.kind == "attained", where
        assert point.value == pytest.approx(float(row["value"]), rel=0, abs=1e-10), where
        assert point.tpr == pytest.approx(float(row["tpr"]), rel=1e-6), where
        assert point.fpr == pytest.approx(float(row["fpr"]), rel=1e-6), where
