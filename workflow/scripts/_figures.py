"""How a script saves a figure."""

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from _files import write_whole
from skewproof.figures import STYLE

UNDATED = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""Leaves the date out, so that the same figure is the same file."""


def write_figure(figure: Figure, paths: list[str]) -> None:
    """Save a figure in the format of each path's ending."""
    for path in paths:
        kind = Path(path).suffix[1:]
        options = {"format": kind, "metadata": UNDATED.get(kind)}
        with matplotlib.rc_context(STYLE):
            write_whole(path, lambda file, options=options: figure.savefig(file, **options))
