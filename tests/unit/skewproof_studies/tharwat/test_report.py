from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof_studies.tharwat.areas import areas_figure
from skewproof_studies.tharwat.curve_figures import (
    CURVE_FIGURES,
    iris_curves_figure,
    iris_matrices_figure,
)
from skewproof_studies.tharwat.report import claim_report, examples_report
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long


def test_the_whole_reports(rows, comparison, iris):
    shares = pd.DataFrame({"level": ["1:10"], "mean_shift": [0.5], "largest_shift": [0.6]})
    shifts = [(1, "1:10", 0.1, 0.2), (5, "1:10", 0.3, 0.4)]
    numbers = pd.DataFrame(shifts, columns=["positives", "level", "mean_shift", "largest_shift"])
    total = pd.DataFrame({"example": ["Table 1"], "auc_total": [0.68]})
    agreeing = comparison[comparison["agrees"]]
    check_written(
        Path(__file__).with_name("report.txt"),
        claims=claim_report(rows, numbers, shares, total),
        examples=examples_report(comparison, iris),
        examples_without_disagreements=examples_report(agreeing, iris),
    )


def test_the_figures(study, experiment, iris):
    """Scores that are equal go both ways round a rectangle, and curves cross at FPR = 0.6."""
    check_written(
        Path(__file__).with_name("figures.txt"),
        **{name: figure_text(draw()) for name, draw in CURVE_FIGURES.items()},
        areas=figure_text(areas_figure(study, 1.5)),
        iris_curves=figure_text(iris_curves_figure(experiment)),
        iris_matrices=figure_text(iris_matrices_figure(iris)),
    )
