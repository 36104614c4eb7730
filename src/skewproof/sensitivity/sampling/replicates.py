"""Valid statistics of the sampled indices, by randomized quasi-Monte Carlo.

Independent scrambles of a Sobol' sequence yield independent, equally distributed estimates of an
index. Their spread is the standard error of an estimate (Owen 1997), and tests between them are
valid. In contrast, the half-width that SALib bootstraps is that of independent sampling points.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import stats

from skewproof.core.algebra import Array
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.sensitivity.sampling.sampled import SampledIndices, SamplePolicy, sobol_indices
from skewproof.sensitivity.sampling.welch import p_values

REPLICATE_DECIMALS = 12
"""Number of decimals of replicates; further differences are due to rounding."""


class Replicated(NamedTuple):
    """Mean and standard error of several independent estimates, each of the shape of one."""

    mean: Array

    standard_error: Array
    """Standard error of the mean."""

    @classmethod
    def of(cls, estimates: ArrayLike) -> Replicated:
        """Compute mean and standard error of at least two estimates, shape (replicates, ...)."""
        values = np.asarray(estimates)
        return cls(values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values)))


class ReplicatedIndices(NamedTuple):
    """First-order and total indices of several metrics, each of shape (metrics, 2)."""

    s1: Replicated
    st: Replicated

    @classmethod
    def of(cls, estimates: Iterable[SampledIndices]) -> ReplicatedIndices:
        """Average at least two independent estimates, with standard errors."""
        replicates = list(estimates)
        return cls(
            Replicated.of([estimate.s1 for estimate in replicates]),
            Replicated.of([estimate.st for estimate in replicates]),
        )

    @classmethod
    def unknown(cls, metrics: int) -> ReplicatedIndices:
        """Make unknown indices of a number of metrics."""
        nothing = np.full((metrics, len(INPUTS)), np.nan)
        return cls(Replicated(nothing, nothing), Replicated(nothing, nothing))


def scrambled_indices(
    metrics: Sequence[Metric],
    level: Level,
    positives: float,
    *,
    replicates: int,
    seed: int,
    **options: Any,
) -> Iterator[SampledIndices]:
    """Estimate the indices for each of several independent scrambles, without half-widths.

    Parameters
    ----------
    metrics, level, positives
        As for :func:`skewproof.sensitivity.sampling.sampled.sobol_indices`, which lists invalid
        values.
    replicates
        Number of scrambles.
    seed
        The study's seed; the scramble of replicate r depends on the seed, r and the level.
    **options
        Further arguments of that function: log2_samples, undefined and total.
    """
    options["resamples"] = 0
    for replicate in range(replicates):
        yield sobol_indices(metrics, level, positives, seed=(seed, replicate), **options)


def replicated_indices(*arguments: Any, **options: Any) -> Array:
    """Estimate first-order indices from several scrambles, shape (replicates, metrics, 2).

    Arguments are those of :func:`scrambled_indices`.
    """
    estimates = scrambled_indices(*arguments, total=False, **options)
    return np.array([estimate.s1 for estimate in estimates])


def groups_by_level(table: pd.DataFrame) -> dict[str, Array]:
    """Convert replicates in long form to an array per level.

    Parameters
    ----------
    table
        Columns level, metric, replicate, input and s1, with equally many replicates of each metric.

    Returns
    -------
    Arrays of shape (replicates, metrics, 2) by level; levels and metrics are in the table's order.
    """
    keys = table["metric"].unique()
    columns = pd.MultiIndex.from_product([keys, INPUTS])
    groups = {}
    for level, part in table.groupby("level", sort=False):
        wide = part.pivot(index="replicate", columns=["metric", "input"], values="s1")
        values = np.ascontiguousarray(wide.reindex(columns=columns).to_numpy())
        groups[str(level)] = values.reshape(-1, len(keys), len(INPUTS))
    return groups


class GroupComparison(NamedTuple):
    """A comparison of two groups of replicates; arrays have their shape without the first axis."""

    difference: Array
    """Mean of the second group minus mean of the first: the effect, in shares of the variance."""

    low: Array
    """Lower end of Welch's interval of the difference."""

    high: Array
    """Upper end of Welch's interval of the difference."""

    p_difference: Array
    """P-value of Welch's two-sided test that the means are equal."""

    p_equivalence: Array
    """P-value of two one-sided tests (TOST, Schuirmann 1987) that the means differ by at least
    `smallest_difference`."""


