"""Calibration of forecasts: reliability curves with bands, and binned errors compared with those of
calibrated forecasts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_confidence, expect_flag, expect_whole, seed_of
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import counts_of_groups
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.deviations import MOST_DRAWS
from skewproof.intervals.estimates import Grouping, percent
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.grouped.effective_numbers import remark_on_groups
from skewproof.intervals.other_rates import for_other_rates
from skewproof.metrics.precision_recall import precision
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.adjusting import with_ratios
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.forecasts import (
    TwoClassForecasts,
    sums_in,
    two_class_forecasts,
)
from skewproof.reporting.result_table import ResultTable
from skewproof.reporting.summary import Summarized, Summary

DEFAULT_BINS = 10
"""Number of bins of forecasts by default."""

MOST_BINS = 1000
"""Most bins: each takes a search of its own."""

DEFAULT_DRAWS = 2000
"""Number of draws of calibrated forecasts by default."""

BLOCK = 2**21
"""Most numbers that are drawn at a time."""

TAIL = 0.95
"""Level of the quantile of the draws that is printed beside their mean."""


class Binned(NamedTuple):
    """Counts in bins of the forecasts, in arrays of the shape (bins,)."""

    positives: Array
    negatives: Array

    excess: Array
    """Positives less their number expected by the forecasts, as a share of all instances."""

    mean: Array
    """Mean forecast at the same prevalence."""

    lowest: Array
    highest: Array


def reliability_curve(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    at: At = "population",
    trained: At | None = None,
    bins: int = DEFAULT_BINS,
    simultaneous: bool = False,
    confidence: float = 0.95,
    groups: ArrayLike | None = None,
    pos_label: Any = 1,
) -> pd.DataFrame:
    """Compute the share of positives among forecasts of about the same probability, with a band.

    Forecasts are calibrated where both agree. At a prevalence other than the test set's, positives
    and negatives are weighted to it. The share of positives in a bin is the precision of a
    classifier that calls the instances of this bin positive, so that its interval is that of
    :func:`skewproof.interval` for the precision.

    The band is for the calibration of the binned forecasts: it covers the share of positives among
    all forecasts of the population that lie in the bin. It does not cover the probability at a
    single forecast, which may change within the bin. The band is pointwise: it holds for each bin
    with the stated confidence, and therefore misses some bin more often. With `simultaneous` it
    holds for all bins at once. docs/evidence/probability_coverage.md measures how often both bands
    hold.

    Bins have about the same number of instances when both classes count alike, so that the
    forecasts for a rare class are not all in one bin. Equal forecasts are in the same bin.

    Parameters
    ----------
    y_true
        True labels of two classes, shape (instances,).
    y_prob
        Probabilities of the positive class in [0, 1], shape (instances,).
    at
        Prevalence where the forecasts will be made, as for :func:`skewproof.interval`. One that is
        estimated without labels counts as the range of its interval, around the estimate.
    trained
        The prevalence in the training data, if the forecasts are to be adjusted to that of `at`
        before they are examined, as by :func:`skewproof.adjust_probabilities`; by default forecasts
        are left alone. For a range they are adjusted to its middle on the scale of log odds.
    bins
        Largest number of bins, from 1 to 1000.
    simultaneous
        Whether the band holds for all bins at once with the stated confidence (Bonferroni), not
        just for each.
    confidence
        Level of the band, in (0, 1).
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. docs/evidence/group_scores.md measures the coverage.
    pos_label
        Label of the positive class.

    Returns
    -------
    Frame with a row for each bin and the columns lowest and highest, its range of forecasts;
    forecast, their mean; frequency, the share of positives; low and high, the band; positives and
    negatives, the counts in the test set; and at; with `groups` also grouping, which tells what the
    rows are worth for the frequency. Mean and share are those at the single prevalence that stands
    for `at`.

    Raises
    ------
    ValueError
        If labels are all of one class or refused, a probability is missing or outside [0, 1], or
        another argument is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import reliability_curve
    >>> random = np.random.default_rng(0)
    >>> p = random.uniform(size=1000)
    >>> y = random.uniform(size=1000) < p
    >>> curve = reliability_curve(y, p, bins=3)
    >>> curve[["forecast", "frequency", "low", "high"]].round(2).values.tolist()
    [[0.18, 0.19, 0.15, 0.23], [0.52, 0.52, 0.47, 0.58], [0.84, 0.84, 0.8, 0.88]]
    """
    expect_confidence("confidence", confidence)
    expect_flag("simultaneous", simultaneous)
    bins = expect_whole("bins", bins, 1, MOST_BINS)
    where = for_other_rates(at, confidence)
    forecasts = two_class_forecasts(y_true, y_prob, pos_label=pos_label).adjusted(trained, where)
    numbers = bin_numbers(forecasts, bins)
    counts = binned(forecasts, numbers, forecasts.shares_at(where))
    positives, negatives = forecasts.sizes
    level = 1 - (1 - confidence) / len(counts.mean) if simultaneous else confidence
    matrix = ConfusionMatrix.from_tp_fp(
        counts.positives, counts.negatives, positives=positives, negatives=negatives
    )
    by_group = None
    if groups is not None:
        classes, places = np.divmod(forecasts.cells, len(forecasts.values))
        shape = 2, len(counts.mean)
        table = counts_of_groups(groups, classes * shape[1] + numbers[places], shape, None)
        few, others = (
            remark_on_groups(table, TWO_CLASSES),
            table.sum(axis=-1, keepdims=True) - table,
        )
        by_group = list(np.moveaxis(np.stack([table, others], axis=-1), 2, 0))
    rows = ClassRows.at(
        matrix_of_two(matrix).counts, where, TWO_CLASSES, by_group=by_group, confidence=level
    )
    estimates = rows.estimates(of_two_classes(precision), radius_of(level))
    frame = pd.DataFrame(
        {
            "lowest": counts.lowest,
            "highest": counts.highest,
            "forecast": counts.mean,
            "frequency": estimates.values,
            "low": estimates.low,
            "high": estimates.high,
            "positives": counts.positives.astype(int),
            "negatives": counts.negatives.astype(int),
            "at": str(where),
        }
    )
    if by_group is not None:
        said = [
            Grouping(len(by_group[0]), positives + negatives, effect)
            for effect in rows.design_effects(of_two_classes(precision)).tolist()
        ]
        frame["grouping"] = [f"{text}. {few}".removesuffix(". ") for text in map(str, said)]
    return ResultTable(frame)


def bin_numbers(forecasts: TwoClassForecasts, bins: int) -> NDArray[np.intp]:
    """Number the bin of each distinct forecast, from 0, such that none are empty."""
    weights = forecasts.class_weights
    middles = np.cumsum(weights) - weights / 2
    return np.unique((middles / weights.sum() * bins).astype(np.intp), return_inverse=True)[1]


def binned(forecasts: TwoClassForecasts, numbers: NDArray[np.intp], shares: Array) -> Binned:
    """Compute counts and mean forecasts of bins at class shares."""
    of_positives, of_negatives = (shares / forecasts.sizes)[:, np.newaxis] * forecasts.counts
    weights = of_positives + of_negatives
    promised = sums_in(numbers, weights * forecasts.of_positive)
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    last = np.append(first[1:], numbers.size) - 1
    positives, negatives = (sums_in(numbers, counts) for counts in forecasts.counts)
    return Binned(
        positives,
        negatives,
        sums_in(numbers, of_positives) - promised,
        promised / sums_in(numbers, weights),
        forecasts.of_positive[first],
        forecasts.of_positive[last],
    )


@dataclass(frozen=True, repr=False)
class CalibrationError(Summarized):
    """A binned calibration error, beside that of calibrated forecasts.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import calibration_error
    >>> random = np.random.default_rng(0)
    >>> p = random.uniform(size=200)
    >>> print(calibration_error(random.uniform(size=200) < p, p))
    calibration error in 10 bins = 0.057 in the population; calibrated forecasts have 0.068 on \
