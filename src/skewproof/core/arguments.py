"""Checks of arguments, and the error messages for invalid ones.

Every ``expect_`` function takes an argument's name and value. It returns the value if it is valid,
and otherwise raises ``ValueError: name = value: expected ...``. A boolean is not a number here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np

from skewproof.core.messages import shown


def is_whole(value: Any, least: int = 0, most: float = math.inf) -> bool:
    """Return whether a value is a whole number within limits; a boolean is not.

    Examples
    --------
    >>> is_whole(3), is_whole(3.0), is_whole(True), is_whole(3, most=2)
    (True, False, False, False)
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    return whole and least <= int(value) <= most


def is_finite(value: Any) -> bool:
    """Return whether a value is a finite number up to the largest float; a boolean is not.

    Examples
    --------
    >>> is_finite(0.5), is_finite(float("inf")), is_finite(True), is_finite(10**400)
    (True, False, False, False)
    """
    try:
        return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
    except OverflowError:  # a whole number beyond the largest float
        return False


def expect(fits: bool, name: str, value: object, expected: str) -> None:
    """Raise an error unless a value fits.

    Raises
    ------
    ValueError
        If the value does not fit. The message has the argument's name, its value and what is
        expected.

    Examples
    --------
    >>> expect(False, "positives", -1, "a finite number above 0")
    Traceback (most recent call last):
        ...
    ValueError: positives = -1: expected a finite number above 0
    """
    if not fits:
        raise ValueError(f"{name} = {shown(value)}: expected {expected}")


def expect_whole(name: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """Check a whole number; both limits are allowed.

    Raises
    ------
    ValueError
        If it is anything else, such as 3.0 or True.

    Examples
    --------
    >>> expect_whole("threads", 2, least=1)
    2
    >>> expect_whole("threads", True, 1, 64)
    Traceback (most recent call last):
        ...
    ValueError: threads = True: expected a whole number from 1 to 64
    """
    limits = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"
    fits = is_whole(value, least, math.inf if most is None else most)
    expect(fits, name, value, f"a whole number {limits}")
    return int(value)


def expect_number(
    name: str,
    value: Any,
    least: float | None = None,
    most: float | None = None,
    *,
    above: float | None = None,
    below: float | None = None,
) -> float:
    """Check a finite real number.

    Parameters
    ----------
    name, value
        The argument.
    least, most
        Inclusive limits, or None.
    above, below
        Exclusive limits, or None.

    Raises
    ------
    ValueError
        If it is anything else, such as NaN or True.

    Examples
    --------
    >>> expect_number("beta", 2, above=0)
    2.0
    >>> expect_number("negligible", 1, 0, below=1)
    Traceback (most recent call last):
        ...
    ValueError: negligible = 1: expected a number of at least 0 and below 1
    """
    limits = {"of at least": least, "above": above, "of at most": most, "below": below}
    given = {words: limit for words, limit in limits.items() if limit is not None}
    fits = is_finite(value) and (
        (least is None or value >= least)
        and (above is None or value > above)
        and (most is None or value <= most)
        and (below is None or value < below)
    )
    if least is not None and most is not None:
        expected = f"a number from {least:g} to {most:g}"
    else:
        kind = "a number" if len(given) == 2 else "a finite number"
        stated = " and ".join(f"{words} {limit:g}" for words, limit in given.items())
        expected = f"{kind} {stated}".rstrip()
    expect(fits, name, value, expected)
    return float(value)


def expect_share(name: str, value: Any) -> float:
    """Check a number from 0 to 1, such as a rate.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    return expect_number(name, value, 0, 1)


def expect_confidence(name: str, value: Any) -> float:
    """Check a number above 0 and below 1, such as the level of an interval or of a test.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    return expect_number(name, value, above=0, below=1)


def seed_of(rng: Any, name: str = "rng") -> int:
    """Return a seed as it is given, or one that a generator of NumPy draws.

    Raises
    ------
    ValueError
        If it is neither a whole number of at least 0 nor a generator.
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**63))
    return expect_whole(name, rng)


def expect_flag(name: str, value: Any) -> bool:
    """Check a flag, True or False.

    Raises
    ------
    ValueError
        If it is anything else, such as 0 or 1.
    """
    expect(isinstance(value, bool), name, value, "True or False")
    return bool(value)


def expect_choice(name: str, value: Any, words: Iterable[str]) -> str:
    """Check a choice among given words.

    Raises
    ------
    ValueError
        If it is anything else; the message lists the words.

    Examples
    --------
    >>> expect_choice("samples", "same", ("same", "separate"))
    'same'
    >>> expect_choice("samples", "other", ("same", "separate"))
    Traceback (most recent call last):
        ...
    ValueError: samples = 'other': expected 'same' or 'separate'
    """
    known = tuple(words)
    quoted = list(map(repr, known))
    expected = " or ".join(quoted) if len(quoted) < 3 else f"one of {', '.join(quoted)}"
    expect(isinstance(value, str) and value in known, name, value, expected)
    return str(value)


def expect_text(name: str, value: Any) -> str:
    """Check a text.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    expect(isinstance(value, str), name, value, "text")
    return str(value)


def expect_several(name: str, value: Any, expected: str) -> list[Any]:
    """List the entries of an iterable that is not text.

    Raises
    ------
    ValueError
        If it is anything else.

    Examples
    --------
    >>> expect_several("classes", (2, 3), "numbers of classes")
    [2, 3]
    >>> expect_several("classes", 2, "numbers of classes")
    Traceback (most recent call last):
        ...
    ValueError: classes = 2: expected numbers of classes
    """
    several = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    expect(several, name, value, expected)
    return list(value)


def expect_columns(name: str, value: Any, columns: Iterable[str], made_by: str) -> None:
    """Check a data frame of pandas that a function of the package made.

    Raises
    ------
    ValueError
        If it is anything else, or a column is missing.
    """
    known = set(value.columns) if hasattr(value, "columns") else set()
    expect(known.issuperset(columns), name, value, f"a data frame of {made_by}")


def expect_policy(undefined: Any, *words: str) -> None:
    """Check a policy for undefined values: one of the given words, or a finite number.

    The number replaces undefined values.

    Raises
    ------
    ValueError
        If it is anything else; the message lists the words.

    Examples
    --------
    >>> expect_policy("drop", "error", "omit")
    Traceback (most recent call last):
        ...
    ValueError: undefined = 'drop': expected 'error', 'omit' or a finite number
    """
    fits = undefined in words if isinstance(undefined, str) else is_finite(undefined)
    expect(fits, "undefined", undefined, f"{', '.join(map(repr, words))} or a finite number")
