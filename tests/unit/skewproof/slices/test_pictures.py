from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

from skewproof import explain_change, watch_drift
from skewproof.core.data.label_texts import slice_name
from skewproof.metrics import METRICS
from skewproof.slices.pictures import plot_changes

pytestmark = pytest.mark.slow

CELLS = ["tp", "fp", "fn", "tn"]


def months(*rows, **columns):
    """Make a row of counts per month."""
    return pd.DataFrame(list(rows), columns=CELLS).assign(**{"month": range(len(rows))} | columns)


@pytest.fixture(scope="module")
def changes():
    """Fifty months, the tenth without positives and without a call, against the first."""
    number = np.arange(50)
    positives = np.where(number == 9, 0, 100 - number)
    tp = positives * 4 // 5
    fp = np.where(number == 9, 0, 50 + number)
    counts = pd.DataFrame({"month": number, "tp": tp, "fp": fp, "fn": positives - tp, "tn": 900})
    return explain_change(counts, metrics=["f1"], reference={"month": 0})


def test_the_largest_changes_are_drawn(changes):
    figure = plot_changes(changes)
    assert "the 40 of 49 with the largest differences" in figure.get_suptitle()
    # F1 falls from month to month, so the first ones are left out.
    names = [label.get_text() for label in figure.axes[-1].get_xticklabels()]
    assert names == [str(month) for month in range(10, 50)]


def test_bars_end_at_the_difference():
    """Parts that raise a metric stand on each other above 0, the others hang below."""
    counts = months((80, 50, 20, 900), (30, 80, 5, 950), (99, 50, 99, 700))
    changes = explain_change(counts, metrics=["f1", "laplace"], reference={"month": 0})
    panels = plot_changes(changes).axes[1::2]
    for axes, (_, rows) in zip(panels, changes.groupby("metric", sort=False), strict=True):
        heights, bottoms = (
            np.array([[getattr(bar, get)() for bar in part] for part in axes.containers])
            for get in ("get_height", "get_y")
        )
        raised = heights.clip(min=0).sum(axis=0)
        np.testing.assert_allclose(
            np.maximum(bottoms, bottoms + heights).max(axis=0), raised, atol=1e-12
        )
        np.testing.assert_allclose(heights.sum(axis=0), rows["difference"], atol=1e-12)
    assert len(heights) == 3  # of the Laplace estimate, with the size


@pytest.mark.parametrize("classes", [(), (0, 2)])
def test_parts_of_classes_replace_that_of_the_classifier(classes):
    rows = [
        (month, true, predicted) for month in "ab" for true in range(3) for predicted in range(3)
    ]
    counts = pd.DataFrame(rows, columns=["month", "true", "predicted"])
    counts["count"] = [30, 2, 3, 4, 20, 5, 6, 7, 50, 80, 5, 3, 9, 9, 4, 4, 5, 20]
    changes = explain_change(counts, metrics="macro_f1", reference={"month": "a"}, classes=classes)
    axes = plot_changes(changes).axes[1]
    heights = [part[0].get_height() for part in axes.containers]
    names = ["prevalence_part", *(f"part_of_{label}" for label in classes), "classifier_part"]
    expected = changes[names].iloc[0].tolist()
    expected[-1] -= sum(expected[1:-1])
    assert heights == pytest.approx(expected)
    assert sum(heights) == pytest.approx(changes["difference"][0])


def test_a_slice_without_positives_has_a_place(changes):
    figure = plot_changes(changes[changes["month"].isin([8, 9])])
    names = [label.get_text() for label in figure.axes[1].get_xticklabels()]
    assert names == ["8", "9"]
    for axes in figure.axes:
        (not_assessable,) = axes.texts
        assert not_assessable.get_text() == "n/a"
        assert not_assessable.get_position()[0] == 1


def test_no_slices(changes):
    with pytest.raises(ValueError, match="changes has no rows: expected a slice in each"):
        plot_changes(changes[:0])


DOLLARS = ["$0-$50", "$$", "x$_y$"]
"""Names that Matplotlib would read as formulas; the second is not a formula."""


def drawn_texts(figure):
    """List the drawn texts, each with whether it is drawn as a formula."""
    texts = [text for text in figure.findobj(mpl.text.Text) if text.get_text()]
    return [text._preprocess_math(text.get_text()) for text in texts]


