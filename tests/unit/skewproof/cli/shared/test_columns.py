"""Every command reads the same from every kind of file, or refuses it alike."""

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from datetime import date, datetime

import polars as pl
import pytest

from skewproof.cli import main

pytestmark = pytest.mark.slow

ROWS = [
    {"id": f"row {place}", "k": "ab"[place % 2], "y": y, "p": int(s >= 0.5), "s": s}
    for place, (y, s) in enumerate(
        [(0, 0.0), (1, 1.0), (0, 1.0), (1, 0.0), (1, 1.0), (0, 0.0)] * 3
        + [(0, 0.25), (1, 0.75), (0, 0.75), (1, 0.25), (1, 0.5), (0, 0.125)] * 3
    )
]
"""Predictions of which those of the first half have whole scores."""

HALVES = ROWS[:18], ROWS[18:]

CELLS = {"tp": 12, "fp": 6, "fn": 6, "tn": 12}
"""Counts of each y with s >= 0.5, from the two lists: 2, 1, 1 and 2 in each of six repetitions."""

F1 = 2 * 12 / (2 * 12 + 6 + 6)

LABELS = ["--true", "y", "--predicted", "p", "--metrics", "f1"]
SCORES = ["--true", "y", "--score", "s"]
CUT = ["--threshold", "0.5"]
COMMANDS = {
    "score": ["score", *LABELS],
    "explain-change": ["explain-change", *SCORES, *CUT, "--metrics", "accuracy", "--by", "k"],
    "threshold": ["threshold", *SCORES, "--require", "recall >= 0.01"],
    "score --reference": ["score", *SCORES, *CUT, "--metrics", "f1", "--reference", "REFERENCE"],
}
"""Commands of each way to read files; their files are the last arguments."""

EACH = ("score", "explain-change", "threshold")
"""One command for each way to read a file."""


def answers(paths, reference, *options, commands=tuple(COMMANDS)):
    """Run commands; return what those print that succeed, and the errors of the others."""
    paths = list(map(str, paths if isinstance(paths, list) else [paths]))
    outputs, errors = {}, {}
    for name in commands:
        command, *arguments = COMMANDS[name]
        given = [str(reference) if one == "REFERENCE" else one for one in arguments]
        output, error = io.StringIO(), io.StringIO()
        with redirect_stdout(output), redirect_stderr(error):
            code = main([command, *given, *options, "--json", "--", *paths])
        if code == 0:
            outputs[name] = json.loads(output.getvalue())
            for row in outputs[name] if name == "score" else []:
                row.pop("class")  # the label, of the type that the file has
        else:
            assert (code, output.getvalue()) == (1, "")
            errors[name] = error.getvalue()
    return outputs, errors


def csv(path, rows=ROWS, separator=",", end="\n"):
    lines = [rows[0], *(row.values() for row in rows)]
    text = "".join(
        separator.join("" if x is None else str(x) for x in line) + end for line in lines
    )
    path.write_text(text, newline="")
    return path


def as_json(path, rows=ROWS):
    path.write_text(json.dumps(rows))
    return path


def parquet(path, rows=ROWS, **types):
    pl.DataFrame(rows, schema_overrides=types).write_parquet(path)
    return path


def by_folder(write, name):
    """Write the halves below folders that name another value of the prediction in the files."""

    def written(folder):
        for value, half in enumerate(HALVES):
            (folder / f"p={value}").mkdir()
            write(folder / f"p={value}" / name, half)
        return f"{folder}/*/{name}"

    return written


def with_two_names(folder):
    path = parquet(folder / "rows.parquet")
    (folder / "link.parquet").symlink_to(path)
    os.link(path, folder / "second.parquet")
    return f"{folder}/*.parquet"


def home(folder):
    csv(folder / "~rows.csv")
    return "~rows.csv"


