"""Hand's H-measure of scores: the loss over all costs of the two kinds of errors."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy.special import betainc

from skewproof.core.algebra import Array, Value, is_symbolic, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import sympy
from skewproof.core.messages import shown
from skewproof.curves.areas.roc import convex_hull
from skewproof.curves.counts import ScoreCounts, quotient

SHAPES = (1e-6, 1e6)
"""Range of the shapes. Rounding errors of a loss grow as the smaller shape falls; at 1e-6 they are
below 1e-9."""

Costs = tuple[float, float] | Literal["prior"]
"""Shapes of the Beta distribution of the cost, or "prior" for those that the class sizes give."""


def h_measure(counts: ScoreCounts, *, costs: Costs = (2, 2)) -> Array:
    """Compute Hand's H-measure, in [0, 1]: the share of a constant loss that is spared.

    A false positive costs c and a false negative 1 - c, where c follows a Beta distribution, and at
    every c the best threshold is used. H is 1 less the ratio of the mean loss to that of the better
    of calling all instances positive and calling none positive (Hand 2009). Eq. 18 of
    Beddar-Wiesing et al. (2025) is the mean loss itself, which is not divided by anything and is 0
    for a perfect classifier.

    Parameters
    ----------
    counts
        Counts at every threshold, of one curve or of several, at the prevalence of the area.
    costs
        Shapes of the Beta distribution of c, from 1e-6 to 1e6: (2, 2) as Hand has it, or "prior"
        for (1 + P/T, 1 + N/T), whose mode is the share of positives (Hand and Anagnostopoulos
        2014).

    Returns
    -------
    The H-measure; 0 for constant scores, which are a constant classifier, and for scores that rank
    no better.

    Raises
    ------
    ValueError
        If a shape is not a number in its range.

    Examples
    --------
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 1, 2, 2]), fp=np.array([0.0, 0, 1, 1, 2]))
    >>> round(float(h_measure(counts)), 3)
    0.5
    """
    return h_of_hulls(convex_hull(counts), costs=costs)


def h_of_hulls(hulls: ScoreCounts, *, costs: Costs = (2, 2)) -> Array:
    """Compute the H-measure of curves that are their own convex hulls, whatever the prevalence."""
    share = np.asarray(hulls.prevalence)
    shapes = costs_as_shapes(costs) or (1 + share, 2 - share)
    fpr, tpr = hulls.fp / hulls.negatives, hulls.tp / hulls.positives
    gain, cost = share * np.diff(tpr), (1 - share) * np.diff(fpr)
    # Values of c at which the next corner of the hull takes over: c falls from 1 to 0 along it.
    borders = quotient(gain, gain + cost)
    loss = _mean_loss((1 - share) * fpr, share * (1 - tpr), borders, shapes)
    # All are called negative if c is above the share of positives, and positive if it is below.
    few = np.atleast_1d(share)
    none = np.zeros_like(few)
    false_positives = np.concatenate([none, 1 - few], axis=-1)
    false_negatives = np.concatenate([few, none], axis=-1)
    constant = _mean_loss(false_positives, false_negatives, few, shapes)
    return np.clip(1 - loss / constant, 0, 1)


def _mean_loss(
    false_positives: Array, false_negatives: Array, borders: Array, shapes: tuple[Any, Any]
) -> Array:
    """Integrate the loss of corners over c.

    The first corner is best from c = 1 down to the first border, and the last one from the last
    border down to 0.
    """
    a, b = shapes
    parts = betainc(a + 1, b, borders), betainc(a, b + 1, borders)
    of_cost, of_rest = (-np.diff(part, axis=-1, prepend=1.0, append=0.0) for part in parts)
    losses = a / (a + b) * false_positives * of_cost + b / (a + b) * false_negatives * of_rest
    return losses.sum(axis=-1)


def costs_as_shapes(costs: Costs) -> tuple[float, float] | None:
    """Check the shapes; None stands for those that the class sizes give."""
    if isinstance(costs, str) and costs == "prior":
        return None
    try:
        first, second = (float(shape) for shape in costs)
    except (TypeError, ValueError):
        first = second = np.nan
    low, high = SHAPES
    if not (low <= first <= high and low <= second <= high):
        expected = f"expected 'prior' or two numbers from {low:g} to {high:g}"
        raise ValueError(f"costs = {shown(costs)}: {expected}")
    return first, second


def h_of_one_threshold(c: ConfusionMatrix) -> Value:
    """Compute the H-measure of a classifier without scores, for Beta(2, 2) costs, in [0, 1].

    A classifier that is worse than guessing counts as guessing, as on the convex hull. The measure
    is undefined if the classifier calls none or all positive.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.curves.areas.h_measure import h_of_one_threshold
    >>> round(float(h_of_one_threshold(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20))), 3)
    0.359
    """
    chance = c.positives * c.fpr
    tp = (c.tp + chance + abs(c.tp - chance)) / 2
    fn, total = c.positives - tp, c.total
    high, low = ratio(tp, tp + c.fp), ratio(fn, fn + c.tn)
    share = ratio(c.positives, total)
    half = sympy.Rational(1, 2) if is_symbolic(c.tp) else 0.5

    def of_cost(border: Value) -> Value:
        """Integrate c from 0."""
        return 2 * border**3 - 3 * half * border**4

    def of_rest(border: Value) -> Value:
        """Integrate 1 - c from 0."""
        return 3 * border**2 - 4 * border**3 + 3 * half * border**4

    by_false_positives = c.fp * (of_cost(high) - of_cost(low)) + c.negatives * of_cost(low)
    by_false_negatives = fn * (of_rest(high) - of_rest(low))
    by_false_negatives += c.positives * (half - of_rest(high))
    constant = c.positives * (half - of_rest(share)) + c.negatives * of_cost(share)
    return 1 - ratio(by_false_positives + by_false_negatives, constant)
