"""Areas under curves of scores as functions of counts, and of labels and scores."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.curves.counts import ScoreCounts, at_prevalence, score_counts
from skewproof.prevalence.prevalence import At, Prevalence

Entry = TypeVar("Entry")


class Area(Protocol):
    """An area under a curve, computed from labels and scores or from counts at every threshold."""

    __name__: str
    of_counts: Callable[..., Array]
    """Function of :class:`~skewproof.curves.counts.ScoreCounts`, of one curve or of
    several. It takes `at` and the area's own options, and returns a number per curve. Counts may be
    sums of weights, and a whole curve may be scaled."""
    at: At
    """Prevalence of the area by default."""

    def __call__(
        self,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        at: At = "population",
        **options: Any,
    ) -> float:
        """Compute the area from labels and scores."""


def area(function: Callable[..., Array], *, at: At = "population") -> Area:
    """Make an area of labels and scores from a function of counts and keyword options.

    The area takes `at`: counts are weighted to that prevalence before the function is called.

    Parameters
    ----------
    function
        Function that takes counts of one curve or of several, and options, and returns a number
        per curve.
    at
        Prevalence of the area by default.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import auc
    >>> from skewproof.curves.counts import ScoreCounts
    >>> float(auc.of_counts(ScoreCounts(tp=np.array([0.0, 1, 2]), fp=np.array([0.0, 1, 2]))))
    0.5
    """
    default = at

    @wraps(function)
    def of_counts(counts: ScoreCounts, *, at: At = default, **options: Any) -> Array:
        return function(at_prevalence(counts, at), **options)

    @wraps(function)
    def from_labels(
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        at: At = default,
        **options: Any,
    ) -> float:
        counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
        return float(of_counts(counts, at=at, **options))

    _, *labels, where, _ = inspect.signature(Area.__call__).parameters.values()
    _, *options = inspect.signature(function).parameters.values()
    parameters = [*labels, where.replace(default=default), *options]
    signature = inspect.Signature(parameters, return_annotation="float")
    vars(from_labels).update(of_counts=of_counts, at=default, __signature__=signature)
    return cast(Area, from_labels)


def place_of(area: Area, at: At | None) -> Prevalence:
    """Return the prevalence of an area, which is its own default if none is given."""
    return Prevalence.given(area.at if at is None else at).for_two_classes().for_any_rates()


def of_each(of_one: Callable[[ScoreCounts], Array | float], counts: ScoreCounts) -> Array:
    """Apply a function of one curve to each of several."""
    if counts.tp.ndim == 1:
        return np.asarray(of_one(counts))
    rows = zip(counts.tp, counts.fp, strict=True)
    return np.array([of_one(ScoreCounts(*row)) for row in rows])


def quotient(numerator: Array, denominator: Array) -> Array:
    """Divide, with 0 where the denominator is 0: in steps that a curve does not take."""
    shape = np.broadcast_shapes(np.shape(numerator), np.shape(denominator))
    return np.divide(numerator, denominator, out=np.zeros(shape), where=denominator > 0)


def per_curve(value: Array | float) -> Array:
    """Drop the last axis, which the positives and negatives of several curves keep."""
    return np.asarray(value)[..., 0] if np.ndim(value) else np.asarray(value)


def entry_of(area: Any, entries: Mapping[Area, Entry]) -> Entry:
    """Look up the entry of an area in a table.

    Raises
    ------
    ValueError
        If there is none; the message lists the known areas.
    """
    for known_area, entry in entries.items():
        if area is known_area:
            return entry
    known = ", ".join(one.__name__ for one in entries)
    name = getattr(area, "__name__", None)
    given = shortened(name) if isinstance(name, str) else shown(area)
    raise ValueError(f"area = {given}: expected one of {known}")


def check_options(area: Area, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Refuse options that an area's function does not take.

    Raises
    ------
    ValueError
        If the function has no default for an option.
    """
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.default is not one.empty]
    for name, value in options.items():
        if name not in known:
            expected = " or ".join(known) or "no option"
            raise ValueError(
                f"{shortened(name)} = {shown(value)}: expected {expected} with {area.__name__}"
            )
