"""A progress bar on a terminal for steps that take long."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

PATIENCE = 2.0
"""Number of seconds before a bar is shown."""

PAUSE = 0.2
"""Number of seconds between two looks at the progress."""


class Read(NamedTuple):
    """The progress of reading, as far as it is known."""

    percent: float | None
    rows: int | None


def unknown() -> Read:
    """Return that nothing is known of the progress."""
    return Read(None, None)


@contextmanager
def progress(doing: str, read: Callable[[], Read] = unknown) -> Iterator[None]:
    """Show a bar on standard error, if it is a terminal and the block takes long."""
    if not sys.stderr.isatty():
        yield
        return
    done = threading.Event()
    thread = threading.Thread(target=_show, args=(doing, read, done), daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _show(doing: str, read: Callable[[], Read], done: threading.Event) -> None:
    """Update the bar until the block is done, and remove it."""
    if done.wait(PATIENCE):
        return
    # Only a bar that is shown needs them.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = "{task.description}", "{task.fields[rows]}"
    with Progress(
        TextColumn(columns[0]),
        BarColumn(),
        TextColumn(columns[1]),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(doing, total=None, rows="")
        while not done.wait(PAUSE):
            percent, rows = read()
            total = None if percent is None else 100
            said = "" if rows is None else f"{rows:,} rows"
            bar.update(task, completed=percent, total=total, rows=said)
