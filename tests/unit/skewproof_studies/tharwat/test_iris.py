import numpy as np
import pytest

from skewproof_studies.tharwat.iris import iris_experiment


@pytest.mark.slow
def test_no_iris_sample_is_scored_by_a_machine_that_saw_it(experiment, iris):
    results = iris.set_index("class")
    counts = results.loc[experiment.classes, ["tp", "fp", "fn", "tn"]]
    assert (counts.sum(axis=1) == 150).all()
    assert counts["fp"].sum() == counts["fn"].sum()
    # Setosa is linearly separable from the others; they are not from each other.
    assert results.loc["setosa", "auc"] == 1
    assert 0.9 < results.loc["all", "Acc"] < 1
    weighted = results.loc[experiment.classes, "auc"].mean()  # classes of one size
    assert results.loc["all", "auc"] == pytest.approx(weighted)


@pytest.mark.slow
def test_the_seed_decides_on_the_folds(experiment):
    np.testing.assert_array_equal(iris_experiment(folds=5, seed=1).scores, experiment.scores)
    assert (iris_experiment(folds=5, seed=2).scores != experiment.scores).any()
