from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof.metrics import get_metric
from skewproof_studies.made_for_imbalance.numbers import call_table, kept_rows, level_rows
from skewproof_studies.made_for_imbalance.parameters import worth_table
from skewproof_studies.made_for_imbalance.report import imbalance_report, kinds_figure
from skewproof_studies.made_for_imbalance.robustness import LOST, NOT_EVERYWHERE
from written import check_written


@pytest.mark.slow
def test_the_whole_report_and_its_figure():
    metrics = {key: get_metric(key) for key in ("youden_j", "robust_f")}
    kinds, points = (
        pd.DataFrame([row for metric in metrics.values() for row in kept_rows(metric)[number]])
        for number in range(2)
    )
    levels = pd.DataFrame([row for metric in metrics.values() for row in level_rows(metric)])
    costs = pd.DataFrame({"measure": list(metrics), "width_20": [0.25, 0.5]})
    text = imbalance_report(kinds, points, levels, costs, call_table(metrics), worth_table())
    on_some_curves = kinds.assign(kept=LOST, evidence=NOT_EVERYWHERE)
    check_written(
        Path(__file__).with_name("report.txt"),
        two_measures=text,
        figure=figure_text(kinds_figure(kinds, metrics, list(metrics))),
        kept_on_some_curves=figure_text(kinds_figure(on_some_curves, metrics, list(metrics))),
    )
