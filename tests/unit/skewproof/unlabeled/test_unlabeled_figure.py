import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from skewproof import count_slices, score_unlabeled
from skewproof.reporting.style import VERMILION
from skewproof.unlabeled import check_estimates, plot_estimates

pytestmark = pytest.mark.slow

CELLS = {"true": [1, 1, 0, 0], "called": [1, 0, 1, 0]}


def predictions(month, *numbers):
    """Make labels and calls from the numbers of hits, misses, false alarms and the rest."""
    columns = {name: np.repeat(values, numbers) for name, values in CELLS.items()}
    return pd.DataFrame(columns | {"month": month})


REFERENCE = predictions("2026-01", 80, 20, 10, 990)
LATER = pd.concat(
    [
        predictions("2026-02", 40, 10, 20, 1930),
        predictions("2026-03", 990, 10, 900, 100),
        predictions("2026-04 $x$", 160, 40, 18, 1782),
    ]
)
SAID = score_unlabeled(LATER, REFERENCE, y_true="true", y_pred="called", by="month")


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def marks(axes):
    """List places and ends of the drawn intervals, and places and values of their dots."""
    (bars,) = axes.containers
    dots, _, (lines,) = bars
    ends = [(*segment[0], segment[1][1]) for segment in lines.get_segments()]
    return np.array(ends), np.transpose(dots.get_data()).astype(float)


def test_a_panel_for_each_metric_has_the_intervals_of_the_slices():
    figure = plot_estimates(SAID)
    figure.canvas.draw()
    assert [axes.get_ylabel() for axes in figure.axes] == ["prevalence", "f1", "precision"]
    for axes, (_, rows) in zip(figure.axes, SAID.groupby("metric", sort=False), strict=True):
        known = rows.reset_index(drop=True).drop(index=1)
        ends, dots = marks(axes)
        assert ends == pytest.approx(np.column_stack([[0, 2], known["low"], known["high"]]))
        assert dots == pytest.approx(np.column_stack([[0, 2], known["value"]]))
        ((position, text),) = [(label.get_position()[0], label.get_text()) for label in axes.texts]
        assert (position, text) == (1, "refused")
        assert axes.get_ylim()[0] == 0
        assert axes.get_legend() is None
    # A dollar sign in a key begins no formula.
    names = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
    assert names == ["2026-02", "2026-03", r"2026-04 \$x\$"]


def test_later_labels_are_marked():
    counts = count_slices(LATER, y_true="true", y_pred="called", by="month")
    checked = check_estimates(SAID, counts)
    for axes, (_, rows) in zip(
        plot_estimates(checked).axes, checked.groupby("metric", sort=False), strict=True
    ):
        (crosses,) = [line for line in axes.lines if line.get_color() == VERMILION]
        assert list(crosses.get_xdata()) == [0, 1, 2]
        assert crosses.get_ydata() == pytest.approx(rows["labeled_value"].to_numpy())
        assert [text.get_text() for text in axes.get_legend().get_texts()] == ["by labels"]


def test_one_slice_without_a_key():
    figure = plot_estimates(
        score_unlabeled(LATER[:2000], REFERENCE, y_true="true", y_pred="called", metrics="f1")
    )
    figure.canvas.draw()
    assert len(figure.axes) == 2
    assert len(marks(figure.axes[0])[0]) == 1
    assert [label.get_text() for label in figure.axes[-1].get_xticklabels()] == [""]


def test_metrics_below_0_are_seen_whole():
    figure = plot_estimates(
        score_unlabeled(
            LATER[:2000],
            REFERENCE,
            y_true="true",
            y_pred="called",
            metrics=["mcc", "(tp-9*fp)/(P+N)"],
        )
    )
    lowest = [axes.get_ylim()[0] for axes in figure.axes]
    assert lowest[:2] == [0, 0]
    assert lowest[2] < marks(figure.axes[2])[0][0, 1]
