"""A change in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

LARGE = 1 / 4
"""A range of a part over the orders of exchange that is to be told, as a share of the change."""


def sentence(row: Mapping[str, Any], reference: Mapping[str, float], *, alpha: float) -> str:
    """What there is to say of a slice and its reference.

    Parameters
    ----------
    row
        Of the frame of :func:`skewproof.explain_change`.
    reference
        Positives and negatives of the reference.
    alpha
        Adjusted p-values below it are of something that is told from none.
    """
    for sizes, whose in ((row, ""), (reference, "its reference has ")):
        lost = [name for name in ("positives", "negatives") if not sizes[name] > 0]
        if lost:
            return f"{row['metric']} is not assessable: {whose}no {' and no '.join(lost)}"
    if math.isnan(row["value"]) or math.isnan(row["reference_value"]):
        where = "here" if math.isnan(row["value"]) else "on its reference"
        return f"{row['metric']} is undefined {where}, 0 divided by 0"
    if not math.isfinite(row["difference"]):
        return f"{row['metric']} went from {row['reference_value']:g} to {row['value']:g}"
    if row["difference"] == 0:
        return f"{row['metric']} did not move"
    if row["p_adjusted"] < alpha:
        return f"{_change(row)}: {_shares(row, alpha)}{_order(row)}"
    if row["classifier_p_adjusted"] < alpha:
        return f"{_no_change(row)}: {_signed(_parts(row), row)}{_order(row)}"
    return _no_change(row)


def _change(row: Mapping[str, Any]) -> str:
    """By how much the metric fell or rose."""
    fell = row["difference"] < 0
    low, high = row["difference_low"], row["difference_high"]
    ends = (-high, -low) if fell else (low, high)
    by, first, last = (_number(number, row) for number in (abs(row["difference"]), *ends))
    return f"{row['metric']} {'fell' if fell else 'rose'} by {by} ({first} to {last})"


def _no_change(row: Mapping[str, Any]) -> str:
    """What was observed, with signs, for it may as well have been none or the other way."""
    names = ("difference", "difference_low", "difference_high")
    by, low, high = (_number(row[name], row, sign="+") for name in names)
    return f"{row['metric']} moved by {by} ({low} to {high}), which can't be told from no change"


def _parts(row: Mapping[str, Any]) -> dict[str, float]:
    """Rounded, and such that they add up: the classifier's is what the others leave."""
    rounded = {"prevalence": float(_number(row["prevalence_part"], row)), "the classifier": 0.0}
    size = float(_number(row.get("size_part", 0.0), row))
    if size and not math.isnan(size):  # NaN is beside a metric without such a part
        rounded["the number of instances"] = size
    rounded["the classifier"] = float(_number(row["difference"], row)) - sum(rounded.values())
    return rounded


def _shares(row: Mapping[str, Any], alpha: float) -> str:
    """What of the change is whose; with signs where these go against each other."""
    parts = _parts(row)
    told = row["classifier_p_adjusted"] < alpha
    moved = [name for name, part in parts.items() if float(_number(part, row))]
    if len(moved) == 1 and (told or moved != ["the classifier"]):
        return f"all of it is {moved[0]}"
    if len({parts[name] > 0 for name in moved}) > 1:
        text = _signed(parts, row)
    else:
        (first, part), *others = parts.items()
        rest = [f"{_number(abs(other), row)} {name}" for name, other in others]
        text = ", ".join([f"{_number(abs(part), row)} is {first}", *rest])
    return text if told else f"{text}; the classifier's part can't be told from none"


def _signed(parts: Mapping[str, float], row: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_number(part, row, sign='+')}" for name, part in parts.items())


def _order(row: Mapping[str, Any]) -> str:
    low, high = row["prevalence_order_min"], row["prevalence_order_max"]
    if high - low <= LARGE * abs(row["difference"]):
        return ""
    ends = " to ".join(_number(end, row, sign="+") for end in (low, high))
    return f"; by the order in which they are exchanged, prevalence's part is {ends}"


def _number(number: float, row: Mapping[str, Any], sign: str = "") -> str:
    """With as many decimals as the interval's half width has a first digit, two at least."""
    half_width = (row["difference_high"] - row["difference_low"]) / 2
    decimals = 2
    if 0 < half_width < 0.01:
        decimals = min(-math.floor(math.log10(half_width)), 12)
    text = f"{number:{sign}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text
