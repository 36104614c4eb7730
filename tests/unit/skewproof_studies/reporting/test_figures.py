import matplotlib
import numpy as np
import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.reporting.figures import note_figure, rows_figure


def test_a_note_is_the_sentence():
    assert note_figure("Nothing to draw.").texts[0].get_text() == "Nothing to draw."


@pytest.mark.slow
def test_each_series_has_its_marks_in_the_metrics_rows():
    """Two metrics, the first on top, and one series more than there are markers."""
    names = [f"series {number}" for number in range(len(MARKERS) + 1)]
    values = pd.DataFrame(np.arange(22).reshape(2, 11) / 22, index=["f1", "mcc"], columns=names)
    values.iloc[0, 0] = np.nan
    panels = {"one": values, "other": values}
    axes = rows_figure(panels, colors=(0.85, 0.05), registry=METRICS).axes[0]
    lines = axes.lines
    assert [line.get_label() for line in lines] == names
    np.testing.assert_array_equal([line.get_xdata() for line in lines], values.T)
    assert all(list(line.get_ydata()) == [0, 1] for line in lines)
    assert "".join(line.get_marker() for line in lines) == MARKERS + MARKERS[0]
    shades = [tuple(line.get_color()) for line in lines]
    assert len(set(shades)) == len(shades)
    assert [shades[0], shades[-1]] == [matplotlib.colormaps[COLORS](at) for at in (0.85, 0.05)]
    assert -0.1 < axes.get_xlim()[0] < 0
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        f"{key}  ${METRICS[key].symbol}$" for key in values.index
    ]
    assert axes.get_ylim() == (1.5, -0.5)
    assert axes.get_xlabel() == "one"
