"""Extreme cut-offs, which find next to nothing or call nearly everything positive.

A classifier should find positives and spare the rest from being looked at. A cut-off that finds
less than a tenth of the positives, or spares less than a tenth of the instances, is hardly what
somebody who maximized a metric wanted. The limits are defined here alone.
"""

from __future__ import annotations

FEWEST_FOUND = 0.1
"""Share of the positives below which a cut-off finds next to nothing."""

MOST_CALLED = 0.9
"""Share of all instances above which a cut-off calls nearly everything positive."""

NOTHING, EVERYTHING = "finds next to nothing", "calls nearly everything positive"


def extreme_in_words(tpr: float, share_called: float) -> str:
    """Describe what is extreme about a cut-off, with the number; the text is empty if nothing is.

    Parameters
    ----------
    tpr
        Share of the positives that it finds.
    share_called
        Share of all instances that it calls positive.

    Examples
    --------
    >>> extreme_in_words(0.004, 1e-6)
    'finds next to nothing: 0.4 % of the positives'
    >>> extreme_in_words(1.0, 0.97)
    'calls nearly everything positive: 97 % of all instances'
    >>> extreme_in_words(0.8, 0.1)
    ''
    """
    if tpr < FEWEST_FOUND:
        return f"{NOTHING}: {100 * tpr:.2g} % of the positives"
    if share_called > MOST_CALLED:
        return f"{EVERYTHING}: {100 * share_called:.4g} % of all instances"
    return ""
