"""Order of the cut-offs of a sample at which requirements are tested.

The order does not depend on the labels, only on the scores and on the number of labels of each
class. Every cut-off is tested at the whole level of its path, and the first one that fails ends the
path. The probability that any cut-off passes wrongly is therefore at most the sum of the levels of
the paths (Angelopoulos et al. 2021, Learn then Test, on fixed-sequence testing).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.counts import ScoreCounts
from skewproof.decisions.frontiers import Frontier, Sizes, frontier
from skewproof.decisions.requirements import Requirement
from skewproof.decisions.shares import ShareTest, share_test
from skewproof.prevalence.prevalence import Prevalence

STEP = 0.03
"""Relative change of the number of instances called positive from one cut-off to the next."""

TESTS_AT_ONCE = 16
"""Number of cut-offs of a path that are tested together; it may end at any of them."""

EVERYWHERE = 20
"""Number of cut-offs to test if there is no start, each at its part of the level."""

FEW = 0.01
"""Share of a class that counts as few."""

SPARES = (1 / 3, 1 / 9, 1 / 27, 0.0)
"""Shares of the allowed wrong calls with which the test has to pass at the first cut-off: a better
classifier starts as well, and a worse one does not. A share is used if no classifier passes with
those before it, for want of labels."""

FIRST_SHARES = np.geomspace(1e-4, 1.0, 81)
"""Shares of a class among which the first cut-off is sought."""

RATES = np.concatenate([[0.0], np.geomspace(1e-6, 0.5, 60), 1 - np.geomspace(0.5, 1e-6, 60), [1.0]])
"""Rates among which some that meet all requirements are sought."""

Start = int | Literal["everywhere"] | None
"""The number of distinct scores at and above the first cut-off, or another start of the tests."""


class Sample(NamedTuple):
    """Counts at each cut-off, and the prevalence where the classifier will run."""

    counts: ScoreCounts
    scores: NDArray[Any]
    """The distinct scores, falling."""
    at: Prevalence
    total: float
    """Number of instances there."""

    @property
    def sizes(self) -> Sizes:
        """Numbers of labels of both classes."""
        return Sizes(round(self.counts.positives), round(self.counts.negatives))

    @property
    def called(self) -> Array:
        """Number of instances called positive, from none to all."""
        return self.counts.tp + self.counts.fp

    @property
    def observed(self) -> Array:
        """Rates at all cut-offs at which at least one instance is called positive, in two rows."""
        return np.array([part[1:] / part[-1] for part in self.counts])

    def divided(self, effect: float) -> Sample:
        """Return the sample with fewer labels, whose sizes are whole, and the same rates."""
        sizes = (max(1, round(size / effect)) for size in self.sizes)
        counts = (part * (size / part[-1]) for part, size in zip(self.counts, sizes, strict=True))
        return self._replace(counts=ScoreCounts(*counts))

    def there(self, tpr: Array, fpr: Array, share: float | None = None) -> ConfusionMatrix:
        """Return the matrices with given rates where the classifier will run."""
        if share is None:
            share = self.at.share_given(self.sizes.prevalence)
        sizes = {"positives": self.total * share, "negatives": self.total * (1 - share)}
        return ConfusionMatrix.from_rates(tpr, fpr, **sizes)


class JointTest(NamedTuple):
    """All requirements with their tests."""

    requirements: tuple[Requirement, ...]
    sample: Sample
    tests: list[Frontier | ShareTest]

    @classmethod
    def of(cls, requirements: tuple[Requirement, ...], sample: Sample) -> JointTest:
        """Build the tests for a sample.

        Raises
        ------
        ValueError
            As :func:`.frontier`.
        """
        tests: list[Frontier | ShareTest] = []
        for requirement in requirements:
            of_share = None
            if sample.at.is_uncertain and not sample.at.elsewhere:
                of_share = share_test(requirement, *sample.sizes, sample.total)
            test = of_share or frontier(requirement, sample.at, sample.sizes, sample.total)
            tests.append(test)
        return cls(requirements, sample, tests)

    def p_values(self, tp: Array, fp: Array) -> Array:
        """Return the largest p-value; no correction is needed since all have to be rejected."""
        return np.max([test.p_values(tp, fp) for test in self.tests], axis=0)

    def passed(self, tp: Array, fp: Array, level: float) -> NDArray[np.bool_]:
        """Return whether the p-values are at most the level."""
        passed = np.ones(tp.size, dtype=bool)
        for test in self.tests:
            passed[passed] = test.passed(tp[passed], fp[passed], level)
        return passed

    def met(self, tpr: Any, fpr: Any) -> NDArray[np.bool_]:
        """Return whether rates meet all requirements; over a range of prevalences, at both ends."""
        shares = self.sample.at.ends or (None,)
        rates = np.asarray(tpr, dtype=np.float64), np.asarray(fpr, dtype=np.float64)
        matrices = [self.sample.there(*rates, share) for share in shares]
        return np.logical_and.reduce(
            [requirement.met(matrix) for requirement in self.requirements for matrix in matrices]
        )

    @property
    def possible(self) -> bool:
        """True if some classifier meets the requirements."""
        return bool(self.met(RATES[:, np.newaxis], RATES).any())


class Path(NamedTuple):
    """Cut-offs in the order in which they are tested."""

    places: NDArray[np.intp]
    """Number of distinct scores that are called positive at each cut-off."""
    level: float
    whole: bool = True
    """True if the first cut-off that fails ends the path."""


class Tested(NamedTuple):
    """The tested cut-offs of paths."""

    places: NDArray[np.intp]
    p_values: Array
    passed: NDArray[np.bool_]


class Way(NamedTuple):
    """Direction of the cut-offs of a path."""

    more: bool
    """True if more and more instances are called positive."""
    fewer: bool
    at_end: bool
    """True if the requirements are met where nothing, or everything, is called positive, so that
    the path starts there."""


def way(test: JointTest) -> Way:
    """Return the direction of the tests.

    They start where few instances are called positive, or nearly all, if a good classifier meets
    the requirements there; else they go both ways from a place between.
    """
    if test.met(FEW, 0.0):
        return Way(True, False, bool(test.met(0.0, 0.0)))
    if test.met(1.0, 1 - FEW):
        return Way(False, True, bool(test.met(1.0, 1.0)))
    return Way(True, True, False)


def begin(test: JointTest, start: Start, level: float) -> tuple[Array, float]:
    """Return how many instances the first cut-offs call positive, and the level of each.

    Unless one of these passes, nothing is promised. The numbers of labels alone determine them, if
    no start is given.
    """
    sample = test.sample
    if start == "everywhere":
        wanted = np.geomspace(1, sum(sample.sizes), EVERYWHERE + 1)[1:]
        wanted = wanted[np.unique(first_places(sample, wanted), return_index=True)[1]]
        return wanted, level / len(wanted)
    more, fewer, _ = way(test)
    of_path = level / 2 if more and fewer else level
    if isinstance(start, int):
        return sample.called[[start]], of_path
    return np.array([first_called(test, level)]), of_path


def paths(test: JointTest, wanted: Array, level: float) -> list[Path]:
    """Return the paths of the tests from where they begin, whatever the labels."""
    places = first_places(test.sample, wanted)
    if len(places) > 1:
        return [Path(places, level, whole=False)]
    directions = way(test)
    more, fewer = _steps(test.sample.called[1:], int(places[0]))
    if directions.more and directions.fewer:
        return [Path(more, level), Path(fewer, level)]
    return [Path(more if directions.more else fewer, level)]


def first_places(sample: Sample, wanted: Array) -> NDArray[np.intp]:
    """Return the first cut-offs at which so many instances are called positive, or all.

    They are given by their numbers of distinct scores.
    """
    called = sample.called[1:]
    return np.searchsorted(called, np.minimum(wanted, called[-1])) + 1


def first_called(test: JointTest, level: float) -> float:
    """Return the number of instances that the first cut-off calls positive, whatever the labels."""
    positives, negatives = test.sample.sizes
    more, fewer, at_end = way(test)
    if at_end:
        return 1.0 if more else positives + negatives
    # Few are called positive, or negative: nearly all rightly, and some of those that may be wrong.
    right_of, wrong_of = (positives, negatives) if more else (negatives, positives)
    shares = FIRST_SHARES[:, np.newaxis]
    met = test.met(shares, RATES) if more else test.met(1 - RATES, 1 - shares)
    right = np.maximum(1.0, np.round(FIRST_SHARES * right_of))
    allowed = np.where(met, RATES, 0).max(axis=1) * wrong_of
    some = float(right_of)  # if not even a perfect classifier passes
    for spare in SPARES:
        wrong = np.floor(spare * allowed)
        tp, fp = (right, wrong) if more else (positives - wrong, negatives - right)
        passing = np.flatnonzero(test.passed(tp, fp, level))
        if passing.size:
            first = passing[len(passing) // 2] if more and fewer else passing[0]
            some = float(right[first] + wrong[first])
            break
    return some if more else positives + negatives - some


def _steps(called: Array, start: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return cut-offs from a start at which ever more, and ever fewer, are called positive."""
    directions = []
    for sign, end in ((1, called[-1]), (-1, called[0])):
        wanted = [called[start - 1]]
        while sign * wanted[-1] < sign * end:
            wanted.append(wanted[-1] + sign * max(1.0, STEP * wanted[-1]))
        numbers = np.clip(wanted, called[0], called[-1])
        directions.append(np.unique(np.searchsorted(called, numbers)) + 1)
    return directions[0], directions[1][::-1]


def follow(path: Path, test: JointTest) -> Tested:
    """Test the cut-offs of a path until one fails, or all of them."""
    tp, fp = test.sample.counts
    p_values: list[Array] = []
    for first in range(0, len(path.places), TESTS_AT_ONCE):
        places = path.places[first : first + TESTS_AT_ONCE]
        p_values.append(test.p_values(tp[places], fp[places]))
        if path.whole and (p_values[-1] > path.level).any():
            break
    tested = np.concatenate(p_values)
    passed = tested <= path.level
    number = int(passed.argmin()) + 1 if path.whole and not passed.all() else len(tested)
    return Tested(path.places[:number], tested[:number], passed[:number])
