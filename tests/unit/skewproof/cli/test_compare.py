"""The command ``skewproof compare``."""

import numpy as np
import pandas as pd
import pytest

from skewproof import area_interval, compare, interval


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    true = np.repeat([1, 0], 60)
    scores = {name: random.normal(gain * true) for name, gain in (("a", 0.5), ("b", 1), ("c", 1.5))}
    probabilities = {name: 1 / (1 + np.exp(-column)) for name, column in scores.items()}
    calls = {f"{name}_call": np.where(column > 0.5, "yes", "no") for name, column in scores.items()}
    truth = {"y_true": true, "truth": np.where(true == 1, "yes", "no")}
    return pd.DataFrame({**truth, **probabilities, **calls, "patient": np.arange(120) // 2})


@pytest.fixture
def path(tmp_path, frame):
    path = tmp_path / "models.csv"
    frame.to_csv(path, index=False)
    return str(path)


def expected(rows):
    return [
        {
            name: pytest.approx(row[name])
            for name in ("value", "low", "high", "p_value", "p_adjusted")
        }
        for row in rows.to_dict("records")
    ]


def numbers(rows):
    return [
        {name: row[name] for name in ("value", "low", "high", "p_value", "p_adjusted")}
        for row in rows
    ]


def test_scores_of_three_models(parsed, printed, frame, path, tmp_path):
    figure = tmp_path / "models.svg"
    options = ["--models", "a", "b", "c", "--at", "0.1", "--groups", "patient"]
    rows = parsed("compare", path, *options, "--figure", str(figure))
    models, groups = frame[["a", "b", "c"]], frame["patient"]
    found = compare("auc", frame["y_true"], models, at=0.1, groups=groups)
    assert [(row["first"], row["second"]) for row in rows] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert numbers(rows) == expected(found)
    assert figure.stat().st_size > 1000
    output = printed("compare", path, *options)
    value = area_interval("auc", frame["y_true"], frame["a"], at=0.1, groups=groups)
    assert f"a      {value.value:.2f}" in output
    assert "the second model less the first" in output


def test_predicted_labels(printed, frame, path):
    names = ["a_call", "b_call", "c_call"]
    options = ["--true", "truth", "--models", *names, "--pos-label", "yes", "--metrics", "f1"]
    output = printed("compare", path, *options)
    value = interval("f1", frame["truth"], frame["a_call"], pos_label="yes")
    found = compare("f1", frame["truth"], frame[names], pos_label="yes")
    assert f"a_call  {value.value:.2f}" in output
    assert [line.split()[:2] for line in output.splitlines()[-3:]] == found[
        ["first", "second"]
    ].to_numpy().tolist()


def test_expected_cost(printed, parsed, frame, path, tmp_path):
    names, figure = ["a_call", "b_call"], tmp_path / "costs.png"
    options = ["--true", "truth", "--models", *names, "--pos-label", "yes"]
    options += ["--metrics", "expected_cost", "--threshold", "0.2"]
    output = printed("compare", path, *options, "--figure", str(figure))
    truth, calls = frame["truth"] == "yes", frame["a_call"] == "yes"
    cost = 0.8 * (~calls[truth]).mean() + 0.2 * calls[~truth].mean()
    assert f"a_call  {cost:.2f}" in output
    assert figure.stat().st_size > 1000
    groups = ["--groups", "patient"]
    parsed("compare", path, *options, *groups, said="values of single models are left out")


def test_a_threshold_goes_to_the_metrics_that_take_it(parsed, frame, path):
    options = ["--models", "a", "b", "--metrics", "net_benefit", "brier", "--threshold", "0.6"]
    rows = parsed("compare", path, *options, said="'patient' has 60 values")
    models = frame[["a", "b"]]
    found = compare("net_benefit", frame["y_true"], models, threshold=0.6)
    assert numbers(rows) == expected(pd.concat([found, compare("brier", frame["y_true"], models)]))
