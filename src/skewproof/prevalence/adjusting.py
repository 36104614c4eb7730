"""Adjustment of probabilities to a prevalence other than that of the training data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.data.arrays import checked_probabilities
from skewproof.core.messages import shown
from skewproof.prevalence.prevalence import At, Prevalence

ROW_TOLERANCE = 1e-4
"""Largest distance of a sum of probabilities from 1: models return them in single precision."""


def adjust_probabilities(
    y_prob: ArrayLike, *, trained: At | Mapping[Any, float], at: At | Mapping[Any, float]
) -> Any:
    """Adjust probabilities to a prevalence other than that of the training data.

    If a model was trained on data with other class sizes than those where it will run, for example
    after undersampling, its probabilities are those for the training data. If the instances of each
    class look alike in both places (label shift), Bayes' rule gives the probabilities for the other
    place. The odds are multiplied by a constant: the odds of the prevalence there over those in
    training (Elkan 2001, Theorem 2; Saerens, Latinne and Decaestecker 2002). The order of the
    instances stays the same.

    Parameters
    ----------
    y_prob
        Probabilities in [0, 1]. With two classes they are those of the positive class, of any
        shape. With more, they have the shape (instances, classes): the columns of a frame are named
        by the classes, and those of an array are the classes in sorted order, as in scikit-learn's
        ``predict_proba``.
    trained
        The prevalence in the training data, after any resampling: a number, a level such as "1:1",
        or counts from :meth:`skewproof.Prevalence.sampled`; with more than two classes a mapping or
        Series from each class to its share, in any order.
    at
        The prevalence where the model will run, in the same forms, or an estimate without labels,
        such as from :meth:`skewproof.Prevalence.from_scores`. A belief counts as its mean.

    Returns
    -------
    Probabilities of the same shape; for a Series or frame of pandas, a Series or frame.
    Probabilities of 0 and 1 do not change, and none change if both prevalences are the same.

    Raises
    ------
    ValueError
        If a probability is missing or outside [0, 1], those of an instance do not sum to 1, or a
        prevalence is a range, is not above 0 and below 1, or is not stated for each class.

    Examples
    --------
    A model that was trained on as many positives as negatives returns 0.9. Where one in 1001 is
    positive, this corresponds to less than one percent:

    >>> from skewproof import adjust_probabilities
    >>> adjust_probabilities([0.0, 0.5, 0.9, 1.0], trained="1:1", at="1:1000").round(4).tolist()
    [0.0, 0.001, 0.0089, 1.0]

    Three classes:

    >>> equal = {"cat": 1 / 3, "dog": 1 / 3, "owl": 1 / 3}
    >>> street = {"cat": 0.6, "dog": 0.39, "owl": 0.01}
    >>> adjust_probabilities([[0.2, 0.3, 0.5]], trained=equal, at=street).round(3).tolist()
    [[0.496, 0.483, 0.021]]
    """
    there, before = Prevalence.given(at), Prevalence.given(trained, "trained")
    probabilities = checked_probabilities(y_prob, "y_prob")
    named = not there.has_positive_class, not before.has_positive_class
    if any(named):
        expect(named[0], "at", there.where, "a prevalence for each class by name")
        expect(named[1], "trained", before.where, "a prevalence for each class by name")
        adjusted = _of_classes(y_prob, probabilities, before, there)
    else:
        ratio = odds(one_share(there, "at")) / odds(one_share(before, "trained"))
        adjusted = with_odds(probabilities, ratio)
    return _like(y_prob, adjusted)


def one_share(at: Prevalence, name: str) -> float:
    """Return the single prevalence of two classes to which probabilities can be adjusted.

    Raises
    ------
    ValueError
        If it is a range, a prevalence of the test set alone, or not inside (0, 1).
    """
    known = at.for_two_classes(name)
    single = known.elsewhere and not known.ends
    expect(single, name, known.where, "one prevalence, such as 0.01 or a level")
    expect(0 < known.share < 1, name, known.where, "a prevalence above 0 and below 1")
    return known.share


def odds(share: float) -> float:
    """Return the number of positives per negative."""
    return share / (1 - share)


def with_odds(probabilities: Array, ratio: float | Array) -> Array:
    """Multiply the odds of probabilities: 0 and 1 stay, and small ones keep their precision."""
    raised = probabilities * ratio
    return raised / (raised + (1 - probabilities))


def with_ratios(probabilities: Array, ratios: Array) -> Array:
    """Multiply the odds of probabilities of several classes, and rescale them to sum to 1."""
    raised = probabilities * ratios
    return raised / raised.sum(axis=1, keepdims=True)


def _of_classes(y_prob: Any, probabilities: Array, trained: Prevalence, at: Prevalence) -> Array:
    if hasattr(y_prob, "columns"):
        classes = list(y_prob.columns)
    else:
        names = list(trained.shares)
        try:
            classes = sorted(names)
        except TypeError:
            raise ValueError(
                f"trained = {shown(names)}: expected classes that can be sorted, or a frame whose"
                " columns have their names"
            ) from None
    check_rows(probabilities, len(classes))
    before, there = (class_shares(*named, classes) for named in (("trained", trained), ("at", at)))
    return with_ratios(probabilities, there / before)


def check_rows(probabilities: Array, classes: int, name: str = "y_prob") -> None:
    """Refuse a shape other than (instances, classes), or rows that do not sum to 1.

    Raises
    ------
    ValueError
        If so; the message names the shape or the row.
    """
    if probabilities.ndim != 2 or probabilities.shape[1] != classes:
        raise ValueError(
            f"{name} has the shape {probabilities.shape}: expected {classes} columns, one for each"
            " class"
        )
    sums = probabilities.sum(axis=1)
    wrong = np.abs(sums - 1) > ROW_TOLERANCE
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"{name}[{row}] sums to {sums[row]:g}: expected probabilities of the classes that sum"
            " to 1"
        )


def class_shares(name: str, at: Prevalence, classes: list[Any]) -> Array:
    """Return the prevalences of classes in their order.

    Raises
    ------
    ValueError
        If one is not stated, or is 0; the message names the argument.
    """
    numbers = at.for_classes(classes, name)
    known = numbers is not None and bool(np.all(numbers > 0))
    expect(known, name, at.where, "a prevalence above 0 for each class by name")
    assert numbers is not None
    return numbers / numbers.sum()


def _like(y_prob: Any, adjusted: Array) -> Any:
    """Return the probabilities in the form in which they were given."""
    if hasattr(y_prob, "columns") and hasattr(y_prob, "index"):
        return type(y_prob)(adjusted, index=y_prob.index, columns=y_prob.columns)
    if hasattr(y_prob, "index") and hasattr(y_prob, "dtype"):
        return type(y_prob)(adjusted, index=y_prob.index, name=y_prob.name)
    return adjusted
