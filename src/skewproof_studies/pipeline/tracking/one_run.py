"""One run at a time in a folder, by one who may write there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock, Timeout


def hold(path: Path) -> FileLock | None:
    """Take a folder's lock, or None where another run has it.

    The system drops the lock with the process, however it ends.
    """
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def unwritable(folders: Iterable[Path]) -> Path | None:
    """The first of some folders that is there and that this user may not write to, if any."""
    return next((path for path in folders if path.is_dir() and not os.access(path, os.W_OK)), None)
