"""What class sizes and the options of samples must be, said before any work."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

from skewproof.core.arguments import expect, is_finite, is_whole
from skewproof.core.levels import LARGEST_PART
from skewproof.core.metric import Metric

MOST_LOG2_SAMPLES = 30
"""Base-2 logarithm of the most base points: SciPy's Sobol' sequences have 2^30 points."""


def refuse_wrong_sizes(**sizes: Any) -> None:
    """Refuse class sizes, by their names, that are no finite numbers above 0.

    Raises
    ------
    ValueError
        It names the argument, its value and what is expected.
    """
    for name, size in sizes.items():
        expect(is_finite(size) and size > 0, name, size, "a finite number above 0")


def refuse_broken_size(positives: Any) -> None:
    """Refuse positives of no whole number, or more than a level may have: values are exact there.

    Raises
    ------
    ValueError
        It names the value and what is expected.
    """
    expected = f"a whole number of at least 1 and of at most {LARGEST_PART}"
    expect(is_whole(positives, 1, LARGEST_PART), "positives", positives, expected)


def refuse_wrong_samples(log2_samples: Any) -> None:
    """Refuse a logarithm of numbers of base points that no Sobol' sequence has.

    Raises
    ------
    ValueError
        It names the value and what is expected.
    """
    fits = is_whole(log2_samples, 0, MOST_LOG2_SAMPLES)
    expected = f"a whole number of at least 0 and of at most {MOST_LOG2_SAMPLES}"
    expect(fits, "log2_samples", log2_samples, expected)


def refuse_wrong_policy(undefined: Any, *policies: str) -> None:
    """Refuse what is neither a policy for undefined values nor a number in their place.

    Raises
    ------
    ValueError
        It names the value and what is expected.
    """
    fits = undefined in policies if isinstance(undefined, str) else is_finite(undefined)
    expected = ", ".join(map(repr, policies)) + " or a finite number"
    expect(fits, "undefined", undefined, expected)


def refuse_wrong_options(
    metrics: Sequence[Metric], *, seed: Any, resamples: Any, threads: Any
) -> None:
    """Refuse no metrics, and a seed or numbers of resamples and threads that are none.

    Raises
    ------
    ValueError
        It names the argument, its value and what is expected.
    """
    if not len(metrics):
        raise ValueError("metrics is empty: expected at least one")
    seeds = seed if isinstance(seed, tuple) else (seed,)
    whole = all(is_whole(one) for one in seeds)
    expect(whole, "seed", seed, "a whole number of at least 0, or a tuple of such")
    several = is_whole(resamples) and resamples != 1
    expect(several, "resamples", resamples, "0 or a whole number of at least 2")
    expect(is_whole(threads, 1), "threads", threads, "a whole number of at least 1")


def refuse_wrong_shard(shard: Any, shards: Any, *, most: int) -> None:
    """Refuse numbers of shards that are no power of two up to the most, and a shard not of them.

    Raises
    ------
    ValueError
        It names the argument, its value and what is expected.
    """
    power = is_whole(shards, 1, most) and int(shards).bit_count() == 1
    expect(power, "shards", shards, f"a power of two of at most {most}")
    last = shards - 1
    expect(is_whole(shard, 0, last), "shard", shard, f"a whole number from 0 to {last}")


def refuse_wrong_confidence(confidence: Any) -> None:
    """Refuse a level of bootstrap intervals that is not between 0 and 1.

    Raises
    ------
    ValueError
        It names the value and what is expected.
    """
    fits = isinstance(confidence, Real) and 0 < float(confidence) < 1
    expect(fits, "confidence", confidence, "a number above 0 and below 1")
