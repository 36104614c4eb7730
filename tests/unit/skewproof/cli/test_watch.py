"""The command ``skewproof watch``."""

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("rows.csv", ["--fail-on-change"], 3),
        ("rows.csv", [], 0),
        ("pets.csv", ["--fail-on-change"], 0),
    ],
)
def test_the_exit_status_tells_a_change_if_it_is_asked_to(run, files, name, options, expected):
    """In the last month of the rows the classifier is worse."""
    code, output, _ = run("watch", str(files / name), "--time", "month", *options)
    assert code == expected
    assert ("fell from" in output) == (name == "rows.csv")
