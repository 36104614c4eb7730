"""Tables in LaTeX: escaped text, numbers in columns of siunitx, no wider than the page."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

PACKAGES = r"\usepackage{amsmath, booktabs, rotating, siunitx, tabularx}"
"""LaTeX packages that these tables need; siunitx from version 3."""

WIDTH = 345.0
"""Width in points of the text of LaTeX's `article`; other classes and paper sizes have more."""

LENGTH = 550.0
"""Height in points of that text, which is the width of a rotated table."""

CHARACTER = 4.6
"""Width in points of a character in `small`."""

LONGEST = 15
"""Largest number of characters in a column of text that does not wrap."""

_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "π": r"$\pi$",
    "κ": r"$\kappa$",
    "·": r"$\cdot$",
    ">=": r"$\ge$",
    "<=": r"$\le$",
    ">": "$>$",
    "<": "$<$",
} | {sign: "\\" + sign for sign in "&%#_{}$"}

_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))

_MATHEMATICS = re.compile(r"(?<!\\)(\$(?:[^$\\]|\\.)+\$)")

_NUMBER = re.compile(r"-?(\d+)(?:\.(\d+))?(?: ± (\d+)(?:\.(\d+))?)?")


def escaped(text: str) -> str:
    r"""Return text with mathematics between dollar signs as LaTeX; ``\$`` is a dollar.

    Examples
    --------
    >>> print(escaped("$F_1$ of data_1 is 5 % off, p >= 0.05"))
    $F_1$ of data\_1 is 5 \% off, p $\ge$ 0.05
    """
    parts = _MATHEMATICS.split(text)
    parts[::2] = [
        _SIGN.sub(lambda sign: _SIGNS[sign[0]], part.replace(r"\$", "$")) for part in parts[::2]
    ]
    return "".join(parts)


class _Column(NamedTuple):
    """Column of a table: its LaTeX type, width in points, heading and cells."""

    kind: str
    points: float
    heading: str
    cells: list[str]

    @property
    def wraps(self) -> bool:
        return self.kind.endswith("X")


def latex_table(
    display: pd.DataFrame, bold: pd.DataFrame, *, caption: str, notes: Sequence[str]
) -> str:
    """Write text and numbers as one `table` environment, or several if there are too many columns.

    Parameters
    ----------
    display, bold
        The cells as text, with the names of the rows in the first column, and which of them are
        bold.
    caption, notes
        Text above and below the table, with mathematics between dollar signs.

    Returns
    -------
    LaTeX for a document with the `PACKAGES`. A table that is too wide for a page is rotated; one
    that is too wide even then continues in further tables.
    """
    first, *others = [
        _column(display.iloc[:, column], bold.iloc[:, column], names=column == 0)
        for column in range(display.shape[1])
    ]
    below = "".join(rf"\par\smallskip\footnotesize {escaped(note)}" + "\n" for note in notes)
    tables = [
        _environment([first, *part], escaped(caption) + " (continued)" * bool(number), below)
        for number, part in enumerate(_parts(first, others))
    ]
    return "".join([f"% {PACKAGES}\n", *tables])


def _parts(first: _Column, others: list[_Column]) -> list[list[_Column]]:
    """Split the columns after the first into as few equal parts as fit the page."""
    for count in range(1, len(others)):
        size = math.ceil(len(others) / count)
        parts = [others[start : start + size] for start in range(0, len(others), size)]
        if all(_points([first, *part]) <= LENGTH for part in parts):
            return parts
    return [[column] for column in others] or [[]]


def _points(columns: list[_Column]) -> float:
    """Return the width of a table; all columns that wrap are as wide as the widest of them."""
    wrapping = [column.points for column in columns if column.wraps]
    others = sum(column.points for column in columns if not column.wraps)
    return others + len(wrapping) * max(wrapping, default=0)


