"""A cut-off at which requirements are met where the classifier will run, with a stated confidence.

Cut-offs are tested one after another, in an order that does not depend on the labels, each at the
whole level (fixed-sequence testing; Angelopoulos et al. 2021, Learn then Test). The first that is
not rejected ends the sequence. :mod:`.frontiers` has the tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import binom

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_number, is_finite
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.core.prevalence import Prevalence
from skewproof.metrics.lookup import as_metric
from skewproof.practice.curves.areas.roc import auc
from skewproof.practice.curves.counts import ScoreCounts, score_counts
from skewproof.practice.decisions.frontiers import Frontier, Sizes, frontier
from skewproof.practice.decisions.requirements import Requirement, parsed_requirements
from skewproof.practice.intervals.metric_interval import (
    At,
    in_digits_of_width,
    interval,
    percent,
)
from skewproof.reporting.summary import Summary
from skewproof.sensitivity.proofs.invariance import size_matters

if TYPE_CHECKING:
    import pandas as pd

START = 0.3
"""Instances called positive at the first cut-off, for each positive: where recall alone or calling
little does not meet the requirements by itself."""

STEP = 0.02
"""Share by which the number of instances called positive grows from one cut-off to the next."""

TESTS_AT_ONCE = 16
"""Cut-offs of a sequence that are tested together: it may end at any of them."""

EVERYWHERE = 20
"""Cut-offs that are tested where there is no start, each at its part of the level."""

RATES = np.concatenate([[0.0], np.geomspace(1e-6, 0.5, 60), 1 - np.geomspace(0.5, 1e-6, 60), [1.0]])
"""Rates among which some are looked for that meet all requirements."""

STRATA = (np.arange(12) + 0.5) / 12
"""Probabilities at which counts are taken to say how likely a promise is."""

MOST_DOUBLINGS = 24
"""How often a sample is doubled to make a promise likely."""

REFINEMENTS = 3
"""Halvings of the last doubling."""

SIZEABLE = 0.05
"""Share of the instances with one and the same score at the cut-off from which on it is said."""

Start = float | Literal["everywhere"] | None


@dataclass(frozen=True)
class PromisedThreshold:
    """A cut-off that meets requirements with a stated confidence, or why there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import choose_threshold
    >>> random = np.random.default_rng(0)
    >>> y_true = np.repeat([1, 0], [200, 2000])
    >>> y_score = random.normal(3 * y_true)
    >>> found = choose_threshold(y_true, y_score, at="1:100", require="precision >= 0.5")
    >>> found.promised, round(found.threshold, 2)
    (True, 2.76)
    """

    threshold: float
    """Instances with at least this score are called positive; NaN where nothing can be promised."""

    require: tuple[str, ...]
    """What is promised."""

    maximize: str
    """Key of the metric that is highest at this cut-off among those that can be promised."""

    confidence: float
    """Probability with which a sample leads to no false promise, at least."""

    at: Prevalence
    """Where the requirements are to be met."""

    rates: pd.DataFrame = field(repr=False, compare=False)
    """Metrics at the cut-off, a row each, with value, low and high: both rates, what is required
    and what is maximized, without those that have no value. The intervals are those of
    :func:`skewproof.interval`, as for a cut-off that other data chose."""

    tested: pd.DataFrame = field(repr=False, compare=False)
    """Cut-offs in the order in which they were tested: threshold, tp, fp, p_value and passed."""

    positives_needed: float
    """How many labeled positives would make a promise likely, with negatives in proportion; NaN
    where there is one, and infinite where more would not help."""

    sentence: str
    """The promise, or why there is none."""

    @property
    def promised(self) -> bool:
        """Whether there is a cut-off with the promise."""
        return not math.isnan(self.threshold)

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """The result without the cut-offs that were tested, for JSON."""
        return {
            "threshold": self.threshold,
            "require": list(self.require),
            "maximize": self.maximize,
            "at": str(self.at),
            "confidence": self.confidence,
            "positives_needed": self.positives_needed,
            "sentence": self.sentence,
            "rates": self.rates.to_dict("records"),
        }

    def summary(self) -> Summary:
        """The result for the eye."""
        title = "A cut-off with a promise" if self.promised else "No cut-off can be promised"
        tables = {"At this cut-off": self.rates.to_dict("records")} if self.promised else {}
        return Summary(title, verdict=self.sentence, tables=tables)

    def _repr_html_(self) -> str:
        return self.summary().to_html()


def choose_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    at: At,
    require: str | Sequence[str],
    maximize: str | Metric = "recall",
    confidence: float = 0.95,
    per: float | None = None,
    start: Start = None,
    pos_label: Any = 1,
) -> PromisedThreshold:
    """Choose a cut-off that meets requirements where the classifier will run, with a promise.

    With at least the stated confidence, a random sample leads to a cut-off that meets every
    requirement there, or to none. This is a statement over samples, not over promises made: where a
    promise is rarely possible, those that are made can be false more often. The classifier is
    assumed to keep its true and false positive rates (label shift).

    Cut-offs are tested in an order that does not depend on the labels. Requirements that are met by
    calling nothing positive, such as "alarms <= 10", are tested from the highest score downwards;
    those met by calling everything positive, such as "recall >= 0.9", from the lowest one upwards.
    Others, such as "precision >= 0.5", start where as many instances are called positive as 30 % of
    the number of positives (or, if calling more helps, where as many are called negative as 30 % of
    the number of negatives), and requirements that pull both ways where as many are called
    positive as there are positives. The tests are exact for independent instances; a cut-off that
    the scores define, and not `start`, moves a little with the sample, which was seen to do no harm
    (docs/evidence/promised_thresholds.md).

    Parameters
    ----------
    y_true
        True labels, shape (instances,); both classes present. They must not have been used to train
        the classifier.
    y_score
        Score of each instance, a finite real number; higher is more positive.
    at
        Where the requirements are to be met, as for :func:`skewproof.interval`: a stated
        prevalence, one that a sample shows, a range, a belief, "population" or "test set". Over a
        range the requirements are met at each prevalence; with a belief, the confidence is one on
        average over it.
    require
        One or several of "<metric> >= <number>" and "<metric> <= <number>". The metric is a key, a
        name or a formula as for :func:`skewproof.interval`, or "alarms", "false alarms", "hits" or
        "misses", which stand for their expected number among `per` instances.
    maximize
        The metric that is highest at the chosen cut-off among those that can be promised.
    confidence
        The level of the promise, in (0, 1).
    per
        Number of instances that counts are required for, such as those of a day.
    start
        A cut-off that was chosen without these labels, from which the tests start in place of the
        above; or "everywhere" to test 20 cut-offs, each at a twentieth of the level (Bonferroni).
    pos_label
        Label of the positive class.

    Raises
    ------
    KeyError, FormulaError
        If a metric is not known.
    ValueError
        If labels or scores are refused, all scores are alike, or negatives have higher scores than
        positives; if a requirement is no such text, or no classifier meets all of them there; if it
        may be met both by more and by fewer hits or false alarms; if `per` is missing; or if
        another argument is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import choose_threshold
    >>> random = np.random.default_rng(0)
    >>> y_true = np.repeat([1, 0], [200, 2000])
    >>> y_score = random.normal(3 * y_true)
    >>> print(choose_threshold(y_true, y_score, at="1:100", require="precision >= 0.5"))
    With 95 % confidence, precision is at least 0.5 at 1:100 from the score 2.763 on, if the \
