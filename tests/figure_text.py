"""Figures as text, to be compared with a file by `written.py`."""

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.ticker import FixedLocator


def figure_text(figure):
    """Describe a figure: its words, and a few numbers of every mark."""
    parts = [figure, *figure.subfigs]
    legends = [text for part in parts for legend in part.legends for text in legend.get_texts()]
    outside = [text for part in parts for text in part.texts]
    lines = [f"figure: {words(outside)}; legend: {words(legends)}"]
    for number, axes in enumerate(figure.axes, start=1):
        lines.append(f"\naxes {number}: {words([axes.title, axes.xaxis.label, axes.yaxis.label])}")
        for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            if isinstance(axis.get_major_locator(), FixedLocator):
                lines.append(f"  {name} ticks: {words(axis.get_ticklabels())}")
        if axes.get_legend():
            lines.append(f"  legend: {words(axes.get_legend().get_texts())}")
        lines += [f"  {mark}" for mark in marks(axes)]
    return "\n".join(lines) + "\n"


def words(texts):
    shown = (text.get_text().replace("\n", " / ") for text in texts)
    return " | ".join(filter(None, shown))


def marks(axes):
    """Describe the marks of axes in their coordinates."""
    for text in axes.texts:
        place = text.xyann if hasattr(text, "xyann") else text.get_position()
        yield f"text {to_hex(text.get_color())} {words([text])}: {some(place)}"
    for line in axes.lines:
        look = f"{to_hex(line.get_color())} {line.get_linestyle()} {line.get_marker()}"
        data = (line.get_xdata(orig=False), line.get_ydata(orig=False))
        label = line.get_label() if line.get_label()[0] != "_" else ""
        yield f"line {look} {label}: {'; '.join(map(some, data))}"
    for patch in axes.patches:
        corners = patch.get_patch_transform().transform(patch.get_path().vertices)
        look = f"{to_hex(patch.get_facecolor())} {to_hex(patch.get_edgecolor())}"
        yield f"patch {look}: {some([*corners.min(axis=0), *corners.max(axis=0)])}"
    for drawn in (*axes.collections, *axes.images):
        box = drawn.get_datalim(axes.transData).extents if drawn in axes.collections else ()
        values = drawn.get_array()
        shown = "" if values is None else f", values {some(np.ma.filled(values, np.nan))}"
        yield f"{'marks' if drawn in axes.collections else 'image'}: {some(box)}{shown}"


def some(numbers):
    """Write up to five of some numbers with three digits."""
    numbers = np.asarray(numbers, dtype=float).ravel()
    numbers = np.where(np.abs(numbers) < 1e-12, 0, numbers)
    steps = np.linspace(0, max(numbers.size - 1, 0), min(numbers.size, 5)).astype(int)
    return " ".join(f"{number:.3g}" for number in numbers[steps])
