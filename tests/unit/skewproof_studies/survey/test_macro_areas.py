"""Areas of a population, compared with those of many instances."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from skewproof.core.levels import Level
from skewproof.curves.macro_curve import area_under_macro_curve
from skewproof_studies.survey.macro_areas import AUC_OF_CLASSES, binormal_areas, macro_areas


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 4, 4)])
@pytest.mark.slow
def test_areas_of_infinitely_many_scores_are_those_of_many(sizes):
    random = np.random.default_rng(4)
    classes = np.repeat([0, 1, 2], np.array(sizes) * 20_000)
    distance = np.array([0.953873, 1.465738, 2.326174])  # sqrt(2) times the normal quantiles
    membership = np.eye(3, dtype=int)[classes]
    scores = random.normal(size=membership.shape) + membership * distance
    macro, mean = binormal_areas(AUC_OF_CLASSES, sizes)
    assert macro == pytest.approx(area_under_macro_curve(membership, scores), abs=0.004)
    expected = average_precision_score(membership, scores, average="macro")
    assert mean == pytest.approx(expected, abs=0.004)


def test_areas_at_levels():
    areas = macro_areas([Level(1, 1), Level(1, 10)])
    assert areas["level"].tolist() == ["1:1", "1:10"]
    row = areas.loc[1, ["macro_curve", "mean_of_areas"]].tolist()
    assert row == list(binormal_areas(AUC_OF_CLASSES, (1, 10, 10)))
    # Both areas are equal where the classes have the same recalls at every threshold.
    macro, mean = binormal_areas((0.8, 0.8, 0.8), (1, 10, 100))
    assert macro == pytest.approx(mean, rel=1e-12)
