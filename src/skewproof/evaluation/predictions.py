"""The checked predictions behind a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skewproof.curves.areas.area import AREAS
from skewproof.decisions.requirements import Requirement
from skewproof.prevalence.prevalence import Prevalence

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
    """Scores of all models by their names, or else labels, if there are several."""
    metrics: list[Any]
    """Metrics of labels, and kinds of areas."""
    require: tuple[Requirement, ...]
    lines: list[str] = field(default_factory=list)
    """Lines of Python that ask for what was asked since the last chapter."""
    answers: dict[str, Any] = field(default_factory=dict)
    """Answers by their lines, so that none is computed twice."""
    data: dict[str, Any] = field(default_factory=dict)
    """Values of the names in these lines."""

    def __post_init__(self) -> None:
        """Name the values."""
        given = {"y_true": self.true, "y_pred": self.called, "y_score": self.score}
        self.data.update(given | {"models": self.models})

    def ask(self, function: Callable[..., Any], *words: str, name: str = "", **options: Any) -> Any:
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
        written = {key: repr(value) for key, value in options.items()}
        if "at" in options:
            written["at"] = repr(str(options["at"]))
        if "y_true" in words and self.groups is not None:
            options, written = options | {"groups": self.groups}, written | {"groups": "groups"}
        if "y_true" in (*words, options.get("y_true")) and not self.many:
            written["pos_label"] = repr(self.pos_label)
        texts = [word if word in self.data else repr(word) for word in words]
        texts += [f"{key}={text}" for key, text in written.items()]
        line = f"{function.__qualname__}({', '.join(texts)})"
        self.lines.append(f"{name} = {line}" if name else line)
        if line not in self.answers or "y_true" not in words:  # other data change between slices
            self.answers[line] = function(*(self.data.get(word, word) for word in words), **options)
        if name:
            self.data[name] = self.answers[line]
        return self.answers[line]

    @property
    def many(self) -> bool:
        """True if there are more than two classes."""
        return self.pos_label is None

    @property
    def ranked(self) -> bool:
        """True if there are scores of two classes."""
        return self.score is not None and not self.many

    @property
    def labels(self) -> list[Any]:
        """Metrics of predicted labels, if there are such labels."""
        return [] if self.called is None else [key for key in self.metrics if not is_area(key)]

    @property
    def areas(self) -> list[str]:
        """Metrics of scores, if there are scores of two classes."""
        return [*filter(is_area, self.metrics)] if self.ranked else []

    @property
    def places(self) -> dict[str, Prevalence]:
        """Prevalences of values by the words for them: that of deployment, and the test set's."""
        if not self.at.elsewhere:
            return {f"in the {str(self.at).split(' from ')[0]}": self.at}
        return {self.at.where: self.at, "in the test set": Prevalence.given("test set")}

    @property
    def where(self) -> str:
        """The words for the prevalence of deployment."""
        return next(iter(self.places))

    @property
    def draws(self) -> int:
        """Number of draws of each interval that is drawn."""
        return FEW_DRAWS if len(self.true) > MANY_ROWS else DRAWS

    @property
    def probable(self) -> bool:
        """True if all scores may be probabilities."""
        return self.score is not None and bool(np.all((self.score >= 0) & (self.score <= 1)))


def is_area(metric: Any) -> bool:
    """Return whether a metric is a kind of area."""
    return isinstance(metric, str) and metric in AREAS
