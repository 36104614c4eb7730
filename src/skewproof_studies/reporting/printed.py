"""Comparison of printed with computed numbers, by the rounding of papers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

BINARY_ROUNDING = 1e-9
"""Largest error of binary arithmetic at a value half way between two decimals."""


def half_unit(digits: str) -> float:
    """Return half a unit of the last printed digit.

    Examples
    --------
    >>> half_unit("0.25")
    0.005
    """
    return tolerance_once(len(digits.partition(".")[2]))


def rounds_to(value: float, digits: str) -> bool:
    """Return whether a computed number, rounded to the printed decimals, equals the printed number.

    A value half way between two decimals may be rounded either way. NaN rounds to nothing.
    """
    return abs(float(digits) - value) <= half_unit(digits) + BINARY_ROUNDING


def printed_once(value: float, decimals: int = 2) -> str:
    """Round a number once and print all its decimals."""
    return f"{value:.{decimals}f}"


def printed_twice(value: float) -> str:
    """Round a number to three decimals and then to two, as van Zyl and Engelbrecht do for scores.

    Ties are those of the binary fraction nearest to the three decimals, which is rarely a tie.
    """
    return f"{round(value, 3):.2f}"


def printed_twice_in_decimals(value: float, rounding: str) -> str:
    """Round as :func:`printed_twice`, but in decimal arithmetic, where 5 in the third place is a
    tie.

    Parameters
    ----------
    value
        The number.
    rounding
        Rule for ties, one of :mod:`decimal`, such as ``decimal.ROUND_HALF_UP``.

    Examples
    --------
    >>> import decimal
    >>> printed_twice(0.1049), printed_twice_in_decimals(0.1049, decimal.ROUND_HALF_UP)
    ('0.10', '0.11')
    """
    thousandths = Decimal(repr(float(value))).quantize(Decimal("0.001"), rounding)
    return str(thousandths.quantize(Decimal("0.01"), rounding))


def printed_at_most(value: float) -> str:
    """Round a number once to one or two decimals, as few as it needs, as for their contour
    deviations."""
    return str(round(float(value), 2))


def printed_short(value: float) -> str:
    """Round a number once to at most six digits, without final zeros, as for their ratios.

    Examples
    --------
    >>> printed_short(12.4831), printed_short(1.0)
    ('12.48', '1')
    """
    return f"{round(value, 2):g}"


def printed_cut(value: float) -> str:
    """Format a number as :func:`printed_short`, but cut off further decimals.

    Examples
    --------
    >>> printed_cut(7.8767)
    '7.87'
    """
    return f"{math.floor(value * 100) / 100:g}"


def tolerance_once(decimals: int = 2) -> float:
    """Return the largest distance between a number and its value rounded once to so many
    decimals."""
    return 0.5 * 10.0**-decimals


def tolerance_twice() -> float:
    """Return the largest distance between a number and its value by :func:`printed_twice`."""
    return tolerance_once(3) + tolerance_once(2)


def agreement_counts(comparison: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Count the printed entries, those that were computed, and those of them that agree.

    Parameters
    ----------
    comparison
        One row per printed entry, with the column agrees, which is missing if nothing was computed.
    by
        Columns whose values form the groups.

    Returns
    -------
    Frame with the columns printed, compared and agree, indexed by the groups in the order of their
    first rows.
    """
    groups = comparison.assign(
        compared=comparison["agrees"].notna(), agree=comparison["agrees"].fillna(False)
    ).groupby(list(by), sort=False)
    counts = groups[["compared", "agree"]].sum().astype(int)
    counts.insert(0, "printed", groups.size())
    return counts
