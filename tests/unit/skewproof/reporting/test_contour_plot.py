import io
import itertools
from collections import Counter

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.contour import QuadContourSet
from matplotlib.mathtext import MathTextParser

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.reporting.contour_plot import LINES, SIDE, _layout, contour_figure
from skewproof.reporting.style import STYLE
from skewproof.sensitivity.surfaces.grid import surface


def draw(metric, levels=("1:1", "1:10", "7:3")):
    surfaces = {level: surface(metric, Level.parse(level), 100, grid=20) for level in levels}
    return contour_figure(metric, surfaces)


def texts(figure):
    """What is written in a figure, and where, in inches."""
    (axes,) = figure.axes
    return {text.get_text(): text.get_position() for text in axes.texts}


@pytest.mark.slow
def test_a_panel_a_level_and_one_color_scale():
    figure = draw(bounded(METRICS["mcc"]))
    found = texts(figure)
    titles = [found[level] for level in ("1:1", "1:10", "7:3")]
    assert titles[0][0] < titles[1][0] < titles[2][0]
    assert len({height for _, height in titles}) == 1
    assert {"0", "50", "100", "500", "1000", "21.4", "42.9", "0.0", "0.2", "0.8", "1.0"} <= set(
        found
    )
    contours = [part for part in figure.axes[0].collections if isinstance(part, QuadContourSet)]
    assert [part.get_clim() for part in contours[::2]] == [(0, 1)] * 3
    assert r"$(\mathrm{MCC} + 1)/2$" in found
    title = "Matthews correlation coefficient scaled to [0, 1] at imbalance levels"
    assert figure.get_suptitle().startswith(title)


@pytest.mark.slow
def test_a_contour_is_where_the_metric_has_its_value():
    """At 1:10 accuracy is 0.7 on the line (tp + 1000 - fp)/1100 = 0.7."""
    figure = draw(METRICS["accuracy"], levels=["1:1", "1:10"])
    found, lines = texts(figure), figure.axes[0].collections[3]
    end = found["1000"][0], found["100"][1]  # the corner where fp = 1000 and tp = 100
    assert end[0] - found["500"][0] == pytest.approx(SIDE / 2)
    x, y = lines.get_paths()[int(np.argmin(abs(LINES - 0.7)))].vertices.T
    fp, tp = 1000 * (1 + (x - end[0]) / SIDE), 100 * (1 + (y - end[1]) / SIDE)
    assert (tp + 1000 - fp) / 1100 == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("levels", "rows"),
    [(1, [1]), (5, [5]), (6, [3, 3]), (8, [4, 4]), (20, [5] * 4), (26, [6] * 4 + [2])],
)
def test_panels_wrap_into_rows(levels, rows):
    panels, width, height = _layout(levels)
    assert list(Counter(panel.row for panel in panels).values()) == rows
    for one, other in itertools.combinations(panels, 2):
        assert max(abs(one.x - other.x), abs(one.y - other.y)) > SIDE
    assert all(0 < panel.x < width - SIDE and 0 < panel.y < height - SIDE for panel in panels)


def test_a_thousand_panels_are_a_picture():
    """Matplotlib draws at most 2^16 pixels a side."""
    _, width, height = _layout(1000)
    assert max(width, height) * STYLE["savefig.dpi"] < 2**16 / 4


@pytest.mark.parametrize(
    ("key", "crosses"), [("mcc", [[0, 0], [1, 1]]), ("fowlkes_mallows", [[0, 0]]), ("f1", [])]
)
@pytest.mark.slow
def test_undefined_points_are_marked(key, crosses):
    figure = draw(bounded(METRICS[key]), levels=["1:10"])
    (panel,), *_ = _layout(1)
    marked = [part for part in figure.axes[0].collections if isinstance(part, PathCollection)]
    found = [(part.get_offsets() - panel[:2]) / SIDE for part in marked]
    assert [place.round(9).tolist() for place in found] == ([crosses] if crosses else [])
    assert ("undefined" in figure.get_suptitle()) == bool(crosses)


@pytest.mark.slow
def test_every_symbol_can_be_typeset(subtests):
    parser = MathTextParser("path")
    for key, metric in METRICS.items():
        with subtests.test(key):
            assert parser.parse(f"${bounded(metric).symbol}$")


@pytest.mark.parametrize("key", ["accuracy", "mcc", "discriminant_power", "adjusted_g_mean"])
@pytest.mark.slow
def test_metrics_of_all_kinds_can_be_drawn(key):
    figure = draw(bounded(METRICS[key]), levels=["1:1000"])
    assert figure.axes[0].collections


@pytest.mark.slow
def test_a_figure_can_be_saved():
    file = io.BytesIO()
    draw(bounded(METRICS["mcc"]), levels=["1:1", "1:1000"]).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
