"""What a metric is: a formula over the confusion matrix, with its names and properties."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import isfunction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Value, is_symbolic
from skewproof.core.arguments import expect, is_finite
from skewproof.core.confusion import ConfusionMatrix

Formula = Callable[[ConfusionMatrix], Value]
Bounds = tuple[float, float]

ScorePolicy = Literal["warn", "error"] | float
"""What to do with an undefined score: give NaN with a warning, raise, or take a number for it."""

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
"""What a good value is, at given class sizes.

===================  ==============================================================================
higher, lower        The perfect classifier has the highest (lowest) value, and the one that is
                     always wrong has not. Where 0/0 is the perfect one's own, those near it count.
target               The perfect classifier has a value between others: 1 of the frequency bias.
association          The perfect classifier and the one that is always wrong both have the highest
                     (lowest) value, as for chi-squared.
quantity             All that call as many positive as there are have the highest (lowest) value,
                     as for McNemar's statistic.
none                 At some class sizes others lie on either side of the perfect classifier, or
                     all classifiers have the same value.
===================  ==============================================================================
"""


class UndefinedMetricWarning(UserWarning):
    """A metric divides 0 by 0 on the labels that it was given."""


@dataclass(frozen=True, repr=False)
class Metric:
    """A classification metric: a formula over the confusion matrix, with its names and source.

    Calling it with a :class:`~skewproof.core.confusion.ConfusionMatrix` gives float64 values of the
    matrix's broadcast shape, NaN where the metric is undefined, and -inf or inf where an unbounded
    one divides by 0; with a symbolic matrix it gives a SymPy expression. :meth:`score` takes
    labels.

    Attributes
    ----------
    key
        Self-explaining name, used in configs, files and code.
    symbol
        The paper's symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it, and its equation in van Zyl and Engelbrecht.
    aliases
        Other names in use.
    bounds
        Smallest and largest value, infinite if the metric is unbounded; None where nobody has said
        or found them yet. What the study analyzes is always in [0, 1]:
        :func:`skewproof.core.scales.bounded`.
    direction
        What a good value is.
    remark
        Where sources disagree on the formula; else empty.
    community
        Key of the field that has this name for it, one of
        :data:`skewproof.metrics.atlas.COMMUNITIES`; empty for the name in the literature on class
        imbalance, and for a user's own metric.
    bounds_of_counts
        Smallest and largest value over whole counts, where those over real cells lie beyond.
    variant_of
        Key of the metric of which it is the normalized variant, or None.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, f1
    >>> float(f1(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20)))
    0.72
    >>> f1.score([1, 1, 0, 0], [1, 0, 0, 0], pos_label=1)
    0.6666666666666666
    """

    key: str
    symbol: str
    name: str
    source: str
    formula: Formula
    aliases: tuple[str, ...] = ()
    bounds: Bounds | None = (0.0, 1.0)
    direction: Direction = "higher"
    remark: str = ""
    community: str = ""
    bounds_of_counts: Bounds | None = None
    variant_of: str | None = None

    def __post_init__(self) -> None:
        text = self.formula.__doc__ if isfunction(self.formula) else None
        parts = [
            f"{self.name[:1].upper()}{self.name[1:]} ({self.source}).",
            " ".join((text or "").split()),
            f"``{self.key}(matrix)`` takes a ConfusionMatrix, ``{self.key}.score(y_true, y_pred)``"
            f" labels; ``skewproof.describe({self.key})`` has the formula and the range, and says"
            " whether the class sizes enter.",
        ]
        object.__setattr__(self, "__doc__", "\n\n".join(filter(None, parts)) + "\n")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key}: {self.name})"

    @property
    def lower_is_better(self) -> bool:
        """Whether the perfect classifier has the lowest value, as of what counts errors."""
        return self.direction in ("lower", "association, lowest", "quantity, lowest")

    def __call__(self, matrix: ConfusionMatrix) -> Value:
        """Evaluate the formula."""
        value = self.formula(matrix)
        # A metric of one rate has that rate's shape until here.
        return value if is_symbolic(matrix.tp) else np.broadcast_to(value, matrix.shape)

    def score(
        self,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        undefined: ScorePolicy = "warn",
    ) -> float:
        """Score predicted labels.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As for :meth:`skewproof.core.confusion.ConfusionMatrix.from_labels`, which says what it
            refuses.
        undefined
            What to do where the metric divides 0 by 0: "warn" gives NaN and an
            :class:`UndefinedMetricWarning`, "error" raises; a finite number, or NaN, is taken for
            it.

        Returns
        -------
        The metric's value; infinite where an unbounded one divides another number by 0.

        Raises
        ------
        ValueError
            If labels or weights are refused, `undefined` is not one of these, or it is "error" and
            the metric is undefined.
        """
        refuse_wrong_policy(undefined)
        matrix = ConfusionMatrix.from_labels(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        return settled({self.key: float(self(matrix))}, undefined)[self.key]


def refuse_wrong_policy(undefined: Any) -> None:
    """Refuse what is neither a policy for undefined scores nor a number in their place.

    Raises
    ------
    ValueError
        It names the value and what is expected.
    """
    if isinstance(undefined, str):
        fits = undefined in ("warn", "error")
    else:
        unknown = isinstance(undefined, float | np.floating) and bool(np.isnan(undefined))
        fits = unknown or is_finite(undefined)
    expect(fits, "undefined", undefined, "'warn', 'error', NaN or a finite number")


def settled(values: dict[str, float], undefined: ScorePolicy) -> dict[str, float]:
    """Scores by metric, with the policy applied to those that are undefined.

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
        warnings.warn(f"{message}; NaN is given", UndefinedMetricWarning, stacklevel=3)
    stand_in = np.nan if isinstance(undefined, str) else float(undefined)
    return values | dict.fromkeys(missing, stand_in)


def metric(
    *, symbol: str, name: str, source: str, aliases: Iterable[str] = (), **properties: Any
) -> Callable[[Formula], Metric]:
    """Declare a metric: its function's name is its key.

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

    def declare(formula: Formula) -> Metric:
        key = formula.__name__
        return Metric(key, symbol, name, source, formula, aliases=tuple(aliases), **properties)

    return declare
