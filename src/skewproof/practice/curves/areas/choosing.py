"""Which areas a function takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from skewproof.core.messages import shortened, shown

Entry = TypeVar("Entry")


def of_area(area: Any, entries: Mapping[Callable[..., float], Entry]) -> Entry:
    """What a table has for an area.

    Raises
    ------
    ValueError
        If it has none; the message lists those that have one.
    """
    for known_area, entry in entries.items():
        if area is known_area:
            return entry
    known = ", ".join(one.__name__ for one in entries)
    name = getattr(area, "__name__", None)
    given = shortened(name) if isinstance(name, str) else shown(area)
    raise ValueError(f"area = {given}: expected one of {known}")


def check_options(
    area: Callable[..., float], function: Callable[..., Any], options: Mapping[str, Any]
) -> None:
    """Refuse options that a function has not, in the name of its area.

    Raises
    ------
    ValueError
        If one is not among those that the function has defaults for.
    """
    parameters = inspect.signature(function).parameters.values()
    known = [one.name for one in parameters if one.default is not one.empty]
    for name, value in options.items():
        if name not in known:
            expected = " or ".join(known) or "no option"
            raise ValueError(
                f"{shortened(name)} = {shown(value)}: expected {expected} with {area.__name__}"
            )
