"""Inspection of predictions: the roles of their columns, remarks, and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from skewproof.core.data.frames import lazy_frame
from skewproof.core.extras import duckdb, narwhals as nw
from skewproof.core.messages import printable, shortened
from skewproof.inspection.columns import Column, cleaned, read_columns
from skewproof.inspection.facts import Facts
from skewproof.inspection.questions import commands, missing
from skewproof.inspection.remarks import remarks
from skewproof.inspection.roles import Roles, recognize
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import WIDTH, Summarized, Summary

FRAME = "predictions.csv"
"""Name of the file in commands for a frame."""


@dataclass(frozen=True, repr=False)
class Inspection(Summarized):
    """The answers that predictions can give, as :func:`inspect_predictions` returns them.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import inspect_predictions
    >>> frame = pd.DataFrame({"obs": ["yes", "no"] * 30, "pred": ["yes", "no", "no"] * 20})
    >>> inspection = inspect_predictions(frame)
    >>> inspection.to_frame()[["column", "role", "recognized", "such as"]]
      column       role   recognized  such as
    0    obs       true  by its name  no, yes
    1   pred  predicted  by its name  no, yes
    """

    name: str
    rows: int
    columns: dict[str, Column]
    roles: Roles
    remarks: list[str]
    commands: list[tuple[str, str]]
    """Questions, each with the command that answers it."""
    missing: list[str]

    @property
    def pos_label(self) -> str | None:
        """The class of interest as text; None if there are more than two classes or no labels."""
        return self.roles.pos_label

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each column: its role, how it was recognized, and what it has."""
        rows = []
        for name, column in self.columns.items():
            role, how = self.roles.how.get(name, ("", ""))
            facts = {"kind": column.kind, "known": column.known, "values": column.distinct}
            texts = list(column.labels)[:3] or [column.example]
            example = ", ".join(shortened(text, 20) for text in texts)
            rows.append(
                {"column": name, "role": role, "recognized": how} | facts | {"such as": example}
            )
        return pd.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values for JSON."""
        roles = asdict(self.roles)
        del roles["how"]
        answers = [{"question": text, "command": line} for text, line in self.commands]
        return {
            "name": self.name,
            "rows": self.rows,
            "pos_label": self.pos_label,
            "roles": roles,
            "columns": self.to_frame().to_dict("records"),
            "remarks": self.remarks,
            "commands": answers,
            "missing": self.missing,
        }

    def summary(self) -> Summary:
        """Summarize the roles, the remarks, and what is missing."""
        facts = [("Rows", f"{self.rows:,}")]
        classes = ", ".join(map(shortened, self.roles.classes[:12]))
        if self.roles.classes:
            facts.append(("Classes", f"{len(self.roles.classes)}: {classes}"))
        if self.pos_label is not None:
            facts.append(("Class of interest", f"{self.pos_label} (--pos-label names another)"))
        table = self.to_frame().drop(columns=["kind", "known"])
        table["column"] = table["column"].map(printable)
        sentences = [("Remark", text) for text in self.remarks]
        return Summary(
            f"What {self.name} can answer",
            facts=facts,
            tables={"Columns": table.to_dict("records")},
            sentences=[*sentences, *(("For more", text) for text in self.missing)],
        )

    def to_text(self, *, color: bool = False, width: int = WIDTH) -> str:
        """Return the summary in lines of at most `width` characters, and the commands unbroken."""
        lines = [f"{text}\n  {printable(command)}\n" for text, command in self.commands]
        title = "What can be answered now" if lines else "Nothing can be answered yet."
        return "\n".join([super().to_text(color=color, width=width), title, "", *lines])


def inspect_predictions(
    frame: Any,
    *,
    y_true: str | None = None,
    y_pred: str | None = None,
    y_score: str | None = None,
    models: Sequence[str] = (),
    sample_weight: str | None = None,
    groups: str | None = None,
    time: str | None = None,
    by: Sequence[str] = (),
    pos_label: Any = None,
    at: str | None = None,
) -> Inspection:
    """Say what predictions can answer, with the command for each answer.

    Each column gets a role: what a column contains says which roles it can have, and its name,
    among those that tools such as scikit-learn, caret, tidymodels, mlr3, H2O, PyCaret and Azure
    write, decides among these. Without a known name, the true labels are the only column that has
    the labels of the predictions.

    Parameters
    ----------
    frame
        A data frame of pandas, polars, PyArrow or DuckDB with a row for each instance.
    y_true, y_pred, y_score, sample_weight, groups, time
        Names of columns whose roles are known: true labels, predicted labels, scores, weights,
        groups of rows that belong together, and periods.
    models, by
        Names of columns of scores or predicted labels of several models, and of those that define
        slices.
    pos_label
        The class of interest. By default it is 1 or another usual name, such as "yes" or
        "positive", or else the rarer one of two labels.
    at
        Prevalence where the classifier will run, for the commands, such as "1:1000".

    Returns
    -------
    The inspection, with `roles`, `pos_label`, `remarks`, `commands` and what is `missing` for more.
    Printed, it is a page of text. Commands name the file predictions.csv, to which the frame can be
    written.

    Raises
    ------
    KeyError
        If there is no column of this name.
    ValueError
        If two columns can have a role and their names do not decide, or a column with the name of a
        role has other content; the message names the argument.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import inspect_predictions
    >>> frame = pd.DataFrame({"obs": ["yes", "no"] * 30, ".pred_yes": [0.7, 0.2, 0.6] * 20})
    >>> inspection = inspect_predictions(frame, at="1:1000")
    >>> inspection.roles.true, inspection.roles.score, inspection.pos_label
    ('obs', '.pred_yes', 'yes')
    >>> print(inspection.commands[0][1])
    skewproof decide predictions.csv --score .pred_yes --true obs --pos-label yes --at 1:1000
    """
    given = {
        "y_true": y_true,
        "y_pred": y_pred,
        "y_score": y_score,
        "sample_weight": sample_weight,
        "groups": groups,
        "time": time,
        "models": models,
        "by": by,
        "pos_label": pos_label,
    }
    return inspected(cleaned(_relation(frame)), [FRAME], given, at)


def inspected(
    rows: duckdb.DuckDBPyRelation, files: Sequence[str], given: dict[str, Any], at: str | None
) -> Inspection:
    """Inspect a cleaned relation of the rows of files; columns are given by argument."""
    if at is not None:
        Prevalence.given(at)
    number, columns = read_columns(rows)
    roles = recognize(columns, given)
    facts = Facts(rows, number, columns, roles, at)
    name = shortened(printable(files[0]), 200) + " and others" * (len(files) > 1)
    return Inspection(
        name, number, columns, roles, remarks(facts), commands(facts, files), missing(facts)
    )


def _relation(frame: Any) -> duckdb.DuckDBPyRelation:
    """Return a frame as a relation of DuckDB."""
    rows = lazy_frame(frame)
    if rows.implementation.is_duckdb():
        return nw.to_native(rows)
    try:
        table = rows.collect().to_arrow()
    except (TypeError, ValueError) as error:
        said = shortened(str(error), 200)
        raise ValueError(
            f"frame has a column of several types ({said}): expected one type"
        ) from None
    if not table.num_rows * table.num_columns:
        raise ValueError("frame is empty: expected a row for each prediction")
    return duckdb.from_arrow(table)
