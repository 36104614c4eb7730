"""A study of many levels and metrics, and what larger ones cost: writes ``large_study.md``.

Smaller studies are run first, to which a model of the seconds on a core is fitted; then the large
one, of which the model knows nothing, and beside which its prediction is put. What a rule's jobs
have in memory is looked at ten times a second.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import psutil
from run import machine
from scipy.optimize import nnls

from skewproof_studies.pipeline.batches import LARGEST, batched, parted
from skewproof_studies.van_zyl.config import SALIB_LOG2_SAMPLES
from skewproof_studies.van_zyl.paper import PAPER_METRICS

PROJECT = Path(__file__).parents[2]
sys.path.insert(0, str(PROJECT / "tests"))

from study import Study  # noqa: E402

CORES = 2
NODES = 100
TICK = 0.1
"""Seconds between two looks at the processes."""

FORMULAS = (
    "{a}*tp/({a}*tp + {b}*fp + {c}*fn)",
    "({a}*tp/P + {b}*tn/N)/({a} + {b})",
    "({a}*tp + {b}*tn)/({a}*P + {b}*N)",
    "sqrt(tp/P*tn/N) - {a}*fp/N",
    "min({a}*tp/P, {b}*tn/N)",
    "abs({a}*tp/P - {b}*fp/N)",
    "tp*tn/(tp*tn + {a}*fp*fn + {b})",
)
"""Kinds of metrics that a field may have of its own; two of seven have a kink."""


class Size(NamedTuple):
    """The size of a study: levels, metrics with their variants, logarithm of base points."""

    levels: int
    metrics: int
    log2_samples: int


SMALLER = (
    Size(5, 24, 10),
    Size(20, 24, 10),
    Size(5, 120, 10),
    Size(20, 60, 10),
    Size(5, 24, 18),
    Size(2, 120, 18),
    Size(5, 120, 16),
    Size(10, 60, 14),
)
"""Sizes of the studies that are timed: pairs of them separate one part of the costs."""

LARGE = Size(100, 200, 14)
BEYOND = Size(1000, 1000, 24)
DRY = (Size(5, 24, 14), Size(5, 2024, 14), Size(1000, 24, 14))
"""Dry runs: the paper's, a thousand of a user's own metrics with their variants, and levels."""


class Run(NamedTuple):
    """Time and memory of a study."""

    size: Size
    jobs: int
    seconds: float
    core_seconds: float
    peaks: dict[str, float]
    """Megabytes by rule: of its largest process; of the whole run at once under ``together``."""


def settings(size: Size, figures: int) -> dict[str, object]:
    """Return the config's keys for a study of a size, with contour figures of so many metrics."""
    random = np.random.default_rng(0)
    paper = PAPER_METRICS[: size.metrics]
    own = {}
    for number in range((size.metrics - len(paper)) // 2):
        a, b, c = random.uniform(0.2, 3, 3).round(3)
        own[f"own_{number:03}"] = FORMULAS[number % len(FORMULAS)].format(a=a, b=b, c=c)
    drawn = [*paper, *own][-figures:]
    return {
        "levels": [f"1:{negatives}" for negatives in range(1, size.levels + 1)],
        "metrics": list(paper),
        "extra_metrics": own,
        "sobol": {
            "log2_samples": size.log2_samples,
            "resamples": 100,
            "confidence": 0.95,
            "undefined": "error",
            "half_widths": "skewproof",
            "keep_samples": False,
        },
        "figures": {"formats": ["png", "pdf"], "metrics": drawn},
    }


def measured(size: Size, figures: int) -> Run:
    """Run a study from nothing to its tables and figures."""
    with tempfile.TemporaryDirectory() as folder:
        study = Study.create(Path(folder) / "study", settings(size, figures))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start, log = time.perf_counter(), Path(folder) / "log"
        with log.open("w") as file:
            process = subprocess.Popen(
                study.command("--cores", str(CORES)),
                cwd=study.folder,
                env=study.environment(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )
            peaks = _watched(process)
        seconds = time.perf_counter() - start
        text = log.read_text()
        assert process.returncode == 0, text[-5000:]
        jobs = int(re.findall(r"^total +(\d+)$", text, flags=re.MULTILINE)[0])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(size, f"{jobs} jobs, {seconds:.0f} s, {used:.0f} s on cores", flush=True)
    return Run(size, jobs, seconds, used, peaks)


def dry_runs() -> pd.DataFrame:
    """Return the seconds of a dry run, at first and with what is known of the metrics."""
    rows = []
    for size in DRY:
        with tempfile.TemporaryDirectory() as folder:
            study = Study.create(Path(folder) / "study", settings(size, 10))
            seconds = []
            for _ in range(2):
                start = time.perf_counter()
                study.run("--dry-run", "--quiet=all", "--cores", str(CORES))
                seconds.append(time.perf_counter() - start)
        rows.append((size.levels, size.metrics, *map("{:.1f}".format, seconds)))
        print(*rows[-1], flush=True)
    return pd.DataFrame(rows, columns=["levels", "metrics", "first, s", "second, s"])


def _watched(process: subprocess.Popen) -> dict[str, float]:
    """Return the largest memory of the processes of each rule, and of all, until the end."""
    peaks: dict[str, float] = defaultdict(float)
    main = psutil.Process(process.pid)
    while process.poll() is None:
        together = 0.0
        for one in _alive(main):
            try:
                command, megabytes = " ".join(one.cmdline()), one.memory_info().rss / 1e6
            except psutil.Error:
                continue
            script = re.search(r"scripts/tmp\w+\.(\w+)\.py", command)
            name = script[1] if script else "snakemake" if one == main else ""
            peaks[name] = max(peaks[name], megabytes)
            together += megabytes
        peaks["together"] = max(peaks["together"], together)
        time.sleep(TICK)
    peaks.pop("", None)
    return dict(peaks)


def _alive(main: psutil.Process) -> list[psutil.Process]:
    try:
        return [main, *main.children(recursive=True)]
    except psutil.Error:
        return []


TERMS = ("", "·jobs", "·metrics", "·levels·metrics", "·levels·metrics·points", "·levels·points")
"""Terms whose sum is the seconds on cores. Stages that look at a metric at many levels of their own
have the third, stages that do so at each level the fourth, sampling the fifth, and SALib, which
recomputes one metric per level, the last."""


def parts(size: Size, jobs: int) -> list[float]:
    """Return the terms of a study."""
    points = 2.0**size.log2_samples
    cells = size.levels * size.metrics
    of_salib = size.levels * points if size.log2_samples <= SALIB_LOG2_SAMPLES else 0
    return [1, jobs, size.metrics, cells, cells * points, of_salib]


def fitted(runs: list[Run]) -> np.ndarray:
    """Return the seconds of each term, none below 0, by relative errors."""
    columns = np.array([parts(run.size, run.jobs) for run in runs])
    seconds = np.array([run.core_seconds for run in runs])
    scale = columns.max(axis=0)  # the terms are of very different sizes
    return nnls(columns / scale / seconds[:, np.newaxis], np.ones(len(runs)))[0] / scale


def jobs_of(size: Size, known: Run) -> int:
    """List jobs of a larger study: part of the levels and a batch of metrics each, others with the
    batches."""

    def batches(one: Size) -> tuple[int, int]:
        return -(-one.levels // LARGEST["levels"]), -(-one.metrics // LARGEST["metrics"])

    of_levels, of_metrics = batches(known.size)
    others = known.jobs - jobs_of_levels(known.size) * of_metrics
    more_levels, more_metrics = batches(size)
    growth = more_levels * more_metrics / (of_levels * of_metrics)
    return round(jobs_of_levels(size) * more_metrics + others * growth)


def jobs_of_levels(one: Size) -> int:
    """Return the jobs that estimate the importance scores of one batch of metrics."""
    levels = [str(number) for number in range(one.levels)]
    batches = batched(levels, {}, largest=LARGEST["levels"])
    parts = parted(batches, {}, largest=max(1, 2**20 >> one.log2_samples))
    return sum(map(len, parts.values()))


def table_of(runs: list[Run], predicted: list[float]) -> pd.DataFrame:
    """Return a row for each run, as text."""
    return pd.DataFrame(
        {
            "levels": [run.size.levels for run in runs],
            "metrics": [run.size.metrics for run in runs],
            "base points": [f"2^{run.size.log2_samples}" for run in runs],
            "jobs": [run.jobs for run in runs],
            "wall, s": [f"{run.seconds:.0f}" for run in runs],
            "on cores, s": [f"{run.core_seconds:.0f}" for run in runs],
            "model, s": [f"{seconds:.0f}" for seconds in predicted],
            "model/measured": [
                f"{seconds / run.core_seconds:.2f}"
                for seconds, run in zip(predicted, runs, strict=True)
            ],
        }
    )


def beyond(costs: np.ndarray, last: Run) -> list[str]:
    """Return the model's prediction for a study that nobody ran."""
    jobs = jobs_of(BEYOND, last)
    seconds = float(np.dot(costs, parts(BEYOND, jobs)))
    share = costs[4] * parts(BEYOND, jobs)[4] / seconds
    return [
        f"## {BEYOND.levels} levels, {BEYOND.metrics} metrics, 2^{BEYOND.log2_samples} points",
        f"The model predicts {jobs} jobs and {seconds / 3600:.0f} core hours, {100 * share:.0f} %"
        f" of them for sampled points. On {NODES} nodes of {CORES} such cores this takes"
        f" {seconds / 3600 / NODES / CORES:.1f} hours if all of them work all the time."
        f" The prediction comes from runs of at most 2^{max(one.log2_samples for one in SMALLER)}"
        " points, and does not include waiting times in a queue. SALib recomputes nothing"
        " there, since it would need too much memory.",
    ]


def report(dry: pd.DataFrame, smaller: list[Run], large: Run | None) -> str:
    """Return the page."""
    runs = smaller + ([large] if large else [])
    costs, last = fitted(smaller), runs[-1]
    predicted = [float(np.dot(costs, parts(run.size, run.jobs))) for run in runs]
    errors = [
        abs(seconds / run.core_seconds - 1) for seconds, run in zip(predicted, runs, strict=True)
    ]
    model = " + ".join(f"{cost:.3g}{term}" for cost, term in zip(costs, TERMS, strict=True) if cost)
    peaks = pd.Series(last.peaks).sort_values(ascending=False).map("{:.0f}".format)
    memory = peaks.rename_axis("script").reset_index(name="peak MB")
    sections = [
        "# Studies larger than the paper's",
        machine(["numpy", "snakemake", "matplotlib"])
        + f" `snakemake --cores {CORES}`, from nothing to every table, with contour figures of ten"
        " metrics at most. Two of seven of the metrics beyond the paper's have a kink; metrics are"
        " counted with their normalized variants. `python benchmarks/speed/large_study.py` repeats"
        " the measurements.",
        table_of(runs, predicted).to_markdown(index=False, disable_numparse=True),
        f"The model is fitted to the first {len(smaller)} runs: seconds on cores = {model}. It is"
        f" off by {100 * max(errors):.0f} % at most.",
        "## Dry runs",
        "The time from the command to its end. The second dry run reads from a record what the"
        " first one computed about the metrics.",
        dry.to_markdown(index=False, disable_numparse=True),
        f"## Memory at {last.size.levels} levels and {last.size.metrics} metrics",
        "The peak of the largest process that runs a script, of Snakemake itself, and of all of"
        " them together.",
        memory.to_markdown(index=False, disable_numparse=True),
        *beyond(costs, last),
    ]
    return "\n\n".join(sections) + "\n"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="the smaller studies alone")
    options.add_argument("--figures", type=int, default=10)
    options.add_argument("--output", type=Path, default=PROJECT / "benchmarks/speed/large_study.md")
    chosen = options.parse_args()
    os.environ.pop("PYTHONPATH", None)
    dry = dry_runs()
    smaller = [measured(size, chosen.figures) for size in SMALLER]
    large = None if chosen.quick else measured(LARGE, chosen.figures)
    chosen.output.write_text(report(dry, smaller, large), encoding="utf-8")


if __name__ == "__main__":
    main()
