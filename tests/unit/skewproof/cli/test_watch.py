"""The command ``skewproof watch``."""

import numpy as np
import pandas as pd
import pytest

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
def test_the_exit_status_tells_a_change_if_it_is_asked_to(run, months, tmp_path):
    steady = written(tmp_path / "steady.csv", COUNTS.assign(tp=40, fp=20, fn=10, tn=330))
    for path, asked, code in ((months, True, 3), (months, False, 0), (steady, True, 0)):
        options = ["--fail-on-change"] if asked else []
        assert run("watch", path, *COLUMNS, *options)[0] == code


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


@pytest.mark.slow
def test_groups_of_rows(parsed, tmp_path):
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
