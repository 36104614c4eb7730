"""The library's batched estimate compared with SALib's, stage by stage."""

import numpy as np
import pandas as pd
import pytest
from SALib.analyze import sobol as salib

from skewproof.core.algebra import sqrt
from skewproof.core.levels import DEFAULT_LEVELS, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.sampled import SampledIndices, sobol_indices
from skewproof_studies.van_zyl.salib.indices import (
    INDEX_COLUMNS,
    drawn_metric,
    level_indices,
    salib_analysis,
)
from skewproof_studies.van_zyl.salib.values import metric_values, sample, write_values

OPTIONS = {"resamples": 100, "confidence": 0.95, "seed": 0}


def made(function):
    """Make a metric that is not registered."""
    return Metric(function.__name__, "f", "made for a test", "here", function)


@made
def root(c):
    """Take a root, undefined where tpr < 1/8: in A or AB_fp (the same tp), or in B or AB_tp."""
    with np.errstate(invalid="ignore"):
        return sqrt(c.tpr - 1 / 8) * (1 + c.tnr)


def indices(metrics, level="1:1", *, log2_samples=12, **options):
    return sobol_indices(
        metrics, Level.parse(level), 100, log2_samples=log2_samples, **OPTIONS | options
    )


def by_salib(metrics, level="1:1", *, log2_samples=12, **options):
    options = {"undefined": "error"} | OPTIONS | options
    level = Level.parse(level)
    points = sample(level, 100, log2_samples=log2_samples, seed=options["seed"])
    values = [metric_values(metric, points, level, 100) for metric in metrics]
    found = [
        salib_analysis(metric.key, own, level, **options)
        for metric, own in zip(metrics, values, strict=True)
    ]
    return SampledIndices(*map(np.array, zip(*found, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize("level", ["1:1", "1:1000"])
def test_every_number_of_every_metric_is_salibs(level):
    metrics = [bounded(metric) for metric in METRICS.values()]
    for ours, theirs in zip(indices(metrics, level), by_salib(metrics, level), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_values_far_from_zero_lose_no_digits():
    @made
    def shifted(c):
        return c.tpr * c.tnr + 1e4

    batched, chain = indices([shifted]), by_salib([shifted])
    for ours, theirs in zip(batched, chain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("log2_samples", "undefined"), [(8, "omit"), (12, 0), (8, 0.5)])
@pytest.mark.slow
def test_undefined_values_follow_the_policy(log2_samples, undefined):
    metrics = [METRICS["f1"], root]
    options = {"log2_samples": log2_samples, "undefined": undefined}
    batched, chain = indices(metrics, **options), by_salib(metrics, **options)
    for ours, theirs in zip(batched, chain, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-10)
    rates = sample(Level(1, 1), 100, log2_samples=log2_samples, seed=0)[:, 0].reshape(-1, 4) / 100
    assert list(batched.undefined) == [0, np.count_nonzero((rates < 1 / 8).any(axis=1))]


@pytest.mark.slow
def test_omitted_base_points_are_out_of_salibs_sample():
    tp, fp = sample(Level(1, 1), 100, log2_samples=12, seed=0).T.reshape(2, -1, 4)
    with np.errstate(invalid="ignore"):
        values = np.sqrt(tp / 100 - 1 / 8) * (2 - fp / 100)
    expected = salib.analyze(
        {"num_vars": 2, "names": ["tp", "fp"]},
        values[np.isfinite(values).all(axis=1)].ravel(),
        calc_second_order=False,
        seed=np.random.default_rng(0),
    )
    found = indices([root], undefined="omit")
    np.testing.assert_allclose(found.s1[0], expected["S1"], rtol=0, atol=1e-10)
    np.testing.assert_allclose(found.s1_conf[0], expected["S1_conf"], rtol=0, atol=1e-10)


def test_constant_values_and_unknown_policies_are_refused():
    @made
    def third(c):
        return 0 * c.tp + 1 / 3

    with pytest.raises(ValueError, match=r"third is constant \(0\.33"):
        by_salib([third])
    with pytest.raises(ValueError, match=r"^undefined = 'omitt': "):
        by_salib([METRICS["f1"]], undefined="omitt")


@pytest.fixture
def values(tmp_path):
    """Values of three metrics at the sample of 2^7 base points at 1:10."""
    points = sample(Level(1, 10), 100, log2_samples=7, seed=3)
    with (tmp_path / "values.npy").open("wb") as file:
        write_values(file, THREE, points, Level(1, 10), 100)
    return str(tmp_path / "values.npy")


THREE = [METRICS["f1"], root, METRICS["accuracy"]]
STUDY = {"log2_samples": 7, "resamples": 10, "confidence": 0.95, "seed": 3, "undefined": "omit"}


def level_table(values, half_widths, **changes):
    rows = level_indices(
        THREE, values, Level(1, 10), 100, half_widths=half_widths, **STUDY | changes
    )
    return pd.DataFrame(rows, columns=INDEX_COLUMNS)


def test_a_level_has_salibs_indices_and_half_widths_of_both(values):
    table = level_table(values, half_widths="skewproof")
    assert table["metric"].to_list() == ["f1", "f1", "root", "root", "accuracy", "accuracy"]
    ours = indices(THREE, "1:10", total=False, **STUDY)
    theirs = by_salib(THREE, "1:10", **STUDY)
    np.testing.assert_array_equal(table["s1"], theirs.s1.ravel())
    np.testing.assert_array_equal(table["s1_skewproof"], ours.s1.ravel())
    np.testing.assert_array_equal(table["s1_conf"], ours.s1_conf.ravel())
    np.testing.assert_array_equal(table["undefined_base_points"], np.repeat(ours.undefined, 2))
    computed = table["s1_conf_salib"].notna()
    assert table.loc[computed, "metric"].nunique() == 1
    np.testing.assert_array_equal(
        table.loc[computed, "s1_conf_salib"], theirs.s1_conf.ravel()[computed]
    )
    by_it_alone = level_table(values, half_widths="salib")
    for column in ("s1_conf", "s1_conf_salib"):
        np.testing.assert_array_equal(by_it_alone[column], theirs.s1_conf.ravel())


def test_an_undefined_metric_is_named_under_the_policy_error(values):
    with pytest.raises(ValueError, match=r"^root is undefined at \d+ of 128 base points at 1:10"):
        level_table(values, half_widths="skewproof", undefined="error")


def test_the_seed_and_the_level_draw_the_metric():
    keys = list("abcdefgh")
    drawn = {level: drawn_metric(keys, level, 1) for level in DEFAULT_LEVELS}
    assert drawn == {level: drawn_metric(keys, level, 1) for level in reversed(DEFAULT_LEVELS)}
    assert len(set(drawn.values())) > 1
    assert {drawn_metric(keys, Level(1, 10), seed) for seed in range(200)} == set(keys)
