"""How a data file is come by."""

import hashlib
import logging
import os
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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
def target(tmp_path):
    return tmp_path / "downloads/file"


SHA256 = hashlib.sha256(CONTENT).hexdigest()


def source(url="file:///nowhere/at/all", **more):
    return {"file": "file", "url": url, "git_blob": BLOB, "sha256": SHA256} | more


def test_a_whole_download(target):
    with serve(CONTENT) as server:
        download(source(server.url), target, LOG)
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_a_download_that_breaks_off_is_gone_on_with(target):
    with serve(CONTENT, stop_after=70_000) as server:
        with pytest.raises(OSError, match="broke off after 70000 of 256000 bytes"):
            download(source(server.url), target, LOG)
        assert names(target.parent) == [".file.part"]
        download(source(server.url), target, LOG)
        assert server.asked == [None, "bytes=70000-"]
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_a_server_that_knows_no_ranges_sends_all_again(target):
    with serve(CONTENT, ranges=False, stop_after=70_000) as server:
        with pytest.raises(OSError, match="broke off"):
            download(source(server.url), target, LOG)
        download(source(server.url), target, LOG)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("left", [b"something else", CONTENT, CONTENT + b"more"])
def test_whatever_was_left_behind_ends_well(target, left):
    target.parent.mkdir()
    target.with_name(".file.part").write_bytes(left)
    with serve(CONTENT) as server:
        download(source(server.url), target, LOG)
    assert target.read_bytes() == CONTENT
    assert names(target.parent) == ["file"]


def test_other_content_is_not_kept(target):
    with serve(b"<html>") as server, pytest.raises(ValueError, match=f"expected {BLOB}"):
        download(source(server.url), target, LOG)
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
        folders = [str(tmp_path), str(tmp_path / "downloads")]
        path = obtain(source(server.url), folders, LOG, insecure=True)
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


def test_a_file_of_another_sha_256_is_refused(target):
    with serve(CONTENT) as server, pytest.raises(ValueError, match=r"SHA-256 is .*, expected 00"):
        download(source(server.url, sha256="0" * 64), target, LOG)
    assert names(target.parent) == []


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
    assert server.asked == []
    assert names(tmp_path) == ["data", "file"]
    assert names(tmp_path / "data") == []


@pytest.mark.parametrize("scheme", ["http", "file", "ftp", "data", ""])
def test_only_https_unless_the_config_says_otherwise(tmp_path, scheme):
    with pytest.raises(
        MissingDataError, match=r"expected https, or real_world\.insecure_urls: true"
    ):
        obtain(source(f"{scheme}://127.0.0.1/file"), [str(tmp_path)], LOG)
    assert names(tmp_path) == []


@contextmanager
def redirecting(address):
    """A server that sends everyone to another address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(302)
            self.send_header("Location", address)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/file"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("scheme", ["https", "ftp", "file"])
def test_no_redirect_to_another_scheme(target, scheme):
    with (
        redirecting(f"{scheme}://127.0.0.1:9/file") as url,
        pytest.raises((ValueError, OSError), match=r"[Rr]edirect"),
    ):
        download(source(url), target, LOG)
    assert not target.exists()


def test_a_redirect_within_a_scheme_is_followed(target):
    with serve(CONTENT) as server, redirecting(server.url) as url:
        download(source(url), target, LOG)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("left", [0, 200_000])
def test_a_download_ends_at_its_largest_size(target, left):
    target.parent.mkdir()
    target.with_name(".file.part").write_bytes(CONTENT[:left])
    with serve(CONTENT) as server, pytest.raises(ValueError, match="more than 255999 bytes"):
        download(source(server.url, megabytes=0.255999), target, LOG)
    assert names(target.parent) == []
    with serve(CONTENT) as server:
        download(source(server.url, megabytes=0.256), target, LOG)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_no_link_is_followed_for_a_partial_download(tmp_path, target, link):
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    target.parent.mkdir()
    link(victim, target.with_name(".file.part"))
    with serve(CONTENT) as server:
        download(source(server.url), target, LOG)
    assert victim.read_bytes() == b"mine"
    assert target.read_bytes() == CONTENT
