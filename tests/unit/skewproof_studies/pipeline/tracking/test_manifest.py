"""Results that differ from those that were written."""

import os

import pytest

from skewproof_studies.pipeline.tracking.manifest import MANIFEST, changed_results
from skewproof_studies.pipeline.writing.files import write_text


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which Snakemake ran, with two results."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake").mkdir()
    write_text("1\n", "a.csv")
    write_text("1\n", "b.csv")
    return tmp_path


def change(path, text):
    """Change a file and keep its date."""
    dates = os.stat(path)
    with open(path, "w") as file:
        file.write(text)
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def test_nothing_is_said_of_what_was_written_or_removed():
    assert list(changed_results()) == []
    os.remove("a.csv")
    assert list(changed_results()) == []


@pytest.mark.parametrize("text", ["2\n", "", "1"])
def test_a_changed_result_is_named_though_its_date_was_kept(text):
    change("a.csv", text)
    assert list(changed_results()) == ["a.csv"]
    write_text(text, "a.csv")
    assert list(changed_results()) == []


def test_a_long_path_with_a_line_break():
    path = "/".join(["folder" * 10] * 6) + "/a\nb.csv"
    os.makedirs(os.path.dirname(path))
    write_text("1\n", path)
    change(path, "2\n")
    assert list(changed_results()) == [path]


@pytest.mark.parametrize("kept", ["", "12ab", "12ab  a.csv\n"])
def test_a_result_without_a_whole_record_is_not_judged(kept):
    for record in MANIFEST.iterdir():
        record.write_text(kept)
    change("a.csv", "2\n")
    assert list(changed_results()) == []


def test_a_folder_is_no_result(folder):
    os.remove("a.csv")
    (folder / "a.csv").mkdir()
    with pytest.raises(IsADirectoryError, match=r"a\.csv: a folder has the name of a result"):
        list(changed_results())
    with pytest.raises(IsADirectoryError, match=r"a\.csv: a folder has the name of a result"):
        write_text("1\n", "a.csv")


def test_sha256sum_reads_the_manifest(folder):
    lines = [record.read_text() for record in MANIFEST.iterdir()]
    assert sorted(line.split("  ")[1] for line in lines) == ["a.csv\n", "b.csv\n"]


def test_nothing_is_kept_of_other_files(folder, tmp_path_factory, monkeypatch):
    write_text("1\n", ".snakemake/own.json")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    write_text("1\n", elsewhere / "a.csv")
    monkeypatch.chdir(elsewhere)
    write_text("1\n", "b.csv")
    assert sorted(os.listdir(".")) == ["a.csv", "b.csv"]
    assert len(list((folder / MANIFEST).iterdir())) == 2
