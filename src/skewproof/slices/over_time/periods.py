"""The order of periods in time: by their type, by a calendar that text follows, or as given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.data.label_texts import as_text
from skewproof.core.messages import shown

Place = tuple[Any, ...]
"""Position of a text in time; positions in the same calendar can be compared."""

MONTHS = {
    spelling: number
    for number, name in enumerate(
        (
            *("january", "february", "march", "april", "may", "june", "july"),
            *("august", "september", "october", "november", "december"),
        ),
        start=1,
    )
    for spelling in (name, name[:3])
} | {"sept": 9}

CYCLES = {"month": 12, "m": 12, "q": 4, "quarter": 4, "w": 53, "week": 53}
"""Length of the cycle of a count that restarts every year."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
_WHOLE = re.compile(r"[+-]?\d+(?:\.0)?", re.ASCII)
_COUNTED = re.compile(r"([A-Za-z]+)[ _.-]?(\d+)", re.ASCII)
_MONTHS_OF_YEARS = (
    re.compile(r"(?P<year>\d{4})[-/ ]?M?(?P<part>\d{1,2})", re.ASCII),
    re.compile(r"(?P<part>\d{1,2})[-/](?P<year>\d{4})", re.ASCII),
    re.compile(r"(?P<part>[A-Za-z]+)\.?[-/, ]*(?P<year>\d{4})", re.ASCII),
    re.compile(r"(?P<year>\d{4})[-/, ]*(?P<part>[A-Za-z]+)\.?", re.ASCII),
)
_QUARTERS_OF_YEARS = (
    re.compile(r"(?P<year>\d{4})[-/ ]?[Qq](?P<part>[1-4])", re.ASCII),
    re.compile(r"[Qq](?P<part>[1-4])[-/ ]?(?P<year>\d{4})", re.ASCII),
)
_WEEK_OF_YEAR = re.compile(r"(\d{4})-?[Ww](\d\d)(?:-?([1-7]))?", re.ASCII)


def calendar_places(values: Iterable[Any]) -> NDArray[np.intp] | None:
    """Return the places of texts in the order of the calendar that all of them follow.

    Calendars are whole numbers; dates and times of ISO 8601; months of years ("2026-05", "05/2026",
    "May 2026"); quarters of years ("2026-Q2", "Q2 2026"); weeks of ISO 8601 ("2026-W18"); names of
    months in English, or their first three letters; and one word with whole numbers ("week 7",
    "Q2"). Months, quarters and weeks without a year are taken to be of one year.

    Parameters
    ----------
    values
        Texts; missing ones have the place -1.

    Returns
    -------
    Whole numbers from 0, equal for texts that denote the same time, such as "Jan" and "January".
    The result is None if a value is not text, if no calendar covers all of them, or if months,
    quarters or weeks without a year seem to cross the turn of the year: they have a gap within the
    year that is wider than that from the last to the first, such as Nov, Dec, Jan.

    Examples
    --------
    >>> calendar_places(["10", "9", "1"]).tolist(), calendar_places(["Feb", "Jan"]).tolist()
    ([2, 1, 0], [1, 0])
    >>> calendar_places(["Nov", "Dec", "Jan"]), calendar_places(["1.1", "1.10"])
    (None, None)
    """
    values = list(values)
    texts = [value for value in values if not pd.isna(value)]
    if not texts or not all(isinstance(text, str) for text in texts):
        return None
    for calendar in CALENDARS:
        places = [calendar(text) for text in texts]
        if None in places:
            continue
        known = [time for time in places if time is not None]
        several_words = calendar is _counted and len({word for word, _ in known}) > 1
        if several_words or _runs_over_a_year(known):
            return None
        numbers = {time: number for number, time in enumerate(sorted(set(known)))}
        given = iter(known)
        return np.array([-1 if pd.isna(value) else numbers[next(given)] for value in values])
    return None


