"""The verdicts on a small config."""

import numpy as np
import pandas as pd

from study import SMALL, messages


def test_a_verdict_for_every_metric_and_level(whole):
    verdicts = whole.table("verdicts")
    assert len(verdicts) == len(SMALL["metrics"]) * 2
    robust = {"f1_i", "laplace_i", "mcc_i", "iba", "g_mean", "optimized_precision_i"}
    for column in ("paper_contour", "symbolic", "exact"):
        expected = verdicts["metric"].isin(robust).map({True: "same", False: "differs"})
        assert verdicts[column].to_list() == expected.to_list()
    assert verdicts.loc[~verdicts["agree"], "sentence"].notna().all()


def test_robust_metrics_are_put_into_orderings(whole):
    orderings = whole.table("orderings").set_index("metric")["ordering"]
    robust = ["f1_i", "laplace_i", "mcc_i", "iba", "g_mean", "optimized_precision_i"]
    assert sorted(orderings.index) == sorted(robust)
    assert orderings.nunique() == len(robust)
    text = (whole.folder / "results/verdicts.md").read_text()
    assert "They define 6 orderings of classifiers: each defines its own." in text
    assert "## Invariance is not quality" in text


def test_the_standard_error_is_that_of_the_mean_of_the_replicates(whole):
    tests = whole.table("sound_tests").set_index(["metric", "level", "input"])
    replicates = whole.table("replicates").groupby(["metric", "level", "input"])["s1"]
    expected = replicates.sem().reindex(tests.index)
    np.testing.assert_allclose(tests["standard_error"], expected, rtol=1e-8, atol=1e-15)


def test_another_margin_repeats_the_tests_only(whole, tmp_path):
    study = whole.copy(tmp_path / "study")
    study.configure(statistics=SMALL["statistics"] | {"smallest_difference": 0.1})
    output = study.run("--cores", "2", "conclusions")
    assert messages(output) == [
        "All verdicts are complete",
        "Combining the verdicts",
        "Drawing the verdicts and the ranking of all metrics",
        "Recording versions, seed, configuration and commit",
        "Reporting the paper's discrepancies",
        "Testing the indices of all scrambles against those at 1:1",
    ]
    before, after = whole.table("sound_tests"), study.table("sound_tests")
    pd.testing.assert_series_equal(before["p_difference"], after["p_difference"])
    assert not before["p_equivalence"].equals(after["p_equivalence"])
