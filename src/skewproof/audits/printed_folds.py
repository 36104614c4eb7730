"""Mean scores over the folds of a cross-validation, as a publication prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from skewproof.audits.printed_scores import LARGEST_CLASS, read_scores
from skewproof.core.arguments import expect, expect_whole, is_whole
from skewproof.core.metric import Metric
from skewproof.reporting.summary import Summarized, Summary
from skewproof.sensitivity.printed_scores.folds import FoldsVerdict, decide_means, stratified
from skewproof.sensitivity.printed_scores.matrices import Counts

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
        facts = [("Printed", ", ".join(f"{key} {text}" for key, text in self.scores.items()))]
        if self.left_out:
            facts.append(("Left out", f"{', '.join(self.left_out)}: no confusion matrix has them"))
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
