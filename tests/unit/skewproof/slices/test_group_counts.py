"""Counts of slices by group: by hand, by other functions, and by simulation."""

from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest

from skewproof import ConfusionMatrix, MulticlassConfusionMatrix, interval
from skewproof.intervals.grouped.effective_numbers import grouped_shares
from skewproof.slices.changes import explain_change
from skewproof.slices.counting import count_slices
from skewproof.slices.over_time.drift import watch_drift
from skewproof.slices.slice_table import read_slices
from written import check_refusals

pytestmark = pytest.mark.slow


def rows(classes=2, groups=30, months=("May", "June"), seed=0):
    """Draw rows of groups, each of which is in every month; hits vary between groups."""
    random = np.random.default_rng(seed)
    who = random.integers(0, groups, 300 * len(months))
    true = (who + (random.random(len(who)) < 0.3)) % classes
    right = random.random(len(who)) < random.beta(2, 1, groups)[who]
    guess = random.integers(0, classes, len(who))
    month = random.choice(months, len(who))
    return pd.DataFrame({"month": month, "who": who, "y": true, "p": np.where(right, true, guess)})


def counted(frame, groups="who", **options):
    return count_slices(
        frame, **{"y_true": "y", "y_pred": "p", "by": "month"} | options, groups=groups
    )


METRICS = {2: ["f1", "precision"], 3: ["macro_f1", "accuracy"]}


def explained(counts, classes=2, groups="who", **options):
    given = {"metrics": METRICS[classes], "reference": {"month": "May"}} | options
    return explain_change(counts, groups=groups, **given)


@pytest.mark.parametrize("make", [pd.DataFrame, duckdb.from_df])
@pytest.mark.parametrize(("classes", "name"), [(2, "{}"), (3, "patient {}")])
def test_a_row_counts_a_slice_and_a_group(make, classes, name):
    frame = rows(classes)
    frame["who"] = frame["who"].map(lambda who: int(who) if name == "{}" else name.format(who))
    counts = counted(make(frame))
    pairs = frame.groupby(["month", "who", "y", "p"]).size()
    if classes == 2:
        assert list(counts) == ["month", "who", "tp", "fp", "fn", "tn", "missing"]
        cells = {"tp": (1, 1), "fp": (0, 1), "fn": (1, 0), "tn": (0, 0)}
        for row in counts.to_dict("records"):
            expected = [pairs.get((row["month"], row["who"], *cell), 0) for cell in cells.values()]
            assert [row[cell] for cell in cells] == expected
        assert counts[["tp", "fp", "fn", "tn"]].to_numpy().sum() == len(frame)
    else:
        by_pair = counts.set_index(["month", "who", "true", "predicted"])["count"]
        assert by_pair.to_dict() == pairs.to_dict()
    slices = counts[["month", "who"]].drop_duplicates()
    by_calendar = slices.sort_values(["month", "who"], ascending=[False, True])
    assert slices.to_numpy().tolist() == by_calendar.to_numpy().tolist()


SMALL = pd.DataFrame({"k": list("aabb"), "who": [1, 1, 2, 2], "y": [0, 1, 1, 0], "p": [0, 1, 0, 1]})
COUNTS = pd.DataFrame(
    {"month": [1, 1, 2, 2], "who": [1, 2, 1, 2], "tp": 3, "fp": 1, "fn": 2, "tn": 5}
)


def test_refusals_are_those_that_are_written():
    """Groups that are not counted, and counts by group that are not read."""
    counts = [
        ({}, {"groups": "whom"}),
        ({}, {"by": "k", "groups": "k"}),
        ({}, {"groups": np.arange(4)}),
        ({"tp": [1, 2, 1, 2]}, {"groups": "tp"}),
        ({"who": [1, None, 2, 2]}, {}),
        ({"who": 7}, {}),
        ({"who": [1.0, 2.0**60, 2.0**60, 2.0]}, {}),
        ({"w": [0.5, 1, 1, 1]}, {"sample_weight": "w"}),
    ]
    changes = [
        ({}, "whom"),
        ({"who": [1, None, 2, 3]}, "who"),
        ({"month": [1, 2, 3, 4], "who": 7}, "who"),
        ({"tp": 0.5}, "who"),
        ({"positives_effective": 3, "negatives_effective": 6}, "who"),
        ({"who": 1}, "who"),
        ({"groups": [1, 2, 1, 2]}, "who"),
    ]
    calls = [
        partial(counted, SMALL.assign(**columns), **{"by": ()} | options)
        for columns, options in counts
    ]
    calls += [
        partial(explain_change, COUNTS.assign(**columns), metrics="f1", groups=groups)
        for columns, groups in changes
    ]
    check_refusals(Path(__file__).with_name("group_counts_refusals.txt"), calls)


