"""Confusion matrices behind the scores of a publication, and what follows from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import ndtr

from skewproof.core.arguments import expect, expect_confidence, expect_whole, is_whole
from skewproof.core.confusion import CELLS
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ClassRows, check_total
from skewproof.intervals.estimates import Interval
from skewproof.intervals.extremes import distance_to_zero, extremes, radius_of
from skewproof.intervals.parts import Change
from skewproof.metrics.lookup import as_metric, simplified
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.summary import Summarized, Summary, json_number
from skewproof.scoring.difference import Difference
from skewproof.scoring.score_comparison import KINDS, NOT_MEASURED
from skewproof.sensitivity.printed_scores.digits import (
    PrintedInterval,
    printed_interval,
    printed_over_folds,
)
from skewproof.sensitivity.printed_scores.folds import FoldsVerdict, decide_means, stratified
from skewproof.sensitivity.printed_scores.matrices import Counts, Matrices, Score, find_matrices

WITHOUT_MATRIX = {
    simplified(name) for name in (*KINDS, *NOT_MEASURED, "auroc", "auprc", "roc_auc", "pr_auc")
}
"""Names of scores that no confusion matrix has."""

MOST_MATRICES = 1000
"""Largest number of matrices, or of pairs of them, that are listed or have intervals."""

MOST_SIZES = 20_000
"""Largest number of pairs of class sizes that are considered."""

LARGEST_CLASS, LARGEST_TOTAL = 10**9, 10**6
"""Largest size of a class, and largest upper bound of the number of instances."""

NEARBY, MOST_NEARBY = 2, 100
"""Units of the last digit by which nearby combinations of scores differ, and the number of them
that are tried."""

Size = int | tuple[int, int] | None
"""The size of a class, its smallest and largest possible value, or None."""


class Explanation(NamedTuple):
    """A possible reason for impossible scores.

    Examples
    --------
    >>> from skewproof import printed
    >>> scores = {"recall": "0.94", "specificity": "0.75"}
    >>> impossible = printed(scores, positives=40, negatives=160)
    >>> exchanged = impossible.explanations[2]
    >>> exchanged.reason, exchanged.possible
    ('classes exchanged', True)
    """

    reason: str
    """The change of the data or the scores."""

    possible: bool
    """True if matrices with this change have the scores."""

    nearby: float
    """Share of nearby combinations of digits, with last digits that differ by up to two units, for
    which such matrices exist, too; NaN if none exist for the printed digits."""


@dataclass(frozen=True, repr=False)
class PrintedScores(Summarized):
    """Printed scores with all confusion matrices that have them.

    Attributes
    ----------
    scores
        The printed scores, by the given names of their metrics.
    left_out
        Names of scores that no confusion matrix has.
    rounding
        The way to round.
    matrices
        The matrices in boxes of (tp, fp).

    Examples
    --------
    >>> from skewproof import printed
    >>> behind = printed({"accuracy": "0.90", "recall": "0.8"}, positives=10, negatives=20)
    >>> behind.possible, behind.number, behind.matrices.bounds["fp"]
    (True, 1, (1, 1))
    """

    scores: Mapping[str, str]
    left_out: tuple[str, ...]
    rounding: str
    matrices: Matrices = field(hash=False, compare=False)
    _read: tuple[Score, ...] = field(hash=False, compare=False)
    _sizes: Counts = field(hash=False, compare=False)

    @property
    def possible(self) -> bool:
        """True unless it is proved that no matrix has these scores."""
        return self.number > 0

    @property
    def number(self) -> int:
        """Number of matrices."""
        return self.matrices.number

    def to_frame(self) -> pd.DataFrame:
        """List the matrices, with the columns tp, fp, fn and tn.

        Raises
        ------
        ValueError
            If there are more than 1,000.
        """
        cells = self._counts.reshape(-1, 4)[:, [0, 2, 1, 3]]
        return pd.DataFrame(cells.astype(np.int64), columns=list(CELLS))

    def range(self, metric: str | Metric) -> tuple[float, float]:
        """Find the smallest and the largest value of a metric over the matrices.

        Both are NaN if there is no matrix, or if the metric is undefined on all of them.

        Raises
        ------
        KeyError, ValueError
            If it is not a metric of two classes.
        """
        known, low, high = as_metric(metric), math.nan, math.nan
        for values in map(known, self.matrices.parts()):
            low, high = np.fmin(low, np.fmin.reduce(values)), np.fmax(high, np.fmax.reduce(values))
        return float(low), float(high)

    def interval(
        self,
        metric: str | Metric,
        *,
        at: At = "population",
        total: float | None = None,
        confidence: float = 0.95,
    ) -> Interval:
        """Compute the envelope of a metric's intervals over the matrices.

        Parameters
        ----------
        metric, at, total, confidence
            As for :func:`skewproof.interval`; a prevalence that is estimated without labels is
            refused.

        Returns
        -------
        The interval from the lowest to the highest end. Its value is the middle of the values of
        the matrices, and the remark has the smallest and the largest.

        Raises
        ------
        KeyError, ValueError
            As :func:`skewproof.interval`, and if there is no matrix or more than 1,000.
        """
        known, fixed, (rows,) = _rows([self._counts], metric, at, total, confidence)
        ends = rows.estimates(of_two_classes(known), radius_of(fixed["confidence"]))
        return Interval(known.key, **_envelope(*ends), **fixed)

    def difference(
        self,
        other: PrintedScores,
        metric: str | Metric,
        *,
        at: At = "population",
        total: float | None = None,
        confidence: float = 0.95,
    ) -> Difference:
        """Compare with other scores on another test set: theirs less these.

        Parameters
        ----------
        other
            Scores of the second model, on instances of its own.
        metric, at, total, confidence
            As for :func:`skewproof.interval`, at the population's, the test set's or an exactly
            stated prevalence.

        Returns
        -------
        The envelope of the intervals for all pairs of matrices. The p-value is the largest, and
        the probability that of the same pair.

        Raises
        ------
        KeyError, ValueError
            As :func:`skewproof.interval`, and if there is no pair of matrices or more than 1,000.
        """
        expect(isinstance(other, PrintedScores), "other", other, "a result of printed")
        _check_number(self.number * other.number)
        first, second = self._counts, other._counts
        pairs = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1, 1))
        known, fixed, (there, here) = _rows(pairs, metric, at, total, confidence)
        exact = fixed["at"].is_exact or not fixed["at"].elsewhere
        expect(exact, "at", at, "'population', 'test set' or an exact prevalence")
        change = Change(of_two_classes(known), here, there, {"classifier": range(2)})
        function, both = change.difference, change.proportions
        values, gradient = function(both.observed, both.slices), change.gradient(*change.causes)
        low, high, undefined = extremes(function, both, radius_of(fixed["confidence"]), gradient)
        distances = np.sign(values) * distance_to_zero(function, both, gradient)
        nearest = distances[np.argmin(np.abs(distances))]
        better = float(ndtr(-nearest if known.lower_is_better else nearest))
        fixed |= {"probability": better, "p_value": float(2 * ndtr(-abs(nearest)))}
        ends = np.fmin(low, values), np.fmax(high, values)
        return Difference(known.key, **_envelope(values, *ends, undefined), **fixed)

    @cached_property
    def explanations(self) -> tuple[Explanation, ...]:
        """Possible reasons if the scores are impossible, which are searched at the first use.

        A single score may be wrong; the classes may be exchanged; and rows of the smaller class may
        have been repeated, or rows of the larger class removed, until both had the same size. None
        of them is proved by being possible: the share of nearby digits that fit as well tells how
        often chance would offer it.
        """
        if self.possible:
            return ()
        printed, sizes = self._read[: len(self.scores)], self._sizes
        rare, common = ("positives", "negatives")[:: 1 if sizes[0, 0] <= sizes[1, 0] else -1]
        questions: list[tuple[str, Sequence[Score], Counts]] = [
            (f"without {name}", [x for x in self._read if x is not score], sizes)
            for name, score in zip(self.scores, printed, strict=True)
            if len(printed) > 1
        ]
        questions += [
            ("classes exchanged", printed, sizes[::-1]),
            (f"{rare} added up to 1:1", printed, np.array([sizes.max(axis=0)] * 2)),
            (f"{common} removed down to 1:1", printed, np.array([sizes.min(axis=0)] * 2)),
        ]
        return tuple(_explained(*question) for question in questions)

    @property
    def verdict(self) -> str:
        """Sentence that says whether the scores are possible."""
        said = f"with rounding {self.rounding}"
        if not self.possible:
            return f"Impossible: no confusion matrix has these scores {said}."
        return f"Possible: confusion matrices with these scores {said}: {self.number:,}."

    def summary(self) -> Summary:
        """Summarize the scores, the matrices and, if no matrix has them, possible reasons."""
        facts = _printed_facts(self.scores, self.left_out)
        cells = [
            {"cell": cell, "from": a, "to": b} for cell, (a, b) in self.matrices.bounds.items()
        ]
        reasons = [row._asdict() | {"possible": str(row.possible)} for row in self.explanations]
        tables = {"Cells of the matrices": cells, "Possible with other data": reasons}
        return Summary("Printed scores", verdict=self.verdict, facts=facts, tables=tables)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as values for JSON; matrices are listed up to 1,000 of them."""
        listed = self.to_frame().to_dict("records") if 0 < self.number <= MOST_MATRICES else []
        known = {"possible": self.possible, "number": self.number, "bounds": self.matrices.bounds}
        rows = [row._asdict() | {"nearby": json_number(row.nearby)} for row in self.explanations]
        return known | {"left_out": self.left_out, "matrices": listed, "explanations": rows}

    @cached_property
    def _counts(self) -> Any:
        """The counts of few matrices, shape (matrices, 2, 2)."""
        _check_number(self.number)
        (m,) = self.matrices.parts()
        return np.array([[m.tp, m.fn], [m.fp, m.tn]]).transpose(2, 0, 1)


