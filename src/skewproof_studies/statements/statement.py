"""A statement of the literature, and the decision on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pandas as pd
from matplotlib.figure import Figure

Verdict = Literal["proved", "true if", "false", "cannot be tested as stated"]
"""What computing says: "true if" comes with the condition, "false" with a counterexample."""

Read = Literal["full text", "part of the text", "abstract", "from memory"]
"""What of the source was read."""


@dataclass(frozen=True)
class Decision:
    """What was computed on a statement, and the verdict."""

    verdict: Verdict

    sentence: str
    """The verdict in one sentence or two: with its condition, its bound or its counterexample, in
    numbers that were computed."""

    computed: str
    """What was computed, and how, in a paragraph of Markdown; tests hold it against the definition
    by other code."""

    table: pd.DataFrame | None = None
    """Numbers to show, as they are to be printed."""

    figure: Figure | None = None
    """A picture, where it helps."""

    caption: str = ""
    """The caption of the picture."""


@dataclass(frozen=True)
class Statement:
    """A statement of the literature that a function decides."""

    name: str
    """What the picture is called, such as ``high_mcc``."""

    claim: str
    """The statement, in one sentence of our own that ends with a period; the page's heading."""

    source: str
    """Authors, year, title, journal, and ``doi:...`` or ``arXiv:...``."""

    read: Read

    decide: Callable[[], Decision]
    """Computes the decision, in a few seconds at most."""

    recompute: str
    """How a reader recomputes it: a few lines of Python that print the deciding numbers. They are
    run for the page, which shows what they print."""
