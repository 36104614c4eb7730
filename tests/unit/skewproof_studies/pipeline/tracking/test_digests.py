"""Which results are no longer what was written, and what Snakemake is told of them."""

import hashlib
import json
import os
from base64 import urlsafe_b64encode

import pytest

from skewproof_studies.pipeline.tracking import digests
from skewproof_studies.pipeline.tracking.digests import changed_results, mark_incomplete
from skewproof_studies.pipeline.writing.files import write_text


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder in which Snakemake ran."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".snakemake/metadata").mkdir(parents=True)
    return tmp_path


def sha256(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def note(path, **inputs):
    """Note what a result was made from, as Snakemake does."""
    name = urlsafe_b64encode(path.encode()).decode()
    checksums = {name: sha256(text) for name, text in inputs.items()}
    record = json.dumps({"input_checksums": checksums})
    with open(f".snakemake/metadata/{name}", "w") as file:
        file.write(record)


def change(path, text):
    """Change a file and keep its date."""
    dates = os.stat(path)
    with open(path, "w") as file:
        file.write(text)
    os.utime(path, ns=(dates.st_atime_ns, dates.st_mtime_ns))


def test_nothing_is_said_of_what_was_written():
    write_text("1\n", "a.csv")
    note("a.csv")
    assert list(changed_results()) == []


def test_a_long_path():
    path = "/".join(["folder" * 10] * 6) + "/a.csv"
    os.makedirs(os.path.dirname(path))
    write_text("1\n", path)
    assert len(list(digests.RECORDS.iterdir())) == 1


@pytest.mark.parametrize("text", ["2\n", "", "1"])
def test_a_changed_result_is_named_though_its_date_was_kept(text):
    write_text("1\n", "a.csv")
    write_text("1\n", "b.csv")
    note("a.csv")
    note("b.csv")
    change("a.csv", text)
    assert list(changed_results()) == [("a.csv", "is not what was written there, and is made anew")]


@pytest.mark.parametrize("kept", [None, "", "12ab"])
def test_what_has_no_whole_record_is_not_judged(kept):
    write_text("1\n", "a.csv")
    note("a.csv")
    change("a.csv", "2\n")
    (record,) = digests.RECORDS.iterdir()
    if kept is None:
        record.unlink()
    else:
        record.write_text(kept)
    assert list(changed_results()) == []


def test_a_result_that_is_gone_or_unknown_to_snakemake_is_not_judged():
    for name in ("gone.csv", "unknown.csv"):
        write_text("1\n", name)
    note("gone.csv")
    os.remove("gone.csv")
    change("unknown.csv", "2\n")
    assert list(changed_results()) == []


def test_a_result_dated_ahead_of_an_input_that_was_changed_after_it():
    write_text("2\n", "a.csv")
    write_text("new", "input")
    note("a.csv", input="old")
    ahead = os.stat("input").st_mtime + 3600
    os.utime("a.csv", (ahead, ahead))
    ((path, what),) = changed_results()
    assert path == "a.csv"
    assert what.startswith("is from another input")


def test_an_input_that_is_newer_is_left_to_snakemake():
    write_text("1\n", "a.csv")
    write_text("new", "input")
    note("a.csv", input="old")
    os.utime("a.csv", (0, 0))
    assert list(changed_results()) == []


def test_of_a_chain_only_the_changed_result_is_named():
    write_text("1\n", "a.csv")
    write_text("2\n", "b.csv")
    note("a.csv")
    note("b.csv", **{"a.csv": "1\n"})
    change("a.csv", "0\n")
    assert [path for path, _ in changed_results()] == ["a.csv"]


def test_a_folder_is_no_result(folder):
    note("a.csv")
    (folder / "a.csv").mkdir()
    with pytest.raises(IsADirectoryError, match=r"a\.csv: a folder is in the place of a result"):
        list(changed_results())
    with pytest.raises(IsADirectoryError, match=r"a\.csv: a folder is in the place of a result"):
        write_text("1\n", "a.csv")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"input_checksums": null}', "{"])
def test_records_of_another_kind_are_passed_over(folder, text):
    write_text("1\n", "a.csv")
    (folder / ".snakemake/metadata" / urlsafe_b64encode(b"a.csv").decode()).write_text(text)
    assert list(changed_results()) == []


def test_what_a_killed_job_left_behind_is_snakemakes(folder):
    write_text("1\n", "a.csv")
    note("a.csv")
    change("a.csv", "2\n")
    mark_incomplete("a.csv")
    assert [path for path, _ in changed_results()] == ["a.csv"]
    (marker,) = (folder / ".snakemake/incomplete").iterdir()
    marker.write_text('{"external_jobid": null}')
    assert list(changed_results()) == []


@pytest.mark.slow
def test_snakemake_knows_the_mark():
    from snakemake.persistence.file import FilePersistence

    for path in ("a.csv", "results/" + "long_name/" * 40 + "a.csv"):
        mark_incomplete(path)
        assert FilePersistence(nolock=True)._filter_incomplete_keys([path, "b.csv"]) == {path}


def test_nothing_is_kept_outside_of_a_run(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    write_text("1\n", "a.csv")
    assert os.listdir(".") == ["a.csv"]
    write_text("1\n", tmp_path / "b.csv")
    assert not (tmp_path / digests.RECORDS).exists()
