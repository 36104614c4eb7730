import numpy as np
import pytest

from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.burduk.figures import claim_figure, heat_map_figure
from skewproof_studies.burduk.tables import COMPARED_METRICS


@pytest.mark.slow
def test_a_heat_map_for_each_metric():
    figure = heat_map_figure(positives=1000, negatives=10, grid=21)
    titles = [axes.get_title() for axes in figure.axes[:7]]
    assert titles == [f"${bounded(get_metric(key)).symbol}$" for key in COMPARED_METRICS]


@pytest.mark.slow
def test_two_panels_for_each_imbalance_ratio(reactions_at_a_tenth):
    compared, alone = claim_figure({0.1: reactions_at_a_tenth}).axes
    assert compared.get_title() == "IR = 0.1"
    border, *lines = alone.lines
    np.testing.assert_array_equal(border.get_xdata(), 0.1)
    for line, slope in zip(lines, (np.sqrt(0.1), 0.1), strict=True):
        u, v = line.get_data()
        np.testing.assert_allclose(u, slope * v, rtol=1e-12)
