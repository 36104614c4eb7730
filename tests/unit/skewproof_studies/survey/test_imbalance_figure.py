"""The figure on clusterings and rankings."""

import pytest

from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES
from skewproof_studies.survey.imbalance_figure import VARIANCE_PARTS, imbalance_figure


@pytest.mark.slow
def test_figure(cluster_tables, ranking_tables):
    figure = imbalance_figure(*cluster_tables, *ranking_tables)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == [
        "Clusterings of infinite size",
        "Errors in the smaller cluster",
        "Rankings",
    ]
    lines = [line.get_label() for line in figure.axes[2].lines]
    assert lines[:2] == ["precision@k", "average precision@k"]
    heights = [bar.get_height() for bar in figure.axes[3].patches]
    assert sum(heights) == pytest.approx(len(RANKING_MEASURES))
    assert len(heights) == len(VARIANCE_PARTS) * len(RANKING_MEASURES)
    assert figure.axes[3].get_xlabel().replace("\n", " ") == (
        "AUC uniform from 1/2 to 1, odds of relevance independent of it and log-uniform from 1:1"
        " to 1:10"
    )
