"""Figures of commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from skewproof.cli.shared.output import written_whole
from skewproof.core.extras import extra, matplotlib
from skewproof.core.messages import shown
from skewproof.reporting.style import STYLE

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_figure(path: Path | None) -> None:
    """Refuse a figure that can't be saved, before files are read.

    Raises
    ------
    ValueError
        If Matplotlib writes no format with its suffix, or its folder does not exist.
    MissingExtraError
        If a figure is requested and Matplotlib is not installed.
    """
    if path is None:
        return
    with extra("a figure"):
        from matplotlib.backend_bases import FigureCanvasBase

    formats = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.lower().removeprefix(".") not in formats:
        raise ValueError(f"--figure {shown(str(path))}: expected a suffix of {', '.join(formats)}")
    if not path.parent.is_dir():
        raise ValueError(f"--figure {shown(str(path))}: expected a folder that exists")


def save(figure: Figure, path: Path) -> None:
    """Save a figure in the common style."""
    with matplotlib.rc_context(STYLE), written_whole(path) as partial:
        figure.savefig(partial)
