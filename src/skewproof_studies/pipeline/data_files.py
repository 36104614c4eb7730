"""Data files for scripts: found in a folder or downloaded by pooch, and always checked."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from logging import Logger
from pathlib import Path
from typing import Any

from skewproof.core.messages import shortened
from skewproof_studies.van_zyl.real_data.datasets import Data, git_blob_id, read_data


class MissingDataError(Exception):
    """A data file that is missing and cannot be downloaded; the message says what to do."""


def obtain(
    source: Mapping[str, Any], folders: Sequence[str], log: Logger, *, insecure: bool = False
) -> Path:
    """Find a source's file in one of the folders, or download it to the last of them.

    A file counts if its digests are those of the source. Other files are skipped with a warning.

    Raises
    ------
    MissingDataError
        With the URL, the error and instructions to supply the file by hand.
    """
    name, url = source["file"], source["url"]
    try:
        if name in ("", ".", "..") or Path(name).name != name or "\\" in name:
            raise ValueError(f"file name {name!r}: expected a name without a folder")
        for path in (Path(folder) / name for folder in folders):
            if path.is_file():
                wrong = _difference(path.read_bytes(), source)
                if wrong is None:
                    return path
                log.warning("%s: %s", path, wrong)
        if not url.startswith(("https://", "http://") if insecure else "https://"):
            raise ValueError("expected https, or real_world.insecure_urls: true in the config")
        return download(source, Path(folders[-1]))
    except (OSError, ValueError) as error:
        raise MissingDataError(
            f"{shortened(url, 200)}: {shortened(str(error), 300)}. To supply the file by hand, put"
            f" {name} (git blob {source['git_blob']}) into {folders[0]} and start again."
        ) from error


def download(source: Mapping[str, Any], folder: Path) -> Path:
    """Download a source's file; it is either complete and checked, or absent.

    Raises
    ------
    OSError
        If the server can't be reached, refuses the request, or breaks off.
    ValueError
        If the content differs from the source's digests.
    """
    import pooch  # imports requests, which is needed for downloads only

    pooch.get_logger().setLevel("WARNING")
    target = folder / source["file"]
    target.unlink(missing_ok=True)  # without a SHA-256 pooch would keep an existing file
    pooch.retrieve(source["url"], known_hash=source.get("sha256"), fname=target.name, path=folder)
    wrong = _difference(target.read_bytes(), source)
    if wrong:
        target.unlink()
        raise ValueError(f"the content's {wrong}")
    return target


def _difference(content: bytes, source: Mapping[str, Any]) -> str | None:
    """Describe the digest of a content that differs from its source's, if any."""
    actual, expected = git_blob_id(content), source["git_blob"]
    if actual != expected:
        return f"git blob is {actual}, expected {expected}"
    actual, expected = hashlib.sha256(content).hexdigest(), source.get("sha256", "")
    if expected and actual != expected:
        return f"SHA-256 is {actual}, expected {expected}"
    return None


def digest_notice(path: Path, source: Mapping[str, Any]) -> str | None:
    """Return a notice with the SHA-256 of a file whose source has none."""
    if "sha256" in source:
        return None
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{path} is checked by its git blob id only; add sha256: {digest} to its entry."


def read_recorded(record: str, source: Mapping[str, Any]) -> Data | None:
    """Read the data of a source; None if its file is missing.

    Raises
    ------
    ValueError
        If the file has changed since it was found, or is not a valid data set.
    """
    with open(record) as file:
        (row,) = csv.DictReader(file)
    path = row["path"]
    if not path:
        return None
    with open(path, "rb") as file:
        wrong = _difference(file.read(), source)
        if wrong:
            raise ValueError(f"{path}: has changed since it was found; its {wrong}")
        file.seek(0)
        try:
            return read_data(file, source["format"])
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error
