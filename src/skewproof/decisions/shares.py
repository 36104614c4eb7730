"""Exact tests of requirements on shares, in the population of a random sample.

Precision is the share of hits among positive calls. F1 is at least b if the share of hits among
hits, misses and false alarms is at least b/(2 - b). Accuracy is a share of all instances. The
number of good instances in such a group is binomial, whatever their prevalence.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit

from skewproof.core.algebra import Array
from skewproof.core.confusion import matrix_of
from skewproof.decisions.requirements import Requirement

TRIED = 200
"""Number of random matrices on which a metric is compared with a share."""

ROUNDING = 1e-9
"""Relative difference up to which two values are the same."""

SHARES = expit(np.linspace(-30, 30, 241))
"""Shares at which the orientation of a requirement is determined."""

HALVINGS = 60
"""Number of halvings of the shares from 0 to 1."""


@dataclass(frozen=True)
class ShareTest:
    """Test that the share of good cells among good and bad cells is large enough."""

    good: tuple[int, ...]
    bad: tuple[int, ...]
    """Indices into tp, fp, fn and tn."""

    least: float
    """The required share."""

    positives: int
    negatives: int

    def p_values(self, tp: Array, fp: Array) -> Array:
        """Compute the p-values of counts, shape (cut-offs,), that the share is not large enough."""
        cells = np.array([tp, fp, self.positives - tp, self.negatives - fp])
        good, bad = cells[list(self.good)].sum(axis=0), cells[list(self.bad)].sum(axis=0)
        return np.where(good > 0, betainc(np.maximum(good, 1), bad + 1, self.least), 1.0)

    def passed(self, tp: Array, fp: Array, level: float) -> NDArray[np.bool_]:
        """Return whether the p-values are at most the level."""
        return self.p_values(tp, fp) <= level


def share_test(
    requirement: Requirement, positives: int, negatives: int, total: float
) -> ShareTest | None:
    """Build the test of a requirement, or return None if it is not a requirement on a share.

    Parameters
    ----------
    requirement
        The requirement.
    positives, negatives
        Numbers of labeled instances.
    total
        Number of instances where it has to be met.

    Examples
    --------
    >>> share_test(Requirement.parsed("f1 >= 0.5"), 10, 90, 1.0)
    ShareTest(good=(0,), bad=(1, 2), least=0.333..., positives=10, negatives=90)
    """
    groups = _groups(requirement, total)
    if groups is None:
        return None
    good, bad = groups
    met = _met(requirement, good, bad, total, SHARES)
    if np.any(met[1:] < met[:-1]):
        good, bad, met = bad, good, met[::-1]
    if np.any(met[1:] < met[:-1]):
        return None
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        there = _met(requirement, good, bad, total, np.array([middle]))[0]
        low, high = (low, middle) if there else (middle, high)
    return ShareTest(good, bad, high, positives, negatives)


def _groups(
    requirement: Requirement, total: float
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Find the two groups of cells on whose ratio alone the metric depends, if there are any."""
    random = np.random.default_rng(0)
    first, second = random.dirichlet(np.ones(4), (2, TRIED)).transpose(0, 2, 1)
    expected = _values(requirement, first, total)
    for sides in itertools.product((0, 1, 2), repeat=4):
        good, bad = (tuple(np.flatnonzero(np.array(sides) == side).tolist()) for side in (1, 2))
        if not good or not bad:
            continue
        ratio = [
            cells[list(good)].sum(axis=0) / cells[list(bad)].sum(axis=0)
            for cells in (first, second)
        ]
        moved = second.copy()
        moved[list(good)] *= ratio[0] / ratio[1]
        values = _values(requirement, moved / moved.sum(axis=0), total)
        if np.allclose(values, expected, rtol=ROUNDING, atol=ROUNDING, equal_nan=True):
            return good, bad
    return None


def _values(requirement: Requirement, cells: Array, total: float) -> Array:
    return np.asarray(requirement.metric(matrix_of(total * cells)))


def _met(
    requirement: Requirement,
    good: tuple[int, ...],
    bad: tuple[int, ...],
    total: float,
    shares: Array,
) -> NDArray[np.bool_]:
    """Return whether shares meet the requirement, if the two groups have all instances."""
    cells = np.zeros((4, len(shares)))
    cells[list(good)] = shares / len(good)
    cells[list(bad)] = (1 - shares) / len(bad)
    return requirement.met(matrix_of(total * cells))
