"""The command ``skewproof plan-labels``."""

import pandas as pd
import pytest


@pytest.mark.slow
def test_the_rows_are_written(parsed, files, tmp_path):
    options = ["--row-id", "id", "--labels", "120", "--score", "y_score", "--threshold", "0.3"]
    output = tmp_path / "to_label.csv"
    (plan,) = parsed("plan-labels", "f1", str(files / "new.csv"), *options, "--output", str(output))
    assert pd.read_csv(output, dtype={"id": str}).to_dict("records") == plan["rows"]
