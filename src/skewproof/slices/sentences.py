"""Sentences that describe the rows of :func:`skewproof.explain_change`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from skewproof.core.data.label_texts import as_text
from skewproof.core.messages import shortened
from skewproof.multiclass.against_rest import TWO_CLASSES

LARGE = 1 / 4
"""Share of the difference above which the range of prevalence's part over the orders of exchange is
reported."""

MOST_DECIMALS = 12
"""Most decimals of a printed number."""

WHERE = ("here", "on its reference")
"""Words for a slice and its reference."""

NO_INSTANCES = "no instances"
"""Reason if a slice is empty."""

LONGEST_LIST = 100
"""Most characters of the classes that a sentence lists."""


def class_name(label: Any) -> str:
    """Name a class in a sentence: by its label, or as the positive or the negative class."""
    return f"the {label} class" if label in TWO_CLASSES else as_text(label)


def named(labels: Iterable[Any]) -> str:
    """List classes in a sentence."""
    return shortened(", ".join(map(class_name, labels)), LONGEST_LIST)


def sentence(
    row: Mapping[str, Any], why: tuple[str, str], *, alpha: float, negligible: float
) -> str:
    """Describe the difference between a slice and its reference, and its parts.

    Numbers have their signs and are rounded separately, so that the parts may add up to one more or
    less in the last digit. The intervals of the row are in parentheses, each for this slice alone.
    A number "cannot be distinguished from 0" if its interval contains 0 or its p-value, adjusted
    for all slices, is at least alpha. If these two disagree, the sentence gives the adjusted
    p-value.

    Parameters
    ----------
    row
        Row of the frame of :func:`skewproof.explain_change`, without the sentence.
    why
        Empty parts of the slice and of its reference, to explain an undefined metric.
    alpha
        Level of the adjusted p-values.
    negligible
        Share of the difference. A difference is nearly all of one part if the intervals of the
        other parts lie within this share of it on either side of 0.
    """
    metric, difference = row["metric"], row["difference"]
    values = row["value"], row["reference_value"]
    undefined = [
        f"{where} ({empty})"
        for where, value, empty in zip(WHERE, values, why, strict=True)
        if math.isnan(value)
    ]
    if undefined:
        return f"{metric} is undefined {' and '.join(undefined)}"
    if math.isnan(difference):
        return f"{metric} is {row['value']:g} here and on its reference"
    if math.isinf(difference):
        return f"{metric} went from {row['reference_value']:.4g} to {row['value']:.4g}"
    if math.isnan(row["p"]):
        empty = [
            f"{reason} {where}"
            for where, reason in zip(WHERE, why, strict=True)
            if reason == NO_INSTANCES
        ]
        cause = " and ".join(empty) or "it is undefined at rates next to the observed ones"
        return (
            f"{metric} is {row['value']:.4g} here and {row['reference_value']:.4g} on its"
            f" reference, a difference that cannot be assessed: {cause}"
        )
    if _is_certain(row, "difference", "p", alpha):
        return f"{_change(row)}: {_parts(row, alpha, negligible)}"
    doubtful = (
        f"{metric} changed by {_with_interval(row, 'difference')}, which cannot be distinguished"
        f" from 0{_adjusted(row, 'difference', 'p')}"
    )
    if _is_certain(row, "classifier_part", "classifier_p", alpha):
        return f"{doubtful}, but the classifier's part can: {_each_part(row)}{_order(row)}"
    return doubtful


def _excludes_0(row: Mapping[str, Any], part: str) -> bool:
    return bool(row[f"{part}_low"] > 0 or row[f"{part}_high"] < 0)


def _is_certain(row: Mapping[str, Any], part: str, p: str, alpha: float) -> bool:
    """Return whether a part is distinguished from 0."""
    return bool(row[f"{p}_adjusted"] < alpha) and _excludes_0(row, part)


def _adjusted(row: Mapping[str, Any], part: str, p: str) -> str:
    """Return the adjusted p-value if the interval alone would distinguish the part from 0."""
    if math.isnan(row[f"{p}_adjusted"]):
        return ", since its p-value is undefined"
    if not _excludes_0(row, part):
        return ""
    return f" after adjustment for all slices (p = {row[f'{p}_adjusted']:.2g})"


def _change(row: Mapping[str, Any]) -> str:
    """Describe how much the metric fell or rose."""
    fell = row["difference"] < 0
    low, high = row["difference_low"], row["difference_high"]
    ends = (-high, -low) if fell else (low, high)
    by, first, last = (_number(number, row) for number in (abs(row["difference"]), *ends))
    return f"{row['metric']} {'fell' if fell else 'rose'} by {by} ({first} to {last})"


def _columns(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the columns of the parts, by their names."""
    columns = {"prevalence": "prevalence_part", "the classifier": "classifier_part"}
    if any(row[f"size_part{end}"] for end in ("", "_low", "_high")):
        columns["the number of instances"] = "size_part"
    return columns


def _parts(row: Mapping[str, Any], alpha: float, negligible: float) -> str:
    """Describe the parts of a difference that is distinguished from 0."""
    columns = _columns(row)
    if not all(math.isfinite(row[column]) for column in columns.values()):
        return (
            f"its parts cannot be assessed, since {row['metric']} is undefined or infinite with"
            " some of its rates and some of its reference's"
        )
    sizes = {
        name: max(abs(row[f"{column}_low"]), abs(row[f"{column}_high"]))
        for name, column in columns.items()
    }
    for whose in columns:
        others = {name: column for name, column in columns.items() if name != whose}
        largest = max(sizes[name] for name in others)
        if largest == 0:
            return f"all of it is due to {whose}"
        if largest <= negligible * abs(row["difference"]):
            rest = ", ".join(f"{name} {_interval(row, column)}" for name, column in others.items())
            return (
                f"nearly all of it is due to {whose}, since no other part exceeds"
                f" {100 * negligible:g}% of it: {rest}{_order(row)}"
            )
    certain = _is_certain(row, "classifier_part", "classifier_p", alpha)
    adjusted = _adjusted(row, "classifier_part", "classifier_p")
    doubt = "" if certain else f"; the classifier's part cannot be distinguished from 0{adjusted}"
    return f"{_each_part(row)}{doubt}{_order(row)}"


def _each_part(row: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {_with_interval(row, column)}" for name, column in _columns(row).items()
    )


def _with_interval(row: Mapping[str, Any], column: str) -> str:
    return f"{_number(row[column], row, sign='+')} ({_interval(row, column)})"


def _interval(row: Mapping[str, Any], column: str) -> str:
    return " to ".join(_number(row[f"{column}_{end}"], row, sign="+") for end in ("low", "high"))


def _order(row: Mapping[str, Any]) -> str:
    low, high = row["prevalence_order_min"], row["prevalence_order_max"]
    if high - low <= LARGE * abs(row["difference"]):
        return ""
    ends = " to ".join(_number(end, row, sign="+") for end in (low, high))
    return f"; depending on the order of exchange, prevalence's part is {ends}"


def _number(number: float, row: Mapping[str, Any], sign: str = "") -> str:
    """Round a number to the first digit of the interval's half width, or to two decimals."""
    width = (row["difference_high"] - row["difference_low"]) / 2 or abs(row["difference"])
    decimals = 2
    if 0 < width < 0.01:
        decimals = min(-math.floor(math.log10(width)), MOST_DECIMALS)
    text = f"{number:{sign}.{decimals}f}"
    return text.lstrip("+-") if float(text) == 0 else text
