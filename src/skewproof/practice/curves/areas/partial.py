"""Partial area under the ROC curve."""

from __future__ import annotations

from numbers import Real
from typing import Any

from numpy.typing import ArrayLike

from skewproof.core.messages import shown
from skewproof.practice.curves.areas import of_counts
from skewproof.practice.curves.counts import score_counts


def partial_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    max_fpr: float = 0.1,
) -> float:
    """Area under the ROC curve up to a false positive rate, as corrected by McClish (1989).

    Of the area A up to the rate e it is (1 + (A - e²/2)/(e - e²/2))/2: 1/2 for the diagonal and 1
    for a perfect ranking, whatever e is. The curve is straight between its points, and so it is cut
    at e.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.threshold_matrices`, which says what it refuses.
    max_fpr
        The largest false positive rate e, in (0, 1]. With 1 it is the AUC.

    Returns
    -------
    At most 1; at least (1 - e)/(2 - e), which is a little less than 1/2 where e is small.

    Raises
    ------
    ValueError
        If labels, scores or weights are refused, or `max_fpr` is out of its range.

    Examples
    --------
    >>> from skewproof import partial_auc
    >>> true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    >>> round(partial_auc(true, scores, max_fpr=0.5), 3), partial_auc(true, scores, max_fpr=1)
    (0.667, 0.75)
    """
    limit = checked_max_fpr(max_fpr)
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    return float(of_counts.partial_auc(counts, max_fpr=limit))


def checked_max_fpr(max_fpr: Any) -> float:
    """A largest false positive rate, above 0 and at most 1."""
    if isinstance(max_fpr, bool) or not (isinstance(max_fpr, Real) and 0 < float(max_fpr) <= 1):
        expected = "expected a number above 0 and at most 1"
        raise ValueError(f"max_fpr = {shown(max_fpr)}: {expected}")
    return float(max_fpr)
