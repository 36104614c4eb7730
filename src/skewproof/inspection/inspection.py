"""Inspection of predictions: the roles of their columns, remarks, and commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from skewproof.core.messages import printable, shortened
from skewproof.inspection.columns import cleaned, read_columns
from skewproof.inspection.facts import facts_of
from skewproof.inspection.remarks import commands, missing, remarks
from skewproof.inspection.roles import ROLES, Roles, recognize
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import WIDTH, Summarized, Summary

ARGUMENTS = {role: argument for role, (argument, *_) in ROLES.items() if argument} | {
    name: name for name in ("models", "by", "pos_label")
}
"""Arguments by the options of commands."""

COLUMNS = ["column", "role", "recognized", "kind", "known", "values", "such as"]

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
    columns: pd.DataFrame
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
        """Return a row for each column: its role, how it was recognized, and its values."""
        return self.columns

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values for JSON."""
        commands = [{"question": text, "command": line} for text, line in self.commands]
        return vars(self) | {
            "columns": self.columns.to_dict("records"),
            "roles": vars(self.roles),
            "commands": commands,
            "pos_label": self.pos_label,
        }

    def summary(self) -> Summary:
        """Summarize the roles, the remarks, and what is missing."""
        classes = shortened(", ".join(self.roles.classes), 200)
        facts = [("Rows", f"{self.rows:,}"), ("Classes", classes)]
        facts += [("Class of interest", f"{self.pos_label or 'each'} (see --pos-label)")]
        sentences = [("Remark", text) for text in self.remarks]
        sentences += [("For more", text) for text in self.missing]
        table = self.to_frame()[["column", "role", "recognized", "values", "such as"]]
        table["column"] = table["column"].map(printable)
        return Summary(
            f"What {self.name} can answer",
            facts=facts if classes else facts[:1],
            tables={"Columns": table.to_dict("records")},
            sentences=sentences,
        )

    def to_text(self, *, color: bool = False, width: int = WIDTH) -> str:
        """Return the summary in lines of at most `width` characters, and the commands unbroken."""
        lines = [f"\n{text}\n  {printable(command)}\n" for text, command in self.commands]
        title = "What can be answered now:" if lines else "Nothing can be answered yet."
        return f"{super().to_text(color=color, width=width)}\n{title}\n{''.join(lines)}"


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
        If two columns can have a role and their names do not decide (an UncertainRoleError), or a
        column with the name of a role has other content; the message names the argument.

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
    columns = (y_true, y_pred, y_score, sample_weight, groups, time, models, by, pos_label)
    given = dict(zip(ARGUMENTS.values(), columns, strict=True))
    return inspected(cleaned(frame), [FRAME], given, at, FRAME)


def inspected(
    rows: pd.DataFrame, files: Sequence[str], given: dict[str, Any], at: Any, name: str
) -> Inspection:
    """Inspect the cleaned rows of files; columns are given by argument."""
    if at is not None:
        Prevalence.given(at)
        at = str(at)
    columns = read_columns(rows)
    roles = recognize(columns, given)
    facts = facts_of(rows, columns, roles, at)
    listed = []
    for column in columns.values():
        role, how = roles.how.get(column.name, ("", ""))
        texts = [shortened(text, 20) for text in [*column.labels][:3] or [column.example]]
        counts = (column.kind, column.known, column.distinct)
        listed.append((column.name, role, how, *counts, ", ".join(texts)))
    return Inspection(
        name=name,
        rows=len(rows),
        columns=pd.DataFrame(listed, columns=COLUMNS),
        roles=roles,
        remarks=remarks(facts),
        commands=commands(facts, files),
        missing=missing(facts),
    )
