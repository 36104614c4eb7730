"""The report of the experiment, and its tables."""

import pandas as pd
import pytest

from skewproof_studies.mullick.experiment.report import (
    chance_table,
    deviation_table,
    experiment_report,
    minimum_table,
)
from skewproof_studies.mullick.paper import MULTICLASS_NAMES

pytestmark = pytest.mark.slow


def test_deviations_are_compared_with_those_of_g_mean_and_auroc(evaluated):
    table = deviation_table(evaluated.tables["variability"]).set_index(["classes", "index"])
    two = table.loc["2"]
    reference = (two.loc["GMean", "sd"] + two.loc["AUROC", "sd"]) / 2
    expected = two.loc["Precision", "sd"] / reference
    assert two.loc["Precision", "times_reference"] == pytest.approx(expected)
    assert set(table.loc["more"].index) == set(MULTICLASS_NAMES.values())


def test_how_many_times_as_far_as_by_chance_over_problems():
    moved = pd.DataFrame(
        {
            "problem": ["a", "b", "a", "b"],
            "classes": [3, 5, 3, 5],
            "index": ["auroc_ova", "auroc_ova", "acsa", "acsa"],
            "sd": [0.6, 2.4, 0.1, 0.2],
            "sd_by_chance": [0.2, 0.2, 0.1, 0.1],
        }
    )
    table = chance_table(moved).set_index("index")
    columns = ["problems", "smallest", "median", "largest", "dependent"]
    assert (table["classes"] == "more").all()
    assert table.loc["AUROC-OVA", columns].tolist() == pytest.approx([2, 3, 7.5, 12, 1])
    assert table.loc["ACSA", columns].tolist() == pytest.approx([2, 1, 1.5, 2, 0])


def test_the_report_has_sizes_findings_and_undefined_values(evaluated):
    tables, found, sizes = evaluated
    text = experiment_report(found, sizes, tables)
    times = tables["variability"].query("index == 'auroc_ova'")
    (value,) = times["sd"] / times["sd_by_chance"]
    assert f"- AUROC-OVA: {value:.1f} to {value:.1f} times, on 1 problems." in text
    assert "- Precision (two classes): " in text
    assert "- ACSA: " not in text
    for part in (*found["finding"], "| two ", "values of indices are defined"):
        assert part in text
    performance = tables["performance"].assign(undefined=3)
    text = experiment_report(found, sizes, tables | {"performance": performance})
    assert "left out of the means" in text
    # The shortfall of AUROC-OVO is its theoretical share of ACSA's.
    (row,) = minimum_table(tables["minima"]).to_dict("records")
    assert row["AUROC-OVO: shortfall share"] == pytest.approx(3 / (2 * (3 - 1)))
