"""Tables and pages of docs/evidence, as every benchmark of this folder measures and writes them.

A benchmark has a function from a setting to rows of a table, a template that sees the constants of
its module, and a seed for each setting.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd

DOCS = Path(__file__).parents[2] / "docs"
PROCESSES = 2
DECIMALS = 6
"""Decimals at most in a table without a format."""


def write_page(page: str, module: Mapping[str, Any] = {}, /, **facts: Any) -> None:
    """Fill the template of a page of docs/evidence, write it, and print whether it has changed.

    The template knows the facts, and the constants of the module that has the given globals.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        trim_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"ratio": ratio, "ratios": ratios, "plain": plain, "table": markdown}
    environment.globals |= {"standard_error": standard_error, "summary": summary}
    constants = {name: value for name, value in module.items() if name.isupper()}
    template = environment.get_template(f"{page}.md.jinja")
    path, text = DOCS / f"evidence/{page}.md", template.render(constants, **facts)
    same = path.exists() and path.read_text() == text
    path.write_text(text)
    print(f"{page}.md: {'the same' if same else 'changed'}")


def ratio(sizes: Iterable[object]) -> str:
    """Return sizes as in 5:50."""
    return ":".join(map(str, sizes))


def plain(numbers: Iterable[float]) -> str:
    """Return numbers without decimals that are 0."""
    return ", ".join(f"{number:g}" for number in numbers)


def ratios(several: Iterable[Iterable[object]]) -> str:
    """Return several ratios."""
    return ", ".join(map(ratio, several))


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
    frame = frame.round(DECIMALS) if digits is None else frame
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


COVERAGE = {
    "settings": ("coverage", "size"),
    "min": ("coverage", "min"),
    "mean": ("coverage", "mean"),
}
ENOUGH = {"at least .93": ("coverage", lambda rates: float((rates >= 0.93).mean()))}
"""Columns of summaries: their names, what they summarize, and how."""


def summary(
    frame: pd.DataFrame,
    by: Sequence[str],
    columns: Mapping[str, tuple[str, Any]] = COVERAGE,
    digits: str = ".3f",
) -> str:
    """Summarize the settings that have some columns in common, as a table in Markdown."""
    found = frame.groupby(list(by), sort=False).agg(**columns)
    return markdown(found.reset_index(), digits)


def cells(
    frame: pd.DataFrame, by: Sequence[str], form: str = "{mean:.3f}/{least:.3f}"
) -> pd.DataFrame:
    """Return the mean and least coverage as texts: a column for each value of the last key."""
    groups = frame.groupby(list(by), sort=False)["coverage"].agg(mean="mean", least="min")
    texts = [form.format(**row) for row in groups.to_dict("records")]
    return pd.Series(texts, groups.index).unstack(by[-1])


def standard_error(share: float, samples: float) -> float:
    """Return the standard error of a share that was counted in independent samples."""
    return float(np.sqrt(share * (1 - share) / samples))


class Task(NamedTuple):
    """A function and its settings, which a table is measured with."""

    function: Callable[..., Any]
    """Returns a row, or rows, of a setting."""
    settings: Iterable[tuple[Any, ...]]
    """Arguments of the function."""
    digits: str | None = "%.4g"
    repetitions: int | None = None
    """Samples of a row, if no column says so."""
    stored: bool = True


def rows_of(function: Callable[..., Any], setting: tuple[Any, ...], **options: Any) -> list[Any]:
    """Return the rows of a setting."""
    found = function(*setting, **options)
    return [found] if isinstance(found, Mapping) else list(found)


def measured_tables(
    description: str | None, tasks: Mapping[str, Task], repetitions: int | None = None
) -> list[pd.DataFrame]:
    """Measure and store tables as the command line says, and return them.

    Parameters
    ----------
    description
        What the script measures.
    tasks
        The tasks by the names of their tables.
    repetitions
        Number of samples of a setting, if it is the keyword argument of all tasks. The tables are
        then returned as stored, and a page can be written again from those of an earlier run.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--processes", type=int, default=PROCESSES)
    if repetitions is not None:
        parser.add_argument("--repetitions", type=int, default=repetitions, help="of a setting")
        parser.add_argument("--page-only", action="store_true", help="read the stored tables")
    options = vars(parser.parse_args())
    processes, page_only = options.pop("processes"), options.pop("page_only", False)
    tables = {}
    with ProcessPoolExecutor(processes) as pool:
        for name, task in tasks.items() if not page_only else ():
            parts = pool.map(partial(rows_of, task.function, **options), task.settings)
            tables[name] = pd.DataFrame([row for rows in parts for row in rows])
            if task.stored:
                write_table(name, tables[name], task.digits, task.repetitions)
    return [read_table(name) if repetitions is not None else tables[name] for name in tasks]
