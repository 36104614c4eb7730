"""Knowledge of the prevalence where a classifier will run, which is the argument `at`."""

from __future__ import annotations

import math
import operator
import re
import warnings
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_flag,
    expect_number,
    expect_whole,
    is_finite,
    is_whole,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.labels import check_pos_label, checked_labels
from skewproof.core.levels import Level
from skewproof.core.messages import shortened, shown
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.mixtures import mixing_shares
from skewproof.prevalence.prediction_bins import PredictionBins, bin_columns, bin_scores

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

FOR_ANY_RATES = "a prevalence that is not estimated together with the rates of a reference"
"""Expected kinds of prevalences where an estimate is refused, for messages."""

SUM_TOLERANCE = 1e-9
"""Largest distance of the sum of prevalences from 1, as they are often rounded decimals."""

RAREST = 1e-12
"""Smallest prevalence at which a metric is evaluated. It stands for the limit of rare positives if
a sample has none."""

INDEPENDENT = "if instances are independent"
"""The assumption behind every interval without groups: no two instances belong together, such as
those of one person."""

KEPT = " and the classifier keeps its rates"
"""The further assumption behind an interval at another prevalence than the test set's."""

KEPT_RATES = f"{INDEPENDENT}{KEPT}"
"""Both assumptions."""

PRIOR = 0.5
"""Number that is added to the count of each class: Jeffreys' prior."""

RANGE_POINTS = 33
"""Number of prevalences that stand for a range."""

DRAWS = 2000
"""Number of draws for the range of a prevalence that was estimated without labels."""