def compare_groups(
    first: Array, second: Array, *, smallest_difference: float, confidence: float
) -> GroupComparison:
    """Compare two groups of replicates by Welch's tests, of difference and of equivalence.

    Parameters
    ----------
    first, second
        Shape (replicates, ...), at least two replicates each.
    smallest_difference
        The smallest difference of means that is of interest, above 0.
    confidence
        Level of each interval, in (0, 1).
    """
    first, second = (np.round(group, REPLICATE_DECIMALS) for group in (first, second))
    difference = second.mean(axis=0) - first.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # Groups without spread are treated below.
        warnings.filterwarnings("ignore", "Precision loss occurred", RuntimeWarning)
        both = stats.ttest_ind(second, first, axis=0, equal_var=False)
        interval = both.confidence_interval(confidence)
        above = stats.ttest_ind(
            second + smallest_difference, first, axis=0, equal_var=False, alternative="greater"
        )
        below = stats.ttest_ind(
            second - smallest_difference, first, axis=0, equal_var=False, alternative="less"
        )
    p_difference, p_equivalence = both.pvalue, np.maximum(above.pvalue, below.pvalue)
    # Without any spread there is nothing to test: means are equal or not.
    exact = (np.ptp(first, axis=0) == 0) & (np.ptp(second, axis=0) == 0)
    return GroupComparison(
        difference,
        np.where(exact, difference, interval.low),
        np.where(exact, difference, interval.high),
        np.where(exact, (difference == 0) * 1.0, p_difference),
        np.where(exact, (np.abs(difference) >= smallest_difference) * 1.0, p_equivalence),
    )


def sound_tests(
    groups: Mapping[str, Array],
    keys: Sequence[str],
    *,
    baseline: str,
    smallest_difference: float,
    alpha: float,
) -> pd.DataFrame:
    """Test every metric's replicates at every level against those at the baseline level.

    Parameters
    ----------
    groups
        The result of :func:`replicated_indices` for each level by its name.
    keys
        The metrics' keys, in the order of the second axis.
    baseline
        Name of the level with which the others are compared.
    smallest_difference
        The smallest difference of an index that is of interest.
    alpha
        Each single interval has the level 1 - alpha.

    Returns
    -------
    Frame with the columns metric, level, input, mean (of the replicates), standard_error (of that
    mean), difference, low, high, p_difference, p_difference_holm, p_equivalence and
    p_equivalence_holm. P-values are adjusted over all metrics, levels and inputs.
    """
    parts = []
    for level, group in groups.items():
        if level == baseline:
            continue
        comparison = compare_groups(
            groups[baseline], group, smallest_difference=smallest_difference, confidence=1 - alpha
        )
        replicated = Replicated.of(group)
        part = {
            "metric": np.repeat(keys, len(INPUTS)),
            "level": level,
            "input": np.tile(INPUTS, len(keys)),
            "mean": replicated.mean.ravel(),
            "standard_error": replicated.standard_error.ravel(),
        }
        parts.append(pd.DataFrame(part | {k: v.ravel() for k, v in comparison._asdict().items()}))
    table = pd.concat(parts, ignore_index=True)
    for kind in ("difference", "equivalence"):
        position = 1 + table.columns.get_loc(f"p_{kind}")
        table.insert(position, f"p_{kind}_holm", holm(table[f"p_{kind}"]))
    return table


def rejections(
    metric: Metric,
    level: Level,
    baseline: Level,
    positives: float,
    *,
    half_widths: pd.DataFrame,
    log2_samples: int,
    scrambles: int,
    seed: int,
    alpha: float,
    undefined: SamplePolicy = "error",
) -> int:
    """Count the pairs of scrambles, one of each level, that the test of van Zyl and Engelbrecht
    rejects.

    Parameters
    ----------
    metric, level, baseline, positives
        The metric, and the levels to compare.
    half_widths
        Columns level, input, s1_conf: the study's half-widths, which vary little with the scramble.
    log2_samples, scrambles, seed, undefined
        As for :func:`replicated_indices`.
    alpha
        Level of the test.
    """
    parts = []
    for sampled_level in (baseline, level):
        replicates = replicated_indices(
            [metric],
            sampled_level,
            positives,
            log2_samples=log2_samples,
            replicates=scrambles,
            seed=seed,
            undefined=undefined,
        )
        parts.append(_scores(replicates[:, 0], sampled_level, half_widths))
    tests = p_values(pd.concat(parts), baseline=str(baseline), base_points=2**log2_samples)
    return int((tests["p"] < alpha).sum())


def _scores(replicates: Array, level: Level, half_widths: pd.DataFrame) -> pd.DataFrame:
    """Tabulate replicates, (replicates, 2), with their half-widths, each as a metric of its own."""
    scores = pd.DataFrame(replicates, columns=INPUTS).rename_axis("metric").reset_index()
    scores = scores.melt("metric", var_name="input", value_name="s1")
    widths = half_widths[half_widths["level"] == str(level)].set_index("input")["s1_conf"]
    return scores.assign(level=str(level), s1_conf=scores["input"].map(widths))
