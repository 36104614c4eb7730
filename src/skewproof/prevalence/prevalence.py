"""Knowledge of the prevalence where a classifier will run, which is the argument `at`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array, Value
from skewproof.core.arguments import (
    expect,
    expect_flag,
    expect_number,
    expect_whole,
    is_finite,
    is_whole,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.labels import check_pos_label, checked_labels
from skewproof.core.levels import Level
from skewproof.core.messages import shortened, shown
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.class_bins import ClassBins, bin_classes
from skewproof.prevalence.mixtures import mixing_shares
from skewproof.prevalence.score_bins import ScoreBins, bin_reference

Kind = Literal[
    "stated", "sampled", "between", "believed", "population", "test set", "predicted", "scored"
]

ByClass = tuple[tuple[Hashable, float], ...]
"""Pairs of a class's name and its number."""

EXPECTED = (
    'a prevalence above 0 and below 1, a level such as "1:1000", "population", "test set", or a'
    " result of Prevalence.sampled, .between, .believed or .of"
)
"""Expected types of an argument `at`, for messages."""

EXPECTED_TEXT = (
    'a prevalence above 0 and below 1 (0.1 for 10 %), a level such as "1:1000", a count in a sample'
    ' ("12/4000"), a range ("0.001..0.01" or "1:1000..1:100"), a belief ("beta(2, 500)"),'
    ' "population" or "test set"'
)
"""Expected forms of an argument `at` that is text, for messages."""

SUM_TOLERANCE = 1e-9
"""Largest distance of the sum of prevalences from 1, as they are often rounded decimals."""

RAREST = 1e-12
"""Smallest prevalence at which a metric is evaluated. It stands for the limit of rare positives if
a sample has none."""

INDEPENDENT = "if instances are independent"
"""The assumption behind every interval: no two instances belong together, such as those of one
person."""

KEPT_RATES = f"{INDEPENDENT} and the classifier keeps its rates"
"""The assumption behind an interval at another prevalence than the test set's."""

BISECTIONS = 50
"""Number of halvings of [0, 1] in the search for a share."""

DRAWS = 2000
"""Number of draws for the range of a prevalence that was estimated without labels."""

