import numpy as np
import pytest

from skewproof_studies.tharwat.curve_figures import (
    CURVE_FIGURES,
    CURVE_WITH_TIES,
    THRESHOLDS_OF_FIGURE_8,
    auc_figure,
)


def lines(axes):
    return {line.get_label(): line.get_xydata() for line in axes.lines}


@pytest.mark.slow
def test_a_figure_for_each_of_his():
    assert list(CURVE_FIGURES) == [f"figure_{number}" for number in range(5, 13)]
    drawn = {name: draw().axes for name, draw in CURVE_FIGURES.items()}
    assert all(drawn.values())
    panels = drawn["figure_8"]
    assert len(panels) == len(THRESHOLDS_OF_FIGURE_8)
    texts = {text.get_text() for text in panels[3].texts}
    assert texts == {"TP = 6", "TN = 6", "FP = 4", "FN = 4"}


def test_both_orders_of_equal_scores_go_round_the_rectangle():
    (axes,) = CURVE_FIGURES["figure_5"]().axes
    drawn = lines(axes)
    (x0, y0), (x1, y1) = CURVE_WITH_TIES[2:4]
    np.testing.assert_array_equal(drawn["optimistic"], [(x0, y0), (x0, y1), (x1, y1)])
    np.testing.assert_array_equal(drawn["pessimistic"], [(x0, y0), (x1, y0), (x1, y1)])


def test_the_two_classifiers_cross_where_he_has_it():
    (axes,) = auc_figure().axes
    first, second = lines(axes)["A"], lines(axes)["B"]
    above = second[:, 1] > first[:, 1]
    inside = (first[:, 0] > 0.01) & (first[:, 0] < 0.99)
    np.testing.assert_array_equal(above[inside], first[inside, 0] < 0.6 - 1e-9)
