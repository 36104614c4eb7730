"""One run at a time in a folder."""

from __future__ import annotations

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
