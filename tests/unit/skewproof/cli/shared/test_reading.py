"""Every command that reads predictions reads standard input and compressed files."""

import bz2
import gzip
import io
import lzma
import sys
from contextlib import nullcontext

import pandas as pd
import pytest

from skewproof.cli.shared.reading import named, opened
from skewproof.core.extras import _Library

FRAME = pd.DataFrame(
    {
        "id": range(40),
        "month": [5] * 20 + [6] * 20,
        "y_true": ([1] * 8 + [0] * 12) * 2,
        "y_pred": ([1] * 6 + [0] * 13 + [1]) * 2,
        "y_score": ([0.9] * 6 + [0.2] * 13 + [0.7]) * 2,
    }
)

COMMANDS = {
    "score": ["score", "FILE", "--metrics", "f1"],
    "score --reference": ["score", "FILE", "--reference", "REFERENCE"],
    "threshold": ["threshold", "FILE", "--require", "recall >= 0.01"],
    "decide": ["decide", "FILE", "--threshold", "0.5"],
    "explain-change": ["explain-change", "FILE", "--by", "month"],
    "watch": ["watch", "FILE", "--time", "month"],
    "plan-labels": ["plan-labels", "f1", "FILE", "--row-id", "id", "--labels", "12"],
}


def records(lines):
    return FRAME.to_json(orient="records", lines=lines).encode()


def parquet():
    file = io.BytesIO()
    FRAME.to_parquet(file)
    return file.getvalue()


CSV = FRAME.to_csv(index=False).encode()
KINDS = {
    "rows.csv": CSV,
    "rows.tsv": FRAME.to_csv(index=False, sep="\t").encode(),
    "rows.json": records(False),
    "rows.jsonl": records(True),
    "rows.parquet": parquet(),
    "rows.csv.gz": gzip.compress(CSV),
    "rows.csv.bz2": bz2.compress(CSV),
    "rows.jsonl.xz": lzma.compress(records(True)),
}


class Input:
    """Standard input with these bytes."""

    def __init__(self, content):
        self.buffer = io.BytesIO(content)


@pytest.fixture
def answer(parsed, tmp_path, monkeypatch):
    """Return what a command prints for rows in a file, or as standard input."""
    reference = tmp_path / "labeled.csv"
    reference.write_bytes(CSV)

    def answered(command, path, content=None):
        monkeypatch.setattr(sys, "stdin", Input(content))
        words = {"FILE": str(path), "REFERENCE": str(reference)}
        found = parsed(*(words.get(word, word) for word in COMMANDS[command]))
        # Labels of CSV and JSON files are text.
        rows = found if isinstance(found, list) else []
        return [row | {"class": str(row.get("class"))} for row in rows] or found

    return answered


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_reads_standard_input(answer, tmp_path, command):
    path = tmp_path / "rows.csv"
    path.write_bytes(CSV)
    assert answer(command, "-", CSV) == answer(command, path)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.slow
def test_the_same_rows_of_every_kind_in_a_file_and_as_standard_input(answer, tmp_path, name):
    plain = tmp_path / "plain.csv"
    plain.write_bytes(CSV)
    (tmp_path / name).write_bytes(KINDS[name])
    expected = answer("score", plain)
    assert expected[0]["value"] == pytest.approx(2 * 6 / (2 * 6 + 2 + 1))  # 6, 1, 2 in each month
    assert answer("score", tmp_path / name) == expected
    assert answer("score", "-", KINDS[name]) == expected


def test_files_with_the_same_name_in_archives_stay_apart(answer, tmp_path):
    for folder, rows in (("a", FRAME[:20]), ("b", FRAME[20:])):
        (tmp_path / folder).mkdir()
        text = rows.to_csv(index=False).encode()
        (tmp_path / folder / "rows.csv.xz").write_bytes(lzma.compress(text))
    plain = tmp_path / "plain.csv"
    plain.write_bytes(CSV)
    assert answer("score", tmp_path / "*" / "rows.csv.xz") == answer("score", plain)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "standard input.csv has nothing in its first line: expected"),
        (b"a,b\n1,2\n", "standard input.csv has no column 'y_true': expected it once"),
        (gzip.compress(CSV)[:-20], "standard input can't be unpacked: expected a whole"),
        (b"PAR1 and more", "standard input.parquet"),
    ],
)
def test_standard_input_that_is_refused(refused, monkeypatch, content, message):
    monkeypatch.setattr(sys, "stdin", Input(content))
    errors = refused("score", "-")
    assert message in errors
    assert "/" not in errors.partition(":")[2].partition("expected")[0]


def test_a_compressed_file_that_is_cut_is_refused(refused, tmp_path):
    path = tmp_path / "rows.csv.bz2"
    path.write_bytes(bz2.compress(CSV)[:-9])
    assert "can't be unpacked: expected a whole file" in refused("score", str(path))


def test_a_plain_file_needs_no_extra_and_others_name_it(run, refused, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setattr("skewproof.slices.files.duckdb", _Library("duckdb", "a file"))
    for name in ("rows.csv", "rows.parquet"):
        (tmp_path / name).write_bytes(KINDS[name])
    assert run("score", str(tmp_path / "rows.csv"), "--metrics", "f1")[0] == 0
    errors = refused("score", str(tmp_path / "rows.parquet"))
    assert errors == 'skewproof: read_predictions needs DuckDB: pip install "skewproof[frames]"\n'


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl", "rows.parquet"])
def test_rows_read_are_those_of_the_file_in_the_end(tmp_path, monkeypatch, name):
    """All rows are about as long, so that the estimate of text files is within a fifth."""
    asked = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(
        "skewproof.cli.shared.reading.progress", lambda _, read: nullcontext(asked.append(read))
    )
    (tmp_path / name).write_bytes(KINDS[name])
    with opened([str(tmp_path / name)], doing="counting") as rows:
        (read,) = asked
        assert len(rows.fetchall()) == len(FRAME)
        assert read().rows is None or abs(read().rows - len(FRAME)) <= 8


def test_standard_input_has_a_name():
    assert named(["-"]) == "standard input"
    assert named(["-", "b.csv"]) == "standard input and others"


def test_a_notebook_needs_no_library_for_progress(tmp_path, monkeypatch):
    """DuckDB's own progress needs ipywidgets there, so that nothing is asked of it."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: False)
    monkeypatch.setattr("skewproof.cli.shared.reading.progress", None)
    (tmp_path / "rows.csv").write_bytes(KINDS["rows.csv"])
    with opened([str(tmp_path / "rows.csv")], doing="counting") as rows:
        assert len(rows.fetchall()) == len(FRAME)
