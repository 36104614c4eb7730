"""The command ``skewproof threshold``."""

import numpy as np
import pytest

from skewproof import choose_threshold

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], [80, 800])
SCORES = RANDOM.normal(3 * TRUE).round(3)

MISSING = "rows that are left out because their label or score is missing or nan: 2"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{label},{score}" for label, score in zip(TRUE, SCORES, strict=True)]
    path.write_text("\n".join(["y_true,y_score", *rows, "1,", ",0.5"]) + "\n")
    return str(path)


@pytest.mark.parametrize(("at", "start"), [("0.01..0.1", "2.5"), ("1:20", "everywhere")])
@pytest.mark.slow
def test_what_is_printed_for_machines_is_what_the_package_finds(parsed, scores, at, start):
    arguments = ["--at", at, "--confidence", "0.8", "--maximize", "mcc"]
    arguments += ["--require", "precision >= 0.5", "--start", start]
    found = parsed("threshold", scores, *arguments, said=MISSING)
    options = {"at": at, "confidence": 0.8, "maximize": "mcc"}
    start = start if start == "everywhere" else float(start)
    expected = choose_threshold(TRUE, SCORES, require="precision >= 0.5", start=start, **options)
    expected = expected.to_dict()
    assert found.pop("positives_needed") is None
    assert np.isnan(expected.pop("positives_needed"))
    assert found == expected


@pytest.mark.slow
def test_rows_of_the_same_group_count_for_less(tmp_path, parsed):
    names = np.repeat(np.arange(220), 4)
    labels, scores = np.repeat(TRUE[::4], 4), np.repeat(SCORES[::4], 4)
    path = tmp_path / "groups.csv"
    rows = [
        f"{label},{score},p{name}" for label, score, name in zip(labels, scores, names, strict=True)
    ]
    path.write_text("\n".join(["y_true,y_score,patient", *rows, ""]))
    require = ["--require", "recall >= 0.5", "--maximize", "precision"]
    found = parsed("threshold", str(path), *require, "--groups", "patient")
    options = {"at": "population", "require": "recall >= 0.5", "maximize": "precision"}
    expected = choose_threshold(labels, scores, groups=names, **options)
    assert found["threshold"] == expected.threshold
    assert found["grouping"] == str(expected.grouping)
