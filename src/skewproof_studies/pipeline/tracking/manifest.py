"""Detection of results that have changed since jobs wrote them, whatever their dates.

Snakemake compares dates, so that it does not notice a result that was edited or truncated while its
date was kept. The module that writes results keeps a digest of each here, and the next start
compares them.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

RUN_FOLDER = Path(".snakemake")
"""Folder that Snakemake creates where it runs."""

MANIFEST = RUN_FOLDER / "skewproof_manifest"
"""Folder with one file per result, in the format of `sha256sum`; parallel jobs can't share one
file."""

_LINE = re.compile(r"([0-9a-f]{64})  (.+)\n", re.DOTALL)


def record(path: str | Path, digest: str) -> None:
    """Keep the digest of a result that is about to be written; do nothing outside of a run.

    A run that is killed at this point leaves no result, since Snakemake removes it before the job.
    """
    if os.path.isabs(path) or RUN_FOLDER in Path(path).parents or not RUN_FOLDER.is_dir():
        return
    MANIFEST.mkdir(exist_ok=True)
    # The path can be too long for a file name.
    name = hashlib.sha256(str(path).encode()).hexdigest()
    (MANIFEST / name).write_text(f"{digest}  {path}\n", encoding="utf-8")


def changed_results() -> Iterator[str]:
    """Yield each result in this folder that is not as it was last written, sorted by path.

    A result without a complete record is skipped.

    Raises
    ------
    IsADirectoryError
        If a result is a folder.
    """
    for path, digest in sorted(_recorded()):
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path}: a folder has the name of a result; remove it")
        if os.path.isfile(path) and _sha256(path) != digest:
            yield path


def _recorded() -> Iterator[tuple[str, str]]:
    for file in MANIFEST.glob("*"):
        found = _LINE.fullmatch(file.read_text(encoding="utf-8"))
        if found:
            yield found[2], found[1]


def _sha256(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
