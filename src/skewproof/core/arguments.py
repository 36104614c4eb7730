"""Which numbers an argument may be, and the sentence that refuses others."""

from __future__ import annotations

import math
from numbers import Integral, Real
from typing import Any

from skewproof.core.messages import shown


def is_whole(value: Any, least: int = 0, most: float = math.inf) -> bool:
    """Whether a value is a whole number within limits; a boolean is none.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True), is_whole(3, most=2)
    (True, False, False, False)
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return whole and least <= int(value) <= most


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number, and not beyond the largest float; a boolean is none.

    Examples
    --------
    >>> is_finite(0.5), is_finite(float("inf")), is_finite(True), is_finite(10**400)
    (True, False, False, False)
    """
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def expect(fits: bool, name: str, value: object, expected: str) -> None:
    """Refuse a value that does not fit.

    Raises
    ------
    ValueError
        It names the argument, its value and what is expected.

    Examples
    --------
    >>> expect(False, "positives", -1, "a finite number above 0")
    Traceback (most recent call last):
        ...
    ValueError: positives = -1: expected a finite number above 0
    """
    if not fits:
        raise ValueError(f"{name} = {shown(value)}: expected {expected}")
