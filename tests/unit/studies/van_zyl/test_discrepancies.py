from pathlib import Path

import pandas as pd
import pytest

from skewproof.studies.van_zyl.discrepancies import discrepancies, discrepancy_report

PRINTED = pd.read_csv(Path(__file__).parents[4] / "resources/van_zyl/printed.csv", dtype=str)
WIDTHS = pd.DataFrame({"s1_conf": [7e-3, 8e-3], "error": [2e-6, 3e-6]})
APPENDIX = ["a12", "a13", "a14", "a15", "a16"]


def shown(printed=PRINTED, widths=WIDTHS):
    return {one.place: one.shown for one in discrepancies(printed, widths)}


@pytest.mark.parametrize(
    "place",
    [
        "Tables A.12 to A.16: the columns t_p and f_p are swapped",
        "Tables A.12 to A.16: scores were rounded twice",
        "Table 5: OP_i is rejected at every level although no class size enters it",
        "Tables 5 and 6 disagree on OP_i",
        "Table 6: v for v_i",
        "Eq. 14: the area under a ROC curve of one point",
        "Eqs. 15 and 16: balanced accuracy",
        "Eq. 26: the Fowlkes-Mallows index",
        'Section 6.9: the "quadratic mean" of precision and recall',
        'Section 6.11: the "quadratic mean" of sensitivity and specificity',
        "Eq. 37: MCC-F1 of one threshold",
        "Section 7.1 and Algorithm 1: a level is missing",
        "Eq. 44: κ_i is not new",
        "Eqs. 42 and 43: F_i and v_i are one metric on two scales",
        "Section 7.1 and Algorithm 2: the standard deviation of the t-test",
    ],
)
def test_the_numbers_show_it(place):
    assert shown()[place]


def test_no_other_is_listed():
    assert len(shown()) == 15


def swapped_back(printed):
    other = printed["column"].replace({"tp": "fp", "fp": "tp"})
    return printed.assign(column=printed["column"].mask(printed["table"].isin(APPENDIX), other))


def with_p_values(key, value):
    own = (PRINTED["table"] == "5") & (PRINTED["metric"] == key)
    return PRINTED.assign(printed=PRINTED["printed"].mask(own, value))


@pytest.mark.parametrize(
    ("place", "printed"),
    [
        ("Tables A.12 to A.16: the columns t_p and f_p are swapped", swapped_back(PRINTED)),
        ("Table 5: OP_i is rejected", with_p_values("optimized_precision_i", "0.9")),
        ("Tables 5 and 6 disagree on OP_i", with_p_values("optimized_precision_i", "0.9")),
        ("Table 6: v for v_i", with_p_values("gilbert_ratio", "0.9")),
        (
            "Section 7.1 and Algorithm 1: a level is missing",
            PRINTED[(PRINTED["table"] != "5") | (PRINTED["column"] != "1:10")],
        ),
    ],
)
def test_a_corrected_paper_has_it_no_more(place, printed):
    (found,) = (value for name, value in shown(printed).items() if name.startswith(place))
    assert not found


def test_scores_rounded_once_are_no_discrepancy():
    """The exact S1(tp) of IBA is 0.6748; the paper prints 0.68 under f_p in all five tables."""
    own = PRINTED["table"].isin(APPENDIX) & (PRINTED["metric"] == "iba")
    own &= (PRINTED["column"] == "fp") & (PRINTED["printed"] == "0.68")
    assert own.sum() == 5
    rounded_once = PRINTED.assign(printed=PRINTED["printed"].mask(own, "0.67"))
    place = "Tables A.12 to A.16: scores were rounded twice"
    before, after = (
        next(one.evidence for one in discrepancies(printed, WIDTHS) if one.place == place)
        for printed in (PRINTED, rounded_once)
    )
    assert "iba at 1:1, S1(tp) = 0.67480, printed 0.68" in before
    assert "iba" not in after


def test_half_widths_near_the_error_are_no_discrepancy():
    widths = WIDTHS.assign(error=WIDTHS["s1_conf"] / 2)
    assert not shown(widths=widths)[
        "Section 7.1 and Algorithm 2: the standard deviation of the t-test"
    ]


def test_the_report_lists_what_is_shown():
    found = discrepancies(swapped_back(PRINTED), WIDTHS)
    text = discrepancy_report(found)
    for one in found:
        assert (one.place in text) == one.shown
    assert f"{sum(one.shown for one in found)} places" in text
