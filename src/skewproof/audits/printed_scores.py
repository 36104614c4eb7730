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
from skewproof.sensitivity.printed_scores.digits import PrintedInterval, printed_interval
from skewproof.sensitivity.printed_scores.matrices import (
    Counts,
    Matrices,
    Score,
    all_counts,
    find_matrices,
)

WITHOUT_MATRIX = {
    simplified(name) for name in (*KINDS, *NOT_MEASURED, "auroc", "auprc", "roc_auc", "pr_auc")
}
"""Names of scores that no confusion matrix has."""

MOST_MATRICES = 1000
"""Largest number of matrices, or of pairs of them, that are listed or have intervals."""

FEW_MATRICES = 10
"""Largest number of matrices that a summary lists."""

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
    """True if there are matrices with this change."""

    nearby: float
    """Share of nearby combinations of digits, with last digits that differ by up to two units, for
    which there are such matrices, too; NaN if there are none for the printed digits."""


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
    found
        The matrices in boxes of (tp, fp).

    Examples
    --------
    >>> from skewproof import printed
    >>> found = printed({"accuracy": "0.90", "recall": "0.8"}, positives=10, negatives=20)
    >>> found.possible, found.number, found.bounds["fp"]
    (True, 1, (1, 1))
    """

    scores: Mapping[str, str]
    left_out: tuple[str, ...]
    rounding: str
    found: Matrices = field(hash=False, compare=False)
    _read: tuple[Score, ...] = field(hash=False, compare=False)
    _sizes: Counts = field(hash=False, compare=False)

    @property
    def possible(self) -> bool:
        """True if a matrix has these scores; False is proved."""
        return self.number > 0

    @property
    def number(self) -> int:
        """Number of matrices."""
        return self.found.number

    @property
    def bounds(self) -> dict[str, tuple[int, int]]:
        """Smallest and largest count of each cell over the matrices."""
        return self.found.bounds

    def to_frame(self) -> pd.DataFrame:
        """List the matrices, with the columns tp, fp, fn and tn.

        Raises
        ------
        ValueError
            If there are more than 1,000.
        """
        self._refuse_many(self.number)
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
        return self.found.range(as_metric(metric))

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
        self._refuse_many(self.number)
        known, where = as_metric(metric), _stated(at, total, metric)
        rows = _rows(self._counts, where, total)
        level = expect_confidence("confidence", confidence)
        ends = rows.estimates(of_two_classes(known), radius_of(level))
        values = ends.values
        return Interval(
            known.key,
            float((np.nanmin(values) + np.nanmax(values)) / 2),
            float(np.nanmin(ends.low)),
            float(np.nanmax(ends.high)),
            bool(ends.undefined.any()),
            level,
            where,
            _remark(values, "intervals", "matrices"),
        )

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
        self._refuse_many(self.number * other.number)
        known, where = as_metric(metric), _stated(at, total, metric)
        exact = where.is_exact or not where.elsewhere
        expect(exact, "at", at, "'population', 'test set' or an exact prevalence")
        level = expect_confidence("confidence", confidence)
        first, second = self._counts, other._counts
        there = _rows(np.repeat(first, len(second), axis=0), where, total)
        here = _rows(np.tile(second, (len(first), 1, 1)), where, total)
        change = Change(of_two_classes(known), here, there, {"classifier": range(2)})
        function, both = change.difference, change.proportions
        values, gradient = function(both.observed, both.slices), change.gradient(*change.causes)
        low, high, undefined = extremes(function, both, radius_of(level), gradient)
        distances = np.sign(values) * distance_to_zero(function, both, gradient)
        nearest = distances[np.argmin(np.abs(distances))]
        return Difference(
            known.key,
            float((np.nanmin(values) + np.nanmax(values)) / 2),
            float(np.fmin(low, values).min()),
            float(np.fmax(high, values).max()),
            float(ndtr(-nearest if known.lower_is_better else nearest)),
            float(2 * ndtr(-abs(nearest))),
            bool(undefined.any()),
            level,
            where,
            _remark(values, "intervals", "pairs of matrices"),
        )

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
        most, least = self._sizes.max(axis=0), self._sizes.min(axis=0)
        printed = self._read[: len(self.scores)]
        questions: list[tuple[str, Sequence[Score], Counts]] = [
            (f"without {name}", [x for x in self._read if x is not score], self._sizes)
            for name, score in zip(self.scores, printed, strict=True)
            if len(printed) > 1
        ]
        rare, common = "positives", "negatives"
        if (self._sizes[0] > self._sizes[1]).all():
            rare, common = common, rare
        questions += [
            ("classes exchanged", printed, self._sizes[::-1]),
            (f"{rare} added up to 1:1", printed, np.array([most, most])),
            (f"{common} removed down to 1:1", printed, np.array([least, least])),
        ]
        return tuple(_explained(*question) for question in questions)

    @property
    def verdict(self) -> str:
        """Sentence that says whether the scores are possible."""
        ways = "any rounding" if self.rounding == "any" else f"rounding {self.rounding}"
        if not self.possible:
            return f"Impossible: no confusion matrix has these scores with {ways}."
        plural = "matrix has" if self.number == 1 else "matrices have"
        return f"Possible: {self.number:,} confusion {plural} these scores with {ways}."

    def summary(self) -> Summary:
        """Summarize the scores, the matrices and, if there is none, possible reasons."""
        facts = [("Positives", _extent(self._sizes[0])), ("Negatives", _extent(self._sizes[1]))]
        if self.left_out:
            facts.append(("Left out", f"{', '.join(self.left_out)}: no confusion matrix has them"))
        tables: dict[str, Any] = {
            "Printed scores": [{"metric": key, "value": text} for key, text in self.scores.items()]
        }
        if 0 < self.number <= FEW_MATRICES:
            tables["Matrices"] = self.to_frame().to_dict("records")
        elif self.possible:
            ends = self.bounds.items()
            rows = [{"cell": cell, "from": low, "to": high} for cell, (low, high) in ends]
            tables["Cells of the matrices"] = rows
        else:
            tables["Possible with other data"] = [
                {
                    "change": reason,
                    "possible": "yes" if possible else "no",
                    "nearby digits, too": "" if math.isnan(nearby) else f"{nearby:.0%}",
                }
                for reason, possible, nearby in self.explanations
            ]
        return Summary("Printed scores", verdict=self.verdict, facts=facts, tables=tables)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as values for JSON; matrices are listed up to 1,000 of them."""
        listed = self.to_frame().to_dict("records") if 0 < self.number <= MOST_MATRICES else []
        return {
            "possible": self.possible,
            "rounding": self.rounding,
            "scores": dict(self.scores),
            "left_out": list(self.left_out),
            "number": self.number,
            "bounds": {cell: list(ends) for cell, ends in self.bounds.items()},
            "matrices": listed,
            "explanations": [
                row._asdict() | {"nearby": json_number(row.nearby)} for row in self.explanations
            ],
        }

    @cached_property
    def _counts(self) -> Any:
        return all_counts(self.found)

    def _refuse_many(self, number: int) -> None:
        if not 0 < number <= MOST_MATRICES:
            raise ValueError(
                f"{number:,} confusion matrices have these scores: expected 1 to {MOST_MATRICES:,};"
                " more digits, more scores or predicted_positives= narrow them"
            )


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

    If there is none, the scores are impossible for these class sizes, and this is a proof: boxes of
    true and false positives, then single matrices, are excluded by intervals of floats that are
    rounded outward, and the rest by exact arithmetic. The intervals of numbers that print as a
    text include both ends.

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
        the operations of a metric cannot be enclosed; if a size is invalid or missing, or there are
        more than 20,000 pairs of them; or if the search is too large.

    Examples
    --------
    >>> from skewproof import printed
    >>> scores = {"accuracy": "0.9033", "sensitivity": "0.85"}
    >>> found = printed(scores, positives=100, negatives=200)
    >>> found.verdict
    'Possible: 1 confusion matrix has these scores with rounding half up.'
    >>> found.to_frame().values.tolist()
    [[85, 14, 15, 186]]

    Compute a score that was not printed, and precision where positives are rare:

    >>> [round(end, 3) for end in found.range("f1")]
    [0.854, 0.854]
    >>> print(found.interval("precision", at="1:500"))
    precision at 1:500: 0.024 (0.015 to 0.040), 95 %, if instances are independent and the \
