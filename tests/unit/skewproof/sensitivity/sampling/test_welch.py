import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof.core.confusion import INPUTS
from skewproof.sensitivity.sampling.welch import p_values


def scores(rows):
    return pd.DataFrame(rows, columns=["metric", "level", "input", "s1", "s1_conf"])


def test_levels_but_the_baseline_in_their_order():
    rows = [
        (metric, level, name, 0.5, 0.01)
        for level in ["1:10", "1:1", "1:2"]
        for metric in ["mcc", "accuracy"]
        for name in ["tp", "fp"]
    ]
    result = p_values(scores(rows), baseline="1:1", base_points=16)
    assert list(result.columns) == ["metric", "level", "p_tp", "p_fp", "p"]
    assert list(result["level"]) == ["1:10", "1:10", "1:2", "1:2"]
    assert list(result["metric"]) == ["mcc", "accuracy"] * 2
    assert (result["p"] == 1).all()


@pytest.mark.slow
def test_values_are_those_of_scipy():
    rng, n = np.random.default_rng(1), 2**8
    places = [
        (level, metric, name) for level in ("1:1", "1:2") for metric in range(50) for name in INPUTS
    ]
    table = scores([(metric, level, name, 0.5, 0.01) for level, metric, name in places])
    table["s1"] += rng.normal(scale=1e-3, size=len(table))
    table["s1_conf"] = rng.uniform(0.001, 0.02, size=len(table)) * (
        table["metric"] > 1
    )  # 0: no spread
    table.loc[(table["metric"] == 0) & (table["input"] == "fp"), "s1"] = 0.5  # and no difference
    result = p_values(table, baseline="1:1", base_points=n)

    first, second = (table[table["level"] == level] for level in ("1:1", "1:2"))
    with np.errstate(divide="ignore", invalid="ignore"):
        welch = stats.ttest_ind_from_stats(
            first["s1"],
            first["s1_conf"],
            n,
            second["s1"].array,
            second["s1_conf"].array,
            n,
            equal_var=False,
        ).pvalue.reshape(-1, 2)
    np.testing.assert_allclose(result[["p_tp", "p_fp"]], welch, rtol=1e-12)
    both = [stats.combine_pvalues(pair, method="stouffer").pvalue for pair in welch]
    np.testing.assert_allclose(result["p"], both, rtol=1e-12)
