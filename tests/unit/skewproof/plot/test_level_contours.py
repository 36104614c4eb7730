from itertools import pairwise

import numpy as np
import pytest
from matplotlib.mathtext import MathTextParser

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.plot.level_contours import LINES, contour_figure, figure_size, rows_and_columns
from skewproof.reporting.style import STYLE
from skewproof.sensitivity.surfaces.grid import surface

LEVELS = ["1:1", "1:2", "1:10", "1:100", "1:1000"]


def draw(metric, levels=("1:1", "1:10", "7:3")):
    surfaces = {level: surface(metric, Level.parse(level), 100, grid=20) for level in levels}
    return contour_figure(metric, surfaces)


@pytest.mark.slow
def test_a_panel_a_level_and_one_color_scale():
    figure = draw(bounded(METRICS["mcc"]))
    *panels, scale = figure.axes
    assert [axes.get_title() for axes in panels] == ["1:1", "1:10", "7:3"]
    ticks = [[label.get_text() for label in axes.get_xticklabels()] for axes in panels]
    assert ticks == [["0", "50", "100"], ["0", "500", "1000"], ["0", "21.4", "42.9"]]
    assert [axes.collections[0].get_clim() for axes in panels] == [(0, 1)] * 3
    assert scale.get_ylabel() == r"$(\mathrm{MCC} + 1)/2$"
    assert scale.get_ylim() == (0, 1)
    title = "Matthews correlation coefficient scaled to [0, 1] at imbalance levels"
    assert figure.get_suptitle().startswith(title)


@pytest.mark.slow
def test_a_contour_is_where_the_metric_has_its_value():
    """Accuracy at 1:10 is 0.7 on the line (tp + 1000 - fp)/1100 = 0.7."""
    _, panel, _ = draw(METRICS["accuracy"], levels=["1:1", "1:10"]).axes
    _, lines = panel.collections
    fp, tp = lines.get_paths()[int(np.argmin(abs(LINES - 0.7)))].vertices.T
    assert (tp + 1000 - fp) / 1100 == pytest.approx(0.7)


def test_panels_wrap_into_rows_of_the_same_length():
    shapes = {panels: rows_and_columns(panels) for panels in (1, 5, 6, 8, 20, 26)}
    assert shapes == {1: (1, 1), 5: (1, 5), 6: (2, 3), 8: (2, 4), 20: (4, 5), 26: (5, 6)}


def test_a_thousand_panels_are_a_picture():
    """Matplotlib draws at most 2^16 pixels a side."""
    assert max(figure_size(*rows_and_columns(1000))) * STYLE["savefig.dpi"] < 2**16 / 4


@pytest.mark.slow
def test_labels_of_one_row_leave_room_for_the_titles_of_the_next():
    figure = draw(bounded(METRICS["f1"]), levels=["1:1", "1:2", "1:3", "1:4", "1:5", "1:6", "1:7"])
    figure.draw_without_rendering()
    *panels, scale = figure.axes
    boxes = [axes.get_tightbbox() for axes in panels]
    assert len(panels) == 7
    assert min(box.y0 for box in boxes[:4]) > max(box.y1 for box in boxes[4:])
    assert max(box.x1 for box in boxes) < scale.get_tightbbox().x0


@pytest.mark.parametrize(
    ("key", "crosses"),
    [
        ("mcc", [[0, 0], [1000, 100]]),
        ("fowlkes_mallows", [[0, 0]]),
        ("f1", []),
        ("adjusted_g_mean", []),
    ],
)
@pytest.mark.slow
def test_undefined_points_are_marked(key, crosses):
    figure = draw(bounded(METRICS[key]), levels=["1:10"])
    marked = [line.get_xydata().tolist() for line in figure.axes[0].lines]
    assert marked == ([crosses] if crosses else [])
    assert ("undefined" in figure.get_suptitle()) == bool(crosses)


@pytest.mark.slow
def test_every_symbol_can_be_typeset(subtests):
    parser = MathTextParser("path")
    for key, metric in METRICS.items():
        with subtests.test(key):
            assert parser.parse(f"${bounded(metric).symbol}$")


@pytest.mark.slow
@pytest.mark.parametrize("levels", [["1:1"], ["1:1", "1:10", "7:3"], LEVELS])
def test_titles_and_ticks_have_room(levels):
    """The name is one of the longest, and the number of false positives has up to six digits."""
    figure = draw(bounded(METRICS["mcc"]), levels)
    figure.draw_without_rendering()
    title = figure._suptitle.get_window_extent()
    assert figure.bbox.x0 <= title.x0 < title.x1 <= figure.bbox.x1
    assert title.y1 <= figure.bbox.y1
    for axes in figure.axes[:-1]:
        assert title.y0 >= axes.title.get_window_extent().y1
        labels = [label.get_window_extent() for label in axes.get_xticklabels() if label.get_text()]
        assert all(left.x1 < right.x0 for left, right in pairwise(labels))
