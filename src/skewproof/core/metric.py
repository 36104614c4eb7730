"""Metrics: formulas over the confusion matrix, with their names and properties."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import isfunction
from numbers import Real
from typing import Any, ClassVar, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Value, is_symbolic
from skewproof.core.arguments import expect, expect_choice, expect_several, expect_text, is_finite
from skewproof.core.confusion import ConfusionMatrix

Formula = Callable[[ConfusionMatrix], Value]
Bounds = tuple[float, float]

ScorePolicy = Literal["warn", "error"] | float
"""Treatment of an undefined score: NaN with a warning, an error, or a number in its place."""

Direction = Literal[
    "higher",
    "lower",
    "target",
    "association",
    "association, lowest",
    "quantity",
    "quantity, lowest",
    "none",
]
"""The direction of good values, at given class sizes.

===================  ==============================================================================
higher, lower        The perfect classifier has the highest (lowest) value, and the one that is
                     always wrong has not. If the perfect one's value is 0/0, those near it count.
target               The perfect classifier has a value between others: 1 of the frequency bias.
association          The perfect classifier and the one that is always wrong both have the highest
                     (lowest) value, as for chi-squared.
quantity             All that call as many positive as there are have the highest (lowest) value,
                     as for McNemar's statistic.
none                 At some class sizes other classifiers have values on either side of the perfect
                     one's, or all classifiers have the same value.
===================  ==============================================================================
"""


class UndefinedMetricWarning(UserWarning):
    """A warning about a metric that divides 0 by 0 on the given labels."""


@dataclass(frozen=True, repr=False)
class Declaration:
    """A declared formula over a kind of confusion matrix, with its names and source."""

    key: str
    symbol: str
    name: str
    source: str
    formula: Callable[[Any], Value]
    aliases: tuple[str, ...] = ()

    matrix_type: ClassVar[Any]
    """Class of the matrices that the formula takes."""

    def __post_init__(self) -> None:
        for name in ("key", "symbol", "name", "source"):
            expect_text(name, getattr(self, name))
        aliases = expect_several("aliases", self.aliases, "other names")
        expect(all(isinstance(alias, str) for alias in aliases), "aliases", aliases, "other names")
        expected = f"a function of a {self.matrix_type.__name__}"
        expect(callable(self.formula), "formula", self.formula, expected)
        text = getattr(self.formula, "description", None)
        if isfunction(self.formula):
            text = self.formula.__doc__
        parts = [
            f"{self.name[:1].upper()}{self.name[1:]} ({self.source}).",
            " ".join((text or "").split()),
            f"``{self.key}(matrix)`` takes a {self.matrix_type.__name__}, and"
            f" ``{self.key}(y_true, y_pred)`` takes labels.",
        ]
        object.__setattr__(self, "__doc__", "\n\n".join(filter(None, parts)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key}: {self.name})"

    def __call__(self, matrix: Any, y_pred: ArrayLike | None = None, **options: Any) -> Value:
        """Evaluate the formula at a matrix, or :meth:`score` true and predicted labels."""
        if y_pred is not None:
            return self.score(matrix, y_pred, **options)
        expected = f"a {self.matrix_type.__name__}, or true and predicted labels"
        expect(isinstance(matrix, self.matrix_type), "matrix", matrix, expected)
        return self.formula(matrix)

    def score(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        undefined: ScorePolicy = "warn",
        **options: Any,
    ) -> float:
        """Score predicted labels.

        Parameters
        ----------
        y_true, y_pred
            True and predicted labels, shape (instances,).
        undefined
            Treatment of 0 divided by 0: "warn" returns NaN with an
            :class:`UndefinedMetricWarning`, "error" raises, and a finite number or NaN replaces the
            value.
        **options
            Other arguments of the matrix's ``from_labels``, which lists invalid labels:
            `sample_weight`, and `pos_label` for two classes or `labels` for any number.

        Returns
        -------
        The value; it is infinite if an unbounded metric divides another number by 0.

        Raises
        ------
        ValueError
            If labels or weights are invalid, if `undefined` is not one of these, or if it is
            "error" and the value is undefined.
        """
        refuse_wrong_policy(undefined)
        matrix = self.matrix_type.from_labels(y_true, y_pred, **options)
        return settled({self.key: float(self(matrix))}, undefined)[self.key]


@dataclass(frozen=True, repr=False)
class Metric(Declaration):
    """A classification metric: a formula over the confusion matrix, with its names and source.

    Called with a :class:`~skewproof.core.confusion.ConfusionMatrix`, it returns float64 values of
    the matrix's broadcast shape: NaN where the metric is undefined, and -inf or inf where an
    unbounded metric divides by 0. Called with a symbolic matrix, it returns a SymPy expression.
    Called with true and predicted labels, it returns their :meth:`score`.

    Attributes
    ----------
    key
        Self-explanatory name, used in configs, files and code.
    symbol
        The paper's symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it, and its equation in van Zyl and Engelbrecht.
    aliases
        Other names in use.
    bounds
        Smallest and largest value, infinite if the metric is unbounded; None if they are not known.
        Sensitivity analyses use values scaled to [0, 1] by :func:`skewproof.core.scales.bounded`.
    direction
        The direction of good values.
    remark
        Disagreement of sources on the formula; empty if there is none.
    community
        Key of the field that uses this name, one of
        :data:`skewproof.metrics.atlas.COMMUNITIES`; empty for a name from the literature on class
        imbalance, and for a user's own metric.
    bounds_of_counts
        Smallest and largest value over whole counts, if they are narrower than those over real
        cells.
    variant_of
        Key of the metric of which it is the normalized variant, or None.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.metrics import f1
    >>> float(f1(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)))
    0.72
    >>> f1([1, 1, 0, 0], [1, 0, 0, 0])
    0.6666666666666666
    """

    matrix_type = ConfusionMatrix

    bounds: Bounds | None = (0.0, 1.0)
    direction: Direction = "higher"
    remark: str = ""
    community: str = ""
    bounds_of_counts: Bounds | None = None
    variant_of: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("remark", "community"):
            expect_text(name, getattr(self, name))
        for name in ("bounds", "bounds_of_counts"):
            bounds = getattr(self, name)
            pair = isinstance(bounds, tuple) and len(bounds) == 2
            numbers = pair and all(isinstance(end, Real) and not math.isnan(end) for end in bounds)
            expected = "a pair of numbers, maybe infinite, or None"
            expect(bounds is None or numbers, name, bounds, expected)
        expect_choice("direction", self.direction, get_args(Direction))
        if self.variant_of is not None:
            expect_text("variant_of", self.variant_of)
        more = (
            f" ``skewproof.metrics.describe({self.key})`` has the formula and the range, and says"
            " whether the class sizes enter."
        )
        object.__setattr__(self, "__doc__", f"{self.__doc__}{more}\n")

    @property
    def lower_is_better(self) -> bool:
        """True if the perfect classifier has the lowest value, as for metrics that count errors."""
        return self.direction in ("lower", "association, lowest", "quantity, lowest")

    def __call__(self, matrix: Any, y_pred: ArrayLike | None = None, **options: Any) -> Value:
        """Evaluate the formula at a matrix, or :meth:`score` true and predicted labels."""
        value = super().__call__(matrix, y_pred, **options)
        if y_pred is not None or is_symbolic(matrix.tp):
            return value
        # The value of a metric of one rate has only that rate's shape so far.
        return np.broadcast_to(value, matrix.shape)


def expect_metric(metric: Any, name: str = "metric") -> None:
    """Refuse anything but a metric, such as its key; `name` is the argument's.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    expect(isinstance(metric, Metric), name, metric, "a Metric, such as skewproof.metrics.f1")


