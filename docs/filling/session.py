"""Draw ``docs/images/session.svg``, a terminal in which commands run, from what they print."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from rich.console import Console
from rich.text import Text

from skewproof.cli import main

PICTURE = Path(__file__).parents[2] / "docs/images/session.svg"

WIDTH = 80

COMMANDS = (
    "skewproof scoer predictions.csv",
    "skewproof score predictions.csv --metrics f1 mcc balanced_accuracy --at 1:1000",
    "skewproof watch predictions.csv --time month | head -n 5",
)

MONTHS = {
    "2026-05": (40, 20, 10, 330),
    "2026-06": (8, 20, 2, 330),
    "2026-07": (40, 20, 10, 330),
    "2026-08": (5, 20, 45, 330),
}
"""Numbers of true and false positives, and of false and true negatives, of each month."""


class Printed(io.StringIO):
    """A terminal that keeps what is printed, or a pipe of which only the first lines are kept."""

    def __init__(self, lines: str) -> None:
        super().__init__()
        self.lines = int(lines) if lines else None

    def isatty(self) -> bool:
        """Return whether this is a terminal, where commands print in color."""
        return self.lines is None

    def kept(self) -> str:
        """Return the lines that are kept."""
        return "".join(self.getvalue().splitlines(keepends=True)[: self.lines])


def write_predictions(path: Path) -> None:
    """Write the predictions of all months."""
    cells = "1,1", "0,1", "1,0", "0,0"
    rows = (
        f"{month},{labels}\n"
        for month, counts in MONTHS.items()
        for labels, count in zip(cells, counts, strict=True)
        for _ in range(count)
    )
    path.write_text("month,y_true,y_pred\n" + "".join(rows), encoding="utf-8")


def session() -> Iterator[str]:
    """Yield each command as it is typed, and what it prints."""
    for line in COMMANDS:
        command, _, lines = line.partition(" | head -n ")
        output, errors = Printed(lines), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            main(shlex.split(command)[1:])
        yield f"\x1b[1;32m$\x1b[0m {line}\n{errors.getvalue()}{output.kept()}"


def draw() -> str:
    """Return the picture."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), color_system="standard")
    with tempfile.TemporaryDirectory() as folder:
        write_predictions(Path(folder, "predictions.csv"))
        settings = {"COLUMNS": str(WIDTH), "NO_COLOR": ""}
        with contextlib.chdir(folder), mock.patch.dict(os.environ, settings):
            for part in session():
                console.print(Text.from_ansi(part), end="\n\n")
    svg = console.export_svg(title="skewproof", unique_id="session")
    return re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)  # fonts of another site


if __name__ == "__main__":
    sys.stdout.write(f"{PICTURE.name}: {PICTURE.write_text(draw(), encoding='utf-8')} characters\n")