def printed(
    scores: Mapping[str | Metric, str],
    *,
    positives: Size = None,
    negatives: Size = None,
    prevalence: str | None = None,
    total: int | None = None,
    predicted_positives: int | None = None,
    rounding: str = "half up",
) -> PrintedScores:
    """Find all confusion matrices whose scores print as given.

    If no matrix has the scores, they are impossible for these class sizes, and this is a proof:
    boxes of true and false positives, then single matrices, are excluded by intervals of floats
    that are rounded outward, and the rest by exact arithmetic, in which the decimal numbers of a
    formula are fractions; sums of such numbers alone, as in 0.3 - 0.1, are taken as floats. The
    intervals of numbers that print as a text include both ends. A matrix that is not decided counts
    as possible: beyond the 2,000 that exact arithmetic decides, or where 400 digits do not tell a
    score from the end of an interval.

    Parameters
    ----------
    scores
        Texts of printed scores with all their digits, such as "0.90", "90.0 %" or the range
        "0.84-0.86", by metric, its key or name, or a formula. Scores that no confusion matrix has,
        such as the AUC, are left out.
    positives, negatives
        Sizes of the classes of the test set, from 1 to 10^9, or the smallest and largest possible
        size.
    prevalence, total
        In place of the sizes: the printed share of positives, and the largest possible number of
        instances.
    predicted_positives
        Number of instances that are called positive, if it is known.
    rounding
        "half up" or "half even", which both admit a number half way between two texts; "truncated"
        for digits that were cut off; "twice" for numbers that were first rounded to one more digit;
        or "any" of these.

    Returns
    -------
    The matrices, with ranges and intervals of other metrics.

    Raises
    ------
    KeyError
        If there is no such metric, or several have the name.
    ValueError
        If a score is not a text, such as a float, whose digits are lost; if no score is left; if
        a size is invalid or missing, or there are more than 20,000 pairs of them; or if the search
        is too large.

    Examples
    --------
    >>> from skewproof import printed
    >>> scores = {"accuracy": "0.9033", "sensitivity": "0.85"}
    >>> behind = printed(scores, positives=100, negatives=200)
    >>> behind.verdict
    'Possible: confusion matrices with these scores with rounding half up: 1.'
    >>> behind.to_frame().values.tolist()
    [[85, 14, 15, 186]]

    Compute a score that was not printed, and precision where positives are rare:

    >>> [round(end, 3) for end in behind.range("f1")]
    [0.854, 0.854]
    >>> print(behind.interval("precision", at="1:500"))
    precision = 0.024 (0.015 to 0.040) at 1:500, 95 %, if instances are independent and the \
classifier keeps its rates

    A specificity that no matrix has beside the accuracy:

    >>> printed(scores | {"specificity": "0.95"}, positives=100, negatives=200).possible
    False
    """
    sizes = _sizes(positives, negatives, prevalence, total)
    texts, without, read = read_scores(scores, rounding)
    for key, score in zip(texts, read, strict=True):
        over_folds = score.deviation or score.ends
        expected = "no deviation or range over folds, which printed_means takes"
        expect(over_folds is None, f"scores[{key!r}]", texts[key], expected)
    if predicted_positives is not None:
        calls = Fraction(expect_whole("predicted_positives", predicted_positives))
        exactly = PrintedInterval(calls, calls, Fraction(1))
        read.append(Score(as_metric("tp + fp", key="predicted positives"), exactly))
    return PrintedScores(texts, without, rounding, find_matrices(read, sizes), tuple(read), sizes)