SAME = {
    "semicolons": lambda folder: csv(folder / "rows.csv", separator=";"),
    "lines of Windows": lambda folder: csv(folder / "rows.csv", end="\r\n"),
    "lines of old Macs": lambda folder: csv(folder / "rows.csv", end="\r"),
    "json": lambda folder: as_json(folder / "rows.json"),
    "parquet": lambda folder: parquet(folder / "rows.parquet"),
    "two csv": lambda folder: [csv(folder / f"{n}.csv", half) for n, half in enumerate(HALVES)],
    "folders of parquet": by_folder(parquet, "rows.parquet"),
    "folders of csv": by_folder(csv, "rows.csv"),
    "two names": with_two_names,
    "labels as floats": lambda folder: parquet(folder / "rows.parquet", y=pl.Float64, p=pl.Int8),
    "scores as text": lambda folder: parquet(
        folder / "rows.parquet", [row | {"s": str(row["s"])} for row in ROWS]
    ),
    "an unused list": lambda folder: parquet(
        folder / "rows.parquet", [row | {"vector": [0.5, 1]} for row in ROWS]
    ),
    "a name from the home folder": home,
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return csv(tmp_path_factory.mktemp("plain") / "rows.csv")


@pytest.fixture(scope="module")
def expected(plain):
    """Answers from a plain file, which are right where they are known."""
    outputs, errors = answers(plain, plain)
    assert not errors
    assert set(outputs) == set(COMMANDS)
    assert outputs["score"][0]["value"] == F1
    assert outputs["score --reference"][0]["called"] == CELLS["tp"] + CELLS["fp"]
    return outputs


@pytest.mark.parametrize("write", SAME.values(), ids=SAME)
def test_the_same_answers_from_every_kind_of_file(tmp_path, monkeypatch, plain, expected, write):
    monkeypatch.chdir(tmp_path)
    found, errors = answers(write(tmp_path), plain, commands=EACH)
    assert not errors
    assert found == {name: expected[name] for name in EACH}


def lost(column, number, value):
    return [row | {column: value} if place < number else row for place, row in enumerate(ROWS)]


MISSING = {
    "empty": lambda folder: csv(folder / "rows.csv", lost("s", 3, None)),
    "words in text": lambda folder: csv(
        folder / "rows.csv",
        [row | {"s": word} for row, word in zip(ROWS, ("nan", "NA", "null"), strict=False)]
        + ROWS[3:],
    ),
    "null in json": lambda folder: as_json(folder / "rows.json", lost("s", 3, None)),
    "NaN in json": lambda folder: as_json(folder / "rows.json", lost("s", 3, float("nan"))),
    "null in parquet": lambda folder: parquet(folder / "rows.parquet", lost("s", 3, None)),
    "NaN in parquet": lambda folder: parquet(folder / "rows.parquet", lost("s", 3, float("nan"))),
}


@pytest.fixture(scope="module")
def known(plain, tmp_path_factory):
    """Answers from the rows with a score."""
    return answers(csv(tmp_path_factory.mktemp("known") / "rows.csv", ROWS[3:]), plain)[0]


@pytest.mark.parametrize("write", MISSING.values(), ids=MISSING)
def test_rows_without_a_score_are_left_out_and_counted(tmp_path, plain, known, write):
    """DuckDB takes NaN for a number where the statistics of a Parquet file say so."""
    outputs, errors = answers(write(tmp_path), plain)
    assert not errors
    assert outputs["threshold"] == known["threshold"]
    for before, row in zip(known["explain-change"], outputs["explain-change"], strict=True):
        assert row == before | {"missing": {"a": 2, "b": 1}[row["k"]]}
    for before, row in zip(known["score --reference"], outputs["score --reference"], strict=True):
        assert row == before | {"missing": 3}


KINDS_OF_LABELS = {
    "truth values": ([False, True], "true"),
    "truth values as 1": ([False, True], "1"),
    "dates": ([date(2026, 1, 1), date(2026, 2, 1)], "2026-02-01"),
    "times": ([datetime(2026, 1, 1), datetime(2026, 1, 1, 10, 30)], "2026-01-01 10:30"),
    "text": (["no", "yes"], "yes"),
    "whole floats": ([3.0, 7.0], "7"),
    "whole floats as text": (["0.0", "1.0"], "1.0"),
}


@pytest.mark.parametrize(("labels", "positive"), KINDS_OF_LABELS.values(), ids=KINDS_OF_LABELS)
def test_labels_of_every_type(tmp_path, expected, labels, positive):
    rows = [row | {"y": labels[row["y"]], "p": labels[row["p"]]} for row in ROWS]
    path = parquet(tmp_path / "rows.parquet", rows)
    assert answers(path, path, "--pos-label", positive) == (expected, {})


def with_bytes(name, content):
    def written(folder):
        (folder / name).write_bytes(content)
        return folder / name

    return written


TEXT = "id,k,y,p,s\n1,a,1,1,.5\n2,b,0,0,.25\n"
PANDAS = json.dumps({name: {str(n): row[name] for n, row in enumerate(ROWS)} for name in ROWS[0]})

REFUSED = {
    "utf-16 csv": (with_bytes("rows.csv", TEXT.encode("utf-16")), "UTF-8"),
    "utf-16 json": (with_bytes("rows.json", json.dumps(ROWS).encode("utf-16")), "UTF-8"),
    "latin csv": (with_bytes("rows.csv", TEXT.replace("k", "\xe4").encode("latin-1")), "UTF-8"),
    "latin json": (
        with_bytes("rows.json", json.dumps(ROWS).replace('"a"', '"\xe4"').encode("latin-1")),
        "UTF-8",
    ),
    "an object of columns": (with_bytes("rows.json", PANDAS.encode()), "an object for each row"),
    "lists": (
        lambda folder: parquet(
            folder / "rows.parquet", [row | {"y": [1], "p": [1], "s": [0.5]} for row in ROWS]
        ),
        "expected",
    ),
    "empty": (with_bytes("rows.csv", b""), "nothing in its first line: expected a"),
    "no such column": (with_bytes("rows.csv", b"id,k\n1,a\n"), "expected"),
}


@pytest.mark.parametrize(("write", "message"), REFUSED.values(), ids=REFUSED)
def test_files_that_every_command_refuses(tmp_path, plain, write, message):
    outputs, errors = answers(write(tmp_path), plain)
    assert not outputs
    for error in errors.values():
        assert message in error
        assert len(error) < 600
