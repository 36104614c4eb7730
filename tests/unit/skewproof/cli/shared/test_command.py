"""Messages with options in place of arguments."""

import pytest

from skewproof.cli.shared.command import by_option

FLAGS = {"--true", "--threshold", "--score", "--per", "--weight"}


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("y_true = 'a': expected another", "--true = 'a': expected another"),
        ("thresholds = 3: expected less", "--threshold = 3: expected less"),
        ("y_prob['forest'] = 2.0: expected less", "--score 'forest' = 2.0: expected less"),
        ("sample_weight = 'w': expected another", "--weight = 'w': expected another"),
        ("per = None: expected a number", "--per is not given: expected a number"),
        ("metric = 'x': expected another", "metric = 'x': expected another"),
        ("'x' is no metric", "'x' is no metric"),
    ],
)
def test_arguments_have_the_names_of_options(message, expected):
    assert by_option(message, FLAGS) == expected


def test_slices_by_time_are_of_two_options():
    message = "by = 'x': expected one of the columns y, p"
    assert by_option(message, {"--by"}).startswith("--by = 'x'")
    assert by_option(message, {"--by", "--time"}).startswith("--time or --by = 'x'")
