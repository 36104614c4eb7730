"""How a script comes by a data file: looked up, downloaded, and always checked."""

import csv
import http.client
import shutil
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from logging import Logger
from pathlib import Path
from typing import Any

from skewproof.studies.van_zyl.real_data.datasets import Data, git_blob_id, read_data

TIMEOUT = 30
"""Seconds without a byte after which a download is given up."""


class MissingDataError(Exception):
    """A data file that is neither there nor can be downloaded; the message says what to do."""


def obtain(source: Mapping[str, str], folders: Sequence[str], log: Logger) -> Path:
    """Find a source's file in a folder, or download it to the last of them.

    A file counts if its git blob id is that of the source; others are passed over with a warning.

    Raises
    ------
    MissingDataError
        With the URL, what went wrong and how to supply the file by hand.
    """
    for folder in folders:
        path = Path(folder) / source["file"]
        if path.is_file():
            found = git_blob_id(path.read_bytes())
            if found == source["git_blob"]:
                return path
            log.warning("%s: git blob %s, expected %s", path, found, source["git_blob"])
    target = Path(folders[-1]) / source["file"]
    try:
        download(source["url"], target, source["git_blob"], log)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise MissingDataError(
            f"{source['url']}: {error}. To supply the file by hand, put {source['file']} (git blob"
            f" {source['git_blob']}) into {folders[0]} and start again."
        ) from error
    return target


def download(url: str, target: Path, blob: str, log: Logger) -> None:
    """Download a file; under its name it is there whole and checked, or not at all.

    What an earlier download left is gone on with, if the server knows how.

    Raises
    ------
    OSError, http.client.HTTPException
        If the server can't be reached, refuses, or breaks off.
    ValueError
        If the content is not the expected one; then nothing is left of it.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    start = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            resumed = getattr(answer, "status", None) == http.client.PARTIAL_CONTENT
            log.info("%s: from byte %d", url, start if resumed else 0)
            with part.open("ab" if resumed else "wb") as file:
                shutil.copyfileobj(answer, file)
            length = answer.headers.get("Content-Length")
            received = part.stat().st_size - (start if resumed else 0)
            if length is not None and received < int(length):
                raise ConnectionError(f"broke off after {received} of {length} bytes")
    except urllib.error.HTTPError as error:
        if error.code != http.client.REQUESTED_RANGE_NOT_SATISFIABLE:
            raise
        log.info("%s: nothing after byte %d", url, start)
    found = git_blob_id(part.read_bytes())
    if found != blob:
        part.unlink()
        if start:
            log.warning("%s: git blob %s, expected %s; from the start again", url, found, blob)
            return download(url, target, blob, log)
        raise ValueError(f"the content's git blob is {found}, expected {blob}")
    part.replace(target)
    return None


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
        if git_blob_id(file.read()) != source["git_blob"]:
            raise ValueError(
                f"{path}: changed since it was found; expected git blob {source['git_blob']}"
            )
        file.seek(0)
        return read_data(file, source["format"])
