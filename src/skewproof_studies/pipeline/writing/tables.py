"""Reading and writing of tables by scripts."""

from __future__ import annotations

import warnings
from typing import Any

import pandas as pd
from pandas.errors import ParserError, ParserWarning

from skewproof_studies.pipeline.writing.files import write_text


def read_table(path: str, **options: Any) -> pd.DataFrame:
    """Read a CSV file so that pandas reproduces each number to the last bit.

    Raises
    ------
    ValueError
        If a row has more fields than the header.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", ParserWarning)
        try:
            # Without it pandas would take surplus fields of the first row for row labels.
            return pd.read_csv(path, index_col=False, **options)
        except ParserWarning:
            raise ValueError(f"{path}: the first row has more fields than the header") from None
        except ParserError as error:
            raise ValueError(f"{path}: {str(error).strip()}") from None


def write_table(table: pd.DataFrame, path: str) -> None:
    """Write a frame as CSV in full precision."""
    write_text(table.to_csv(index=False), path)
