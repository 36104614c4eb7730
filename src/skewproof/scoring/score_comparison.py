"""Difference between two models in a statistic of their scores, probabilities or costs.

docs/evidence/difference_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import (
    checked_numbers,
    expect_equal_lengths,
    positive_class_probabilities,
)
from skewproof.core.data.groups import group_codes
from skewproof.core.data.labels import positives_of
from skewproof.curves.areas.area import AREAS
from skewproof.curves.areas.leave_one_out import RankedAUC, RankedPrecision
from skewproof.decisions.costs import threshold_of
from skewproof.intervals.estimates import Grouping
from skewproof.intervals.grouped.effective_numbers import remark_on_groups
from skewproof.intervals.leave_one_out import Contrast, MeanLoss, Statistic, Variance
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.prevalence.prevalence import Prevalence
from skewproof.probabilities.scores import SCORES
from skewproof.scoring.difference import Difference

FEW_POSITIVES = 20
"""Number of positives below which a difference has a remark."""

RARER = 10
"""Share of positives in the test set over that elsewhere, above which a difference of average
precisions has a remark."""


class Answers(NamedTuple):
    """Scores, probabilities or labels that a model gives the rows of a test set."""

    y_true: ArrayLike
    positive: NDArray[np.bool_]
    pos_label: Any
    values: ArrayLike
    """Scores, probabilities or predicted labels of the rows."""
    name: str
    """Name of the argument, for messages."""
    threshold: Any

    def scores(self) -> Array:
        """Check scores."""
        scores = checked_numbers(self.values, self.name, what="score").astype(np.float64)
        expect(scores.ndim == 1, self.name, self.values, "scores of one dimension")
        expect_equal_lengths(**{"y_true": self.positive, self.name: scores})
        return scores

    def probabilities(self) -> Array:
        """Check probabilities of the positive class."""
        return positive_class_probabilities(self.values, self.name, self.positive)

    def called(self) -> NDArray[np.bool_]:
        """Check predicted labels, and return which are positive."""
        try:
            ConfusionMatrix.from_labels(self.y_true, self.values, pos_label=self.pos_label)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        return np.asarray(np.asarray(self.values) == self.pos_label)


class Kind(NamedTuple):
    """A statistic in which models are compared."""

    statistic: Callable[[Answers], Statistic]
    lower_is_better: bool = False
    takes_threshold: bool = False
    at: Prevalence | None = None
    """The prevalence, if it is a part of the statistic."""


def _auc(answers: Answers) -> Statistic:
    return RankedAUC.of(answers.positive, answers.scores())


def _average_precision(answers: Answers) -> Statistic:
    return RankedPrecision.of(answers.positive, answers.scores())


def _brier(answers: Answers) -> Statistic:
    return MeanLoss(answers.positive, (answers.probabilities() - answers.positive) ** 2)


def _log_loss(answers: Answers) -> Statistic:
    probabilities = answers.probabilities()
    with np.errstate(divide="ignore"):
        losses = -np.where(answers.positive, np.log(probabilities), np.log1p(-probabilities))
    worst = int(losses.argmax())
    expect(
        bool(np.isfinite(losses[worst])),
        f"{answers.name}[{worst}]",
        float(probabilities[worst]),
        CERTAIN,
    )
    return MeanLoss(answers.positive, losses)


def _net_benefit(answers: Answers) -> Statistic:
    threshold = expect_number("threshold", answers.threshold, above=0, below=1)
    called = answers.probabilities() >= threshold
    gains = np.where(answers.positive, 1.0, -threshold / (1 - threshold))
    return MeanLoss(answers.positive, np.where(called, gains, 0.0))


def _expected_cost(answers: Answers) -> Statistic:
    threshold = threshold_of(answers.threshold)
    expect(threshold.is_exact, "threshold", answers.threshold, "a single threshold probability")
    errors = (answers.called() != answers.positive).astype(np.float64)
    return MeanLoss(answers.positive, errors, float(logit(threshold.share)))


AT_LEAST = "at least two of each class"

CERTAIN = "a probability that does not rule out the label, since the log loss is infinite"

KINDS = {
    "auc": Kind(_auc),
    "average_precision": Kind(_average_precision),
    "balanced_average_precision": Kind(_average_precision, at=Prevalence.given("1:1")),
    "brier": Kind(_brier, lower_is_better=True),
    "log_loss": Kind(_log_loss, lower_is_better=True),
    "net_benefit": Kind(_net_benefit, takes_threshold=True),
    "expected_cost": Kind(_expected_cost, lower_is_better=True, takes_threshold=True),
}
"""Statistics of scores, probabilities or costs in which models are compared, by their keys."""

NOT_MEASURED = {*AREAS, *SCORES} - set(KINDS)
"""Statistics of scores of which no interval of a difference was measured."""


def score_difference(
    key: str,
    y_true: Any,
    first: Any,
    second: Any,
    *,
    at: Prevalence,
    pos_label: Any,
    groups: Any,
    threshold: Any,
    paired: bool,
    confidence: float,
) -> Difference:
    """Compute the difference of a statistic of two models, with its interval.

    The arguments are those of :func:`skewproof.compare`, after the prevalence was read.

    Raises
    ------
    ValueError
        If one of them is refused, or if nothing in the rows tells the models apart.
    """
    kind = KINDS[key]
    if kind.takes_threshold:
        expect(threshold is not None, "threshold", None, f"a threshold probability with {key}")
    else:
        expect(threshold is None, "threshold", threshold, f"no threshold with {key}")
    where = kind.at or at
    contrasts = _contrasts(kind, y_true, first, second, pos_label, groups, threshold, paired)
    positives = sum(int(np.count_nonzero(contrast.positive)) for contrast in contrasts)
    rows = sum(contrast.positive.size for contrast in contrasts)
    negatives = rows - positives
    if groups is not None and not paired:
        stated = where.elsewhere or kind.statistic is _auc
        expect(stated, "at", str(where), "a stated prevalence for groups of two test sets")
    in_groups = not where.elsewhere and where.is_uncertain and contrasts[0].has_groups
    of_prevalence = where.variance(positives, negatives)
    shares = where.points(positives / rows)
    differences, variances = [], []
    for share in shares:
        changes = [contrast.at(share) for contrast in contrasts]
        known = 0.0 if in_groups else sum(change.slope for change in changes) ** 2 * of_prevalence
        differences.append(sum(change.value for change in changes))
        variances.append(
            Variance.total(
                itertools.chain.from_iterable(
                    contrast.variances(change, None if in_groups else share)
                    for contrast, change in zip(contrasts, changes, strict=True)
                ),
                known,
            )
        )
    if min(variance.value for variance in variances) <= 0:
        raise ValueError(
            f"first and second: no row changes the difference in {key}; expected rows that tell"
            " the models apart, since no interval is known otherwise"
        )
    middle = len(shares) // 2
    value, variance = differences[middle], variances[middle]
    halves = [some.half_width(confidence) for some in variances]
    sign = -1 if kind.lower_is_better else 1
    remarks, grouping = [], None
    if groups is not None:
        remarks = [
            remark_on_groups(contrast.sizes[..., np.newaxis], TWO_CLASSES) for contrast in contrasts
        ]
        grouping = _grouping(contrasts, shares[middle], variance, of_prevalence, confidence)
    fewest = min(np.count_nonzero(contrast.positive) for contrast in contrasts)
    if fewest < FEW_POSITIVES:
        remarks.append(f"With {fewest} positives the interval may cover less than stated.")
    if kind.statistic is _average_precision and RARER * min(shares) * rows < positives:
        remarks.append(
            "Positives are so much rarer than in the test set that the interval may cover less than"
            " stated."
        )
    return Difference(
        key,
        value,
        min(map(operator.sub, differences, halves)),
        max(map(operator.add, differences, halves)),
        variance.probability_below(sign * value),
        2 * variance.probability_below(-abs(value)),
        undefined=False,
        confidence=confidence,
        at=where,
        remark=" ".join(filter(None, remarks)),
        grouping=grouping,
    )


def _contrasts(
    kind: Kind,
    y_true: Any,
    first: Any,
    second: Any,
    pos_label: Any,
    groups: Any,
    threshold: Any,
    paired: bool,
) -> list[Contrast]:
    """Read the rows of one test set for both models, or of one for each."""
    if paired:
        test_sets = [(y_true, {"first": first, "second": second}, groups)]
    else:
        pairs = {"y_true": y_true, "groups": (None, None) if groups is None else groups}
        for name, pair in pairs.items():
            two = isinstance(pair, tuple | list) and len(pair) == 2
            expect(two, name, pair, "a pair, of the first and the second model, without pairing")
        test_sets = [
            (true, {name: values}, of_rows)
            for true, of_rows, (name, values) in zip(
                y_true, pairs["groups"], {"first": first, "second": second}.items(), strict=True
            )
        ]
    contrasts = []
    for true, models, of_rows in test_sets:
        positive = positives_of(true, pos_label)
        sizes = np.count_nonzero(positive), np.count_nonzero(~positive)
        expect(
            bool(min(sizes) > 1), "y_true", f"{sizes[0]} positives, {sizes[1]} negatives", AT_LEAST
        )
        statistics = {
            name: kind.statistic(Answers(true, positive, pos_label, values, name, threshold))
            for name, values in models.items()
        }
        codes = None if of_rows is None else group_codes(of_rows, positive.size)[0]
        contrasts.append(
            Contrast(positive, statistics.get("first"), statistics.get("second"), codes)
        )
    return contrasts


def _grouping(
    contrasts: list[Contrast],
    share: float,
    variance: Variance,
    of_prevalence: float,
    confidence: float,
) -> Grouping:
    """Describe what the rows of groups are worth."""
    changes = [contrast.at(share) for contrast in contrasts]
    of_rows = Variance.total(
        itertools.chain.from_iterable(map(Contrast.of_rows, contrasts, changes)),
        sum(change.slope for change in changes) ** 2 * of_prevalence,
    )
    ratio = variance.half_width(confidence) / of_rows.half_width(confidence)
    groups = sum(len(contrast.sizes) for contrast in contrasts)
    rows = sum(contrast.positive.size for contrast in contrasts)
    return Grouping(groups, float(rows), ratio**2)
