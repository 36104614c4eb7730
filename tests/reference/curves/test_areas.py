"""Areas compared with another library's, and the coverage in docs/evidence/area_coverage.md."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hmeasure import h_score
from scipy import stats

from skewproof.curves.areas.area import area
from skewproof.curves.areas.area_interval import area_interval
from skewproof.curves.areas.binormal import binormal_area

IMAGES = Path(__file__).parents[3] / "docs/images"
COVERAGE = pd.read_csv(IMAGES / "area_coverage.csv")
TIES = pd.read_csv(IMAGES / "area_coverage_ties.csv")
ELSEWHERE = pd.read_csv(IMAGES / "area_coverage_elsewhere.csv")


@pytest.mark.parametrize("ratio", ["equal", "prior", "default of R"])
def test_h_measure_is_that_of_hmeasure_with_each_prior(ratio):
    """Its severity ratio of 1 is Beta(2, 2), one below 0 the prior of 2014, none that of R."""
    for seed in range(40):
        random = np.random.default_rng(seed)
        true = np.array([0, 1, *random.integers(0, 2, 20)])
        scores = (random.random(22) + 0.3 * true).round(seed % 3 + 1) / 1.5
        positives = int(true.sum())
        options = {
            "equal": (1.0, (2, 2)),
            "prior": (-1.0, "prior"),
            "default of R": (None, (2, 1 + (22 - positives) / positives)),
        }
        severity, costs = options[ratio]
        expected = h_score(true, scores, severity_ratio=severity)
        assert area("h_measure", true, scores, costs=costs) == pytest.approx(expected, abs=1e-12)


def test_the_values_to_cover():
    for row in COVERAGE.itertuples():
        positives, negatives = map(int, row.sizes.split(":"))
        level = f"1:{negatives // positives}"
        value = binormal_area(row.area, level, mean=row.mean, deviation=row.deviation)
        assert row.value == pytest.approx(value, abs=1e-6)
        assert row.covered + row.above + row.below == pytest.approx(1, abs=3e-6)


def test_the_values_to_cover_where_scores_are_tied():
    """Precision at each value times the positives that have it, and pairs that are won."""
    normal = stats.norm([[2.0], [0.0]])
    borders = np.arange(-495, 700, 10) / 100
    below_borders = np.column_stack([[0, 0], normal.cdf(borders), [1, 1]])
    shares = {
        "two values": np.array([[4, 6], [9, 1]]) / 10,
        "five values": np.array([[5, 10, 20, 30, 35], [40, 30, 15, 10, 5]]) / 100,
        "normal, rounded to 0.1": np.diff(below_borders),
    }
    for row in TIES.itertuples():
        positives, negatives = map(int, row.sizes.split(":"))
        of_positives, of_negatives = shares[row.scores]
        if row.area == "auc":
            below = np.cumsum(of_negatives) - of_negatives / 2
            value = of_positives @ below
        else:
            skew = negatives / positives if row.area == "average_precision" else 1
            tpr, fpr = (np.cumsum(part[::-1])[::-1] for part in (of_positives, of_negatives))
            value = of_positives @ (tpr / (tpr + skew * fpr))
        assert row.value == pytest.approx(value, abs=1e-6)
        assert row.covered + row.above + row.below == pytest.approx(1, abs=3e-6)


def measured_again(kind, value, repetitions=300, **options):
    """Return the share of intervals that cover a value, and their widths, from other samples."""
    true = np.repeat([1, 0], [20, 200])
    covered, widths = 0, []
    for seed in range(repetitions):
        scores = np.random.default_rng(1000 + seed).normal(2.0 * true)
        interval = area_interval(kind, true, scores, draws=500, **options)
        covered += interval.low <= value <= interval.high
        widths.append(interval.high - interval.low)
    return covered / repetitions, widths


@pytest.mark.slow
def test_a_row_is_measured_again():
    """Both counts of intervals that cover are binomial, since the samples are drawn anew."""
    row = COVERAGE.query("area == 'auc' and sizes == '20:200' and mean == 2").iloc[0]
    covered, widths = measured_again("auc", row["value"])
    assert covered == pytest.approx(row["covered"], abs=4 * np.sqrt(2 * 0.05 / 300))
    assert np.mean(widths) == pytest.approx(row["width"], rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("at", "prevalence"), [("1:1000", 1 / 1001), ("1:1", 1 / 2)])
def test_a_row_at_another_prevalence_is_measured_again(at, prevalence):
    """Other samples give the mean precision at the scores of positives."""
    chosen = ELSEWHERE.query("area == 'average_precision' and sizes == '20:200' and mean == 2")
    row = chosen[chosen["known"] == at].iloc[0]
    assert row.covered + row.above + row.below == pytest.approx(1, abs=3e-6)
    scores = stats.norm(2).ppf((np.arange(10**5) + 0.5) / 10**5)
    right, wrong = prevalence * stats.norm(2).sf(scores), (1 - prevalence) * stats.norm.sf(scores)
    value = np.mean(right / (right + wrong))
    covered, widths = measured_again("average_precision", value, at=at)
    of_both = np.sqrt(1 / 300 + 1 / row["repetitions"])
    assert covered == pytest.approx(row["covered"], abs=4 * of_both * np.sqrt(0.05))
    assert np.mean(widths) == pytest.approx(row["width"], abs=4 * of_both * np.std(widths))
