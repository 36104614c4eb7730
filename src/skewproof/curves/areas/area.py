"""Areas under curves of scores: the registry of their kinds, and their values in a sample."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.messages import shortened, shown
from skewproof.core.registry import nearest
from skewproof.curves.areas.h_measure import h_measure
from skewproof.curves.areas.precision_recall import (
    average_precision,
    balanced_average_precision,
    calibrated_average_precision,
    interpolated_average_precision,
    normalized_average_precision,
    normalized_precision_recall_area,
    precision_recall_gain_area,
)
from skewproof.curves.areas.roc import auc, partial_auc
from skewproof.curves.counts import at_prevalence, score_counts
from skewproof.prevalence.prevalence import At, Prevalence

Function = TypeVar("Function", bound=Callable[..., Any])

AREAS: dict[str, Callable[..., Array]] = {
    function.__name__: function
    for function in (
        auc,
        partial_auc,
        average_precision,
        interpolated_average_precision,
        normalized_average_precision,
        normalized_precision_recall_area,
        calibrated_average_precision,
        balanced_average_precision,
        precision_recall_gain_area,
        h_measure,
    )
}
"""Function of each kind of area. It takes :class:`~skewproof.curves.counts.ScoreCounts`, of one
curve or of several, at the prevalence of the area, and the area's own options, and returns a number
per curve. Counts may be sums of weights, and a whole curve may be scaled."""

DEFAULT_AT: dict[str, At] = {"calibrated_average_precision": "1:1"}
"""Prevalence of an area by default, if it is not the population's."""


def area(
    kind: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    at: At | None = None,
    **options: Any,
) -> float:
    """Compute an area under a curve of scores, or a number used like one.

    ================================== =============================== ======= =====================
    kind                               value                           option  source
    ================================== =============================== ======= =====================
    "auc"                              area under the ROC curve        ties    Tharwat 2021,
                                                                               Algorithm 2
    "partial_auc"                      the same up to an FPR, scaled   max_fpr McClish 1989
                                       so that chance has 1/2
    "average_precision"                area under the precision-recall         Siblini et al. 2020
                                       curve, in steps
    "interpolated_average_precision"   the same, with precision                Tharwat 2021, Eq. 18
                                       interpolated between the steps
    "normalized_average_precision"     (AP - π)/(1 - π) of the average
                                       precision AP at the prevalence
                                       π
    "normalized_precision_recall_area" interpolated area, scaled by            Boyd et al. 2012
                                       the least that it can be
    "calibrated_average_precision"     average precision at 1:1 unless         Siblini et al. 2020
                                       `at` is given
    "balanced_average_precision"       average precision at 1:1,               Wu et al. 2021, Eq. 1
                                       whatever `at` is
    "precision_recall_gain_area"       area under the curve of         hull    Flach and Kull 2015
                                       precision-recall gains
    "h_measure"                        share of a constant loss that   costs   Hand 2009
                                       is spared, over all costs
    ================================== =============================== ======= =====================

    The functions in ``skewproof.curves.areas.area.AREAS`` state each formula and range. "auc",
    "partial_auc" and "balanced_average_precision" depend on the rates alone, and are the same at
    every prevalence.

    Parameters
    ----------
    kind
        The area, one of the table.
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.curves.threshold_matrices`, with the same errors.
    at
        Prevalence of the area, as for :func:`skewproof.interval`, if each class keeps its scores.
        By default it is that of the labels, and 1:1 for "calibrated_average_precision".
    **options
        Options of the area. "auc" takes ``ties``: "optimistic" puts the positives first among
        instances with equal scores, "pessimistic" the negatives, and "expected", the default, is
        the mean of both. "partial_auc" takes ``max_fpr``, the largest false positive rate, in
        (0, 1] and 0.1 by default. "precision_recall_gain_area" takes ``hull``: whether to use the
        convex hull of the ROC curve, by default False. "h_measure" takes ``costs``: the two shapes
        of the Beta distribution of the cost of a false positive, from 1e-6 to 1e6 and (2, 2) by
        default, or "prior" for (1 + P/T, 1 + N/T), which has its mode at the share of positives.

    Raises
    ------
    ValueError
        If `kind` is not in the table, the area does not take an option, or another argument is
        refused. For another kind the message offers the nearest spelling and lists all of them.

    Examples
    --------
    >>> from skewproof.curves import area
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> area("auc", true, scores), area("auc", [1, 0], [0.5, 0.5], ties="optimistic")
    (0.75, 1.0)
    >>> round(area("average_precision", true, scores), 3)
    0.833
    >>> round(area("average_precision", true, scores, at="1:1000"), 3)
    0.501
    >>> area("precision_recall_gain_area", true, scores, hull=True)
    0.75
    """
    function = function_of(kind, AREAS, options)
    prevalence = prevalence_of(kind, at)
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(function(at_prevalence(counts, prevalence), **options))


def prevalence_of(kind: str, at: At | None) -> Prevalence:
    """Return the prevalence of an area, which is its own default if none is given."""
    given = DEFAULT_AT.get(kind, "population") if at is None else at
    return Prevalence.given(given).for_two_classes()


def function_of(
    kind: Any, functions: Mapping[str, Function], options: Mapping[str, Any]
) -> Function:
    """Look up the function of a kind of area, and check that it takes the options.

    Raises
    ------
    ValueError
        If no function is of this kind, or it has no default for an option.

    Examples
    --------
    >>> function_of("auk", AREAS, {})
    Traceback (most recent call last):
        ...
    ValueError: kind = 'auk': expected one of auc, partial_auc, average_precision, \
interpolated_average_precision, normalized_average_precision, normalized_precision_recall_area, \
calibrated_average_precision, balanced_average_precision, precision_recall_gain_area, h_measure; \
did you mean 'auc'?
    """
    if not (isinstance(kind, str) and kind in functions):
        raise ValueError(
            f"kind = {shown(kind)}: expected one of {', '.join(functions)}"
            f"{nearest(kind, functions)}"
        )
    function = functions[kind]
    parameters = inspect.signature(function).parameters.values()
    known = [parameter.name for parameter in parameters if parameter.default is not parameter.empty]
    for name, value in options.items():
        if name not in known:
            expected = " or ".join(known) or "no option"
            raise ValueError(f"{shortened(name)} = {shown(value)}: expected {expected} with {kind}")
    return function
