import numpy as np
import pytest

from skewproof_studies.tharwat.area_figures import CURVE_PANELS, areas_figure
from skewproof_studies.tharwat.areas import AREA_KINDS


@pytest.mark.slow
def test_areas_and_curves(study):
    figure = areas_figure(study, 1.5)
    assert [axes.get_title() for axes in figure.axes[:4]] == list(CURVE_PANELS)
    lines = {line.get_label(): line.get_ydata() for line in figure.axes[4].lines}
    labels = [kind.label for kind in AREA_KINDS.values()]
    assert [label for label in lines if not label.startswith("_")] == labels
    exact = study.loc[study["area"] == "roc", "exact"]
    np.testing.assert_array_equal(lines["ROC (AUC)"], exact)
