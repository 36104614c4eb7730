import io
import json
import subprocess
import sys

import pytest

import skewproof
from skewproof.cli import main
from skewproof.metrics import METRICS
from skewproof.practice.audit import audit


def run(capsys, *arguments):
    code = main(arguments)
    return code, *capsys.readouterr()


@pytest.mark.slow
def test_audit_on_the_command_line(capsys, tmp_path):
    figure = tmp_path / "card.png"
    code, output, errors = run(capsys, "audit", "tp/P - fp/N", "--json", "--figure", str(figure))
    assert (code, errors) == (0, "")
    assert json.loads(output) == audit("tp/P - fp/N").to_dict()
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert "| gilbert_ratio   |           1        |" in run(capsys, "audit", "f1")[1]


def test_list_on_the_command_line(capsys):
    code, output, _ = run(capsys, "list", "--json")
    assert code == 0
    assert [row["metric"] for row in json.loads(output)] == list(METRICS)
    assert "Matthews" in run(capsys, "list")[1]


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("truth,model\nyes,yes\nno,yes\nyes,no\nno,no\n")
    return str(path)


def test_score_on_the_command_line(capsys, predictions):
    columns = ["--true", "truth", "--predicted", "model", "--pos-label", "yes"]
    code, output, _ = run(
        capsys, "score", predictions, *columns, "--json", "--metrics", "accuracy", "mcc"
    )
    assert code == 0
    values = {row["metric"]: row["value"] for row in json.loads(output)}
    assert values == {"accuracy": 0.5, "mcc": 0.5}
    assert len(json.loads(run(capsys, "score", predictions, *columns, "--json")[1])) == len(METRICS)


def test_undefined_scores_on_the_command_line(capsys, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\n1,0\n0,0\n")
    code, output, errors = run(capsys, "score", str(path), "--json", "--metrics", "mcc")
    assert code == 0
    assert json.loads(output)[0]["value"] is None
    assert "0 divided by 0: mcc" in errors


def test_infinite_scores_on_the_command_line(capsys, tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("y_true,y_pred\n1,1\n1,0\n0,0\n")
    keys = ["positive_likelihood_ratio", "discriminant_power"]
    code, output, errors = run(capsys, "score", str(path), "--json", "--metrics", *keys)
    assert (code, errors) == (0, "")
    assert [row["value"] for row in json.loads(output)] == ["inf", "inf"]


@pytest.mark.slow
def test_an_unbounded_metric_on_the_command_line(capsys):
    code, output, _ = run(capsys, "audit", "discriminant_power", "--json")
    card = json.loads(output)
    assert (code, card["low"], card["high"]) == (0, "-inf", "inf")
    assert card["scale"] == "logistic function, 1/(1 + exp(-x))"
    assert card["nearest"][0] == {"metric": "diagnostic_odds_ratio", "rank_correlation": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit", "tpr/2"], "expected one of tp, fp, fn, tn, P, N"),
        (["audit", "tp/fp"], "unbounded above"),
        (["score", "absent.csv"], "No such file"),
        (["score", "PREDICTIONS"], "has no column 'y_true': it has truth, model"),
        (["score", "PREDICTIONS", "--true", "truth", "--predicted", "model"], "pos_label = '1'"),
        (
            ["score", "PREDICTIONS", "--true", "truth", "--predicted", "model", "--metrics", "f3"],
            "no metric 'f3'",
        ),
    ],
)
def test_bad_input_on_the_command_line(capsys, predictions, arguments, message):
    arguments = [predictions if part == "PREDICTIONS" else part for part in arguments]
    code, output, errors = run(capsys, *arguments)
    assert (code, output) == (2, "")
    assert message in errors


def score(capsys, tmp_path, content, *arguments):
    path = tmp_path / "predictions.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run(capsys, "score", str(path), "--json", "--metrics", "accuracy", *arguments)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("y_true,y_pred\n1,1,0\n0,0,1\n", "has in line 2 3 fields: expected 2, as in the header"),
        ("y_true,y_pred,x\n1,1,0\n0,0\n", "has in line 3 2 fields: expected 3, as in the header"),
        ("y_true,y_pred,y_true\n1,1,0\n", "has 2 columns 'y_true': it has y_true, y_pred, y_true"),
        ("y_true,y_pred\n1,\n", "has in line 2 '' in column 'y_pred': expected a label"),
        ("y_true,y_pred\nNA,1\n", "has in line 2 'NA' in column 'y_true': expected a label"),
        ("y_\x1b[2Jtrue,y_pred\n1,1\n", r"has no column 'y_true': it has y_\x1b[2Jtrue, y_pred"),
        ("", "has no column 'y_true': it has"),
        (b"y_true,y_pred\n\xff,1\n", "can't decode byte 0xff"),
        ("y_true,y_pred\n", "y_true"),
    ],
)
def test_files_that_are_not_scored(capsys, tmp_path, content, message):
    code, output, errors = score(capsys, tmp_path, content)
    assert (code, output) == (2, "")
    assert message in errors
    assert len(errors) < 2000


def test_quotes_blank_lines_and_a_mark_of_the_encoding(capsys, tmp_path):
    content = '\ufeff"y_true",note,y_pred\r\n1,"a, b\n""c""",1\r\n\r\n0,,1\r\n'
    code, output, _ = score(capsys, tmp_path, content)
    assert (code, json.loads(output)[0]["value"]) == (0, 0.5)


@pytest.mark.slow
def test_of_a_million_columns_two_are_read(capsys, tmp_path):
    wide = ",".join(map(str, range(10**6)))
    content = f"{wide},y_true,y_pred\n" + f"{wide},1,1\n{wide},0,1\n"
    code, output, _ = score(capsys, tmp_path, content)
    assert (code, json.loads(output)[0]["value"]) == (0, 0.5)
    code, _, errors = score(capsys, tmp_path, content, "--true", "none")
    assert code == 2
    assert len(errors) < 2000


def test_standard_output_that_can_not_show_a_character(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert main(["list"]) == 2
    assert "standard output, in ascii, can't show \\" in capsys.readouterr().err
    assert main(["list", "--json"]) == 0


def test_the_version(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (
        0,
        f"skewproof {skewproof.__version__}\n",
    )


@pytest.mark.slow
def test_commands_import_what_they_use():
    code = "import sys; from skewproof.cli import main; main(['list']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for heavy in ("pandas", "scipy", "sympy", "matplotlib"):
        assert f"'{heavy}'" not in done.stdout
