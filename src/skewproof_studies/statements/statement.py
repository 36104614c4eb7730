"""A statement of the literature and the decision on it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from typing import Any, Literal

import pandas as pd
from jinja2 import Environment, StrictUndefined
from matplotlib.figure import Figure

Verdict = Literal["proved", "true if", "false", "cannot be tested as stated"]
"""Verdict of the computation: "true if" comes with the condition, "false" with a counterexample."""

TEMPLATES = Environment(undefined=StrictUndefined)


@dataclass(frozen=True)
class Computation:
    """Numbers that decide on a statement."""

    rows: Sequence[Sequence[object]]
    """Rows of the table: numbers, and texts that are shown as they are."""

    values: dict[str, Any] = field(default_factory=dict)
    """Further values that the statement's texts name."""

    figure: Figure | None = None
    """Picture, if it helps."""


@dataclass(frozen=True)
class Decision:
    """The decision on a statement, with computed numbers, as displayed."""

    sentence: str
    """The verdict in one or two sentences: with its condition, its bound or its counterexample."""

    computed: str
    """Description of the computation, a paragraph of Markdown; tests check it by other code against
    the definition."""

    table: pd.DataFrame
    figure: Figure | None = None

    caption: str = ""
    """Caption of the picture."""


@dataclass(frozen=True)
class Statement:
    """A statement of the literature with the texts on it and the function that decides it.

    The texts ``sentence``, ``computed`` and ``caption`` are Jinja2 templates. They name the values
    of the computation, and ``table``, the list of the table's rows.
    """

    name: str
    """Name of the picture, such as ``high_mcc``."""

    claim: str
    """The statement in one sentence of our own that ends with a period; the page's heading."""

    source: str
    """Authors, year, title, journal, and ``doi:...`` or ``arXiv:...``."""

    read: str
    """Part of the source that was read, such as "the abstract only"."""

    verdict: Verdict
    sentence: str
    computed: str

    columns: Mapping[str, str]
    """Headings of the table's columns, and the format of the numbers in each."""

    recompute: str
    """A few lines of Python with which a reader recomputes the deciding numbers. The page runs them
    and shows what they print."""

    compute: Callable[[], Computation]
    """Function that computes the numbers, in a few seconds at most."""

    caption: str = ""

    def decide(self) -> Decision:
        """Compute the numbers and fill them into the texts."""
        computation = self.compute()
        table = formatted(computation.rows, self.columns)
        values = {"table": table.to_dict("records")} | computation.values
        sentence, computed, caption = (
            TEMPLATES.from_string(text).render(values)
            for text in (self.sentence, self.computed, self.caption)
        )
        return Decision(sentence, computed, table, computation.figure, caption)


def formatted(rows: Sequence[Sequence[object]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Return a table of texts.

    Examples
    --------
    >>> formatted([(1000, Fraction(1, 3))], {"level": "1:{:,}", "rate": "{:.2f}"})
         level  rate
    0  1:1,000  0.33
    """

    def text(value: object, form: str) -> str:
        if isinstance(value, str):
            return value
        return form.format(float(value) if isinstance(value, Fraction) else value)

    texts = [
        [text(value, form) for value, form in zip(row, columns.values(), strict=True)]
        for row in rows
    ]
    return pd.DataFrame(texts, columns=list(columns))


def read_statements(
    subject: str, *computations: Callable[[], Computation]
) -> tuple[Statement, ...]:
    """Return the statements of a subject, whose texts are in the folder ``templates``.

    Parameters
    ----------
    subject
        Name of the file with the texts, without its suffix.
    computations
        Functions that compute the numbers, each with the name of its statement.
    """
    path = files("skewproof_studies.statements") / "templates" / f"{subject}.toml"
    texts = tomllib.loads(path.read_text(encoding="utf-8"))
    return tuple(
        Statement(name=compute.__name__, compute=compute, **texts[compute.__name__])
        for compute in computations
    )