classifier keeps its rates. Recall there: 0.570 (0.501 to 0.637).
    >>> few = choose_threshold(
    ...     y_true[180:400], y_score[180:400], at="1:100", require=["precision >= 0.5"]
    ... )
    >>> few.threshold, few.positives_needed
    (nan, 68.0)
    """
    expect_confidence("confidence", confidence)
    where = Prevalence.given(at).for_two_classes().for_any_rates()
    requirements = parsed_requirements(require)
    objective = as_metric(maximize)
    expect(not objective.lower_is_better, "maximize", maximize, "a metric to be made large")
    _check_per(per, [*(one.metric for one in requirements), objective])
    counts, scores = score_counts(y_true, y_score, pos_label=pos_label)
    check_ranking(counts, scores)
    sample = _Sample(counts, scores, where, 1.0 if per is None else float(per))
    _check_together(requirements, sample)
    level = 1 - float(confidence)
    tests = _Tests([frontier(one, where, sample.sizes, sample.total) for one in requirements])
    paths = _paths(requirements, sample, _start_place(start, scores))
    found = [_followed(path, tests, sample, level) for path in paths]
    return _result(found, requirements, objective, sample, tests, float(confidence), paths)


def _check_per(per: float | None, metrics: Sequence[Metric]) -> None:
    if per is not None:
        expect_number("per", per, above=0)
        return
    for metric in metrics:
        if size_matters(metric):
            raise ValueError(
                f"per = None: expected the number of instances that {metric.key} is meant for"
            )


def check_ranking(counts: ScoreCounts, scores: NDArray[Any]) -> None:
    """Refuse scores that have no cut-off, or rank negatives above positives.

    Raises
    ------
    ValueError
        It says which.
    """
    if len(scores) == 1:
        raise ValueError(f"y_score is {scores[0]:g} everywhere: expected scores that differ")
    area = float(auc.of_counts(counts))
    if area < 0.5:
        raise ValueError(
            f"y_score is higher for negatives than for positives (AUC {area:.3f}): expected higher"
            " scores for positives, which may be those of -y_score or of another pos_label"
        )


class _Sample(NamedTuple):
    """Counts at each cut-off, and where the classifier will run."""

    counts: ScoreCounts
    scores: NDArray[Any]
    at: Prevalence
    total: float
    """Instances there."""

    @property
    def sizes(self) -> Sizes:
        return Sizes(round(self.counts.positives), round(self.counts.negatives))

    @property
    def called(self) -> Array:
        """Instances called positive, from none to all."""
        return self.counts.tp + self.counts.fp

    @property
    def share(self) -> float:
        return self.at.share_inside if self.at.elsewhere else self.sizes.prevalence

    def there(self, tpr: Array, fpr: Array) -> ConfusionMatrix:
        """Matrices of rates where the classifier will run."""
        positives, negatives = self.total * self.share, self.total * (1 - self.share)
        return ConfusionMatrix.from_rates(tpr, fpr, positives=positives, negatives=negatives)

    def observed(self) -> ConfusionMatrix:
        """The same of all cut-offs at which at least one instance is called positive."""
        positives, negatives = self.sizes
        return self.there(self.counts.tp[1:] / positives, self.counts.fp[1:] / negatives)


def _check_together(requirements: Sequence[Requirement], sample: _Sample) -> None:
    """Refuse what no classifier meets."""
    matrices = sample.there(RATES[:, np.newaxis], RATES)
    if not np.logical_and.reduce([one.met(matrices) for one in requirements]).any():
        told = " and ".join(map(str, requirements))
        raise ValueError(
            f"require = {told!r}: expected what some classifier can meet {sample.at.where}"
        )


class _Tests(NamedTuple):
    """The test of all requirements together."""

    frontiers: list[Frontier]

    def p_values(self, tp: Array, fp: Array) -> Array:
        """The largest p-value: no correction is needed where all have to be rejected."""
        return np.max([one.p_values(tp, fp) for one in self.frontiers], axis=0)


class _Path(NamedTuple):
    """Cut-offs in the order in which they are tested."""

    places: NDArray[np.intp]
    share: float
    """Share of the level."""
    whole: bool = True
    """Whether the first cut-off that fails ends it."""


def _start_place(start: Start, scores: NDArray[Any]) -> int | Literal["everywhere"] | None:
    """The number of distinct scores that reach a start."""
    if start is None or start == "everywhere":
        return start  # type: ignore[return-value]
    expect(is_finite(start), "start", start, 'a cut-off, "everywhere" or None')
    place = int(np.count_nonzero(scores >= start))
    expect(place > 0, "start", start, f"a cut-off that scores reach, at most {scores[0]:g}")
    return place


def _paths(
    requirements: Sequence[Requirement],
    sample: _Sample,
    start: int | Literal["everywhere"] | None,
) -> list[_Path]:
    """The order of the tests, which the labels do not determine."""
    called = sample.called[1:]
    positives, negatives = sample.sizes

    def met_by(tpr: float, fpr: float) -> bool:
        matrix = sample.there(np.array([tpr]), np.array([fpr]))
        return all(one.met(matrix)[0] for one in requirements)

    if start == "everywhere":
        wanted = np.geomspace(max(1.0, START / 3 * positives), len(called), EVERYWHERE)
        places = np.unique(np.searchsorted(called, np.minimum(wanted, called[-1]))) + 1
        return [_Path(places, 1 / len(places), whole=False)]
    down, up = met_by(0.01, 0.0), met_by(1.0, 0.99)
    if start is None:
        if down:
            first = 1.0 if met_by(0.0, 0.0) else START * positives
        elif up:
            first = called[-1] - (0.0 if met_by(1.0, 1.0) else START * negatives)
        else:
            first = float(positives)
        start = int(np.searchsorted(called, min(first, called[-1]))) + 1
    more, fewer = _steps(called, start)
    if down:
        return [_Path(more, 1.0)]
    if up:
        return [_Path(fewer, 1.0)]
    return [_Path(more, 0.5), _Path(fewer, 0.5)]


def _steps(called: Array, start: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Cut-offs from a start on at which ever more, and ever fewer, are called positive."""
    number = called[start - 1]
    numbers = {}
    for sign, end in ((1, called[-1]), (-1, called[0])):
        wanted = [number]
        while sign * wanted[-1] < sign * end:
            wanted.append(wanted[-1] + sign * max(1.0, STEP * wanted[-1]))
        numbers[sign] = np.clip(wanted, called[0], called[-1])
    more = np.unique(np.searchsorted(called, numbers[1])) + 1
    fewer = np.unique(np.searchsorted(called, numbers[-1]))[::-1] + 1
    return more, fewer


class _Found(NamedTuple):
    """The cut-offs of a path that were tested."""

    places: NDArray[np.intp]
    p_values: Array
    passed: NDArray[np.bool_]


def _followed(path: _Path, tests: _Tests, sample: _Sample, level: float) -> _Found:
    """Test the cut-offs of a path until one fails, or all of them."""
    tp, fp = sample.counts
    tested: list[Array] = []
    for first in range(0, len(path.places), TESTS_AT_ONCE):
        places = path.places[first : first + TESTS_AT_ONCE]
        tested.append(tests.p_values(tp[places], fp[places]))
        if path.whole and (tested[-1] > level * path.share).any():
            break
    p_values = np.concatenate(tested)
    passed = p_values <= level * path.share
    if path.whole and not passed.all():
        last = int(passed.argmin()) + 1
        p_values, passed = p_values[:last], passed[:last]
    return _Found(path.places[: len(p_values)], p_values, passed)
