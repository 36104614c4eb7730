"""Printed numbers beside computed ones: how papers round, and when a number is what is printed."""

from __future__ import annotations

BINARY_ROUNDING = 1e-9
"""What binary arithmetic may add to a value half way between two decimals."""


def half_unit(digits: str) -> float:
    """Half a unit of the last of some printed digits."""
    return 0.5 * 10.0 ** -len(digits.partition(".")[2])


def rounds_to(value: float, digits: str) -> bool:
    """Whether a computed number, rounded to as many decimals, is what is printed.

    A value half way between two decimals may be rounded either way. NaN rounds to nothing.
    """
    return abs(float(digits) - value) <= half_unit(digits) + BINARY_ROUNDING


def printed_once(value: float, decimals: int = 2) -> str:
    """A number rounded once, with all its decimals."""
    return f"{value:.{decimals}f}"


def printed_twice(value: float) -> str:
    """A number rounded to three decimals and then to two, as van Zyl and Engelbrecht's scores."""
    return f"{round(value, 3):.2f}"


def printed_at_most(value: float, decimals: int = 2) -> str:
    """A number rounded once, without the zeros at its end but one, as their contour deviations."""
    return str(round(float(value), decimals))
