import numpy as np
import pytest

from skewproof.curves.areas.area import area
from skewproof_studies.tharwat.iris_figures import iris_curves_figure, iris_matrices_figure


def test_curves_of_iris(experiment):
    left, right = (
        {line.get_label(): line.get_xydata() for line in axes.lines}
        for axes in iris_curves_figure(experiment).axes
    )
    assert list(left) == list(right) == experiment.classes
    fpr, tpr = left["virginica"].T
    own = (experiment.true == 2, experiment.scores[:, 2])
    assert np.trapezoid(tpr, fpr) == pytest.approx(area("auc", *own))


@pytest.mark.slow
def test_matrices_of_iris(iris):
    panels = iris_matrices_figure(iris).axes[:3]
    for axes, row in zip(panels, iris.to_dict("records"), strict=False):
        assert axes.get_title() == row["class"]
        shown = [text.get_text() for text in axes.texts]
        assert shown == [str(row[cell]) for cell in ("tp", "fp", "fn", "tn")]
