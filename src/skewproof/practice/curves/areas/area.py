"""What an area under a curve of scores is: a function of counts that takes labels and scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.practice.curves.counts import ScoreCounts, score_counts

Entry = TypeVar("Entry")


class Area(Protocol):
    """An area of labels and scores, and the same of the counts at every threshold."""

    __name__: str
    of_counts: Callable[..., Array]
    """Takes :class:`~skewproof.practice.curves.counts.ScoreCounts`, of one curve or of several,
    and the area's own options, and gives a number per curve. Counts may be sums of weights, and a
    whole curve may be scaled."""

    def __call__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> float:
        """Compute the area from labels and scores."""


def area(of_counts: Callable[..., Array]) -> Area:
    """Make an area of labels and scores from a function of counts and keyword options.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import auc
    >>> from skewproof.practice.curves.counts import ScoreCounts
    >>> float(auc.of_counts(ScoreCounts(tp=np.array([0.0, 1, 2]), fp=np.array([0.0, 1, 2]))))
    0.5
    """

    @wraps(of_counts)
    def from_labels(
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        **options: Any,
    ) -> float:
        counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
        return float(of_counts(counts, **options))

    _, *labels, _ = inspect.signature(Area.__call__).parameters.values()
    _, *options = inspect.signature(of_counts).parameters.values()
    signature = inspect.Signature([*labels, *options], return_annotation="float")
    vars(from_labels).update(of_counts=of_counts, __signature__=signature)
    return cast(Area, from_labels)


def of_each(of_one: Callable[[ScoreCounts], Array | float], counts: ScoreCounts) -> Array:
    """Apply a function of one curve to each of several."""
    if counts.tp.ndim == 1:
        return np.asarray(of_one(counts))
    rows = zip(counts.tp, counts.fp, strict=True)
    return np.array([of_one(ScoreCounts(*row)) for row in rows])


def quotient(numerator: Array, denominator: Array) -> Array:
    """The quotient, and 0 where the denominator is 0: in steps that a curve does not take."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=denominator > 0)


def per_curve(value: Array | float) -> Array:
    """Drop the last axis, which the positives and negatives of several curves keep."""
    return np.asarray(value)[..., 0] if np.ndim(value) else np.asarray(value)


def entry_of(area: Any, entries: Mapping[Area, Entry]) -> Entry:
    """Look up what a table has for an area.

    Raises
    ------
    ValueError
        If it has nothing; the message lists the areas that it knows.
    """
    for known_area, entry in entries.items():
        if area is known_area:
            return entry
    known = ", ".join(one.__name__ for one in entries)
    name = getattr(area, "__name__", None)
    given = shortened(name) if isinstance(name, str) else shown(area)
    raise ValueError(f"area = {given}: expected one of {known}")


def check_options(area: Area, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Refuse options that a function does not have, in the name of its area.

    Raises
    ------
    ValueError
        If an option is not among those that the function has defaults for.
    """
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.default is not one.empty]
    for name, value in options.items():
        if name not in known:
            expected = " or ".join(known) or "no option"
            raise ValueError(
                f"{shortened(name)} = {shown(value)}: expected {expected} with {area.__name__}"
            )
