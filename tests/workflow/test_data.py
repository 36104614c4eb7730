"""Search and download of a data file."""

import hashlib
import logging

import pytest
from server import serve

from skewproof_studies.pipeline.data_files import (
    MissingDataError,
    digest_notice,
    download,
    obtain,
    read_recorded,
)
from skewproof_studies.van_zyl.real_data.datasets import git_blob_id

LOG = logging.getLogger("test")
CONTENT = bytes(range(256)) * 1000
BLOB = git_blob_id(CONTENT)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "downloads"


SHA256 = hashlib.sha256(CONTENT).hexdigest()


def source(url="http://127.0.0.1:9/file", **more):
    return {"file": "file", "url": url, "git_blob": BLOB, "sha256": SHA256} | more


def test_a_file_without_a_sha_256_is_downloaded_again_where_its_content_is_another(folder):
    folder.mkdir()
    (folder / "file").write_bytes(b"old")
    known = source()
    del known["sha256"]
    with serve(CONTENT) as server:
        path = download(known | {"url": server.url}, folder)
    assert path.read_bytes() == CONTENT


def test_a_download_that_breaks_off_leaves_nothing(folder):
    with serve(CONTENT, stop_after=70_000) as server, pytest.raises(OSError, match="70000"):
        download(source(server.url), folder)
    assert names(folder) == []


@pytest.mark.parametrize("changes", [{"sha256": "0" * 64}, {"git_blob": "0" * 40}])
def test_other_content_is_not_kept(folder, changes):
    with (
        serve(CONTENT) as server,
        pytest.raises(ValueError, match=r"hash|git blob is .*, expected 0"),
    ):
        download(source(server.url, **changes), folder)
    assert names(folder) == []


def test_the_first_folder_with_the_file_is_taken(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_bytes(CONTENT)
    folders = [str(tmp_path / name) for name in ("none", "one", "two")]
    assert obtain(source(), folders, LOG) == tmp_path / "one/file"


def test_a_file_of_other_content_is_passed_over(tmp_path, caplog):
    (tmp_path / "file").write_bytes(b"old")
    with serve(CONTENT) as server:
        folders = [str(tmp_path), str(tmp_path / "downloads")]
        path = obtain(source(server.url), folders, LOG, insecure=True)
    assert path == tmp_path / "downloads/file"
    assert path.read_bytes() == CONTENT
    assert names(path.parent) == ["file"]
    assert f"expected {BLOB}" in caplog.text
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("file:///nowhere/at/all", "expected https"),
        ("http://127.0.0.1:9/file", "refused"),
        ("http://host.invalid/file", "host.invalid"),
    ],
)
def test_a_failure_says_where_why_and_what_to_do(tmp_path, url, reason):
    folders = [str(tmp_path / "data"), str(tmp_path / "downloads")]
    with pytest.raises(MissingDataError) as caught:
        obtain(source(url), folders, LOG, insecure=True)
    for part in (url, reason, f"put file (git blob {BLOB}) into {tmp_path / 'data'}"):
        assert part in str(caught.value)


def test_a_file_changed_since_it_was_found_is_refused(tmp_path):
    (tmp_path / "file").write_bytes(b"changed")
    record = tmp_path / "source.csv"
    record.write_text(f"dataset,path\nD1,{tmp_path / 'file'}\n")
    with pytest.raises(ValueError, match="changed since it was found"):
        read_recorded(record, source())


def test_a_source_without_a_sha_256_is_told_the_one_of_its_file(tmp_path):
    (tmp_path / "file").write_bytes(CONTENT)
    one = source()
    assert digest_notice(tmp_path / "file", one) is None
    del one["sha256"]
    assert f"sha256: {SHA256}" in digest_notice(tmp_path / "file", one)


@pytest.mark.parametrize("name", ["", ".", "..", "../file", "/etc/passwd", "a/b", "a\\b", "a\0b"])
def test_only_a_name_without_a_folder_is_looked_for(tmp_path, name):
    (tmp_path / "data").mkdir()
    (tmp_path / "file").write_bytes(CONTENT)
    with serve(CONTENT) as server, pytest.raises(MissingDataError) as caught:
        obtain(source(server.url, file=name), [str(tmp_path / "data")], LOG, insecure=True)
    assert "file name" in str(caught.value) or "null" in str(caught.value)
    assert server.asked == 0
    assert names(tmp_path) == ["data", "file"]
    assert names(tmp_path / "data") == []


@pytest.mark.parametrize("scheme", ["http", "file", "ftp", "data", ""])
def test_only_https_unless_the_config_says_otherwise(tmp_path, scheme):
    with pytest.raises(
        MissingDataError, match=r"expected https, or real_world\.insecure_urls: true"
    ):
        obtain(source(f"{scheme}://127.0.0.1/file"), [str(tmp_path)], LOG)
    assert names(tmp_path) == []
