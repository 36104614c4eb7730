"""The command ``skewproof compare``."""

import numpy as np
import pandas as pd
import pytest

from skewproof import compare


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


NUMBERS = ["value", "low", "high", "p_value", "p_adjusted"]


@pytest.mark.parametrize(
    ("names", "columns", "options"),
    [
        ("abc", ["y_true"], {"metric": "auc", "at": 0.1, "groups": "patient", "confidence": 0.9}),
        (["a_call", "b_call"], ["truth"], {"metric": "f1", "pos_label": "yes", "at": "1:9"}),
    ],
)
@pytest.mark.slow
def test_what_is_printed_for_machines_is_what_the_package_finds(
    parsed, frame, path, names, columns, options
):
    arguments = ["--models", *names, "--true", *columns, "--metrics", options["metric"]]
    for name, value in list(options.items())[1:]:
        arguments += [f"--{name.replace('_', '-')}", str(value)]
    rows = parsed("compare", path, *arguments)
    if "groups" in options:
        options = options | {"groups": frame[options["groups"]]}
    found = compare(y_true=frame[columns[0]], first=frame[list(names)], **options)
    for name in ("first", "second"):
        assert [row[name] for row in rows] == found[name].tolist()
    for name in NUMBERS:
        assert [row[name] for row in rows] == pytest.approx(found[name].tolist())


@pytest.mark.slow
def test_a_threshold_goes_to_the_metrics_that_take_it(parsed, frame, path):
    options = ["--models", "a", "b", "--metrics", "net_benefit", "brier", "--threshold", "0.6"]
    rows = parsed("compare", path, *options, said="'patient' has 60 values")
    models = frame[["a", "b"]]
    net_benefit = compare("net_benefit", frame["y_true"], models, threshold=0.6)
    brier = compare("brier", frame["y_true"], models)
    for row, found in zip(rows, (net_benefit, brier), strict=True):
        assert [row[name] for name in NUMBERS] == pytest.approx(found[NUMBERS].iloc[0].tolist())


def test_costs_of_single_models_are_left_out_with_groups(parsed, path):
    options = ["--true", "truth", "--models", "a_call", "b_call", "--pos-label", "yes"]
    options += ["--metrics", "expected_cost", "--threshold", "0.2", "--groups", "patient"]
    parsed("compare", path, *options, said="values of single models are left out")
