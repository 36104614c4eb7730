import matplotlib
import numpy as np
import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof.reporting.style import COLORS, MARKERS
from skewproof_studies.reporting.figures import note_figure, rows_figure


@pytest.fixture
def values():
    """Two metrics and one series more than there are markers."""
    names = [f"series {number}" for number in range(len(MARKERS) + 1)]
    return pd.DataFrame(np.arange(22).reshape(2, 11) / 22, index=["f1", "mcc"], columns=names)


def drawn(values):
    figure = rows_figure({"one": values, "other": values}, colors=(0.85, 0.05), registry=METRICS)
    return figure.axes[0]


@pytest.mark.slow
def test_each_series_has_its_values_in_the_metrics_rows(values):
    lines = drawn(values).lines
    assert [line.get_label() for line in lines] == list(values)
    np.testing.assert_array_equal([line.get_xdata() for line in lines], values.T)
    assert all(list(line.get_ydata()) == [0, 1] for line in lines)


@pytest.mark.slow
def test_series_differ_by_marker_and_from_the_first_color_to_the_last(values):
    lines = drawn(values).lines
    assert "".join(line.get_marker() for line in lines) == MARKERS + MARKERS[0]
    shades = [tuple(line.get_color()) for line in lines]
    assert len(set(shades)) == len(shades)
    assert [shades[0], shades[-1]] == [matplotlib.colormaps[COLORS](at) for at in (0.85, 0.05)]


@pytest.mark.slow
def test_rows_begin_at_0_and_a_missing_value_has_no_mark(values):
    values.iloc[0, 0] = np.nan
    axes = drawn(values)
    assert -0.1 < axes.get_xlim()[0] < 0
    assert np.isnan(axes.lines[0].get_xdata()[0])


@pytest.mark.slow
def test_the_first_metric_is_on_top_with_its_key_and_symbol(values):
    axes = drawn(values)
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        f"{key}  ${METRICS[key].symbol}$" for key in values.index
    ]
    assert axes.get_ylim() == (1.5, -0.5)
    assert axes.get_xlabel() == "one"


def test_a_note_is_the_sentence():
    assert note_figure("Nothing to draw.").texts[0].get_text() == "Nothing to draw."