_DECIMAL = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_NUMBER = rf"\s*({_DECIMAL})\s*"
_END = rf"\s*({_DECIMAL}|[0-9]+:[0-9]+)\s*"
_SAMPLED = re.compile(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*")
_BETWEEN = re.compile(rf"{_END}\.\.{_END}")
_BELIEVED = re.compile(rf"\s*beta\s*\({_NUMBER},{_NUMBER}\)\s*")


class Prevalence(ABC):
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

    elsewhere: ClassVar[bool] = True
    """True if the prevalence is known from elsewhere than the test set."""

    is_exact: ClassVar[bool] = False
    """True if the prevalence is a single known number, or the test set's own."""

    is_uncertain: ClassVar[bool] = False
    """True if the prevalence has a distribution, because a sample or a belief is behind it."""

    is_belief: ClassVar[bool] = False
    """True if that distribution is a belief."""

    words: ClassVar[str]
    """The words of `where`, with braces for the text."""

    further: ClassVar[str] = KEPT
    """The assumptions of an interval beside independence."""

    def assumption(self, units: str = "instances") -> str:
        """State what an interval assumes, of independent instances or groups."""
        return f"if {units} are independent{self.further}"

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
            return Stated(_with_rest(value.prevalence), level=value)
        if isinstance(value, str):
            return cls._parsed(value, name)
        if hasattr(value, "items"):
            classes, shares = _by_class(name, value)
            in_range = all(0 < share < 1 for share in shares)
            sums_to_1 = abs(math.fsum(shares) - 1) <= SUM_TOLERANCE
            expected = "a prevalence above 0 for each class, which sum to 1"
            expect(in_range and sums_to_1, name, value, expected)
            return Stated(shares, classes)
        if is_finite(value):
            percentage = f", such as {value / 100:g} for {value:g} %" if 1 <= value < 100 else ""
            expected = f"a prevalence above 0 and below 1{percentage}"
            expect(0 < value < 1, name, value, expected)
            return Stated(_with_rest(float(value)))
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
            classes, counts = _by_class("positives", positives)
            whole = all(count >= 0 and count.is_integer() for count in counts)
            filled = sum(counts) > 0
            expect(whole and filled, "positives", positives, "a count for each class, not all 0")
            expect(total is None, "total", total, "no total with counts by class")
            return Sampled(counts, classes)
        total = expect_whole("total", total, 1)
        hits = expect_whole("positives", positives, 0, total)
        return Sampled((hits, total - hits))

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
        return Sampled(tuple(map(float, counts)), tuple(classes.tolist()))

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
        for name, end, known in zip(("low", "high"), (low, high), ends, strict=True):
            single = known.elsewhere and known.is_exact and known.has_positive_class
            expect(single, name, end, "a prevalence")
        first, last = (known.share for known in ends)
        expect(first < last, "low", low, f"a prevalence below high = {shown(high)}")
        return Range((first, last))

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
            classes, parameters = _by_class("a", a)
            positive = all(number > 0 for number in parameters)
            expect(positive, "a", a, "a number above 0 for each class")
            expect(b is None, "b", b, "no second parameter with parameters by class")
            return Belief(parameters, classes)
        return Belief((expect_number("a", a, above=0), expect_number("b", b, above=0)))

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
        and Gladen 1978). :func:`skewproof.interval` of the reference varies the rates and q
        together, so that it accounts for the uncertainty of all three. Functions of other rates,
        such as :func:`skewproof.decision_curve`, :func:`skewproof.compare` and
        :func:`skewproof.area_interval`, take the interval of the prevalence as a range; those
        without an interval take the estimate. Functions that choose a threshold, attribute a change
        or score a search refuse it.

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
            True for metrics of exactly these instances, False for metrics of the population from
            which they were drawn at random.

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
        expect_flag("of_instances", of_instances)
        expected = "a ConfusionMatrix or a MulticlassConfusionMatrix"
        if isinstance(reference, ConfusionMatrix):
            total = expect_whole("total", total, 1)
            called = expect_whole("called", called, 0, total)
            counts = dict(zip(TWO_CLASSES, (called, total - called), strict=True))
            observed, matrix = not reference.unobserved, matrix_of_two(reference)
        else:
            is_matrix = isinstance(reference, MulticlassConfusionMatrix)
            expect(is_matrix, "reference", reference, expected)
            expect(total is None, "total", total, "no total with counts by class")
            observed, matrix = reference.origin is None, reference
            counts = _counts_of(matrix.labels, called)
        observed = observed and matrix.counts.ndim == 2
        expect(observed, "reference", reference, "one matrix of instances that were observed")
        counted = matrix.effective is None
        expect(counted, "reference", reference, "counts, such as its effective_counts")
        unlabeled = tuple((int(counts.get(name, 0)),) for name in matrix.labels)
        bins = PredictionBins.of_matrix(matrix)._replace(unlabeled=unlabeled)
        return Estimated(bins, of_instances)

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
        with the highest score, or the first of several. The highest score is counted in bins of
        each predicted class: three if there are two classes, and two if there are more.

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
        expect_flag("of_instances", of_instances)
        if np.ndim(reference_scores) == 2:
            expected = "no threshold with scores of each class"
            expect(threshold is None, "threshold", threshold, expected)
            bins = bin_columns(reference_true, reference_scores, labels=labels)
        else:
            expect(labels is None, "labels", labels, "no labels with scores of one dimension")
            cut = expect_number("threshold", threshold)
            bins = bin_scores(reference_true, reference_scores, threshold=cut, pos_label=pos_label)
        return Estimated(bins.with_scores(scores), of_instances)

    @classmethod
    def from_bins(cls, bins: PredictionBins, *, of_instances: bool = False) -> Prevalence:
        """Estimate the prevalence from counts in bins of the score, as a database can count.

        Parameters
        ----------
        bins
            Labeled and unlabeled instances by predicted class and bin of the score, of any number
            of classes. The classes "positive" and "negative" are two classes of which the first is
            the positive one.
        of_instances
            As for :meth:`from_predictions`.

        Raises
        ------
        ValueError
            If `bins` is anything else, or has no unlabeled instances.
        """
        expect(isinstance(bins, PredictionBins), "bins", bins, "PredictionBins")
        expect(bool(bins.unlabeled) and bins.total > 0, "bins", bins, "unlabeled instances")
        expect_flag("of_instances", of_instances)
        return Estimated(bins, of_instances)

    @classmethod
    def _parsed(cls, text: str, name: str) -> Prevalence:
        if text in TEST_SETS:
            return TEST_SETS[text]
        if match := _SAMPLED.fullmatch(text):
            if match[1] == "1":
                share = 1 / max(int(match[2]), 1)
                warnings.warn(
                    f"{name} = {text!r} is a single positive in a sample of {match[2]}; write"
                    f" {share:.3g} if the prevalence is known",
                    stacklevel=4,
                )
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
        percent = _number(text.removesuffix("%")) if text.endswith("%") else None
        meant = EXPECTED_TEXT if percent is None else f"{percent / 100:g} for {text}"
        expect(number is not None, name, text, meant)
        return cls.given(number, name)

    def __repr__(self) -> str:
        return f"Prevalence({self})"

    @abstractmethod
    def __str__(self) -> str:
        """Return the text; that of a prevalence which was not estimated reads back."""

    @property
    def where(self) -> str:
        """The words that follow a metric's name: "at 1:1000", "in the population ..."."""
        return self.words.format(self)

    @property
    @abstractmethod
    def share(self) -> float:
        """The point estimate of the prevalence of two classes, in [0, 1].

        It is the stated prevalence, the share in the sample, the mean of the belief, or the middle
        of the range on the scale of log odds.

        Raises
        ------
        ValueError
            If the prevalence is the test set's own or its population's, or of more classes.
        """

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The names of the classes; empty if they are the positive and the negative class."""
        return ()

    @property
    def shares(self) -> dict[Any, float]:
        """The point estimate of the prevalence of each class, if classes have names.

        Raises
        ------
        ValueError
            If they have none.
        """
        expect(False, "prevalence", self.where, "a prevalence of classes by name")
        raise AssertionError

    @property
    def share_inside(self) -> float:
        """The point estimate, moved inside (0, 1), so that both classes have instances."""
        return min(max(self.share, RAREST), 1 - RAREST)

    @property
    def level(self) -> Level | None:
        """The level, if the prevalence was stated as one."""
        return None

    def negatives(self, positives: Any) -> Any:
        """Return the number of negatives among which there are so many positives."""
        return positives * ((1 - self.share) / self.share)

    def share_given(self, in_test_set: Any) -> Any:
        """Return the point estimate inside (0, 1), or the test set's own where this is meant."""
        return self.share_inside if self.elsewhere else in_test_set

    def points(self, in_test_set: Any) -> list[Any]:
        """Return the prevalences that stand for what is known: several for a range, else one."""
        return [self.share_given(in_test_set)]

    @property
    def ends(self) -> tuple[float, ...]:
        """The ends of a range; empty for the other kinds."""
        return ()

    @property
    def rarest(self) -> float:
        """The lower end of a range, and the point estimate inside (0, 1) for the other kinds."""
        return self.ends[0] if self.ends else self.share_inside

    def counts_behind(self, positives: Any, negatives: Any) -> tuple[Any, Any] | None:
        """Return the counts of both classes behind an uncertain prevalence, else None.

        The arguments are the class sizes of the test set.
        """
        return None

    def posterior(self, positives: Any, negatives: Any) -> tuple[Any, Any] | None:
        """Return the parameters of the Beta distribution of an uncertain prevalence, else None.

        A sample has Jeffreys' prior. The arguments are the class sizes of the test set.
        """
        counts = self.counts_behind(positives, negatives)
        return None if counts is None else (counts[0] + PRIOR, counts[1] + PRIOR)

    def variance(self, positives: float, negatives: float) -> float:
        """Return the variance of an uncertain prevalence, and 0 for the other kinds.

        The arguments are the class sizes of the test set.
        """
        parameters = self.posterior(positives, negatives)
        if parameters is None:
            return 0.0
        a, b = parameters
        return float(a * b / ((a + b) ** 2 * (a + b + 1)))

    def drawn_shares(
        self,
        positives: Any,
        negatives: Any,
        draws: int | tuple[int, ...],
        random: np.random.Generator,
    ) -> list[Any]:
        """Return the prevalences at which something is drawn: several for a range, else one.

        A prevalence that is known exactly is a number, or has the shape of the class sizes. Others
        are drawn from their distribution.

        Parameters
        ----------
        positives, negatives
            Class sizes of one or several test sets.
        draws, random
            Number of draws, or their shape, whose last axis is that of several test sets; and their
            generator.
        """
        parameters = self.posterior(positives, negatives)
        if parameters is None:
            return self.points(positives / (positives + negatives))
        return [np.clip(random.beta(*parameters, draws), RAREST, 1 - RAREST)]

    @property
    def has_positive_class(self) -> bool:
        """True if the prevalence is one of two classes, and it is known which one is positive."""
        return True

    def for_two_classes(self, name: str = "at") -> Prevalence:
        """Convert counts by class to those of a positive class.

        Raises
        ------
        ValueError
            If it is not known which of the classes is positive.
        """
        expected = "a prevalence of the positive class, which pos_label= names"
        expect(self.has_positive_class, name, self.where, expected)
        return self

    def for_classes(self, classes: Sequence[Any], name: str = "at") -> Array | None:
        """List the numbers of several classes in order, or return None for the test set's own.

        They are shares, counts in a sample, or the parameters of a Dirichlet distribution.

        Raises
        ------
        ValueError
            If the names are not those of the classes, if the prevalence is one of two classes, or
            if it was estimated together with the rates of a reference.
        """
        if self.elsewhere:
            self._refuse_other_classes(classes, name)
        return None

    def _refuse_other_classes(self, classes: Sequence[Any], name: str) -> None:
        listed = shortened(", ".join(map(str, classes)), 200)
        expect(False, name, self.where, f"a number for each class by name: {listed}")

    def for_any_rates(self, name: str = "at") -> Prevalence:
        """Refuse a prevalence that was estimated together with the rates of a reference.

        Raises
        ------
        ValueError
            If it was, as it then is valid for these rates only.
        """
        return self

    @property
    def estimate(self) -> Estimated | None:
        """The prevalence itself if it is estimated together with the rates of a reference."""
        return None

    @property
    def without_labels(self) -> bool:
        """True if the prevalence is estimated together with the rates of a reference."""
        return self.estimate is not None

    @property
    def instances(self) -> int | None:
        """Number of unlabeled instances of an estimate; None for the other kinds."""
        return None


