"""Measure the tables of benchmarks, and write their pages: ``make error-rates``.

A benchmark is a module beside this one. Its ``TABLES`` are the tasks by the names of their tables,
and its ``page`` gives what its template needs from these tables. Tables are read as they were
stored before the page is written, so that the two cannot disagree. Some have a ``check`` that may
refuse to write it.

``python benchmarks/evidence/measure.py NAME ...`` runs some benchmarks. ``--page-only`` writes the
pages again from the stored tables. ``--repetitions 5`` makes a trial short, and writes it to
``build/trial``.
"""

import argparse
import importlib
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
from pages import DOCS, Task, ratio, read_table, write_page, write_table

PROCESSES = 2
BENCHMARKS = (
    *("error_rates", "reliability", "deployment_coverage", "probability_coverage"),
    *("probability_imbalance", "multiclass_coverage", "multiclass_slices", "unlabeled_coverage"),
    *("unlabeled_classes", "labeling", "labels_coverage", "watch_power", "winners"),
    *("weighted_coverage", "area_coverage", "promised_thresholds", "net_benefit_coverage"),
    *("best_threshold", "expected_cost", "group_coverage", "difference_coverage", "group_scores"),
)


def prepared(name: str, repetitions: int | None) -> ModuleType:
    """Import a benchmark; in a trial all of its numbers of repetitions are the given one."""
    benchmark = importlib.import_module(name)
    if repetitions is None:
        return benchmark
    others = {task.function.__module__ for task in benchmark.TABLES.values()}
    for module in map(importlib.import_module, {name} | others):
        for constant, value in list(vars(module).items()):
            if constant.endswith("REPETITIONS"):
                same = dict.fromkeys(value, repetitions) if isinstance(value, dict) else repetitions
                setattr(module, constant, same)
    return benchmark


def rows_of(function: Callable[..., Any], setting: tuple[Any, ...]) -> list[dict[str, Any]]:
    """Return the rows of a setting, whose arguments are the first columns.

    A named tuple has a column for each field, and other tuples are ratios. Arguments with the names
    `seed` and `case` are no columns.
    """
    names: dict[str, Any] = {}
    for name, value in zip(signature(function).parameters, setting, strict=True):
        if name in ("seed", "case"):
            continue
        if hasattr(value, "_asdict"):
            names |= value._asdict()
        else:
            names[name] = ratio(value) if isinstance(value, tuple) else value
    rows = function(*setting)
    return [names | row for row in ([rows] if isinstance(rows, Mapping) else rows)]


def stored(name: str, task: Task, folder: Path) -> pd.DataFrame:
    """Read a stored table, in which shares may all be whole numbers."""
    return read_table(name, folder).astype(dict.fromkeys(task.shares, float))


def measured(name: str, task: Task, pool: ProcessPoolExecutor, folder: Path) -> pd.DataFrame:
    """Measure a table, store it, and return it as stored."""
    parts = pool.map(partial(rows_of, task.function), task.settings)
    frame = pd.DataFrame([row for rows in parts for row in rows])
    if not task.stored:
        return frame
    write_table(name, frame, task, folder)
    return stored(name, task, folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks; all without a name")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--page-only", action="store_true", help="read the stored tables")
    parser.add_argument("--repetitions", type=int, help="of each setting, for a trial")
    options = parser.parse_args()
    trial = options.repetitions is not None
    folder = DOCS.parent / "build/trial" if trial else DOCS
    for name in options.names or BENCHMARKS:
        module = prepared(name, options.repetitions)
        if options.page_only:
            tables = [stored(*item, folder) for item in module.TABLES.items()]
        else:
            preparation = (prepared, (name, options.repetitions))
            with ProcessPoolExecutor(options.processes, None, *preparation) as pool:
                tables = [measured(*item, pool, folder) for item in module.TABLES.items()]
        if hasattr(module, "check") and not trial:
            module.check(*tables)
        if hasattr(module, "page"):
            write_page(getattr(module, "PAGE", name), vars(module), module.page(*tables), folder)


if __name__ == "__main__":
    main()
