"""File handling of every script: a log, and writes that are complete or leave nothing."""

from __future__ import annotations

import csv
import hashlib
import io
import logging
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any

from skewproof.core.messages import FULL, exhausted
from skewproof_studies.pipeline.tracking.manifest import record

UNFINISHED = ".skewproof-unfinished"
"""Suffix of a file that is being written."""


def start(snakemake: Any) -> logging.Logger:
    """Send messages, warnings and an exception that ends the script to the rule's log.

    If memory or disk space runs out, a sentence says so in the log and on standard error.
    """
    logging.basicConfig(
        filename=snakemake.log[0],
        filemode="w",
        level=logging.INFO,
        format="%(asctime)s %(message)s",
    )
    logging.captureWarnings(True)
    log = logging.getLogger("skewproof")

    def log_exception(*exception: Any) -> None:
        said = exhausted(exception[1])
        if said:
            log.critical(said)
            print(said, file=sys.stderr)
            return
        log.critical("failed", exc_info=exception)
        sys.__excepthook__(*exception)

    sys.excepthook = log_exception
    return log


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], path: str) -> None:
    """Write rows as CSV in full precision, without pandas, whose import takes longer."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    write_text(text.getvalue(), path)


def write_text(text: str, path: str | Path) -> None:
    """Write text as UTF-8."""
    write_whole(path, lambda file: file.write(text.encode()))


def write_whole(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write to a temporary name, then rename, so that a file is complete or absent.

    Unfinished files of killed runs are removed, and so is a file that could not be finished. The
    digest of each written file is recorded.

    Raises
    ------
    IsADirectoryError
        If the path is a folder.
    OSError
        If the file can't be written; if no space is left, the error names the file.
    """
    final = Path(path)
    if final.is_dir():
        raise IsADirectoryError(f"{final}: a folder has the name of a result; remove it")
    ours = re.compile(rf"\.{re.escape(final.name)}\.[a-z0-9_]{{8}}{re.escape(UNFINISHED)}")
    for beside in final.parent.iterdir():
        if ours.fullmatch(beside.name) and not beside.is_dir():
            beside.unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile(
        dir=final.parent, prefix=f".{final.name}.", suffix=UNFINISHED, delete=False
    ) as file:
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        except BaseException as error:
            os.unlink(file.name)
            if isinstance(error, OSError) and error.errno in FULL:
                raise OSError(error.errno, error.strerror, str(final)) from None
            raise
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    os.chmod(file.name, 0o666 & ~_umask())
    record(path, digest)
    os.replace(file.name, final)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
