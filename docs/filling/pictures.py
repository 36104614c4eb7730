"""Draw ``docs/images`` from functions of the package and from the tables beside the pictures.

The tables are those of a run of the targets; ``python docs/filling/pictures.py --results results``
takes those that are there from a run before it draws. ``error_rates.csv``, ``coverage.csv`` and
``rejections.csv`` are written by ``make error-rates``.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml
from matplotlib import rc_context
from matplotlib.figure import Figure

from skewproof import Level, get_metric
from skewproof.metrics import METRICS, bounded, f1
from skewproof.plot.level_contours import contour_figure
from skewproof.reporting.style import STYLE
from skewproof.sensitivity import surface
from skewproof.sensitivity.quadrature.sweep import sweep
from skewproof_studies.burduk.claim import reactions
from skewproof_studies.burduk.figures import claim_figure
from skewproof_studies.burduk.tables import imbalance_ratio
from skewproof_studies.choices.figures import paths_figure
from skewproof_studies.choices.points import binormal_curves
from skewproof_studies.made_for_imbalance.measures import compared_measures
from skewproof_studies.made_for_imbalance.report import kinds_figure
from skewproof_studies.mullick.forgetting.figure import forgetting_figure
from skewproof_studies.survey.imbalance_figure import imbalance_figure
from skewproof_studies.tharwat.areas import areas_figure
from skewproof_studies.van_zyl.config import studied_metrics
from skewproof_studies.van_zyl.figures.index_figures import sweep_figure
from skewproof_studies.van_zyl.figures.verdict_figures import verdict_figure
from skewproof_studies.van_zyl.real_data.flips_summary import ranking_flips_figure

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks/evidence"))
import error_rates
import reliability
import rooms

PROJECT = Path(__file__).parents[2]
IMAGES = PROJECT / "docs/images"
CONFIG = yaml.safe_load((PROJECT / "config/paper.yaml").read_text(encoding="utf-8"))

TABLES = {
    "verdicts": "verdicts.csv",
    "ranking_flips": "ranking_flips.csv",
    "weights": "mullick/weights.csv",
    "forgetting": "mullick/forgetting.csv",
    "areas": "tharwat/areas.csv",
    "cluster_indices": "survey/cluster_indices.csv",
    "cluster_shifts": "survey/cluster_shifts.csv",
    "ranking_indices": "survey/ranking_indices.csv",
    "ranking_shifts": "survey/ranking_shifts.csv",
    "choices_points": "choices/points.csv",
    "choices_limits": "choices/limits.csv",
    "made_for_imbalance": "made_for_imbalance/kinds.csv",
}
"""Paths of the tables in a run, by name."""


SWEPT = ("accuracy", "f1", "mcc", "balanced_accuracy", "f1_i", "g_mean")
"""Metrics whose indices are drawn over imbalance."""


def table(name: str) -> pd.DataFrame:
    """Read the table of a name."""
    return pd.read_csv(IMAGES / f"{name}.csv")


def contours_of_f1() -> Figure:
    """Draw F1 at the levels of the study."""
    levels, grid = CONFIG["levels"], CONFIG["contours"]["grid"]
    surfaces = {
        name: surface(f1, Level.parse(name), CONFIG["positives"], grid=grid) for name in levels
    }
    return contour_figure(f1, surfaces)


def indices_over_imbalance() -> Figure:
    """Draw indices of three metrics that imbalance changes and of three that it does not."""
    start, stop = (Level.parse(CONFIG["sweep"][end]) for end in ("from", "to"))
    metrics = [bounded(get_metric(key)) for key in SWEPT]
    table = sweep(
        metrics,
        CONFIG["positives"],
        start=start,
        stop=stop,
        points_per_decade=CONFIG["sweep"]["points_per_decade"],
    )
    # Another processor's last digits would move lines that lie between two pixels.
    return sweep_figure(table.round(6), registry=METRICS)


def claim_on_hmnc() -> Figure:
    """Draw where Burduk's claim holds, for the class sizes of the paper."""
    study = CONFIG["burduk"]
    sizes = [
        {"positives": study["positives"], "negatives": negatives}
        for negatives in study["negatives"]
    ]
    return claim_figure(
        {imbalance_ratio(**one): reactions(**one, grid=study["grid"]) for one in sizes}
    )


def time_of_a_level() -> Figure:
    """Draw how long all indices of a level take on one core, by the number of base points."""
    page = (PROJECT / "benchmarks/speed/engine_growth.md").read_text(encoding="utf-8")
    measured = page.partition("## Base points, one level")[2].partition("##")[0]
    rows = re.findall(r"\| +(\d+) \| +([\d.]+) +\|", measured)
    log2_samples, seconds = np.array(rows, dtype=float).T
    with rc_context(STYLE):
        figure = Figure(figsize=(6, 3), layout="constrained")
        axes = figure.subplots()
        axes.plot(log2_samples, seconds, "o-")
        axes.axvline(CONFIG["sobol"]["log2_samples"], color="0.6", linestyle="--")
        axes.set(yscale="log", xlabel="base points", ylabel="seconds")
        axes.set_xticks(log2_samples, [f"$2^{{{power:.0f}}}$" for power in log2_samples])
    return figure


PICTURES: dict[str, Callable[[], Figure]] = {
    "f1": contours_of_f1,
    "verdicts": lambda: verdict_figure(table("verdicts"), registry=METRICS),
    "ranking_flips": lambda: ranking_flips_figure(table("ranking_flips"), registry=METRICS),
    "forgetting": lambda: forgetting_figure(table("weights"), table("forgetting")),
    "indices": indices_over_imbalance,
    "burduk": claim_on_hmnc,
    "choices": lambda: paths_figure(
        table("choices_points"),
        table("choices_limits"),
        binormal_curves(CONFIG["choices"]["curves"]),
        registry=METRICS,
    ),
    "made_for_imbalance": lambda: kinds_figure(
        table("made_for_imbalance"),
        compared_measures(
            {"keys": studied_metrics(CONFIG), "definitions": {}},
            CONFIG["made_for_imbalance"]["measures"],
        ),
    ),
    "areas": lambda: areas_figure(table("areas"), CONFIG["tharwat"]["separation"]),
    "survey": lambda: imbalance_figure(
        *map(table, ("cluster_indices", "cluster_shifts", "ranking_indices", "ranking_shifts"))
    ),
    "error_rates": lambda: error_rates.draw(table("error_rates")),
    "reliability": lambda: reliability.draw(table("coverage"), table("rejections")),
    "rooms": rooms.draw,
    "time_of_a_level": time_of_a_level,
}
"""Functions that draw the pictures of the pages, by name."""


def save(figure: Figure, path: Path, **options: Any) -> None:
    """Save a picture: the same figure is the same file under the same versions."""
    with rc_context(STYLE):
        figure.savefig(path, metadata={"Software": None}, **options)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--results", type=Path, help="the folder of a run, to take tables from")
    options = parser.parse_args()
    if options.results:
        for name, source in TABLES.items():
            if (options.results / source).exists():
                shutil.copyfile(options.results / source, IMAGES / f"{name}.csv")
    for name, draw in PICTURES.items():
        save(draw(), IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
