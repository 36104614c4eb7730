import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof.metrics import METRICS
from skewproof_studies.van_zyl.verdicts.summary import summarize_verdicts
from skewproof_studies.van_zyl.verdicts.verdicts import (
    EXACT_ERROR,
    false_alarms,
    half_widths,
    index_shift_errors,
    index_shifts,
    largest_index_shifts,
    verdicts,
)
from written import check_written

pytestmark = pytest.mark.slow

LEVELS = ["1:1", "1:10"]
P_VALUES = ["p_difference_holm", "p_equivalence_holm"]
CASES = {
    # p, sigma, symbolic, exact indices at both levels, (difference, p_difference, p_equivalence)
    "accuracy": (0.0, 500.0, "differs", (0.5, 0.01), (-0.49, 0.0, 1.0)),
    "mcc_i": (0.9, 0.0, "same", (0.5, 0.5), (0.0, 1.0, 0.0)),
    "optimized_precision_i": (0.0, 0.0, "same", (0.4, 0.4), (0.001, 1.0, 0.01)),
    "mcc": (0.9, 500.0, "undecided", (0.5, 0.5 + 1e-10), (0.004, 0.2, 0.2)),
    "f1": (0.0, 500.0, "differs", (0.9, float("nan")), (0.3, 0.001, 1.0)),
    "iba": (0.9, 0.0, "same", (0.5, 0.5), (0.002, 0.01, 0.01)),
}


def frames():
    keys = list(CASES)
    scores, exact, tests = [], [], []
    for key, (_, _, _, indices, (difference, p_difference, p_equivalence)) in CASES.items():
        for level, s1 in zip(LEVELS, indices, strict=True):
            for name in ("tp", "fp"):
                scores.append((key, level, name, s1 + 2e-4, 0.01))
                exact.append((key, level, name, s1, 1e-14))
        # The other input is quiet.
        tests.append((key, "1:10", "tp", difference, p_difference, p_equivalence))
        tests.append((key, "1:10", "fp", difference / 2, 1.0, min(p_equivalence, 0.02)))
    tests = pd.DataFrame(
        tests,
        columns=["metric", "level", "input", "difference", *P_VALUES],
    )
    at_level = {"metric": keys, "level": "1:10"}
    return {
        "scores": pd.DataFrame(scores, columns=["metric", "level", "input", "s1", "s1_conf"]),
        "p_values": pd.DataFrame(at_level | {"p": [case[0] for case in CASES.values()]}),
        "deviations": pd.DataFrame(
            at_level | {"sigma": [case[1] for case in CASES.values()], "points": 10_000}
        ),
        "invariance": pd.DataFrame(at_level | {"verdict": [case[2] for case in CASES.values()]}),
        "exact": pd.DataFrame(exact, columns=["metric", "level", "input", "s1", "error_estimate"]),
        "tests": tests.assign(low=tests["difference"] - 0.01, high=tests["difference"] + 0.01),
        "scrambles": pd.DataFrame(
            [("optimized_precision_i", "1:10", 2**16, 200, 141)],
            columns=["metric", "level", "base_points", "pairs", "rejections"],
        ),
    }


def judged(registry=METRICS, **changes):
    return verdicts(**frames() | changes, baseline="1:1", alpha=0.05, registry=registry)


@pytest.fixture(scope="module")
def table():
    return judged().set_index("metric")


def test_the_verdicts_and_what_explains_false_alarms(table):
    """IBA has a difference that is shown, and shown to be smaller than what is of interest.

    Of OP_i 2e-4 is 3.6 times the standard error, 0.01 sqrt(2/2^16) = 5.5e-5. A kink is found in
    the metric, which may be a study's own.
    """
    data = frames()
    alarms = false_alarms(data["p_values"], data["invariance"], alpha=0.05)
    assert [tuple(place) for place in alarms] == [("optimized_precision_i", "1:10")]
    formula = METRICS["mcc_i"].formula
    smooth = dataclasses.replace(METRICS["optimized_precision_i"], formula=formula)
    registry = {key: METRICS[key] for key in CASES} | {smooth.key: smooth}
    exact = data["exact"]
    unknown = exact.assign(s1=exact["s1"].mask(exact["metric"] == smooth.key))
    elsewhere = data["scrambles"].assign(level="1:2")
    check_written(
        Path(__file__).with_name("verdicts.txt"),
        six_metrics=table.to_csv(),
        samples_repeated_at_another_level=judged(scrambles=elsewhere)["sentence"].to_csv(),
        no_kink_and_no_exact_index=judged(registry, exact=unknown)["sentence"].to_csv(),
    )


ORDERINGS = pd.DataFrame(
    {"metric": ["mcc_i", "iba", "g_mean"], "ordering": pd.array([1, 1, None], dtype="Int64")}
)


def summary(table, orderings=ORDERINGS):
    means = {"grid": [0.25, 0.2, 0.0], "integral": [0.2, 0.21, 0.0]}
    choices = [
        pd.DataFrame(
            {"metric": ["mcc", "f1", "iba"], "mean_deviation": values, "type": number}
        ).assign(choice=choice, value={"grid": "50"}.get(choice, "exact"), level="1:10")
        for number, (choice, values) in enumerate(means.items(), 1)
    ]
    widths = half_widths(frames()["scores"], frames()["exact"])
    assert len(widths) == len(frames()["scores"])
    assert widths["error"].dropna().to_numpy() == pytest.approx(2e-4)
    options = {"replicates": 32, "log2_samples": 12, "smallest_difference": 0.005}
    return summarize_verdicts(
        table.reset_index(), widths, pd.concat(choices), orderings, registry=METRICS, **options
    )


def test_the_whole_summary(table):
    """MCC and F1 move, and the grid has them in the other order; IBA does not move."""
    check_written(
        Path(__file__).with_name("summary.txt"),
        six_metrics=summary(table),
        all_agree=summary(table[table["agree"]], ORDERINGS.iloc[:0]),
    )


EXACT = pd.DataFrame(
    [
        ("accuracy", "1:1", 0.5, 0.5, 1e-14),
        ("accuracy", "1:2", 0.2, 0.8, 3e-14),
        ("mine", "1:1", 0.9, 0.1, 1e-10),
        ("mine", "1:2", 0.7, 0.15, 2e-10),
        ("unresolved", "1:1", 0.3, 0.7, 1e-12),
        ("unresolved", "1:2", np.nan, np.nan, 1e-2),
    ],
    columns=["metric", "level", "tp", "fp", "error_estimate"],
).melt(["metric", "level", "error_estimate"], var_name="input", value_name="s1")


def test_distances_are_from_the_baseline_of_the_same_metric_and_input():
    shifts = index_shifts(EXACT, baseline="1:1")
    assert set(shifts.index.get_level_values("level")) == {"1:2"}
    assert shifts["1:2", "mine", "tp"] == pytest.approx(0.2)
    assert shifts["1:2", "mine", "fp"] == pytest.approx(0.05)
    back = index_shifts(EXACT, baseline="1:2")
    assert back["1:1", "mine", "tp"] == shifts["1:2", "mine", "tp"]
    largest = largest_index_shifts(EXACT, baseline="1:1")
    assert largest["accuracy", "1:2"] == pytest.approx(0.3)
    assert largest["mine", "1:2"] == pytest.approx(0.2)
    assert np.isnan(largest["unresolved", "1:2"])
    errors = index_shift_errors(EXACT, baseline="1:1")
    assert errors["mine", "1:2"] == pytest.approx(3e-10 + 2 * EXACT_ERROR)
    assert errors["accuracy", "1:2"] == pytest.approx(4e-14 + 2 * EXACT_ERROR)
