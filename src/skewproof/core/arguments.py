"""Checks of arguments, and the sentence that refuses what does not fit."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

from skewproof.core.messages import shown


def is_whole(value: Any, least: int = 0, most: float = inf) -> bool:
    """Whether a value is a whole number within limits; a boolean is not one.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True), is_whole(3, most=2)
    (True, False, False, False)
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return whole and least <= int(value) <= most


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number, and not beyond the largest float; a boolean is not one.

    Examples
    --------
    >>> is_finite(0.5), is_finite(float("inf")), is_finite(True), is_finite(10**400)
    (True, False, False, False)
    """
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
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


def whole_number(name: str, value: Any, least: int = 0, most: float = inf) -> int:
    """A checked whole number within limits, both included.

    Raises
    ------
    ValueError
        If the value is not such a number.

    Examples
    --------
    >>> whole_number("seed", -1)
    Traceback (most recent call last):
        ...
    ValueError: seed = -1: expected a whole number of at least 0
    """
    limits = f"of at least {least}" if most == inf else f"from {least} to {most}"
    expect(is_whole(value, least, most), name, value, f"a whole number {limits}")
    return int(value)


def number(
    name: str,
    value: Any,
    *,
    at_least: float = -inf,
    above: float = -inf,
    at_most: float = inf,
    below: float = inf,
) -> float:
    """A checked finite number within limits.

    Raises
    ------
    ValueError
        If the value is not such a number.

    Examples
    --------
    >>> number("confidence", 0.95, above=0, below=1)
    0.95
    >>> number("negligible", 1.5, at_least=0, below=1)
    Traceback (most recent call last):
        ...
    ValueError: negligible = 1.5: expected a number of at least 0 and below 1
    """
    words = {"at least": at_least, "above": above, "at most": at_most, "below": below}
    expected = " and ".join(f"{word} {limit:g}" for word, limit in words.items() if isfinite(limit))
    if isfinite(at_least) and isfinite(at_most):
        expected = f"from {at_least:g} to {at_most:g}"
    elif expected.startswith("at"):
        expected = f"of {expected}"
    fits = is_finite(value) and at_least <= value <= at_most and above < value < below
    expect(fits, name, value, f"a number {expected}")
    return float(value)


def refuse_unknown(name: str, value: Any, choices: Iterable[str]) -> None:
    """Refuse what is not one of several words.

    Raises
    ------
    ValueError
        If the value is another one, or not text.

    Examples
    --------
    >>> refuse_unknown("prevalence", "known", ["given", "estimated"])
    Traceback (most recent call last):
        ...
    ValueError: prevalence = 'known': expected 'given' or 'estimated'
    """
    known = list(choices)
    *others, last = map(repr, known)
    expected = f"{', '.join(others)} or {last}"
    expect(isinstance(value, str) and value in known, name, value, expected)
