"""An estimated prevalence at which the rates of other instances than its reference are used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skewproof.intervals.without_labels import prevalence_intervals
from skewproof.prevalence.prevalence import RAREST, At, EstimatedRange, Prevalence


def for_other_rates(at: At | Mapping[Any, float], confidence: float) -> Prevalence:
    """Return what is known of the prevalence of two classes, for any rates.

    A prevalence that is estimated without labels becomes its interval, and others stay as they are.
    The interval of a function over this range is the envelope of its intervals at each prevalence
    inside, with the same confidence. In simulations such envelopes hold about as often as their
    confidence states, or more often, both with the instances of the reference and with others.

    Parameters
    ----------
    at
        Prevalence of two classes.
    confidence
        Level of the interval of the prevalence.

    Raises
    ------
    ValueError
        As :func:`skewproof.estimate_prevalence`, or if `at` has named classes.
    """
    known = Prevalence.given(at).for_two_classes()
    if known.estimate is None:
        return known
    interval, *_ = prevalence_intervals(known.estimate, confidence)
    low, high = (min(max(end, RAREST), 1 - RAREST) for end in (interval.low, interval.high))
    return EstimatedRange((low, high), known.estimate)
