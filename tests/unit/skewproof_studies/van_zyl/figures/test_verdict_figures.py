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

KEYS = ["mcc_i", "mcc", "accuracy"]
LABELS = [f"{key}  ${METRICS[key].symbol}$" for key in KEYS]


def labels(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


@pytest.fixture(scope="module")
def verdicts():
    """All judges agree but on MCC."""
    alike = {"mcc_i": SAME, "mcc": UNDECIDED, "accuracy": DIFFERS}
    table = pd.DataFrame({"metric": KEYS, "level": "1:10", "agree": [True, False, True]})
    table = table.assign(**dict.fromkeys(JUDGES, table["metric"].map(alike)))
    return table.assign(exact=table["exact"].replace(UNDECIDED, DIFFERS))


@pytest.mark.slow
def test_what_is_at_odds_is_framed(verdicts):
    figure = verdict_figure(verdicts, registry=METRICS)
    assert len(figure.axes) == len(JUDGES)
    assert labels(figure) == LABELS
    for axes in figure.axes:
        assert [patch.get_y() + 0.5 for patch in axes.patches] == [1]
        assert {patch.get_edgecolor() for patch in axes.patches} == {to_rgba(FRAME)}


@pytest.mark.slow
def test_marks_tell_the_verdicts_apart(verdicts):
    panels = dict(zip(JUDGES, verdict_figure(verdicts, registry=METRICS).axes, strict=True))
    differ, undecided = (
        marks.get_offsets().tolist() for marks in panels["symbolic"].collections[1:]
    )
    assert (differ, undecided) == ([[0, 2]], [[0, 1]])
    differ, undecided = (marks.get_offsets().tolist() for marks in panels["exact"].collections[1:])
    assert (differ, undecided) == ([[0, 1], [0, 2]], [])


@pytest.mark.slow
def test_the_ranking_shows_both_shifts_of_each_level():
    levels = {"1:1": 0, "1:2": 1, "1:100": 2}
    shifts = {key: 0.1 * rank for rank, key in enumerate(KEYS)}
    choices = pd.DataFrame(
        [(INTEGRAL, key, level, 2 * shift * levels[level])
         for key, shift in shifts.items() for level in ("1:2", "1:100")],
        columns=["choice", "metric", "level", "mean_deviation"],
    )  # fmt: skip
    exact = pd.DataFrame(
        [(key, level, name, 0.4 + sign * shift * step)
         for key, shift in shifts.items() for level, step in levels.items()
         for name, sign in (("tp", 1), ("fp", -0.5))],
        columns=["metric", "level", "input", "s1"],
    )  # fmt: skip
    ranking = pd.DataFrame({"metric": KEYS})
    figure = ranking_figure(ranking, choices, exact, baseline="1:1", registry=METRICS)
    assert labels(figure) == LABELS
    assert figure.axes[0].get_xlabel() == "mean shift of the metric scaled to [0, 1]"
    surfaces, indices = ([line.get_xdata() for line in axes.lines] for axes in figure.axes)
    np.testing.assert_allclose(surfaces, [[0, 0.2, 0.4], [0, 0.4, 0.8]])
    np.testing.assert_allclose(indices, [[0, 0.1, 0.2], [0, 0.2, 0.4]])
