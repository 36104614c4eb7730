"""Charts by hand, and courses of classifiers that change or do not."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from whole_html import texts_of

from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics import METRICS
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.practice.projection import project
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


@pytest.mark.slow
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
        counts.assign(month=["May", "Jan", "Feb"]),
        time="month",
        metrics=["f1", "f1_i"],
        reference={"month": "Jan"},
    )
    assert drift.table.month.tolist() == ["Feb", "May"] * 4
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
    with pytest.raises(ValueError, match="start = 9: expected a whole number from 0 to 7"):
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
        ({"alpha": 0}, "alpha = 0: expected a number above 0 and below 1"),
        ({"time": "week"}, "counts have the keys month: expected 'week' alone"),
        ({"reference": {"month": 7}}, r"reference\['month'\] = 7: there are 0, 1"),
        ({"reference": ConfusionMatrix(0, 1, 0, 1)}, "reference has an empty class: expected"),
        ({"reference": ConfusionMatrix([1, 2], 1, 1, 1)}, "reference has the shape"),
        ({"reference": ConfusionMatrix(*[1e50] * 4)}, r"reference has 2e\+50 positives: expected"),
        (
            {"reference": project(ConfusionMatrix(9, 4, 3, 20), at="1:1000")},
            "reference is projected to 1:1000: expected counts of instances that were observed",
        ),
        ({"metrics": 5}, "metrics = 5: expected a metric"),
        ({"seed": True}, "seed = True: expected a whole number of at least 0"),
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
        ([0, "a", 1], "'month' has periods whose order in time is not sure, 0, 'a', 1: expected"),
        ([0, pd.Timestamp("2026-05-01"), 1], "'month' has values of several types: expected one"),
    ],
)
def test_periods_that_have_no_order_are_refused(month, message):
    counts = pd.DataFrame([SAME, RARE, WORSE], columns=COLUMNS).assign(month=month)
    with pytest.raises(ValueError, match=message):
        watch_drift(counts, time="month", metrics=["f1"], reference={"month": 0})


NUMBERED = [str(number) for number in range(1, 13)]
NAMED = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


@pytest.mark.parametrize("names", [NUMBERED, NAMED, [f"week {name}" for name in NUMBERED]])
@pytest.mark.slow
def test_charts_are_the_same_whatever_calendar_names_the_periods(names):
    """A classifier that changes in the ninth of twelve periods, which come sorted as text."""
    cells = [SAME] * 8 + [WORSE] * 4
    counts = pd.DataFrame(cells, columns=COLUMNS)
    options = {"time": "month", "metrics": ["f1"], "reference": ConfusionMatrix(*SAME)}
    expected = watch_drift(counts.assign(month=range(12)), **options)
    named = counts.assign(month=names).sort_values("month")
    assert named.month.tolist() != names
    found = watch_drift(named, **options)
    assert found.table.month.tolist() == names * 3
    assert found.table.cusum.tolist() == expected.table.cusum.tolist()
    assert found.power(tpr=-0.1, start=5) == expected.power(tpr=-0.1, start=5)


@pytest.mark.slow
def test_the_order_that_is_given_counts():
    names = ["new", "old", "middle", "oldest"]
    counts = pd.DataFrame([WORSE, SAME, RARE, SAME], columns=COLUMNS).assign(release=names)
    options = {"time": "release", "metrics": ["f1"], "reference": {"release": "oldest"}}
    with pytest.raises(ValueError, match=r"'release' has periods whose order .* expected order "):
        watch_drift(counts, **options)
    order = ["oldest", "old", "middle", "new", "future"]
    drift = watch_drift(counts, **options, order=order)
    assert drift.table.release.tolist() == ["old", "middle", "new"] * 3
    with pytest.raises(ValueError, match="order has no 'new', which is in 'release': expected all"):
        watch_drift(counts, **options, order=order[:3])


@pytest.mark.slow
def test_categories_with_an_order_are_in_it():
    names = pd.Categorical(["new", "old", "Dec", "Jan"], ["Jan", "old", "Dec", "new"], ordered=True)
    counts = pd.DataFrame([WORSE, SAME, RARE, SAME], columns=COLUMNS).assign(release=names)
    drift = watch_drift(counts, time="release", metrics=["f1"], reference={"release": "old"})
    assert drift.table.release.tolist() == ["Jan", "Dec", "new"] * 3


@pytest.mark.parametrize("change", [{"tpr": 2}, {"fpr": "x"}])
def test_power_of_no_change_of_a_rate_is_refused(change):
    (name,) = change
    with pytest.raises(ValueError, match=rf"{name} = .*: expected a number from -1 to 1"):
        watched(SAME, RARE).power(**change)


def generated_periods():
    """References with periods of all kinds: as the reference, worse, tiny, empty, huge."""
    random = np.random.default_rng(5)
    for seed in range(6):
        reference = [*random.integers(20, 90, 2), *random.integers(5, 40, 2)]
        kinds = [
            reference,
            np.array(reference) * [1, 1, 3, 1],
            np.array(reference) * [1, 3, 1, 1],
            random.integers(0, 3, 4),
            [0, *random.integers(0, 30, 1), 0, 20],
            [*random.integers(0, 9, 1), 0, 7, 0],
            [0, 0, 0, 0],
            np.array(reference) * 10**6,
        ]
        places = random.permutation(len(kinds))[: random.integers(2, len(kinds) + 1)]
        yield reference, [list(map(int, kinds[place])) for place in places], seed


def share_below(hits, misses, count, size):
    """Of a beta-binomial count: the probability of less, and half of that of as many."""
    law = stats.betabinom(size, hits + 0.5, misses + 0.5)
    return law.cdf(count - 1) + law.pmf(count) / 2


@pytest.mark.slow
def test_the_verdict_says_what_the_counts_give():
    """Values, scores of the rates of periods that are not huge, sums and alarms, each anew."""
    seen = set()
    for reference, periods, seed in generated_periods():
        options = {"metrics": ["f1", "true_negative_rate"], "seed": seed}
        drift = watched(reference, *periods, **options)
        alarmed, lost = set(), set()
        for name, rows in drift.table.groupby("series", sort=False):
            up = down = 0.0
            for (tp, fp, fn, tn), row in zip(periods, rows.to_dict("records"), strict=True):
                cells = {
                    "true_positive_rate": (tp, fn, reference[0], reference[2]),
                    "false_positive_rate": (fp, tn, reference[1], reference[3]),
                    "true_negative_rate": (tn, fp, reference[3], reference[1]),
                }
                if name == "f1":
                    known = tp + fn > 0 and fp + tn > 0
                    value = 2 * tp / (2 * tp + fp + fn) if known else np.nan
                else:
                    hits, misses, *of_reference = cells[name]
                    known = hits + misses > 0
                    value = hits / (hits + misses) if known else np.nan
                    if known and hits + misses < 150:
                        share = share_below(*of_reference, hits, hits + misses)
                        assert stats.norm.cdf(row["score"]) == pytest.approx(share, abs=1e-6)
                assert row["value"] == pytest.approx(value, nan_ok=True)
                assert np.isnan(row["score"]) == (not known)
                if not known:
                    lost.add(row["month"])
                    assert not row["outside"]
                    assert not row["cusum_alarm"]
                    continue
                up = max(0.0, up + row["score"] - 0.5)
                down = max(0.0, down - row["score"] - 0.5)
                assert row["cusum"] == pytest.approx(max(up, down))
                alarm = abs(row["score"]) > drift.band_threshold or max(up, down) > (
                    drift.cusum_threshold
                )
                assert alarm == (row["outside"] or row["cusum_alarm"])
                if alarm:
                    alarmed.add(row["month"])
        number = f"{len(periods)} periods"
        months = ", ".join(map(str, sorted(alarmed)))
        expected = (
            f"Alarms in {len(alarmed)} of {number}: {months}. If the classifier does not change,"
            " any alarm has probability 0.05."
            if alarmed
            else f"No alarm in {number}: what moved can't be told from chance and prevalence."
        )
        if lost:
            counted = f"{len(lost)} period{'s' * (len(lost) > 1)}"
            expected += f" In {counted} a series has no score and can't give an alarm."
        assert drift.verdict == expected
        seen |= {("alarm", bool(alarmed)), ("lost", len(lost))}
    assert seen >= {("alarm", True), ("alarm", False), ("lost", 0), ("lost", 1), ("lost", 2)}


@pytest.mark.slow
def test_what_was_found_is_shown():
    found = watched(SAME, WORSE, WORSE)
    assert len(repr(found)) < 5000
    texts = texts_of(found._repr_html_())
    verdict = "Alarms in 2 of 2 periods: 1, 2. If the classifier does not change, any alarm has"
    assert f"{verdict} probability 0.05." in texts
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


LABELS = ("cat", "dog", "owl")
ALL_FOUND = ((160, 30, 10), (20, 120, 10), (10, 20, 120))
OWLS_MISSED = ((160, 30, 10), (20, 120, 10), (40, 50, 60))
NO_OWLS = ((160, 30, 10), (20, 120, 10), (0, 0, 0))


def animals(*matrices):
    rows = [
        (month, true, predicted, count)
        for month, matrix in enumerate(matrices)
        for true, row in zip(LABELS, matrix, strict=True)
        for predicted, count in zip(LABELS, row, strict=True)
        if count
    ]
    return pd.DataFrame(rows, columns=["month", "true", "predicted", "count"])


def watched_animals(*matrices, **options):
    options = {"time": "month", "metrics": "macro_f1", "reference": {"month": 0}} | options
    return watch_drift(animals(*matrices), **options)


@pytest.mark.slow
def test_a_class_that_is_found_less_often_sounds_an_alarm():
    drift = watched_animals(ALL_FOUND, ALL_FOUND, ALL_FOUND, OWLS_MISSED)
    series = ["recall of cat", "recall of dog", "recall of owl", "macro_f1"]
    assert drift.table["series"].unique().tolist() == series
    assert set(drift.alarms["month"]) == {3}
    assert set(drift.alarms["series"]) == {"recall of owl", "macro_f1"}
    assert (drift.table["instances"] == 500).all()
    assert drift.power() == pytest.approx(drift.alpha, abs=0.02)
    assert drift.power(tpr=-0.2) > drift.power(tpr=-0.05) > drift.alpha


@pytest.mark.slow
def test_recalls_of_two_classes_are_true_positive_rates():
    cells = pd.DataFrame([(80, 9, 20, 91), (70, 30, 30, 70)], columns=["tp", "fp", "fn", "tn"])
    two = watch_drift(
        cells.assign(month=[0, 1]), time="month", metrics="f1", reference={"month": 0}
    )
    rows = [(0, 1, 1, 80), (0, 1, 0, 20), (0, 0, 1, 9), (0, 0, 0, 91)]
    rows += [(1, 1, 1, 70), (1, 1, 0, 30), (1, 0, 1, 30), (1, 0, 0, 70)]
    pairs = pd.DataFrame(rows, columns=["month", "true", "predicted", "count"])
    many = watch_drift(pairs, time="month", metrics="accuracy", reference={"month": 0})
    names = ["value", "expected", "score", "cusum"]
    found = many.table.set_index("series").loc["recall of 1", names]
    expected = two.table.set_index("series").loc["true_positive_rate", names]
    assert found.tolist() == pytest.approx(expected.tolist())


@pytest.mark.slow
def test_a_reference_of_many_classes_may_be_a_matrix():
    matrix = MulticlassConfusionMatrix(ALL_FOUND, labels=LABELS)
    drift = watched_animals(ALL_FOUND, OWLS_MISSED, reference=matrix)
    assert set(drift.alarms["month"]) == {1}


@pytest.mark.slow
def test_a_class_that_a_period_lacks_has_no_score():
    table = watched_animals(ALL_FOUND, NO_OWLS, ALL_FOUND).table.set_index(["series", "month"])
    lost = table.loc["recall of owl", 1]
    assert np.isnan(lost["value"])
    assert np.isnan(lost["score"])
    assert not lost["outside"]
    assert np.isfinite(table.loc[("recall of cat", 1), "score"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reference": {"month": 1}}, r"reference = \{'month': 1\}: it lacks the class owl"),
        (
            {"reference": MulticlassConfusionMatrix([[5, 1], [1, 5]], labels=LABELS[:2])},
            "a label = 'owl': expected one of the reference's classes cat, dog",
        ),
        ({"metrics": []}, r"metrics = \[\]: expected at least one measure"),
        ({"time": "week"}, "counts have the keys month: expected 'week' alone"),
    ],
)
def test_what_is_refused_of_many_classes(options, message):
    with pytest.raises(ValueError, match=message):
        watched_animals(ALL_FOUND, NO_OWLS, **options)


@pytest.mark.slow
def test_many_classes_have_no_false_positive_rate():
    with pytest.raises(ValueError, match=r"fpr = 0.1: expected 0 for more than two classes"):
        watched_animals(ALL_FOUND, ALL_FOUND).power(fpr=0.1)
