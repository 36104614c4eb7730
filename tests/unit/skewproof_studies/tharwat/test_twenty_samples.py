import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from skewproof_studies.reporting.table import to_markdown
from skewproof_studies.tharwat.twenty_samples import (
    SCORES,
    TRUE_LABELS,
    areas_of_samples,
    table_1,
    table_of_thresholds,
)


def test_table_1_by_its_definition():
    for row in table_1().itertuples():
        predicted = row.threshold <= SCORES
        assert np.sum(predicted & (TRUE_LABELS == 1)) == row.TP
        assert np.sum(predicted & (TRUE_LABELS == 0)) == row.FP
    assert np.isnan(table_1()["PPV"].iloc[0])


def test_areas_of_the_samples():
    areas = areas_of_samples()
    assert areas["AUC"] == pytest.approx(0.68)
    assert areas["AUC"] == pytest.approx(roc_auc_score(TRUE_LABELS, SCORES))
    assert areas["equal error rate"] == 0.4


def test_table_for_the_eye():
    table = table_of_thresholds()
    assert r"| $t_{1}$ = $\infty$ | 0 " in to_markdown(table)
    assert table.data["PPV"].iloc[8] == "0.63"
