"""Pictures of decision curves."""

import itertools

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from skewproof import decision_curve
from skewproof.core.confusion import ConfusionMatrix
from skewproof.decisions import implied_thresholds
from skewproof.plot import DecisionCurveDisplay

RANDOM = np.random.default_rng(4)
TRUE = np.repeat([1, 0], [60, 240])
SCORE = RANDOM.normal(1.5 * TRUE)
P = {"first": 1 / (1 + np.exp(2 - 1.5 * SCORE)), "second": 1 / (1 + np.exp(1.4 - 0.1 * SCORE))}


def lines_of(display):
    return {line.get_label(): line for line in display.ax_.get_lines()}


@pytest.mark.parametrize("quantity", ["net_benefit", "standardized", "interventions_avoided"])
@pytest.mark.slow
def test_lines_and_bands_are_the_curves(quantity):
    display = DecisionCurveDisplay.from_predictions(TRUE, P, quantity=quantity)
    curve = decision_curve(TRUE, P)
    lines = lines_of(display)
    assert list(lines) == ["first", "second", "treat all", "treat none"]
    assert len(display.ax_.collections) == 4
    for band, (name, rows) in zip(
        display.ax_.collections, curve.groupby("model", sort=False), strict=True
    ):
        assert np.array_equal(lines[name].get_xdata(), rows["threshold"])
        assert np.array_equal(lines[name].get_ydata(), rows[quantity])
        edges = set(band.get_paths()[0].vertices[:, 1])
        assert set(rows[f"{quantity}_low"]) | set(rows[f"{quantity}_high"]) <= edges
    assert "in the population" in display.ax_.get_title()
    drawn = "first, second, treat all, treat none"
    assert repr(display) == f"DecisionCurveDisplay({quantity} of {drawn})"


@pytest.mark.slow
def test_metrics_are_marked_at_the_first_models_classifier():
    metrics = ["f1", "accuracy", "youden_j", "balanced_accuracy", "true_positive_rate"]
    display = DecisionCurveDisplay.from_predictions(
        TRUE, P, metrics=metrics, cutoff=0.3, at="1:20", thresholds=[0.02, 0.5, 0.9]
    )
    called = P["first"] >= 0.3
    matrix = ConfusionMatrix.from_labels(TRUE, called.astype(int))
    expected = implied_thresholds(matrix, metrics=metrics, at="1:20")
    pd.testing.assert_frame_equal(display.implied, expected)
    assert names_above(display) == {
        "f1": expected["threshold"][0],
        "accuracy": 0.5,
        "youden_j, balanced_accuracy": pytest.approx(1 / 21),
    }


def names_above(display):
    """List names of marks and their places on the axis of thresholds."""
    (above,) = display.ax_.child_axes
    names = (label.get_text() for label in above.get_xticklabels())
    return dict(zip(names, above.get_xticks(), strict=True))


@pytest.mark.slow
def test_names_of_marks_are_between_the_picture_and_its_title():
    metrics = ["f1", "mcc", "balanced_accuracy", "accuracy"]
    display = DecisionCurveDisplay.from_predictions(TRUE, P, metrics=metrics, cutoff=0.3)
    display.figure_.draw_without_rendering()
    (above,) = display.ax_.child_axes
    boxes = [label.get_window_extent() for label in above.get_xticklabels()]
    title = display.ax_.title.get_window_extent()
    for box in boxes:
        assert display.ax_.bbox.y1 <= box.y0 < box.y1 <= title.y0
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(boxes))
    lines = [line for line in display.ax_.get_lines() if line.get_label().startswith("_")]
    drawn = sorted(line.get_xdata()[0] for line in lines)
    assert drawn == sorted(set(display.implied["threshold"]))


@pytest.mark.slow
def test_marks_that_are_near_have_their_names_in_one_place():
    implied = pd.DataFrame({"metric": ["a", "b", "c"], "threshold": [0.3, 0.301, 0.6]})
    curve = decision_curve(TRUE, P, thresholds=[0.1, 0.9])
    display = DecisionCurveDisplay(curve=curve, implied=implied).plot()
    assert names_above(display) == {"a, b": 0.3, "c": 0.6}


@pytest.mark.slow
def test_simultaneous_bands_are_drawn():
    given = {"simultaneous": True, "rng": 3, "thresholds": [0.1, 0.2, 0.4]}
    display = DecisionCurveDisplay.from_predictions(TRUE, P["first"], **given)
    pd.testing.assert_frame_equal(display.curve, decision_curve(TRUE, P["first"], **given))
    assert "95 % simultaneous bands" in " ".join(display.ax_.get_title().split())


@pytest.mark.slow
def test_rare_positives_have_a_logarithmic_axis():
    assert DecisionCurveDisplay.from_predictions(TRUE, P).ax_.get_xscale() == "linear"
    assert DecisionCurveDisplay.from_predictions(TRUE, P, at="1:1000").ax_.get_xscale() == "log"


@pytest.mark.slow
def test_an_estimator_gives_the_probabilities_of_the_label():
    labels = np.where(TRUE == 1, "ill", "well")
    estimator = LogisticRegression().fit(SCORE[:, np.newaxis], labels)
    display = DecisionCurveDisplay.from_estimator(
        estimator, SCORE[:, np.newaxis], labels, pos_label="ill", thresholds=[0.2, 0.4]
    )
    p = 1 - estimator.predict_proba(SCORE[:, np.newaxis])[:, 1]
    expected = decision_curve(TRUE, p, thresholds=[0.2, 0.4])["net_benefit"]
    assert display.curve["net_benefit"].tolist() == pytest.approx(expected.tolist())
    assert display.curve["model"][0] == "LogisticRegression"
    with pytest.raises(ValueError, match="pos_label = 'sick': expected one of the classes"):
        DecisionCurveDisplay.from_estimator(
            estimator, SCORE[:, np.newaxis], labels, pos_label="sick"
        )
