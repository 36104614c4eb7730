"""Printable and short texts of values for messages."""

from __future__ import annotations

import errno
import textwrap
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

SHOWN = 80
"""Largest number of characters of a value in a message."""

LONGEST_MESSAGE = 2000
"""Largest number of bytes of a whole message in UTF-8."""

LONGEST_LINE = 400
"""Largest number of characters of a line of a message."""

MOST_LINES = 100
"""Largest number of lines that are counted."""

SEPARATOR = "\n  "


class UncertainRoleError(ValueError):
    """An error for columns that can have the same role, of which an argument has to name one."""


def printable(text: str) -> str:
    """Escape control characters and other characters that are not printable.

    Examples
    --------
    >>> printable("a\\tb")
    'a\\\\tb'
    """
    return "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode() for sign in text
    )


def shortened(text: str, longest: int = SHOWN) -> str:
    """Make text printable and cut it to a number of characters, followed by its original length.

    Examples
    --------
    >>> shortened("abcdefghijklmnopqrstuvwxyz", longest=10)
    'abcdefghij... (26 characters)'
    """
    short = printable(text[: longest + 1])
    if max(len(text), len(short)) <= longest:
        return short
    return f"{short[:longest]}... ({len(text)} characters)"


def shown(value: object) -> str:
    """Write a value as its shortened repr, or as its type if repr fails."""
    try:
        return shortened(repr(value))
    except ValueError as error:
        if "digits" in str(error):
            return f"a {type(value).__name__} of more than 4000 digits"
    except Exception:  # the value may be of a user's own class
        pass
    return f"a {shortened(type(value).__name__)} that can't be shown"


FEW = 12
"""Largest number of entries of an array that are all shown."""


def array_shown(value: Any) -> str:
    """Write an array or a number as text; a long array as its shape and range.

    Examples
    --------
    >>> import numpy as np
    >>> array_shown(np.array([0.5, 1])), array_shown(np.linspace(0, 1, 40).reshape(2, 20))
    ('[0.5 1. ]', '2 x 20 numbers from 0 to 1')
    """
    if getattr(value, "size", 0) <= FEW:
        return str(value)
    shape = " x ".join(map(str, value.shape))
    if value.dtype.kind not in "fiu":
        return f"{shape} entries"
    known = value[value == value]
    if not known.size:
        return f"{shape} undefined numbers"
    undefined = f", {value.size - known.size} of them undefined" * (known.size < value.size)
    return f"{shape} numbers from {known.min():.4g} to {known.max():.4g}{undefined}"


def fields_shown(result: Any) -> str:
    """Write a named tuple as its repr, with long arrays as their shape and range.

    Examples
    --------
    >>> import numpy as np
    >>> from skewproof.curves import precision_recall_curve
    >>> print(fields_shown(precision_recall_curve([1, 0, 1, 0] * 10, np.linspace(0, 1, 40))))
    PrecisionRecallCurve(recall=41 numbers from 0 to 1, precision=41 numbers from 0 to 0.5, \
thresholds=41 numbers from 0 to inf)
    """
    fields = (
        f"{name}={array_shown(value) if hasattr(value, 'shape') else repr(value)}"
        for name, value in result._asdict().items()
    )
    return f"{type(result).__name__}({', '.join(fields)})"


def facts_shown(title: str, facts: Mapping[str, str]) -> str:
    """Write facts by name in lines of at most 80 characters below a title, without empty ones.

    Examples
    --------
    >>> print(facts_shown("Condition 3", {"satisfied": "yes", "proof": ""}))
    Condition 3
    satisfied: yes
    """
    lines = (
        textwrap.fill(f"{name}: {text}", 80, subsequent_indent="  ", break_on_hyphens=False)
        for name, text in facts.items()
        if text
    )
    return "\n".join([title, *lines])


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""System errors for a full disk or an exceeded quota."""


def exhausted(error: BaseException) -> str | None:
    """Describe an error due to exhausted memory or disk space; return None for other errors.

    Examples
    --------
    >>> exhausted(OSError(28, "No space left on device", "scores.csv"))
    'No space is left on the disk to write scores.csv: free some and start again'
    >>> exhausted(ValueError("something else")) is None
    True
    """
    if isinstance(error, MemoryError):
        return "Not enough memory: compute less at a time, or use a machine with more memory"
    if isinstance(error, OSError) and error.errno in FULL:
        file = f" to write {shortened(str(error.filename), 400)}" if error.filename else ""
        return f"No space is left on the disk{file}: free some and start again"
    return None


def listed(lines: Iterable[str]) -> str:
    """Join the first lines of a message, and state how many more there are."""
    everything = [shortened(line, LONGEST_LINE) for line in islice(lines, MOST_LINES + 1)]
    room = LONGEST_MESSAGE - 200
    kept = 0
    for line in everything[:MOST_LINES]:
        room -= len(line.encode()) + len(SEPARATOR)
        if room < 0:
            break
        kept += 1
    left = len(everything) - kept
    uncounted = "at least " if len(everything) > MOST_LINES else ""
    return SEPARATOR.join(everything[:kept] + [f"and {uncounted}{left} more"] * (left > 0))
