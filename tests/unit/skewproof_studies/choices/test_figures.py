import pytest

from skewproof_studies.choices.fates import fates
from skewproof_studies.choices.figures import NOTHING_TO_DRAW, paths_figure, tpr_figure

pytestmark = pytest.mark.slow

LABELS = {"equal": "d = 2, b = 1", "wide": "d = 2, b = 0.7"}


def test_a_panel_a_metric_has_all_levels_and_the_limit(found, curves, registry):
    figure = paths_figure(found.points, found.limits, curves, registry=registry)
    panels = [axes for axes in figure.axes if axes.get_title()]
    assert [axes.get_title() for axes in panels[:2]] == ["$A$", "$v$"]
    accuracy = found.points[found.points["metric"] == "accuracy"]
    lines = {line.get_label(): line for line in panels[0].get_lines()}
    for level, own in accuracy.groupby("level"):
        assert list(lines[level].get_ydata()) == own["tpr"].to_list()
    assert list(lines["limit"].get_ydata()) == [0, 0]
    figure = paths_figure(found.points[:0], found.limits[:0], curves, registry=registry)
    assert figure.texts[0].get_text() == NOTHING_TO_DRAW


def test_metrics_with_the_same_points_share_a_line(found, registry):
    becomes = fates(found.points, found.limits)
    figure = tpr_figure(found.points, found.limits, becomes, LABELS, registry=registry)
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    (shared,) = {line.get_label() for line in lines if "," in line.get_label()}
    assert shared == "$v$, $F_1$"
    first = next(line for line in lines if line.get_label() == shared)
    own = found.points.query("metric == 'f1' and curve == 'equal'")["tpr"].to_list()
    assert list(first.get_ydata()) == [*own, 0]
    nothing = found.points[:0], found.limits[:0]
    figure = tpr_figure(*nothing, fates(*nothing), LABELS, registry=registry)
    assert figure.texts[0].get_text() == NOTHING_TO_DRAW
