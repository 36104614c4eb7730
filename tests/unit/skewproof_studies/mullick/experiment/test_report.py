"""The report of the experiment, and its tables."""

from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof_studies.mullick.experiment.figures import (
    figure_3,
    figure_4,
    figure_5,
    problem_labels,
)
from skewproof_studies.mullick.experiment.report import (
    chance_table,
    experiment_report,
    minimum_table,
)
from written import check_written

pytestmark = pytest.mark.slow


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


def test_the_whole_report(evaluated):
    tables, found, sizes = evaluated
    performance = tables["performance"].assign(undefined=3)
    check_written(
        Path(__file__).with_name("report.txt"),
        all_defined=experiment_report(found, sizes, tables),
        some_undefined=experiment_report(found, sizes, tables | {"performance": performance}),
    )
    # The shortfall of AUROC-OVO is its theoretical share of ACSA's.
    (row,) = minimum_table(tables["minima"]).to_dict("records")
    assert row["AUROC-OVO: shortfall share"] == pytest.approx(3 / (2 * (3 - 1)))


def test_the_figures(evaluated):
    tables, labels = evaluated.tables, problem_labels(evaluated.sizes)
    check_written(
        Path(__file__).with_name("figures.txt"),
        figure_3=figure_text(figure_3(tables["variability"], labels)),
        figure_4=figure_text(figure_4(tables["variability"], labels)),
        figure_5=figure_text(figure_5(tables["minima"], labels)),
    )