def expect_metrics(metrics: Any, *, none: bool = False) -> list[Metric]:
    """List metrics, at least one unless there may be none.

    Raises
    ------
    ValueError
        If a value is anything else, or if an empty list is not accepted.
    """
    chosen = expect_several("metrics", metrics, "a list of Metric, such as [skewproof.metrics.f1]")
    expect(bool(chosen) or none, "metrics", metrics, "at least one")
    for metric in chosen:
        expect_metric(metric, "metrics")
    return chosen


def refuse_wrong_policy(undefined: Any) -> None:
    """Refuse a value that is neither a policy for undefined scores nor a number.

    Raises
    ------
    ValueError
        If it is; the message has the value and what is expected.
    """
    if isinstance(undefined, str):
        fits = undefined in ("warn", "error")
    else:
        unknown = isinstance(undefined, float | np.floating) and bool(np.isnan(undefined))
        fits = unknown or is_finite(undefined)
    expect(fits, "undefined", undefined, "'warn', 'error', NaN or a finite number")


def settled(values: dict[str, float], undefined: ScorePolicy) -> dict[str, float]:
    """Apply the policy to undefined scores, given by metric.

    Raises
    ------
    ValueError
        If the policy is "error" and a score is undefined.
    """
    missing = [key for key, value in values.items() if np.isnan(value)]
    if not missing:
        return values
    message = f"undefined on these labels, 0 divided by 0: {', '.join(missing)}"
    if undefined == "error":
        raise ValueError(message)
    if undefined == "warn":
        warnings.warn(f"{message}; the score is NaN", UndefinedMetricWarning, stacklevel=3)
    stand_in = np.nan if isinstance(undefined, str) else float(undefined)
    return values | dict.fromkeys(missing, stand_in)


def metric(
    *, symbol: str, name: str, source: str, aliases: Iterable[str] = (), **properties: Any
) -> Callable[[Formula], Metric]:
    """Declare a metric by its formula; the function's name is the metric's key.

    Parameters
    ----------
    symbol, name, source, aliases
        As for :class:`Metric`.
    properties
        Further attributes of :class:`Metric`, such as bounds and direction.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, metric
    >>> @metric(symbol="h", name="share of hits", source="an example")
    ... def hits(c):
    ...     return c.tp / (c.tp + c.fp + c.fn + c.tn)
    >>> hits.key, float(hits(ConfusionMatrix(tp=1, fp=1, fn=1, tn=1)))
    ('hits', 0.25)
    """

    return declaring(Metric, symbol=symbol, name=name, source=source, aliases=aliases, **properties)


Kind = TypeVar("Kind", bound=Declaration)


def declaring(
    kind: type[Kind], *, aliases: Iterable[str], **properties: Any
) -> Callable[[Callable[[Any], Value]], Kind]:
    """Return a decorator that declares a formula, whose key is the function's name."""

    def declare(formula: Callable[[Any], Value]) -> Kind:
        key = formula.__name__
        formula.__qualname__ += ".formula"  # where pickle finds the function, as the declaration's
        names = tuple(expect_several("aliases", aliases, "other names"))
        return kind(key=key, formula=formula, aliases=names, **properties)

    return declare