def _environment(columns: list[_Column], caption: str, below: str) -> str:
    kinds = "".join(column.kind for column in columns)
    wide = _points(columns) > WIDTH
    outer = "sidewaystable" if wide else "table"
    inner, width = "tabular", ""
    if any(column.wraps for column in columns):
        inner, width = "tabularx", r"{\linewidth}"
    lines = [
        rf"\begin{{{outer}}}",
        r"\centering\small" + r"\setlength{\tabcolsep}{4pt}",
        rf"\caption{{{caption}}}\smallskip",
        rf"\begin{{{inner}}}{width}{{{kinds}}}",
        r"\toprule",
        " & ".join(column.heading for column in columns) + r" \\",
        r"\midrule",
        *(
            " & ".join(row) + r" \\"
            for row in zip(*(column.cells for column in columns), strict=True)
        ),
        r"\bottomrule",
        rf"\end{{{inner}}}",
    ]
    return "\n".join(lines) + "\n" + below + rf"\end{{{outer}}}" + "\n"


def _column(cells: pd.Series, bold: pd.Series, *, names: bool) -> _Column:
    texts, heading = cells.astype(str).to_list(), escaped(str(cells.name))
    longest = max(map(_length, [str(cells.name), *texts]))
    numbers = [match for text in texts if (match := _NUMBER.fullmatch(text))]
    if (
        numbers
        and not names
        and all(_NUMBER.fullmatch(text) or text.isalpha() or not text for text in texts)
    ):
        kind, heading = _number_kind(numbers), f"{{{heading}}}"
        shown = [_number(text, heavy) for text, heavy in zip(texts, bold, strict=True)]
    else:
        wraps = longest > LONGEST and not names
        kind = r">{\raggedright\arraybackslash}X" if wraps else "l"
        if wraps:
            longest = max(_length(word) for text in texts for word in text.split())
        shown = [
            rf"\textbf{{{escaped(text)}}}" if heavy else escaped(text)
            for text, heavy in zip(texts, bold, strict=True)
        ]
    return _Column(kind, CHARACTER * longest + 8, heading, shown)


def _number_kind(numbers: list[re.Match[str]]) -> str:
    """Return a column type of siunitx for the longest numbers."""
    parts = [[part or "" for part in match.groups()] for match in numbers]
    digits = [map(len, (a, b, c.lstrip("0"), d)) for a, b, c, d in parts]
    whole, decimals, *error = map(max, zip(*digits, strict=True))
    sign = "-" if any(match[0].startswith("-") for match in numbers) else ""
    uncertainty = f"({sum(error)})" if any(error) else ""
    options = [f"table-format={sign}{whole}.{decimals}{uncertainty}"]
    options += ["text-series-to-math", "propagate-math-font", "reset-text-series=false"]
    if uncertainty:
        options += ["uncertainty-mode=separate", "table-align-uncertainty=false"]
        options += ["retain-zero-uncertainty"]
    return f"S[{', '.join(options)}]"


def _number(text: str, bold: bool) -> str:
    if not _NUMBER.fullmatch(text):
        return f"{{{escaped(text)}}}"
    number = text.replace("±", r"\pm")
    return rf"\bfseries {number}" if bold else number


def _length(text: str) -> float:
    """Estimate the visible length of a text in characters, with smaller ones in subscripts."""
    plain, mathematics = _MATHEMATICS.split(text)[::2], _MATHEMATICS.split(text)[1::2]
    beside, *indices = re.split(r"_(\w|\{[^}]*\})", " ".join(mathematics))
    seen = len("".join(plain)) + _signs(beside)
    return seen + 0.75 * sum(map(_signs, indices[::2])) + sum(map(_signs, indices[1::2]))


def _signs(mathematics: str) -> int:
    named = re.sub(r"\\(?:mathrm|text|lvert|rvert)\b", "", mathematics)
    return len(re.sub(r"[{}$^_\\ ]", "", re.sub(r"\\[A-Za-z]+", "x", named)))
