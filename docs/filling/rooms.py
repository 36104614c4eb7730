"""Picture of the folders of the library and of their imports, read from the code."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from skewproof.reporting.style import BLUE, STYLE

PROJECT = Path(__file__).parents[2]
LIBRARY = PROJECT / "src/skewproof"


def layers() -> list[list[str]]:
    """Read the layers of the library from the contract of import-linter, from the top down."""
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (contract,) = (one for one in contracts if one.get("containers") == ["skewproof"])
    return [layer.split(" | ") for layer in contract["layers"]]


def imports() -> set[tuple[str, str]]:
    """Find which folders import from which others, also within functions."""
    pairs = set()
    for path in LIBRARY.glob("*/**/*.py"):
        room = path.relative_to(LIBRARY).parts[0]
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
        imported = {module.split(".")[1] for module in modules if module and "skewproof." in module}
        pairs |= {(room, other) for other in imported - {room}}
    return pairs


def draw() -> Figure:
    """Draw which folders, in rows, import from which others, in columns.

    They are in the order of their layers, so that an import from one above would be left of the
    diagonal.
    """
    rooms = [room for layer in layers() for room in layer]
    pairs = imports()
    table = np.array([[(row, column) in pairs for column in rooms] for row in rooms])
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 6.2), layout="constrained")
        axes = figure.subplots()
        rows, columns = np.nonzero(table)
        axes.scatter(columns, rows, s=60, marker="s", color=BLUE)
        axes.plot([-0.5, len(rooms) - 0.5], [-0.5, len(rooms) - 0.5], color="0.6", linewidth=0.6)
        end = -0.5
        for layer in layers():
            end += len(layer)
            axes.axhline(end, color="0.85", linewidth=0.6)
        axes.set_xticks(range(len(rooms)), rooms, rotation=60, ha="left")
        axes.xaxis.tick_top()
        axes.set_yticks(range(len(rooms)), rooms)
        axes.set(xlabel="imported from", xlim=(-0.5, end), ylim=(end, -0.5), box_aspect=1)
    return figure
