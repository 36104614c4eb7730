import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba

from skewproof.metrics import METRICS
from skewproof.reporting.style import FRAME
from skewproof.sensitivity.behavior_types import DIFFERS, SAME, UNDECIDED
from skewproof_studies.van_zyl.figures.verdict_figures import ranking_figure, verdict_figure
from skewproof_studies.van_zyl.verdicts.robustness import INTEGRAL
from skewproof_studies.van_zyl.verdicts.verdicts import JUDGES

pytestmark = pytest.mark.slow

KEYS = ["mcc_i", "mcc", "accuracy"]
LABELS = [f"{key}  ${METRICS[key].symbol}$" for key in KEYS]


def labels(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def test_what_is_at_odds_is_framed_and_marks_tell_the_verdicts_apart():
    """All judges agree but on MCC."""
    alike = {"mcc_i": SAME, "mcc": UNDECIDED, "accuracy": DIFFERS}
    table = pd.DataFrame({"metric": KEYS, "level": "1:10", "agree": [True, False, True]})
    table = table.assign(**dict.fromkeys(JUDGES, table["metric"].map(alike)))
    verdicts = table.assign(exact=table["exact"].replace(UNDECIDED, DIFFERS))
    figure = verdict_figure(verdicts, registry=METRICS)
    assert labels(figure) == LABELS
    for axes in figure.axes:
        assert [patch.get_y() + 0.5 for patch in axes.patches] == [1]
        assert {patch.get_edgecolor() for patch in axes.patches} == {to_rgba(FRAME)}
    panels = dict(zip(JUDGES, figure.axes, strict=True))
    marks = {
        name: [drawn.get_offsets().tolist() for drawn in panels[name].collections[1:]]
        for name in ("symbolic", "exact")
    }
    assert marks == {"symbolic": [[[0, 2]], [[0, 1]]], "exact": [[[0, 1], [0, 2]], []]}


def test_the_ranking_shows_both_shifts_of_each_level():
    """MCC shifts by a tenth a step at 1:1, 1:2 and 1:100, steps 0, 1 and 2, accuracy by two."""
    steps = pd.MultiIndex.from_product([range(3), range(3)], names=["step", "rank"])
    steps = steps.to_frame(index=False)
    shift = 0.1 * steps["rank"] * steps["step"]
    table = steps.assign(level=steps["step"].map(["1:1", "1:2", "1:100"].__getitem__))
    table["metric"] = steps["rank"].map(KEYS.__getitem__)
    choices = table.assign(choice=INTEGRAL, mean_deviation=2 * shift).query("step > 0")
    exact = table.assign(tp=0.4 + shift, fp=0.4 - 0.5 * shift).melt(
        ["metric", "level"], ["tp", "fp"], var_name="input", value_name="s1"
    )
    ranking = pd.DataFrame({"metric": KEYS})
    figure = ranking_figure(ranking, choices, exact, baseline="1:1", registry=METRICS)
    assert labels(figure) == LABELS
    assert figure.axes[0].get_xlabel() == "mean shift of the metric scaled to [0, 1]"
    surfaces, indices = ([line.get_xdata() for line in axes.lines] for axes in figure.axes)
    np.testing.assert_allclose(surfaces, [[0, 0.2, 0.4], [0, 0.4, 0.8]])
    np.testing.assert_allclose(indices, [[0, 0.1, 0.2], [0, 0.2, 0.4]])
