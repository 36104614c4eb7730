"""The checked predictions behind a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.arguments import expect, expect_number, expect_several
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import (
    check_pos_label,
    checked_labels,
    has_more_than_two,
    positives_of,
)
from skewproof.curves.areas.area import AREAS
from skewproof.decisions.requirements import COUNTS, Requirement, parsed_requirements
from skewproof.multiclass.lookup import as_metric_or_measure
from skewproof.prevalence.prevalence import At, Prevalence

TWO = ("true_positive_rate", "false_positive_rate", "precision", "f1", "mcc", "balanced_accuracy")
MANY = ("accuracy", "macro_f1", "mcc", "cohen_kappa", "true_positive_rate", "precision")
OF_SCORES = ("auc", "average_precision")
"""Default metrics of labels, of two classes and of more, and of scores."""

NAME = "this model"

MANY_ROWS, DRAWS, FEW_DRAWS = 50_000, 2000, 500
"""Number of rows from which on intervals have fewer draws, as these take long; both numbers."""


@dataclass(frozen=True)
class Predictions:
    """Labels and predictions of the rows, and the questions about them.

    Labels of two classes are 1 and 0.
    """

    true: NDArray[Any]
    called: NDArray[Any] | None
    """Predicted labels, given or made by a cut-off; None without both."""
    score: Any
    """Scores of the positive class, probabilities of more classes in a column each, or None."""
    at: Prevalence
    pos_label: Any
    """The positive label as it was given; None for more than two classes."""
    groups: Any
    threshold: float | None
    """Cut-off in use, if scores of at least a number are the positive calls."""
    slices: dict[str, Any]
    """Values of each row by the name of the slice; the periods are one of them."""
    time: str | None
    """Name of the periods among the slices."""
    models: dict[str, Any]
    """Labels or scores of all models by their names, if there are several."""
    labels: list[str]
    """Metrics of predicted labels."""
    areas: list[str]
    """Metrics of scores."""
    require: tuple[Requirement, ...]
    lines: list[str] = field(default_factory=list)
    """Lines of Python that ask for what was asked since the last chapter."""
    answers: dict[str, Any] = field(default_factory=dict)
    """Answers by their lines, so that none is computed twice."""
    data: dict[str, Any] = field(default_factory=dict)
    """Values of the names in these lines."""

    def __post_init__(self) -> None:
        """Name the values."""
        self.data.update(y_true=self.true, y_pred=self.called, y_score=self.score)
        self.data.update(models=self.models)

    def ask(self, function: Callable[..., Any], *words: Any, name: str = "", **options: Any) -> Any:
        """Call a function of the package, and write the line that does so.

        Parameters
        ----------
        function
            The function.
        words
            Its arguments; those that are names of the data stand for these.
        name
            Name of the answer in the following lines.
        options
            Its other arguments. Groups and the positive label are added for true labels.
        """
        labels = "y_true" in (*words, options.get("y_true"))
        written = {key: repr(value) for key, value in options.items()}
        if "at" in options:
            written["at"] = repr(str(options["at"]))
        if "y_true" in words and self.groups is not None:
            options, written = options | {"groups": self.groups}, written | {"groups": "groups"}
        if labels and not self.many:
            written["pos_label"] = repr(self.pos_label)
        texts = [word if word in [*self.data] else repr(word) for word in words]
        texts += [f"{key}={text}" for key, text in written.items()]
        start = f"{name} = " if name else ""
        line = f"{start}{function.__qualname__}({', '.join(texts)})"
        self.lines.append(line)
        if line not in self.answers or "y_true" not in words:  # other data change between chapters
            known = [self.data[word] if word in [*self.data] else word for word in words]
            self.answers[line] = function(*known, **options)
        if name:
            self.data[name] = self.answers[line]
        return self.answers[line]

    @property
    def many(self) -> bool:
        """True if there are more than two classes."""
        return self.pos_label is None

    @property
    def where(self) -> str:
        """The words for the prevalence of the values."""
        return self.at.where if self.at.elsewhere else f"in the {str(self.at).split(' from ')[0]}"

    @property
    def places(self) -> list[Any]:
        """Prevalences of values: that of deployment, and the test set's if it is another."""
        return [self.at, Prevalence.given("test set")] if self.at.elsewhere else [self.at]

    @property
    def draws(self) -> int:
        """Number of draws of each interval that is drawn."""
        return FEW_DRAWS if len(self.true) > MANY_ROWS else DRAWS

    @property
    def share(self) -> float:
        """Share of the positives of two classes."""
        return float(np.mean(self.true))

    @property
    def probable(self) -> bool:
        """True if all scores may be probabilities."""
        return self.score is not None and bool(np.all((self.score >= 0) & (self.score <= 1)))


