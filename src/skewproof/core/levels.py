"""Imbalance levels, ratios of positives to negatives."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from skewproof.core.arguments import expect, expect_number, expect_whole, is_finite
from skewproof.core.messages import shown

DEFAULT_POSITIVES = 100
"""Default size of the positive class, at every level. It is van Zyl and Engelbrecht's, as the
Laplace row of their Table 7 implies."""

LARGEST_PART = 10**9
"""Largest number that a level may have on either side."""

_LEVEL = re.compile(r"([1-9][0-9]*):([1-9][0-9]*)")


@dataclass(frozen=True)
class Level:
    """An imbalance level P:N in lowest terms.

    Examples
    --------
    >>> from skewproof import Level
    >>> Level.parse("1:50").negatives(100)
    5000.0
    """

    positive_part: int
    negative_part: int

    def __post_init__(self) -> None:
        for name in ("positive_part", "negative_part"):
            expect_whole(name, getattr(self, name), 1)

    @classmethod
    def parse(cls, text: object) -> Level:
        """Read "P:N".

        Raises
        ------
        ValueError
            If the text is not two positive whole numbers of at most 10^9 in lowest terms.
        """
        match = _LEVEL.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(
                f'{shown(text)}: expected a quoted "P:N" of two positive whole numbers, such as'
                ' "1:50"'
            )
        longest = max(map(len, match.groups()))
        if longest > len(str(LARGEST_PART)) or max(map(int, match.groups())) > LARGEST_PART:
            raise ValueError(f"{shown(text)}: expected numbers of at most {LARGEST_PART}")
        parts = int(match[1]), int(match[2])
        divisor = math.gcd(*parts)
        if divisor > 1:
            lowest = cls(parts[0] // divisor, parts[1] // divisor)
            raise ValueError(f'{shown(text)}: expected lowest terms, "{lowest}"')
        return cls(*parts)

    @classmethod
    def given(cls, value: str | Level, name: str) -> Level:
        """Read an argument that is a level or its text.

        Raises
        ------
        ValueError
            If it is neither; the message names the argument.

        Examples
        --------
        >>> Level.given("1:50", "target").negative_part
        50
        """
        try:
            return value if isinstance(value, Level) else cls.parse(value)
        except ValueError as error:
            raise ValueError(f"{name} = {error}") from None

    @classmethod
    def of_prevalence(cls, share: float, name: str) -> Level:
        """Find the level at which a share of the instances is positive.

        Raises
        ------
        ValueError
            If no level has exactly this prevalence; the message names the argument.

        Examples
        --------
        >>> str(Level.of_prevalence(0.003, "at"))
        '3:997'
        """
        share = expect_number(name, share)
        ratio = Fraction(repr(share)).limit_denominator(LARGEST_PART)
        exact = 0 < ratio < 1 and ratio.numerator / ratio.denominator == share
        expected = 'a level such as "1:1000", or a prevalence of at most nine decimals'
        expect(exact, name, share, expected)
        return cls(ratio.numerator, ratio.denominator - ratio.numerator)

    def __str__(self) -> str:
        return f"{self.positive_part}:{self.negative_part}"

    @property
    def prevalence(self) -> float:
        """Share of positives, in (0, 1)."""
        return self.positive_part / (self.positive_part + self.negative_part)

    def negatives(self, positives: Any) -> Any:
        """Compute the number of negatives for a number of positives; it need not be whole.

        Parameters
        ----------
        positives
            A finite number of at least 0, an array of such numbers, or a SymPy expression.

        Raises
        ------
        ValueError
            If it is anything else. An infinite sum of an array's counts is not an error: the
            negatives are then infinite as well.
        """
        if hasattr(positives, "dtype"):
            fits = positives.dtype.kind in "iuf" and bool((positives >= 0).all())
        else:
            symbolic = hasattr(positives, "free_symbols")
            fits = symbolic or (is_finite(positives) and positives >= 0)
        expected = "a finite number of at least 0, or an array of such numbers"
        expect(fits, "positives", positives, expected)
        return positives * self.negative_part / self.positive_part


DEFAULT_LEVELS = tuple(Level(1, negatives) for negatives in (1, 2, 10, 100, 1000))
"""Default levels, which are van Zyl and Engelbrecht's; the first is the baseline."""
