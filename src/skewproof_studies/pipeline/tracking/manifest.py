"""Whether the results of a run are still what its jobs wrote, whatever their dates say.

Snakemake compares dates, so that it does not find a result that was edited or truncated with its
date kept. The module that writes results keeps a digest of each here, and the next start compares.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

RUN_FOLDER = Path(".snakemake")
"""What a folder has in which Snakemake runs."""

MANIFEST = RUN_FOLDER / "skewproof_manifest"
"""A file a result, as `sha256sum` writes it: jobs at work side by side can't share one."""

_LINE = re.compile(r"([0-9a-f]{64})  (.+)\n", re.DOTALL)


def record(path: str | Path, digest: str) -> None:
    """Keep the digest of a result that is about to be there; outside of a run do nothing.

    A run that is killed here leaves no result yet, since Snakemake removes it before the job.
    """
    if os.path.isabs(path) or RUN_FOLDER in Path(path).parents or not RUN_FOLDER.is_dir():
        return
    MANIFEST.mkdir(exist_ok=True)
    # The path itself can be too long for a name.
    name = hashlib.sha256(str(path).encode()).hexdigest()
    (MANIFEST / name).write_text(f"{digest}  {path}\n", encoding="utf-8")


def changed_results() -> Iterator[str]:
    """Each result in this folder that is not what was written there last, sorted by path.

    A result without a whole record is not judged.

    Raises
    ------
    IsADirectoryError
        If a folder is in the place of a result.
    """
    for path, digest in sorted(_recorded()):
        if os.path.isdir(path):
            raise IsADirectoryError(f"{path}: a folder is in the place of a result: remove it")
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