average, and 95 % of their samples have at most 0.096
    """

    value: float
    """Mean absolute difference of forecast and frequency over the bins, each with its share of the
    instances, in [0, 1]."""

    if_calibrated: float
    """Mean error that the same forecasts would have if they were calibrated, which is not 0."""

    if_calibrated_high: float
    """Error that calibrated forecasts exceed in at most 5 % of the samples."""

    p_value: float
    """Share of the draws of calibrated forecasts whose error is at least as large, with the
    observed error counted among them."""

    bins: int
    """Number of bins."""

    at: Prevalence
    """Prevalence of the error."""

    def __str__(self) -> str:
        return (
            f"calibration error in {self.bins} bins = {self.value:.2g} {self.at.where}; calibrated"
            f" forecasts have {self.if_calibrated:.2g} on average, and {percent(TAIL)} of their"
            f" samples have at most {self.if_calibrated_high:.2g}"
        )

    def __repr__(self) -> str:
        return f"CalibrationError({self})"

    def summary(self) -> Summary:
        """Return the summary of the error."""
        title, _, rest = str(self).partition("; ")
        return Summary(title, paragraphs=[f"{rest}."])


def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    at: At = "population",
    trained: At | None = None,
    bins: int = DEFAULT_BINS,
    draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator = 0,
    pos_label: Any = 1,
) -> CalibrationError:
    """Compute the binned (expected) calibration error, and that of calibrated forecasts.

    The error is the mean distance between frequency and forecast over the bins of
    :func:`skewproof.reliability_curve`, each with its share of the instances at the prevalence of
    `at` (ECE). Absolute differences do not cancel, so that the error of calibrated forecasts is not
    0; it is larger with fewer instances and with more bins. Labels are therefore drawn repeatedly
    from the forecasts themselves, as if these were calibrated (Bröcker and Smith 2007), and the
    error is computed for each draw. Only the difference from these is evidence on the calibration.
    Errors of data sets of different sizes cannot be compared.

    Parameters
    ----------
    y_true, y_prob, trained, bins, pos_label
        As for :func:`skewproof.reliability_curve`.
    at
        Prevalence of the error, as there; the error is that at the single prevalence that stands
        for `at`.
    draws, rng
        Number of draws, at most ten million, and their seed or generator.

    Raises
    ------
    ValueError
        If labels, probabilities or another argument are refused, or if labels drawn from the
        forecasts are all of one class in every draw.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import calibration_error
    >>> random = np.random.default_rng(0)
    >>> p = random.uniform(size=2000)
    >>> y = random.uniform(size=2000) < p**2
    >>> error = calibration_error(y, p)
    >>> round(error.value, 2), round(error.if_calibrated, 2), error.p_value < 0.01
    (0.17, 0.02, True)
    """
    bins = expect_whole("bins", bins, 1, MOST_BINS)
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), seed_of(rng)
    where = Prevalence.given(at).for_two_classes()
    forecasts = two_class_forecasts(y_true, y_prob, pos_label=pos_label).adjusted(trained, where)
    shares = forecasts.shares_at(where)
    numbers = bin_numbers(forecasts, bins)
    value = float(np.abs(binned(forecasts, numbers, shares).excess).sum())
    drawn = _errors_if_calibrated(
        forecasts.grouped(), bins, shares, draws, seed, weighed=where.elsewhere
    )
    if not drawn.size:
        raise ValueError(
            "y_prob forecasts only one class: expected forecasts that allow both classes"
        )
    return CalibrationError(
        value,
        float(drawn.mean()),
        float(np.quantile(drawn, TAIL)),
        float((1 + np.count_nonzero(drawn >= value)) / (1 + drawn.size)),
        int(numbers[-1]) + 1,
        where,
    )


def _errors_if_calibrated(
    forecasts: TwoClassForecasts,
    bins: int,
    shares: Array,
    draws: int,
    seed: int,
    *,
    weighed: bool,
) -> Array:
    """Compute the errors of labels that are drawn from the forecasts.

    If classes are weighted to a prevalence, so are those of each draw, and draws of one class are
    left out.
    """
    numbers = bin_numbers(forecasts, bins)
    total = forecasts.counts.sum(axis=0).astype(np.int64)
    in_test_set = with_ratios(forecasts.values, forecasts.test_shares / shares).T
    expected = in_test_set @ total
    weights = shares / forecasts.sizes
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    random = np.random.default_rng(seed)
    errors = []
    rows = max(1, BLOCK // total.size)
    for start in range(0, draws, rows):
        positives = random.binomial(total, in_test_set[0], (min(rows, draws - start), total.size))
        drawn = np.array([positives, total - positives])
        factors = weights[:, np.newaxis, np.newaxis]
        if weighed:
            sizes = drawn.sum(axis=2, keepdims=True)
            both = np.all(sizes > 0, axis=0)[:, 0]
            drawn = drawn[:, both]
            factors = factors * expected[:, np.newaxis, np.newaxis] / sizes[:, both]
        of_positives, of_negatives = factors * drawn
        excess = of_positives * (1 - forecasts.of_positive) - of_negatives * forecasts.of_positive
        errors.append(np.abs(np.add.reduceat(excess, starts, axis=1)).sum(axis=1))
    return np.concatenate(errors)
