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
        "mean_shift",
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


@pytest.fixture(scope="module")
def concluded(finished, tmp_path_factory):
    study = finished.copy(tmp_path_factory.mktemp("conclusions") / "study")
    study.run("--cores", "2", "conclusions")
    return study


def test_every_output_is_there(concluded, finished):
    new = set(concluded.produced()) - set(finished.produced())
    figures = {
        f"figures/{name}.{kind}"
        for name in ("verdicts", "robustness_ranking")
        for kind in ("png", "pdf")
    }
    reports = {f"results/{name}.md" for name in ("verdicts", "discrepancies")}
    parts = {f"results/batches/1_1/{name}.csv" for name in ("invariance", "replicates")}
    parts.add("results/batches/1/robustness.csv")
    assert new == figures | reports | parts | {f"results/{name}.csv" for name in COLUMNS}


@pytest.mark.parametrize("name", COLUMNS)
def test_columns(concluded, name):
    assert list(concluded.table(name).columns) == COLUMNS[name]


def test_a_verdict_for_every_metric_and_level(concluded):
    verdicts = concluded.table("verdicts")
    assert len(verdicts) == len(SMALL["metrics"]) * 2
    robust = {"f1_i", "laplace_i", "mcc_i", "iba", "g_mean", "optimized_precision_i"}
    for column in ("paper_contour", "symbolic", "exact"):
        expected = verdicts["metric"].isin(robust).map({True: "same", False: "differs"})
        assert verdicts[column].to_list() == expected.to_list()
    assert verdicts.loc[~verdicts["agree"], "sentence"].notna().all()


def test_robust_metrics_are_put_into_orderings(concluded):
    orderings = concluded.table("orderings").set_index("metric")["ordering"]
    robust = ["f1_i", "laplace_i", "mcc_i", "iba", "g_mean", "optimized_precision_i"]
    assert sorted(orderings.index) == sorted(robust)
    assert orderings.nunique() == len(robust)
    text = (concluded.folder / "results/verdicts.md").read_text()
    assert "They are 6 orderings of classifiers: each is one of its own." in text
    assert "## Invariance is not quality" in text


def test_the_standard_error_is_that_of_the_mean_of_the_replicates(concluded):
    tests = concluded.table("sound_tests").set_index(["metric", "level", "input"])
    replicates = concluded.table("replicates").groupby(["metric", "level", "input"])["s1"]
    expected = replicates.sem().reindex(tests.index)
    np.testing.assert_allclose(tests["standard_error"], expected, rtol=1e-8, atol=1e-15)


def test_the_same_on_one_core(concluded, fresh):
    fresh.run("--cores", "1", "conclusions")
    own, other = concluded.produced(), fresh.produced()
    names = [f"results/{name}.csv" for name in COLUMNS] + ["results/verdicts.md"]
    assert {name: own[name] for name in names} == {name: other[name] for name in names}


def test_another_margin_repeats_the_tests_only(concluded, tmp_path):
    study = concluded.copy(tmp_path / "study")
    study.configure(statistics=SMALL["statistics"] | {"smallest_difference": 0.1})
    output = study.run("--cores", "1", "--dry-run", "conclusions")
    for name in ("sound_tests", "verdicts", "discrepancies", "overview_figures"):
        assert name in output
    assert "importance_level" not in output
    assert "Estimating anew for every scramble" not in output
    study.run("--cores", "2", "conclusions")
    before, after = concluded.table("sound_tests"), study.table("sound_tests")
    pd.testing.assert_series_equal(before["p_difference"], after["p_difference"])
    assert not before["p_equivalence"].equals(after["p_equivalence"])
