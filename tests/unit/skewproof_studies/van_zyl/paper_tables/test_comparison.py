from pathlib import Path

import pandas as pd
import pytest

from skewproof_studies.van_zyl.paper_tables.comparison import (
    compare_tables,
    implied_types,
    printed_kinds,
    summarize_comparison,
)
from written import check_written

pytestmark = pytest.mark.slow

PRINTED = pd.DataFrame(
    [
        ("5", "mcc", "1:2", "0.0000"),
        ("5", "f1_i", "1:2", "0.9839"),
        ("5", "iba", "1:2", "0.9901"),
        ("6", "mcc", "type", "1"),
        ("6", "f1_i", "type", "2"),
        ("7", "mcc", "1:2", "100.73"),
        ("7", "f1_i", "1:2", "0.0"),
        ("8", "mcc", "type", "1"),
        ("a13", "mcc", "tp", "0.54"),
        ("a13", "mcc", "tp_half_width", "0.01"),
        ("a13", "mcc", "fp", "0.46"),
        ("a13", "mcc", "fp_half_width", "0.01"),
        ("a13", "mcc", "ratio", "0.86"),
        ("a16", "mcc", "tp", "0.70"),
        ("a16", "mcc", "tp_half_width", "0.03"),
    ],
    columns=["table", "metric", "column", "printed"],
)
REMARKS = pd.DataFrame([("6", "f1_i", "a remark")], columns=["table", "metric", "remark"])


def comparison(*, sigma_f1_i=1e-12, s1_tp=0.4640, baseline="1:1", level="1:2"):
    result = compare_tables(
        PRINTED,
        REMARKS,
        scores=pd.DataFrame(
            [("mcc", level, "tp", s1_tp, 0.0061), ("mcc", level, "fp", 0.5400, 0.0063)],
            columns=["metric", "level", "input", "s1", "s1_conf"],
        ),
        p_values=pd.DataFrame(
            [("mcc", level, 1e-9), ("f1_i", level, 0.04)], columns=["metric", "level", "p"]
        ),
        deviations=pd.DataFrame(
            [("mcc", level, 100.7312), ("f1_i", level, sigma_f1_i)],
            columns=["metric", "level", "sigma"],
        ),
        types=pd.DataFrame(
            [("mcc", "importance", "1"), ("f1_i", "importance", "mixed"), ("mcc", "contour", "1")],
            columns=["metric", "verdict", "type"],
        ),
        exact=pd.DataFrame(
            [("mcc", level, "tp", 0.4651), ("mcc", level, "fp", 0.5351)],
            columns=["metric", "level", "input", "s1"],
        ),
        baseline=baseline,
        alpha=0.05,
    )
    return result.set_index(["table", "metric", "column"]).sort_index()


def test_every_printed_number_is_compared_with_its_own():
    """The paper swaps the columns of its appendix; exact indices are known of scores and ratios.

    What was not computed is neither right nor wrong, and says why.
    """
    changes = {
        "usual": {},
        "a_score_is_far_off": {"s1_tp": 0.5},
        "a_deviation_is_undefined": {"sigma_f1_i": float("nan")},
        "another_level": {"level": "1:3"},
        "another_baseline": {"baseline": "1:10"},
    }
    results = {name: comparison(**change).to_csv() for name, change in changes.items()}
    check_written(Path(__file__).with_name("comparison.txt"), **results)


@pytest.mark.parametrize(("sigma", "agrees"), [(9e-10, True), (2e-9, False), (0.004, False)])
def test_a_printed_zero_wants_a_zero(sigma, agrees):
    row = comparison(sigma_f1_i=sigma).loc[("7", "f1_i", "1:2")]
    assert row["agrees"] == agrees
    assert row["tolerance"] == 1e-9


@pytest.mark.parametrize(("s1", "agrees"), [(0.45449, False), (0.45451, True), (0.46451, False)])
def test_scores_are_rounded_twice(s1, agrees):
    assert comparison(s1_tp=s1).loc[("a13", "mcc", "tp"), "agrees"] == agrees


SALIB = pd.DataFrame(
    [
        ("mcc", "1:2", "tp", "s1", 0.5, 0.5, 0.0),
        ("mcc", "1:2", "fp", "s1", 0.5, 0.5, -3e-6),
        ("mcc", "1:2", "tp", "s1_conf", 0.1, 0.1, 0.0),
        ("mcc", "1:2", "fp", "s1_conf", 0.1, 0.1, 1e-6),
    ],
    columns=["metric", "level", "input", "quantity", "ours", "salib", "difference"],
)


def summary(table, salib=SALIB):
    return summarize_comparison(table.reset_index(), salib)


def test_the_whole_summary():
    table = comparison()
    check_written(
        Path(__file__).with_name("summary.txt"),
        of_all=summary(table),
        of_what_was_computed=summary(table.dropna(subset="agrees")),
        of_what_agrees_without_half_widths_of_salib=summary(table.query("agrees"), SALIB[:2]),
    )


def test_kinds_of_the_papers_numbers():
    """24 metrics: 5 tables of 2 scores, 2 half-widths, a ratio; 4 levels of Tables 5 and 7."""
    printed = pd.read_csv(Path(__file__).parents[5] / "resources/van_zyl/printed.csv", dtype=str)
    assert printed_kinds(printed).value_counts().to_dict() == {
        "score": 24 * 5 * 2, "half_width": 24 * 5 * 2, "ratio": 24 * 5, "decision": 24 * 4,
        "deviation": 12 * 4, "zero": 12 * 4, "importance_type": 24, "contour_type": 24,
    }  # fmt: skip
    # All but OP_i, which Table 5 rejects; v_i, printed as v, is Type 5 as its p-values say.
    assert implied_types(printed) == {"6": 23, "8": 24}


def test_types_that_do_not_follow_are_not_counted():
    levels = ["1:2", "1:10", "1:100", "1:1000"]
    rows = [
        *(("7", "a", level, sigma) for level, sigma in zip(levels, "0333", strict=True)),
        *(("7", "b", level, "0.0") for level in levels),
        *(("5", "a", level, p) for level, p in zip(levels, "1000", strict=True)),
        *[("8", "a", "type", "2"), ("8", "b", "type", "1"), ("6", "a", "type", "2")],
    ]
    printed = pd.DataFrame(rows, columns=["table", "metric", "column", "printed"])
    assert implied_types(printed) == {"6": 1, "8": 1}