def test_dollar_signs_are_drawn_as_they_are():
    named = months(*[(80, 50, 20, 900)] * 3, month=DOLLARS).rename(columns={"month": "$k$"})
    metric = replace(METRICS["f1"], key="$m$")
    changes = explain_change(named, metrics=[metric], reference={"$k$": DOLLARS[0]})
    drift = watch_drift(
        named, time="$k$", metrics=[metric], reference={"$k$": DOLLARS[0]}, order=list(DOLLARS)
    )
    for figure in (plot_changes(changes), drift.plot()):
        drawn = drawn_texts(figure)
        assert {*DOLLARS[1:], "$k$", "$m$"} <= {text for text, _ in drawn}
        assert not any(math for _, math in drawn)
        figure.draw_without_rendering()


def test_keys_may_be_numbers():
    numbered = months(*[(80, 50, 20, 900)] * 2).rename(columns={"month": 0})
    changes = explain_change(numbered, metrics=["f1"], reference={0: 0})
    drift = watch_drift(numbered, time=0, metrics=["f1"], reference={0: 0})
    for figure in (plot_changes(changes), drift.plot()):
        assert figure.axes[-1].get_xlabel() == "0"


@pytest.mark.parametrize("slices", [1, 6])
def test_legends_and_marks_are_within(slices):
    """A metric with a part for the size, the longest legend, and a name of several lines."""
    tp = 80 - 7 * np.arange(slices + 1)
    counts = pd.DataFrame({"month": range(slices + 1), "tp": tp, "fp": 90, "fn": 20, "tn": 810})
    metrics = [
        "laplace",
        replace(METRICS["f1"], key="a metric with a name of " + "many words " * 6),
    ]
    figure = plot_changes(explain_change(counts, metrics=metrics, reference={"month": 0}))
    figure.draw_without_rendering()
    for axes in figure.axes:
        frame = axes.get_legend().get_window_extent()
        assert figure.bbox.x0 <= frame.x0 < frame.x1 <= figure.bbox.x1
        low, high = axes.get_ylim()
        marks = np.concatenate([line.get_ydata() for line in axes.lines])
        assert low + 0.05 * (high - low) < marks.min()
        assert marks.max() < high - 0.05 * (high - low)


def test_values_limits_and_dates_are_drawn():
    good, bad = (160, 250, 40, 4750), (60, 250, 140, 4750)
    drift = watch_drift(months(*[good] * 4, *[bad] * 2), time="month", metrics=["f1"])
    figure = drift.plot()
    for axes, (name, rows) in zip(
        figure.axes, drift.table.groupby("series", sort=False), strict=True
    ):
        lines = {line.get_label(): line for line in axes.lines}
        assert lines["value"].get_ydata().tolist() == rows["value"].tolist()
        assert lines["expected"].get_ydata().tolist() == rows["expected"].tolist()
        assert axes.get_ylabel() == name
    of_tpr, of_fpr, _ = figure.axes
    (steps,) = (some for some in of_tpr.collections if some.get_label() == "rate")
    segments = [segment.tolist() for segment in steps.get_segments()]
    assert segments == [[[-0.5, 0.8], [3.5, 0.8]], [[3.5, 0.3], [5.5, 0.3]]]
    (region,) = of_tpr.patches
    assert region.get_label() == "since"
    assert (region.get_x(), region.get_x() + region.get_width()) == (3.5, 4.5)
    assert not of_fpr.patches


def test_slices_are_drawn_beside_each_other():
    rows = [(shop, month, 80, 50, 20, 950) for shop in "ABCDE" for month in range(3)]
    counts = pd.DataFrame(rows, columns=["shop", "month", *CELLS])
    changed = counts["shop"].eq("E") & counts["month"].gt(0)
    counts.loc[changed, ["tp", "fn"]] = 20, 80
    figure = watch_drift(counts, time="month", metrics=["f1"]).plot()
    assert [axes.get_title() for axes in figure.axes[:4]] == ["E", "A", "B", "C"]
    assert len(figure.axes) == 12
    assert figure.get_suptitle().startswith("4 of 5 slices, any alarm with probability 0.05")


def test_names_of_slices():
    assert slice_name([pd.Timestamp("2026-05-01"), float("nan"), "x" * 100]) == (
        "2026-05-01, missing, xxxxxxxxxxxxx... (100 characters)"
    )
    assert slice_name(["2026-05-01 12:00:00"]) == "2026-05-01 12:00:00"


def test_drawing_leaves_no_style_behind(changes):
    before = dict(mpl.rcParams)
    plot_changes(changes[:1])
    assert dict(mpl.rcParams) == before
