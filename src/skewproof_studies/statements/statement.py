"""A statement of the literature and the decision on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from matplotlib.figure import Figure

Verdict = Literal["proved", "true if", "false", "cannot be tested as stated"]
"""Verdict of the computation: "true if" comes with the condition, "false" with a counterexample."""

Read = Literal["full text", "part of the text", "abstract", "from memory"]
"""Part of the source that was read."""


@dataclass(frozen=True)
class Decision:
    """The computation for a statement, and the verdict."""

    verdict: Verdict

    sentence: str
    """The verdict in one or two sentences: with its condition, its bound or its counterexample, in
    computed numbers."""

    computed: str
    """Description of the computation, a paragraph of Markdown; tests check it by other code against
    the definition."""

    table: pd.DataFrame | None = None
    """Displayed numbers, formatted for print."""

    figure: Figure | None = None
    """Picture, if it helps."""

    caption: str = ""
    """Caption of the picture."""


@dataclass(frozen=True)
class Statement:
    """A statement of the literature that a function decides."""

    name: str
    """Name of the picture, such as ``high_mcc``."""

    claim: str
    """The statement in one sentence of our own that ends with a period; the page's heading."""

    source: str
    """Authors, year, title, journal, and ``doi:...`` or ``arXiv:...``."""

    read: Read

    decide: Callable[[], Decision]
    """Function that computes the decision, in a few seconds at most."""

    recompute: str
    """A few lines of Python with which a reader recomputes the deciding numbers. The page runs them
    and shows what they print."""
