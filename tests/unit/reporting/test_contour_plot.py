import io

import pytest
from matplotlib.collections import PathCollection
from matplotlib.mathtext import MathTextParser

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.reporting.contour_plot import contour_figure
from skewproof.sensitivity.surfaces import surface


def draw(metric, levels=("1:1", "1:10", "7:3")):
    surfaces = {level: surface(metric, Level.parse(level), 100, grid=20) for level in levels}
    return contour_figure(metric, surfaces)


@pytest.mark.slow
def test_a_panel_a_level_and_one_color_scale():
    figure = draw(METRICS["mcc"])
    *panels, color_bar = figure.axes
    assert [axes.get_title() for axes in panels] == ["1:1", "1:10", "7:3"]
    assert [axes.get_xlim()[1] for axes in panels] == [100, 1000, 300 / 7]
    assert color_bar.get_ylim() == (0, 1)
    assert {axes.collections[0].get_clim() for axes in panels} == {(0, 1)}


@pytest.mark.parametrize(
    ("key", "crosses"), [("mcc", [[0, 0], [1000, 100]]), ("fowlkes_mallows", [[0, 0]]), ("f1", [])]
)
@pytest.mark.slow
def test_undefined_points_are_marked(key, crosses):
    figure = draw(METRICS[key])
    marked = [part for part in figure.axes[1].collections if isinstance(part, PathCollection)]
    assert [part.get_offsets().tolist() for part in marked] == ([crosses] if crosses else [])
    assert ("undefined" in figure.get_suptitle()) == bool(crosses)


@pytest.mark.parametrize("key", sorted(METRICS))
@pytest.mark.slow
def test_every_symbol_can_be_typeset(key):
    assert MathTextParser("path").parse(f"${bounded(METRICS[key]).symbol}$")


@pytest.mark.parametrize("key", ["accuracy", "mcc", "discriminant_power", "adjusted_g_mean"])
@pytest.mark.slow
def test_metrics_of_all_kinds_can_be_drawn(key):
    figure = draw(bounded(METRICS[key]), levels=["1:1000"])
    assert figure.axes[0].collections


@pytest.mark.slow
def test_a_figure_can_be_saved():
    file = io.BytesIO()
    draw(METRICS["mcc"], levels=["1:1", "1:1000"]).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
