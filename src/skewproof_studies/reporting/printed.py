"""Printed numbers beside computed ones: how papers round, and when a number is what is printed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

BINARY_ROUNDING = 1e-9
"""What binary arithmetic may add to a value half way between two decimals."""


def half_unit(digits: str) -> float:
    """Half a unit of the last of some printed digits.

    Examples
    --------
    >>> half_unit("0.25")
    0.005
    """
    return tolerance_once(len(digits.partition(".")[2]))


def rounds_to(value: float, digits: str) -> bool:
    """Whether a computed number, rounded to as many decimals, is what is printed.

    A value half way between two decimals may be rounded either way. NaN rounds to nothing.
    """
    return abs(float(digits) - value) <= half_unit(digits) + BINARY_ROUNDING


def printed_once(value: float, decimals: int = 2) -> str:
    """A number rounded once, with all its decimals."""
    return f"{value:.{decimals}f}"


def printed_twice(value: float) -> str:
    """A number rounded to three decimals and then to two, as van Zyl and Engelbrecht's scores.

    Ties are those of the binary fraction nearest to the three decimals, which is rarely one.
    """
    return f"{round(value, 3):.2f}"


def printed_twice_in_decimals(value: float, rounding: str) -> str:
    """The same in decimal arithmetic, where 5 in the third place is a tie.

    Parameters
    ----------
    value
        The number.
    rounding
        How ties are rounded, a rule of :mod:`decimal`, such as ``decimal.ROUND_HALF_UP``.

    Examples
    --------
    >>> import decimal
    >>> printed_twice(0.1049), printed_twice_in_decimals(0.1049, decimal.ROUND_HALF_UP)
    ('0.10', '0.11')
    """
    thousandths = Decimal(repr(float(value))).quantize(Decimal("0.001"), rounding)
    return str(thousandths.quantize(Decimal("0.01"), rounding))


def printed_at_most(value: float) -> str:
    """A number rounded once, without the zeros at its end but one, as their contour deviations."""
    return str(round(float(value), 2))


def printed_short(value: float) -> str:
    """A number rounded once, to six digits at most, without zeros at its end, as their ratios.

    Examples
    --------
    >>> printed_short(12.4831), printed_short(1.0)
    ('12.48', '1')
    """
    return f"{round(value, 2):g}"


def printed_cut(value: float) -> str:
    """A number like that of :func:`printed_short`, but with the further decimals cut off.

    Examples
    --------
    >>> printed_cut(7.8767)
    '7.87'
    """
    return f"{math.floor(value * 100) / 100:g}"


def tolerance_once(decimals: int = 2) -> float:
    """Largest distance between a number and the same rounded once to so many decimals."""
    return 0.5 * 10.0**-decimals


def tolerance_twice() -> float:
    """Largest distance between a number and what :func:`printed_twice` makes of it."""
    return tolerance_once(3) + tolerance_once(2)


def agreement_counts(comparison: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """How many printed entries there are, how many were computed, and how many of those agree.

    Parameters
    ----------
    comparison
        A row for each printed entry, with the column agrees, missing where nothing was computed.
    by
        Columns whose values form the groups.

    Returns
    -------
    Frame with the columns printed, compared and agree, indexed by the groups in the order in which
    they come.
    """
    groups = comparison.assign(
        compared=comparison["agrees"].notna(), agree=comparison["agrees"].fillna(False)
    ).groupby(list(by), sort=False)
    counts = groups[["compared", "agree"]].sum().astype(int)
    counts.insert(0, "printed", groups.size())
    return counts
