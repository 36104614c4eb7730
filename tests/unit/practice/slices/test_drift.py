"""Charts by hand, and courses of classifiers that change or do not."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from whole_html import texts_of

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.practice.prevalence import project
from skewproof.practice.slices.drift import Charts, cusums, thresholds, watch_drift

COLUMNS = ["tp", "fp", "fn", "tn"]
SAME, RARE, WORSE = [160, 250, 40, 4750], [16, 250, 4, 4750], [110, 250, 90, 4750]


def watched(*periods, **options):
    counts = pd.DataFrame(list(periods), columns=COLUMNS).assign(month=range(len(periods)))
    options = {"time": "month", "metrics": ["f1"], "reference": {"month": 0}} | options
    return watch_drift(counts, **options)


def test_sums_grow_with_what_exceeds_the_allowance():
    """By hand, 0.5 less each; NaN leaves them, and the larger of both directions is given."""
    scores = np.array([1.0, 2.0, np.nan, -3.0, -3.0, 0.0])
    assert cusums(scores).tolist() == [0.5, 2.0, 2.0, 2.5, 5.0, 4.5]
    assert cusums(-scores).tolist() == cusums(scores).tolist()


def test_thresholds_are_passed_by_the_stated_share_of_courses():
    random = np.random.default_rng(0)
    shared = random.normal(size=4000)
    charts = Charts(
        abs(shared + random.normal(size=4000)), abs(shared + random.exponential(size=4000))
    )
    band, cusum = thresholds(charts, 0.05)
    passed = (charts.band > band, charts.cusum > cusum)
    assert np.mean(passed[0] | passed[1]) == pytest.approx(0.05, abs=0.002)
    assert passed[0].mean() == pytest.approx(passed[1].mean(), abs=0.001)


def test_a_rarer_class_is_no_drift_and_a_worse_classifier_is():
    quiet = watched(SAME, RARE, SAME, RARE, SAME)
    assert quiet.alarms.empty
    f1 = quiet.table.query("series == 'f1'").set_index("month")
    assert f1.value[1] < 0.2 < 0.5 < f1.value[2]  # which a band at one prevalence calls decay
    assert (f1.low < f1.value).all()
    assert (f1.value < f1.high).all()
    assert (f1.expected / f1.value).between(0.9, 1.1).all()
    drift = watched(SAME, SAME, WORSE, WORSE, WORSE)
    assert set(drift.alarms.month) == {2, 3, 4}
    assert set(drift.alarms.series) == {"f1", "true_positive_rate"}


def test_a_value_is_outside_where_its_score_is_beyond_the_threshold():
    table = watched(SAME, SAME, WORSE, RARE).table
    band = watched(SAME, SAME, WORSE, RARE).band_threshold
    assert (table.outside == (table.score.abs() > band)).all()
    beyond = (table.value < table.low) | (table.value > table.high)
    assert (table.outside[beyond]).all()
    assert not (table.outside & ~beyond & (table.value != table.low)).any()


def test_periods_come_in_the_order_of_time_and_none_is_the_reference():
    counts = pd.DataFrame([WORSE, SAME, RARE], columns=COLUMNS)
    drift = watch_drift(
        counts.assign(month=["c", "a", "b"]),
        time="month",
        metrics=["f1", "f1_i"],
        reference={"month": "a"},
    )
    assert drift.table.month.tolist() == ["b", "c"] * 4
    series = ["true_positive_rate", "false_positive_rate", "f1", "f1_i"]
    assert drift.table.series.unique().tolist() == series
    assert drift.table.positives.tolist() == [20, 200] * 4


def test_a_validation_set_is_a_reference():
    matrix = ConfusionMatrix(*SAME)
    drift = watched(SAME, RARE, reference=matrix)
    assert drift.table.month.tolist() == [0, 1] * 3
    known = drift.table.query("series == 'false_positive_rate'")
    assert known.expected.tolist() == pytest.approx([0.05, 0.05], rel=0.02)


def test_what_can_t_be_known_is_nan_and_no_alarm():
    drift = watched(SAME, [0, 25, 0, 475], [8, 0, 2, 0], [0, 0, 0, 0])
    values = drift.table.pivot(index="month", columns="series", values="value")
    assert values.loc[1].isna().tolist() == [True, False, True]  # f1, fpr, tpr
    assert values.loc[2].isna().tolist() == [True, True, False]
    assert values.loc[3].isna().all()
    assert drift.alarms.empty


@pytest.mark.slow
def test_power_grows_with_the_change_and_falls_with_its_lateness():
    drift = watched(*[SAME] * 8)
    assert drift.power() == pytest.approx(drift.alpha, abs=0.02)
    assert drift.alpha < drift.power(tpr=-0.05) < drift.power(tpr=-0.1) < drift.power(tpr=-0.2)
    assert drift.power(fpr=0.03) > 0.9
    assert drift.power(tpr=-0.2, start=6) < drift.power(tpr=-0.2, start=1)
    with pytest.raises(ValueError, match="start = 9: expected 0 to 7"):
        drift.power(start=9)


def test_weights_make_less_of_the_same():
    counts = pd.DataFrame([SAME, SAME, WORSE], columns=COLUMNS).assign(month=range(3))
    weighted = counts.assign(positives_effective=20.0, negatives_effective=500.0)
    options = {"time": "month", "metrics": ["f1"], "reference": {"month": 0}}
    plain, less = (watch_drift(frame, **options).table for frame in (counts, weighted))
    assert less.value.tolist() == pytest.approx(plain.value.tolist())
    assert ((less.high - less.low) > 1.5 * (plain.high - plain.low)).all()


def test_the_same_seed_gives_the_same_numbers():
    once, again, other = (watched(SAME, RARE, WORSE, seed=seed) for seed in (3, 3, 4))
    assert once.band_threshold == again.band_threshold != other.band_threshold
    pd.testing.assert_frame_equal(once.table, again.table)


@pytest.mark.slow
def test_false_alarms_are_about_as_often_as_stated():
    """40 references with 6 periods of moving prevalence; at 0.2 a binomial number of alarms."""
    random = np.random.default_rng(2)
    alarms = 0
    for seed in range(40):
        reference = ConfusionMatrix.from_tp_fp(
            random.binomial(200, 0.8), random.binomial(2000, 0.1), positives=200, negatives=2000
        )
        positives = random.integers(5, 100, 6)
        tp, fp = random.binomial(positives, 0.8), random.binomial(1000, 0.1, 6)
        counts = pd.DataFrame({"tp": tp, "fp": fp, "fn": positives - tp, "tn": 1000 - fp})
        counts["week"] = range(6)
        options = {"time": "week", "metrics": ["f1"], "alpha": 0.2, "seed": seed}
        alarms += len(watch_drift(counts, reference=reference, **options).alarms) > 0
    low, high = stats.binom(40, 0.2).interval(0.998)
    assert low <= alarms <= high


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reference": None}, "reference = None: expected a period or a confusion matrix"),
        ({"alpha": 0}, "alpha = 0: expected a number between 0 and 1"),
        ({"time": "week"}, "counts have the keys month: expected 'week' alone"),
        ({"reference": {"month": 7}}, r"reference\['month'\] = 7: there are 0, 1"),
        ({"reference": ConfusionMatrix(0, 1, 0, 1)}, "reference has an empty class: expected"),
        ({"reference": ConfusionMatrix([1, 2], 1, 1, 1)}, "reference has the shape"),
        ({"reference": ConfusionMatrix(*[1e90] * 4)}, r"reference has 2e\+90 positives: expected"),
        (
            {"reference": project(ConfusionMatrix(9, 4, 3, 20), to="1:1000")},
            "reference is projected to 1:1000: expected counts of instances that were observed",
        ),
        ({"metrics": "f1"}, "metrics = 'f1': expected a list"),
        ({"seed": -1}, "seed = -1: expected a whole number of at least 0"),
    ],
)
def test_bad_options_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        watched(SAME, RARE, **change)


def test_a_time_with_the_name_of_a_column_is_refused():
    counts = pd.DataFrame([SAME, RARE], columns=COLUMNS).assign(series=range(2))
    with pytest.raises(ValueError, match="counts have the key 'series', as a column of the result"):
        watch_drift(counts, time="series", metrics=["f1"], reference={"series": 0})


@pytest.mark.parametrize(
    ("month", "message"),
    [
        ([0, 1, None], "counts have a row without 'month': expected a period in each"),
        ([0, "a", 1], "'month' has values of several types: expected one"),
    ],
)
def test_periods_that_have_no_order_are_refused(month, message):
    counts = pd.DataFrame([SAME, RARE, WORSE], columns=COLUMNS).assign(month=month)
    with pytest.raises(ValueError, match=message):
        watch_drift(counts, time="month", metrics=["f1"], reference={"month": 0})


@pytest.mark.parametrize("change", [{"tpr": 2}, {"fpr": "x"}, {"tpr": float("nan")}])
def test_power_of_no_change_of_a_rate_is_refused(change):
    (name,) = change
    with pytest.raises(ValueError, match=rf"{name} = .*: expected a number from -1 to 1"):
        watched(SAME, RARE).power(**change)


def test_what_was_found_is_shown():
    found = watched(SAME, WORSE, WORSE)
    assert len(repr(found)) < 5000
    texts = texts_of(found._repr_html_())
    assert "The classifier has changed: alarms in 2 of 2 periods." in texts
    assert "true_positive_rate" in texts
    quiet = texts_of(watched(SAME, RARE)._repr_html_())
    assert "No alarm in 1 period: what moved can't be told from chance and prevalence." in quiet


def test_a_reference_that_lacks_a_class_is_refused():
    with pytest.raises(ValueError, match=r"reference = \{'month': 0\}: it lacks a class"):
        watched([0, 1, 0, 9], SAME)


@pytest.mark.slow
def test_all_metrics_can_be_watched():
    drift = watched(SAME, RARE, WORSE, metrics=list(METRICS))
    assert set(drift.table.series) == set(METRICS)
