import numpy as np
import pandas as pd

from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.real_data.flips import FLIP_COLUMNS
from skewproof_studies.van_zyl.real_data.flips_figure import ranking_flips_figure


def test_figure_frames_what_flips():
    """F1 and its variant pick different models; accuracy has no variant."""
    none = (None, None, np.nan, None, np.nan)
    rows = [
        ("f1", "cautious", 0.99, "f1_i", "keen", 0.875, True, 0.97, 0.0),
        ("f1_i", "keen", 0.875, *none, 0.0),
        ("accuracy", "cautious", 1.0, *none, 0.0),
    ]
    flips = pd.DataFrame(rows, columns=FLIP_COLUMNS).assign(dataset="D1")
    assert not ranking_flips_figure(flips.iloc[:0], registry=METRICS).axes[0].texts
    (axes,) = ranking_flips_figure(flips, registry=METRICS).axes
    frames = [patch for patch in axes.patches if not patch.get_fill()]
    assert [(frame.get_x(), frame.get_y()) for frame in frames] == [(0, 0)]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["D1"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        f"${METRICS['f1'].symbol}$ | ${METRICS['f1_i'].symbol}$",
        f"${METRICS['accuracy'].symbol}$",
    ]
    assert [text.get_text() for text in axes.texts] == ["99", "88", "100"]
