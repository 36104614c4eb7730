from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_text import figure_text
from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED
from skewproof_studies.van_zyl.figures.index_figures import convergence_figure, sweep_figure
from skewproof_studies.van_zyl.figures.point_figures import pr_point_figure, roc_point_figure
from skewproof_studies.van_zyl.figures.verdict_figures import ranking_figure, verdict_figure
from skewproof_studies.van_zyl.verdicts.robustness import INTEGRAL
from skewproof_studies.van_zyl.verdicts.verdicts import JUDGES
from written import check_written

REGISTRY = METRICS.extended([parse_metric("tp/P", key="mine")])


def product(**columns):
    """Make a row of each combination."""
    return pd.MultiIndex.from_product(columns.values(), names=columns).to_frame(index=False)


def sweep():
    """Indices that add to 1 and move with the imbalance."""
    table = product(negatives_per_positive=[0.1, 1.0, 10.0, 100.0], metric=["accuracy", "mine"])
    s1_tp = 1 / (1.3 + table["negatives_per_positive"])
    return table.assign(s1_tp=s1_tp, s1_fp=0.9 - s1_tp, s12=0.1)


def convergence():
    """Errors of tp that are twice those of fp."""
    table = product(
        log2_samples=range(5, 8), level=["1:1", "1:10"], metric=["mcc"], input=["tp", "fp"]
    )
    error = 0.1 / table["log2_samples"] * table["input"].map({"tp": 1, "fp": 0.5})
    return table.assign(error=error, s1_conf=10 * error)


def verdicts():
    """All judges agree but on MCC."""
    alike = {"mcc_i": SAME, "mcc": UNDECIDED, "accuracy": DIFFERS}
    table = pd.DataFrame({"metric": list(alike), "level": "1:10", "agree": [True, False, True]})
    table = table.assign(**dict.fromkeys(JUDGES, table["metric"].map(alike)))
    return table.assign(exact=table["exact"].replace(UNDECIDED, DIFFERS))


def ranked(keys):
    """Draw shifts of 0, a tenth and two tenths a step at 1:1, 1:2 and 1:100, steps 0, 1 and 2."""
    table = product(step=range(3), rank=range(3))
    shift = 0.1 * table["rank"] * table["step"]
    table = table.assign(
        level=table["step"].map(["1:1", "1:2", "1:100"].__getitem__),
        metric=table["rank"].map(keys.__getitem__),
    )
    choices = table.assign(choice=INTEGRAL, mean_deviation=2 * shift).query("step > 0")
    exact = table.assign(tp=0.4 + shift, fp=0.4 - 0.5 * shift).melt(
        ["metric", "level"], ["tp", "fp"], var_name="input", value_name="s1"
    )
    ranking = pd.DataFrame({"metric": keys})
    return ranking_figure(ranking, choices, exact, baseline="1:1", registry=METRICS)


@pytest.mark.slow
def test_the_figures():
    check_written(
        Path(__file__).with_name("figures.txt"),
        figure_1=figure_text(roc_point_figure()),
        figure_2=figure_text(pr_point_figure()),
        sweep=figure_text(sweep_figure(sweep(), registry=REGISTRY)),
        larger_errors=figure_text(convergence_figure(convergence(), registry=REGISTRY)),
        mcc_is_framed=figure_text(verdict_figure(verdicts(), registry=METRICS)),
        ranking=figure_text(ranked(["mcc_i", "mcc", "accuracy"])),
    )


@pytest.mark.parametrize("draw", [roc_point_figure, pr_point_figure])
def test_the_parts_add_up_to_the_area(draw):
    def shoelace(corners):
        x, y = corners.T
        return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2

    (axes,) = draw().axes
    total = sum(shoelace(patch.get_xy()[:-1]) for patch in axes.patches)
    assert axes.get_title().endswith(f"{total:.3f}")


@pytest.mark.slow
def test_last_bits_change_no_label():
    above = np.nextafter(0.5, 1)
    figures = [
        sweep_figure(sweep().assign(s1_tp=tp, s1_fp=fp, s12=0.0), registry=REGISTRY)
        for tp, fp in ((0.5, 0.5), (0.5, above), (above, 0.5))
    ]
    assert len(set(map(figure_text, figures))) == 1
