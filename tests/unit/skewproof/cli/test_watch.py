"""The command ``skewproof watch``."""

import json

import pandas as pd
import pytest

from skewproof import ConfusionMatrix, watch_drift

COLUMNS = ("--true", "y", "--predicted", "p", "--time", "month")

CELLS = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}
"""True and predicted label of each."""

GOOD, RARE, BAD = (40, 20, 10, 330), (8, 20, 2, 330), (5, 20, 45, 330)
COUNTS = pd.DataFrame([GOOD, RARE, GOOD, BAD], columns=list(CELLS)).assign(
    month=["2026-05", "2026-06", "2026-07", "2026-08"]
)


def written(path, counts):
    lines = [
        f"{row['month']},{true},{predicted},3"
        for row in counts.to_dict("records")
        for cell, (true, predicted) in CELLS.items()
        for _ in range(row[cell])
    ]
    path.write_text("\n".join(["month,y,p,weight", *lines, ""]))
    return str(path)


@pytest.fixture(scope="module")
def months(tmp_path_factory):
    return written(tmp_path_factory.mktemp("watch") / "months.csv", COUNTS)


@pytest.mark.slow
def test_json_is_what_the_function_finds(run, months):
    code, output, _ = run("watch", months, *COLUMNS, "--reference", "2026-05", "--json")
    found = json.loads(output)
    drift = watch_drift(COUNTS, time="month", metrics=["f1"], reference={"month": "2026-05"})
    assert code == 0
    assert found["band_threshold"] == drift.band_threshold
    assert found["cusum_threshold"] == drift.cusum_threshold
    assert {row["month"] for row in found["table"] if row["outside"]} == {"2026-08"}
    assert [row["value"] for row in found["table"]] == drift.table["value"].tolist()
    # By default the true positive rate falls by 0.1, and the false positive rate, 20/350, doubles.
    changes = [(power["tpr"], power["fpr"]) for power in found["power"]]
    assert changes == [(-0.1, 0), (0, 20 / 350)]
    assert found["power"][0]["probability"] == drift.power(tpr=-0.1)


@pytest.mark.slow
def test_on_a_terminal(run, months, tmp_path):
    figure = tmp_path / "drift.png"
    arguments = ["watch", months, *COLUMNS, "--reference", "2026-05", "--figure", str(figure)]
    code, output, _ = run(*arguments, "--power", "tpr=-0.2", "fpr=0.1", "--alpha", "0.1")
    assert code == 0
    assert max(map(len, output.splitlines())) <= 80
    words = " ".join(output.split())
    assert "Alarms in 1 of 3 periods: 2026-08. If the classifier does not change, any" in words
    assert "50 positives, 350 negatives, TPR 0.8000, FPR 0.0571" in words
    assert "probability 0.1 of any" in words
    assert "if TPR falls from 0.8000 to 0.6000 and FPR rises from 0.0571 to 0.1571" in words
    assert "from period 2 of 3 on" in words
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_reference_of_another_file(run, months, tmp_path):
    """All periods are watched; weights that are all alike make no instance worth more."""
    other = COUNTS[:1].assign(month="validation")
    path = written(tmp_path / "validation.csv", other)
    arguments = [*COLUMNS, "--weight", "weight", "--reference-file", path]
    found = json.loads(run("watch", months, *arguments, "--json")[1])
    matrix = ConfusionMatrix(**dict(zip(CELLS, GOOD, strict=True)))
    drift = watch_drift(COUNTS, time="month", metrics=["f1"], reference=matrix)
    assert [row["score"] for row in found["table"]] == pytest.approx(drift.table["score"].tolist())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--alpha", "5"], "--alpha = 5.0: expected a number above 0 and below 1"),
        (["--seed", "-1"], "--seed = -1: expected a whole number of at least 0"),
        (["--metrics", "f11"], "f11"),
        (["--figure", "drift"], "expected a suffix of"),
    ],
)
@pytest.mark.slow
def test_options_are_refused_before_files_are_read(run, arguments, message):
    code, output, errors = run("watch", "no.csv", *COLUMNS, "--reference", "5", *arguments)
    assert (code, output) == (2, "")
    assert message in errors
    assert "no.csv" not in errors


