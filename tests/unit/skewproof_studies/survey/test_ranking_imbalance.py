"""Measures of rankings under imbalance; their indices in tests/reference/survey."""

import numpy as np
import pytest

from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof_studies.survey.ranking_imbalance import ranking_metric

LEVELS = [Level(1, 1), Level(1, 2), Level(1, 10), Level(1, 100)]


def test_the_metric_spans_the_levels(model):
    precision = RANKING_MEASURES["precision_at_k"]
    metric = ranking_metric(model, precision, LEVELS)
    for share, odds in ((0, 1), (0.5, 10), (1, 100)):
        matrix = ConfusionMatrix.from_rates(0.6, share, positives=1, negatives=1)
        expected = model.value(precision, 0.8, odds)
        assert metric(matrix) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_shifts_of_rankings(model, ranking_tables):
    _, shifts = ranking_tables
    shifts = shifts.set_index(["measure", "level"])
    assert (shifts["type"] == 1).all()
    auc = 0.5 + (np.arange(2000) + 0.5) / 4000
    values = [model.value(RANKING_MEASURES["ndcg"], auc, odds) for odds in (1, 10)]
    row = shifts.loc[("ndcg", "1:10")]
    assert row["random"] == pytest.approx(float(model.value(RANKING_MEASURES["ndcg"], 0.5, 10)))
    assert row["mean"] == pytest.approx(values[1].mean(), abs=1e-4)
    assert row["mean_shift"] == pytest.approx(np.abs(values[1] - values[0]).mean(), abs=1e-4)
    # A perfect ranking is perfect at every level by some measures.
    for key in ("ndcg", "mean_reciprocal_rank"):
        np.testing.assert_allclose(shifts.loc[key, "perfect"], 1, atol=1e-11)
    for key in ("recall_at_k", "precision_at_k"):
        assert (shifts.loc[key, "perfect"] < 1 - 1e-6).any()
