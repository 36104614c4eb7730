import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.sensitivity.sampling.replicates import (
    Replicated,
    ReplicatedIndices,
    compare_groups,
    groups_by_level,
    rejections,
    replicated_indices,
    scrambled_indices,
    sound_tests,
)
from skewproof.sensitivity.sampling.sampled import sobol_indices

EXAMINED = [METRICS[key] for key in ("accuracy", "mcc", "mcc_i")]


def replicates(level="1:10", number=6, **options):
    options = {"log2_samples": 6, "replicates": number, "seed": 3} | options
    return replicated_indices(EXAMINED, Level.parse(level), 100.0, **options)


@pytest.mark.slow
def test_each_replicate_is_an_estimate_of_its_own():
    groups = replicates()
    assert groups.shape == (6, len(EXAMINED), 2)
    assert len(np.unique(groups[:, 1, 0])) == 6
    alone = sobol_indices(EXAMINED, Level(1, 10), 100.0, log2_samples=6, resamples=20, seed=(3, 4))
    np.testing.assert_allclose(groups[4], alone.s1, rtol=1e-13)


def test_mean_and_standard_error_by_hand():
    """The mean of 1, 2 and 6 is 3, their variance (4 + 1 + 9)/2 = 7; one estimate is missing."""
    found = Replicated.of([[1.0, 5.0, np.nan], [2.0, 5.0, 5.0], [6.0, 5.0, 5.0]])
    np.testing.assert_allclose(found.mean, [3, 5, np.nan])
    np.testing.assert_allclose(found.standard_error, [np.sqrt(7 / 3), 0, np.nan])


@pytest.mark.slow
def test_first_order_and_total_indices_of_scrambles():
    options = {"log2_samples": 6, "replicates": 5, "seed": 3}
    estimates = list(scrambled_indices(EXAMINED, Level(1, 10), 100.0, **options))
    found = ReplicatedIndices.of(estimates)
    # Without total indices products have another shape, and may round otherwise.
    np.testing.assert_allclose(replicates(number=5).mean(axis=0), found.s1.mean, rtol=1e-13)
    np.testing.assert_array_equal(found.st.mean, np.mean([one.st for one in estimates], axis=0))


@pytest.mark.slow
def test_replicates_in_long_form_become_groups_again():
    groups = {"1:1": replicates("1:1", 3), "1:10": replicates(number=3)}
    keys = [metric.key for metric in EXAMINED]
    rows = [
        (level, key, replicate, name, group[replicate, place, j])
        for level, group in groups.items()
        for place, key in enumerate(keys)
        for replicate in range(3)
        for j, name in enumerate(["tp", "fp"])
    ]
    table = pd.DataFrame(rows, columns=["level", "metric", "replicate", "input", "s1"])
    found = groups_by_level(table)
    assert list(found) == list(groups)
    for level, group in groups.items():
        np.testing.assert_array_equal(found[level], group)


def test_without_resamples_there_are_no_half_widths():
    result = sobol_indices(EXAMINED, Level(1, 10), 100.0, log2_samples=6, resamples=0, seed=0)
    assert np.isnan(result.s1_conf).all()
    assert np.isnan(result.st_conf).all()
    assert np.isfinite(result.s1).all()


def groups_apart(difference, spread=1.0, size=10):
    first = np.random.default_rng(5).normal(0, spread, size)
    return first, np.random.default_rng(6).normal(difference, spread, size)


def test_the_interval_is_welchs():
    first, second = groups_apart(0.7, spread=3.0)
    found = compare_groups(first, second, smallest_difference=0.1, confidence=0.9)
    expected = stats.ttest_ind(second, first, equal_var=False).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx(tuple(expected))


def test_equivalence_is_shown_when_the_interval_lies_inside_the_margins():
    """TOST at alpha is the interval of level 1 - 2 alpha (Schuirmann 1987)."""
    first, second = groups_apart(0.1, spread=0.2)
    for margin in (0.05, 0.2, 0.3, 0.5):
        result = compare_groups(first, second, smallest_difference=margin, confidence=0.9)
        inside = -margin < result.low and result.high < margin
        assert (result.p_equivalence < 0.05) == inside


@pytest.mark.parametrize(
    ("difference", "p_difference", "p_equivalence"),
    [(0, 1, 0), (1e-15, 1, 0), (0.01, 0, 0), (0.2, 0, 1)],
)
def test_without_spread_the_means_decide(difference, p_difference, p_equivalence):
    first = np.full((4, 1), 0.5)
    result = compare_groups(first, first + difference, smallest_difference=0.1, confidence=0.95)
    assert result.p_difference == p_difference
    assert result.p_equivalence == p_equivalence
    assert result.low == result.high == pytest.approx(difference)


@pytest.mark.slow
def test_every_metric_level_and_input_is_tested():
    groups = {level: replicates(level) for level in ("1:1", "1:10", "7:3")}
    keys = [metric.key for metric in EXAMINED]
    table = sound_tests(groups, keys, baseline="1:1", smallest_difference=0.01, alpha=0.05)
    assert len(table) == len(EXAMINED) * 2 * 2
    assert set(table["level"]) == {"1:10", "7:3"}
    for kind in ("difference", "equivalence"):
        adjusted = holm(table[f"p_{kind}"])
        np.testing.assert_array_equal(table[f"p_{kind}_holm"], adjusted)
    row = table.query("metric == 'accuracy' and level == '1:10' and input == 'fp'").iloc[0]
    group = groups["1:10"][:, 0, 1]
    assert row["mean"] == pytest.approx(group.mean())
    assert row["standard_error"] == pytest.approx(stats.sem(group))
    assert row["p_difference_holm"] < 0.05


@pytest.mark.slow
def test_rejections_of_the_papers_test():
    def count(key, half_width):
        widths = pd.DataFrame(
            [(level, name, half_width) for level in ("1:1", "1:2") for name in ("tp", "fp")],
            columns=["level", "input", "s1_conf"],
        )
        return rejections(
            METRICS[key],
            Level(1, 2),
            Level(1, 1),
            100.0,
            half_widths=widths,
            log2_samples=6,
            scrambles=20,
            seed=1,
            alpha=0.05,
        )

    assert count("accuracy", 0.01) == 20
    assert count("mcc_i", 100.0) == 0
    assert 0 < count("optimized_precision_i", 0.1) < 20