@pytest.mark.parametrize(
    "options",
    [
        ("--power", "tpr=-0.1", "tpr=-0.2"),
        ("--power", "tpr=-0.1", "--power", "fpr=0", "tpr=-0.2"),
    ],
)
def test_a_rate_with_two_changes_is_refused(run, options):
    code, output, errors = run("watch", "no.csv", *COLUMNS, "--reference", "5", *options)
    given = " ".join(one for one in options if one != "--power")
    assert (code, output) == (2, "")
    assert errors == f"skewproof: --power {given}: expected one change of each rate\n"


@pytest.mark.parametrize("power", ["tpr", "tpr=x", "tpr=nan", "f1=0.1", "fpr=2"])
def test_powers_that_are_none(run, capsys, power):
    with pytest.raises(SystemExit):
        run("watch", "no.csv", *COLUMNS, "--reference", "5", "--power", power)
    assert f"'{power}': expected tpr=CHANGE or fpr=CHANGE" in capsys.readouterr().err


@pytest.mark.slow
def test_a_reference_that_is_not_there(run, months):
    code, _, errors = run("watch", months, *COLUMNS, "--reference", "2026-01")
    assert code == 2
    assert "expected one of 2026-05" in errors


@pytest.mark.slow
def test_a_period_without_a_name_is_no_reference(run, tmp_path):
    path = written(tmp_path / "months.csv", COUNTS.assign(month=["2026-05", "", "2026-06", ""]))
    for missing in ("", "missing"):
        code, output, errors = run("watch", path, *COLUMNS, "--reference", missing)
        assert (code, output) == (2, "")
        assert "counts have a row without 'month': expected a period in each" in errors


@pytest.mark.slow
def test_a_period_without_positives_says_that_it_has_no_score(run, tmp_path):
    path = written(
        tmp_path / "months.csv",
        pd.DataFrame([GOOD, (0, 20, 0, 330)], columns=list(CELLS)).assign(month=["5", "6"]),
    )
    power = ("--power", "tpr=0", "--metrics", "f1", "true_negative_rate")
    code, output, _ = run("watch", path, *COLUMNS, "--reference", "5", *power)
    assert code == 0
    assert max(map(len, output.splitlines())) <= 80
    words = " ".join(output.split())
    assert "In 1 period a series has no score and can't give an alarm." in words
    # Of TPR and F1; the rates of the negatives have scores.
    assert words.count("none: no score") == 2
    assert f"{330 / 350:.4f}" in words
    assert "if no rate changes from period 1 of 1 on" in words


ANIMALS = ((60, 20, 10), (5, 60, 5), (5, 5, 40)), ((60, 20, 10), (5, 60, 5), (25, 15, 10))


@pytest.fixture(scope="module")
def animals(tmp_path_factory):
    """Two months of three classes, the same in May and June but for the owls."""
    path = tmp_path_factory.mktemp("animals") / "animals.csv"
    names = ("cat", "dog", "owl")
    lines = [
        f"{month},{true},{predicted}"
        for month, matrix in zip((5, 6), ANIMALS, strict=True)
        for true, row in zip(names, matrix, strict=True)
        for predicted, count in zip(names, row, strict=True)
        for _ in range(count)
    ]
    path.write_text("\n".join(["month,y,p", *lines, ""]))
    return str(path)


@pytest.mark.slow
def test_more_than_two_labels_on_a_terminal(run, animals):
    code, output, _ = run("watch", animals, *COLUMNS, "--reference", "5")
    assert code == 0
    assert max(map(len, output.splitlines())) <= 80
    words = " ".join(output.split())
    assert "Alarms in 1 of 1 period: 6." in words
    assert "month 5, 210 instances, recalls cat 0.6667, dog 0.8571, owl 0.8000" in words
    assert "if every recall falls by 0.1 from period 1 of 1 on" in words


@pytest.mark.slow
def test_more_than_two_labels_in_json(run, animals):
    arguments = [*COLUMNS, "--reference-file", animals, "--metrics", "accuracy", "--json"]
    code, output, _ = run("watch", animals, *arguments)
    assert code == 0
    found = json.loads(output)
    series = list(dict.fromkeys(row["series"] for row in found["table"]))
    assert series == ["recall of cat", "recall of dog", "recall of owl", "accuracy"]
    assert [power["tpr"] for power in found["power"]] == [-0.1]
    assert found["table"][0]["instances"] == 210
