"""How a script gets a data file: looked up, or downloaded by pooch, and always checked."""

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
    """A data file that is neither there nor can be downloaded; the message says what to do."""


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
            raise ValueError(f"{name!r} as a file name: expected a name without a folder")
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
    """Download a source's file; it is there whole and checked, or not at all.

    Raises
    ------
    OSError
        If the server can't be reached, refuses, or breaks off.
    ValueError
        If the content is not the expected one.
    """
    import pooch  # imports requests, which scripts that find their files do not need

    pooch.get_logger().setLevel("WARNING")
    target = folder / source["file"]
    target.unlink(missing_ok=True)  # pooch takes a file without a SHA-256 as it is
    pooch.retrieve(source["url"], known_hash=source.get("sha256"), fname=target.name, path=folder)
    wrong = _difference(target.read_bytes(), source)
    if wrong:
        target.unlink()
        raise ValueError(f"the content's {wrong}")
    return target


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
    """Say the SHA-256 of a file that was found where its source names none."""
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
