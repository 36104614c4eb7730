import numpy as np
import pytest

from skewproof_studies.van_zyl.figures.point_figures import pr_point_figure, roc_point_figure


def test_areas_of_the_points():
    assert roc_point_figure().axes[0].get_title().endswith(f"area {(0.7 + 0.75) / 2:.3f}")
    assert pr_point_figure().axes[0].get_title().endswith(f"area {(0.75 + 0.7) / 2:.3f}")


@pytest.mark.parametrize("draw", [roc_point_figure, pr_point_figure])
def test_the_parts_add_up_to_the_area(draw):
    def shoelace(corners):
        x, y = corners.T
        return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2

    (axes,) = draw().axes
    total = sum(shoelace(patch.get_xy()[:-1]) for patch in axes.patches)
    assert axes.get_title().endswith(f"{total:.3f}")
