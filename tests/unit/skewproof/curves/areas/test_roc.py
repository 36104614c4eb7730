import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from skewproof.curves.areas.area import area


@pytest.mark.parametrize("max_fpr", [0.01, 0.1, 0.5, 1])
@pytest.mark.parametrize("digits", [1, 6])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_partial_area_is_that_of_scikit_learn(max_fpr, digits, weighted):
    random = np.random.default_rng(0)
    true = random.random(200) < 0.3
    scores = random.normal(true).round(digits)
    options = {"sample_weight": random.random(200) if weighted else None}
    expected = roc_auc_score(true, scores, max_fpr=None if max_fpr == 1 else max_fpr, **options)
    value = area("partial_auc", true, scores, pos_label=True, max_fpr=max_fpr, **options)
    assert value == pytest.approx(expected, abs=1e-12)
