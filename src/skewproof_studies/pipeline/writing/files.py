"""File handling of every script: a log, and files that are complete or absent."""

from __future__ import annotations

import csv
import io
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from skewproof.core.messages import FULL, exhausted

UNFINISHED = ".unfinished"
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
        message = exhausted(exception[1])
        if message:
            log.critical(message)
            print(message, file=sys.stderr)
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
    """Write to another name beside the file, then rename, so that a file is complete or absent.

    A job outlives a killed run and may write its file later. The other name is unique, so that such
    a job does not rename the unfinished file of another.

    Raises
    ------
    OSError
        If the file can't be written; if no space is left, the error names the file.
    """
    final = Path(path)
    beside = final.with_name(f".{uuid4().hex}{UNFINISHED}")
    try:
        with beside.open("xb") as file:
            write(file)
        beside.replace(final)
    except OSError as error:
        if error.errno in FULL:
            raise OSError(error.errno, error.strerror, str(final)) from None
        raise
    finally:
        beside.unlink(missing_ok=True)
