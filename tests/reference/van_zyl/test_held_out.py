"""Labels by held-out scores, compared with scikit-learn's predictions of models fitted again."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from threadpoolctl import threadpool_limits

from skewproof_studies.settings.seeds import random_state
from skewproof_studies.van_zyl.real_data.datasets import Data
from skewproof_studies.van_zyl.real_data.folds import (
    DEFAULT_CUTOFF,
    classifiers,
    held_out_scores,
)


def test_the_default_cut_off_is_scikit_learns():
    features, labels = (part[::2] for part in load_breast_cancer(return_X_y=True))
    data = Data((features - features.mean(axis=0)) / features.std(axis=0), labels == 0)
    splitter = StratifiedKFold(3, shuffle=True, random_state=random_state(1, 0))
    chosen = classifiers({"max_iter": 100, "tol": 1e-4, "C": 1.0}, seed=1)
    with threadpool_limits(1):
        for classifier in chosen.values():
            found = held_out_scores(data, classifier, count=3, seed=1) > DEFAULT_CUTOFF
            expected = cross_val_predict(classifier, data.features, data.positive, cv=splitter)
            np.testing.assert_array_equal(found, expected)
