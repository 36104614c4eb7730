"""Measure the engines side by side and write ``benchmarks/speed/results.md``: ``make bench``.

Every measurement is a process of its own; repetitions of the engines compared take turns.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

import pandas as pd
from alone import alone
from engines import ENGINES

PROJECT = Path(__file__).parents[2]
OUTPUT = PROJECT / "benchmarks/speed/results.md"
LIBRARIES = ["numpy", "scipy", "SALib", "openturns", "snakemake", "matplotlib"]
NAMES = {
    "batched": "skewproof, batched",
    "batched, two threads": "skewproof, batched, two threads",
    "exact": "skewproof, exact",
    "salib": "SALib, serial",
    "scipy": "scipy.stats.sobol_indices and its bootstrap",
    "openturns": "OpenTURNS, bootstrap",
}
AUDITED = "(tp*tn - fp*fn)/((tp + fn)*(fp + tn) + tp*fp)"
LIMITS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENTURNS_NUM_THREADS")
ONE_THREAD = dict.fromkeys(LIMITS, "1")


def measure(engine, **sizes):
    """Return the seconds, wall seconds of the process and peak memory of one run."""
    modules = ENGINES[engine][1:]
    found = alone("engines:study", engine, sizes, modules=modules, environment=ONE_THREAD)
    return found | {"engine": engine}


def in_turns(engines, **options):
    """Time several engines on one study, each for its number of turns.

    They take turns, since the speed of a machine drifts.
    """
    rows = []
    for turn in range(max(engines.values())):
        for name, turns in engines.items():
            if turn < turns:
                engine, _, threads = name.partition(", ")
                more = {"threads": 2} if threads else {}
                rows.append(measure(engine, **options, **more) | {"engine": name, "turn": turn})
    return pd.DataFrame(rows)


def medians_of(runs):
    """Return the medians of the engines, and their ratios to SALib in the same turn."""
    engines = runs.groupby("engine", sort=False)
    medians = engines[["seconds", "peak_mb"]].median()
    seconds = runs.pivot(index="turn", columns="engine", values="seconds")
    ratios = seconds.rdiv(seconds["salib"], axis=0).median()
    return pd.DataFrame(
        {
            "engine": medians.index.map(NAMES),
            "runs": engines.size()[medians.index].to_numpy(),
            "median seconds": medians["seconds"].map("{:.3g}".format),
            "peak MB": medians["peak_mb"].map("{:.0f}".format),
            "times faster than SALib (median of turns)": ratios[medians.index].map("{:.3g}".format),
        }
    ).to_markdown(index=False)


def whole_study(target):
    """Time the workflow on two cores, from nothing to a target, in wall seconds."""
    sys.path.insert(0, str(PROJECT / "tests"))
    from study import Study

    with tempfile.TemporaryDirectory() as folder:
        study = Study.create(Path(folder) / "study", {})
        start = time.perf_counter()
        study.run("--cores", "2", target)
        seconds = time.perf_counter() - start
    print(target, seconds, flush=True)
    return seconds


def audit():
    """Time the audit of a formula on the command line, in wall seconds."""
    command = [str(Path(sys.executable).with_name("skewproof")), "audit", AUDITED]
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    return time.perf_counter() - start


def whole_comparison(repetitions=3):
    """Time the whole workflow and the plain SALib script in turns."""
    rows = [
        (measure("salib")["wall"], whole_study("all"), whole_study("conclusions"), audit())
        for _ in range(repetitions)
    ]
    columns = ["SALib script, one core, s", "all, s", "conclusions, s", "audit of a formula, s"]
    table = pd.DataFrame(rows, columns=columns)
    table.insert(2, "all/SALib", (table["all, s"] / table.iloc[:, 0]).map("{:.2f}".format))
    return table.round(1).to_markdown(index=False)


def machine(libraries):
    """Describe the machine and the libraries of the measurement."""
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
    paper = in_turns(
        {"salib": 3, "openturns": 1, "batched": 3, "batched, two threads": 3, "exact": 3}
    )
    small = in_turns({"salib": 5, "openturns": 5, "batched": 5, "scipy": 1}, log2_samples=12)
    sections = [
        "# Benchmarks",
        machine(LIBRARIES) + " The linear algebra library has one thread.",
        "Seconds are those of design, evaluation and indices, without imports. Memory is the peak"
        " of the whole process. `make bench` repeats the measurements.",
        "## The paper's study: 24 metrics, 5 levels, 2^16 base points, 100 resamples",
        medians_of(paper),
        "SciPy's bootstrap holds all resamples of a metric in memory at once, so it is compared at"
        " 2^12 base points only.",
        "## The same with 2^12 base points",
        medians_of(small),
        "## The whole workflow",
        "The wall times of `snakemake --cores 2`, from nothing to every table and figure and to"
        " every verdict, and of the plain SALib script, which computes the indices and writes"
        f" nothing. They took turns. The audit is of `{AUDITED}`.",
        whole_comparison(),
        "engine_growth.md shows how the batched engine grows with points, resamples, metrics,"
        " levels and threads.",
    ]
    OUTPUT.write_text("\n\n".join(sections) + "\n")


if __name__ == "__main__":
    main()
