"""The Bayesian bootstrap within classes: random weights of the instances of each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from skewproof.core.algebra import Array

BLOCK = 2**21
"""Most weights of a class that are drawn at a time."""


def drawn_weights(
    counts: Sequence[Array], draws: int, random: np.random.Generator
) -> Iterator[list[Array]]:
    """Draw random weights of groups of instances in each class, some samples at a time.

    The weights of a class follow the Dirichlet distribution with its counts as parameters (Rubin
    1981). A part of an instance that nobody observed can be added to the counts.

    Parameters
    ----------
    counts
        Number of instances in each group, an array of the shape (groups,) for each class. A group
        with the number 0 has no weight.
    draws
        Number of samples.
    random
        Generator of the weights.

    Yields
    ------
    The weights for some of the samples, an array of the shape (samples, groups) for each class. The
    weights of a sample sum to 1.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> ((positives, negatives),) = drawn_weights([np.ones(2), np.ones(30)], 500, random)
    >>> positives.shape, negatives.shape, round(float(positives[0].sum()), 12)
    ((500, 2), (500, 30), 1.0)
    """
    at_once = max(1, BLOCK // max(of_class.size for of_class in counts))
    for start in range(0, draws, at_once):
        samples = min(at_once, draws - start)
        weights = [random.standard_gamma(of_class, (samples, of_class.size)) for of_class in counts]
        yield [part / part.sum(axis=1, keepdims=True) for part in weights]
