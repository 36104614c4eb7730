"""The role of each column: content says what a column can be, and names decide among these."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from skewproof.core.arguments import expect
from skewproof.core.data.frames import IDENTIFIER
from skewproof.core.messages import shortened, shown
from skewproof.core.registry import nearest
from skewproof.inspection.columns import MOST_LABELS, Column
from skewproof.slices.over_time.periods import calendar_places

POSITIVE = ("1", "true", "yes", "y", "t", "positive", "pos", "+", "case", "event")
"""Usual names of the class of interest, of which the first that occurs is taken."""

MOST_SLICES = 50
"""Largest number of values of a column that is offered as slices."""

ROWS_PER_PART = 10
"""Least mean number of rows of a period or slice."""

MODEL = re.compile(
    r"(y_)?(score|prob|proba|pred|predicted|prediction|model)_?\w+|\w+_(score|prob|proba|pred|"
    r"predicted|prediction|probability)|(random_?)?forest|rf|(gradient_)?boost\w*|xgb\w*|lgbm|gbm"
    r"|lightgbm|catboost|logistic(_regression)?|logit|lr|glm|svm|svc|knn|naive_?bayes|nb|mlp|nn"
    r"|(decision_)?tree|\w*net|old|new|current|candidate|champion|challenger|baseline|a|b"
)
"""Names of models."""

BEFORE_CLASS = (
    r"(|p|x|pred|proba?|probs|probability|score|y_?score|y_?proba?|pred_proba?|predict_proba"
    r"|prediction_score|scored_probabilities(_for_class)?|y_pred_proba)_?"
)
"""Names of probabilities, before the name of a class."""


class Role(NamedTuple):
    """A role that one column has."""

    argument: str
    fits: Callable[[Column], bool]
    expected: str
    """Content that a column needs."""
    names: tuple[str, ...]
    """Patterns of names in lower case with _ between words, the most certain first."""


def _are_labels(column: Column) -> bool:
    mixed = column.kind == "numbers and text"
    return bool(column.labels) and not mixed and (not column.numeric or column.whole)


def _are_periods(column: Column) -> bool:
    several = 1 < len(column.labels) <= column.known / ROWS_PER_PART
    return several and (column.kind == "dates" or calendar_places([*column.labels]) is not None)


def _repeats(column: Column) -> bool:
    return 1 < column.distinct < column.known


LABELS = f"at most {MOST_LABELS} labels, which are text or whole numbers"

PREDICTED = (
    r"y_?pred|y_?hat|pred(ict(ed|ions?)?)?s?|(pred(icted|iction)?)_(class|label|value)s?|response"
    r"|scored_labels|class_pred|label_pred"
)

ROLES = {
    "true": Role(
        "y_true",
        _are_labels,
        LABELS,
        (
            r"y_?true|truth|actual(_(label|class|value))?|obs(erved)?|true(_(label|class|y))?s?"
            r"|y_?test|ground_?truth|gold(_label)?",
            r"labels?|targets?|outcome|y|class",
        ),
    ),
    "predicted": Role("y_pred", _are_labels, LABELS, (PREDICTED,)),
    "score": Role(
        "y_score",
        lambda column: column.numeric,
        "numbers, with a decimal point and no %",
        (
            r"y_?(scores?|proba?)|scores?|prob(a|s|abilit(y|ies))?|pred(icted|iction)?_(score|proba?"
            r"|probability|probs)|y_pred_proba?|scored_probabilities|risk(_score)?|logit"
            r"|decision(_function)?|p|p_?hat",
            PREDICTED,
        ),
    ),
    "weight": Role(
        "sample_weight",
        lambda column: column.numeric and column.low >= 0,
        "numbers of at least 0",
        (r"(sample|case|instance|importance|survey)?_?w(eights?|t)?|freq(uency)?|counts?",),
    ),
    "groups": Role("groups", _repeats, "values that repeat", (IDENTIFIER.pattern.lower(),)),
    "time": Role(
        "time",
        _are_periods,
        f"periods of a calendar, of {ROWS_PER_PART} rows on average",
        (r"(\w+_)?(month|date|day|week|year|quarter|period|time|datetime|timestamp)(_\w+)?",),
    ),
    "split": Role("", _repeats, "", (r"(cv_?)?folds?(_id)?|split|resample|partition|subset",)),
    "row_id": Role(
        "",
        lambda column: 1 < column.known == column.distinct,
        "",
        (r"(\w+_)?(id|index|row|uuid|number)|row_?\w+|unnamed_0|column0",),
    ),
}
"""Roles in the order in which columns are given to them."""


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
    ValueError
        If columns of equal rank can have a role, or a column has the name or the option of a role
        but not the content.
    """
    roles = Roles()
    for role, (argument, fits, expected, _) in ROLES.items():
        if given.get(argument) is not None:
            column = _given(columns, argument, given[argument])
            expect(fits(column), argument, column.name, f"{expected}; it {_content(column)}")
            roles.take(role, column.name, "given")
    for argument, role in (("models", "model"), ("by", "slice")):
        names = given.get(argument, ())
        expect(isinstance(names, list | tuple), argument, names, "a list of columns")
        for name in names:
            getattr(roles, argument).append(_given(columns, argument, name).name)
            roles.how.setdefault(name, (role, "given"))
    for role in ROLES:
        if getattr(roles, role) is None:
            _by_name(role, roles, columns)
    _truth_by_content(roles, columns)
    _classes(roles, columns, given.get("pos_label"))
    _probabilities(roles, columns)
    _confidence(roles, columns)
    _models(roles, columns)
    for name, column in columns.items():
        few = 1 < len(column.labels) <= min(MOST_SLICES, column.known / ROWS_PER_PART)
        if name not in roles.how and few and _are_labels(column):
            roles.by.append(name)
            roles.how[name] = ("slice", "by its few values")
    return roles


