import gzip
import json
import sys
import tempfile
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from skewproof.core.extras import MissingExtraError, _Library
from skewproof.slices.counting import count_slices
from skewproof.slices.files import read_predictions

pytestmark = pytest.mark.slow

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


def counted(paths, positive="1"):
    with read_predictions(paths, labels=["y", "p"]) as relation:
        slices = count_slices(relation, y_true="y", y_pred="p", by="k", pos_label=positive)
    return slices.to_numpy().tolist()


@pytest.mark.parametrize(("name", "write"), WRITERS.items(), ids=WRITERS)
def test_kinds_of_files(tmp_path, name, write):
    write(tmp_path / name)
    positive = 1 if name.endswith("parquet") else "1"
    assert counted(tmp_path / name, positive) == [["a", 1, 0, 0, 0, 0], ["b", 0, 1, 0, 0, 1]]


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


def test_fields_of_csv_are_text_but_for_what_is_named(tmp_path):
    path = tmp_path / "types.csv"
    path.write_text(
        "y,p,s,day,country,code,comment\n1,NA,0.5,2026-05-01,NA,01,#a\n0,1,nan,null,,1e5,b\n"
    )
    with read_predictions(path, labels=["y", "p"], numbers=["s"]) as relation:
        assert relation.fetchall() == [
            ("1", None, 0.5, "2026-05-01", "NA", "01", "#a"),
            ("0", "1", None, "null", None, "1e5", "b"),
        ]