@dataclass(frozen=True, repr=False)
class _ByClass(Prevalence):
    """Number of each class: the positive and the negative one, or any number of named ones."""

    numbers: tuple[float, ...]
    """Shares, counts in a sample, or parameters of a distribution, (classes,)."""

    classes: tuple[Hashable, ...] = ()
    """The names of the classes; empty for the positive and the negative class."""

    names_all: ClassVar[bool] = True
    """True if each class needs a number."""

    @property
    def _listed(self) -> str:
        return _listed(zip(self.classes, self.numbers, strict=False))

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        return self.words.format(self._listed or self)

    @property
    def share(self) -> float:
        """The share of the number of the positive class."""
        numbers = self.for_two_classes("prevalence").numbers
        return numbers[0] / sum(numbers)

    @property
    def shares(self) -> dict[Any, float]:
        """The share of the number of each named class."""
        if not self.classes:
            return super().shares
        total = math.fsum(self.numbers)
        return {
            label: number / total for label, number in zip(self.classes, self.numbers, strict=True)
        }

    @property
    def has_positive_class(self) -> bool:
        """True unless classes have names."""
        return not self.classes

    def for_two_classes(self, name: str = "at") -> _ByClass:
        """Refuse classes with names."""
        super().for_two_classes(name)
        return self

    def for_classes(self, classes: Sequence[Any], name: str = "at") -> Array | None:
        """List the numbers of the classes in order."""
        named = dict(zip(self.classes or TWO_CLASSES, self.numbers, strict=True))
        missing = self.names_all and not set(classes) <= set(named)
        if missing or not set(named) <= set(classes):
            self._refuse_other_classes(classes, name)
        return np.array([named.get(label, 0.0) for label in classes], dtype=np.float64)


