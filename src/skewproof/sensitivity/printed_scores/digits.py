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

_NUMBER = r"\s*([-−+]?(?:\d+\.?\d*|\.\d+))\s*%?\s*"

_TEXT = re.compile(
    rf"{_NUMBER}(?:[-–]{_NUMBER})?(?:(?:±|\+/?-){_NUMBER})?(?:\(\s*range{_NUMBER}[-–]{_NUMBER}\)\s*)?",
    re.ASCII,
)
"""A number or a range, which a deviation and a range over folds may follow."""

EXPECTED = 'a text with the printed digits, such as "0.90", "90.0 %" or "0.84-0.86"'
"""Expected values of an argument, for messages."""


class PrintedInterval(NamedTuple):
    """All numbers that print as a text."""

    low: Fraction
    high: Fraction

    unit: Fraction
    """One unit of the last digit."""

    def to(self, last: PrintedInterval) -> PrintedInterval:
        """Return the interval from these numbers to others."""
        return PrintedInterval(self.low, last.high, max(self.unit, last.unit))

    def shifted(self, units: int) -> PrintedInterval:
        """Return the interval of the text whose last digit is larger by some units."""
        return self._replace(low=self.low + units * self.unit, high=self.high + units * self.unit)


Ends = tuple[PrintedInterval, PrintedInterval]
"""The smallest and the largest number of a range over folds."""


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
    interval, *over_folds = printed_over_folds(text, rounding, name=name)
    expect(over_folds == [None, None], name, text, EXPECTED)
    return interval


def printed_over_folds(
    text: str, rounding: str = "half up", *, name: str = "scores"
) -> tuple[PrintedInterval, PrintedInterval | None, Ends | None]:
    """Read what is printed of a score over folds, such as "0.85 ± 0.03 (range 0.80-0.91)".

    Parameters
    ----------
    text
        The mean, and its standard deviation and range if they are printed. A percent sign anywhere
        is that of all numbers.
    rounding, name
        As for :func:`printed_interval`.

    Returns
    -------
    The intervals of the mean, of the deviation, and of the smallest and the largest score; None for
    those that are not printed.

    Raises
    ------
    ValueError
        As :func:`printed_interval`.

    Examples
    --------
    >>> mean, deviation, ends = printed_over_folds("0.85 +- 0.03")
    >>> deviation[:2], ends
    ((Fraction(1, 40), Fraction(7, 200)), None)
    """
    expect_choice("rounding", rounding, ROUNDINGS)
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    expect(match is not None, name, text, f'{EXPECTED}; "0.85 ± 0.03 (range 0.8-0.9)" over folds')
    assert match is not None
    scale = Fraction(1, 100) if "%" in text else Fraction(1)
    first, last, deviation, least, most = (
        None if part is None else _interval(part, rounding, scale) for part in match.groups()
    )
    for start, end in ((first, last), (least, most)):
        fits = start is None or end is None or start.low <= end.low
        expect(fits, name, text, "a range from a smaller to a larger number")
    assert first is not None
    ends = None if least is None or most is None else (least, most)
    return first.to(last or first), deviation, ends


def _interval(number: str, rounding: str, scale: Fraction) -> PrintedInterval:
    number = number.replace("−", "-")
    unit = Fraction(1, 10 ** len(number.partition(".")[2])) * scale
    middle = Fraction(number) * scale
    below = above = {"twice": TWICE, "any": TWICE, "truncated": Fraction(0)}.get(rounding, HALF)
    if rounding in ("truncated", "any"):
        # Digits are cut off toward 0; a printed 0 may have had either sign.
        below = below if middle > 0 else Fraction(1)
        above = above if number.startswith("-") else Fraction(1)
    return PrintedInterval(middle - below * unit, middle + above * unit, unit)
