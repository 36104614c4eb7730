"""The command ``skewproof decide``."""

import io

import pandas as pd
import pytest

from skewproof import decision_curve


@pytest.mark.slow
def test_csv_has_the_curve(run, files):
    options = ["--threshold", "0.1", "0.5", "--csv"]
    printed = pd.read_csv(io.StringIO(run("decide", str(files / "rows.csv"), *options)[1]))
    rows = pd.read_csv(files / "rows.csv").dropna(subset="y_true")
    models = {"y_score": rows["y_score"]}
    curve = decision_curve(rows["y_true"], models, thresholds=[0.1, 0.5])
    pd.testing.assert_frame_equal(printed, curve.to_frame())
