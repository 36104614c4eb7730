"""Estimates with their intervals, as results that say what they are in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import pandas as pd

from skewproof.intervals.deviations import negatives_needed
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.result_table import ResultTable
from skewproof.reporting.summary import Summarized, Summary


@dataclass(frozen=True)
class Grouping:
    """Groups of rows that belong together, and what the rows are worth for an estimate.

    Examples
    --------
    >>> grouping = Grouping(groups=100, rows=1500.0, design_effect=6.25)
    >>> print(grouping)
    100 groups, 1,500 rows count as 240
    """

    groups: int
    """Number of groups."""

    rows: float
    """Number of rows."""

    design_effect: float
    """Variance of the estimate over that of as many independent rows. Both are those of its
    linearization, and the first includes the corrections for few groups."""

    @property
    def effective_rows(self) -> float:
        """Number of independent rows that tell as much about the estimate."""
        return self.rows / self.design_effect

    def __str__(self) -> str:
        worth = (
            f"{self.effective_rows:,.0f}"
            if self.effective_rows >= 10
            else f"{self.effective_rows:.2g}"
        )
        return f"{self.groups:,} groups, {self.rows:,.0f} rows count as {worth}"


class Estimate(Summarized):
    """Common base of an interval and a difference, with their text."""

    metric: str
    value: float
    low: float
    high: float
    confidence: float
    at: Prevalence
    remark: str = ""
    grouping: Grouping | None = None

    @property
    def _with_ends(self) -> str:
        value, low, high = in_digits_of_width(self.value, self.low, self.high)
        return f"{self.metric} = {value} ({low} to {high}) {self.at.where}"

    @property
    def _terms(self) -> str:
        if self.grouping is None:
            return f"{percent(self.confidence)}, {self.at.assumption()}"
        return f"{percent(self.confidence)}, {self.at.assumption('groups')}; {self.grouping}"

    def __str__(self) -> str:
        sentence = f"{self._with_ends}, {self._terms}"
        return f"{sentence}. {self.remark}" if self.remark else sentence

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"


@dataclass(frozen=True, repr=False)
class Interval(Estimate):
    """Value of a metric with its interval.

    Examples
    --------
    >>> from skewproof import ConfusionMatrix, interval
    >>> from skewproof.metrics import f1
    >>> of_f1 = interval(f1, ConfusionMatrix(tp=40, fp=30, fn=10, tn=170), at="1:1000")
    >>> of_f1.low < of_f1.value < of_f1.high
    True
    >>> of_f1.metric, of_f1.confidence, str(of_f1.at)
    ('f1', 0.95, '1:1000')
    """

    metric: str
    """The metric's key."""

    value: float
    """The metric at the observed rates and the prevalence that `at` stands for; NaN if it is
    undefined there."""

    low: float
    high: float

    undefined: bool
    """True if the metric is undefined at some of the examined rates, which are left out."""

    confidence: float
    """Level of the interval."""

    at: Prevalence
    """Prevalence of the interval."""

    remark: str = ""
    """Further remark on the interval, in a sentence."""

    grouping: Grouping | None = None
    """The groups of rows that belong together; None if all rows are independent."""

    def summary(self) -> Summary:
        """Return the summary of the interval."""
        left_out = "Rates at which the metric is undefined are left out." if self.undefined else ""
        paragraphs = [f"{self._terms}.", left_out, self.remark]
        return Summary(self._with_ends, paragraphs=list(filter(None, paragraphs)))


def with_negatives_needed(
    remark: str, at: Prevalence, negatives: float, confidence: float, *, tpr: float = 1.0, how: str
) -> str:
    """Add to a remark how many negatives show that precision is at least 1/2, if these do not."""
    if not at.share > 0:
        return remark
    needed = negatives_needed(tpr * at.rarest / (1 - at.rarest), confidence)
    if needed <= negatives:
        return remark
    return (
        f"{remark} Showing that it is at least 1/2 {at.where} takes about {needed:,.0f} negatives"
        f" {how}."
    )


def percent(confidence: float) -> str:
    """Write a level of confidence.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * confidence:.6g} %"


def in_digits_of_width(value: float, low: float, high: float) -> tuple[str, str, str]:
    """Write three numbers with so many decimals that the last is at most a twentieth of the width.

    Examples
    --------
    >>> in_digits_of_width(0.0314159, 0.0091, 0.0953), in_digits_of_width(1.0, 0.99986, 1.0)
    (('0.031', '0.009', '0.095'), ('1.000000', '0.999860', '1.000000'))
    >>> in_digits_of_width(2.5, 1.0, math.inf)
    ('2.5', '1', 'inf')
    """
    width = high - low
    if not math.isfinite(width) or width <= 0:
        return f"{value:.4g}", f"{low:.4g}", f"{high:.4g}"
    decimals = max(0, math.ceil(math.log10(20 / width)))
    return f"{value:.{decimals}f}", f"{low:.{decimals}f}", f"{high:.{decimals}f}"


def frame_of(estimates: Iterable[Any]) -> pd.DataFrame:
    """Collect intervals or differences of several metrics in a frame, a row each."""
    rows = pd.DataFrame(
        {field.name: getattr(estimate, field.name) for field in fields(estimate)}
        | {"at": str(estimate.at)}
        | {"grouping": "" if estimate.grouping is None else str(estimate.grouping)}
        for estimate in estimates
    )
    leading = ["metric", "value", "low", "high", "remark"]
    return ResultTable(rows[[*leading, *rows.columns.difference(leading, sort=False)]])