@dataclass(frozen=True, repr=False)
class Stated(_ByClass):
    """A prevalence that is known exactly: the numbers are shares."""

    level: Level | None = None
    """The level, if the prevalence was stated as a level."""

    is_exact = True

    def negatives(self, positives: Any) -> Any:
        """Return the number of negatives, which is exact at a level."""
        return self.level.negatives(positives) if self.level else super().negatives(positives)

    def __str__(self) -> str:
        if self.level is not None:
            return str(self.level)
        return self._listed if self.classes else _written(self.numbers[:1])

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        return f"at {self}" if self.level or self.classes else f"at prevalence {self}"


@dataclass(frozen=True, repr=False)
class Sampled(_ByClass):
    """The prevalence of which another random sample of the population has these counts."""

    is_uncertain = True
    names_all = False  # a class that the sample lacks was counted 0 times

    def __str__(self) -> str:
        if self.classes:
            return f"sampled({self._listed})"
        return f"{self.numbers[0]:.0f}/{sum(self.numbers):.0f}"

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        return f"at a prevalence estimated from {self._listed or str(self).replace('/', ' in ')}"

    def counts_behind(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """Return the counts of the sample."""
        first, second = self.numbers
        return first, second

    @property
    def has_positive_class(self) -> bool:
        """True if classes have no names, or 1 stands for the positive class."""
        return set(self.classes) <= {0, 1, -1}

    def for_two_classes(self, name: str = "at") -> Sampled:
        """Count the class 1 as positive, and all others as negative."""
        super().for_two_classes(name)
        if not self.classes:
            return self
        positives = dict(zip(self.classes, self.numbers, strict=True)).get(1, 0.0)
        return Sampled((positives, sum(self.numbers) - positives))


@dataclass(frozen=True, repr=False)
class Belief(_ByClass):
    """A belief: the numbers are parameters of a Beta or a Dirichlet distribution."""

    words = "at a prevalence believed to follow {}"
    is_uncertain = True
    is_belief = True
    further = f"{KEPT}; it holds on average over the belief"

    def __str__(self) -> str:
        if self.classes:
            return f"believed({self._listed})"
        return "beta({:g}, {:g})".format(*self.numbers)

    def counts_behind(self, positives: Any, negatives: Any) -> tuple[float, float]:
        """Return the counts that would give this posterior, which may be below 0."""
        # A count of 0 would count as observed, and would have no deviations outside.
        first, second = (number - PRIOR or RAREST for number in self.numbers)
        return first, second

    def posterior(self, positives: Any, negatives: Any) -> tuple[float, float]:
        """Return the parameters of the belief."""
        first, second = self.numbers
        return first, second


@dataclass(frozen=True, repr=False)
class Range(Prevalence):
    """A range that contains the prevalence of two classes."""

    bounds: tuple[float, float]
    """The lower and the upper end."""

    further = f"{KEPT}; an envelope over the range"

    def __str__(self) -> str:
        return _written(self.bounds)

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        return f"at any prevalence from {str(self).replace('..', ' to ')}"

    @property
    def share(self) -> float:
        """The middle of the range on the scale of log odds."""
        odds = [share / (1 - share) for share in self.bounds]
        return float(1 / (1 + 1 / math.sqrt(odds[0] * odds[1])))

    @property
    def ends(self) -> tuple[float, ...]:
        """Both ends."""
        return self.bounds

    def for_classes(self, classes: Sequence[Any], name: str = "at") -> Array | None:
        """List the shares of the positive and the negative class at the middle, in order."""
        return Stated(_with_rest(self.share)).for_classes(classes, name)

    def points(self, in_test_set: Any) -> list[float]:
        """Return prevalences including both ends, evenly spaced in log odds."""
        return _spaced(*self.bounds, RANGE_POINTS)


class _OfTestSet(Prevalence):
    """A prevalence that is known from the test set alone."""

    elsewhere = False
    further = ""

    @property
    def share(self) -> float:
        """Refuse, since only a test set tells it."""
        expect(False, "prevalence", str(self), "a prevalence that is known without a test set")
        raise AssertionError


@dataclass(frozen=True, repr=False)
class Population(_OfTestSet):
    """The prevalence in the population that the test set was drawn from at random."""

    words = "in the population"
    is_uncertain = True

    def assumption(self, units: str = "instances") -> str:
        """State that the test set is a random sample of the population."""
        return f"if {units} were drawn at random"

    def __str__(self) -> str:
        return "population"

    def counts_behind(self, positives: Any, negatives: Any) -> tuple[Any, Any]:
        """Return the class sizes of the test set."""
        return positives, negatives


@dataclass(frozen=True, repr=False)
class TestSet(_OfTestSet):
    """The class sizes of the test set."""

    words = "for these class sizes"
    is_exact = True
    __test__ = False  # not a test for pytest, in spite of its name

    def __str__(self) -> str:
        return "test set"


TEST_SETS = {str(known): known for known in (Population(), TestSet())}
"""Prevalences that are known from the test set alone, by their texts."""


@dataclass(frozen=True, repr=False)
class Estimated(Prevalence):
    """Prevalences that are estimated from predictions or scores of unlabeled instances."""

    bins: PredictionBins
    """Binned predictions of labeled and unlabeled instances."""

    of_instances: bool = False
    """True for metrics of exactly these unlabeled instances, False for metrics of the population
    from which they were drawn at random."""

    def __str__(self) -> str:
        if self.bins.cuts:
            return f"scores of {self.bins.total}"
        if self.has_positive_class:
            return f"{self.bins.predicted[0]} of {self.bins.total} called positive"
        return f"{_listed(zip(self.classes, self.bins.predicted, strict=True))} predicted"

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        if self.bins.cuts:
            return f"without labels, by the {self} instances"
        return f"without labels, {self}"

    @property
    def reference(self) -> MulticlassConfusionMatrix:
        """The confusion matrix of the labeled instances."""
        return MulticlassConfusionMatrix(self.bins.matrix, self.bins.classes)

    @property
    def share(self) -> float:
        """The share of the positive class with the largest likelihood."""
        self.for_two_classes("prevalence")
        share: float = self.shares[TWO_CLASSES[0]]
        return share

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The names of the classes."""
        return self.bins.classes

    @property
    def shares(self) -> dict[Any, float]:
        """The prevalences with the largest likelihood."""
        shares = mixing_shares(self.bins.rates, self.bins.unlabeled_cells / self.bins.total)
        return dict(zip(self.bins.classes, shares.tolist(), strict=True))

    @property
    def has_positive_class(self) -> bool:
        """True if the classes are the positive and the negative one."""
        return self.bins.classes == TWO_CLASSES

    @property
    def estimate(self) -> Estimated:
        """The prevalence itself."""
        return self

    @property
    def instances(self) -> int:
        """Number of unlabeled instances."""
        return self.bins.total

    def for_classes(self, classes: Sequence[Any], name: str = "at") -> Array | None:
        """Refuse the estimate, as for_any_rates does."""
        self.for_any_rates(name)
        return None

    def for_any_rates(self, name: str = "at") -> Prevalence:
        """Refuse the estimate, and name what can be passed instead.

        For a positive class this is the range of its interval, and for other classes the estimates,
        all above 0 and with a sum of exactly 1.
        """
        if self.has_positive_class:
            way_out = "No prevalence explains the unlabeled instances: the rates have changed."
            low, high = self._drawn_range()
            if low < high:
                text = Prevalence.between(low, high)
                way_out = f'Pass the range of its 95 % interval: {name}="{text}"'
        else:
            shares = {label: max(round(share, 6), 1e-6) for label, share in self.shares.items()}
            commonest = max(shares, key=lambda label: shares[label])
            rest = math.fsum(share for label, share in shares.items() if label != commonest)
            shares[commonest] = round(1 - rest, 6)
            way_out = f"Pass its estimates, without their uncertainty: {name}={shares}"
        expect(False, name, self.where, f"{FOR_ANY_RATES}. {way_out}")
        raise AssertionError

    def _drawn_range(self) -> list[float]:
        """Draw the share of the first class from the posterior of all counts with Jeffreys' prior.

        Its ends are inside (0, 1).
        """
        random = np.random.default_rng(0)
        rows = [
            random.dirichlet(cells + PRIOR, DRAWS)
            for cells in (*self.bins.cells, self.bins.unlabeled_cells)
        ]
        drawn = mixing_shares(np.stack(rows[:-1], axis=1), rows[-1])[:, 0]
        ends = np.clip(np.quantile(drawn, [0.025, 0.975]), RAREST, 1 - RAREST)
        return [float(end) for end in ends]


@dataclass(frozen=True, repr=False)
class EstimatedRange(Range):
    """The interval of an estimated prevalence, at which other rates than its reference's are used.

    Intervals at it are envelopes over both ends and what is between.
    """

    estimated: Estimated
    """The estimate."""

    further = f"{KEPT}; an envelope over the interval of the estimated prevalence"

    @property
    def where(self) -> str:
        """The words that follow a metric's name."""
        low, high = self.bounds
        low = 0.0 if low == RAREST else low
        return f"{self.estimated.where} (a prevalence of {low:.3g} to {high:.3g})"

    @property
    def share(self) -> float:
        """The estimate."""
        return self.estimated.share

    def points(self, in_test_set: Any) -> list[float]:
        """Return prevalences including both ends, with the estimate in the middle."""
        low, high = self.bounds
        middle = min(max(self.share, low), high)
        return _spaced(low, middle, RANGE_POINTS // 2 + 1)[:-1] + _spaced(
            middle, high, RANGE_POINTS // 2 + 1
        )


At = float | str | Level | Prevalence
"""Statement of the prevalence where a classifier will run."""


def _written(shares: tuple[float, ...]) -> str:
    """Write shares with six digits, or with all if the text would have other ends or a 0 or 1."""
    short = [f"{share:g}" for share in shares]
    kept = all(map(operator.lt, [0, *map(float, short)], [*map(float, short), 1]))
    return "..".join(short if kept else map(repr, shares))


def _listed(numbers: Iterable[tuple[Hashable, float]]) -> str:
    return ", ".join(f"{shortened(str(label))}={number:g}" for label, number in numbers)


def _counts_of(classes: Sequence[Any], called: Any) -> dict[Any, int]:
    """Read the numbers of unlabeled instances that are predicted as each class."""
    listed = shortened(", ".join(map(str, classes)), 200)
    expected = f"a count for each class by name, not all 0: {listed}"
    expect(hasattr(called, "items"), "called", called, expected)
    counts = dict(called.items())
    fits = set(counts) <= set(classes) and all(map(is_whole, counts.values()))
    expect(fits and any(counts.values()), "called", called, expected)
    return counts


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _by_class(name: str, numbers: Any) -> tuple[tuple[Hashable, ...], tuple[float, ...]]:
    """Read the names and numbers of at least two classes from a mapping or Series."""
    items = tuple(cast(Iterable[tuple[Hashable, Any]], numbers.items()))
    fits = len(items) > 1 and len(dict(items)) == len(items)
    fits &= all(is_finite(number) for _, number in items)
    expect(fits, name, numbers, "a number for each class")
    return tuple(label for label, _ in items), tuple(float(number) for _, number in items)


def _spaced(low: float, high: float, number: int) -> list[float]:
    """Return shares including both ends, evenly spaced in log odds."""
    odds = np.geomspace(low / (1 - low), high / (1 - high), number)
    shares: list[float] = (odds / (1 + odds)).tolist()
    return shares


def _with_rest(share: float) -> tuple[float, float]:
    return share, 1 - share
