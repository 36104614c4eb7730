import io

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.reporting.contour_plot import contour_figure
from skewproof.sensitivity.surfaces import surface
from skewproof.studies.van_zyl.point_figures import pr_point_figure, roc_point_figure


def draw(key, levels=("1:1", "1:10", "7:3")):
    metric = METRICS[key]
    surfaces = {level: surface(metric, Level.parse(level), 100, grid=20) for level in levels}
    return contour_figure(metric, surfaces)


def test_a_panel_a_level_and_one_color_scale():
    figure = draw("mcc")
    *panels, color_bar = figure.axes
    assert [axes.get_title() for axes in panels] == ["1:1", "1:10", "7:3"]
    assert [axes.get_xlim()[1] for axes in panels] == [100, 1000, 300 / 7]
    assert color_bar.get_ylim() == (0, 1)
    assert {axes.collections[0].get_clim() for axes in panels} == {(0, 1)}


@pytest.mark.parametrize(
    ("key", "crosses"), [("mcc", [[0, 0], [1000, 100]]), ("fowlkes_mallows", [[0, 0]]), ("f1", [])]
)
def test_undefined_points_are_marked(key, crosses):
    figure = draw(key)
    marked = [part for part in figure.axes[1].collections if isinstance(part, PathCollection)]
    assert [part.get_offsets().tolist() for part in marked] == ([crosses] if crosses else [])
    assert ("undefined" in figure.get_suptitle()) == bool(crosses)


def test_areas_of_the_points():
    assert roc_point_figure(0.25, 0.7).axes[0].get_title().endswith(f"area {(0.7 + 0.75) / 2:.3f}")
    assert pr_point_figure().axes[0].get_title().endswith(f"area {(0.75 + 0.7) / 2:.3f}")


@pytest.mark.parametrize("figure", [roc_point_figure(), pr_point_figure()])
def test_the_parts_add_up_to_the_area(figure):
    def shoelace(corners):
        x, y = corners.T
        return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2

    axes = figure.axes[0]
    total = sum(shoelace(patch.get_xy()[:-1]) for patch in axes.patches)
    assert axes.get_title().endswith(f"{total:.3f}")


@pytest.mark.parametrize("key", sorted(METRICS))
def test_every_metric_can_be_drawn(key):
    file = io.BytesIO()
    draw(key, levels=["1:1", "1:1000"]).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
