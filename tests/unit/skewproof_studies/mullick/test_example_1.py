"""Example 1 of Mullick et al."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

from figure_text import figure_text
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import auroc_ova
from skewproof_studies.mullick.example_1 import (
    HALF_DISTANCE_OF_MEANS,
    auroc_ova_of_share,
    distortion_figure,
    fitting_half_distances,
    precision_of_border,
    printed_values,
    simulated_auroc_ova,
    simulated_precision,
    summarize_distortions,
)
from written import check_written


@pytest.fixture(scope="module")
def precisions():
    return simulated_precision([1, 10], size=200_000, seed=1)


@pytest.fixture(scope="module")
def areas():
    return simulated_auroc_ova(size=2000, seed=1)


def test_printed_values_but_one():
    table = printed_values()
    assert table["printed"].tolist() == [0.93, 0.59, 0.70, 0.77]
    assert table["fitted"].tolist() == [True, True, False, False]
    assert table["agrees"].tolist() == [True, True, True, False]
    assert table["exact"].iloc[-1] == pytest.approx(0.76)


def test_the_half_distance_is_one_of_those_that_make_both_precisions():
    low, high = fitting_half_distances()
    assert low < HALF_DISTANCE_OF_MEANS < high
    # By integration of the densities: at either end one precision is half way between two digits.
    for distance, ratio, edge in ((low, 10, 0.585), (high, 1, 0.935)):
        tail = quad(lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), distance, np.inf)[0]
        assert (1 - tail) / (1 - tail + ratio * tail) == pytest.approx(edge, abs=1e-9)
    # No distance makes the precisions of different classifiers.
    low, high = fitting_half_distances({1: "0.93", 10: "0.70"})
    assert low > high


def test_simulated_precision_is_the_closed_form_within_its_noise(precisions):
    false_alarms = 200_000 * (1 / precisions["exact"] - 1) / precisions["ratio"]
    relative = 5 / np.sqrt(np.minimum(false_alarms, 20_000))
    distance = (precisions["value"] - precisions["exact"]).abs()
    assert (distance <= relative * (1 - precisions["exact"])).all()
    assert precision_of_border(4.0, 1) / precision_of_border(4.0, 10) > 1.5


def test_closed_form_is_the_measure_of_that_matrix(areas):
    counts = np.full((4, 4), 0.1) + 0.6 * np.eye(4)
    area = auroc_ova(MulticlassConfusionMatrix(counts))
    assert area == pytest.approx(auroc_ova_of_share(0.7, 4))
    np.testing.assert_allclose(areas["value"], areas["exact"], rtol=1e-12)
    values = [auroc_ova_of_share(0.6, classes) for classes in (3, 4, 5, 6)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == pytest.approx((0.70, 0.76))


@pytest.mark.slow
def test_the_report_and_the_figure(precisions, areas):
    check_written(
        Path(__file__).with_name("example_1.txt"),
        report=summarize_distortions(printed_values()),
        figure=figure_text(distortion_figure(precisions, areas)),
    )
