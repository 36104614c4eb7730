import pandas as pd
import pytest
from matplotlib.colors import to_rgba

from skewproof.reporting.style import FRAME
from skewproof.studies.van_zyl.verdict_figures import verdict_figure
from skewproof.studies.van_zyl.verdicts import VERDICTS, false_alarms, half_widths, verdicts

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


@pytest.fixture(scope="module")
def table():
    return verdicts(**frames(), baseline="1:1", alpha=0.05).set_index("metric")


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("accuracy", ["differs"] * 5),
        ("mcc_i", ["same"] * 5),
        ("optimized_precision_i", ["differs", "same", "same", "same", "same"]),
        ("mcc", ["same", "differs", "undecided", "differs", "undecided"]),
        ("f1", ["differs", "differs", "differs", "undecided", "differs"]),
        # A difference that is shown, and shown to be smaller than what is of interest.
        ("iba", ["same"] * 5),
    ],
)
def test_each_verdict(table, key, expected):
    assert table.loc[key, list(VERDICTS)].to_list() == expected
    assert table.loc[key, "agree"] == (len(set(expected)) == 1)


def test_effects(table):
    row = table.loc["accuracy"]
    assert row["index_shift"] == pytest.approx(0.49)
    assert row[["effect", "effect_low", "effect_high"]].to_list() == [-0.49, -0.5, -0.48]
    assert (row["p_difference"], row["p_equivalence"]) == (0.0, 1.0)


def test_a_sentence_where_they_differ(table):
    assert (table["sentence"] != "").to_dict() == (~table["agree"]).to_dict()
    assert table.loc["mcc", "sentence"] == (
        "It is the same by the paper's test; it differs by the paper's contours and the exact"
        " indices; it can't be told by the formula and the replicated samples."
    )


def test_a_false_alarm_is_explained(table):
    sentence = table.loc["optimized_precision_i", "sentence"]
    # 0.01 sqrt(2/2^16) = 5.5e-5, and 2e-4 is 3.6 times that.
    assert "off by up to 2.0e-04, 3.6 times the standard error 5.5e-05" in sentence
    assert "its kink at tpr = tnr" in sentence
    assert sentence.endswith("Of 200 pairs of scrambles at 1:10 141 reject at 0.05.")


def test_false_alarms_are_found():
    data = frames()
    found = false_alarms(data["p_values"], data["invariance"], alpha=0.05)
    assert [tuple(place) for place in found] == [("optimized_precision_i", "1:10")]


def test_half_widths_stand_beside_the_true_errors():
    data = frames()
    widths = half_widths(data["scores"], data["exact"])
    assert len(widths) == len(data["scores"])
    assert widths["error"].dropna().to_numpy() == pytest.approx(2e-4)


def test_the_figure_frames_what_is_at_odds(table):
    figure = verdict_figure(table.reset_index())
    assert len(figure.axes) == len(VERDICTS)
    for axes in figure.axes:
        rows = sorted(patch.get_y() + 0.5 for patch in axes.patches)
        assert rows == sorted(index for index, agree in enumerate(table["agree"]) if not agree)
        assert {patch.get_edgecolor() for patch in axes.patches} == {to_rgba(FRAME)}
