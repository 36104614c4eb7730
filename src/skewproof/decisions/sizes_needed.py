"""Sizes of a sample that would make a promise likely, at the rates of a smaller sample.

Samples of ever larger sizes are drawn from the smaller one, each class by itself, and the tests of
:mod:`.sequences` begin in each of them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from skewproof.curves.counts import ScoreCounts
from skewproof.decisions.frontiers import Sizes
from skewproof.decisions.requirements import Requirement
from skewproof.decisions.sequences import JointTest, Sample, Start, begin, first_places

DRAWS = 100
"""Number of samples that are drawn of each size."""

LIKELY = 2 / 3
"""Share of the drawn samples that have to lead to a promise. It exceeds 1/2 by three standard
errors, so that promises are made in more than half of such samples."""

GROWTH = 4.0
"""Factor by which the sizes grow until a promise is likely."""

REFINEMENTS = 4
"""Number of halvings of the last growth."""

MOST_INSTANCES = 10_000_000
"""Largest sample that is considered."""

CUT_OFFS_A_SIDE = 300
"""Most cut-offs with geometrically rising numbers of positive calls, and of negative calls, among
which the first one is."""

PLACES = 40
"""Number of cut-offs among which the one with the likeliest promise is sought."""


def sizes_needed(test: JointTest, start: Start, level: float) -> Sizes | None:
    """Find sizes of samples that probably lead to a promise; None if no size does.

    Both classes grow alike. Their sizes are rounded up to two digits, unless that of the negatives
    determines the prevalence.
    """
    sizes = test.sample.sizes
    ratio = sizes.negatives / sizes.positives
    sample, start = _thinned(test.sample, start)

    def grown(factor: float) -> Sizes:
        positives = rounded(factor * sizes.positives)
        negatives = positives * ratio
        return Sizes(positives, (rounded if sample.at.elsewhere else round)(negatives))

    low, high = 1.0, GROWTH
    while not _likely(test.requirements, sample, start, level, grown(high)):
        low, high = high, GROWTH * high
        if high * sum(sizes) > MOST_INSTANCES:
            return None
    for _ in range(REFINEMENTS):
        middle = math.sqrt(low * high)
        enough = _likely(test.requirements, sample, start, level, grown(middle))
        low, high = (low, middle) if enough else (middle, high)
    return grown(high)


def likeliest(test: JointTest, places: NDArray[np.intp]) -> int:
    """Return the cut-off with the smallest p-value, among some of those given."""
    some = places[np.unique(np.linspace(0, len(places) - 1, PLACES).astype(int))]
    tp, fp = (part[some] for part in test.sample.counts)
    return int(some[test.p_values(tp, fp).argmin()])


def _thinned(sample: Sample, start: Start) -> tuple[Sample, Start]:
    """Keep the start, and of the other cut-offs some that differ little in what they call."""
    called = sample.called[1:]
    few = np.geomspace(1, called[-1], CUT_OFFS_A_SIDE)
    kept = np.unique(first_places(sample, np.append(few, called[-1] - few)))
    if isinstance(start, int):
        kept = np.union1d(kept, start)
        start = int(np.searchsorted(kept, start)) + 1
    counts = ScoreCounts(*(part[np.append(0, kept)] for part in sample.counts))
    return sample._replace(counts=counts, scores=sample.scores[kept - 1]), start


def _likely(
    requirements: tuple[Requirement, ...], sample: Sample, start: Start, level: float, sizes: Sizes
) -> bool:
    """Return whether most samples of these sizes, drawn from a sample, lead to a promise."""
    counts = [part * (size / part[-1]) for part, size in zip(sample.counts, sizes, strict=True)]
    expected = sample._replace(counts=ScoreCounts(*counts))
    test = JointTest.of(requirements, expected)
    wanted, level = begin(test, start, level)
    if len(wanted) > 1:  # the one that is most likely to pass
        tp, fp = (part[first_places(expected, wanted)] for part in counts)
        wanted = wanted[[test.p_values(tp, fp).argmin()]]
    random = np.random.default_rng(0)
    tp, fp = (
        random.multinomial(size, np.diff(part) / part[-1], DRAWS).cumsum(axis=1).astype(float)
        for part, size in zip(counts, sizes, strict=True)
    )
    rows = np.arange(DRAWS)
    places = start - 1 if isinstance(start, int) else (tp + fp < wanted).sum(axis=1)
    return bool(test.passed(tp[rows, places], fp[rows, places], level).mean() > LIKELY)


def rounded(number: float) -> int:
    """Round a number up to two digits."""
    unit = 10 ** max(0, math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit) * unit
