"""Changes and their absence, as written, and by the functions of which a watch consists."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from label_rows import label_rows
from scipy import stats
from whole_html import texts_of

from skewproof import project
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.slices.changes import explain_change
from skewproof.slices.over_time.change_points import Course, scan
from skewproof.slices.over_time.drift import watch_drift
from skewproof.slices.over_time.watched import level_of_each
from written import check_refusals, check_written

COLUMNS = ["tp", "fp", "fn", "tn"]
pytestmark = pytest.mark.slow

SAME, RARE, WORSE = [160, 250, 40, 4750], [16, 250, 4, 4750], [110, 250, 90, 4750]
ALARMED = [SAME, SAME, RARE, SAME, WORSE, WORSE, WORSE]


def months(*periods, **columns):
    """Make a row of counts per month."""
    columns = {"month": range(len(periods))} | columns
    return pd.DataFrame(list(periods), columns=COLUMNS).assign(**columns)


def watched(*periods, **options):
    return watch_drift(months(*periods), **({"time": "month", "metrics": ["f1"]} | options))


def of_positives(*hits):
    """Make counts of 1,000 positives in each period, of which so many are found."""
    return [[tp, 500, 1000 - tp, 9500] for tp in hits]


def told(drift):
    """Write the verdict and the frames of a watch with four digits."""
    frames = (drift.changes, drift.effects, drift.scans, drift.table)
    tables = [frame.to_string(index=False, float_format="{:.4g}".format) for frame in frames]
    return "\n\n".join([drift.verdict, *tables]) + "\n"


@pytest.mark.filterwarnings("error")
def test_watches_are_those_that_are_written():
    """Without positives or negatives recalls are unknown; with neither, so is every metric."""
    varying = 800, 740, 850, 790, 700, 860, 760, 830, 720, 840, 770, 810
    withheld = 800, 770, 820, 840, 850, 800, 750, 700, 690, 730, 700, 745
    unknown = SAME, [0, 25, 0, 475], [8, 0, 2, 0], [0, 0, 0, 0]
    releases = months(WORSE, SAME, RARE, SAME, month=["new", "old", "middle", "oldest"])
    order = {"reference": {"month": "oldest"}, "order": ["oldest", "old", "middle", "new", "next"]}
    by_name = months(*[SAME] * 8, *[WORSE] * 4, month=NAMED).sort_values("month")
    found, missed = [ALL_FOUND] * 3, [OWLS_MISSED] * 2
    drifts = {
        "fewer positives": watched(SAME, RARE, SAME, RARE, SAME),
        "fewer positives, a year": watched(SAME, RARE, SAME, RARE, SAME, planned=12),
        "fewer positives are found": watched(*ALARMED),
        "rates are unknown": watched(*unknown),
        "rates are never known": watched(*unknown[1::2]),
        "one period": watched(SAME),
        "rates vary": watched(*of_positives(*varying)),
        "rates fall steadily": watched(*of_positives(*range(850, 730, -10))),
        "rates depend on those before": watched(*of_positives(*withheld)),
        "an order is given": watch_drift(releases, time="month", metrics=["f1"], **order),
        "names of months": watch_drift(by_name, time="month", metrics=["f1", "f1_i"]),
        "three classes": watch_drift(animals(*found, *missed), time="month", metrics="macro_f1"),
    }
    outputs = {name: told(drift) for name, drift in drifts.items()}
    check_written(Path(__file__).with_name("watches.txt"), **outputs)


NAMED = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def test_limits_are_quantiles_of_beta_binomial_counts_for_all_periods_together():
    drift = watched(*ALARMED)
    rows = drift.table.query("series == 'recall of positive'")
    law = stats.betabinom(200, 496 + 0.5, 124 + 0.5)
    tail = (1 - 0.95 ** (1 / 7)) / 2
    for end, probability in (("low", tail), ("high", 1 - tail)):
        count = (rows[end].iloc[0] * 200).round()
        assert law.cdf(count - 1) < probability < law.cdf(count + 1)
    texts = texts_of(drift._repr_html_())
    assert {drift.verdict, "Recall of positive, 4"} <= set(texts)
    assert len(repr(drift)) < 10_000


def test_changes_are_those_of_the_scan_of_each_rate():
    """Use a reference of another size and a period without positives."""
    later = [[0, 25, 0, 475], SAME, SAME, [100, 400, 100, 4600], [105, 395, 95, 4605]]
    drift = watched(
        *later, reference=ConfusionMatrix(tp=1600, fp=2500, fn=400, tn=47500), alpha=0.1
    )
    level = 1 - 0.9**0.5
    assert level_of_each(0.1, 2) == pytest.approx(level)
    tpr = scan(
        Course(np.array([1600.0, 160, 160, 100, 105]), np.array([2000.0, *[200] * 4])), level
    )
    sizes = np.array([50_000.0, 500, *[5000] * 4])
    tnr = scan(Course(sizes - [2500.0, 25, 250, 250, 400, 395], sizes), level)
    of_rates = dict(zip(drift.scans["rate"], drift.scans["largest"], strict=True))
    expected = {"recall of positive": tpr.largest, "recall of negative": tnr.largest}
    assert of_rates == pytest.approx(expected)
    assert drift.scans["bound"].tolist() == pytest.approx([tpr.bound, tnr.bound])
    # The series of TPR lacks the second period, and both series begin with the reference.
    assert drift.changes["since"].tolist() == [3, 3]
    assert [tpr.changes[0].since, tnr.changes[0].since] == [3, 4]
    assert drift.changes["before_low"].tolist() == [
        scanned.changes[0].before.low for scanned in (tpr, tnr)
    ]


def test_effects_are_parts_of_the_difference_of_all_periods_before_and_after():
    drift = watched(*ALARMED, metrics=["f1", "f1_i", "true_negative_rate"])
    before = np.sum([SAME, SAME, RARE, SAME], axis=0)
    together = pd.DataFrame([before, np.sum([WORSE] * 3, axis=0)], columns=COLUMNS)
    expected = explain_change(
        together.assign(part=["before", "after"]),
        metrics=["f1", "f1_i", "true_negative_rate"],
        reference={"part": "before"},
        class_sizes="fixed",
        classes=["positive"],
    )
    effects = drift.effects
    assert effects["since"].tolist() == [4, 4, 4]
    for name, column in (("part", "part_of_positive"), ("prevalence_part", "prevalence_part")):
        for end in ("", "_low", "_high"):
            known = effects[f"{name}{end}"].tolist()
            assert known == pytest.approx(expected[f"{column}{end}"].tolist())
    of_f1, of_f1_i, of_tnr = effects.to_dict("records")
    assert of_f1["part"] < -0.05 < 0 < of_f1["prevalence_part"]
    assert of_f1_i["prevalence_part"] == 0
    assert of_tnr["part"] == 0


def test_a_reference_may_be_several_periods_in_which_no_change_is_looked_for():
    periods = [[180, 250, 20, 4750], [120, 250, 80, 4750], *[[150, 250, 50, 4750]] * 3]
    drift = watched(*periods, reference={"month": [0, 1]})
    hits, sizes = np.array([180.0, 120, 150, 150, 150]), np.full(5, 200.0)
    level = level_of_each(0.05, 2)
    assert drift.scans["largest"][0] == scan(Course(hits, sizes, reference=2), level).largest
    assert drift.scans["largest"][0] < scan(Course(hits, sizes), level).largest
    assert drift.table["month"].tolist() == [2, 3, 4] * 3
    late = watched(*(10 * np.array(ALARMED)).tolist(), reference={"month": 5})
    assert late.changes[["since", "before"]].to_numpy().tolist() == [[0, 0.55], [4, 0.8]]


def by_shop(first, second):
    return pd.concat([months(*first, shop="A"), months(*second, shop="B")], ignore_index=True)


def test_slices_are_watched_each_by_itself_at_the_level_of_all():
    counts = by_shop([SAME] * 6, ALARMED)
    drift = watch_drift(counts, time="month", metrics=["f1"])
    assert drift.changes[["shop", "since"]].to_numpy().tolist() == [["B", 4]]
    assert drift.verdict.startswith("B: the recall of the positive class fell from 0.800")
    alone = watched(*ALARMED, alpha=1 - 0.95**0.5)
    of_b = drift.scans.query("shop == 'B'")
    assert of_b["bound"].tolist() == pytest.approx(alone.scans["bound"].tolist())
    assert drift.table.query("shop == 'A'").month.tolist() == list(range(6)) * 3
    both = watch_drift(counts, time="month", metrics=["f1"], reference={"month": 0})
    assert both.table.groupby("shop").size().tolist() == [15, 18]


def test_power_grows_with_the_change_and_falls_with_its_lateness():
    drift = watched(*[SAME] * 8)
    assert drift.power() == pytest.approx(drift.alpha, abs=0.02)
    powers = [drift.power(recall={"positive": -fall}) for fall in (0.05, 0.1, 0.1, 0.2)]
    assert drift.alpha < powers[0] < powers[1] == powers[2] < powers[3]
    assert drift.power(recall={"negative": -0.03}) > 0.9
    assert drift.power(recall=-0.1) > powers[1]
    late = drift.power(recall={"positive": -0.2}, start=7)
    assert late < drift.power(recall={"positive": -0.2}, start=4)


def test_weights_make_less_of_the_same():
    counts = months(SAME, SAME, WORSE)
    weighted = counts.assign(positives_effective=20.0, negatives_effective=500.0)
    plain, less = (watch_drift(frame, time="month", metrics=["f1"]) for frame in (counts, weighted))
    assert less.table.value.tolist() == pytest.approx(plain.table.value.tolist())
    assert ((less.table.high - less.table.low) > 1.5 * (plain.table.high - plain.table.low)).all()
    assert less.scans["largest"][0] < 0.5 * plain.scans["largest"][0]


LABELS = ("cat", "dog", "owl")
ALL_FOUND = ((160, 30, 10), (20, 120, 10), (10, 20, 120))
OWLS_MISSED = ((160, 30, 10), (20, 120, 10), (40, 50, 60))
NO_OWLS = ((160, 30, 10), (20, 120, 10), (0, 0, 0))


def animals(*matrices, labels=LABELS):
    rows = label_rows(dict(enumerate(matrices)), labels)
    return pd.DataFrame(rows, columns=["month", "true", "predicted", "count"])


def test_cells_and_pairs_of_two_classes_are_watched_alike():
    cells = [(80, 9, 20, 91), (70, 30, 30, 70), (82, 10, 18, 90)]
    pairs = [((tp, fn), (fp, tn)) for tp, fp, fn, tn in cells]
    of_pairs = watch_drift(animals(*pairs, labels=(1, 0)), time="month", metrics="f1")
    of_cells = watched(*cells)
    names = {"recall of positive": "recall of 1", "recall of negative": "recall of 0"}
    for name in ("table", "scans", "changes"):
        expected = getattr(of_cells, name).replace(names)
        pd.testing.assert_frame_equal(getattr(of_pairs, name), expected)


TWO, THREE = months(SAME, RARE), animals(ALL_FOUND, NO_OWLS)
RELEASES = months(WORSE, SAME, RARE, SAME, month=["new", "old", "middle", "oldest"])
FRACTIONS = MulticlassConfusionMatrix([[4.5, 1, 1], [1, 4, 1], [1, 1, 4]], labels=LABELS)
PROJECTED = project(ConfusionMatrix(tp=9, fp=4, fn=3, tn=20), at="1:1000")
OF_TWO = MulticlassConfusionMatrix([[4750, 250], [40, 160]])
OF_PETS = MulticlassConfusionMatrix([[5, 1], [1, 5]], labels=LABELS[:2])


def test_refusals_are_those_that_are_written():
    cases = [
        (TWO, {"reference": {}}),
        (TWO, {"reference": {"month": []}}),
        (TWO, {"reference": {"month": [0, 1]}}),
        (TWO, {"reference": {"month": 7}}),
        (TWO, {"time": "week"}),
        (TWO, {"reference": matrix_of([0, 1, 0, 1])}),
        (TWO, {"reference": matrix_of([[1, 2], 1, 1, 1])}),
        (TWO, {"reference": matrix_of([1e50] * 4)}),
        (TWO, {"reference": PROJECTED}),
        (TWO, {"reference": OF_TWO}),
        (TWO, {"reference": matrix_of([9, 4, 0.5, 20])}),
        (months(SAME, SAME, tp=160.5), {}),
        (months(SAME, SAME, positives_effective=9.0, tn=0.5), {}),
        (TWO.rename(columns={"month": "series"}), {"time": "series"}),
        (months(SAME, RARE, WORSE, month=[0, 1, None]), {}),
        (months(SAME, RARE, WORSE, month=[0, "a", 1]), {}),
        (months(SAME, RARE, month=[0, pd.Timestamp("2026")]), {}),
        (RELEASES, {"reference": {"month": "oldest"}}),
        (RELEASES, {"order": ["oldest", "old", "middle"]}),
        (RELEASES, {"order": ["oldest", "old", "oldest"]}),
        (RELEASES, {"order": "oldest"}),
        (by_shop(ALARMED, ALARMED), {"reference": matrix_of(SAME)}),
        (by_shop([SAME] * 2, ALARMED), {"reference": {"month": 6}}),
        (THREE, {"reference": OF_PETS}),
        (THREE, {"reference": matrix_of(SAME)}),
        (THREE, {"reference": FRACTIONS}),
        (THREE.assign(count=1.01 * THREE["count"]), {}),
    ]
    options = {"time": "month", "metrics": ["accuracy"]}
    calls = [partial(watch_drift, counts, **options | change) for counts, change in cases]
    changes = {"recall": 2}, {"recall": {"negative": "x"}}, {"recall": {"owl": 0.1}}, {"start": 3}
    calls += [partial(watched(SAME, RARE).power, **change) for change in changes]
    check_refusals(Path(__file__).with_name("drift_refusals.txt"), calls)
