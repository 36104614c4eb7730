import datetime
import gzip
import json
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from skewproof.core.extras import MissingExtraError
from skewproof.practice.slices.counting import count_slices
from skewproof.practice.slices.files import as_text, label_like, read_predictions, typed_label

ROWS = [{"k": "a", "y": 1, "p": 1}, {"k": "b", "y": 0, "p": 1}, {"k": "b", "y": 1, "p": None}]
TEXT = "k,y,p\na,1,1\nb,0,1\nb,1,\n"


def parquet(
    path, query="SELECT * FROM (VALUES ('a', 1, 1), ('b', 0, 1), ('b', 1, NULL)) t(k, y, p)"
):
    with duckdb.connect() as connection:
        connection.sql(f"COPY ({query}) TO '{path}'")


WRITERS = {
    "rows.csv": lambda path: path.write_text(TEXT),
    "rows.CSV": lambda path: path.write_text(TEXT),
    "rows.tsv": lambda path: path.write_text(TEXT.replace(",", "\t")),
    "semicolons.csv": lambda path: path.write_text(TEXT.replace(",", ";")),
    "windows.csv": lambda path: path.write_bytes(TEXT.replace("\n", "\r\n").encode("utf-8-sig")),
    "quoted.csv": lambda path: path.write_text(TEXT.replace("k,y,p", '"k","y","p"')),
    "rows.csv.gz": lambda path: path.write_bytes(gzip.compress(TEXT.encode())),
    "rows.json": lambda path: path.write_text(json.dumps(ROWS)),
    "rows.jsonl": lambda path: path.write_text("\n".join(map(json.dumps, ROWS))),
    "rows.ndjson.gz": lambda path: path.write_bytes(
        gzip.compress("\n".join(map(json.dumps, ROWS)).encode())
    ),
    "rows.parquet": parquet,
    "it's [1] *.parquet": lambda path: parquet(str(path).replace("'", "''")),
}


def counted(paths):
    with read_predictions(paths) as relation:
        return count_slices(relation, y_true="y", y_pred="p", by="k").to_numpy().tolist()


@pytest.mark.parametrize(("name", "write"), WRITERS.items(), ids=WRITERS)
def test_kinds_of_files(tmp_path, name, write):
    write(tmp_path / name)
    assert counted(tmp_path / name) == [["a", 1, 0, 0, 0, 0], ["b", 0, 1, 0, 0, 1]]


