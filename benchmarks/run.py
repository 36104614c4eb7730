"""Measure the engines side by side and write ``benchmarks/results.md``: ``make bench``.

Every measurement is a process of its own; repetitions of the engines compared take turns.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import pandas as pd

PROJECT = Path(__file__).parents[1]
OUTPUT = PROJECT / "benchmarks/results.md"
LIBRARIES = ["numpy", "scipy", "SALib", "openturns", "snakemake", "matplotlib"]
NAMES = {
    "batched": "skewproof, batched",
    "exact": "skewproof, exact",
    "salib": "SALib, serial",
    "scipy": "scipy.stats.sobol_indices and its bootstrap",
    "openturns": "OpenTURNS, bootstrap",
}
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENTURNS_NUM_THREADS")
ONE_THREAD = dict.fromkeys(LIMITS, "1")


def measure(engine, **options):
    """Seconds, wall seconds of the process and peak memory of one run."""
    flags = [part for key, value in options.items() for part in (f"--{key}", str(value))]
    command = [sys.executable, str(PROJECT / "benchmarks/engines.py"), engine, *flags]
    start = time.perf_counter()
    done = subprocess.run(
        command, env=os.environ | ONE_THREAD, capture_output=True, text=True, check=True
    )
    wall = time.perf_counter() - start
    print(engine, options, done.stdout.strip(), flush=True)
    return {"engine": engine, "wall": wall, **options, **json.loads(done.stdout)}


def compare(engines, **options):
    """Medians of several engines on one study, and their ratios to SALib in the same turn.

    Engines take turns, since the speed of a machine drifts; each takes as many as it is given.
    """
    runs = pd.DataFrame(
        measure(engine, **options) | {"turn": turn}
        for turn in range(max(engines.values()))
        for engine, turns in engines.items()
        if turn < turns
    )
    medians = runs.groupby("engine", sort=False)[["seconds", "peak_mb"]].median()
    seconds = runs.pivot(index="turn", columns="engine", values="seconds")
    ratios = seconds.rdiv(seconds["salib"], axis=0).median()
    return pd.DataFrame(
        {
            "engine": medians.index.map(NAMES),
            "runs": medians.index.map(engines),
            "median seconds": medians["seconds"].map("{:.3g}".format),
            "peak MB": medians["peak_mb"].map("{:.0f}".format),
            "times faster than SALib (median of turns)": ratios[medians.index].map("{:.3g}".format),
        }
    )


def whole_study():
    """Wall seconds of the workflow on two cores, from nothing to every table and figure."""
    sys.path.insert(0, str(PROJECT / "tests"))
    from study import Study

    with tempfile.TemporaryDirectory() as folder:
        study = Study.create(Path(folder) / "study", {})
        start = time.perf_counter()
        study.run("--cores", "2")
        seconds = time.perf_counter() - start
    print("workflow", seconds, flush=True)
    return seconds


def whole_comparison(repetitions=3):
    """The whole workflow beside the plain SALib script, taking turns."""
    rows = [(measure("salib")["wall"], whole_study()) for _ in range(repetitions)]
    table = pd.DataFrame(rows, columns=["SALib script, one core, s", "snakemake --cores 2, s"])
    table["ratio"] = (table.iloc[:, 1] / table.iloc[:, 0]).map("{:.2f}".format)
    return table.round(1).to_markdown(index=False)


def machine(libraries):
    """What the numbers were measured on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((x.split(":")[1].strip() for x in lines if x.startswith("model name")), model)
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in libraries)
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}; Python"
        f" {platform.python_version()}, {versions}."
    )


def main():
    paper = compare({"salib": 3, "openturns": 1, "batched": 3, "exact": 3})
    small = compare({"salib": 5, "openturns": 5, "batched": 5, "scipy": 1}, **{"log2-samples": 12})
    sections = [
        "# Benchmarks",
        machine(LIBRARIES) + " One thread each.",
        "Seconds are those of design, evaluation and indices, imports apart; memory is the peak of"
        " the whole process. `make bench` measures anew.",
        "## The paper's study: 24 metrics, 5 levels, 2^16 base points, 100 resamples",
        paper.to_markdown(index=False),
        "SciPy's bootstrap holds all resamples of a metric in memory at once; it is compared at"
        " 2^12 base points only.",
        "## The same with 2^12 base points",
        small.to_markdown(index=False),
        "## The whole workflow",
        "From nothing to every table and figure, beside the wall time of the plain SALib script,"
        " which computes the indices and writes nothing; they took turns.",
        whole_comparison(),
        "How the batched engine grows with points, resamples, metrics, levels, threads and shards:"
        " engine_growth.md.",
    ]
    OUTPUT.write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
