import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.real_data.flips import FLIP_COLUMNS
from skewproof_studies.van_zyl.real_data.flips_summary import summarize_flips

pytestmark = pytest.mark.slow


def table(*rows):
    return pd.DataFrame([("D4", *row, 0.0) for row in rows], columns=["dataset", *FLIP_COLUMNS])


def test_both_cut_offs_are_counted_with_every_confidence():
    usual = table(
        ("f1", "shy", 0.91, "f1_i", "bold", 0.82, True, 0.73),
        ("mcc", "shy", 0.64, "mcc_i", "shy", 0.55, False, 0.46),
        ("iba", "shy", 0.37, None, None, None, None, None),
    )
    moved = table(("f1", "bold", 0.28, "f1_i", "bold", 0.19, False, 0.97))
    text = summarize_flips(usual, moved, registry=METRICS)
    assert "| D4         | 1 of 2                 | 0 of 1                |" in text
    for share in ("0.91", "0.82", "0.73", "0.64", "0.55", "0.46", "0.28", "0.19", "0.97"):
        assert f" {share} |" in text
    assert "iba" not in text  # it has no variant
    assert "## With tuned cut-offs" in text
    assert "11.1 at 1:1000" in text
    nothing = summarize_flips(table(), table(), registry=METRICS)
    assert "No data set is available." in nothing
    assert nothing.count("None.") == 2
