import pandas as pd
import pytest

from skewproof_studies.choices.tables import curve_table, level_table
from skewproof_studies.reporting.table import to_latex, to_markdown


def of_curve(table, name="equal"):
    return table[table["curve"] == name]


@pytest.mark.slow
def test_a_row_has_the_points_of_all_levels_the_limit_and_the_cutoff(found, registry):
    points, limits = of_curve(found.points), of_curve(found.limits)
    options = {"label": "d = 2, b = 1", "registry": registry}
    table = curve_table(points, limits, found.rates, **options)
    shown = table.display.set_index("metric")
    assert shown.loc["$F_1$"].to_list() == ["0.8764", "0.132", "0", "", "F1/2"]
    assert list(table.data.columns) == [
        *("metric", "1:1", "1:1000", "limit", "support", "jumps_at", "cutoff"),
    ]
    assert "d = 2, b = 1" in to_markdown(table)
    assert r"\caption" in to_latex(table)
    # Jumps are told, and long formulas left out.
    jumping = points.assign(jumps_at=[float("nan"), 31.25] * 4)
    table = curve_table(jumping, limits, found.rates.assign(cutoff_in_words="x" * 41), **options)
    assert set(table.display["jumps at"]) == {"1:31.25"}
    assert set(table.display["cut-off"]) == {""}
    assert set(table.data["cutoff"]) == {"x" * 41}


def test_a_level_has_the_plateau_and_the_kind(found, registry):
    points = of_curve(found.points)
    there = points[points["level"] == "1:1000"]
    table = level_table(there, level="1:1000", label="d = 2, b = 1", registry=registry)
    shown = table.display.set_index("metric")
    low, high = there.set_index("metric").loc["f1", ["tpr_low", "tpr_high"]]
    assert shown.loc["$F_1$", "TPR within 1 %"] == f"{low:.4g} to {high:.4g}"
    assert shown["kind"].to_list()[-1] == "supremum"
    pd.testing.assert_series_equal(table.data["tpr"], there["tpr"], check_names=False)
