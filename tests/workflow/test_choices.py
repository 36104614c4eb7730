"""Choices by metrics and by published measures."""

import pandas as pd
import pytest

from study import EVERY_STUDY, SMALL

TABLES = ("points", "limits", "rates", "missing", "groups")
CURVES = EVERY_STUDY["choices"]["curves"]


@pytest.fixture(scope="module")
def tables(whole):
    folder = whole.folder / "results/choices"
    return {
        of: {name: pd.read_csv(folder / of / f"{name}.csv") for name in TABLES}
        for of in ("", "atlas")
    }


def test_each_metric_has_a_point_at_each_level_on_each_curve_or_a_reason(tables):
    points = tables[""]["points"]
    assert list(points["metric"].unique()) == SMALL["metrics"]
    assert list(points["level"].unique()) == ["7:3", "1:1", "1:10"]
    assert len(points) == len(SMALL["metrics"]) * len(CURVES) * len(SMALL["levels"])
    atlas = tables["atlas"]
    assert set(atlas["missing"]["metric"]) == {"frequency_bias"}
    measures = set(EVERY_STUDY["choices"]["measures"])
    assert set(atlas["points"]["metric"]) == measures - {"frequency_bias"}


def test_metrics_and_the_atlas_agree_on_what_both_have(tables):
    columns = ["metric", "curve", "level", "tpr", "fpr", "value"]
    both = [tables[of]["points"].query("metric == 'f1'")[columns] for of in ("", "atlas")]
    pd.testing.assert_frame_equal(*(one.reset_index(drop=True) for one in both))


def test_f1_and_gilberts_ratio_are_proved_to_order_alike(whole, tables):
    groups = tables["atlas"]["groups"].set_index("metric")
    assert groups.loc["f1", ["group", "relation"]].to_list() == ["gilbert_ratio", "same ordering"]
    report = (whole.folder / "results/choices/atlas/report.md").read_text()
    assert "2 choose like `gilbert_ratio`" in report


def test_the_table_has_the_points(whole, tables):
    table = pd.read_csv(whole.folder / "results/choices/tables/equal.csv").set_index("metric")
    points = tables[""]["points"].query("curve == 'equal' and level == '1:10'").set_index("metric")
    assert table["1:10"].to_dict() == points["tpr"].to_dict()
