"""Uncertainty of an area: an interval from labels and scores.

docs/guide/areas.md measures its coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, stdtrit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_whole, seed_of
from skewproof.core.data.arrays import checked_numbers, checked_weights
from skewproof.core.data.groups import WEIGHTED_GROUPS
from skewproof.core.data.weights import are_counts, effective_sizes
from skewproof.curves.areas.area import AREAS, function_of, prevalence_of
from skewproof.curves.areas.h_measure import h_of_hulls
from skewproof.curves.areas.leave_one_out import RankedPrecision, placed, score_cells
from skewproof.curves.areas.precision_recall import above_prevalence, average_precision_within
from skewproof.curves.areas.roc import TIE_SHARES, Ties, convex_hull
from skewproof.curves.counts import ScoreCounts, at_prevalence, curves_of, per_curve, score_counts
from skewproof.intervals.bootstrap import drawn_weights
from skewproof.intervals.deviations import MOST_DRAWS, PRIOR
from skewproof.intervals.estimates import Interval, with_negatives_needed
from skewproof.intervals.grouped.jackknife import GroupedCells, Statistic
from skewproof.intervals.leave_one_out import Variance
from skewproof.intervals.other_rates import for_other_rates
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.prevalence.prevalence import At, Prevalence

DEFAULT_DRAWS = 2000
"""Number of draws, of which fifty are beyond each end at a confidence of 0.95."""


def _normalized(counts: ScoreCounts, last: Array) -> Array:
    return above_prevalence(average_precision_within(counts, last), per_curve(counts.prevalence))


def _balanced(counts: ScoreCounts, last: Array) -> Array:
    return average_precision_within(at_prevalence(counts, "1:1"), last)


CURVES: dict[str, Callable[..., Array]] = {
    kind: AREAS[kind]
    for kind in (
        "partial_auc",
        "interpolated_average_precision",
        "normalized_precision_recall_area",
        "precision_recall_gain_area",
    )
} | {"h_measure": h_of_hulls}
"""Functions of drawn curves whose value rises with the ROC curve. The H-measure is computed from
convex hulls, which are the same at every prevalence."""

STEPS: dict[str, Callable[..., Array]] = {
    "average_precision": average_precision_within,
    "normalized_average_precision": _normalized,
    "calibrated_average_precision": average_precision_within,
    "balanced_average_precision": _balanced,
}
"""Functions of drawn curves and of the last part of each step, its last positive. If positives are
few, the steps themselves have a larger mean than the population's area, since each positive counts
in the precision at its own rank."""

DRAWN = CURVES | STEPS

RANKED = ("average_precision", "calibrated_average_precision", "balanced_average_precision")
"""Areas whose values without each instance are known."""

MANY = 1000
"""Least number of instances of each class for which these areas have the interval of the jackknife,
which costs a sort."""

SEEN = 300
"""Least product of the prevalence and the number of negatives for it: at rarer positives the area
depends on false alarms that a sample of negatives hardly shows."""

OF_RATES = ("auc", "partial_auc", "balanced_average_precision")
"""Areas that do not depend on the prevalence."""


def area_interval(
    kind: str,
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = 1,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    at: At | None = None,
    confidence: float = 0.95,
    draws: int = DEFAULT_DRAWS,
    rng: int | np.random.Generator = 0,
    **options: Any,
) -> Interval:
    """Compute an interval for an area where the classifier will run, from labels and scores.

    The instances are assumed to be independent, and the scores of each class to be a sample from a
    population. At a prevalence other than the test set's, each class is assumed to keep its scores.

    The ends of the interval of the AUC are t standard errors from the observed area, with t of
    Student's distribution. The standard error is that at the end, as for Wilson's interval of a
    proportion, and follows from the variance within each class. One instance of each class is
    added, with half of the largest variance.

    With at least 1,000 instances of each class, and 300 divided by the prevalence negatives, an
    average precision that is not normalized has the interval of the jackknife on the scale of log
    odds: its variance comes from the values without each instance, and it takes no draws.
    docs/evidence/difference_coverage.md measures its coverage.

    For all other areas, and for fewer instances, curves are drawn by giving the instances of each
    class random weights (the Bayesian bootstrap; Rubin 1981). For the lower end, a positive with
    half a weight is added below all instances, and a negative with half a weight above all; for the
    upper end it is the other way round. No curve is therefore taken as known where no instance was
    seen, and the interval of an observed area of 1 is wider than 1 alone. Each class of a curve
    then gets its share of the prevalence.

    For an average precision, steps of tied scores are drawn, and only the last positive of each is
    interpolated. The ends are quantiles, and the observed value is never outside. The lower end of
    the H-measure is lowered by twice the mean excess of the drawn curves over the observed one: a
    sample's convex hull is above the population's by chance, and that of a drawn curve once more.
    If positives are rarer than in the test set, that end is 0. docs/guide/areas.md measures the
    coverage of the intervals.

    Parameters
    ----------
    kind
        The area, a kind that :func:`skewproof.curves.area` takes. The MCC-F1 score is not among
        them: it depends on the number and the positions of the thresholds.
    y_true, y_score, pos_label, sample_weight
        As for :func:`skewproof.curves.threshold_matrices`, with the same errors. Weights count in
        the interval as stated at :meth:`skewproof.ConfusionMatrix.from_labels`.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`. Both classes then count as many independent rows as tell as much
        about the area: its variance is that of the delete-group jackknife, and few groups count for
        less (Obuchowski 1997; Bell and McCaffrey 2002). For a range it is the smallest number over
        the prevalences of the range. Weights beside groups are whole numbers.
        docs/evidence/group_scores.md measures the coverage.
    at
        Prevalence of the area, as for :func:`skewproof.interval`. By default it is that of the
        population from which the instances were drawn at random, and 1:1 for
        "calibrated_average_precision". An uncertain prevalence is drawn too: from
        its posterior with 1/2 added to each class, or from the belief. For a range, the interval is
        the envelope of those at several prevalences of the range, and takes as many times as long.
        A prevalence that is estimated without labels counts as the range of its interval, around
        the estimate.
    confidence
        Level of the interval, in (0, 1).
    draws
        Number of draws for each end, at most ten million. A draw takes about as long as the area,
        without sorting. The AUC needs no draws.
    rng
        Seed or generator of the draws.
    **options
        Options of the area, such as ``max_fpr``. ``hull`` is refused: the intervals of its area did
        not hold in tests with scores that rank at random.

    Returns
    -------
    The value at the prevalence that `at` stands for, with its interval; `undefined` is False, since
    areas of both classes are defined.

    Raises
    ------
    ValueError
        If `kind` is not one of these, or another argument is refused.

    Examples
    --------
    Five positives, all ranked above fifty negatives:

    >>> from skewproof import area_interval
    >>> interval = area_interval("auc", [1] * 5 + [0] * 50, list(range(55, 0, -1)))
    >>> interval.value, round(interval.low, 2), interval.high
    (1.0, 0.66, 1.0)

    Average precision with a thousand negatives for each positive, from a test set of 1:10:

    >>> import numpy as np
    >>> true = np.repeat([1, 0], [50, 500])
    >>> scores = np.random.default_rng(0).normal(3 * true)
    >>> print(area_interval("average_precision", true, scores, at="1:1000"))
    average_precision = 0.58 (0.05 to 0.75) at 1:1000, 95 %, if instances are independent and the \
classifier keeps its rates
    """
    function = function_of(kind, AREAS, options)
    expect_confidence("confidence", confidence)
    where = for_other_rates(prevalence_of(kind, at), confidence)
    hull = options.get("hull", False)
    expect(hull is False, "hull", hull, "False for an interval")
    draws, seed = expect_whole("draws", draws, 1, MOST_DRAWS), seed_of(rng)
    counts = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)[0]
    value = float(function(at_prevalence(counts, where), **options))
    of_classes = _effective_sizes(y_true, pos_label, sample_weight)
    sizes = of_classes or (counts.positives, counts.negatives)
    grouping, few, worth = None, "", 1.0
    positive = np.asarray(y_true) == pos_label
    if groups is not None:
        stated = where.elsewhere or where.is_uncertain
        single = where if stated else Prevalence.given(counts.prevalence)
        rows = _grouped_cells(positive, y_score, groups, sample_weight)
        places: list[At] = [*where.points(None)] if where.ends else [single]
        worth = min(
            rows.worth(_area_of_cells(function, place, options), confidence) for place in places
        )
        sizes, grouping, few = (
            (worth * sizes[0], worth * sizes[1]),
            rows.grouping(worth),
            rows.remark,
        )
    if kind == "auc":
        low, high = auc_ends(counts, sizes, confidence, **options)
    elif (
        kind in RANKED
        and sample_weight is None
        and min(counts.positives, counts.negatives) >= MANY
        and min(where.points(counts.prevalence)) * counts.negatives >= SEEN
        and value < 1
    ):
        scores = checked_numbers(y_score, "y_score").astype(np.float64)
        of_area = Prevalence.given("1:1") if kind in OF_RATES else where
        low, high = _jackknife_ends(positive, scores, of_area, worth, confidence)
    else:
        known = counts
        if of_classes is not None and sample_weight is not None:
            # Positives are counted at each score, whatever their weights.
            some = np.sign(checked_numbers(sample_weight, "sample_weight"))
            known = score_counts(y_true, y_score, pos_label=pos_label, sample_weight=some)[0]
        corners = _corners(counts, np.diff(known.tp))
        low, high = _drawn_ends(
            kind, counts, corners, sizes, where, confidence, draws, seed, options
        )
    remark = "" if kind in OF_RATES else _remark(counts, where, sizes[1], confidence)
    return Interval(
        kind,
        value,
        min(low, value),
        min(max(high, value), 1.0),
        undefined=False,
        confidence=float(confidence),
        at=where,
        remark=" ".join(filter(None, [remark, few])),
        grouping=grouping,
    )


def _grouped_cells(
    positive: NDArray[np.bool_],
    y_score: ArrayLike,
    groups: ArrayLike,
    sample_weight: ArrayLike | None,
) -> GroupedCells:
    """Put rows of neighboring scores into cells: those of positives, then those of negatives.

    Both rise with the score.
    """
    weights = None
    if sample_weight is not None:
        weights = checked_weights(sample_weight, positive.size)
        if not are_counts(weights.sum(), (weights % 1).sum()):
            raise ValueError(WEIGHTED_GROUPS)
    numbers = np.unique(checked_numbers(y_score, "y_score"), return_inverse=True)[1]
    cells, size = score_cells(positive, numbers)
    return GroupedCells.of(groups, cells, np.repeat([0, 1], size), TWO_CLASSES, weights)


def _area_of_cells(function: Callable[..., Array], at: At, options: Mapping[str, Any]) -> Statistic:
    """Return an area as a function of numbers of rows by cell."""

    def of_cells(counts: Array) -> Array:
        falling = counts.reshape(len(counts), 2, -1)[..., ::-1]
        return function(at_prevalence(curves_of(falling), at), **options)

    return of_cells


def auc_ends(
    counts: ScoreCounts,
    sizes: tuple[float, float],
    confidence: float,
    *,
    ties: Ties = "expected",
) -> tuple[float, float]:
    """Compute the ends of the interval of the AUC.

    The variance of the AUC is the sum over both classes of the variance of their placements, each
    divided by the size of the class; the placement of an instance is the share of the other class
    that it is ranked correctly against (DeLong, DeLong and Clarke-Pearson 1988). At an area A no
    such variance is above A(1 - A). It is estimated as a share of this limit, with one instance
    added that has half of it, since few placements, or nearly perfect ones, say little about their
    variance. The ends are the areas A whose distance from the observed area is t standard errors,
    with the standard error at A, as for Wilson's interval of a proportion. t is the quantile of
    Student's distribution with the degrees of freedom of Satterthwaite, twice the size for each
    class: variances of placements, which are bounded, are known better than those of normal
    numbers.

    Parameters
    ----------
    counts
        Counts at every threshold.
    sizes
        Effective number of positives and of negatives.
    confidence
        Level of the interval.
    ties
        As for "auc" in :func:`skewproof.curves.area`.

    Examples
    --------
    Two placements of each class, 1 and 1/2: their variance, 1/16, is a third of 3/16.

    >>> import numpy as np
    >>> from skewproof.curves.counts import ScoreCounts
    >>> counts = ScoreCounts(tp=np.array([0.0, 1, 1, 2, 2]), fp=np.array([0.0, 0, 1, 1, 2]))
    >>> low, high = auc_ends(counts, (2.0, 2.0), 0.95)
    >>> round(low, 3), round(high, 3)
    (0.151, 0.981)
    """
    positives, negatives = np.diff(counts.tp), np.diff(counts.fp)
    of_positives, of_negatives = placed(counts, TIE_SHARES[ties])
    value = float(np.average(of_positives, weights=positives))
    most = value * (1 - value)
    parts = []
    for placements, instances, size in (
        (of_positives, positives, sizes[0]),
        (of_negatives, negatives, sizes[1]),
    ):
        variance = np.average((placements - value) ** 2, weights=instances)
        parts.append((size * variance + 1 / 2) / ((size - 1) * most + 1) / size)
    relative = sum(parts)
    freedom = relative**2 / sum(
        part**2 / (2 * size) for part, size in zip(parts, sizes, strict=True)
    )
    wider = stdtrit(freedom, (1 + confidence) / 2) ** 2 * relative
    middle = (value + wider / 2) / (1 + wider)
    half = np.sqrt(wider * (most + wider / 4)) / (1 + wider)
    return float(middle - half), float(middle + half)


def _jackknife_ends(
    positive: NDArray[np.bool_],
    scores: Array,
    where: Prevalence,
    worth: float,
    confidence: float,
) -> tuple[float, float]:
    """Compute the ends of the interval of an average precision of many instances.

    The worth of grouped rows divides the variance.
    """
    precision = RankedPrecision.of(positive, scores)
    positives = int(np.count_nonzero(positive))
    of_prevalence = where.variance(positives, positive.size - positives)
    ends = []
    for share in where.points(positives / positive.size):
        changes = precision.at(share)
        parts = [Variance.of_rows(changes.rows[some]) for some in (positive, ~positive)]
        variance = Variance.total(parts, changes.slope**2 * of_prevalence)
        slope = changes.value * (1 - changes.value)
        half = variance.half_width(confidence) / slope / np.sqrt(worth)
        ends.append(expit(logit(changes.value) + np.array([-half, half])))
    return float(np.min(ends)), float(np.max(ends))


def _drawn_ends(
    kind: str,
    counts: ScoreCounts,
    corners: tuple[ScoreCounts, Array],
    sizes: tuple[float, float],
    where: Prevalence,
    confidence: float,
    draws: int,
    seed: int,
    options: Mapping[str, Any],
) -> tuple[float, float]:
    """Compute the ends of an area's interval from drawn curves."""
    points, last = corners
    arguments = (last,) if kind in STEPS else ()
    random = np.random.default_rng(seed)
    totals = counts.positives, counts.negatives
    positives, negatives = (
        np.diff(part) * (size / total)
        for part, size, total in zip(points, sizes, totals, strict=True)
    )

    def drawn_areas(above: float, below: float, shares: Array) -> Array:
        """Compute areas, with the shape of the shares, (centers, draws).

        Positives have prior weights above and below all scores, and negatives the other way round.
        """
        shapes = [
            np.concatenate([[above], positives, [below]]),
            np.concatenate([[below], negatives, [above]]),
        ]
        areas, first = [], 0
        for weights in drawn_weights(shapes, draws, random):
            some = slice(first, first + len(weights[0]))
            first = some.stop
            sums = (np.cumsum(part, axis=1) for part in weights)
            curves = ScoreCounts(*(np.insert(part / part[:, -1:], 0, 0, axis=1) for part in sums))
            if kind == "h_measure":
                curves = convex_hull(curves)
            drawn = (
                ScoreCounts(curves.tp * share, curves.fp * (1 - share))
                for share in shares[:, some, np.newaxis]
            )
            areas.append([DRAWN[kind](curve, *arguments, **options) for curve in drawn])
        return np.concatenate(areas, axis=1)

    def drawn_shares() -> Array:
        """Return the prevalences of all draws at each center of a range, (centers, draws)."""
        drawn = where.drawn_shares(*sizes, draws, random)
        shares = np.array([np.broadcast_to(share, draws) for share in drawn])
        if where.elsewhere:
            return shares
        # Classes have fewer effective instances than weight, each by a factor of its own.
        of_positives = shares * (totals[0] / sizes[0])
        of_negatives = (1 - shares) * (totals[1] / sizes[1])
        return of_positives / (of_positives + of_negatives)

    tail = (1 - confidence) / 2
    lows, highs = (
        np.quantile(drawn_areas(*priors, drawn_shares()), end, axis=1)
        for priors, end in (((0.0, PRIOR), tail), ((PRIOR, 0.0), 1 - tail))
    )
    if kind == "h_measure":
        # A sample's convex hull is above the population's by chance, and a drawn one once more.
        centers = np.array(where.points(counts.prevalence))
        observed = [
            AREAS[kind](at_prevalence(counts, center), **options) for center in centers.tolist()
        ]
        means = drawn_areas(0.0, 0.0, np.repeat(centers[:, np.newaxis], draws, axis=1)).mean(axis=1)
        lows = np.maximum(0.0, lows - 2 * np.maximum(0.0, means - observed))
        # With rarer positives the first few decide, for which drawn curves have too high an end.
        share = counts.prevalence
        lows[(centers < share) & ~np.isclose(centers, share)] = 0.0
    return float(lows.min()), float(highs.max())


def _remark(counts: ScoreCounts, where: Prevalence, negatives: float, confidence: float) -> str:
    """State what a ranking without an error cannot show about another prevalence."""
    all_found = np.argmax(counts.tp >= counts.positives)
    if not where.elsewhere or counts.fp[all_found] > 0:
        return ""
    remark = (
        f"No negative of {negatives:.4g} is ranked as high as a positive: precision is 1 at any"
        " prevalence."
    )
    return with_negatives_needed(
        remark, where, negatives, confidence, how="of which none is ranked as high"
    )


def _effective_sizes(
    y_true: ArrayLike, pos_label: Any, sample_weight: ArrayLike | None
) -> tuple[float, float] | None:
    """Return the effective number of instances of each class, or None for counts."""
    if sample_weight is None:
        return None
    weights = checked_numbers(sample_weight, "sample_weight").astype(np.float64)
    sizes = effective_sizes(weights, (np.asarray(y_true) != pos_label).astype(np.intp), 2)
    return None if sizes is None else (float(sizes[0]), float(sizes[1]))


def _corners(counts: ScoreCounts, together: Array) -> tuple[ScoreCounts, Array]:
    """Return the points at which the ROC curve turns, and those at the ends of tied positives.

    The second array has the share of one positive in each step with ties, and 1 in steps of single
    positives, before the first point and after the last one, shape (points + 1,).
    """
    falls = np.diff(counts.fp) > 0
    kind = np.where(together > 1, 3, 2 * (together > 0) + falls)
    turns = np.flatnonzero((kind[1:] != kind[:-1]) | (kind[1:] == 3)) + 1
    starts = np.append(0, turns)
    kept = np.append(starts, counts.tp.size - 1)
    of_one = 1 / np.where(kind[starts] == 3, together[starts], 1)
    last = np.concatenate([[1.0], of_one, [1.0]])
    return ScoreCounts(counts.tp[kept], counts.fp[kept]), last
