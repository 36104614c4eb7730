from pathlib import Path

import pandas as pd
import pytest

from figure_text import figure_text
from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.real_data.flips import FLIP_COLUMNS
from skewproof_studies.van_zyl.real_data.flips_summary import ranking_flips_figure, summarize_flips
from written import check_written

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
    nothing = table(), table()
    check_written(
        Path(__file__).with_name("flips_summary.txt"),
        two_flips=summarize_flips(usual, moved, registry=METRICS),
        no_data=summarize_flips(*nothing, registry=METRICS),
        f1_is_framed=figure_text(ranking_flips_figure(usual, registry=METRICS)),
        no_figure=figure_text(ranking_flips_figure(table(), registry=METRICS)),
    )
