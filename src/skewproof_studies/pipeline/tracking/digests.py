"""Whether the results of a run are still what its jobs wrote, whatever their dates say.

Snakemake compares dates, and the content of what seems newer. So it finds no result that was edited
or truncated with its date kept, and none that is older than its inputs but dated ahead of them by a
clock that was wrong. Here a digest of each result is kept beside Snakemake's records, and those of
its inputs are read from them. What differs is marked as Snakemake marks what a killed job left
behind, and is made anew.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RECORDS = Path(".snakemake/skewproof_digests")
"""A file a result, named by the digest of its path: the path itself can be too long for a name."""

METADATA = Path(".snakemake/metadata")
INCOMPLETE = Path(".snakemake/incomplete")
MARK = '{"external_jobid": null, "changed": true}'
"""Content of a mark of ours; Snakemake looks for the first key, and writes it alone."""

LONGEST_NAME = 254
"""Characters of a file name of Snakemake's records; longer ones are folders, which start with @."""

_DIGEST = re.compile(r"[0-9a-f]{64}")


def record(path: str | Path, digest: str) -> None:
    """Keep the digest of a result that is about to be there; outside of a run do nothing.

    A run that is killed here leaves no result yet, as Snakemake removes it before the job, or one
    that it knows to be incomplete.
    """
    if os.path.isabs(path) or not RECORDS.parent.is_dir():
        return
    RECORDS.mkdir(exist_ok=True)
    _record_of(str(path)).write_text(digest)


def changed_results() -> Iterator[tuple[str, str]]:
    """Each result of this folder that is not what a job would leave there, and what is wrong.

    What has no record is not judged, nor what a killed job left behind: Snakemake makes it anew.

    Raises
    ------
    IsADirectoryError
        If a folder is in the place of a result.
    """
    digest_of, date_of = cache(_sha256), cache(_date)
    results = {
        path: inputs
        for path, inputs in _recorded_inputs()
        if os.path.lexists(path) and not _is_unfinished(path)
    }
    edited = set()
    for path in sorted(results):
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path}: a folder is in the place of a result: remove it")
        if _recorded(path) not in (None, digest_of(path)):
            edited.add(path)
            yield path, "is not what was written there, and is made anew"
    for path in sorted(set(results) - edited):
        made = date_of(path)
        for name, digest in results[path].items():
            # What is newer, or an edited result itself, Snakemake looks at.
            if name not in edited and date_of(name) <= made and digest_of(name) != digest:
                yield path, f"is from another {name}, whatever the dates say, and is made anew"
                break


def _record_of(path: str) -> Path:
    return RECORDS / hashlib.sha256(path.encode()).hexdigest()


def _recorded(path: str) -> str | None:
    try:
        digest = _record_of(path).read_text()
    except FileNotFoundError:
        return None
    return digest if _DIGEST.fullmatch(digest) else None


def mark_incomplete(path: str) -> None:
    """Tell Snakemake that a result is to be made anew."""
    marker = _marker_of(path)
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.write_text(MARK)


def _is_unfinished(path: str) -> bool:
    """Whether Snakemake marked a result as one whose job did not end."""
    try:
        return _marker_of(path).read_text() != MARK
    except FileNotFoundError:
        return False


def _marker_of(path: str) -> Path:
    name = urlsafe_b64encode(path.encode()).decode()
    parts = [name[start : start + LONGEST_NAME] for start in range(0, len(name), LONGEST_NAME)]
    return INCOMPLETE.joinpath(*(f"@{part}" for part in parts[:-1]), parts[-1])


def _recorded_inputs() -> Iterator[tuple[str, dict[str, str]]]:
    """Each result that Snakemake has a record of, with the digests of what it was made from."""
    for folder, _, names in os.walk(METADATA):
        for name in sorted(names):
            parts = [*Path(folder).relative_to(METADATA).parts, name]
            try:
                path = urlsafe_b64decode("".join(part.removeprefix("@") for part in parts)).decode()
                found = json.loads(Path(folder, name).read_bytes())["input_checksums"].items()
            except (ValueError, KeyError, TypeError, AttributeError):
                continue  # being written, or of another version of Snakemake
            inputs = {file: str(digest).removeprefix("sha256:") for file, digest in found}
            yield (
                path,
                {file: digest for file, digest in inputs.items() if _DIGEST.fullmatch(digest)},
            )


def _date(path: str) -> float:
    """When a file was changed last; what is not there counts as newer than all."""
    return os.stat(path).st_mtime if os.path.isfile(path) else math.inf


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
