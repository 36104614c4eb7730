"""The command ``skewproof score``."""

import numpy as np
import pandas as pd
import pytest

from skewproof.scoring.scoring import score

CSV = "expected a CSV file in UTF-8 with a header\n"

COLUMNS = ["--true", "truth", "--predicted", "model", "--pos-label", "yes"]
LABELS = ["yes", "no", "yes", "no"], ["yes", "yes", "no", "no"]

KEPT = "Do not change with prevalence"


def test_score_on_the_command_line(parsed, predictions):
    rows = parsed("score", predictions, *COLUMNS, "--metrics", "accuracy", "mcc")
    assert {row["metric"]: row["value"] for row in rows} == {"accuracy": 0.5, "mcc": 0}


def test_a_measure_with_a_parameter_is_scored_under_its_key(parsed, run, predictions):
    """Robust F at one instance in each cell is (4·d0/2 + 2)/(4·d0 + 2 + 2), and 1/2 at d0 = 1."""
    rows = parsed("score", predictions, *COLUMNS, "--metrics", "robust_f(d0=1)")
    assert [(row["metric"], row["value"]) for row in rows] == [("robust_f_1", 0.5)]
    said = " ".join(run("score", predictions, *COLUMNS, "--metrics", "robust_f(d=1)")[-1].split())
    assert "no parameter 'd': expected parameters as in robust_f(d0=1/10, beta=1)" in said


def test_what_is_scored_is_that_of_the_package(parsed, predictions):
    more = ["--at", "1:10", "--confidence", "0.5", "--metrics", "precision", "f1_i"]
    rows = parsed("score", predictions, *COLUMNS, *more)
    expected = score(
        *LABELS, pos_label="yes", at="1:10", confidence=0.5, metrics=["precision", "f1_i"]
    )
    assert rows == expected.to_dict("records")


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
def test_more_than_two_labels_are_scored_together_and_one_by_one(parsed, tmp_path):
    true, predicted = list("aabbccc"), list("abbbcac")
    path = tmp_path / "three.csv"
    path.write_text(
        "\n".join(map(",".join, zip(["y_true", *true], ["y_pred", *predicted], strict=True)))
    )
    options = ["--at", "a=0.5,b=0.25,c=0.25", "--metrics", "macro_f1", "precision"]
    rows = parsed("score", str(path), *options)
    at = {"a": 0.5, "b": 0.25, "c": 0.25}
    expected = score(true, predicted, at=at, metrics=["macro_f1", "precision"])
    assert rows == expected.to_dict("records")


@pytest.mark.slow
def test_columns_without_a_label_in_common_are_refused(run, refused, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\nyes,1\nno,0\nno,1\n")
    errors = refused("score", str(path))
    assert "y_true has 'no', 'yes' and y_pred has '0', '1': expected labels that" in errors
    path.write_text("y_true,y_pred\n1,0\n1,0\n")
    assert run("score", str(path), "--metrics", "accuracy")[0] == 0


@pytest.fixture
def patients(tmp_path):
    """Thirty patients with forty rows each, whose rates differ; in two files of different kinds."""
    random = np.random.default_rng(0)
    who = np.repeat(np.arange(30), 40)
    true, hit = who % 2, random.random(1200) < random.random(30)[who]
    names = [f"patient {number}" for number in who]
    frame = pd.DataFrame({"who": names, "y_true": true, "y_pred": np.where(hit, true, 1 - true)})
    paths = tmp_path / "patients.csv", tmp_path / "patients.parquet"
    frame.to_csv(paths[0], index=False)
    frame.to_parquet(paths[1])
    return frame, list(map(str, paths))


@pytest.mark.slow
def test_rows_of_groups_are_scored_together(parsed, patients):
    frame, paths = patients
    expected = score(frame["y_true"], frame["y_pred"], groups=frame["who"], metrics=["f1", "mcc"])
    for path in paths:
        arguments = ["score", path, "--groups", "who", "--metrics", "f1", "mcc"]
        rows = parsed(*arguments)
        for name in ("metric", "value", "low", "high", "remark"):
            assert [row[name] for row in rows] == expected[name].tolist()


def test_groups_that_are_not_scored(refused, patients):
    frame, paths = patients
    frame.loc[3, "who"] = None
    frame.to_csv(paths[0], index=False)
    frame.to_parquet(paths[1])
    for path in paths:
        said = "--groups = 'who' has rows without a label: expected one in each"
        assert said in refused("score", path, "--groups", "who")


@pytest.mark.slow
def test_what_only_a_search_tells_is_said_to_be_so(run, tmp_path):
    """No proof is attempted for more than ten classes."""
    labels = [f"class {number}" for number in range(11)]
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["y_true,y_pred", *(f"{one},{one}" for one in labels)]))
    _, text, _ = run("score", str(path), "--metrics", "acsa", "accuracy")
    assert f"{KEPT}, as far as a search tells" in text
    assert "Change with prevalence\n" in text
