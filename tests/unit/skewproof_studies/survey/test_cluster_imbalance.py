"""Measures of clusterings under imbalance."""

import numpy as np
import pytest

from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices, scrambled_indices
from skewproof_studies.survey.cluster_imbalance import cluster_sensitivity, exact_at, index_rows

pytestmark = pytest.mark.slow  # they wait for tables that take long

LEVELS = [Level(1, 1), Level(1, 2), Level(1, 10), Level(1, 100)]


def parts(breaks):
    """Compute Gauss-Legendre nodes and weights on [0, 1], split at the breaks inside."""
    ends = np.sort(np.clip(breaks, 0, 1), axis=-1)
    edges = np.concatenate([np.zeros_like(ends[..., :1]), ends, np.ones_like(ends[..., :1])], -1)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    starts, lengths = edges[..., :-1, np.newaxis], np.diff(edges)[..., np.newaxis]
    shape = (*breaks.shape[:-1], -1)
    at, weight = starts + lengths * (nodes + 1) / 2, lengths * weights / 2
    return at.reshape(shape), weight.reshape(shape)


@pytest.mark.parametrize(
    "level", [Level(1, 1), Level(2, 3), Level(1, 2), Level(1, 1000), Level(7, 3)]
)
def test_purity_by_parts_between_the_lines_on_which_counts_are_equal(level):
    """The lines are v = r (1 + u) and v = 2 - r (1 - u), with the ratio r of the sizes."""
    ratio = 1 / level.negatives(1)
    u, outer = parts(np.array([1 / ratio - 1, 1 - 1 / ratio, 1 - 2 / ratio]))
    v, inner = parts(np.stack([ratio * (1 + u), 2 - ratio * (1 - u)], axis=-1))
    sizes = {"positives": 100, "negatives": level.negatives(100)}
    matrix = ConfusionMatrix.from_rates(u[:, np.newaxis], v, **sizes)
    values = CLUSTER_MEASURES["purity"](matrix)
    along = (values * inner).sum(axis=1)
    mean = outer @ along
    variance = outer @ ((values - mean) ** 2 * inner).sum(axis=1)
    found = exact_at(CLUSTER_MEASURES["purity"], level)
    assert found.mean[0] == pytest.approx(mean, rel=1e-14)
    if level in (Level(1, 2), Level(1, 1000)):
        size = level.negatives(1)
        in_closed_form = (size + 7 / (12 * size)) / (1 + size)
        assert found.mean[0] == pytest.approx(in_closed_form, rel=1e-13)
    assert found.s1[0, 0] == pytest.approx(outer @ (along - mean) ** 2 / variance, abs=1e-12)
    np.testing.assert_allclose(found.st[0], 1 - found.s1[0, ::-1])
    assert found.index_error[0] < 1e-10


@pytest.mark.parametrize("key", CLUSTER_MEASURES)
def test_the_larger_cluster_is_the_smaller_one_of_the_mirrored_level(key):
    one, other = (exact_at(CLUSTER_MEASURES[key], level) for level in (Level(1, 7), Level(7, 1)))
    np.testing.assert_allclose(one.s1[0], other.s1[0, ::-1], rtol=1e-9)
    assert one.mean[0] == pytest.approx(other.mean[0], rel=1e-12)


def test_small_clusters_are_not_seen_under_imbalance():
    """The survey's statement on Rand and Fowlkes-Mallows holds for the other measures, too."""
    for key, metric in CLUSTER_MEASURES.items():
        seen = [exact_at(metric, level).st[0, 0] for level in LEVELS]
        assert seen == sorted(seen, reverse=True)
        assert seen[0] > 0.49
        assert seen[-1] < (1e-3 if key in ("rand", "fowlkes_mallows") else 0.1)


def test_exact_and_sampled_indices_agree(cluster_tables):
    indices, _ = cluster_tables
    for kind in ("s1", "st"):
        distance = (indices[f"sampled_{kind}"] - indices[kind]).abs()
        assert (distance < 6 * indices[f"{kind}_standard_error"] + 1e-9).all()
        assert (indices[f"{kind}_standard_error"] < 0.01).all()
    assert (indices["error_estimate"] < 1e-8).all()
    own = indices.query("measure == 'rand' and level == '1:2'")
    assert own["input"].tolist() == ["smaller", "larger"]


def test_shifts_of_clusterings(cluster_tables):
    _, shifts = cluster_tables
    shifts = shifts.set_index(["measure", "level"])
    assert (shifts["type"] == 1).all()
    assert (shifts["error_estimate"] < 1e-5).all()
    assert shifts.loc[("purity", "1:1"), ["mean", "mean_shift"]].tolist() == pytest.approx(
        [0.75, 0]
    )
    grid = (np.arange(400) + 0.5) / 800
    rates = 1 - 2 * grid[:, np.newaxis], 2 * grid
    values = [
        CLUSTER_MEASURES["rand"](ConfusionMatrix.from_rates(*rates, positives=1, negatives=size))
        for size in (1, 10)
    ]
    expected = np.abs(values[1] - values[0]).mean()
    assert shifts.loc[("rand", "1:10"), "mean_shift"] == pytest.approx(expected, abs=1e-4)


def test_a_scramble_that_sees_a_constant_is_left_out():
    table = cluster_sensitivity([Level(1, 10**4)], replicates=2, log2_samples=4, seed=1)
    of_purity = table[table["measure"] == "purity"]
    assert of_purity["sampled_s1"].isna().all()
    assert of_purity["s1"].notna().all()


@pytest.mark.slow
def test_rows_are_of_the_metric_at_its_place():
    metrics = [METRICS["accuracy"], METRICS["mcc"]]
    found = exact_indices(metrics, positives=100, negatives=200)
    estimates = list(
        scrambled_indices(metrics, Level(1, 2), 100, log2_samples=6, replicates=4, seed=1)
    )
    sampled = ReplicatedIndices.of(estimates)
    rows = index_rows({"measure": "mcc"}, ("kept", "lost"), found, sampled, 1)
    np.testing.assert_array_equal(rows[["s1", "st"]].T, [found.s1[1], found.st[1]])
    totals = np.array([one.st[1] for one in estimates])
    np.testing.assert_allclose(rows["sampled_st"], totals.mean(axis=0))
    np.testing.assert_allclose(rows["st_standard_error"], totals.std(axis=0, ddof=1) / 2)
