"""Measure scores and curves beside scikit-learn, and write ``benchmarks/speed/scoring.md``."""

import tempfile
import time
import tracemalloc
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from alone import alone
from run import machine
from sklearn import metrics as sklearn_metrics

import skewproof
from skewproof.curves import area_bounds, count_scores
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.scoring.scoring import score

OUTPUT = Path(__file__).with_name("scoring.md")
LIBRARIES = ["numpy", "scipy", "scikit-learn", "narwhals", "duckdb"]
INSTANCES = 10_000_000
TURNS = 5
ROWS = 100_000_000
BINS = (1000, 100_000, 1_000_000)


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def beside(pairs):
    """Return the medians of two functions in turns, and the median ratio of turns."""
    rows = []
    for name, (own, other) in pairs.items():
        times = np.array([(seconds(own), seconds(other)) for _ in range(TURNS)])
        ratio = np.median(times[:, 0] / times[:, 1])
        rows.append((name, *np.median(times, axis=0), ratio))
        print(*rows[-1], flush=True)
    columns = ["what", "skewproof, s", "scikit-learn, s", "ratio (median of turns)"]
    return pd.DataFrame(rows, columns=columns).to_markdown(index=False, floatfmt=".2f")


def peaks(pairs):
    """Return the most memory that each of two functions allocates beside its input."""
    rows = []
    for name, functions in pairs.items():
        used = [allocated(function) for function in functions]
        rows.append((name, *used, used[0] / used[1]))
        print(*rows[-1], flush=True)
    columns = ["what", "skewproof, MB", "scikit-learn, MB", "ratio"]
    return pd.DataFrame(rows, columns=columns).to_markdown(
        index=False, floatfmt=("", *[".0f"] * 2, ".2f")
    )


def allocated(function):
    """Return megabytes of arrays and of everything else that Python knows of."""
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def label_pairs():
    random = np.random.default_rng(1)
    true, predicted = random.random((2, INSTANCES)) < 0.1
    kinds = {
        "whole numbers": (true.astype(int), predicted.astype(int)),
        "text": tuple(np.where(labels, "yes", "no") for labels in (true, predicted)),
    }
    return {
        name: (
            lambda labels=labels, name=name: score(
                *labels,
                pos_label="yes" if name == "text" else 1,
                undefined=np.nan,
                confidence=None,
            ),
            lambda labels=labels: sklearn_metrics.confusion_matrix(*labels),
        )
        for name, labels in kinds.items()
    }


def curve_pairs():
    random = np.random.default_rng(1)
    true = (random.random(INSTANCES) < 0.1).astype(int)
    scores = random.normal(true, 1)
    functions = {
        "AUC": (partial(skewproof.curves.area, "auc"), sklearn_metrics.roc_auc_score),
        "precision-recall curve": (
            skewproof.curves.precision_recall_curve,
            sklearn_metrics.precision_recall_curve,
        ),
        "average precision": (
            partial(skewproof.curves.area, "average_precision"),
            sklearn_metrics.average_precision_score,
        ),
    }
    return {
        f"{name}, {kind}": tuple(
            lambda one=one, values=values: one(true, values) for one in functions[name]
        )
        for name in functions
        for kind, values in (("distinct scores", scores), ("two decimals", scores.round(2)))
    }


def write_scores(path):
    """Write binormal scores with one positive in a hundred to a file that is read in parts."""
    deviate = "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())"
    labels = f"SELECT (random() < 0.01)::TINYINT AS y FROM range({ROWS})"
    duckdb.sql("SELECT setseed(0.5)").fetchall()
    duckdb.sql(f"COPY (SELECT y, y + {deviate} AS s FROM ({labels})) TO '{path}' (FORMAT parquet)")


def bounded(path, digits, bins):
    """Return the rows that were fetched, the AUC at least, and the widths of the bounds."""
    score = "s" if digits is None else f"round(s, {digits}) AS s"
    counts = count_scores(
        duckdb.sql(f"SELECT y, {score} FROM '{path}'"), y_true="y", y_score="s", bins=bins
    )
    bounds = area_bounds(counts)
    return len(counts), bounds["low"]["auc"], (bounds["high"] - bounds["low"]).tolist()


def bounds_table():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.parquet"
        write_scores(path)
        for digits, bins in [*((None, bins) for bins in BINS), (2, BINS[-1])]:
            # A process each, since a process does not give back what it had at most.
            found = alone("scoring:bounded", str(path), digits, bins)
            fetched, auc, widths = found["result"]
            kind = "distinct scores" if digits is None else "two decimals"
            cells = [f"{found['seconds']:.1f}", f"{found['peak_mb']:.0f}", fetched, f"{auc:.6f}"]
            rows.append((kind, bins, *cells, *(f"{width:.1e}" for width in widths)))
            print(*rows[-1], flush=True)
    areas = ["AUC, at least", "AUC known to", "average precision known to"]
    columns = ["what", "bins", "seconds", "peak MB", "rows fetched", *areas]
    return pd.DataFrame(rows, columns=columns).to_markdown(index=False, disable_numparse=True)


def all_measures(counts):
    return [measure(MulticlassConfusionMatrix(counts)) for measure in MEASURES.values()]


def measure_table():
    random = np.random.default_rng(1)
    rows = []
    for name, shape in (("10^5 of 5 classes", (100_000, 5, 5)), ("1 of 1000", (1000, 1000))):
        counts = random.integers(1, 100, shape)
        times = [seconds(partial(all_measures, counts)) for _ in range(TURNS)]
        rows.append((name, np.median(times)))
    columns = ["matrices", f"all {len(MEASURES)} measures, s"]
    return pd.DataFrame(rows, columns=columns).to_markdown(index=False, floatfmt=".2f")


def main():
    sections = [
        "# Scores and curves compared with scikit-learn",
        machine(LIBRARIES),
        f"Medians of {TURNS} turns of both. `make bench-scoring` repeats the measurements.",
        f"## {INSTANCES:.0e} labels: every registered metric, and one confusion_matrix call",
        beside(label_pairs()),
        f"## {INSTANCES:.0e} scores",
        beside(curve_pairs()),
        "The peak of memory that is allocated in addition to the labels and scores. A curve itself"
        " consists of three arrays of these many numbers, and the DET curve of five:",
        peaks(curve_pairs()),
        f"## {ROWS:.0e} scores in a Parquet file: count_scores by DuckDB, and area_bounds",
        bounds_table(),
        "## Measures of many classes",
        measure_table(),
    ]
    OUTPUT.write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