def read_scores(scores: Any, rounding: str) -> tuple[dict[str, str], tuple[str, ...], list[Score]]:
    """Read printed scores: their texts, the names of those without a matrix, and their intervals.

    Raises
    ------
    KeyError, ValueError
        As :func:`printed`.
    """
    expect(isinstance(scores, Mapping), "scores", scores, "a mapping from metrics to texts")
    named = {name.key if isinstance(name, Metric) else name: name for name in scores}
    without = tuple(name for name in named if simplified(str(name)) in WITHOUT_MATRIX)
    texts = {key: scores[name] for key, name in named.items() if key not in without}
    expect(bool(texts), "scores", scores, "at least one score of a confusion matrix")
    read = [
        Score(as_metric(named[key]), *printed_over_folds(text, rounding, name=f"scores[{key!r}]"))
        for key, text in texts.items()
    ]
    return texts, without, read


def _sizes(positives: Size, negatives: Size, prevalence: str | None, total: int | None) -> Counts:
    """List the pairs of class sizes, shape (2, pairs)."""
    pairs: Any
    if prevalence is None:
        expect(total is None, "total", total, "None without a prevalence")
        ends = [_ends(*item) for item in (("positives", positives), ("negatives", negatives))]
        pairs = itertools.product(*(range(first, last + 1) for first, last in ends))
    else:
        given = positives is None and negatives is None
        expect(given, "prevalence", prevalence, "None with positives and negatives")
        share = printed_interval(prevalence, name="prevalence")
        most = expect_whole("total", total, 2, LARGEST_TOTAL)
        pairs = (
            (p, size - p)
            for size in range(2, most + 1)
            for p in range(max(1, -(-share.low * size // 1)), int(share.high * size) + 1)
            if p < size
        )
    listed = list(itertools.islice(pairs, MOST_SIZES + 1))
    number, expected = len(listed), f"1 to {MOST_SIZES:,} pairs of class sizes"
    expect(0 < number <= MOST_SIZES, "class sizes", f"{number} or more pairs", expected)
    return np.array(listed, dtype=np.int64).T


def _ends(name: str, size: Any) -> tuple[int, int]:
    pair = size if isinstance(size, tuple) else (size, size)
    fits = len(pair) == 2 and all(is_whole(end, 1, LARGEST_CLASS) for end in pair)
    expected = f"a whole number from 1 to {LARGEST_CLASS:,}, or a pair of them"
    expect(fits and pair[0] <= pair[1], name, size, expected)
    return int(pair[0]), int(pair[1])


def _explained(reason: str, scores: Sequence[Score], sizes: Counts) -> Explanation:
    """Search for matrices under changed circumstances, and for those of nearby digits."""
    random, units = np.random.default_rng(0), range(-NEARBY, NEARBY + 1)
    shifts = list(itertools.islice(itertools.product(units, repeat=len(scores)), MOST_NEARBY + 1))
    if len(shifts) > MOST_NEARBY:
        shifts = [(*shift,) for shift in random.choice(units, (MOST_NEARBY, len(scores))).tolist()]

    def fits(shift: Sequence[int]) -> bool:
        moved = [x.shifted(units) for x, units in zip(scores, shift, strict=True)]
        return find_matrices(moved, sizes, first=True).number > 0

    possible = fits([0] * len(scores))
    others = [fits(shift) for shift in shifts if any(shift) and possible]
    return Explanation(reason, possible, sum(others) / len(others) if others else math.nan)


def _printed_facts(scores: Mapping[str, str], left_out: Sequence[str]) -> list[tuple[str, str]]:
    facts = [("Printed", ", ".join(f"{key} {text}" for key, text in scores.items()))]
    if left_out:
        facts.append(("Left out", f"{', '.join(left_out)}: no confusion matrix has them"))
    return facts


def _check_number(number: int) -> None:
    expected = f"1 to {MOST_MATRICES:,}; more digits or scores, or predicted_positives, narrow them"
    expect(0 < number <= MOST_MATRICES, "matrices", f"{number:,} or pairs of them", expected)


def _rows(
    counts: Sequence[Any], metric: str | Metric, at: At, total: float | None, confidence: float
) -> tuple[Metric, dict[str, Any], list[ClassRows]]:
    """Return a metric, its confidence and prevalence, and the rows of matrices there."""
    known, where, number = as_metric(metric), Prevalence.given(at).for_two_classes(), len(counts[0])
    expect(where.estimate is None, "at", at, "a prevalence that is not estimated without labels")
    check_total(known, where, total)
    totals = None if total is None else np.full(number, float(total))
    rows = [ClassRows.at(part, where, TWO_CLASSES, totals) for part in counts]
    level = expect_confidence("confidence", confidence)
    return known, {"confidence": level, "at": where}, rows


def _envelope(values: Any, low: Any, high: Any, undefined: Any) -> dict[str, Any]:
    """Return the fields of an estimate that holds for several matrices or pairs."""
    least, most, number = float(np.nanmin(values)), float(np.nanmax(values)), len(values)
    remark = f"This is the envelope for {number:,} matrices or pairs of them, whose values are"
    return {
        "value": (least + most) / 2,
        "low": float(np.nanmin(low)),
        "high": float(np.nanmax(high)),
        "undefined": bool(undefined.any()),
        "remark": f"{remark} {least:.4g} to {most:.4g}." if number > 1 else "",
    }


MOST_FOLDS = 100
"""Largest number of folds."""


@dataclass(frozen=True, repr=False)
class PrintedMeans(Summarized):
    """Answer to whether mean scores over folds are possible.

    Attributes
    ----------
    scores
        The printed means, by the given names of their metrics.
    left_out
        Names of scores that no confusion matrix has.
    rounding
        The way to round.
    decision
        Whether they are possible, with a witness or the kind of the proof.
    sizes
        P and N of each fold, shape (2, folds).

    Examples
    --------
    >>> from skewproof.audits import printed_means
    >>> print(printed_means({"recall": "0.41"}, positives=10, negatives=20, folds=5).verdict)
    Impossible: no matrices of 5 folds have these means with rounding half up, proved by an \
integer program.
    """

    scores: Mapping[str, str]
    left_out: tuple[str, ...]
    rounding: str
    decision: FoldsVerdict
    sizes: Counts

    @property
    def possible(self) -> bool | None:
        """True with a witness, False with a proof, and None if it is not decided."""
        return self.decision.possible

    @property
    def verdict(self) -> str:
        """Sentence that says whether the means are possible."""
        of = f"matrices of {self.sizes.shape[1]} folds have these means with rounding"
        if self.possible is None:
            return f"Not decided: whether {of} {self.rounding}."
        if self.possible:
            return f"Possible: {of} {self.rounding}."
        return f"Impossible: no {of} {self.rounding}, proved by {self.decision.proof}."

    def to_frame(self) -> pd.DataFrame:
        """List one of many solutions, a fold in a row with tp, fp, fn and tn, if there is any."""
        tp, fp = np.zeros((2, 0)) if self.decision.witness is None else self.decision.witness
        fn, tn = self.sizes[:, : len(tp)] - np.array([tp, fp])
        return pd.DataFrame({"tp": tp, "fp": fp, "fn": fn, "tn": tn}, dtype=np.int64)

    def summary(self) -> Summary:
        """Summarize the answer, with one of many solutions."""
        facts = _printed_facts(self.scores, self.left_out)
        tables = {"One of many solutions": self.to_frame().to_dict("records")}
        return Summary("Printed means", verdict=self.verdict, facts=facts, tables=tables)


def printed_means(
    scores: Mapping[str | Metric, str],
    *,
    positives: int | Sequence[int],
    negatives: int | Sequence[int],
    folds: int = 5,
    rounding: str = "half up",
) -> PrintedMeans:
    """Decide whether mean scores over folds are possible, by a witness or a proof.

    A score that is the mean over folds need not be that of any matrix of the whole data set. The
    means are *possible* only with matrices of the folds whose exact means print as given, and
    *impossible* only with a proof: weights of the scores for which the largest weighted sums in all
    folds stay below the least that the printed means allow, which is checked with outward-rounded
    intervals; or an integer program over the matrices that the weights leave, with a tolerance of
    0.0001 half units of the last digit. Everything else is not decided. Every score is taken to be
    defined in every fold.

    Parameters
    ----------
    scores, rounding
        As for :func:`skewproof.printed`. The standard deviation and the range over the folds, if
        they are printed, follow the mean: "0.85 ± 0.03", "0.85 ± 0.03 (range 0.80-0.91)" or
        "0.85 (range 0.80-0.91)". The divisor of the squared deviations may be the number of folds
        or one less.
    positives, negatives
        Sizes of the classes of the data set, which are split into stratified folds as by
        scikit-learn, or their sizes in each fold.
    folds
        Number of stratified folds, from 2 to 100.

    Raises
    ------
    KeyError, ValueError
        As :func:`skewproof.printed`, or if there are too few instances or folds.

    Examples
    --------
    >>> from skewproof.audits import printed_means
    >>> scores = {"accuracy": "0.9033", "recall": "0.85", "f1": "0.8533"}
    >>> means = printed_means(scores, positives=100, negatives=200, folds=5)
    >>> means.possible, means.to_frame().sum(axis=1).tolist()
    (True, [60, 60, 60, 60, 60])
    """
    texts, without, read = read_scores(scores, rounding)
    if isinstance(positives, Sequence) and isinstance(negatives, Sequence):
        sizes, folds = [[*positives], [*negatives]], len(positives)
    else:
        expect_whole("folds", folds, 2, MOST_FOLDS)
        for name, size in (("positives", positives), ("negatives", negatives)):
            expect(is_whole(size, folds, LARGEST_CLASS), name, size, f"at least {folds}")
        sizes = stratified(np.array([positives, negatives]), folds).tolist()
    fits = len(sizes[1]) == folds and all(is_whole(n, 1) for row in sizes for n in row)
    expect(fits, "positives, negatives", sizes, "whole numbers of at least 1, alike many")
    counts = np.array(sizes, dtype=np.int64)[:, np.lexsort(np.array(sizes)[::-1])]
    return PrintedMeans(texts, without, rounding, decide_means(read, counts), counts)
