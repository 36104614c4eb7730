"""Counts of the confusion matrices that have all scores a publication prints for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from skewproof.audits.printed_scores import printed


def possible_scores(
    rows: Iterable[tuple[str, Mapping[Any, str], Iterable[int]]],
) -> pd.DataFrame:
    """Count the confusion matrices that have all scores of a row.

    Parameters
    ----------
    rows
        Label, printed scores by metric, and the numbers of positives and negatives.

    Returns
    -------
    Frame with the columns scores of (the label), positives, negatives, printed (how many scores),
    matrices (how many, with numbers rounded half up) and possible without (the single scores
    without which impossible ones are possible, separated by commas).
    """
    table = []
    for label, scores, (positives, negatives) in rows:

        def count(some: Mapping[Any, str], p: int = positives, n: int = negatives) -> int:
            return printed(some, positives=p, negatives=n).number

        number = count(scores)
        culprits = [
            key
            for key in scores
            if not number and count({other: scores[other] for other in scores if other != key})
        ]
        table.append((label, positives, negatives, len(scores), number, ", ".join(culprits)))
    columns = ["scores of", "positives", "negatives", "printed", "matrices", "possible without"]
    return pd.DataFrame(table, columns=columns)
