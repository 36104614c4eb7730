"""The command ``skewproof watch``."""

import numpy as np
import pandas as pd
import pytest
from label_rows import label_lines

from skewproof import ConfusionMatrix, count_slices, watch_drift

COLUMNS = ("--true", "y", "--predicted", "p", "--time", "month")

CELLS = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}
"""True and predicted label of each."""

GOOD, RARE, BAD = (40, 20, 10, 330), (8, 20, 2, 330), (5, 20, 45, 330)
COUNTS = pd.DataFrame([GOOD, RARE, GOOD, BAD], columns=list(CELLS)).assign(
    month=["2026-05", "2026-06", "2026-07", "2026-08"]
)


def written(path, counts):
    lines = [
        f"{row['month']},{true},{predicted},0.25"
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
def test_json_is_what_the_function_finds(parsed, months):
    found = parsed("watch", months, *COLUMNS, "--planned", "12")
    drift = watch_drift(COUNTS, time="month", metrics=["f1"], planned=12)
    assert found["verdict"] == drift.verdict
    assert found["verdict"].startswith("The recall of the positive class fell from 0.800 (")
    (change,) = found["changes"]
    assert (change["since"], change["after"]) == ("2026-08", pytest.approx(0.1))
    assert [row["part"] for row in found["effects"]] == drift.effects["part"].tolist()
    assert [row["bound"] for row in found["scans"]] == drift.scans["bound"].tolist()
    assert [row["value"] for row in found["table"]] == drift.table["value"].tolist()
    # By default TPR falls by 0.1, and FPR, 80/1400, doubles.
    changes = [(power["tpr"], power["fpr"]) for power in found["power"]]
    assert changes == [(-0.1, 0), (0, pytest.approx(80 / 1400))]
    assert found["power"][0]["probability"] == drift.power(recall={"positive": -0.1})


@pytest.mark.slow
def test_on_a_terminal(printed, months, tmp_path):
    figure = tmp_path / "drift.png"
    arguments = ["watch", months, *COLUMNS, "--reference", "2026-05", "--figure", str(figure)]
    output = printed(*arguments, "--power", "tpr=-0.2", "fpr=0.1", "--alpha", "0.1")
    words = " ".join(output.split())
    assert "The recall of the positive class fell from 0.800 (" in words
    assert "since 2026-08 (95 %: 2026-08 alone)." in words
    assert "Recall of f1 0.6822 0.1333" in words  # and below it: positive, 2026-08
    assert "month 2026-05" in words
    assert "probability 0.1 of any" in words
    assert "if TPR falls by 0.2000 and FPR rises by 0.1000 from period 2 of 3 on" in words
    assert words.count("outside") == 2  # the rate and f1 of the last month
    assert figure.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_the_exit_status_tells_a_change_if_it_is_asked_to(run, months, tmp_path):
    steady = written(tmp_path / "steady.csv", COUNTS.assign(tp=40, fp=20, fn=10, tn=330))
    for path, asked, code in ((months, True, 3), (months, False, 0), (steady, True, 0)):
        options = ["--fail-on-change"] if asked else []
        assert run("watch", path, *COLUMNS, *options)[0] == code


@pytest.mark.slow
def test_slices_are_watched(printed, refused, tmp_path):
    """Each weight is a second key; the changed one is named."""
    lines = ["month,y,p,weight"]
    for weight, last in ((1, GOOD), (2, BAD)):
        counts = pd.DataFrame([GOOD, GOOD, GOOD, last], columns=list(CELLS))
        path = written(tmp_path / "one.csv", counts.assign(month=["05", "06", "07", "08"]))
        with open(path, encoding="utf-8") as file:
            rows = file.read().splitlines()[1:]
        lines += [row.removesuffix("0.25") + str(weight) for row in rows]
    both = tmp_path / "both.csv"
    both.write_text("\n".join([*lines, ""]))
    words = " ".join(printed("watch", str(both), *COLUMNS, "--by", "weight").split())
    assert "2: the recall of the positive class fell from 0.800" in words
    assert "1: the recall" not in words
    assert words.count("outside") == 2
    errors = refused("watch", str(both), *COLUMNS, "--by", "weight", "--reference-file", "x")
    assert "--reference-file with --by: expected --reference, with periods" in errors


@pytest.mark.slow
def test_a_reference_of_another_file(parsed, months, tmp_path):
    """All periods are watched; equal weights do not change the number of effective instances."""
    other = COUNTS[:1].assign(month="validation")
    path = written(tmp_path / "validation.csv", other)
    arguments = [*COLUMNS, "--weight", "weight", "--reference-file", path]
    found = parsed("watch", months, *arguments)
    matrix = ConfusionMatrix(**dict(zip(CELLS, GOOD, strict=True)))
    drift = watch_drift(COUNTS, time="month", metrics=["f1"], reference=matrix)
    largest = [row["largest"] for row in found["scans"]]
    assert largest == pytest.approx(drift.scans["largest"].tolist())


ANIMALS = {
    5: ((60, 20, 10), (5, 60, 5), (5, 5, 40)),
    6: ((60, 20, 10), (5, 60, 5), (25, 15, 10)),
}


@pytest.fixture(scope="module")
def animals(tmp_path_factory):
    """Two months of three classes, the same in May and June but for the owls."""
    path = tmp_path_factory.mktemp("animals") / "animals.csv"
    lines = label_lines(ANIMALS, ("cat", "dog", "owl"))
    path.write_text("\n".join(["month,y,p", *lines, ""]))
    return str(path)


@pytest.mark.slow
def test_more_than_two_labels_on_a_terminal(printed, animals):
    words = " ".join(printed("watch", animals, *COLUMNS).split())
    assert "The recall of owl fell from 0.80 (" in words
    assert "if every recall falls by 0.1000 from period 2 of 2 on" in words
    assert "Recall of owl, 6 macro_f1" in words


@pytest.mark.slow
def test_groups_of_rows(parsed, printed, tmp_path):
    random = np.random.default_rng(0)
    who, month = random.integers(0, 40, 2000), random.integers(1, 6, 2000)
    true, hit = who % 2, random.random(2000) < random.random(40)[who]
    frame = pd.DataFrame({"month": month, "who": who, "y": true, "p": np.where(hit, true, 0)})
    paths = [str(tmp_path / name) for name in ("patients.csv", "before.csv")]
    frame.to_csv(paths[0], index=False)
    frame[:600].to_csv(paths[1], index=False)
    arguments = ["watch", paths[0], *COLUMNS, "--groups", "who", "--reference-file", paths[1]]
    found = parsed(*arguments)
    counts = count_slices(frame, y_true="y", y_pred="p", by="month", groups="who")
    before = frame[:600]
    reference = ConfusionMatrix.from_labels(before["y"], before["p"], groups=before["who"])
    drift = watch_drift(counts, time="month", metrics="f1", reference=reference, groups="who")
    assert [row["largest"] for row in found["scans"]] == drift.scans["largest"].tolist()
    assert [row["low"] for row in found["table"]] == drift.table["low"].tolist()
    words = " ".join(printed(*arguments).split())
    for name, said in drift.groupings:
        first, second = name.rsplit(" ", 1)
        assert first in words
        assert second in words
        assert said in words