def checked_predictions(
    y_true: Any,
    y_pred: Any,
    y_score: Any,
    *,
    at: At | None,
    groups: Any,
    time: Any,
    slices: Mapping[str, Any] | pd.DataFrame | None,
    threshold: float | None,
    models: Mapping[str, Any] | pd.DataFrame | None,
    metrics: Sequence[str] | None,
    require: str | Sequence[str],
    pos_label: Any,
) -> Predictions:
    """Check the arguments of :func:`skewproof.report`, with its errors."""
    where = Prevalence.given("population" if at is None else at).for_any_rates()
    check_pos_label(pos_label)
    empty = isinstance(require, list | tuple) and not require
    required = () if empty else parsed_requirements(require)
    for requirement in required:
        known = " ".join(requirement.name.lower().replace("_", " ").split()) not in COUNTS
        expect(known, "require", str(requirement), "a metric that does not count instances")
    true = checked_labels(y_true, "y_true")
    others = _columns("models", models, len(true))
    by = _columns("slices", slices, len(true))
    if time is not None:
        period = str(getattr(time, "name", None) or "time")
        by = _columns("time", {period: time}, len(true)) | by
    several = dict(others)
    if y_pred is None and y_score is None:
        expect(bool(others), "y_pred", None, "y_pred, y_score or models")
        name = next(iter(others))
        if _are_labels(others[name], true):
            y_pred = others[name]
        else:
            y_score = others[name]
    elif others:
        main = y_pred if y_score is None else y_score
        several = {str(getattr(main, "name", None) or NAME): main} | others
    called = None if y_pred is None else checked_labels(y_pred, "y_pred")
    many = pos_label == 1 and has_more_than_two(
        y_true=true, y_pred=true if called is None else called
    )
    score = y_score
    if many:
        expect(threshold is None, "threshold", threshold, "none with more than two classes")
        expect(not required, "require", require, "none with more than two classes")
        columns = score is None or np.ndim(score) == 2
        expect(columns, "y_score", score, "a column for each of more than two classes")
    else:
        if called is not None:
            ConfusionMatrix.from_labels(true, called, pos_label=pos_label, groups=groups)
            called = np.asarray(called == pos_label).astype(int)
        true = positives_of(true, pos_label).astype(int)
        if score is not None:
            score = checked_numbers(score, "y_score")
            expect(score.shape == true.shape, "y_score", score, "a number for each row")
        called, threshold = _cut(called, score, threshold)
    default = [*(MANY if many else TWO), *OF_SCORES]
    expected = "metrics and kinds of areas"
    names = default if metrics is None else expect_several("metrics", metrics, expected)
    labels = [name for name in names if not (isinstance(name, str) and name in AREAS)]
    for name in labels:
        as_metric_or_measure(name)
    usable = bool(labels if called is not None else len(names) > len(labels) or many)
    expect(usable, "metrics", names, "one of labels if these are given, or an area of scores")
    compared = {name: _as_model(said, y_true, pos_label, many) for name, said in several.items()}
    kinds = {said.dtype.kind == "f" for said in compared.values()}
    expect(len(kinds) < 2, "models", [*compared], "labels of all models, or scores of all")
    return Predictions(
        true=true,
        called=called,
        score=score,
        at=where if many else where.for_two_classes(),
        pos_label=None if many else pos_label,
        groups=groups,
        threshold=threshold,
        slices=by,
        time=None if time is None else period,
        models=compared if len(compared) > 1 else {},
        labels=labels,
        areas=[] if many else [name for name in names if name not in labels],
        require=required,
    )


def _columns(name: str, value: Any, rows: int) -> dict[str, NDArray[Any]]:
    """Return the columns of a mapping or frame by their names."""
    if value is None:
        return {}
    known = isinstance(value, Mapping | pd.DataFrame)
    expect(known, name, value, "a mapping or data frame of columns")
    columns = {str(key): np.asarray(value[key]) for key in value}
    for key, column in columns.items():
        expect(column.shape == (rows,), f"{name}[{key!r}]", column, f"{rows} values, one a row")
    return columns


def _cut(
    called: NDArray[Any] | None, score: Any, threshold: float | None
) -> tuple[NDArray[Any] | None, float | None]:
    """Return the calls and the cut-off in use, as far as they are known."""
    if threshold is not None:
        expect_number("threshold", threshold)
        expect(score is not None, "threshold", threshold, "y_score as well")
        cut = (score >= threshold).astype(int)
        same = called is None or np.array_equal(called, cut)
        expect(same, "threshold", threshold, "the cut-off of the scores that y_pred has")
        return cut, threshold
    if called is None or score is None or not 0 < called.sum() < called.size:
        return called, None
    lowest, highest = score[called == 1].min(), score[called == 0].max()
    return called, float((lowest + highest) / 2) if lowest > highest else None


def _are_labels(said: Any, true: NDArray[Any]) -> bool:
    """Return whether a model says labels: each is one of the true labels, or no number."""
    values = pd.unique(np.asarray(said).ravel())
    return not np.issubdtype(values.dtype, np.number) or bool(np.isin(values, true).all())


def _as_model(said: Any, y_true: Any, pos_label: Any, many: bool) -> Any:
    """Return labels of two classes as 1 and 0, and other labels and scores as they are."""
    values = np.asarray(said)
    if not _are_labels(values, np.asarray(y_true)):
        return values.astype(np.float64)
    return values if many else (values == pos_label).astype(int)
