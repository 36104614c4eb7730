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
    return f"{_change(row, alpha)}: {_shares(row)}{_order(row)}{_classifier(row, alpha)}"


def _change(row: Mapping[str, Any], alpha: float) -> str:
    """By how much the metric fell or rose."""
    fell = row["difference"] < 0
    low, high = row["difference_low"], row["difference_high"]
    ends = (-high, -low) if fell else (low, high)
    by, first, last = (_number(number, row) for number in (abs(row["difference"]), *ends))
    verb = "fell" if fell else "rose"
    chance = "" if row["p_adjusted"] < alpha else ", which can't be told from no change"
    return f"{row['metric']} {verb} by {by} ({first} to {last}){chance}"


def _shares(row: Mapping[str, Any]) -> str:
    """What of the change is whose; with signs where these go against each other."""
    parts = {"prevalence": row["prevalence_part"], "the classifier": row["classifier_part"]}
    if float(_number(row.get("size_part", 0.0), row)):  # NaN is beside a metric without such a part
        parts["the number of instances"] = row["size_part"]
    rounded = {name: float(_number(part, row)) for name, part in parts.items()}
    moved = [name for name, part in rounded.items() if part]
    if len(moved) == 1 and rounded[moved[0]] == float(_number(row["difference"], row)):
        return f"all of it is {moved[0]}"
    if len({part > 0 for part in rounded.values() if part}) < 2:
        (first, part), *others = parts.items()
        rest = [f"{_number(abs(other), row)} {name}" for name, other in others]
        return ", ".join([f"{_number(abs(part), row)} is {first}", *rest])
    return ", ".join(f"{name} {_number(part, row, sign='+')}" for name, part in parts.items())


def _order(row: Mapping[str, Any]) -> str:
    low, high = row["prevalence_order_min"], row["prevalence_order_max"]
    if high - low <= LARGE * abs(row["difference"]):
        return ""
    ends = " to ".join(_number(end, row, sign="+") for end in (low, high))
    return f"; by the order in which they are exchanged, prevalence's part is {ends}"


def _classifier(row: Mapping[str, Any], alpha: float) -> str:
    if not float(_number(row["classifier_part"], row)) or row["classifier_p_adjusted"] < alpha:
        return ""
    return "; the classifier's part can't be told from none"


def _number(number: float, row: Mapping[str, Any], sign: str = "") -> str:
    """With as many decimals as the interval's half width has a first digit, two at least."""
    half_width = (row["difference_high"] - row["difference_low"]) / 2
    decimals = 2
    if 0 < half_width < 0.01:
        decimals = min(-math.floor(math.log10(half_width)), 12)
    text = f"{number:{sign}.{decimals}f}"
    return text.replace("-", "") if float(text) == 0 else text
