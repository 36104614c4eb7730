"""The order in which numbers are shown."""

from __future__ import annotations

import pandas as pd


def rounded(numbers: pd.Series[float]) -> pd.Series[float]:
    """Round numbers that are sorted to be shown, as ``key`` of a stable sort.

    The last bits of a number depend on the processor. Numbers that are equal but for these bits
    have to tie, so that they keep the order of their table on every processor.

    Examples
    --------
    >>> import pandas as pd
    >>> indices = pd.Series({"tp": 0.5000000000000001, "fp": 0.5, "both": 0.2})
    >>> indices.sort_values(key=rounded, kind="stable").index.tolist()
    ['both', 'tp', 'fp']
    """
    return numbers.round(6)
