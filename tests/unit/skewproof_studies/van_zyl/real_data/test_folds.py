import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score
from threadpoolctl import threadpool_limits

from skewproof.metrics import METRICS
from skewproof_studies.settings.seeds import random_state
from skewproof_studies.van_zyl.real_data.datasets import Data
from skewproof_studies.van_zyl.real_data.folds import (
    DEFAULT_CUTOFF,
    classifiers,
    fold_matrices,
    fold_means,
    fold_numbers,
    held_out_scores,
    pooled,
    scores,
    spread,
)

X, Y = (part[::2] for part in load_breast_cancer(return_X_y=True))
DATA = Data((X - X.mean(axis=0)) / X.std(axis=0), Y == 0)
MODEL = LogisticRegression(max_iter=100, tol=1e-4, C=1.0)


def matrices(data=DATA, model=MODEL, **changes):
    return fold_matrices(data, model, **{"count": 5, "seed": 1, "shuffle": 0} | changes)


@pytest.fixture(scope="module")
def first():
    """The matrices of one shuffle, with the default options."""
    return matrices()


@pytest.mark.slow
def test_every_instance_is_tested_once_as_by_scikit_learns_cross_validation(first):
    values = scores(first.assign(dataset="D"), ["balanced_accuracy"], registry=METRICS)
    splitter = StratifiedKFold(5, shuffle=True, random_state=random_state(1, 0))
    expected = cross_val_score(
        MODEL, DATA.features, DATA.positive, cv=splitter, scoring="balanced_accuracy"
    )
    np.testing.assert_allclose(values["value"], expected, rtol=1e-12)
    (every,) = pooled(first.assign(dataset="D")).itertuples()
    assert (every.tp + every.fn, every.fp + every.tn) == (sum(Y == 0), sum(Y == 1))
    assert first["converged"].all()


@pytest.mark.slow
def test_sparse_features_give_the_same_matrices_and_other_seeds_do_not(first):
    thin = Data(sparse.csr_array(DATA.features), DATA.positive)
    pd.testing.assert_frame_equal(matrices(thin), first)
    assert not first.equals(matrices(shuffle=1).assign(shuffle=0))
    assert not first.equals(matrices(seed=2))


def test_a_fit_that_stops_early_is_marked_and_too_small_a_class_is_refused():
    model = LogisticRegression(max_iter=1)
    with pytest.warns(match="failed to converge"):
        assert not matrices(model=model)["converged"].any()
    few = Data(DATA.features, np.arange(len(Y)) < 4)
    with pytest.raises(ValueError, match="a class of 4 instances: expected at least 5"):
        matrices(few)


@pytest.mark.slow
def test_undersampling_is_anew_for_each_shuffle():
    rare = Data(DATA.features, DATA.positive & (np.arange(len(Y)) % 3 == 0))
    one, other = (matrices(rare, shuffle=shuffle, undersample=True) for shuffle in (0, 1))
    for table in (one, other):
        sizes = table[["tp", "fn"]].to_numpy().sum(), table[["fp", "tn"]].to_numpy().sum()
        assert sizes == (rare.positive.sum(), rare.positive.sum())
    assert not one.drop(columns="shuffle").equals(other.drop(columns="shuffle"))


@pytest.mark.slow
def test_undefined_folds_are_counted_and_left_out():
    counts = pd.DataFrame({"tp": [1, 0], "fp": [1, 0], "fn": [1, 2], "tn": [1, 2]}).assign(
        dataset="D", shuffle=0, fold=[1, 2]
    )
    (row,) = fold_means(scores(counts, ["markedness"], registry=METRICS)).itertuples()
    assert row.undefined_folds == 1
    assert row.value == 0.5


def test_the_interval_holds_as_many_shuffles_as_it_says():
    values = np.random.default_rng(1).normal(size=(4000, 6))
    drawn = pd.DataFrame(values).rename_axis("dataset").reset_index()
    means = drawn.melt("dataset", var_name="shuffle").assign(metric="f1")
    interval = spread(means).set_index("dataset").loc[range(4000)]
    inside = (values[:, 0] >= interval["low"]) & (values[:, 0] <= interval["high"])
    assert inside.mean() == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / 4000))


def test_folds_are_numbered_as_scikit_learn_splits():
    numbers = fold_numbers(DATA, count=3, seed=1)
    splitter = StratifiedKFold(3, shuffle=True, random_state=random_state(1, 0))
    for number, (_, test) in enumerate(splitter.split(DATA.features, DATA.positive)):
        assert (numbers[test] == number).all()


@pytest.mark.slow
def test_labels_by_held_out_scores_are_those_of_scikit_learn():
    splitter = StratifiedKFold(3, shuffle=True, random_state=random_state(1, 0))
    chosen = classifiers({"max_iter": 100, "tol": 1e-4, "C": 1.0}, seed=1)
    with threadpool_limits(1):
        for classifier in chosen.values():
            found = held_out_scores(DATA, classifier, count=3, seed=1) > DEFAULT_CUTOFF
            expected = cross_val_predict(classifier, DATA.features, DATA.positive, cv=splitter)
            np.testing.assert_array_equal(found, expected)
