"""The report of the experiment, and its tables."""

import pytest

from skewproof.studies.mullick.experiment.report import (
    deviation_table,
    experiment_report,
    minimum_table,
)
from skewproof.studies.mullick.names import MULTICLASS_NAMES


def test_deviations_are_compared_with_those_of_g_mean_and_auroc(evaluated):
    table = deviation_table(evaluated.tables["variability"]).set_index(["classes", "index"])
    two = table.loc["2"]
    reference = (two.loc["GMean", "sd"] + two.loc["AUROC", "sd"]) / 2
    expected = two.loc["Precision", "sd"] / reference
    assert two.loc["Precision", "times_reference"] == pytest.approx(expected)
    assert set(table.loc["more"].index) == set(MULTICLASS_NAMES.values())


def test_the_shortfall_of_auroc_ovo_is_its_theoretical_share_of_acsas(evaluated):
    (row,) = minimum_table(evaluated.tables["minima"]).to_dict("records")
    assert row["AUROC-OVO: shortfall share"] == pytest.approx(3 / (2 * (3 - 1)))


def test_the_report_has_sizes_findings_and_undefined_values(evaluated):
    tables, found, sizes = evaluated
    text = experiment_report(found, sizes, tables)
    for finding in found["finding"]:
        assert finding in text
    assert "| two " in text
    assert "none is undefined" in text
    performance = tables["performance"].assign(undefined=3)
    text = experiment_report(found, sizes, tables | {"performance": performance})
    assert "left out of the means" in text
