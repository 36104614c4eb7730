from skewproof_studies.choices.config import curve_label, rarer_and_rarer


def test_levels_rise_and_curves_are_named_for_the_eye():
    assert [str(level) for level in rarer_and_rarer(["1:10", "7:3", "1:1"])] == [
        "7:3",
        "1:1",
        "1:10",
    ]
    assert curve_label({"d": 2, "b": 0.7}) == "d = 2, b = 0.7"
