"""How a script reads and writes tables."""

from __future__ import annotations

from typing import Any

import pandas as pd

from skewproof.pipeline.files import write_text


def read_table(path: str, **options: Any) -> pd.DataFrame:
    """Read a CSV file; pandas reads each number as it was written, to the last bit."""
    return pd.read_csv(path, **options)


def write_table(table: pd.DataFrame, path: str) -> None:
    """Write a frame as CSV in full precision."""
    write_text(table.to_csv(index=False), path)
