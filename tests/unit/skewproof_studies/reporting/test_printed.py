import numpy as np
import pandas as pd
import pytest

from skewproof_studies.reporting.printed import (
    agreement_counts,
    half_unit,
    printed_at_most,
    printed_cut,
    printed_once,
    printed_short,
    printed_twice,
    rounds_to,
    tolerance_once,
    tolerance_twice,
)


def test_rounding_is_the_papers():
    assert printed_twice(0.8145) == "0.81"
    assert printed_twice(0.7349) == "0.73"
    assert printed_twice(0.73496) == "0.73"
    assert printed_twice(0.73951) == "0.74"
    assert printed_at_most(4680.2987) == "4680.3"
    assert printed_at_most(1e-13) == "0.0"
    assert printed_once(0.9877, decimals=4) == "0.9877"
    assert printed_once(1) == "1.00"
    assert (printed_once(0.6748), printed_twice(0.6748)) == ("0.67", "0.68")
    for ratio, short, cut in (
        (7.8767, "7.88", "7.87"),
        (12.0, "12", "12"),
        (577.876, "577.88", "577.87"),
    ):
        assert (printed_short(ratio), printed_cut(ratio)) == (short, cut)
    assert [half_unit(digits) for digits in ("0.25", "1:7.87", "12")] == [0.005, 0.005, 0.5]


@pytest.mark.parametrize(
    ("value", "digits", "agrees"),
    [
        (0.1234, "0.12", True),
        (0.125, "0.12", True),
        (0.125, "0.13", True),
        (0.1251, "0.12", False),
        (np.nan, "0.12", False),
    ],
)
def test_a_number_rounds_to_what_is_printed(value, digits, agrees):
    assert rounds_to(value, digits) == agrees


def test_no_rounding_goes_beyond_its_tolerance():
    values = np.random.default_rng(1).random(2000)
    once = [abs(float(printed_once(value)) - value) for value in values]
    twice = [abs(float(printed_twice(value)) - value) for value in values]
    assert max(once) <= tolerance_once() < max(twice) <= tolerance_twice()


def test_entries_are_counted_by_group():
    comparison = pd.DataFrame({"table": ["5", "4", "5", "5"], "agrees": [True, None, False, None]})
    counts = agreement_counts(comparison, ["table"])
    assert list(counts.index) == ["5", "4"]
    assert counts.loc["5"].to_dict() == {"printed": 3, "compared": 2, "agree": 1}
    assert counts.loc["4"].to_dict() == {"printed": 1, "compared": 0, "agree": 0}
