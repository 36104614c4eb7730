"""Pages and tables of docs/evidence, as every benchmark of this folder writes them."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd

DOCS = Path(__file__).parents[2] / "docs"


def write_page(page: str, /, **facts: Any) -> None:
    """Fill the template of a page of docs/evidence, and write it."""
    template = jinja2.Template(
        Path(__file__).with_name(f"{page}.md.jinja").read_text(),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    (DOCS / f"evidence/{page}.md").write_text(template.render(**facts))


def write_table(
    name: str, frame: pd.DataFrame, digits: str | None = "%.5f", repetitions: int | None = None
) -> None:
    """Write docs/images/ and the name as CSV, and print how many shares have changed.

    A share, such as a coverage, has changed if it differs from that of the last run by more than
    three standard errors of the difference. `repetitions` is the number of samples of each row if
    no column says so.
    """
    path = DOCS / f"images/{name}.csv"
    before = pd.read_csv(path) if path.exists() else None
    frame.to_csv(path, index=False, float_format=digits)
    print(f"{name}: {changes(before, read_table(name), repetitions)}")


def changes(before: pd.DataFrame | None, after: pd.DataFrame, repetitions: int | None) -> str:
    """Say how many measured shares differ by more than three standard errors of the difference.

    Examples
    --------
    >>> before = pd.DataFrame({"coverage": [0.95, 0.95]})
    >>> changes(before, pd.DataFrame({"coverage": [0.96, 0.80]}), 100)
    '1 of 2 shares changed by more than three standard errors'
    """
    if before is None or before.shape != after.shape or list(before) != list(after):
        return "other rows or columns than before"
    columns = [column for column in after if re.search("cover|rejected|broken", column)]
    size = next((after[key] for key in ("repetitions", "samples") if key in after), repetitions)
    if not columns or size is None:
        return "the same" if after.equals(before) else "changed"
    old, new = before[columns], after[columns]
    share = ((old + new) / 2).clip(0.01, 0.99)  # a share of 0 or 1 has an error, too
    error = np.sqrt((2 * share * (1 - share)).div(size, axis="index" if np.ndim(size) else None))
    number = int(((new - old).abs() > 3 * error).sum().sum())
    return f"{number} of {new.size} shares changed by more than three standard errors"


def read_table(name: str) -> pd.DataFrame:
    """Read what :func:`write_table` wrote."""
    return pd.read_csv(DOCS / f"images/{name}.csv")


def markdown(frame: pd.DataFrame, digits: str = ".3f") -> str:
    """Return a table in Markdown, whole numbers without decimals."""
    return frame.astype(object).to_markdown(index=False, floatfmt=digits)


def standard_error(share: float, samples: float) -> float:
    """Return the standard error of a share that was counted in independent samples."""
    return float(np.sqrt(share * (1 - share) / samples))


def measured_tables(
    description: str | None,
    repetitions: int | None,
    tasks: Mapping[str, tuple[Callable[..., Iterable[Any]], Iterable[Any]]],
) -> list[pd.DataFrame]:
    """Run tasks as the command line says, write their tables, and return the tables as written.

    Parameters
    ----------
    description
        What the script measures.
    repetitions
        Number of samples of a setting, the keyword argument of all tasks.
    tasks
        For the name of each table the function that returns rows of a setting, and the settings.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--repetitions", type=int, default=repetitions, help="samples of a setting")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--page-only", action="store_true", help="read tables of an earlier run")
    options = parser.parse_args()
    if not options.page_only:
        with ProcessPoolExecutor(options.processes) as pool:
            for name, (task, settings) in tasks.items():
                parts = pool.map(partial(task, repetitions=options.repetitions), settings)
                write_table(name, pd.DataFrame([row for rows in parts for row in rows]), "%.4g")
    return [read_table(name) for name in tasks]