def test_globs_and_files_count_each_file_once(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("may.csv", "june.csv", "deep/july.csv"):
        (tmp_path / name).write_text(TEXT)
    paths = [f"{tmp_path}/**/*y.csv", f"{tmp_path}/*.csv", str(tmp_path / "deep/../may.csv")]
    assert counted(paths) == [["a", 3, 0, 0, 0, 0], ["b", 0, 3, 0, 0, 3]]


def test_a_name_is_a_file_before_it_is_a_glob(tmp_path):
    (tmp_path / "a[1].csv").write_text("k,y,p\na,1,1\n")
    (tmp_path / "a1.csv").write_text("k,y,p\nb,0,1\n")
    assert counted(tmp_path / "a[1].csv") == [["a", 1, 0, 0, 0, 0]]


def test_types_in_csv(tmp_path):
    path = tmp_path / "types.csv"
    path.write_text(
        "y,p,s,day,month,code,comment\n1,NA,0.5,2026-05-01,2026-05,x1,#a\n0,1,nan,NA,2026-06,2,b\n"
    )
    with read_predictions(path) as relation:
        assert relation.fetchall() == [
            (1, None, 0.5, "2026-05-01", "2026-05", "x1", "#a"),
            (0, 1, None, None, "2026-06", "2", "b"),
        ]


BROKEN = {
    "header.csv": ("y,p\n", "header.csv has no rows: expected predictions"),
    "empty.csv": ("", "empty.csv has no rows: expected predictions"),
    "empty.json": ("[]", "empty.json has no rows: expected predictions"),
    "ragged.csv": (
        "y,p\n1,0\n1,0,1\n",
        "ragged.csv can't be read: expected text in UTF-8, with as",
    ),
    "twice.csv": ("y,p,Y\n1,0,1\n", "twice.csv has two columns 'y': expected one"),
    "cut.json": ('[{"y": 1}, {"y"', "cut.json can't be read: "),
    "text.json": ("hello", "text.json can't be read: Malformed JSON"),
    "text.parquet": ("hello, it's text", "text.parquet can't be read: No magic bytes"),
    "plain.csv.gz": ("y,p\n1,0\n", "plain.csv.gz can't be read: expected what gzip wrote"),
    "rows.xlsx": ("PK", "rows.xlsx' is of no known kind: expected CSV (.csv, .tsv), Parquet"),
    "rows.parquet.gz": ("PAR1", "is of no known kind: expected CSV (.csv, .tsv), Parquet"),
}


@pytest.mark.parametrize(("name", "case"), BROKEN.items(), ids=BROKEN)
def test_files_that_are_refused(tmp_path, monkeypatch, name, case):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(case[0])
    with pytest.raises(ValueError, match=r"expected|can't be read") as error:
        counted(name)
    assert case[1] in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


PATHS = {
    "missing": ("nowhere.csv", FileNotFoundError, "'nowhere.csv' is no file: expected one, or a"),
    "glob": ("nowhere*.csv", FileNotFoundError, "'nowhere*.csv' is no file: expected one, or a"),
    "folder": (".", FileNotFoundError, "'.' is no file: expected one, or a glob that matches some"),
    "long": ("x" * 5000, FileNotFoundError, "xxx... (5002 characters) is no file"),
    "null": ("a\0b.csv", FileNotFoundError, "is no file"),
    "web": ("https://example.org/rows.csv", ValueError, "rows.csv' is remote: expected a file on"),
    "cloud": ("s3://bucket/rows.parquet", ValueError, "rows.parquet' is remote: expected a file"),
    "none": ([], ValueError, "paths is empty: expected files of predictions"),
}


@pytest.mark.parametrize(("paths", "kind", "message"), PATHS.values(), ids=PATHS)
def test_paths_that_are_refused(tmp_path, monkeypatch, paths, kind, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match="expected") as error:
        counted(paths)
    assert message in str(error.value)


def test_kinds_are_not_mixed(tmp_path):
    (tmp_path / "a.csv").write_text(TEXT)
    parquet(tmp_path / "b.parquet")
    with pytest.raises(ValueError, match="files are of the kinds csv and parquet: expected one"):
        counted([tmp_path / "a.csv", tmp_path / "b.parquet"])


@pytest.mark.parametrize("header", ["y,p", "y,k,p", "k,y,p,z", ""])
def test_csv_files_of_different_columns(tmp_path, header):
    (tmp_path / "a.csv").write_text(TEXT)
    (tmp_path / "b.csv").write_text(f"{header}\n1,0,1\n")
    with pytest.raises(
        ValueError, match=r"b\.csv has other columns than .*a\.csv: expected the sa"
    ):
        counted(tmp_path / "*.csv")


def test_parquet_files_in_which_columns_have_other_places(tmp_path):
    parquet(tmp_path / "a.parquet")
    parquet(tmp_path / "b.parquet", "SELECT 0 AS p, 1 AS y, 'a' AS k")
    assert counted(tmp_path / "*.parquet") == [["a", 1, 0, 1, 0, 0], ["b", 0, 1, 0, 0, 1]]


def test_a_parquet_file_without_a_column_of_the_first(tmp_path):
    parquet(tmp_path / "a.parquet")
    parquet(tmp_path / "b.parquet", "SELECT 'a' AS k, 1 AS y")
    with pytest.raises(ValueError, match=r"\(or another of 2 files\) can't be read: .*\"p\""):
        counted(tmp_path / "*.parquet")


@pytest.mark.slow
def test_a_field_that_is_no_number_behind_those_that_tell_the_type(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("k,y,p\n" + "a,1,0\n" * 1_100_000 + "a,x,0\n")
    with pytest.raises(
        ValueError, match=r"late.csv can't be read: CSV Error on Line: 1100002, .*'x|x"
    ):
        counted(path)


def test_bounded_and_alone(tmp_path, monkeypatch):
    """Temporary files are removed, memory is limited, and no extension is fetched."""
    (tmp_path / "rows.csv").write_text(TEXT)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    names = ("memory_limit", "autoinstall_known_extensions", "autoload_known_extensions")
    settings = ", ".join(f"current_setting('{name}')" for name in (*names, "temp_directory"))
    with read_predictions(tmp_path / "rows.csv", memory_limit="64MiB") as relation:
        (found,) = relation.query("rows", f"SELECT {settings} FROM rows LIMIT 1").fetchall()
        assert found[:3] == ("64.0 MiB", False, False)
        assert list(map(str, folder.iterdir())) == [found[3]]
    assert not list(folder.iterdir())
    with pytest.raises(duckdb.Error, match="closed"):
        relation.fetchall()


@pytest.mark.parametrize("limit", ["lots", "", None, "-3GB"])
def test_memory_limits_that_are_none(tmp_path, limit):
    (tmp_path / "rows.csv").write_text(TEXT)
    with (
        pytest.raises(ValueError, match=r"memory_limit = .*expected an amount such as '512MiB'"),
        read_predictions(tmp_path / "rows.csv", memory_limit=limit),
    ):
        pass


def test_duckdb_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with (
        pytest.raises(MissingExtraError, match=r'needs DuckDB: pip install "skewproof\[frames\]"'),
        read_predictions("rows.csv"),
    ):
        pass


AS_TEXT = {
    "2026-05-01": [
        datetime.date(2026, 5, 1),
        datetime.datetime(2026, 5, 1),
        pd.Timestamp("2026-05-01"),
        np.datetime64("2026-05-01T00:00:00.000000000"),
        "2026-05-01",
    ],
    "2026-05-01 12:30:00": [pd.Timestamp("2026-05-01 12:30"), "2026-05-01 12:30:00"],
    "5": [5, 5.0, np.float32(5), np.int8(5), "5"],
    "0.5": [0.5, np.float64(0.5)],
    "1152921504606846977": [2**60 + 1],
    "True": [True, np.True_],
    "inf": [float("inf")],
}


@pytest.mark.parametrize(("text", "values"), AS_TEXT.items(), ids=AS_TEXT)
def test_as_text(text, values):
    assert [as_text(value) for value in values] == [text] * len(values)


LIKE = [
    ("1", [0, 1], 1),
    ("1", [0.0, 1.0, float("nan")], 1.0),
    ("1.0", [0, 1], 1),
    ("1", ["0.0", "1.0", None], "1.0"),
    ("01", [1, 2], 1),
    ("01", ["01", "1"], "01"),
    ("1", [True, False], True),
    ("true", [True, False], True),
    ("False", [True, False], False),
    ("yes", ["no", "yes"], "yes"),
    ("1152921504606846977", [2**60, 2**60 + 1], 2**60 + 1),
    ("1152921504606846977.0", [2**60, 2**60 + 1], 2**60 + 1),
    ("2026-05-01", pd.to_datetime(["2026-04-01", "2026-05-01"]), pd.Timestamp("2026-05-01")),
    ("2026-05", ["2026-04", "2026-05"], "2026-05"),
]


@pytest.mark.parametrize(("text", "labels", "expected"), LIKE, ids=str)
def test_label_like(text, labels, expected):
    found = label_like(text, labels)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("text", "labels", "message"),
    [
        ("2", [0, 1], "label '2': expected one of 0, 1"),
        ("yes", ["no", "Yes"], "label 'yes': expected one of no, Yes"),
        ("1", ["1", 1], "label '1' is there as str and int: expected labels of one type"),
        ("1.0", ["1", 1], "label '1.0' is there as str and int: expected labels of one type"),
        ("nan", [0, 1], "label 'nan': expected one of 0, 1"),
        ("1", range(10**4, 2 * 10**4), "label '1': expected one of 10000, 10001"),
    ],
)
def test_labels_that_are_not_found(text, labels, message):
    with pytest.raises(ValueError, match="expected") as error:
        label_like(text, labels)
    assert str(error.value).startswith(message)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("1", "whole", 1),
        ("1", "number", 1),
        ("0.5", "number", 0.5),
        ("1", "decimal", 1),
        ("1", "text", "1"),
        ("true", "truth", True),
        ("1", "truth", True),
        ("0", "truth", False),
        ("yes", "whole", "yes"),
        ("yes", "truth", "yes"),
        ("1", "no column", "1"),
    ],
)
def test_typed_label(text, column, expected):
    with duckdb.connect() as connection:
        relation = connection.sql(
            "SELECT 1 AS whole, 1::DOUBLE AS number, 1.0 AS decimal, '1' AS text, true AS truth"
        )
        found = typed_label(text, relation, column)
    assert found == expected
    assert type(found) is type(expected)