@pytest.mark.parametrize(("classes", "label"), [(2, int), (3, str), (2, "category")])
def test_groups_of_one_row_change_nothing(classes, label):
    frame = rows(classes)
    frame["row"] = np.random.default_rng(1).permutation(len(frame))
    frame["row"] = frame["row"].astype(label)
    where = {2: "1:100", 3: {0: 0.7, 1: 0.2, 2: 0.1}}[classes]
    single, plain = (
        explained(counted(frame, groups), classes, groups, at=where) for groups in ("row", None)
    )
    assert single["groups"].tolist() == single["effective_instances"].tolist()
    sizes = [
        f"; {number:,} groups, {number:,} rows count as {number:,}" for number in single["groups"]
    ]
    assert single["sentence"].tolist() == [
        said + size for said, size in zip(plain["sentence"], sizes, strict=True)
    ]
    same = plain.columns.drop("sentence")
    pd.testing.assert_frame_equal(single[same], plain[same], check_exact=True)


@pytest.mark.parametrize("classes", [2, 3])
def test_a_slice_has_the_interval_of_its_rows(classes):
    frame = rows(classes)
    where = {2: "1:100", 3: {0: 0.7, 1: 0.2, 2: 0.1}}[classes]
    june = frame[frame["month"] == "June"]
    table = explained(counted(frame), classes, at=where, confidence=0.9)
    for row in table.to_dict("records"):
        for at, name in (("population", ""), (where, "value_at_common_prevalence_")):
            of_rows = interval(
                row["metric"], june["y"], june["p"], groups=june["who"], at=at, confidence=0.9
            )
            ends = [row[f"{name}low"], row[f"{name}high"]]
            assert ends == pytest.approx([of_rows.low, of_rows.high], rel=1e-6)
        own = interval(row["metric"], june["y"], june["p"], groups=june["who"], confidence=0.9)
        assert row["effective_instances"] == pytest.approx(own.grouping.effective_rows)
        assert row["groups"] == own.grouping.groups == june["who"].nunique()
        assert row["sentence"].endswith(f"; {own.grouping}")


def test_changes_of_a_rate_are_those_of_effective_sizes():
    """A rate is a single binomial, whose number of instances is the effective one."""
    frame = rows()
    counts = counted(frame)
    options = {"metrics": "true_positive_rate", "class_sizes": "fixed"}
    grouped = explained(counts, **options)
    plain = counts.drop(columns="who").groupby("month", as_index=False).sum()
    worth = {}
    for month, some in counts.groupby("month"):
        hits, sizes = (some[column].to_numpy(dtype=float)[:, np.newaxis] for column in ("tp", "fn"))
        worth[month] = grouped_shares(hits, hits + sizes, 0.95).effective[0]
    sizes = {"positives_effective": plain["month"].map(worth), "negatives_effective": 100.0}
    effective = explained(plain.assign(**sizes), groups=None, **options)
    names = ["difference", "difference_low", "difference_high", "classifier_part_low", "p"]
    for name in [*names, "classifier_p", "low", "high"]:
        assert grouped[name].tolist() == pytest.approx(effective[name].tolist(), rel=1e-9)


def test_rates_of_both_samples_vary_together_in_the_ball_of_a_change():
    """Equal rates: the errors of a sum grow, and those of a difference shrink, by sqrt(1 + r)."""
    frame = rows(groups=200)
    counts = read_slices(counted(frame), groups="who")
    here, there = (counts.at([row]).observed("fixed").proportions for row in (0, 1))
    both = here.beside(there)
    assert both.correlation is not None
    blocks = both.correlation[..., 0]
    assert blocks[:2, :2].tolist() == here.correlation[..., 0].tolist()
    assert blocks[2:, 2:].tolist() == there.correlation[..., 0].tolist()
    assert abs(here.correlation[0, 1, 0]) > 0.02
    assert not blocks[:2, 2:].any()
    assert both.some(slice(2)).correlation.tolist() == here.correlation.tolist()
    without = here.beside(type(here)(there.hits, there.misses))
    assert without.correlation[2:, 2:, 0].tolist() == np.eye(2).tolist()


