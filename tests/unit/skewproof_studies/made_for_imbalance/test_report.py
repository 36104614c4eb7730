import pandas as pd

from skewproof.metrics import get_metric
from skewproof_studies.made_for_imbalance.numbers import call_table, kept_rows, level_rows
from skewproof_studies.made_for_imbalance.parameters import worth_table
from skewproof_studies.made_for_imbalance.report import imbalance_report


def test_the_report_has_every_table():
    metrics = {key: get_metric(key) for key in ("youden_j", "robust_f")}
    kinds, points = (
        pd.DataFrame([row for metric in metrics.values() for row in kept_rows(metric)[number]])
        for number in range(2)
    )
    levels = pd.DataFrame([row for metric in metrics.values() for row in level_rows(metric)])
    costs = pd.DataFrame({"measure": list(metrics), "width_20": [0.25, 0.5]})
    text = imbalance_report(kinds, points, levels, costs, call_table(metrics), worth_table())
    assert "| value  |         1 |              1 |" in text
    assert "| robust_f  | in the limit, proved | in the limit, proved |" in text
    assert "it tends to u/(10*v + 1)" in text
    assert "0.607756" in text
    assert "TPR 0.8, FPR 0.03 and 1:1000" in text
    assert text.count("\n## ") == 7
