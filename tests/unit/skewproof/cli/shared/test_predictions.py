"""Labels in files of predictions are counted as they are written, by every command."""

import pandas as pd
import pytest
from label_rows import label_lines

from skewproof import score

pytestmark = pytest.mark.slow


def written(path, rows, header="k,y_true,y_pred"):
    path.write_text("\n".join([header, *rows, ""]))
    return str(path)


@pytest.fixture
def explained(parsed):
    def explained(path, *arguments, **options):
        return parsed(
            "explain-change", path, "--by", "k", "--metrics", "accuracy", *arguments, **options
        )

    return explained


LARGE = ("9007199254740993", "9007199254740992")


def test_labels_beyond_the_floats_stay_apart(parsed, explained, tmp_path):
    """1 is 2^53 + 1, 0 is 2^53; as floats both are 2^53."""
    rows = [f"a,{LARGE[1 - true]},{LARGE[1 - p]}" for true, p in [(1, 1), (1, 0), (0, 0), (0, 0)]]
    path = written(tmp_path / "rows.csv", rows)
    scored = parsed("score", path, "--metrics", "accuracy", "--pos-label", LARGE[0])
    assert scored[0]["value"] == 0.75
    both = written(tmp_path / "both.csv", rows + [row.replace("a", "b", 1) for row in rows])
    found = explained(both, "--pos-label", LARGE[0])
    assert [(row["value"], row["instances"]) for row in found] == [(0.75, 4), (0.75, 4)]


@pytest.mark.parametrize("positive", ["1", "1.0"])
def test_missing_labels_are_left_out_and_counted_by_every_command(
    parsed, explained, tmp_path, positive
):
    """pandas writes 1.0 and 0.0 in a column with a missing value, and 1 and 0 in the other."""
    frame = pd.DataFrame(
        {"k": ["a", "b"] * 3, "y_true": [1, 1, 0, 0, 1, 0], "y_pred": [1, 0, 0, 1, None, None]}
    )
    path = str(tmp_path / "rows.csv")
    frame.to_csv(path, index=False)
    known = frame.dropna()
    expected = score(known["y_true"], known["y_pred"], metrics=["accuracy"])
    expected["class"] = "1"  # as the labels are written in the file
    options = ["--metrics", "accuracy", "--pos-label", positive]
    said = "rows that are left out because their label or prediction is missing: 2"
    assert parsed("score", path, *options, said=said) == expected.to_dict("records")
    rows = explained(path, "--pos-label", positive, said=said)
    assert {row["k"]: (row["value"], row["missing"]) for row in rows} == {
        "a": (known[known["k"] == "a"].eval("y_true == y_pred").mean(), 1),
        "b": (known[known["k"] == "b"].eval("y_true == y_pred").mean(), 1),
    }


@pytest.mark.parametrize("command", ["score", "explain-change"])
@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["a,1,0.3", "b,1,0.3"], "y_pred has one number, '0.3': it looks like a score; exp"),
        (["a,1,0.3", "b,0,0.7"], "y_pred has 2 different numbers, '0.3', '0.7': these look like"),
        (["a,1,1.0", "b,0,1"], "'1', '1.0'"),
        (["a,yes,no", "b,no,no"], "--pos-label = '1': expected one of the labels 'no', 'yes'"),
    ],
)
def test_labels_that_every_command_refuses_alike(refused, tmp_path, command, rows, message):
    path = written(tmp_path / "rows.csv", rows)
    options = ["--by", "k"] if command == "explain-change" else []
    assert message in refused(command, path, *options, "--metrics", "accuracy")


GOOD, BAD = [[330, 20], [10, 40]], [[330, 20], [45, 5]]
RELEASES = {"old": GOOD, "middle": GOOD, "new": BAD, "newest": BAD}


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    path = tmp_path_factory.mktemp("releases") / "rows.csv"
    return written(path, label_lines(RELEASES, (0, 1)))


def test_watch_asks_for_an_order_where_no_calendar_says_it(printed, refused, releases):
    arguments = ["watch", releases, "--time", "k", "--reference", "old"]
    errors = refused(*arguments)
    assert "'k' has periods whose order in time is ambiguous, " in errors
    assert "expected order (on the command line --order), a list of all periods" in errors
    output = printed(*arguments, "--order", *RELEASES)
    assert "3, from middle to newest" in " ".join(output.split())
    errors = refused(*arguments, "--order", "old", "new")
    assert "order has no 'middle', which is in 'k': expected all periods in their order" in errors


def test_explain_change_shows_slices_in_time_or_in_the_order_that_is_given(
    explained, tmp_path, releases
):
    slices = {key: [[8, 2], [2, 8]] for key in ("10", "9", "11", "1")}
    path = written(tmp_path / "rows.csv", label_lines(slices, (0, 1)))
    assert [row["k"] for row in explained(path)] == ["1", "9", "10", "11"]
    assert [row["k"] for row in explained(releases, "--order", *RELEASES)] == list(RELEASES)
    lines = [*label_lines(RELEASES, (0, 1)), ",1,1", ",0,0"]
    lost = written(tmp_path / "lost.csv", lines)
    rows = explained(lost, "--order", *RELEASES)
    assert [row["k"] for row in rows] == [*RELEASES, None]
    assert rows[-1]["value"] == 1
