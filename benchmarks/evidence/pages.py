"""Pages and tables of docs/evidence, as every benchmark of this folder writes them."""

from __future__ import annotations

import argparse
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


def write_table(name: str, frame: pd.DataFrame, digits: str | None = "%.5f") -> None:
    """Write docs/images/ and the name as CSV."""
    frame.to_csv(DOCS / f"images/{name}.csv", index=False, float_format=digits)


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
