"""Measure counts of slices beside plain SQL, and write ``benchmarks/speed/slices.md``.

``python benchmarks/speed/slices.py --rows 100000000`` is what the page has: it takes minutes and a
gigabyte of disk. Every measurement is a process of its own; the two that are compared take turns.
"""

import argparse
import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from alone import alone
from run import machine

from skewproof.slices.changes import explain_change
from skewproof.slices.counting import count_slices
from skewproof.slices.files import MEMORY_LIMIT, read_predictions

OUTPUT = Path(__file__).with_name("slices.md")
LIBRARIES = ["duckdb", "narwhals", "pyarrow", "numpy", "pandas"]
ROWS = 10_000_000
SLICES = 100
EXPLAINED = 10_000
METRIC = "f1"
TURNS = 5
THRESHOLD = 0.92

DATA = """
COPY (
    SELECT
        CAST(hash(i) % {slices} AS INTEGER) AS slice,
        CAST(hash(i + 1000000007) % 1000 < 50 AS INTEGER) AS y,
        CAST(hash(i + 2000000011) % 1000 < 80 AS INTEGER) AS p,
        hash(i + 3000000019) / 18446744073709551616.0::DOUBLE AS s
    FROM range({rows}) AS numbers(i)
) TO '{path}' (FORMAT parquet)
"""
"""Labels and scores by hashes of the row's number: as if drawn, and the same every time."""

QUESTIONS = {
    "labels": ("p", {"y_pred": "p"}),
    "scores and a threshold": (f"s >= {THRESHOLD}", {"y_score": "s", "threshold": THRESHOLD}),
}


def plain_sql(path, question):
    query = f"SELECT slice, y, {QUESTIONS[question][0]}, count(*) FROM '{path}' GROUP BY ALL"
    return sum(count for *_, count in duckdb.sql(query).fetchall())


def own(path, question):
    with read_predictions(path) as rows:
        slices = count_slices(rows, y_true="y", by="slice", **QUESTIONS[question][1])
    return int(slices[["tp", "fp", "fn", "tn"]].to_numpy().sum())


def explained():
    """Explain many slices drawn around one classifier; return the seconds."""
    random = np.random.default_rng(1)
    positives, negatives = random.integers([[50], [1000]], [[500], [10_000]], (2, EXPLAINED))
    tp, fp = random.binomial(positives, 0.7), random.binomial(negatives, 0.02)
    counts = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp, "missing": 0}
    frame = pd.DataFrame({"slice": np.arange(EXPLAINED)} | counts)
    start = time.perf_counter()
    explain_change(frame, metrics=[METRIC], reference={"slice": 0})
    return time.perf_counter() - start


def side_by_side(path, rows):
    """Return a row for each question: medians of both, and the median ratio of turns."""
    table = []
    for question in QUESTIONS:
        runs = pd.DataFrame(
            alone(f"slices:{function}", str(path), question, modules=LIBRARIES)
            | {"function": function, "turn": turn}
            for turn in range(TURNS)
            for function in ("plain_sql", "own")
        )
        if not (runs["result"] == rows).all():
            raise ValueError(f"{question}: expected {rows} rows counted")
        seconds = runs.pivot(index="turn", columns="function", values="seconds")
        peak = runs.groupby("function")["peak_mb"].max()
        ratio = (seconds["own"] / seconds["plain_sql"]).median()
        table.append(
            {
                "what": question,
                "DuckDB's SQL, s": f"{seconds['plain_sql'].median():.2f}",
                "skewproof, s": f"{seconds['own'].median():.2f}",
                "ratio (median of turns)": f"{ratio:.2f}",
                "DuckDB's SQL, peak MB": f"{peak['plain_sql']:.0f}",
                "skewproof, peak MB": f"{peak['own']:.0f}",
            }
        )
    return pd.DataFrame(table).to_markdown(index=False, disable_numparse=True)


def explanation():
    runs = pd.DataFrame(alone("slices:explained", modules=LIBRARIES) for _ in range(TURNS))
    return (
        f"`explain_change` of {METRIC}, with all intervals and sentences:"
        f" {runs['result'].median():.2f} s, {runs['peak_mb'].max():.0f} MB."
    )


def main(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "predictions.parquet")
        duckdb.sql(DATA.format(slices=SLICES, rows=rows, path=path))
        size = path.stat().st_size / 1e6
        counts = side_by_side(path, rows)
    sections = [
        "# Counts of slices compared with DuckDB's SQL",
        machine(LIBRARIES),
        f"Medians of {TURNS} turns of both, each in its own process. Seconds are those of reading"
        " and counting, without imports, and memory is the highest peak of a whole process."
        f" `python benchmarks/speed/slices.py --rows {rows}` repeats the measurements.",
        f"## {rows:.0e} rows of Parquet ({size:.0f} MB), {SLICES} slices",
        "DuckDB's SQL is the same aggregate, grouped by slice, label and prediction, with its own"
        f" settings; `count_slices` on `read_predictions` limits DuckDB to {MEMORY_LIMIT}.",
        counts,
        f"## Explanation of {EXPLAINED:,} slices",
        explanation(),
    ]
    OUTPUT.write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="default: %(default)s")
    main(parser.parse_args().rows)
