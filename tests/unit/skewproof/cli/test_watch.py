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
    """The classifier is worse in the last month."""
    code, output, _ = run("watch", str(files / name), "--time", "month", *options)
    assert code == expected
    assert ("fell from" in output) == (name == "rows.csv")
