"""A fault names the key, the value if it can be written, and what is expected."""

import pytest

from skewproof_studies.settings.faults import fault


@pytest.mark.parametrize(
    "value", [10**5000, [10**5000], {"a": 10**5000}], ids=["number", "list", "mapping"]
)
def test_a_number_that_python_does_not_write(value):
    assert fault("key", value, "less").endswith("of more than 4000 digits: expected less")


def test_a_value_that_contains_itself():
    endless = []
    endless.append(endless)
    assert fault("key", endless, "none") == "key = [[...]]: expected none"
