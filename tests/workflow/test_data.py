"""How a data file is come by."""

import logging

import pytest
from server import serve

from skewproof.pipeline.data_files import MissingDataError, download, obtain, read_recorded
from skewproof.studies.van_zyl.real_data.datasets import git_blob_id

LOG = logging.getLogger("test")
CONTENT = bytes(range(256)) * 1000
BLOB = git_blob_id(CONTENT)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def target(tmp_path):
    return tmp_path / "downloads/file"


def source(url="file:///nowhere/at/all"):
    return {"file": "file", "url": url, "git_blob": BLOB}


def test_a_whole_download(target):
    with serve(CONTENT) as server:
        download(server.url, target, BLOB, LOG)
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_a_download_that_breaks_off_is_gone_on_with(target):
    with serve(CONTENT, stop_after=70_000) as server:
        with pytest.raises(OSError, match="broke off after 70000 of 256000 bytes"):
            download(server.url, target, BLOB, LOG)
        assert names(target.parent) == [".file.part"]
        download(server.url, target, BLOB, LOG)
        assert server.asked == [None, "bytes=70000-"]
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_a_server_that_knows_no_ranges_sends_all_again(target):
    with serve(CONTENT, ranges=False, stop_after=70_000) as server:
        with pytest.raises(OSError, match="broke off"):
            download(server.url, target, BLOB, LOG)
        download(server.url, target, BLOB, LOG)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("left", [b"something else", CONTENT, CONTENT + b"more"])
def test_whatever_was_left_behind_ends_well(target, left):
    target.parent.mkdir()
    target.with_name(".file.part").write_bytes(left)
    with serve(CONTENT) as server:
        download(server.url, target, BLOB, LOG)
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_other_content_is_not_kept(target):
    with serve(b"<html>") as server, pytest.raises(ValueError, match=f"expected {BLOB}"):
        download(server.url, target, BLOB, LOG)
    assert names(target.parent) == []


def test_the_first_folder_with_the_file_is_taken(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(CONTENT)
    folders = [str(tmp_path / name) for name in ("none", "one", "two")]
    assert obtain(source(), folders, LOG) == tmp_path / "one/file"


def test_a_file_of_other_content_is_passed_over(tmp_path, caplog):
    (tmp_path / "file").write_bytes(b"old")
    with serve(CONTENT) as server:
        path = obtain(source(server.url), [str(tmp_path), str(tmp_path / "downloads")], LOG)
    assert path == tmp_path / "downloads/file"
    assert f"expected {BLOB}" in caplog.text
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///nowhere/at/all", "No such file"),
        ("http://127.0.0.1:9/file", "refused"),
        ("http://host.invalid/file", "host.invalid"),
    ],
)
def test_a_failure_says_where_why_and_what_to_do(tmp_path, url, reason):
    with pytest.raises(MissingDataError) as caught:
        obtain(source(url), [str(tmp_path / "data"), str(tmp_path / "downloads")], LOG)
    for part in (url, reason, f"put file (git blob {BLOB}) into {tmp_path / 'data'}"):
        assert part in str(caught.value)


def test_a_file_changed_since_it_was_found_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"changed")
    record = tmp_path / "source.csv"
    record.write_text(f"dataset,path\nD1,{tmp_path / 'file'}\n")
    with pytest.raises(ValueError, match="changed since it was found"):
        read_recorded(record, source())
