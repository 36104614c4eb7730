"""Tables and pages of docs/evidence, as every benchmark of this folder measures and writes them.

A benchmark has a function from a setting to rows of a table, a template that sees the constants of
its module, and a seed for each setting.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd

DOCS = Path(__file__).parents[2] / "docs"


def write_page(
    page: str, module: Mapping[str, Any], facts: Mapping[str, Any], folder: Path = DOCS
) -> None:
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
    environment.globals |= {
        "standard_error": standard_error,
        "summary": summary,
        "COVERED": COVERED,
    }
    constants = {name: value for name, value in module.items() if name.isupper()}
    template = environment.get_template(f"{page}.md.jinja")
    path, text = folder / f"evidence/{page}.md", template.render(constants, **facts)
    same = path.exists() and path.read_text() == text
    path.parent.mkdir(parents=True, exist_ok=True)
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


class Task(NamedTuple):
    """A function and its settings, which a table is measured with."""

    function: Callable[..., Any]
    """Returns a row, or rows, of a setting."""
    settings: Iterable[tuple[Any, ...]]
    """Arguments of the function."""
    digits: str = "%.4g"
    shares: Sequence[str] = ("coverage",)
    """Columns that are shares of samples."""
    samples: str | int = "samples"
    """Their number, or the column that has it."""
    stored: bool = True


def write_table(name: str, frame: pd.DataFrame, task: Task, folder: Path = DOCS) -> None:
    """Write images/ and the name as CSV, and print how many shares have changed."""
    path = folder / f"images/{name}.csv"
    before = pd.read_csv(path) if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, float_format=task.digits)
    print(f"{name}: {changes(before, read_table(name, folder), task.shares, task.samples)}")


def changes(
    before: pd.DataFrame | None, after: pd.DataFrame, shares: Sequence[str], samples: str | int
) -> str:
    """Say how many measured shares differ by more than three standard errors of the difference.

    A table without shares is exact, and its largest change is named.

    Examples
    --------
    >>> before = pd.DataFrame({"coverage": [0.95, 0.95]})
    >>> changes(before, pd.DataFrame({"coverage": [0.96, 0.80]}), ["coverage"], 100)
    '1 of 2 shares changed by more than three standard errors'
    """
    if before is None or before.shape != after.shape or list(before) != list(after):
        return "other rows or columns than before"
    if not shares:
        steps = (after.select_dtypes("number") - before.select_dtypes("number")).abs().max()
        return f"{steps.idxmax()} changed by up to {steps.max():.2g}" if steps.any() else "the same"
    size = after[samples] if isinstance(samples, str) else samples
    old, new = before[list(shares)], after[list(shares)]
    share = ((old + new) / 2).clip(0.01, 0.99)  # a share of 0 or 1 has an error, too
    error = np.sqrt((2 * share * (1 - share)).div(size, axis="index" if np.ndim(size) else None))
    number = int(((new - old).abs() > 3 * error).sum().sum())
    return f"{number} of {new.size} shares changed by more than three standard errors"


def read_table(name: str, folder: Path = DOCS) -> pd.DataFrame:
    """Read what :func:`write_table` wrote."""
    return pd.read_csv(folder / f"images/{name}.csv")


def markdown(frame: pd.DataFrame, digits: str = ".3f") -> str:
    """Return a table in Markdown: whole numbers without decimals, and no text where one lacks."""
    cells = frame.astype(object).where(frame.notna(), None)
    return cells.to_markdown(index=False, floatfmt=digits, missingval="")


COVERAGE = {
    "settings": ("coverage", "size"),
    "min": ("coverage", "min"),
    "mean": ("coverage", "mean"),
}
ENOUGH = {"at least .93": ("coverage", lambda rates: float((rates >= 0.93).mean()))}
COVERED = {
    "settings": ("covered", "size"),
    "least": ("covered", "min"),
    "mean": ("covered", "mean"),
}
"""Columns of summaries: their names, what they summarize, and how."""


def summary(
    frame: pd.DataFrame,
    by: Sequence[str],
    columns: Mapping[str, tuple[str, Any]] = COVERAGE,
) -> str:
    """Summarize the settings that have some columns in common, as a table in Markdown."""
    found = frame.groupby(list(by), sort=False).agg(**columns)
    return markdown(found.reset_index())


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
