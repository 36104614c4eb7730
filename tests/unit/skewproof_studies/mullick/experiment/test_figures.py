"""Figures 3, 4 and 5."""

import pytest

from skewproof_studies.mullick.experiment.figures import (
    figure_3,
    figure_4,
    figure_5,
    problem_labels,
)
from skewproof_studies.mullick.paper import (
    FIGURE_4A,
    FIGURE_5,
    MULTICLASS_NAMES,
    TWO_CLASS_NAMES,
)

pytestmark = pytest.mark.slow


def test_every_measure_has_a_marker_for_every_problem(evaluated):
    tables, labels = evaluated.tables, problem_labels(evaluated.sizes)
    assert labels == {"two": "two\nIR 5", "three": "three\nIR 4"}
    first = figure_3(tables["variability"], labels)
    second = figure_4(tables["variability"], labels)
    third = figure_5(tables["minima"], labels)
    names = [
        [text.get_text() for text in axes.get_legend().get_texts()]
        for figure in (first, second, third)
        for axes in figure.axes
    ]
    assert names == [
        list(TWO_CLASS_NAMES.values()),
        [MULTICLASS_NAMES[key] for key in FIGURE_4A],
        ["ACSA", "nAUROC-OVA"],
        [MULTICLASS_NAMES[key] for key in FIGURE_5],
    ]
    # Markers are at the values, and bars reach one standard error.
    rows = tables["variability"].query("classes == 2").set_index("index")
    for container, key in zip(first.axes[0].containers, TWO_CLASS_NAMES, strict=True):
        line, _, (bar,) = container
        value, error = rows.loc[key, ["sd", "standard_error"]]
        assert line.get_ydata().tolist() == pytest.approx([value])
        ends = bar.get_segments()[0][:, 1]
        assert ends.tolist() == pytest.approx([value - error, value + error])