classifier keeps its rates

    A specificity that no matrix has beside the accuracy:

    >>> printed(scores | {"specificity": "0.95"}, positives=100, negatives=200).possible
    False
    """
    expect(isinstance(scores, Mapping), "scores", scores, "a mapping from metrics to texts")
    sizes = _sizes(positives, negatives, prevalence, total)
    named = {name.key if isinstance(name, Metric) else name: name for name in scores}
    without = [name for name in named if simplified(str(name)) in WITHOUT_MATRIX]
    texts = {key: scores[name] for key, name in named.items() if key not in without}
    expect(bool(texts), "scores", scores, "at least one score of a confusion matrix")
    read = [
        Score(as_metric(named[key]), printed_interval(text, rounding, name=f"scores[{key!r}]"))
        for key, text in texts.items()
    ]
    if predicted_positives is not None:
        calls = Fraction(expect_whole("predicted_positives", predicted_positives))
        exactly = PrintedInterval(calls, calls, Fraction(1))
        read.append(Score(as_metric("tp + fp", key="predicted positives"), exactly))
    return PrintedScores(
        texts,
        tuple(without),
        rounding,
        find_matrices(read, sizes),
        tuple(read),
        sizes,
    )


def _sizes(positives: Size, negatives: Size, prevalence: str | None, total: int | None) -> Counts:
    """List the pairs of class sizes, shape (2, pairs)."""
    if prevalence is None:
        expect(total is None, "total", total, "None without a prevalence")
        ends = [_ends(*item) for item in (("positives", positives), ("negatives", negatives))]
        number = math.prod(last - first + 1 for first, last in ends)
        expect(number <= MOST_SIZES, "positives, negatives", f"{number:,} pairs", _FEWER)
        pairs = itertools.product(*(range(first, last + 1) for first, last in ends))
        return np.array(list(pairs), dtype=np.int64).T
    given = positives is None and negatives is None
    expect(given, "prevalence", prevalence, "None with positives and negatives")
    share = printed_interval(prevalence, name="prevalence")
    expect(share.high >= 0 and share.low <= 1, "prevalence", prevalence, "a share of positives")
    most = expect_whole("total", total, 2, LARGEST_TOTAL)
    pairs_of_size = []
    for size in range(2, most + 1):
        first = max(1, math.ceil(share.low * size))
        last = min(size - 1, math.floor(share.high * size))
        pairs_of_size += [(count, size - count) for count in range(first, last + 1)]
        expect(len(pairs_of_size) <= MOST_SIZES, "total", total, _FEWER)
    expect(bool(pairs_of_size), "prevalence", prevalence, f"a share among {total} instances")
    return np.array(pairs_of_size, dtype=np.int64).T


_FEWER = f"at most {MOST_SIZES:,} pairs of class sizes"


def _ends(name: str, size: Size) -> tuple[int, int]:
    pair = size if isinstance(size, tuple) else (size, size)
    whole = len(pair) == 2 and all(is_whole(end, 1, LARGEST_CLASS) for end in pair)
    fits = whole and pair[0] <= pair[1]  # type: ignore[operator]
    expect(fits, name, size, f"a whole number from 1 to {LARGEST_CLASS:,}, or a pair of them")
    return int(pair[0]), int(pair[1])  # type: ignore[arg-type]


def _explained(reason: str, scores: Sequence[Score], sizes: Counts) -> Explanation:
    """Search for matrices under changed circumstances, and for those of nearby digits."""
    if not find_matrices(scores, sizes, first=True).number:
        return Explanation(reason, False, math.nan)
    shifts = list(itertools.islice(_shifts(len(scores)), MOST_NEARBY))
    fits = [
        find_matrices(
            [score.shifted(units) for score, units in zip(scores, shift, strict=True)],
            sizes,
            first=True,
        ).number
        > 0
        for shift in shifts
    ]
    return Explanation(reason, True, sum(fits) / len(fits))


def _shifts(scores: int) -> Any:
    """Generate changes of last digits, at random if there are many."""
    units = range(-NEARBY, NEARBY + 1)
    if len(units) ** scores - 1 <= MOST_NEARBY:
        return (shift for shift in itertools.product(units, repeat=scores) if any(shift))
    random = np.random.default_rng(0)
    drawn = (random.integers(-NEARBY, NEARBY, scores, endpoint=True) for _ in itertools.count())
    return (shift.tolist() for shift in drawn if shift.any())


def _stated(at: At, total: float | None, metric: str | Metric) -> Prevalence:
    where = Prevalence.given(at).for_two_classes()
    expect(where.estimate is None, "at", at, "a prevalence that is not estimated without labels")
    check_total(as_metric(metric), where, total)
    return where


def _rows(counts: Any, at: Prevalence, total: float | None) -> ClassRows:
    totals = None if total is None else np.full(len(counts), float(total))
    return ClassRows.at(counts, at, TWO_CLASSES, totals)


def _remark(values: Any, intervals: str, units: str) -> str:
    if len(values) == 1:
        return ""
    low, high = np.nanmin(values), np.nanmax(values)
    return (
        f"This is the envelope of the {intervals} of {len(values):,} {units}, whose values are"
        f" {low:.4g} to {high:.4g}."
    )


def _extent(sizes: Any) -> str:
    low, high = int(sizes.min()), int(sizes.max())
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
