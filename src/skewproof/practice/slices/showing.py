"""Which slices are shown, and under which names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from skewproof.core.messages import shortened
from skewproof.practice.slices.label_texts import as_text

MOST_SLICES = 40
"""Slices in a picture, and in a table on a terminal."""

LONGEST_KEY, LONGEST_WORD = 40, 13
"""Characters of a key, and of a word of it where it has a longer one: 80 columns are enough for a
table with it."""


def slice_name(keys: Iterable[Any]) -> str:
    """A slice by the values of its keys, "missing" where there is none.

    Examples
    --------
    >>> slice_name(["2026-05", None, 3.0])
    '2026-05, missing, 3'
    """
    texts = ["missing" if pd.isna(value) else as_text(value) for value in keys]
    return ", ".join(shortened(text, _longest(text)) for text in texts)


def _longest(text: str) -> int:
    long_word = any(len(word) > LONGEST_WORD for word in text.split())
    return LONGEST_WORD if long_word else LONGEST_KEY


def largest(changes: pd.DataFrame) -> pd.DataFrame:
    """The rows of at most 40 slices, those with the largest assessable difference in any metric.

    Parameters
    ----------
    changes
        Frame of :func:`skewproof.explain_change`; slices stay in its order.
    """
    place = changes.groupby("metric", sort=False).cumcount()
    size = changes["difference"].abs().where(changes["p"].notna(), -1).groupby(place).max()
    kept = size.sort_values(ascending=False, kind="stable").index[:MOST_SLICES]
    return changes[place.isin(kept)]
