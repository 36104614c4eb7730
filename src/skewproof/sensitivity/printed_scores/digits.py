"""Texts of printed numbers as closed intervals of exact fractions."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from skewproof.core.arguments import expect, expect_choice

ROUNDINGS = ("half up", "half even", "truncated", "twice", "any")
"""Ways to round. The intervals are closed, so that "half up" and "half even" have the same one."""

HALF, TWICE = Fraction(1, 2), Fraction(11, 20)
"""Largest error of rounding once, and of rounding to one more digit first, in units of the last
digit."""

_NUMBER = r"[-−+]?(?:\d+\.?\d*|\.\d+)"

_TEXT = re.compile(rf"\s*({_NUMBER})(?:\s*%?\s*[-–]\s*({_NUMBER}))?\s*(%?)\s*", re.ASCII)


class PrintedInterval(NamedTuple):
    """All numbers that print as a text."""

    low: Fraction
    high: Fraction

    unit: Fraction
    """One unit of the last digit."""

    def shifted(self, units: int) -> PrintedInterval:
        """Return the interval of the text whose last digit is larger by some units."""
        return self._replace(low=self.low + units * self.unit, high=self.high + units * self.unit)


def printed_interval(
    text: str, rounding: str = "half up", *, name: str = "scores"
) -> PrintedInterval:
    """Read a printed number, such as "0.9033", "90.33 %" or the range "0.84-0.86".

    Parameters
    ----------
    text
        The text with all its digits.
    rounding
        One of :data:`ROUNDINGS`: "half up" or "half even" for the nearest number, "truncated" for
        digits that were cut off, "twice" for numbers rounded to one more digit first, or "any".
    name
        Name of the argument in an error message.

    Returns
    -------
    The closed interval of the numbers that print as the text. A range has the numbers from those
    that print as its first number to those that print as its second.

    Raises
    ------
    ValueError
        If the value is not such a text, as a float, whose digits are lost, or a range whose ends
        are exchanged; or if there is no such rounding.

    Examples
    --------
    >>> printed_interval("0.90")[:2]
    (Fraction(179, 200), Fraction(181, 200))
    >>> printed_interval("90%", "truncated")[:2]
    (Fraction(9, 10), Fraction(91, 100))
    """
    expect_choice("rounding", rounding, ROUNDINGS)
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    expected = 'a text with the printed digits, such as "0.90", "90.0 %" or "0.84-0.86"'
    expect(match is not None, name, text, expected)
    assert match is not None
    first, second, percent = match.groups()
    ends = [_interval(part, rounding) for part in (first, second) if part is not None]
    expect(ends[0].low <= ends[-1].low, name, text, "a range from a smaller to a larger number")
    widest = max(end.unit for end in ends)
    scale = Fraction(1, 100) if percent else Fraction(1)
    return PrintedInterval(ends[0].low * scale, ends[-1].high * scale, widest * scale)


def _interval(number: str, rounding: str) -> PrintedInterval:
    number = number.replace("−", "-")
    unit = Fraction(1, 10 ** len(number.partition(".")[2]))
    middle = Fraction(number)
    below = above = {"twice": TWICE, "any": TWICE, "truncated": Fraction(0)}.get(rounding, HALF)
    if rounding in ("truncated", "any"):
        # Digits are cut off toward 0; a printed 0 may have had either sign.
        below = below if middle > 0 else Fraction(1)
        above = above if number.startswith("-") else Fraction(1)
    return PrintedInterval(middle - below * unit, middle + above * unit, unit)
