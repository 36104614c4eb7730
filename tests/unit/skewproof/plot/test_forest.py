import matplotlib.pyplot as plt
import pandas as pd
import pytest

from skewproof.plot import ForestDisplay

ENDS = {"value": [0.2, 0.8], "low": [0.1, 0.7], "high": [0.3, 0.9]}
FRAME = pd.DataFrame({"name": ["a", "b"], **ENDS})
MOVED = FRAME.assign(value=[0.25, 0.75])


def test_each_value_is_drawn_with_its_interval():
    display = ForestDisplay(values={"here": FRAME, "there": MOVED}).plot()
    axes = display.ax_
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert [line.get_xdata().tolist() for line in axes.lines] == [[0.2, 0.8], [0.25, 0.75]]
    segments = axes.collections[0].get_segments()
    assert [segment[:, 0].tolist() for segment in segments] == [[0.1, 0.3], [0.7, 0.9]]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["here", "there"]
    assert axes.yaxis_inverted()
    assert repr(display) == "ForestDisplay(2 metrics here, there)"
    plt.close(display.figure_)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "a frame for each prevalence"),
        ({"here": FRAME.drop(columns="low")}, "a data frame of score"),
        ({"here": FRAME, "there": FRAME[:1]}, "the same metrics"),
    ],
)
def test_refusals(values, message):
    with pytest.raises(ValueError, match=message):
        ForestDisplay(values=values)