_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMBER = rf"\s*({_DECIMAL})\s*"
_END = rf"\s*({_DECIMAL}|[0-9]+:[0-9]+)\s*"
_SAMPLED = re.compile(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*")
_BETWEEN = re.compile(rf"{_END}\.\.{_END}")
_BELIEVED = re.compile(rf"\s*beta\s*\({_NUMBER},{_NUMBER}\)\s*")


@dataclass(frozen=True, repr=False)
class Prevalence:
    """Knowledge of the prevalence where a classifier will run.

    Functions with an argument `at` take an instance or one of these shorter forms: a number above 0
    and below 1; a level such as "1:1000"; "population"; "test set"; for more than two classes a
    mapping from each class to its prevalence; or the text of any instance, such as "12/4000",
    "0.001..0.01" or "beta(2, 500)"; a range may have levels as its ends, as "1:1000..1:100".

    Examples
    --------
    >>> from skewproof import Prevalence
    >>> print(Prevalence.sampled(12, 4000), Prevalence.believed(2, 500), sep=", ")
    12/4000, beta(2, 500)
    >>> Prevalence.given("1:999").share
    0.001
    """

    kind: Kind
    """Kind of knowledge of the prevalence."""

    numbers: tuple[float, ...] = ()
    """The share of a stated prevalence, the count and the size of a sample, the ends of a range, or
    the parameters of a Beta distribution; empty for the other kinds and for classes by name."""

    by_class: ByClass = ()
    """The numbers of classes by name: shares, counts in a sample, or the parameters of a Dirichlet
    distribution."""

    level: Level | None = None
    """The level, if the prevalence was stated as a level."""

    reference: ConfusionMatrix | None = None
    """Confusion matrix of labeled instances, if the prevalence is estimated from the classifier's
    predictions for unlabeled ones."""

    bins: ScoreBins | None = None
    """Binned scores of labeled and unlabeled instances, if the prevalence is estimated from
    scores."""

    class_bins: ClassBins | None = None
    """Binned predictions of any number of classes, with or without scores, if the prevalences are
    estimated from them."""

    of_instances: bool = False
    """True for metrics of exactly these unlabeled instances, False for metrics of the population
    from which they were drawn at random."""

    @classmethod
    def given(cls, value: Any, name: str = "at") -> Prevalence:
        """Read an argument `at`.

        Raises
        ------
        ValueError
            If it has none of the forms that the class describes; the message names the argument.

        Examples
        --------
        >>> Prevalence.given(2)
        Traceback (most recent call last):
            ...
        ValueError: at = 2: expected a prevalence above 0 and below 1, such as 0.02 for 2 %
        """
        if isinstance(value, Prevalence):
            return value
        if isinstance(value, Level):
            return cls("stated", (value.prevalence,), level=value)
        if isinstance(value, str):
            return cls._parsed(value, name)
        if hasattr(value, "items"):
            shares = _by_class(name, value)
            total = math.fsum(share for _, share in shares)
            inside = all(0 < share < 1 for _, share in shares) and abs(total - 1) <= SUM_TOLERANCE
            expected = "a prevalence above 0 for each class, which sum to 1"
            expect(inside, name, value, expected)
            return cls("stated", by_class=shares)
        if is_finite(value):
            percentage = f", such as {value / 100:g} for {value:g} %" if 1 <= value < 100 else ""
            expected = f"a prevalence above 0 and below 1{percentage}"
            expect(0 < value < 1, name, value, expected)
            return cls("stated", (float(value),))
        pair = isinstance(value, tuple | list) and len(value) == 2
        meant = "Prevalence.sampled(k, n), .between(low, high) or .believed(a, b) for two numbers"
        expect(False, name, value, meant if pair else EXPECTED)
        raise AssertionError

    @classmethod
    def sampled(cls, positives: int | Mapping[Any, int], total: int | None = None) -> Prevalence:
        """Describe the prevalence in another random sample of the population.

        Parameters
        ----------
        positives
            Number of positives in the sample, which may be 0, or a mapping from each class to its
            count.
        total
            Size of the sample, if `positives` is a number.

        Raises
        ------
        ValueError
            If a number is not whole, or the sample is empty or has more positives than instances.
        """
        if hasattr(positives, "items"):
            counts = _by_class("positives", positives)
            whole = all(count >= 0 and float(count).is_integer() for _, count in counts)
            filled = sum(count for _, count in counts) > 0
            expect(whole and filled, "positives", positives, "a count for each class, not all 0")
            expect(total is None, "total", total, "no total with counts by class")
            return cls("sampled", by_class=counts)
        total = expect_whole("total", total, 1)
        return cls("sampled", (expect_whole("positives", positives, 0, total), total))

    @classmethod
    def of(cls, labels: Any, *, pos_label: Any = None) -> Prevalence:
        """Count the prevalence in a sample of true labels, for example those of other months.

        Parameters
        ----------
        labels
            Labels of independent instances, of one dimension.
        pos_label
            The label of the positive class. If None, the count of each label is kept, and for two
            classes 1 is the positive one.

        Raises
        ------
        ValueError
            If there are no labels, or one is missing.
        """
        sample = checked_labels(labels, "labels")
        if pos_label is not None:
            check_pos_label(pos_label)
            return cls.sampled(int(np.sum(sample == pos_label)), len(sample))
        classes, counts = np.unique(sample, return_counts=True)
        by_class = zip(classes.tolist(), map(float, counts), strict=True)
        return cls("sampled", by_class=tuple(by_class))

    @classmethod
    def between(cls, low: float | str | Level, high: float | str | Level) -> Prevalence:
        """Describe a range that contains the prevalence.

        Parameters
        ----------
        low, high
            Prevalences above 0 and below 1, or levels; low below high.

        Raises
        ------
        ValueError
            If one is anything else, or if `low` is not below `high`.
        """
        ends = [cls.given(end, name) for name, end in (("low", low), ("high", high))]
        for name, end, read in zip(("low", "high"), (low, high), ends, strict=True):
            expect(read.kind == "stated" and bool(read.numbers), name, end, "a prevalence")
        shares = tuple(read.numbers[0] for read in ends)
        expect(shares[0] < shares[1], "low", low, f"a prevalence below high = {shown(high)}")
        return cls("between", shares)

    @classmethod
    def believed(cls, a: float | Mapping[Any, float], b: float | None = None) -> Prevalence:
        """Describe a belief by a Beta distribution, or a Dirichlet one for more than two classes.

        Parameters
        ----------
        a, b
            Parameters of the Beta distribution, above 0, whose mean is a/(a + b); or, as `a` alone,
            a mapping from each class to its parameter.

        Raises
        ------
        ValueError
            If one is not a finite number above 0.
        """
        if hasattr(a, "items"):
            parameters = _by_class("a", a)
            positive = all(number > 0 for _, number in parameters)
            expect(positive, "a", a, "a number above 0 for each class")
            expect(b is None, "b", b, "no second parameter with parameters by class")
            return cls("believed", by_class=parameters)
        return cls("believed", (expect_number("a", a, above=0), expect_number("b", b, above=0)))

    @classmethod
    def from_predictions(
        cls,
        reference: ConfusionMatrix | MulticlassConfusionMatrix,
        *,
        called: int | Mapping[Any, int],
        total: int | None = None,
        of_instances: bool = False,
    ) -> Prevalence:
        """Estimate the prevalence from the share of instances called positive, without labels.

        The classifier is assumed to keep its true and false positive rate (label shift). With q,
        the share called positive, the prevalence is (q - FPR)/(TPR - FPR), clipped to [0, 1] (Rogan
        and Gladen 1978). Functions that take `at` vary the rates and q together, so that an
        interval accounts for the uncertainty of all three.

        For any number of classes, the prevalences are those at which the rows of the reference's
        rates mix to the shares of the predicted classes. If no prevalences do so exactly, they are
        those with the largest likelihood.

        Parameters
        ----------
        reference
            The confusion matrix of labeled instances, of two or of any number of classes.
        called
            Number of unlabeled instances that are called positive; for a
            :class:`skewproof.MulticlassConfusionMatrix` a mapping from each class to the number of
            unlabeled instances that are predicted as it, without which a class has none.
        total
            Number of unlabeled instances, for two classes.
        of_instances
            True for metrics of exactly these instances, for two classes; False for metrics of the
            population from which they were drawn at random.

        Raises
        ------
        ValueError
            If a number is not whole, if there is no instance or more are called positive, or if a
            class is not one of the reference.

        Examples
        --------
        >>> from skewproof import MulticlassConfusionMatrix, Prevalence, interval
        >>> counts = [[80, 15, 5], [10, 80, 10], [0, 10, 90]]
        >>> pets = MulticlassConfusionMatrix(counts, labels=["cat", "dog", "owl"])
        >>> at = Prevalence.from_predictions(pets, called={"cat": 510, "dog": 260, "owl": 230})
        >>> {name: round(share, 3) for name, share in at.shares.items()}
        {'cat': 0.614, 'dog': 0.185, 'owl': 0.201}
        """
        if hasattr(reference, "class_sizes"):
            matrix = cast("MulticlassConfusionMatrix", reference)
            return cls._from_classes(matrix, called, total, of_instances)
        expect_flag("of_instances", of_instances)
        total = expect_whole("total", total, 1)
        numbers = (expect_whole("called", called, 0, total), total)
        expected = "a ConfusionMatrix or a MulticlassConfusionMatrix"
        expect(hasattr(reference, "fpr"), "reference", reference, expected)
        return cls("predicted", numbers, reference=reference, of_instances=of_instances)

    @classmethod
    def _from_classes(
        cls,
        reference: MulticlassConfusionMatrix,
        called: Any,
        total: int | None,
        of_instances: bool,
    ) -> Prevalence:
        """Estimate the prevalences from the predicted classes of unlabeled instances."""
        classes = tuple(reference.labels)
        observed = reference.counts.ndim == 2 and reference.origin is None
        expect(observed, "reference", reference, "one matrix of instances that were observed")
        counted = reference.effective is None
        expect(counted, "reference", reference, "counts, such as its effective_counts")
        listed = shortened(", ".join(map(str, classes)), 200)
        expected = f"a count for each class by name, not all 0: {listed}"
        expect(hasattr(called, "items"), "called", called, expected)
        counts = dict(called.items())
        fits = set(counts) <= set(classes) and all(map(is_whole, counts.values()))
        expect(fits and any(counts.values()), "called", called, expected)
        expect(total is None, "total", total, "no total with counts by class")
        expect(not of_instances, "of_instances", of_instances, "False with counts by class")
        labeled = tuple(
            tuple((count,) for count in row)
            for row in np.asarray(reference.counts, dtype=np.float64).tolist()
        )
        unlabeled = tuple((int(counts.get(name, 0)),) for name in classes)
        return cls("predicted", class_bins=ClassBins(classes, labeled, unlabeled))

    @classmethod
    def from_scores(
        cls,
        reference_true: ArrayLike,
        reference_scores: ArrayLike,
        scores: ArrayLike,
        *,
        threshold: float | None = None,
        pos_label: Any = 1,
        labels: Sequence[Any] | None = None,
        of_instances: bool = False,
    ) -> Prevalence:
        """Estimate the prevalence at which labeled scores mix to those of unlabeled instances.

        The distribution of scores within each class is assumed to be the same (label shift). Scores
        are counted in three bins on either side of the cut-off, and the prevalence has the largest
        likelihood. Scores have more information about the prevalence than calls, and a check tells
        whether they can be such a mixture at all.

        For any number of classes, scores have a column for each. The predicted class is the one
        with the highest score, or the first of several, and the highest score is counted in two
        bins of each predicted class.

        Parameters
        ----------
        reference_true, reference_scores
            Labels of all classes, and scores; higher is more positive.
        scores
            Scores of the unlabeled instances.
        threshold
            Smallest score of an instance that is called positive, for scores of one dimension.
        pos_label
            Label of the positive class, for scores of one dimension.
        labels
            The classes of the columns, for scores of two dimensions; None stands for the sorted
            labels.
        of_instances
            As for :meth:`from_predictions`.

        Raises
        ------
        ValueError
            If labels or scores are invalid, a class is empty, or a side of the threshold has no
            reference score; for scores of two dimensions also if a class is never predicted.
        """
        if np.ndim(reference_scores) == 2:
            expect(
                threshold is None, "threshold", threshold, "no threshold with scores of each class"
            )
            expect(
                not of_instances, "of_instances", of_instances, "False with scores of each class"
            )
            classes = bin_classes(reference_true, reference_scores, labels=labels)
            return cls("scored", class_bins=classes.with_scores(scores))
        expect(labels is None, "labels", labels, "no labels with scores of one dimension")
        cut = expect_number("threshold", threshold)
        reference = bin_reference(
            reference_true, reference_scores, threshold=cut, pos_label=pos_label
        )
        return cls.from_bins(reference.with_scores(scores), of_instances=of_instances)

    @classmethod
    def from_bins(cls, bins: ScoreBins, *, of_instances: bool = False) -> Prevalence:
        """Estimate the prevalence from counts in bins of the score, as a database can count."""
        expect(isinstance(bins, ScoreBins), "bins", bins, "ScoreBins")
        expect_flag("of_instances", of_instances)
        (fn, tn, kept), (tp, fp, called) = (
            [sum(counts[half]) for counts in bins.counts] for half in bins.halves
        )
        matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
        numbers = (called, called + kept)
        return cls("scored", numbers, reference=matrix, bins=bins, of_instances=of_instances)

    @classmethod
    def _parsed(cls, text: str, name: str) -> Prevalence:
        if text in ("population", "test set"):
            return cls(cast(Kind, text))
        if match := _SAMPLED.fullmatch(text):
            return cls.sampled(int(match[1]), int(match[2]))
        if match := _BETWEEN.fullmatch(text):
            return cls.between(*(end if ":" in end else float(end) for end in match.groups()))
        if match := _BELIEVED.fullmatch(text):
            return cls.believed(float(match[1]), float(match[2]))
        if ":" in text:
            return cls.given(Level.given(text, name))
        if "=" in text:
            pairs = [part.split("=") for part in text.split(",")]
            if all(len(pair) == 2 for pair in pairs):
                return cls.given({label.strip(): _number(share) for label, share in pairs}, name)
        number = _number(text)
        expect(number is not None, name, text, EXPECTED_TEXT)
        return cls.given(number, name)

    def __repr__(self) -> str:
        return f"Prevalence({self})"

    def __str__(self) -> str:
        if self.level is not None:
            return str(self.level)
        if self.by_class:
            return self._named if self.kind == "stated" else f"{self.kind}({self._named})"
        if self.class_bins is not None:
            classes, counts = self.class_bins.classes, self.class_bins.predicted
            named = _listed(zip(classes, counts, strict=True))
            return f"scores of {self.class_bins.total}" if self.kind == "scored" else named
        numbers_of = {
            "stated": _written(self.numbers),
            "sampled": "{:.0f}/{:.0f}",
            "between": _written(self.numbers),
            "believed": "beta({:g}, {:g})",
            "predicted": "{:.0f} of {:.0f} called positive",
            "scored": "scores of {1:.0f}",
        }
        return numbers_of.get(self.kind, self.kind).format(*self.numbers)

    @property
    def _named(self) -> str:
        """The numbers of classes by name."""
        return _listed(self.by_class)

    @property
    def without_labels(self) -> bool:
        """True if the prevalence is estimated together with the rates of a reference."""
        return self.reference is not None or self.class_bins is not None

    @property
    def elsewhere(self) -> bool:
        """True if the prevalence is known from elsewhere than the test set."""
        return self.kind not in ("population", "test set")

    @property
    def share(self) -> float:
        """The point estimate of the prevalence of two classes, in [0, 1].

        It is the stated prevalence, the share in the sample, the mean of the belief, or the middle
        of the range on the scale of log odds.
        """
        first, *rest = self.numbers
        if self.kind == "stated":
            return first
        if self.reference is not None:
            return estimated_share(self)
        if self.kind == "between":
            odds = [share / (1 - share) for share in self.numbers]
            return float(1 / (1 + 1 / math.sqrt(odds[0] * odds[1])))
        return first / rest[0] if self.kind == "sampled" else first / (first + rest[0])

    @property
    def shares(self) -> dict[Any, float]:
        """The prevalence of each class that is estimated from predictions or scores.

        Raises
        ------
        ValueError
            If the prevalence is of two classes, or known in another way.
        """
        expected = "a prevalence of classes by name, estimated from predictions or scores"
        expect(self.class_bins is not None, "prevalence", self.where, expected)
        bins = cast(ClassBins, self.class_bins)
        cells = np.array(bins.unlabeled).ravel() / bins.total
        shares = mixing_shares(bins.rates.reshape(len(bins.classes), -1), cells)
        return dict(zip(bins.classes, shares.tolist(), strict=True))

    @property
    def share_inside(self) -> float:
        """The point estimate, moved inside (0, 1), so that both classes have instances."""
        return min(max(self.share, RAREST), 1 - RAREST)

    @property
    def rarest(self) -> float:
        """The lower end of a range, and the point estimate inside (0, 1) for the other kinds."""
        return self.numbers[0] if self.kind == "between" else self.share_inside

    @property
    def where(self) -> str:
        """The words that follow a metric's name: "at 1:1000", "in the population ..."."""
        number = self._named or str(self)
        predicted = "" if self.class_bins is None else " predicted"
        by_kind: dict[Kind, str] = {
            "stated": f"at {number}" if self.level or self.by_class else f"at prevalence {number}",
            "sampled": f"at the prevalence of which a sample showed {number}",
            "between": f"at any prevalence from {number.replace('..', ' to ')}",
            "believed": f"at a prevalence believed to follow {number}",
            "predicted": f"without labels, {number}{predicted}",
            "scored": f"without labels, by the {number} instances",
            "population": "in the population that the test set was drawn from at random",
            "test set": "for these class sizes",
        }
        return by_kind[self.kind]

    @property
    def assumption(self) -> str:
        """The assumption of an interval."""
        meaning = {
            "between": f"{KEPT_RATES}; an envelope over the range",
            "believed": f"{KEPT_RATES}; it holds on average over the belief",
        }
        return meaning.get(self.kind, KEPT_RATES) if self.elsewhere else INDEPENDENT

    def for_two_classes(self, name: str = "at") -> Prevalence:
        """Convert counts by class to those of a positive class.

        Raises
        ------
        ValueError
            If it is not known which of the classes is positive.
        """
        if not self.by_class and self.class_bins is None:
            return self
        counts = dict(self.by_class)
        known = self.kind == "sampled" and set(counts) <= {0, 1, -1}
        expected = "a prevalence of the positive class, which pos_label= names"
        expect(known, name, self.where, expected)
        return Prevalence("sampled", (counts.get(1, 0.0), sum(counts.values())))

    def for_any_rates(self, name: str = "at") -> Prevalence:
        """Refuse a prevalence that was estimated together with the rates of a reference.

        Raises
        ------
        ValueError
            If it was, as it then is valid for these rates only.
        """
        expected = (
            "a prevalence that is not estimated together with the rates of a reference."
            f"{self._way_out(name) if self.without_labels else ''}"
        )
        expect(not self.without_labels, name, self.where, expected)
        return self

    def _way_out(self, name: str) -> str:
        """State what to pass in place of a prevalence that is estimated without labels."""
        if self.class_bins is not None:
            return f" Pass its estimates, without their uncertainty: {name}={self._rounded_shares}"
        drawn, tail = self._drawn_shares(), 0.025
        ends = (
            np.quantile(np.nan_to_num(drawn, nan=unknown), end)
            for unknown, end in ((0, tail), (1, 1 - tail))
        )
        low, high = (min(max(float(end), RAREST), 1 - RAREST) for end in ends)
        if not low < high:
            return " No prevalence explains the unlabeled instances: the rates have changed."
        return f' Pass the range of its 95 % interval: {name}="{Prevalence.between(low, high)}"'

    def _drawn_shares(self) -> Array:
        """Draw prevalences from the posterior of all counts, with Jeffreys' prior.

        They are NaN, and may be anything, where the true positive rate is not above the false
        positive rate.
        """
        random = np.random.default_rng(0)
        if self.bins is not None:
            counts = (np.array(cells) for cells in self.bins.counts)
            return mixing_share(*(random.dirichlet(cells + 1 / 2, DRAWS) for cells in counts))
        matrix, (called, total) = cast("ConfusionMatrix", self.reference), self.numbers
        pairs = (called, total - called), (matrix.tp, matrix.fn), (matrix.fp, matrix.tn)
        drawn = (random.beta(float(a) + 1 / 2, float(b) + 1 / 2, DRAWS) for a, b in pairs)
        return share_behind(*drawn)

    @property
    def _rounded_shares(self) -> dict[Any, float]:
        """Estimated prevalences of classes, all above 0, with a sum of exactly 1."""
        shares = {label: max(round(share, 6), 1e-6) for label, share in self.shares.items()}
        commonest = max(shares, key=lambda label: shares[label])
        rest = math.fsum(share for label, share in shares.items() if label != commonest)
        return shares | {commonest: round(1 - rest, 6)}

    def for_classes(self, classes: Sequence[Any], name: str = "at") -> Array | None:
        """List the numbers of several classes in order, or return None for the test set's own.

        Raises
        ------
        ValueError
            If the names are not those of the classes, if the prevalence is one of two classes, or
            if it was estimated together with the rates of a reference.
        """
        if not self.elsewhere:
            return None
        self.for_any_rates(name)
        named = dict(self.by_class)
        missing = [label for label in classes if label not in named]
        unknown = [label for label in named if label not in classes]
        if self.kind == "sampled":
            missing = []  # a class that the sample lacks was counted 0 times
        fits = bool(named) and not missing and not unknown
        listed = shortened(", ".join(map(str, classes)), 200)
        expect(fits, name, self.where, f"a number for each class by name: {listed}")
        return np.array([named.get(label, 0.0) for label in classes])


At = float | str | Level | Prevalence
"""Statement of the prevalence where a classifier will run."""


def _written(shares: tuple[float, ...]) -> str:
    """Write shares with six digits, or with all if the text would have other ends or a 0 or 1."""
    short = [f"{share:g}" for share in shares]
    kept = all(map(operator.lt, [0, *map(float, short)], [*map(float, short), 1]))
    return "..".join(short if kept else map(repr, shares))


def _listed(numbers: Iterable[tuple[Hashable, float]]) -> str:
    return ", ".join(f"{shortened(str(label))}={number:g}" for label, number in numbers)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _by_class(name: str, numbers: Any) -> ByClass:
    """Read the numbers of at least two classes from a mapping or Series."""
    items = tuple(cast(Iterable[tuple[Hashable, Any]], numbers.items()))
    fits = len(items) > 1 and len(dict(items)) == len(items)
    fits &= all(is_finite(number) for _, number in items)
    expect(fits, name, numbers, "a number for each class")
    return tuple((label, float(number)) for label, number in items)


def estimated_share(at: Prevalence) -> float:
    """Estimate the prevalence from predictions or scores of unlabeled instances."""
    if at.bins is not None:
        shares = [np.array([counts]) / sum(counts) for counts in at.bins.counts]
        return float(mixing_share(*shares)[0])
    matrix = cast("ConfusionMatrix", at.reference)
    called, total = at.numbers
    return float(share_behind(called / total, matrix.tpr, matrix.fpr))


def share_behind(called: Value, tpr: Value, fpr: Value) -> Array:
    """Compute the prevalence at which rates yield a share called positive, clipped to [0, 1].

    It is NaN where the true positive rate is not above the false positive rate.
    """
    gap = np.asarray(tpr - fpr)
    share = np.divide(called - fpr, gap, out=np.full(np.shape(gap + called), np.nan), where=gap > 0)
    return np.clip(share, 0, 1)


def mixing_share(positives: Array, negatives: Array, unlabeled: Array) -> Array:
    """Find the share of positives with the largest likelihood of unlabeled shares, (samples,).

    Parameters
    ----------
    positives, negatives, unlabeled
        Shares of each class and of the unlabeled instances in bins, (samples, bins).
    """
    gain = positives - negatives
    low, high = np.zeros(len(gain)), np.ones(len(gain))
    for _ in range(BISECTIONS):
        share = (low + high) / 2
        mixture = negatives + share[:, np.newaxis] * gain
        terms = np.divide(unlabeled * gain, mixture, out=np.zeros_like(gain), where=mixture > 0)
        rising = terms.sum(axis=1) > 0
        low, high = np.where(rising, share, low), np.where(rising, high, share)
    return (low + high) / 2