def test_values_of_json_are_text_but_for_what_is_named(tmp_path):
    path = tmp_path / "rows.jsonl"
    rows = [
        {"y": 1, "p": None, "s": 0.5, "day": "2026-05-01", "k": True, "id": 12345678901234567890},
        {"y": 0, "p": "NA", "s": "nan", "day": "2026-5-1", "k": 1.5, "id": 12345678901234567891},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    with read_predictions(path, labels=["y", "p"], numbers=["s"]) as relation:
        assert relation.fetchall() == [
            ("1", None, 0.5, "2026-05-01", "true", "12345678901234567890"),
            ("0", None, None, "2026-5-1", "1.5", "12345678901234567891"),
        ]


APART = [
    *("1.1", "1.10", "1", "1.0", "01", "+1", "2026-05-01", "2026-05-01T00:00:00", "true", "True"),
    *("12345678901234567890", "12345678901234567891", "9007199254740992", "9007199254740993"),
    *("1e5", "100000", "0x10", "16", "1_000", "1000", "a", " a", "A", "NA", "nan", "null", "None"),
]
"""Keys of which some are equal as numbers, dates, truth values, or as nothing."""


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_slices_stay_apart_whose_keys_are_written_differently(tmp_path, suffix):
    rows = [
        {"k": key, "y": 1, "p": 1} for number, key in enumerate(APART) for _ in range(number + 1)
    ]
    path = tmp_path / f"rows.{suffix}"
    if suffix == "csv":
        path.write_text("k,y,p\n" + "".join(f'"{row["k"]}",1,1\n' for row in rows))
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    slices = {key: tp for key, tp, *_ in counted(path)}
    assert slices == {key: number + 1 for number, key in enumerate(APART)}


def test_what_is_no_number_among_numbers(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,s\n1,0.5\n0,high\n")
    with (
        pytest.raises(ValueError, match=r"scores.csv, column 's' has 'high': expected a number$"),
        read_predictions(path, labels=["y"], numbers=["s"]) as relation,
    ):
        count_slices(relation, y_true="y", y_score="s", threshold=0.5, pos_label="1")


BROKEN = {
    "header.csv": ("y,p\n", "header.csv has no rows: expected predictions"),
    "empty.csv": ("", "empty.csv has nothing in its first line: expected a header"),
    "empty.json": ("[]", "empty.json has no objects: expected an object for each row"),
    "ragged.csv": (
        "y,p\n1,0\n1,0,1\n",
        "ragged.csv can't be read: CSV Error on Line: 3, Expected Number of Columns: 2 Found: 3",
    ),
    "quote.csv": ('k,y,p\na,1,"0\na,0,1\n', "Line: 2, a,0,1, Value with unterminated quote found"),
    "mixed.csv": ("y,p\n1,1\r\n0,1\n", "expected lines that all end alike"),
    "carriage.csv": ("y,p\n1,1\r0,1\n", "expected lines that all end alike"),
    "twice.csv": ("y,p,Y\n1,0,1\n", "twice.csv has two columns 'y': expected one"),
    "cut.json": ('[{"y": 1}, {"y"', "cut.json can't be read: "),
    "text.json": ("hello", "text.json can't be read: Malformed JSON"),
    "text.parquet": ("hello, it's text", "text.parquet can't be read: No magic bytes"),
    "plain.csv.gz": ("y,p\n1,0\n", "plain.csv.gz can't be read: expected a gzip file"),
    "rows.xlsx": ("PK", "rows.xlsx' is of an unknown kind: expected CSV (.csv, .tsv), Parquet"),
    "rows.parquet.gz": ("PAR1", "is of an unknown kind: expected CSV (.csv, .tsv), Parquet"),
}


@pytest.mark.parametrize(("name", "case"), BROKEN.items(), ids=BROKEN)
def test_files_that_are_refused(tmp_path, monkeypatch, name, case):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(case[0], newline="")
    with pytest.raises(ValueError, match=r"expected|can't be read") as error:
        counted(name)
    assert case[1] in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


PATHS = {
    "missing": ("nowhere.csv", FileNotFoundError, "'nowhere.csv' is not a file: expected a file"),
    "glob": ("nowhere*.csv", FileNotFoundError, "'nowhere*.csv' is not a file: expected a file"),
    "folder": (".", FileNotFoundError, "'.' is not a file: expected a file, or a glob that"),
    "long": ("x" * 5000, FileNotFoundError, "xxx... (5002 characters) is not a file"),
    "null": ("a\0b.csv", FileNotFoundError, "is not a file"),
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


def as_csv(path, query):
    with duckdb.connect() as connection:
        connection.sql(f"COPY ({query}) TO '{path}' (HEADER)")


BOTH = {"csv": (as_csv, "1"), "parquet": (parquet, 1)}


@pytest.mark.parametrize(("suffix", "case"), BOTH.items(), ids=BOTH)
def test_columns_at_other_places_and_columns_that_only_some_files_have(tmp_path, suffix, case):
    write, positive = case
    write(tmp_path / f"a.{suffix}", "SELECT 'a' AS k, 1 AS y, 1 AS p")
    write(tmp_path / f"b.{suffix}", "SELECT 0 AS p, 7 AS more, 1 AS Y, 'a' AS k")
    paths = [tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"]
    for files in (paths, paths[::-1]):
        with read_predictions(files, labels=["y", "p"]) as relation:
            rows = relation.select("k, y, p").order("p").fetchall()
        assert rows == [("a", positive, type(positive)(0)), ("a", positive, positive)]
        with (
            pytest.raises(
                ValueError, match=r"a\.\w+ has no column 'more', which .*b\.\w+ has: exp"
            ),
            read_predictions(files) as relation,
        ):
            relation.aggregate("count(more)").fetchall()


DAY, HOUR = "DATE '2026-01-01'", "TIMESTAMP '2026-01-01 10:30:00'"

TYPES = {
    "whole and real": ("1::BIGINT", "0.5::DOUBLE", [0.5, 1.0]),
    "whole and single": ("16777217::BIGINT", "0.5::FLOAT", [0.5, 16777217.0]),
    "single and real": ("0.1::FLOAT", "0.1::DOUBLE", [0.1, 0.10000000149011612]),
    "whole and decimal": ("1::INTEGER", "1.25::DECIMAL(3, 2)", [1.0, 1.25]),
    "sizes": ("1::TINYINT", f"{2**63 - 1}::BIGINT", [1, 2**63 - 1]),
    "signs": ("-1::BIGINT", f"{2**63}::UBIGINT", [-1, 2**63]),
    "days and times": (DAY, HOUR, [datetime(2026, 1, 1), datetime(2026, 1, 1, 10, 30)]),
    "nothing and text": ("NULL", "'a'", ["a", None]),
    "nothing and whole": ("NULL", "1::BIGINT", [1, None]),
}


@pytest.mark.parametrize(("first", "second", "values"), TYPES.values(), ids=TYPES)
def test_types_of_parquet_files_are_joined_without_loss(tmp_path, first, second, values):
    paths = [tmp_path / "first.parquet", tmp_path / "second.parquet"]
    for path, value in zip(paths, (first, second), strict=True):
        parquet(path, f"SELECT {value} AS x")
    for files in (paths, paths[::-1]):
        with read_predictions(files) as relation:
            assert [x for (x,) in relation.order("x").fetchall()] == values


ONE_TYPE = {
    "whole and text": ("1", "'1'"),
    "truth and whole": ("true", "1"),
    "day and text": (DAY, "'2026-01-01'"),
    "list and whole": ("[1]", "1"),
    "too large for a float": (f"{2**53 + 1}::BIGINT", "0.5::DOUBLE"),
    "largest": (f"{2**63 - 1}::BIGINT", "0.5::DOUBLE"),
    "too many digits": ("1.0000000000000000001::DECIMAL(30, 20)", "0.5::DOUBLE"),
}


@pytest.mark.parametrize(("first", "second"), ONE_TYPE.values(), ids=ONE_TYPE)
def test_types_that_none_holds_are_refused_where_they_are_used(tmp_path, first, second):
    paths = [tmp_path / "first.parquet", tmp_path / "second.parquet"]
    for path, value in zip(paths, (first, second), strict=True):
        parquet(path, f"SELECT {value} AS x, 1 AS y")
    for files in (paths, paths[::-1]):
        with read_predictions(files) as relation:
            assert relation.select("y").fetchall() == [(1,), (1,)]
        with (
            pytest.raises(ValueError, match=r"column 'x' .*expected one type") as error,
            read_predictions(files) as relation,
        ):
            relation.aggregate("min(x)").fetchall()
        assert "first.parquet" in str(error.value)
        assert "second.parquet" in str(error.value)


def test_bounded_and_alone(tmp_path, monkeypatch):
    """Temporary files are removed, memory is limited, and no extension is fetched."""
    (tmp_path / "rows.csv").write_text(TEXT)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    names = ("memory_limit", "autoinstall_known_extensions", "autoload_known_extensions")
    settings = ", ".join(f"current_setting('{name}')" for name in (*names, "temp_directory"))
    with read_predictions(tmp_path / "rows.csv", memory_limit="64MiB") as relation:
        (settings_read,) = relation.query("rows", f"SELECT {settings} FROM rows LIMIT 1").fetchall()
        assert settings_read[:3] == ("64.0 MiB", False, False)
        assert list(map(str, folder.iterdir())) == [settings_read[3]]
    assert not list(folder.iterdir())
    with pytest.raises(duckdb.Error, match="closed"):
        relation.fetchall()
    for limit in ("lots", "", None, "-3GB"):
        message = r"memory_limit = .*expected an amount such as '512MiB'"
        with pytest.raises(ValueError, match=message):
            read_predictions(tmp_path / "rows.csv", memory_limit=limit).__enter__()


def test_duckdb_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.setattr("skewproof.slices.files.duckdb", _Library("duckdb", "a file"))
    message = r'needs DuckDB: pip install "skewproof\[frames\]"'
    with pytest.raises(MissingExtraError, match=message):
        read_predictions("rows.csv").__enter__()
