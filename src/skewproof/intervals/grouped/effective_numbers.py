"""Rows that belong together: what groups of rows are worth, in numbers of independent rows.

A rate of grouped rows is a ratio of two sums over groups. Its variance is that of the delete-group
jackknife, and a number of independent rows with the same variance takes the place of the number of
rows in :mod:`~skewproof.intervals.extremes`. Two corrections allow for few groups: the degrees of
freedom of the variance (Bell and McCaffrey 2002), and the number of groups that have both kinds of
answers. Rates of the same groups vary together, which turns the ball of their deviations.

docs/evidence/group_coverage.md measures the coverage of the intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from skewproof.core.algebra import Array
from skewproof.core.messages import shown
from skewproof.intervals.extremes import Proportions

FEW = 15
"""Effective number of groups of a class below which an interval has a remark."""


class GroupedShares(NamedTuple):
    """Shares of grouped rows, in arrays of the shape (shares,)."""

    design_effect: Array
    """Variance of the share over that of as many independent rows; at least 1."""

    effective: Array
    """Number of independent rows that tell as much about the share, at most the number of rows."""

    correlation: Array
    """Correlation of the shares over the groups, (shares, shares)."""


def grouped_shares(hits: Array, sizes: Array, confidence: float) -> GroupedShares:
    """Compute what groups of rows tell about shares.

    Parameters
    ----------
    hits, sizes
        Numbers of hits and of rows of each share in each group, (groups, shares).
    confidence
        Level of the intervals in which the effective numbers stand for those of rows.

    Examples
    --------
    In ten groups of five rows all rows of a group are alike, so that each group is worth one row:

    >>> import numpy as np
    >>> shares = grouped_shares(5.0 * np.eye(10)[:, :1], np.full((10, 1), 5.0), 0.95)
    >>> shares.design_effect.round(9).tolist()
    [5.444444444]
    """
    # Sums over many groups are fast if the numbers of a share follow each other in memory.
    hits, sizes = (np.asarray(part, dtype=np.float64, order="F") for part in (hits, sizes))
    rows, groups = sizes.sum(axis=0), np.count_nonzero(sizes, axis=0)
    values = np.divide(hits.sum(axis=0), rows, out=np.zeros(len(rows)), where=rows > 0)
    single, varies = sizes.max(axis=0) <= 1, (values > 0) & (values < 1) & (groups > 1)
    alike = effective_groups(sizes)
    rest = np.where(rows - sizes > 0, rows - sizes, 1.0)
    deviations = np.where(varies & (sizes > 0), (hits - values * sizes) / rest, 0.0)
    squares = (deviations**2).sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (groups - 1) / groups * squares
        effect = np.where(varies, variance * (rows - 1) / (values * (1 - values)), 1.0)
    effect = np.where(single | ~varies, 1.0, effect)
    worth = _worth(hits, sizes, effect, alike, confidence)
    effective = np.where(single, rows, np.where(varies, worth, alike))
    length = np.sqrt(squares)
    scaled = deviations / np.where(length > 0, length, 1.0)
    correlation = scaled.T @ scaled
    np.fill_diagonal(correlation, 1.0)
    return GroupedShares(np.maximum(effect, 1.0), effective, correlation)


def grouped_rates(
    by_group: Sequence[Array], confidence: float, *, with_prevalence: bool
) -> Proportions:
    """Return the rates of both classes of several slices by the worth of groups.

    Parameters
    ----------
    by_group
        For each slice, positives and negatives of each group by their call, (groups, 2, 2).
    confidence
        As for :func:`grouped_shares`.
    with_prevalence
        Whether the prevalence of the groups, which varies with the rates, is the first row.
    """
    observed, known = [], []
    for counts in by_group:
        hits, sizes = counts[..., 0], counts.sum(axis=2)
        if with_prevalence:
            hits = np.column_stack([sizes[:, 0], hits])
            sizes = np.column_stack([sizes.sum(axis=1), sizes])
        observed.append(hits.sum(axis=0) / sizes.sum(axis=0))
        known.append(grouped_shares(hits, sizes, confidence))
    values = np.stack(observed, axis=1)
    effective = np.stack([shares.effective for shares in known], axis=1)
    correlation = np.stack([shares.correlation for shares in known], axis=2)
    return Proportions(effective * values, effective * (1 - values), values, correlation)


def _worth(hits: Array, sizes: Array, effect: Array, alike: Array, confidence: float) -> Array:
    """Compute the effective numbers of rows of shares of which some groups have several rows."""
    rows = sizes.sum(axis=0)
    mixed = np.minimum(np.count_nonzero(hits, axis=0), np.count_nonzero(hits < sizes, axis=0))
    level = (1 + confidence) / 2

    def number(degrees: Array) -> Array:
        ratio = stdtrit(rows - 1, level) / stdtrit(degrees, level)
        return np.where(degrees > 0, rows / np.maximum(effect, 1.0) * ratio**2, 0.0)

    with np.errstate(divide="ignore", invalid="ignore"):  # shares without rows or with one group
        freedom = degrees_of_freedom(sizes, intraclass(effect, rows, alike))
        cautious = number(np.minimum(freedom, 2.0 * (mixed - 1)))
        return np.minimum(rows, np.maximum(cautious, np.minimum(number(freedom), alike)))


def intraclass(effect: Array, rows: Array, alike: Array) -> Array:
    """Return the intraclass correlations, from 0 to 1, that explain design effects.

    Parameters
    ----------
    effect
        The design effects.
    rows
        Numbers of rows.
    alike
        Effective numbers of rows if all rows of a group are equal.
    """
    largest = np.maximum(rows / alike - 1, np.finfo(float).tiny)
    return np.where(rows > alike, np.clip((effect - 1) / largest, 0, 1), 0.0)


def degrees_of_freedom(sizes: Array, correlation: Array | float) -> Array:
    """Compute the degrees of freedom of jackknife variances, G - 1 for G equal groups.

    The variance of a group's hits is taken to be proportional to n (1 + (n - 1) r) (Bell and
    McCaffrey 2002).

    Parameters
    ----------
    sizes
        Numbers of rows of the groups, (groups, ...).
    correlation
        The intraclass correlations r.
    """
    total = sizes.sum(axis=0)
    weights = 1 / (total - sizes) ** 2
    variances = sizes * (1 + (sizes - 1) * correlation)
    whole = variances.sum(axis=0) / total
    # Covariances of the residuals are diag(variances) + L with the symmetric L of rank 2 below.
    diagonal = (sizes * whole - 2 * variances) * sizes / total
    of_residuals = variances + diagonal
    by_size, both, by_variance = (
        (weights * product).sum(axis=0) for product in (sizes**2, sizes * variances, variances**2)
    )
    low_rank = (
        2 * (by_size * by_variance + both**2) - 4 * whole * by_size * both + whole**2 * by_size**2
    ) / total**2
    squared = (weights**2 * variances * (variances + 2 * diagonal)).sum(axis=0) + low_rank
    return np.asarray((weights * of_residuals).sum(axis=0) ** 2 / squared)


def effective_groups(sizes: Array) -> Array:
    """Compute Kish's effective numbers of groups, 0 for none.

    Parameters
    ----------
    sizes
        Numbers of rows of each group, (groups, ...).

    Examples
    --------
    >>> import numpy as np
    >>> effective_groups(np.array([[5.0, 1.0], [5.0, 9.0]])).round(2).tolist()
    [2.0, 1.22]
    """
    squares = (sizes**2).sum(axis=0)
    total = sizes.sum(axis=0)
    return np.divide(total**2, squares, out=np.zeros_like(total), where=squares > 0)


def remark_on_groups(by_group: Array, classes: Sequence[Any]) -> str:
    """State which classes have few groups, or return an empty text.

    Parameters
    ----------
    by_group
        Counts by group, (groups, classes, cells).
    classes
        The names of the classes.

    Raises
    ------
    ValueError
        If several rows of a class are all of one group.
    """
    sizes = by_group.sum(axis=-1)
    number, largest = np.count_nonzero(sizes, axis=0), sizes.max(axis=0)
    for name, groups, rows in zip(classes, number.tolist(), largest.tolist(), strict=True):
        if groups == 1 and rows > 1:
            raise ValueError(
                f"groups: all {rows:.0f} rows of the class {shown(name)} are of one group: expected"
                " at least two groups of each class"
            )
    listed = few_groups(by_group, classes)
    return f"F{listed[1:]}; below {FEW} intervals may cover less than stated." if listed else ""


def few_groups(by_group: Array, classes: Sequence[Any]) -> str:
    """List the classes that have few groups, or return an empty text; as `remark_on_groups`."""
    sizes = by_group.sum(axis=-1)
    effective = np.where(sizes.max(axis=0) > 1, effective_groups(sizes), FEW)
    listed = [
        f"{worth:.3g} of the class {shown(name)}"
        for name, worth in zip(classes, effective.tolist(), strict=True)
        if 0 < worth < FEW
    ]
    return f"few groups, worth as many equal ones as: {', '.join(listed)}" if listed else ""


def are_single(by_group: Sequence[Array] | None) -> bool:
    """Return whether there are no groups, or each has at most one row.

    `by_group` has the counts of the same groups in several slices.
    """
    return by_group is None or bool(by_group[0].sum(axis=(1, 2)).max() <= 1)
