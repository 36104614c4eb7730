"""The command ``skewproof score``."""

import pandas as pd
import pytest

CSV = "expected a CSV file in UTF-8 with a header\n"

COLUMNS = ["--true", "truth", "--predicted", "model", "--pos-label", "yes"]
KEPT = "Do not change with prevalence"


def test_a_measure_with_a_parameter_is_scored_under_its_key(parsed, predictions):
    """Robust F at one instance in each cell is (4·d0/2 + 2)/(4·d0 + 2 + 2), and 1/2 at d0 = 1."""
    rows = parsed("score", predictions, *COLUMNS, "--metrics", "robust_f(d0=1)")
    assert [(row["metric"], row["value"]) for row in rows] == [("robust_f_1", 0.5)]


def test_undefined_scores_on_the_command_line(run, parsed, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\n1,0\n0,0\n")
    (row,) = parsed("score", str(path), "--metrics", "mcc", said="0 divided by 0: mcc")
    assert row["value"] is None
    assert "mcc     undefined  " in run("score", str(path), "--metrics", "mcc")[1]


def accuracy_of(tmp_path, content):
    """Write a file of predictions, and return the arguments that score it by its accuracy."""
    path = tmp_path / "predictions.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return "score", str(path), "--metrics", "accuracy"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("y_true,y_pred\n1,1,0\n0,0,1\n", "line 2 has 3 fields: expected 2, as in the header"),
        ("y_true,y_pred,x\n1,1,0\n0,0\n", "line 3 has 2 fields: expected 3, as in the header"),
        (
            "y_true,y_pred,y_true\n1,1,0\n",
            "has 2 columns 'y_true': expected it once, and it has y_true, y_pred, y_true",
        ),
        ("y_true,y_pred\n1,\nNA,1\n", "has no row with 'y_true' and 'y_pred': expected some"),
        (
            "y_\x1b[2Jtrue,y_pred\n1,1\n",
            r"has no column 'y_true': expected it once, and it has y_\x1b[2Jtrue, y_pred",
        ),
        ("\n1,1\n", f"has nothing in its first line: {CSV}"),
        (b"PAR1\x15\x00\x15,y_true", f"is another kind of file, or broken: {CSV}"),
    ],
)
@pytest.mark.slow
def test_files_that_are_not_scored(refused, tmp_path, content, message):
    errors = refused(*accuracy_of(tmp_path, content))
    assert message in errors
    assert len(errors) < 2000


def test_quotes_blank_lines_and_a_mark_of_the_encoding(parsed, tmp_path):
    content = '\ufeff"y_true",note,y_pred\r\n1,"a, b\n""c""",1\r\n\r\n0,,1\r\n'
    assert parsed(*accuracy_of(tmp_path, content))[0]["value"] == 0.5


@pytest.mark.slow
def test_of_a_million_columns_two_are_read(parsed, refused, tmp_path):
    wide = ",".join(map(str, range(10**6)))
    content = f"{wide},y_true,y_pred\n" + f"{wide},1,1\n{wide},0,1\n"
    arguments = accuracy_of(tmp_path, content)
    assert parsed(*arguments)[0]["value"] == 0.5
    assert len(refused(*arguments, "--true", "none")) < 2000


@pytest.mark.slow
def test_columns_without_a_label_in_common_are_refused(run, refused, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\nyes,1\nno,0\nno,1\n")
    errors = refused("score", str(path))
    assert "y_true has 'no', 'yes' and y_pred has '0', '1': expected labels that" in errors
    path.write_text("y_true,y_pred\n1,0\n1,0\n")
    assert run("score", str(path), "--metrics", "accuracy")[0] == 0


def test_groups_that_are_not_scored(refused, tmp_path):
    frame = pd.DataFrame({"who": ["a", None] * 4, "y_true": [1, 0] * 4, "y_pred": [1, 0] * 4})
    paths = tmp_path / "rows.csv", tmp_path / "rows.parquet"
    frame.to_csv(paths[0], index=False)
    frame.to_parquet(paths[1])
    for path in paths:
        said = "--groups = 'who' has rows without a label: expected one in each"
        assert said in refused("score", str(path), "--groups", "who")


@pytest.mark.slow
def test_what_only_a_search_tells_is_said_to_be_so(run, tmp_path):
    """No proof is attempted for more than ten classes."""
    labels = [f"class {number}" for number in range(11)]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["y_true,y_pred", *(f"{one},{one}" for one in labels)]))
    _, text, _ = run("score", str(path), "--metrics", "acsa", "accuracy")
    assert f"{KEPT}, as far as a search tells" in text
    assert "Change with prevalence\n" in text
