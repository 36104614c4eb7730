"""The command ``skewproof printed``."""

import json

import pytest

SIZES = ["--positives", "100", "--negatives", "200"]
SCORES = ["accuracy=0.9033", "recall=85%"]


def test_json(parsed):
    result = parsed("printed", *SIZES, *SCORES, "--metrics", "f1")
    assert result["matrices"] == [{"tp": 85, "fp": 14, "fn": 15, "tn": 186}]
    (row,) = result["other_scores"]
    assert row["smallest"] == row["largest"] == 170 / 199


@pytest.mark.slow
def test_json_of_impossible_scores(run):
    code, output, _ = run("printed", *SIZES, *SCORES, "specificity=0.95", "--json")
    result = json.loads(output)
    assert (code, result["possible"], result["matrices"]) == (3, False, [])
    exchanged = {row["reason"]: row for row in result["explanations"]}["classes exchanged"]
    assert exchanged == {"reason": "classes exchanged", "possible": False, "nearby": None}


def test_a_table_of_matrices(run, tmp_path):
    path = tmp_path / "matrices.csv"
    assert run("printed", *SIZES, *SCORES, "--output", str(path))[0] == 0
    assert path.read_text().splitlines() == ["tp,fp,fn,tn", "85,14,15,186"]


def test_a_name_with_an_equal_sign(parsed):
    result = parsed("printed", *SIZES, "robust_mcc(d=0.05)=0.41", "recall=0.85")
    rates = {row["tp"] / 100 - row["fp"] / 200 for row in result["matrices"]}
    assert result["number"] == len(rates) > 0


def test_ranges_of_sizes(parsed):
    result = parsed("printed", *SCORES, "--positives", "90..110", "--negatives", "150..250")
    assert result["number"] == len(result["matrices"]) > 1
    share = parsed("printed", *SCORES, "--prevalence", "33%", "--total", "300")
    assert {"tp": 85, "fp": 14, "fn": 15, "tn": 186} in share["matrices"]


def test_many_matrices_have_no_intervals(parsed):
    result = parsed("printed", *SIZES, "accuracy=0.8", "--metrics", "f1")
    assert result["number"] > 1000
    assert set(result["other_scores"][0]) == {"metric", "smallest", "largest"}


def test_means_over_folds(parsed, run):
    words = ["printed", *SIZES, "--folds", "5", *SCORES, "f1=0.8533"]
    result = parsed(*words)
    assert result["possible"]
    assert [fold["tp"] + fold["fn"] for fold in result["folds"]] == [20] * 5
    code, output, _ = run(*words[:-1], "f1=0.70")
    assert code == 3
    assert "Impossible: no matrices of 5 folds have these means" in output