def _given(columns: Mapping[str, Column], argument: str, name: Any) -> Column:
    expect(isinstance(name, str), argument, name, "the name of a column")
    if name not in columns:
        known = f"expected one of the columns {shortened(', '.join(columns), 200)}"
        raise KeyError(f"{argument} = {shown(name)}: {known}{nearest(name, columns)}")
    return columns[name]


def _content(column: Column) -> str:
    return f"has {column.kind} such as {shown(column.example)}, {column.distinct:,} in all"


def _words(name: str) -> str:
    return re.sub(r"[^a-z0-9+]+", "_", name.lower()).strip("_")


def _by_name(role: str, roles: Roles, columns: Mapping[str, Column]) -> None:
    """Give a role to the column with the best name of those whose content fits."""
    argument, fits, expected, names = ROLES[role]
    for rank, pattern in enumerate(names):
        free = (column for name, column in columns.items() if name not in roles.how)
        named = [column for column in free if re.fullmatch(pattern, _words(column.name))]
        fitting = [column.name for column in named if fits(column)]
        if len(fitting) > 1 and role in ("true", "predicted", "score", "groups"):
            both = " or ".join(map(shown, fitting))
            raise ValueError(f"{argument} = None: expected {both}, which both have a fitting name")
        if fitting:
            return roles.take(role, fitting[0], "by its name")
        for column in named:
            score = column.numeric and not column.whole and role == "predicted"
            if not score and (role in ("true", "predicted") or (role == "score" and not rank)):
                said = f"column {shown(column.name)} {_content(column)}"
                raise ValueError(f"{said}: expected {expected}, or another column as {argument}")
    return None


def _truth_by_content(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Take as truth the only other column that has the same labels as the predictions."""
    if roles.true is not None:
        return
    said = set(columns[roles.predicted].labels) if roles.predicted else set()
    alike = [
        name
        for name, column in columns.items()
        if name not in roles.how and _are_labels(column) and len(column.labels) > 1
        if (said <= set(column.labels) if said else {*map(str.lower, column.labels)} & {*POSITIVE})
        if said or len(column.labels) == 2
    ]
    if len(alike) == 1 and said:
        roles.take("true", alike[0], f"by the labels of {roles.predicted}")
    elif alike:
        several = " or ".join(map(shown, alike[:3]))
        raise ValueError(f"y_true = None: expected a column of labels, which may be {several}")


def _classes(roles: Roles, columns: Mapping[str, Column], pos_label: Any) -> None:
    """List the classes, and choose the class of interest."""
    sides = [columns[name].labels for name in (roles.true, roles.predicted) if name is not None]
    roles.classes = list(dict.fromkeys(label for labels in sides for label in labels))
    lower = {label.lower(): label for label in roles.classes}
    if pos_label is not None:
        text = str(pos_label)
        roles.pos_label = text if text in roles.classes else lower.get(text.lower())
        listed = shortened(", ".join(roles.classes), 200)
        expect(roles.pos_label is not None, "pos_label", pos_label, f"one of the labels {listed}")
    elif 0 < len(roles.classes) <= 2:
        rarest = min(roles.classes, key=lambda label: sides[0].get(label, 0))
        roles.pos_label = next((lower[name] for name in POSITIVE if name in lower), rarest)


def _probabilities(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Recognize probabilities of classes by their names, and take that of interest as the score."""
    by_start: dict[str, dict[str, str]] = {}
    for label in roles.classes:
        pattern = re.compile(BEFORE_CLASS + re.escape(_words(label)))
        for name, column in columns.items():
            match = pattern.fullmatch(_words(name))
            in_unit = column.numeric and 0 <= column.low <= column.high <= 1
            if match and in_unit and name not in roles.how:
                by_start.setdefault(match[1], {})[label] = name
    for named in by_start.values():
        if len(named) == len(roles.classes) or roles.pos_label in named:
            roles.probabilities = named
            for label, name in named.items():
                roles.how[name] = (f"probability of {label}", "by its name")
            roles.score = roles.score or named.get(roles.pos_label or "")
            return


def _confidence(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Recognize a score that is the probability of the predicted class, as PyCaret writes it."""
    score, predicted = (columns.get(name or "") for name in (roles.score, roles.predicted))
    if not (score and predicted and score.probabilities and len(predicted.labels) > 1):
        return
    least = 1 / len(roles.classes) - 1e-9
    if roles.how[score.name] == ("score", "by its name") and least <= score.low < score.high:
        roles.score = None
        roles.take("confidence", score.name, "by its least value")


def _models(roles: Roles, columns: Mapping[str, Column]) -> None:
    """Recognize further models by their names: scores, or else labels of the same classes."""
    if roles.models:
        return
    free = (column for name, column in columns.items() if name not in roles.how)
    named = [column for column in free if MODEL.fullmatch(_words(column.name))]
    unit = roles.score is None or columns[roles.score].probabilities
    scores = [
        column.name
        for column in named
        if (column.probabilities if unit else column.numeric and not column.whole)
    ]
    classes = set(roles.classes)
    labels = [
        column.name for column in named if len(column.labels) > 1 and {*column.labels} <= classes
    ]
    role = "score" if scores else "predicted"
    models = scores or labels
    first = getattr(roles, role)
    for name in models:
        roles.how[name] = ("model", "by its name")
    if models and not first:
        setattr(roles, role, models[0])
    several = [*([first] if first else []), *models]
    roles.models = several if len(several) > 1 else []
