"""What every script does with files: a log, exact reading, writing whole or not at all."""

import logging
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pandas as pd


def start_log(path: str) -> logging.Logger:
    """Send messages, warnings and an exception that ends the script to the rule's log."""
    logging.basicConfig(
        filename=path, filemode="w", level=logging.INFO, format="%(asctime)s %(message)s"
    )
    logging.captureWarnings(True)
    log = logging.getLogger("skewproof")

    def log_exception(*exception) -> None:
        log.critical("failed", exc_info=exception)
        sys.__excepthook__(*exception)

    sys.excepthook = log_exception
    return log


def read_table(path: str, **options) -> pd.DataFrame:
    """Read a CSV file; pandas reads each number as it was written, to the last bit."""
    return pd.read_csv(path, **options)


def write_table(table: pd.DataFrame, path: str) -> None:
    """Write a frame as CSV in full precision."""
    write_text(table.to_csv(index=False), path)


def write_text(text: str, path: str) -> None:
    """Write text as UTF-8."""
    write_whole(path, lambda file: file.write(text.encode()))


def write_whole(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write beside the final name first, then rename: a file is there whole or not at all.

    What a killed run left behind under such a name goes.
    """
    final = Path(path)
    prefix = f".{final.name}."
    for leftover in final.parent.glob(f"{prefix}*"):
        leftover.unlink(missing_ok=True)
    with tempfile.NamedTemporaryFile(dir=final.parent, prefix=prefix, delete=False) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(file.name, 0o666 & ~_umask())
    os.replace(file.name, final)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
