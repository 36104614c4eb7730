"""How a script comes by a data file: looked up, downloaded, and always checked.

Own code and not a library: pooch, the nearest one, knows neither git's blob ids, nor goes on with
what a download left, nor limits size or schemes, and these checks are most of what stands here.
"""

import csv
import hashlib
import http.client
import os
import stat
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from logging import Logger
from pathlib import Path
from typing import IO, Any

from skewproof.core.messages import shortened
from skewproof_studies.van_zyl.real_data.datasets import Data, git_blob_id, read_data

TIMEOUT = 30
"""Seconds without a byte after which a download is given up."""

MEGABYTES = 1000
"""Size of a file at most where its source says nothing."""

BLOCK = 1 << 20
"""Bytes that are read at a time."""


class MissingDataError(Exception):
    """A data file that is neither there nor can be downloaded; the message says what to do."""


class _SameScheme(urllib.request.HTTPRedirectHandler):
    """Follow a redirect only to an address that starts as the first one does."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):  # type: ignore[no-untyped-def]
        scheme = urllib.parse.urlsplit(newurl).scheme
        if scheme != req.type:
            raise ValueError(f"redirected from {req.type} to {shortened(scheme)}, which is refused")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def obtain(
    source: Mapping[str, Any], folders: Sequence[str], log: Logger, *, insecure: bool = False
) -> Path:
    """Find a source's file in a folder, or download it to the last of them.

    A file counts if its digests are those of the source; others are passed over with a warning.

    Raises
    ------
    MissingDataError
        With the URL, what went wrong and how to supply the file by hand.
    """
    name, url = source["file"], source["url"]
    try:
        if name in ("", ".", "..") or Path(name).name != name or "\\" in name:
            raise ValueError(f"{name!r} as a file name: expected one without a folder")
        for path in (Path(folder) / name for folder in folders):
            if path.is_file():
                wrong = _difference(path.read_bytes(), source)
                if wrong is None:
                    return path
                log.warning("%s: %s", path, wrong)
        target = Path(folders[-1]) / name
        scheme = urllib.parse.urlsplit(url).scheme
        if scheme != "https" and not insecure:
            raise ValueError("expected https, or real_world.insecure_urls: true in the config")
        download(source, target, log)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise MissingDataError(
            f"{shortened(url, 200)}: {shortened(str(error), 300)}. To supply the file by hand, put"
            f" {name} (git blob {source['git_blob']}) into {folders[0]} and start again."
        ) from error
    return target


def download(source: Mapping[str, Any], target: Path, log: Logger) -> None:
    """Download a source's file; under its name it is there whole and checked, or not at all.

    What an earlier download left is gone on with, if the server knows how.

    Raises
    ------
    OSError, http.client.HTTPException
        If the server can't be reached, refuses, or breaks off.
    ValueError
        If the content is too large, not the expected one, or elsewhere than it was said to be; then
        nothing is left of it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    with _opened(part) as file:
        start = file.seek(0, os.SEEK_END)
        try:
            _fetch(source, file, start, log)
        except ValueError:
            part.unlink()
            raise
        file.seek(0)
        wrong = _difference(file.read(), source)
    if wrong is None:
        part.replace(target)
        return
    part.unlink()
    if not start:
        raise ValueError(f"the content's {wrong}")
    log.warning("%s: %s; from the start again", source["url"], wrong)
    download(source, target, log)


def _opened(part: Path) -> IO[bytes]:
    """Open a partial download, or begin one; what is no plain file of one name is begun anew."""
    try:
        found = part.lstat()
        if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
            part.unlink()
    except FileNotFoundError:
        pass
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(part, flags, 0o666), "r+b")


def _fetch(source: Mapping[str, Any], file: IO[bytes], start: int, log: Logger) -> None:
    """Have the rest of a file after the byte `start`, or all of it, written to a file."""
    url, most = source["url"], round(source.get("megabytes", MEGABYTES) * 1_000_000)
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        with urllib.request.build_opener(_SameScheme).open(request, timeout=TIMEOUT) as answer:
            if getattr(answer, "status", None) != http.client.PARTIAL_CONTENT:
                start = 0
            file.truncate(start)
            file.seek(start)
            log.info("%s: from byte %d", url, start)
            length = answer.headers.get("Content-Length")
            expected = None if length is None else int(length)
            received = 0
            while block := answer.read(BLOCK):
                received += len(block)
                if start + received > most:
                    raise ValueError(f"more than {most} bytes, which the source may not have")
                file.write(block)
            if expected is not None and received < expected:
                raise ConnectionError(f"broke off after {received} of {expected} bytes")
    except urllib.error.HTTPError as error:
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
        log.info("%s: nothing after byte %d", url, start)


def _difference(content: bytes, source: Mapping[str, Any]) -> str | None:
    """Which digest of a content is not that of its source, if any."""
    found, expected = git_blob_id(content), source["git_blob"]
    if found != expected:
        return f"git blob is {found}, expected {expected}"
    found, expected = hashlib.sha256(content).hexdigest(), source.get("sha256", "")
    if expected and found != expected:
        return f"SHA-256 is {found}, expected {expected}"
    return None


def digest_notice(path: Path, source: Mapping[str, Any]) -> str | None:
    """What to say where a source names no SHA-256: the one of the file that was found."""
    if "sha256" in source:
        return None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{path} is known by its git blob id alone: add sha256: {digest} to its entry."


def recorded_path(record: str) -> str:
    """Where the file of a source was found, empty where it is missing."""
    with open(record) as file:
        (row,) = csv.DictReader(file)
    return row["path"]


def read_recorded(record: str, source: Mapping[str, Any]) -> Data | None:
    """Read the data of a source, or None where its file is missing.

    Raises
    ------
    ValueError
        If the file was changed since it was found, or is no data set.
    """
    path = recorded_path(record)
    if not path:
        return None
    with open(path, "rb") as file:
        wrong = _difference(file.read(), source)
        if wrong:
            raise ValueError(f"{path}: changed since it was found; its {wrong}")
        file.seek(0)
        try:
            return read_data(file, source["format"])
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
