import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.practice.score_curves import auc
from skewproof.studies.tharwat.binormal import AREAS, area_study
from skewproof.studies.tharwat.example_figures import FIGURES, SHOWN, TIED, auc_figure
from skewproof.studies.tharwat.iris import iris_experiment, iris_results
from skewproof.studies.tharwat.iris_and_area_figures import (
    AREA_NAMES,
    CURVES,
    areas_figure,
    iris_curves_figure,
    iris_matrices_figure,
)


@pytest.fixture(scope="module")
def experiment():
    return iris_experiment(folds=5, seed=1)


def lines(axes):
    return {line.get_label(): line.get_xydata() for line in axes.lines}


def test_a_figure_for_each_of_his():
    assert list(FIGURES) == [f"figure_{number}" for number in range(5, 13)]
    for draw in FIGURES.values():
        assert draw().axes


def test_both_orders_of_equal_scores_go_round_the_rectangle():
    (axes,) = FIGURES["figure_5"]().axes
    drawn = lines(axes)
    (x0, y0), (x1, y1) = TIED[2:4]
    np.testing.assert_array_equal(drawn["optimistic"], [(x0, y0), (x0, y1), (x1, y1)])
    np.testing.assert_array_equal(drawn["pessimistic"], [(x0, y0), (x1, y0), (x1, y1)])


def test_counts_are_those_of_the_thresholds():
    panels = FIGURES["figure_8"]().axes
    assert len(panels) == len(SHOWN)
    texts = {text.get_text() for text in panels[3].texts}
    assert texts == {"TP = 6", "TN = 6", "FP = 4", "FN = 4"}


def test_the_two_classifiers_cross_where_he_has_it():
    (axes,) = auc_figure().axes
    first, second = lines(axes)["A"], lines(axes)["B"]
    above = second[:, 1] > first[:, 1]
    inside = (first[:, 0] > 0.01) & (first[:, 0] < 0.99)
    np.testing.assert_array_equal(above[inside], first[inside, 0] < 0.6 - 1e-9)


def test_curves_of_iris(experiment):
    left, right = iris_curves_figure(experiment).axes
    assert list(lines(left)) == list(lines(right)) == experiment.classes
    fpr, tpr = lines(left)["virginica"].T
    own = (experiment.true == 2, experiment.scores[:, 2])
    assert np.trapezoid(tpr, fpr) == pytest.approx(auc(*own))


def test_matrices_of_iris(experiment):
    results = iris_results(experiment)
    panels = iris_matrices_figure(results).axes[:3]
    for axes, row in zip(panels, results.itertuples(), strict=False):
        assert axes.get_title() == row[1]
        shown = [text.get_text() for text in axes.texts]
        assert shown == [str(count) for count in (row.tp, row.fp, row.fn, row.tn)]


def test_areas_and_curves():
    levels = [Level.parse(text) for text in ("1:1", "1:10")]
    areas = area_study(1.5, levels, levels[0], positives=20, replicates=2, seed=1)
    figure = areas_figure(areas, 1.5)
    assert [axes.get_title() for axes in figure.axes[:4]] == list(CURVES)
    assert set(AREA_NAMES) == set(AREAS)
    exact = lines(figure.axes[4])["ROC (AUC)"][:, 1]
    np.testing.assert_array_equal(exact, areas.loc[areas["area"] == "roc", "exact"])
