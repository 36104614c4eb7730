from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import ATLAS
from skewproof_studies.atlas.map import (
    clustered,
    map_figure,
    rank_correlations,
    representatives,
    representatives_figure,
)
from skewproof_studies.atlas.values import SampledRates

pytestmark = pytest.mark.slow

KEYS = ["accuracy", "precision", "f1", "f1_i", "error_rate"]


@pytest.fixture(scope="module")
def correlations():
    registry = {key: METRICS[key] for key in KEYS}
    return {
        str(level): rank_correlations(registry, SampledRates.drawn(40, level, 100, seed=1))
        for level in (Level(1, 1), Level(1, 100))
    }


def test_rank_correlations_are_scipy_s(correlations):
    rates = SampledRates.drawn(40, Level(1, 100), 100, seed=1)
    u, v = rates.numerators.T / 1009
    matrix = ConfusionMatrix.from_rates(u, v, positives=100, negatives=10_000)
    values = [METRICS[key](matrix) * (1 - 2 * METRICS[key].lower_is_better) for key in KEYS]
    tau = correlations["1:100"].to_numpy()
    for one, other in combinations(range(len(KEYS)), 2):
        assert tau[one, other] == pytest.approx(kendalltau(values[one], values[other]).statistic)


def test_clusters_are_of_like_measures():
    like = np.array([0, 1, 0, 1, 0])
    order, labels = clustered(np.where(np.equal.outer(like, like), 0.9, -0.5), 2)
    assert len(set(like[order[:2]])) == 1
    assert (np.equal.outer(labels, labels) == np.equal.outer(like, like)).all()


@pytest.mark.parametrize("keys", [["base_rate", "accuracy"], ["base_rate", "sample_size"]])
def test_measures_that_order_no_classifiers_are_left_out_of_the_map(keys):
    rates = SampledRates.drawn(40, Level(1, 1), 100, seed=1)
    found = {"1:1": rank_correlations({key: ATLAS[key] for key in keys}, rates)}
    kept = [key for key in keys if key == "accuracy"]
    assert list(found["1:1"]) == kept
    drawn, clusters = map_figure(found)
    assert list(clusters.columns) == ["measure", "cluster", "representative", "tau_1_1"]
    assert clusters["measure"].tolist() == kept
    for figure in (drawn, representatives_figure(found, keys)):
        said = [text.get_text() for text in figure.texts]
        assert bool(said) != bool(kept)
        assert all("orders any classifiers at every level" in text for text in said)


def test_figures_name_their_measures(correlations):
    _, clusters = map_figure(correlations)
    assert sorted(clusters["measure"]) == sorted(KEYS)
    central = clusters[clusters["measure"] == clusters["representative"]]
    assert central[["tau_1_1", "tau_1_100"]].to_numpy() == pytest.approx(1)
    classes = pd.DataFrame({"ordering_1_1": [*KEYS[:3], "f1", "accuracy"]})
    keys = representatives(classes, "ordering_1_1")
    assert sorted(keys) == ["accuracy", "f1", "precision"]
    axes = representatives_figure(correlations, keys).axes
    assert sorted(label.get_text() for label in axes[0].get_yticklabels()) == sorted(keys)
    assert [one.get_title() for one in axes[:2]] == ["at 1:1", "at 1:100"]
    # One class has one row.
    axes = representatives_figure(correlations, ["accuracy"]).axes
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["accuracy"]
