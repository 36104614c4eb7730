"""Groups of the rows of a future study, such as those of one patient."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np
from scipy.special import ndtri, stdtrit

from skewproof.core.algebra import Array

FEWEST, MOST = 4, 20_000
"""Fewest groups, two of each class, and most whose studies are simulated in a few minutes."""

NEAREST = 1e-6
"""Least distance of a correlation from 0 and 1 when groups are drawn."""


@dataclass(frozen=True)
class GroupedRows:
    """Sizes of groups of rows, and how alike the rows of a group are.

    Attributes
    ----------
    rows
        Mean number of rows of a group, above 1.
    correlation
        Intraclass correlation of the answers to the rows of a class.
    variation
        Coefficient of variation of the numbers of rows.
    of_classes
        Intraclass correlation of the true class: 1 if each group has rows of a single class.
    """

    rows: float
    correlation: float
    variation: float
    of_classes: float

    def number(self, total: float) -> int:
        """Return the number of groups of about as many rows."""
        return max(FEWEST, ceil(total / self.rows))

    def needed(self, independent: float, confidence: float) -> float:
        """Estimate the groups that tell as much as a number of independent rows.

        The numbers are those of Donner and Klar (2000), with unequal sizes as in Eldridge et al.
        (2006), times the squared ratio of the quantiles of Student's t and of the normal
        distribution.

        Examples
        --------
        >>> round(GroupedRows(10, 0.3, 0, 1).needed(61, 0.95), 1)
        25.0
        """
        alike = 1 + self.variation**2
        effect = 1 + (self.rows * alike - 1) * self.correlation
        known, level = independent / self.rows * effect, (1 + confidence) / 2
        needed = known
        for _ in range(20):
            degrees = max(needed / alike - 1, 1)
            needed = known * float(stdtrit(degrees, level) / ndtri(level)) ** 2
        return needed

    def drawn(
        self, probabilities: tuple[Array, Array], positive: Array, random: np.random.Generator
    ) -> Array:
        """Draw counts by group, (groups, 2, cells).

        Parameters
        ----------
        probabilities
            Probabilities of the cells of the positives and of the negatives. Those of a group have
            a Dirichlet distribution, independent for the two classes.
        positive
            Probability that a row is positive, in each group.
        random
            The generator.
        """
        sizes, groups = np.full(len(positive), self.rows), len(positive)
        if self.variation:
            # The first row is certain, so that the others have all of the variance.
            shape = ((self.rows - 1) / (self.variation * self.rows)) ** 2
            sizes = 1 + random.gamma(shape, (self.rows - 1) / shape, groups)
        # Rounding at random keeps the mean.
        whole = np.floor(sizes + random.random(groups)).astype(np.int64)
        positives = random.binomial(whole, positive)
        strength = 1 / np.clip(self.correlation, NEAREST, 1 - NEAREST) - 1
        by_class = [
            random.multinomial(number, random.dirichlet(np.maximum(cells * strength, 1e-9), groups))
            for number, cells in zip((positives, whole - positives), probabilities, strict=True)
        ]
        return np.stack(by_class, axis=1).astype(np.float64)

    def shares(self, share: float, groups: int, random: np.random.Generator) -> Array:
        """Draw the probability of a positive row in groups that are drawn at random."""
        if self.of_classes == 1:
            return (random.random(groups) < share).astype(np.float64)
        strength = 1 / max(self.of_classes, NEAREST) - 1
        return random.beta(share * strength, (1 - share) * strength, groups)
