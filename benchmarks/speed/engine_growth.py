"""Measure how time and memory of the batched engine grow, and compare it with SALib.

``python benchmarks/speed/engine_growth.py`` writes ``engine_growth.md`` beside it in about four
minutes. Every measurement is a process of its own, whose peak memory is that of the whole process.
"""

import numpy as np
import pandas as pd
from run import PROJECT, machine, measure

OUTPUT = PROJECT / "benchmarks/speed/engine_growth.md"
ANALYSES = 24 * 5
"""Metrics times levels of the paper's study."""

TURNS = 5


def beside_salib():
    """Return ratios to SALib in the same turn, whose two metrics at one level are scaled up."""
    rows = []
    for _ in range(TURNS):
        salib = measure("salib", metrics=2, levels=1)["seconds"] * ANALYSES / 2
        for threads in (1, 2):
            seconds = measure("batched", threads=threads)["seconds"]
            rows.append({"threads": threads, "seconds": seconds, "times": salib / seconds})
    medians = pd.DataFrame(rows).groupby("threads", as_index=False).median()
    return pd.DataFrame(
        {
            "threads": medians["threads"],
            "median seconds": medians["seconds"].map("{:.3g}".format),
            "times faster than SALib (median of turns)": medians["times"].map("{:.3g}".format),
        }
    )


def growth(name, values, **options):
    """Measure seconds and memory of one level as one size grows, and the exponent of the time."""
    options = {"levels": 1} | options
    runs = pd.DataFrame([measure("batched", **options | {name: value}) for value in values])
    sizes = np.array([2.0**value if name == "log2_samples" else value for value in values])
    half = len(runs) // 2  # start-up hides the growth of the small ones
    exponent = np.polyfit(np.log(sizes[half:]), np.log(runs["seconds"].iloc[half:]), 1)[0]
    table = pd.DataFrame(
        {
            name.replace("_", "-"): values,
            "seconds": runs["seconds"].map("{:.3g}".format),
            "peak MB": runs["peak_mb"].map("{:.0f}".format),
        }
    )
    return table.to_markdown(
        index=False
    ), f"Over the larger half of the sizes, time grows as size^{exponent:.2f}."


def main():
    sections = [
        "# Growth of the batched engine",
        machine(["numpy", "scipy", "SALib"]) + " The linear algebra library has one thread.",
        "First-order indices and their half-widths, with 24 metrics, 100 resamples and one thread"
        " unless stated otherwise. Memory is the peak of the whole process.",
        "## Compared with SALib: 24 metrics, 5 levels, 2^16 base points, 100 resamples",
        "SALib takes one metric and level at a time. Its time is that of two analyses, times 60.",
        beside_salib().to_markdown(index=False),
    ]
    for title, name, values, options in (
        ("Base points, one level", "log2_samples", [12, 14, 16, 18, 20, 22, 24], {"threads": 2}),
        ("Resamples, one level of 2^16", "resamples", [100, 1000, 10_000], {"threads": 2}),
        ("Metrics, one level of 2^14", "metrics", [24, 96, 240, 480], {"log2_samples": 14}),
        ("Levels of 2^14", "levels", [5, 20, 100], {"log2_samples": 14}),
        ("Threads, one level of 2^20", "threads", [1, 2], {"log2_samples": 20}),
    ):
        table, note = growth(name, values, **options)
        sections += [f"## {title}", table] + [note] * (name != "threads")
    OUTPUT.write_text("\n\n".join(sections) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