@pytest.mark.parametrize("classes", [2, 3])
def test_all_other_slices_have_each_group_once(classes):
    frame = rows(classes, months=("May", "June", "July"))
    beside = explained(counted(frame), classes, reference=None)
    rest = frame.assign(month=np.where(frame["month"] == "July", "July", "rest"))
    alone = explained(counted(rest), classes, reference={"month": "rest"})
    beside = beside[beside["month"] == "July"].reset_index(drop=True)
    same = [name for name in alone if not name.endswith("_adjusted")]
    pd.testing.assert_frame_equal(beside[same], alone[same], rtol=1e-9)


def test_neither_the_order_of_rows_nor_labels_matter():
    frame = rows()
    counts = counted(frame)
    mixed = frame.assign(who=[f"x{(7 * who) % 31}" for who in frame["who"]])
    again = counted(mixed).sample(frac=1, random_state=1)
    reference = {"month": "May"}
    pd.testing.assert_frame_equal(
        explained(counts, reference=reference), explained(again, reference=reference)
    )


def test_a_class_in_few_groups_is_said():
    counts = counted(rows(groups=4))
    sentences = explained(counts)["sentence"]
    assert sentences.str.contains(
        "; this slice has few groups, worth as many equal ones as: "
    ).all()
    assert sentences.str.contains("; its reference has few groups").all()
    one = COUNTS.assign(tp=[3, 0, 3, 0], fn=[2, 0, 2, 0])
    changes = explain_change(one, metrics="f1", reference={"month": 1}, groups="who")
    assert "as many equal ones as: 1 of the class 'positive'" in changes["sentence"][0]
    assert changes["low"][0] < 0.3 < 0.8 < changes["high"][0]


MONTHS = range(6)


@pytest.mark.parametrize("classes", [2, 3])
def test_groups_of_one_row_change_nothing_in_a_watch(classes):
    frame = rows(classes, months=MONTHS).assign(row=lambda frame: np.arange(len(frame))[::-1])
    worse = (frame["month"] > 3) & (frame["y"] == 1) & (frame["row"] % 2 == 0)
    frame["p"] = np.where(worse, 0, frame["p"])
    single, plain = (
        watch_drift(counted(frame, groups), time="month", metrics=METRICS[classes], groups=groups)
        for groups in ("row", None)
    )
    assert len(plain.changes)
    assert single.verdict == plain.verdict
    for name in ("table", "scans", "changes", "effects"):
        pd.testing.assert_frame_equal(getattr(single, name), getattr(plain, name), check_exact=True)


def test_a_watch_of_copies_sees_no_more_than_one_of_rows():
    frame = rows(months=MONTHS, seed=3).assign(row=lambda frame: np.arange(len(frame)))
    copies = pd.concat([frame] * 20)
    options = {"time": "month", "metrics": "f1"}
    once = watch_drift(counted(frame, None), **options).scans["largest"]
    with_groups = watch_drift(counted(copies, "row"), **options, groups="row")
    assert with_groups.scans["largest"].tolist() == pytest.approx(once.tolist(), rel=0.1)
    with pytest.warns(UserWarning, match="equal to others in all columns"):
        naive = watch_drift(counted(copies, None), **options).scans["largest"]
    assert (naive > 3 * once).all()
    facts = dict(with_groups.summary().facts)
    positives = (frame["y"] == 1).sum()
    said = f"{positives} groups, {20 * positives:,} rows count as "
    assert facts["Groups behind recall of positive"].startswith(said)
    assert "periods and groups are independent" in facts["False alarms"]


@pytest.mark.parametrize("kind", [ConfusionMatrix, MulticlassConfusionMatrix])
def test_a_reference_of_a_watch_has_groups_too(kind):
    frame, before = rows(months=MONTHS), rows(groups=100, seed=5)
    if kind is MulticlassConfusionMatrix:
        frame, before = rows(3, months=MONTHS), rows(3, groups=100, seed=5)
    metrics = METRICS[2 if kind is ConfusionMatrix else 3]
    counts, plain = counted(frame), counted(frame, None)
    reference = kind.from_labels(before["y"], before["p"], groups=before["who"])
    drift = watch_drift(counts, time="month", metrics=metrics, reference=reference, groups="who")
    labels = [1, 0] if kind is ConfusionMatrix else [0, 1, 2]
    for label, (_, said) in zip(labels, drift.groupings, strict=True):
        number = sum(some.loc[some["y"] == label, "who"].nunique() for some in (frame, before))
        assert said.startswith(f"{number} groups, ")
    for some, groups, message in ((plain, None, "counts"), (counts, "who", "reference")):
        other = reference if groups is None else kind.from_labels(before["y"], before["p"])
        with pytest.raises(ValueError, match=f"{message}.* no groups: expected groups of the"):
            watch_drift(some, time="month", metrics=metrics, reference=other, groups=groups)
