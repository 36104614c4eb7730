"""How a script saves a figure."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from skewproof.pipeline.files import write_whole
from skewproof.reporting.style import STYLE

OPTIONS: dict[str, dict[str, Any]] = {
    "png": {"pil_kwargs": {"compress_level": 1}},  # half the time for a fifth more space
    "pdf": {"metadata": {"CreationDate": None}},  # without a date the same figure is the same file
    "svg": {"metadata": {"Date": None}},
}


def write_figure(figure: Figure, paths: list[str]) -> None:
    """Save a figure in the format of each path's ending."""
    for path in paths:
        kind = Path(path).suffix[1:]
        with matplotlib.rc_context(STYLE):
            write_whole(path, partial(figure.savefig, format=kind, **OPTIONS[kind]))
