"""Lock for one run at a time in a folder, and a check that the user may write there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from filelock import FileLock, Timeout


def hold(path: Path) -> FileLock | None:
    """Take a folder's lock; return None if another run has it.

    The system releases the lock with the process, however it ends.
    """
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock


def unwritable(folders: Iterable[Path]) -> Path | None:
    """Return the first existing folder that this user may not write to, if any."""
    return next((path for path in folders if path.is_dir() and not os.access(path, os.W_OK)), None)
