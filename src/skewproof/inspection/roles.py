"""The role of each column: content says what a column can be, and names decide among these."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from skewproof.core.arguments import expect
from skewproof.core.data.frames import IDENTIFIER
from skewproof.core.messages import UncertainRoleError, shortened, shown
from skewproof.core.registry import nearest
from skewproof.inspection.columns import MOST_LABELS, Column
from skewproof.slices.over_time.periods import calendar_places

POSITIVE = ("1", "true", "yes", "y", "t", "positive", "pos", "+", "case", "event")
"""Usual names of the class of interest, of which the first that occurs is taken."""

MOST_SLICES = 50
"""Largest number of values of a column that is offered as slices."""

ROWS_PER_PART = 10
"""Least mean number of rows of a period or slice."""

FEWEST_GROUPS = 10
"""Fewest values of a column that is recognized as groups of rows that belong together."""

CONTENTS = {
    "labels": f"at most {MOST_LABELS} labels, which are text or whole numbers",
    "numbers": "finite numbers, with a decimal point and no %",
    "weights": "numbers of at least 0",
    "repeated": "values that repeat",
    "periods": f"periods of a calendar, of {ROWS_PER_PART} rows on average",
    "unique": "another value in each row",
}
"""Descriptions of contents that roles need."""

_TABLE = pd.read_csv(Path(__file__).with_name("roles.csv"), keep_default_na=False)
ROLES = {role: tuple(others) for role, *others in _TABLE.itertuples(index=False)}
"""Argument, needed content, and patterns of names of each role, in lower case with _ between words;
the patterns before a space outrank those after it. Columns are given to roles in this order."""

ASKED = ("true", "predicted", "score", "groups")
"""Roles for which two columns with names of the same rank are asked about."""


@dataclass
class Roles:
    """The columns that were recognized; None, or empty, for a role that none has."""

    true: str | None = None
    predicted: str | None = None
    score: str | None = None
    weight: str | None = None
    groups: str | None = None
    time: str | None = None
    split: str | None = None
    row_id: str | None = None
    models: list[str] = field(default_factory=list)
    """All models if there are several; `score`, or else `predicted`, is the first."""
    probabilities: dict[str, str] = field(default_factory=dict)
    """Columns of the probabilities of classes, by class."""
    by: list[str] = field(default_factory=list)
    """Columns that define slices."""
    confidence: str | None = None
    """Column of the probability of the predicted class, whichever it is."""
    classes: list[str] = field(default_factory=list)
    """Labels of the true and predicted classes, as text."""
    pos_label: str | None = None
    """The class of interest, if there are two classes or it is given."""
    how: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The role of each column, and how it was recognized."""

    def take(self, role: str, name: str, how: str) -> None:
        """Give a role to a column."""
        setattr(self, role, name)
        self.how[name] = (role.replace("_", " "), how)


def recognize(columns: Mapping[str, Column], given: Mapping[str, Any]) -> Roles:
    """Recognize the role of each column.

    Parameters
    ----------
    columns
        The columns by name.
    given
        Columns by argument, `models` and `by` as lists, and `pos_label`; None and empty lists are
        not given.

    Raises
    ------
    KeyError
        If a given column does not exist.
    UncertainRoleError
        If columns with names of the same rank can have a role, or only names could tell.
    ValueError
        If a column has the name or the option of a role but not the content.
    """
    roles = Roles()
    for role, (argument, content, _) in ROLES.items():
        if given.get(argument) is not None:
            column = _given(columns, argument, given[argument])
            expected = f"{CONTENTS[content]}; it {_described(column)}"
            expect(_fits(column, content), argument, column.name, expected)
            roles.take(role, column.name, "given")
    for argument, role in (("models", "model"), ("by", "slice")):
        names = given.get(argument, ())
        expect(isinstance(names, list | tuple), argument, names, "a list of columns")
        for name in names:
            getattr(roles, argument).append(_given(columns, argument, name).name)
            roles.how.setdefault(name, (role, "given"))
    for role in list(ROLES)[:-2]:
        if getattr(roles, role) is None:
            _take_by_name(role, roles, columns)
    if roles.true is None:
        _take_truth_by_labels(roles, columns)
    _choose_classes(roles, columns, given.get("pos_label"))
    _take_probabilities(roles, columns)
    if not roles.models:
        _take_models(roles, columns)
    for name, column in columns.items():
        few = 1 < len(column.labels) <= min(MOST_SLICES, column.known / ROWS_PER_PART)
        if name not in roles.how and few and _fits(column, "labels"):
            roles.by.append(name)
            roles.how[name] = ("slice", "by its few values")
    return roles


def _fits(column: Column, content: str) -> bool:
    """Return True if a column has the content that a role needs."""
    if content == "labels":
        mixed = column.kind == "numbers and text"
        return bool(column.labels) and not mixed and (not column.numeric or column.whole)
    if content == "periods":
        several = 1 < len(column.labels) <= column.known / ROWS_PER_PART
        dates = column.kind == "dates"
        return several and (dates or calendar_places([*column.labels]) is not None)
    if content in ("repeated", "unique"):
        return column.distinct > 1 and (column.distinct < column.known) == (content == "repeated")
    finite = column.numeric and -math.inf < column.low <= column.high < math.inf
    return finite and (content == "numbers" or column.low >= 0)


def _given(columns: Mapping[str, Column], argument: str, name: Any) -> Column:
    expect(isinstance(name, str), argument, name, "the name of a column")
    if name not in columns:
        known = f"expected one of the columns {shortened(', '.join(columns), 200)}"
        raise KeyError(f"{argument} = {shown(name)}: {known}{nearest(name, columns)}")
    return columns[name]


