"""The verdicts on a small config."""

import numpy as np
import pandas as pd
import pytest

from study import SMALL

COLUMNS = {
    "invariance": [
        "metric",
        "level",
        "verdict",
        "formula",
        "u",
        "v",
        "baseline_value",
        "level_value",
    ],
    "sound_tests": [
        "metric",
        "level",
        "input",
        "mean",
        "standard_error",
        "difference",
        "low",
        "high",
        "p_difference",
        "p_difference_holm",
        "p_equivalence",
        "p_equivalence_holm",
    ],
    "replicates": ["metric", "level", "replicate", "input", "s1"],
    "scrambles": ["metric", "level", "base_points", "pairs", "rejections"],
    "robustness": [
        "choice",
        "value",
        "metric",
        "level",
        "sigma",
        "mean_deviation",
        "points",
        "undefined_points",
        "error_estimate",
        "type",
    ],
    "robustness_ranking": [
        "rank",
        "metric",
        "mean_shift",
        "mean_shift_level",
        "index_shift",
        "index_shift_level",
        "index_shift_input",
    ],
    "orderings": ["metric", "ordering", "like", "evidence"],
    "half_widths": ["metric", "level", "input", "s1", "s1_conf", "exact", "error"],
    "verdicts": [
        "metric",
        "level",
        "paper_importance",
        "paper_contour",
        "symbolic",
        "exact",
        "statistical",
        "agree",
        "index_shift",
        "index_shift_error",
        "effect",
        "effect_low",
        "effect_high",
        "p_difference",
        "p_equivalence",
        "sentence",
    ],
}


OTHERS = (
    *("burduk", "mullick", "survey", "tharwat", "classifiers", "atlas", "choices"),
    "made_for_imbalance",
    *("real_world", "ranking_flips", "choose_"),
)


def test_every_output_is_there(whole, finished):
    tables = {f"results/tables/table_{name}" for name in ("9", "10", "11", "11_pooled")}
    new = {
        path
        for path in set(whole.produced()) - set(finished.produced())
        if not any(name in path for name in OTHERS) and path.rpartition(".")[0] not in tables
    }
    figures = {f"figures/{name}.png" for name in ("verdicts", "robustness_ranking")}
    reports = {f"results/{name}.md" for name in ("verdicts", "discrepancies")}
    assert new == figures | reports | {f"results/{name}.csv" for name in COLUMNS}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns(whole, name):
    assert list(whole.table(name).columns) == COLUMNS[name]


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
    assert study.planned("conclusions") == [
        "All verdicts are complete",
        "Combining the verdicts",
        "Drawing the verdicts and the ranking of all metrics",
        "Recording versions, seed, configuration and commit",
        "Reporting the paper's discrepancies",
        "Testing the indices of all scrambles against those at 1:1",
    ]
    study.run("--cores", "2", "conclusions")
    before, after = whole.table("sound_tests"), study.table("sound_tests")
    pd.testing.assert_series_equal(before["p_difference"], after["p_difference"])
    assert not before["p_equivalence"].equals(after["p_equivalence"])
