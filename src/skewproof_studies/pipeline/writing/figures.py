"""Writing of figures by scripts."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from skewproof.reporting.style import STYLE
from skewproof_studies.pipeline.writing.files import write_whole
from skewproof_studies.pipeline.writing.provenance import made_by

WITHOUT_DATE = {"png": {}, "pdf": {"CreationDate": None}, "svg": {"Date": None}}
"""Metadata without a date, so that the same figure gives the same file."""

NAMES = {
    "png": ("Software", "Comment"),
    "pdf": ("Creator", "Subject"),
    "svg": ("Creator", "Description"),
}
"""Metadata fields of each format for the software and for the input of a figure."""

_made_by = cache(made_by)  # reads package versions from disk


def write_figure(figure: Figure, paths: list[str], made_from: str) -> None:
    """Save a figure in the format of each path's extension.

    The metadata have the versions of the software that drew the figure, and its input in the words
    of :func:`skewproof_studies.pipeline.writing.provenance.made_from`.
    """
    FigureCanvasAgg(figure)  # one canvas for layout and drawing measures each text once
    for path in paths:
        kind = Path(path).suffix[1:]
        origin = dict(zip(NAMES[kind], (_made_by(), made_from), strict=True))
        options: dict[str, Any] = {"format": kind, "metadata": WITHOUT_DATE[kind] | origin}
        if kind == "png":  # takes half the time and a fifth more space
            options["pil_kwargs"] = {"compress_level": 1}
        with matplotlib.rc_context(STYLE):
            write_whole(path, partial(figure.savefig, **options))
        figure.set_layout_engine(None)  # other formats keep the layout