def _described(column: Column) -> str:
    return f"has {column.kind} such as {shown(column.example)}, {column.distinct:,} in all"


def _words(name: str) -> str:
    return re.sub(r"[^a-z0-9+]+", "_", name.lower()).strip("_")


def _named(pattern: str, roles: Roles, columns: Mapping[str, Column]) -> list[Column]:
    """Return the columns with values and without a role whose names have a pattern."""
    pattern = pattern.replace("IDENTIFIER", IDENTIFIER.pattern.lower())
    free = (column for name, column in columns.items() if name not in roles.how and column.known)
    return [column for column in free if re.fullmatch(pattern, _words(column.name))]


def _take_by_name(role: str, roles: Roles, columns: Mapping[str, Column]) -> None:
    """Give a role to the column with the best name of those whose content fits."""
    argument, content, names = ROLES[role]
    for rank, pattern in enumerate(names.split()):
        named = _named(pattern, roles, columns)
        least = FEWEST_GROUPS if role == "groups" else 0
        fitting = [column.name for column in named if _fits(column, content)]
        fitting = [name for name in fitting if columns[name].distinct >= least]
        if len(fitting) > 1 and role in ASKED:
            both = " or ".join(map(shown, fitting))
            raise UncertainRoleError(f"{argument} = None: expected {both}, as both names fit")
        if fitting:
            roles.take(role, fitting[0], "by its name")
            return
        for column in named:
            is_score = role == "predicted" and column.numeric and not column.whole
            if role in ASKED[:3] and not is_score and (role != "score" or not rank):
                said = f"column {shown(column.name)} {_described(column)}"
                expected = f"expected {CONTENTS[content]}, or another column as {argument}"
                raise ValueError(f"{said}: {expected}")


def _take_truth_by_labels(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Take as truth the only other column that has the same labels as the predictions.

    Without predictions, a column of yes and no might be either.
    """
    said = set(columns[roles.predicted].labels) if roles.predicted else set()
    alike = [
        column.name
        for column in _named(".*", roles, columns)
        if _fits(column, "labels") and len(column.labels) > 1 and said <= {*column.labels}
        if said or (len(column.labels) == 2 and {*map(str.lower, column.labels)} & {*POSITIVE})
    ]
    if len(alike) == 1 and said:
        roles.take("true", alike[0], f"by the labels of {roles.predicted}")
    elif alike:
        several = " or ".join(map(shown, alike[:3]))
        raise UncertainRoleError(f"y_true = None: expected true labels, which may be {several}")


def _choose_classes(roles: Roles, columns: Mapping[str, Column], pos_label: Any) -> None:
    """List the classes, and choose the class of interest."""
    sides = [columns[name].labels for name in (roles.true, roles.predicted) if name is not None]
    roles.classes = list(dict.fromkeys(label for labels in sides for label in labels))
    if len(sides) == 2 and not {*sides[0]} & {*sides[1]} and len(roles.classes) > 2:
        said = shortened(", ".join(sides[1]), 200)
        raise ValueError(f"{roles.predicted} has {said}: expected the labels of {roles.true}")
    lower = {label.lower(): label for label in roles.classes}
    if pos_label is not None:
        several = f"none beside {len(roles.classes)} classes"
        expect(len(roles.classes) <= 2, "pos_label", pos_label, several)
        text, listed = str(pos_label), shortened(", ".join(roles.classes), 200)
        roles.pos_label = text if text in roles.classes else lower.get(text.lower())
        expect(roles.pos_label is not None, "pos_label", pos_label, f"one of the labels {listed}")
    elif 0 < len(roles.classes) <= 2:
        rarest = min(roles.classes, key=lambda label: sides[0].get(label, 0))
        roles.pos_label = next((lower[name] for name in POSITIVE if name in lower), rarest)


def _take_probabilities(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Recognize probabilities of classes by names; that of the class of interest is the score.

    A score that is at least 1/K in each row of K classes is the probability of the predicted class,
    as PyCaret writes it.
    """
    before = ROLES["probability"][2]
    named = {
        label: [
            column.name
            for column in _named(before + re.escape(_words(label)), roles, columns)
            if column.numeric and 0 <= column.low <= column.high <= 1
        ]
        for label in roles.classes
    }
    if any(named.values()) and (all(named.values()) or named.get(roles.pos_label or "")):
        roles.probabilities = {label: names[0] for label, names in named.items() if names}
        for label, name in roles.probabilities.items():
            roles.how[name] = (f"probability of {label}", "by its name")
        roles.score = roles.score or roles.probabilities.get(roles.pos_label or "")
    score, predicted = (columns.get(name or "") for name in (roles.score, roles.predicted))
    if score is None or predicted is None or not score.probabilities:
        return
    least = score.low < score.high and score.low >= 1 / len(roles.classes) - 1e-9
    if least and roles.how[score.name] == ("score", "by its name") and len(predicted.labels) > 1:
        roles.score = None
        roles.take("confidence", score.name, "by its least value")


def _take_models(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Recognize further models by their names: scores, or else labels of the same classes."""
    named = _named(ROLES["model"][2], roles, columns)
    unit = roles.score is None or columns[roles.score].probabilities
    models = [column.name for column in named if column.numeric and not column.whole]
    models = [name for name in models if columns[name].probabilities or not unit]
    role = "score" if models else "predicted"
    models = models or [
        column.name
        for column in named
        if len(column.labels) > 1 and {*column.labels} <= {*roles.classes}
    ]
    roles.how |= dict.fromkeys(models, ("model", "by its name"))
    every = [*filter(None, [getattr(roles, role)]), *models]
    setattr(roles, role, every[0] if every else None)
    roles.models = every if len(every) > 1 else []