def time_order(
    values: pd.Series, name: str, order: Sequence[Any] | None = None
) -> NDArray[np.intp]:
    """Sort the rows of a column of periods by time.

    Parameters
    ----------
    values
        Periods, none of them missing or repeated: numbers, dates or other sortable values;
        categories with an order; or text of a calendar, see :func:`calendar_places`.
    name
        Name of the column, for the errors.
    order
        All periods in order, some of which may be absent; needed for text of no calendar.

    Raises
    ------
    ValueError
        If periods are of several types or text with an uncertain order, or if `order` is not a
        list, lacks a period or has a period twice.
    """
    if order is not None:
        return np.argsort(_given_places(values, name, order), kind="stable")
    if isinstance(values.dtype, pd.CategoricalDtype) and values.cat.ordered:
        return np.argsort(values.cat.codes.to_numpy(), kind="stable")
    periods = values.tolist()
    if any(isinstance(period, str) for period in periods):
        places = calendar_places(periods)
        if places is None or len(set(places.tolist())) < len(places):
            some = ", ".join(map(shown, periods[:3]))
            raise ValueError(
                f"{shown(name)} has periods whose order in time is ambiguous, {some}: expected"
                " order"
                " (on the command line --order), a list of all periods in their order"
            )
        return np.argsort(places, kind="stable")
    try:
        return np.array(sorted(range(len(periods)), key=periods.__getitem__), dtype=np.intp)
    except TypeError:
        raise ValueError(f"{shown(name)} has values of several types: expected one") from None


def _given_places(values: pd.Series, name: str, order: Sequence[Any]) -> list[int]:
    if isinstance(order, str) or not isinstance(order, Sequence | np.ndarray | pd.Index):
        raise ValueError(f"order = {shown(order)}: expected a list of all periods in their order")
    positions: dict[str, int] = {}
    for position, period in enumerate(order):
        if positions.setdefault(as_text(period), position) != position:
            raise ValueError(f"order has {shown(period)} twice: expected each period once")
    for period in values:
        if as_text(period) not in positions:
            raise ValueError(
                f"order has no {shown(as_text(period))}, which is in {shown(name)}: expected all"
                " periods in their order"
            )
    return [positions[as_text(period)] for period in values]


def _whole(text: str) -> Place | None:
    return (int(text.removesuffix(".0")),) if _WHOLE.fullmatch(text) else None


def _time(text: str, *, in_zone: bool) -> Place | None:
    try:
        time = datetime.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None
    if time is None or (time.tzinfo is not None) != in_zone:
        return None
    return (time.astimezone(UTC) if in_zone else time,)


def _part_of_a_year(text: str, patterns: Iterable[re.Pattern[str]]) -> Place | None:
    """Return the year and the number of a month or quarter."""
    for pattern in patterns:
        if match := pattern.fullmatch(text):
            part = match["part"].lower()
            number = int(part) if part.isdigit() else MONTHS.get(part, 0)
            if 1 <= number <= 12:
                return int(match["year"]), number
    return None


def _week_of_a_year(text: str) -> Place | None:
    match = _WEEK_OF_YEAR.fullmatch(text)
    try:
        return match and (date.fromisocalendar(*(int(part or 1) for part in match.groups())),)
    except ValueError:
        return None


def _month(text: str) -> Place | None:
    month = MONTHS.get(text.lower().removesuffix("."))
    return None if month is None else ("month", month)


def _counted(text: str) -> Place | None:
    match = _COUNTED.fullmatch(text)
    # May-25 is a day or a year.
    is_date = match is not None and match[1].lower() in MONTHS
    return None if match is None or is_date else (match[1].lower(), int(match[2]))


CALENDARS: tuple[Callable[[str], Place | None], ...] = (
    _whole,
    *(partial(_time, in_zone=in_zone) for in_zone in (False, True)),
    *(partial(_part_of_a_year, patterns=few) for few in (_MONTHS_OF_YEARS, _QUARTERS_OF_YEARS)),
    *(_week_of_a_year, _month, _counted),
)
"""Functions that return the place of a text in a calendar, or None if it does not follow it."""


def _runs_over_a_year(times: list[Place]) -> bool:
    """Return whether a gap within the year is wider than that from the last to the first."""
    cycle = CYCLES.get(times[0][0]) if isinstance(times[0][0], str) else None
    numbers = sorted({time[-1] for time in times})
    if cycle is None or numbers[0] < 1 or numbers[-1] > cycle:
        return False
    widest = max(np.diff(numbers), default=0)
    return bool(widest > numbers[0] + cycle - numbers[-1])
