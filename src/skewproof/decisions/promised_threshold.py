"""A cut-off that meets requirements where the classifier will run, with a stated confidence.

The test is in :mod:`.frontiers`, and the order of the cut-offs in :mod:`.sequences`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_confidence, expect_number, is_finite
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.frames import is_frame, known_columns, labels_of
from skewproof.core.data.labels import positives_of
from skewproof.core.metric import Metric
from skewproof.curves.areas.roc import auc
from skewproof.curves.bands import calls_by_group
from skewproof.curves.bins import DEFAULT_BINS, count_scores
from skewproof.curves.counts import ScoreCounts, score_counts
from skewproof.decisions.frontiers import Sizes
from skewproof.decisions.requirements import Requirement, parsed_requirements
from skewproof.decisions.sequences import (
    JointTest,
    Sample,
    Start,
    Tested,
    begin,
    follow,
    paths,
)
from skewproof.decisions.sizes_needed import MOST_INSTANCES, likeliest, rounded, sizes_needed
from skewproof.intervals.class_rows import ClassRows
from skewproof.intervals.estimates import Grouping, in_digits_of_width, percent
from skewproof.intervals.grouped.effective_numbers import effective_groups
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes, total_matters
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summarized, Summary

RATE_COLUMNS = ["metric", "value", "low", "high"]

SIZEABLE = 0.05
"""Share of the instances with the same score as the cut-off above which the sentence reports it."""


@dataclass(frozen=True, repr=False)
class PromisedThreshold(Summarized):
    """A cut-off that meets requirements with a stated confidence, or the reason why there is none.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import choose_threshold
    >>> random = np.random.default_rng(0)
    >>> y_true = np.repeat([1, 0], [200, 2000])
    >>> y_score = random.normal(3 * y_true)
    >>> chosen = choose_threshold(y_true, y_score, at="1:100", require="precision >= 0.5")
    >>> chosen.promised, round(chosen.threshold, 2)
    (True, 2.69)
    """

    threshold: float
    """Instances with at least this score are called positive; NaN if nothing can be promised."""

    require: tuple[str, ...]
    """Requirements that are promised."""

    maximize: str
    """Key of the metric that is highest at this cut-off among those that can be promised."""

    confidence: float
    """Least probability with which a sample leads to no false promise."""

    at: Prevalence
    """Prevalence at which the requirements have to be met."""

    rates: pd.DataFrame = field(repr=False, compare=False)
    """Metrics at the cut-off, a row each, with value, low and high: both rates, the required and
    the maximized metrics, without those that have no value. The intervals are those of
    :func:`skewproof.interval`, as for a cut-off that other data chose."""

    tested: pd.DataFrame = field(repr=False, compare=False)
    """Tested cut-offs in the order of their tests: threshold, tp, fp, p_value and passed."""

    positives_needed: float
    """Number of labeled positives that would make a promise likely, negatives in proportion; NaN if
    there is a promise, and infinite if more would not help without another start."""

    sentence: str
    """The promise, or the reason why there is none."""

    grouping: Grouping | None = None
    """The groups of rows that belong together; None if all rows are independent."""

    @property
    def promised(self) -> bool:
        """True if there is a cut-off with the promise."""
        return not math.isnan(self.threshold)

    def __str__(self) -> str:
        return self.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON, without the tested cut-offs."""
        grouping = {} if self.grouping is None else {"grouping": str(self.grouping)}
        return grouping | {
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
        """Return the summary of the result."""
        title = "A cut-off with a promise" if self.promised else "No cut-off can be promised"
        tables = {"At this cut-off": self.rates.to_dict("records")} if self.promised else {}
        return Summary(title, verdict=self.sentence, tables=tables)


def choose_threshold(
    data: Any = None,
    y_score: Any = None,
    *,
    y_true: Any = None,
    at: At,
    require: str | Sequence[str],
    maximize: str | Metric | None = None,
    confidence: float = 0.95,
    per: float | None = None,
    start: float | Literal["everywhere"] | None = None,
    bins: int | None = None,
    groups: Any = None,
    pos_label: Any = 1,
) -> PromisedThreshold:
    """Choose a cut-off that meets requirements where the classifier will run, with a promise.

    The call is ``choose_threshold(y_true, y_score, at=..., require=...)`` with arrays, and
    ``choose_threshold(frame, y_true=column, y_score=column, at=..., require=...)`` with a data
    frame of any engine.

    At most a share of 1 - confidence of random samples lead to a cut-off that breaks a requirement
    there; the others lead to a cut-off that meets all of them, or to none. Where few samples lead
    to a cut-off, a larger share of the cut-offs can break one. The classifier is assumed to keep
    its true and false positive rates (label shift).

    Cut-offs are tested one after another, in an order that the labels do not determine, and the
    first one that fails ends the sequence. Requirements that are met by calling nothing positive,
    such as "alarms <= 10", are tested from the highest score downwards, and those that are met by
    calling everything positive, such as "recall >= 0.9", from the lowest score upwards. Others that
    are easiest to meet with few positive calls, such as "precision >= 0.5", start at the smallest
    share of positive calls at which a good classifier passes the test with classes of these sizes.
    Requirements that pull both ways start in the middle of the shares at which such a classifier
    passes, and are tested both ways from there, each at half the level.

    Each test is exact for independent instances at a given cut-off. A cut-off that is a quantile of
    the scores changes slightly with the sample; docs/evidence/promised_thresholds.md therefore
    measures how often promises are broken.

    The scores of a frame are counted in bins as by :func:`skewproof.curves.count_scores`, and the
    smallest score of each bin is a cut-off. The counts at these cut-offs and the tests are exact:
    labels do not determine the bins, and the promise holds as it does for arrays, whose scores
    would be lowered to the smallest of their bin. Bins only narrow the choice, since no cut-off
    within a bin is tested. A cut-off within one differs from the tested ones next to it by at most
    the share of the positives in that bin in its true positive rate, and by at most the share of
    the negatives in its false positive rate.

    Parameters
    ----------
    data
        True labels, shape (instances,), with both classes present; or a data frame with a row for
        each instance, of an engine that :func:`skewproof.count_slices` takes, whose data stay where
        they are. The labels must not have been used to train the classifier.
    y_score
        Score of each instance, a finite real number; higher is more positive. For a frame, the
        column of the scores; rows whose score is null or NaN are left out.
    y_true
        Column of the true labels if `data` is a frame; rows without a label are left out. Labels
        may also be given by this name instead of `data`.
    at
        Prevalence at which the requirements have to be met, as for :func:`skewproof.interval`: a
        stated prevalence, one from a sample, a range, a belief, "population" or "test set". For a
        range the requirements are met at each prevalence; for a belief, the confidence is an
        average over it.
    require
        One or several of "<metric> >= <number>" and "<metric> <= <number>". The metric is a key, a
        name or a formula as for :func:`skewproof.interval`, or "alarms", "false alarms", "hits" or
        "misses", which stand for their expected number among `per` instances.
    maximize
        Metric to maximize among the cut-offs that can be promised: by default recall, or precision
        if nothing but a least recall is required.
    confidence
        The level of the promise, in (0, 1).
    per
        Number of instances to which required counts refer, such as those of a day.
    start
        A cut-off that was chosen without these labels, from which the tests start instead; or
        "everywhere" to test 20 cut-offs, each at a twentieth of the level (Bonferroni). In a frame
        the tests start at the lowest tested cut-off that is at least this one.
    bins
        Number of bins of the scores of a frame, as for :func:`skewproof.curves.count_scores`;
        100,000 by default. The scores of arrays are not binned.
    groups
        Label of each row's group if rows belong together, such as the patient, as for
        :func:`skewproof.interval`; for a frame as `data`, the column of these labels, and the
        columns are then read into memory and not binned. A cut-off is first chosen as if rows were
        independent. All counts are then divided by the design effect of the required metrics there,
        and the tests are repeated (Rao and Scott 1992). The promise then holds approximately;
        docs/evidence/group_scores.md measures how often it is broken.
    pos_label
        Label of the positive class.

    Raises
    ------
    KeyError, FormulaError
        If a metric is unknown.
    TypeError
        If labels are missing or given twice.
    TypeError, KeyError, MissingExtraError
        For a frame, as :func:`skewproof.count_slices`.
    ValueError
        If labels or scores are refused, all scores are equal, or negatives have higher scores than
        positives; if a requirement is not such a text, or no classifier meets all of them there; if
        both more and fewer hits or false alarms may help to meet it; if `per` is missing; or if
        another argument is out of its range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof import choose_threshold
    >>> random = np.random.default_rng(0)
    >>> y_true = np.repeat([1, 0], [200, 2000])
    >>> y_score = random.normal(3 * y_true)
    >>> print(choose_threshold(y_true, y_score, at="1:100", require="precision >= 0.5"))
    Calling scores of at least 2.686 positive meets precision >= 0.5 at 1:100, with 95 % \
confidence, if instances are independent and the classifier keeps its rates. Of the cut-offs that \
pass, it has the highest recall, 0.645 (0.577 to 0.709).

    With fewer labels nothing is promised. Most samples of the stated sizes that are drawn from this
    one lead to a promise. If no larger sample does, because the tests begin where the classifier
    fails, the sentence names a cut-off at which they may begin with new labels:

    >>> few = slice(160, 600)
    >>> print(choose_threshold(y_true[few], y_score[few], at="1:100", require="precision >= 0.5"))
    No cut-off can be promised with 40 positives and 400 negatives to meet precision >= 0.5 at \
1:100; about 130 and 1,300 would make it likely, at the rates of this sample.

    A frame has the same cut-off, lowered to the smallest score of its bin:

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"y": y_true, "score": y_score})
    >>> wanted = {"at": "1:100", "require": "precision >= 0.5"}
    >>> chosen = choose_threshold(frame, y_true="y", y_score="score", **wanted)
    >>> round(chosen.threshold, 3)
    2.686
    """
    question = Question.of(at, require, maximize, confidence, per)
    if is_frame(data) and groups is not None:
        columns = known_columns(data, y_true=y_true, y_score=y_score, groups=groups)
        data, y_score, groups = (columns[name] for name in (y_true, y_score, groups))
        y_true = None
    if is_frame(data):
        bins = DEFAULT_BINS if bins is None else bins
        counted = count_scores(data, y_true=y_true, y_score=y_score, bins=bins, pos_label=pos_label)
        return promised_of_bins(question, counted, start)
    expect(bins is None, "bins", bins, "none, as the scores of arrays are not binned")
    labels = labels_of(data, y_true)
    counts, scores = score_counts(labels, y_score, pos_label=pos_label)
    grouped = None
    if groups is not None:
        known = positives_of(labels, pos_label), checked_numbers(y_score, "y_score")
        grouped = GroupedCalls(*known, groups)
    return promised(question, counts, scores, scores, start, grouped)


def promised_of_bins(
    question: Question, bins: pd.DataFrame, start: float | Literal["everywhere"] | None
) -> PromisedThreshold:
    """Choose the cut-off from the result of :func:`skewproof.curves.count_scores`.

    Raises
    ------
    ValueError
        As :func:`choose_threshold`.
    """
    counts = ScoreCounts(
        *(np.append(0.0, bins[side].to_numpy().cumsum()) for side in ("positives", "negatives"))
    )
    lowest, highest = (bins[end].to_numpy(dtype=np.float64) for end in ("low", "high"))
    return promised(question, counts, lowest, highest, start)


class Question(NamedTuple):
    """Requirements to promise, and the prevalence where they have to be met."""

    at: Prevalence
    requirements: tuple[Requirement, ...]
    objective: Metric
    name: str
    """Name of the objective, as given."""
    confidence: float
    total: float
    """Number of instances there."""

    @classmethod
    def of(
        cls,
        at: At,
        require: str | Sequence[str],
        maximize: str | Metric | None,
        confidence: float,
        per: float | None,
    ) -> Question:
        """Check the arguments of :func:`choose_threshold`.

        Raises
        ------
        KeyError, FormulaError, ValueError
            If one is refused.
        """
        expect_confidence("confidence", confidence)
        where = Prevalence.given(at).for_two_classes().for_any_rates()
        requirements = parsed_requirements(require)
        if maximize is None:
            of_recall = {(some.metric.key, some.at_least) for some in requirements}
            maximize = "precision" if of_recall == {("true_positive_rate", True)} else "recall"
        objective = as_metric(maximize, name="maximize")
        expected = "a metric whose high values are good"
        expect(not objective.lower_is_better, "maximize", maximize, expected)
        _check_per(per, [*(requirement.metric for requirement in requirements), objective])
        name = maximize if isinstance(maximize, str) else objective.key
        total = 1.0 if per is None else float(per)
        return cls(where, requirements, objective, name, float(confidence), total)


class GroupedCalls(NamedTuple):
    """Rows in groups."""

    positive: NDArray[np.bool_]
    scores: NDArray[Any]
    groups: ArrayLike
    """Label of each row's group."""

    def at(self, cutoff: Any) -> Array:
        """Count positives and negatives of each group by their call, (groups, 2, 2)."""
        (calls,) = calls_by_group(self.positive, self.scores, np.array([cutoff]), self.groups)
        return calls


def promised(
    question: Question,
    counts: ScoreCounts,
    scores: NDArray[Any],
    highest: NDArray[Any],
    start: float | Literal["everywhere"] | None,
    grouped: GroupedCalls | None = None,
) -> PromisedThreshold:
    """Choose the cut-off from counts at falling scores.

    `highest` has, for each cut-off, the highest score of the instances that it calls positive and
    the next higher cut-off does not.

    Raises
    ------
    ValueError
        As :func:`choose_threshold`.
    """
    check_ranking(counts, scores)
    at, requirements, objective, name, confidence, total = question
    sample = Sample(counts, scores, at, total)
    test = JointTest.of(requirements, sample)
    required = " and ".join(map(str, requirements))
    expect(test.possible, "require", required, f"a requirement that can be met {at.where}")
    first, level = _start(start, scores), 1 - confidence
    tested = _tested(test, first, level)
    effect, grouping = 1.0, None
    if grouped is not None:
        # At the last cut-off that passes, the requirements are just met.
        nearest = np.flatnonzero(tested.passed)[-1] if tested.passed.any() else 0
        calls = grouped.at(scores[tested.places[nearest] - 1])
        effect = _design_effect(calls, question)
        grouping = Grouping(len(calls), float(calls.sum()), effect)
    if effect > 1:
        test = JointTest.of(requirements, sample.divided(effect))
        tested = _tested(test, first, level)
    threshold, needed, rates = math.nan, math.nan, pd.DataFrame(columns=RATE_COLUMNS)
    if tested.passed.any():
        passed = np.unique(tested.places[tested.passed])
        number = best_cut_off(objective, sample, passed)
        threshold = float(scores[number - 1])
        metrics = [*(requirement.metric for requirement in requirements), objective]
        by_group = None if grouped is None else grouped.at(threshold)
        rates = _rates(metrics, number, sample, confidence, by_group)
        ends = rates.set_index("metric").loc[objective.key, ["value", "low", "high"]]
        value, low, high = in_digits_of_width(*map(float, ends))
        observed = f"{name}, {value} ({low} to {high})"
        of_score = observed, highest[number - 1]
        sentence = _promise(required, sample, number, confidence, *of_score, grouping)
    else:
        sizes, sentence = _refused(required, test, first, level, sample.sizes, effect)
        needed = math.inf if sizes is None else float(sizes.positives)
    tp, fp = (part[tested.places].astype(int) for part in counts)
    cells = {"threshold": scores[tested.places - 1], "tp": tp, "fp": fp}
    return PromisedThreshold(
        threshold=threshold,
        require=tuple(map(str, requirements)),
        maximize=objective.key,
        confidence=confidence,
        at=at,
        rates=rates,
        tested=pd.DataFrame(cells | {"p_value": tested.p_values, "passed": tested.passed}),
        positives_needed=needed,
        sentence=sentence,
        grouping=grouping,
    )


def _design_effect(calls: Array, question: Question) -> float:
    """Compute the largest design effect of the required metrics where groups have these calls.

    It is at least 1, and at most that of groups whose rows are all alike.
    """
    at, total = question.at, np.array([question.total])
    places = list(map(Prevalence.given, at.ends)) or [at]
    if at.elsewhere and at.is_uncertain:
        places = [Prevalence.given(at.share_inside)]
    # A one-sided test at this level has the quantile of a two-sided interval at that one.
    level = max(2 * question.confidence - 1, 0.5)
    counts, effects = calls.sum(axis=0)[np.newaxis], [1.0]
    for place in places:
        rows = ClassRows.at(counts, place, TWO_CLASSES, total, by_group=[calls], confidence=level)
        for requirement in question.requirements:
            effects += rows.design_effects(of_two_classes(requirement.metric)).tolist()
    sizes = calls.sum(axis=2)
    return float(min(np.fmax.reduce(effects), (sizes.sum(axis=0) / effective_groups(sizes)).max()))


def _tested(test: JointTest, first: Start, level: float) -> Tested:
    """Test cut-offs on all paths."""
    followed = [follow(path, test) for path in paths(test, *begin(test, first, level))]
    return Tested(*map(np.concatenate, zip(*followed, strict=True)))


def _check_per(per: float | None, metrics: Sequence[Metric]) -> None:
    if per is not None:
        expect_number("per", per, above=0)
        return
    for metric in metrics:
        if total_matters(metric):
            raise ValueError(
                f"per = None: expected the number of instances that {metric.key} refers to"
            )


def check_ranking(counts: ScoreCounts, scores: NDArray[Any]) -> None:
    """Refuse scores that are all equal, or that rank negatives above positives.

    Raises
    ------
    ValueError
        If they are; the message says which.
    """
    if len(scores) == 1:
        only = scores[0] + 0.0  # 0 without a sign
        raise ValueError(f"y_score is {only:g} everywhere: expected scores that differ")
    area = float(auc(counts))
    if area < 0.5:
        raise ValueError(
            f"y_score is higher for negatives than for positives (AUC {area:.3f}): expected higher"
            " scores for positives, which may be those of -y_score or of another pos_label"
        )


def _start(start: float | Literal["everywhere"] | None, scores: NDArray[Any]) -> Start:
    """Return a start as the number of distinct scores that reach it."""
    if start is None or isinstance(start, str):
        expect(start in (None, "everywhere"), "start", start, 'a cut-off, "everywhere" or None')
        return start
    expect(is_finite(start), "start", start, 'a cut-off, "everywhere" or None')
    number = int(np.count_nonzero(scores >= start))
    expect(number > 0, "start", start, f"a cut-off that scores reach: the highest is {scores[0]:g}")
    return number


def best_cut_off(objective: Metric, sample: Sample, numbers: NDArray[np.intp]) -> int:
    """Return the cut-off at which a metric is highest; of several, that with the highest score."""
    values = np.asarray(objective(sample.there(*sample.observed[:, numbers - 1])))
    return int(numbers[np.where(np.isnan(values), -np.inf, values).argmax()])


def _rates(
    metrics: Sequence[Metric],
    number: int,
    sample: Sample,
    confidence: float,
    by_group: Array | None,
) -> pd.DataFrame:
    """Compute both rates and metrics at a cut-off with intervals."""
    tp, fp = (float(part[number]) for part in sample.counts)
    positives, negatives = sample.sizes
    matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
    if by_group is not None:
        names = "tp", "fn", "fp", "tn"
        matrix = ConfusionMatrix.from_groups(
            **dict(zip(names, by_group.reshape(-1, 4).T, strict=True))
        )
    both = map(as_metric, ("true_positive_rate", "false_positive_rate"))
    rows = {}
    for metric in (*both, *metrics):
        total = sample.total if total_matters(metric) else None
        ends = interval(metric, matrix, at=sample.at, total=total, confidence=confidence)
        rows[metric.key] = metric.key, ends.value, ends.low, ends.high
    return pd.DataFrame(list(rows.values()), columns=RATE_COLUMNS)


def _promise(
    required: str,
    sample: Sample,
    number: int,
    confidence: float,
    objective: str,
    highest: float,
    grouping: Grouping | None,
) -> str:
    called = sample.called
    tied = called[number] - called[number - 1]
    score = sample.scores[number - 1]
    these = "exactly this score"
    if highest > score:
        these = f"scores from it to {highest:.4g}, among which no cut-off was tested"
    assumed = sample.at.assumption()
    if grouping is not None:
        assumed = f"{sample.at.assumption('groups')}; {grouping}"
    sentences = [
        f"Calling scores of at least {score:.4g} positive meets {required}"
        f" {sample.at.where}, with {percent(confidence)} confidence, {assumed}.",
        f"Of the cut-offs that pass, it has the highest {objective}.",
    ]
    if number == len(sample.scores):
        sentences.append("This calls everything positive.")
    elif tied > max(1, SIZEABLE * called[-1]):
        sentences.append(f"{tied:.0f} of {called[-1]:.0f} instances have {these}.")
    return " ".join(sentences)


def _refused(
    required: str, test: JointTest, start: Start, level: float, labels: Sizes, effect: float
) -> tuple[Sizes | None, str]:
    """Explain why nothing can be promised, and find the sizes of a sample that would help.

    `labels` are the sizes of the whole sample, of which the test has one row for so many as the
    design effect.
    """
    sample = test.sample
    counted = ""
    if effect > 1:
        counted = f", which count as {_both(sample.sizes)} in their groups,"
    head = (
        f"No cut-off can be promised with {labels.positives:,} positives and {labels.negatives:,}"
        f" negatives{counted} to meet {required} {sample.at.where}"
    )

    def needed_from(test: JointTest, start: Start) -> Sizes | None:
        few = sizes_needed(test, start, level)
        if few is None or effect == 1:
            return few
        return Sizes(*(rounded(size * effect) for size in few))

    met = np.flatnonzero(test.met(*sample.observed)) + 1
    if not met.size:
        if test.met(0.0, 0.0):
            return None, f"{head}: in this sample only calling nothing positive meets it."
        return None, f"{head}: no cut-off meets it even in this sample."
    likely = "would make it likely, at the rates of this sample."
    needed = needed_from(test, start)
    if needed is not None:
        return needed, f"{head}; about {_both(needed)} {likely}"
    best = likeliest(test, met)
    chosen = f"new labels, with start={_shortest(sample, best)}, {likely}"
    other = needed_from(test, best)
    if other is not None:
        return None, f"{head}; about {_both(other)} {chosen}"
    if sample.at.is_uncertain and sample.at.elsewhere:
        stated = sample._replace(at=Prevalence.given(sample.at.share_inside))
        other = needed_from(JointTest.of(test.requirements, stated), best)
        if other is not None:
            unsure = f"the prevalence is too uncertain; if it were {stated.at}"
            return None, f"{head}: {unsure}, about {_both(other)} {chosen}"
    most = f"{MOST_INSTANCES:,.0f} labels would not make it likely, at the rates of this sample."
    return None, f"{head}; even {most}"


def _both(sizes: Sizes) -> str:
    return f"{sizes.positives:,} and {sizes.negatives:,}"


def _shortest(sample: Sample, number: int) -> str:
    """Return a number of few digits that calls the same instances positive as a cut-off."""
    texts = (f"{sample.scores[number - 1]:.{digits}g}" for digits in range(3, 18))
    return next(text for text in texts if np.count_nonzero(sample.scores >= float(text)) == number)
