"""Explained changes of many classes: parts by hand, and intervals of single matrices."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score

from skewproof.intervals.metric_interval import interval
from skewproof.intervals.parts import Change
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.slices.changes import explain_change
from skewproof.slices.counting import count_slices
from skewproof.slices.many_classes.class_table import read_class_slices

LABELS = ("cat", "dog", "owl")
MAY = ((70, 20, 10), (5, 40, 5), (2, 8, 20))
RARER = ((14, 4, 2), (10, 80, 10), (4, 16, 40))
"""The classifier of May, on other class sizes."""
WORSE = ((70, 20, 10), (5, 40, 5), (13, 14, 3))
"""The class sizes of May, and fewer owls found."""
BOTH = ((30, 12, 8), (20, 90, 10), (1, 4, 35))
NO_OWLS = ((70, 20, 10), (5, 44, 1), (0, 0, 0))


def frame(**slices):
    """Make a row per slice and pair of labels that occurs."""
    rows = [
        (name, true, predicted, count)
        for name, matrix in slices.items()
        for true, row in zip(LABELS, matrix, strict=True)
        for predicted, count in zip(LABELS, row, strict=True)
        if count
    ]
    return pd.DataFrame(rows, columns=["month", "true", "predicted", "count"])


def explained(counts=None, /, **options):
    options = {"metrics": ["accuracy"], "reference": {"month": "May"}} | options
    if counts is None:
        counts = frame(May=MAY, June=RARER, July=WORSE, August=BOTH)
    return explain_change(counts, **options).set_index("month")


def accuracy_with(sizes, rates):
    """Compute the accuracy of classes of these sizes with the recalls of these matrices."""
    total = sum(map(sum, sizes))
    hits = [
        Fraction(sum(size) * row[label], sum(row))
        for label, (size, row) in enumerate(zip(sizes, rates, strict=True))
    ]
    return sum(hits) / total


@pytest.mark.slow
def test_parts_of_accuracy_are_shapley_values_of_two_players():
    row = explained().loc["August"]
    before, sizes, rates, after = (
        accuracy_with(*pair) for pair in ((MAY, MAY), (BOTH, MAY), (MAY, BOTH), (BOTH, BOTH))
    )
    assert row["difference"] == pytest.approx(float(after - before))
    first, second = sizes - before, after - rates
    assert row["prevalence_part"] == pytest.approx(float(first + second) / 2)
    assert row["classifier_part"] == pytest.approx(float(rates - before + after - sizes) / 2)
    ends = [float(min(first, second)), float(max(first, second))]
    assert row[["prevalence_order_min", "prevalence_order_max"]].tolist() == pytest.approx(ends)
    assert row["value_at_reference_prevalence"] == pytest.approx(float(rates))


@pytest.mark.slow
def test_one_cause_alone_is_all_of_the_difference():
    changes = explained(metrics=["macro_f1", "cohen_kappa", "mcc"]).groupby("month")
    june, july = changes.get_group("June"), changes.get_group("July")
    assert june["classifier_part"].tolist() == pytest.approx([0, 0, 0], abs=1e-12)
    assert june["prevalence_part"].tolist() == pytest.approx(june["difference"].tolist())
    assert (july["prevalence_part"] == 0).all()
    assert july["classifier_part"].tolist() == pytest.approx(july["difference"].tolist())
    assert (june["classifier_p"] > 0.5).all()
    assert (july["classifier_p"] < 0.05).all()


@pytest.mark.slow
def test_values_are_those_of_scikit_learn():
    row = explained(metrics="macro_f1").loc["August"]
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(BOTH[i][j])]
    assert row["value"] == pytest.approx(f1_score(*zip(*pairs, strict=True), average="macro"))
    assert (row["instances"], row["missing"]) == (210, 0)


@pytest.mark.slow
def test_the_mean_recall_has_no_part_of_prevalence():
    changes = explained(metrics=["acsa"])
    names = ["prevalence_part", "prevalence_part_low", "prevalence_part_high"]
    assert (changes[names] == 0).all(axis=None)
    assert changes["classifier_part"].tolist() == changes["difference"].tolist()


@pytest.mark.parametrize(("class_sizes", "at"), [("fixed", "test set"), ("sampled", "population")])
@pytest.mark.parametrize("key", ["macro_f1", "accuracy", "mcc"])
@pytest.mark.slow
def test_values_have_their_intervals_and_parts_theirs(class_sizes, at, key):
    row = explained(metrics=[key], class_sizes=class_sizes).loc["August"]
    alone = interval(key, MulticlassConfusionMatrix(BOTH), at=at)
    assert [row["value"], row["low"], row["high"]] == pytest.approx(
        [alone.value, alone.low, alone.high], rel=1e-6
    )
    for name in ("difference", "prevalence_part", "classifier_part"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]


PRIORS = {"cat": 0.9, "dog": 0.09, "owl": 0.01}


@pytest.mark.parametrize(
    "at",
    [
        PRIORS,
        "whole",
        Prevalence.sampled({"cat": 900, "dog": 95, "owl": 5}),
        Prevalence.believed({"cat": 90, "dog": 9, "owl": 1}),
    ],
    ids=["stated", "whole", "sampled", "believed"],
)
@pytest.mark.slow
def test_intervals_at_common_prevalences_are_those_of_each_slice(at):
    changes = explained(metrics=["macro_f1"], at=at, class_sizes="fixed")
    prevalences = at
    if at == "whole":
        sizes = np.sum([MAY, RARER, WORSE, BOTH], axis=(0, 2))
        prevalences = dict(zip(LABELS, sizes / sizes.sum(), strict=True))
    name = "value_at_common_prevalence"
    for month, matrix in {"June": RARER, "July": WORSE, "August": BOTH}.items():
        alone = interval(
            "macro_f1", MulticlassConfusionMatrix(matrix, labels=LABELS), at=prevalences
        )
        ends = changes.loc[month, [name, f"{name}_low", f"{name}_high"]]
        assert ends.tolist() == pytest.approx([alone.value, alone.low, alone.high], rel=1e-6)


@pytest.mark.slow
def test_two_classes_are_what_they_are_by_true_and_false_positives():
    """Accuracy is a sum of products of a share and a rate, of which two and three players have the
    same parts."""
    rows = [("May", 80, 90, 20, 810), ("June", 25, 98, 4, 882)]
    cells = pd.DataFrame(rows, columns=["month", "tp", "fp", "fn", "tn"])
    pairs = cells.melt("month", value_name="count")
    pairs["true"] = pairs["variable"].isin(["tp", "fn"]).astype(int)
    pairs["predicted"] = pairs["variable"].isin(["tp", "fp"]).astype(int)
    options = {"metrics": ["accuracy"], "reference": {"month": "May"}}
    expected = explain_change(cells, **options).iloc[0]
    (row,) = explain_change(pairs.drop(columns="variable"), **options).to_dict("records")
    for part in ("difference", "prevalence_part", "classifier_part"):
        for end in ("", "_low", "_high"):
            assert row[f"{part}{end}"] == pytest.approx(expected[f"{part}{end}"], rel=1e-4)
    for name in ("value", "low", "high", "p", "classifier_p", "value_at_reference_prevalence"):
        assert row[name] == pytest.approx(expected[name], rel=1e-4)


@pytest.mark.slow
def test_the_class_whose_recall_moved_most_is_named():
    """Compare with p-values of each class against the rest, adjusted for all classes."""
    changes = explained()
    p = []
    for month in ("June", "July", "August"):
        for label in range(3):
            cells = []
            for matrix in (MAY, {"June": RARER, "July": WORSE, "August": BOTH}[month]):
                row = matrix[label]
                cells.append({"tp": row[label], "fn": sum(row) - row[label], "fp": 1, "tn": 9})
            two = pd.DataFrame(cells).assign(month=["May", "other"])
            metric = ["true_positive_rate"]
            p += explain_change(two, metrics=metric, reference={"month": "May"})["p"].tolist()
    adjusted = np.array(holm(p)).reshape(3, 3)
    assert (adjusted < 0.05).any(axis=1).tolist() == [False, True, False]
    assert changes["moved_class"].fillna("").tolist() == ["", "owl", ""]
    july = changes.loc["July"]
    assert july["moved_p_adjusted"] == pytest.approx(adjusted[1, 2], rel=1e-4)
    assert (july["moved_recall"], july["moved_reference_recall"]) == (0.1, 20 / 30)
    assert july["sentence"].endswith("; the recall of owl fell most, from 0.67 to 0.10")
    turned = explained(frame(May=WORSE, July=MAY)).loc["July", "sentence"]
    assert "; the recall of owl rose most, from 0.10 to 0.67" in turned
    assert np.isnan(changes.loc["June", "moved_recall"])
    assert "recall" not in changes.loc["June", "sentence"]


@pytest.mark.slow
def test_a_class_without_instances_has_the_recall_of_the_reference():
    row = explained(frame(May=MAY, June=NO_OWLS)).iloc[0]
    before, after = accuracy_with(MAY, MAY), Fraction(70 + 44, 150)
    sizes = accuracy_with(NO_OWLS, MAY)
    rates = accuracy_with(MAY, (NO_OWLS[0], NO_OWLS[1], MAY[2]))
    assert row["difference"] == pytest.approx(float(after - before))
    assert row["prevalence_part"] == pytest.approx(float(sizes - before + after - rates) / 2)
    assert row["sentence"].endswith(
        "; no instances of owl here, so that recall there counts as unchanged"
    )
    turned = explained(frame(May=NO_OWLS, June=MAY)).iloc[0]
    assert turned["prevalence_part"] == pytest.approx(-row["prevalence_part"])
    assert "no instances of owl on its reference" in turned["sentence"]


@pytest.mark.slow
def test_a_measure_of_each_class_is_undefined_without_one():
    changes = explained(frame(May=MAY, June=NO_OWLS), metrics=["acsa", "accuracy"], at=PRIORS)
    lost, there = changes.to_dict("records")
    assert lost["sentence"].startswith("acsa is undefined here (no instances of owl)")
    known = {"metric", "reference_value", "instances", "missing", "sentence"}
    assert all(pd.isna(value) for name, value in lost.items() if name not in known)
    # The accuracy among owls is not known either.
    assert np.isnan(there["value_at_common_prevalence"])
    assert np.isfinite(there["difference_low"])


@pytest.mark.slow
def test_only_a_label_of_a_single_slice_is_named():
    """Count the slices of each label: June and July have ducks, and August alone has emus."""
    rows = [("June", "duck", "duck", 5), ("July", "duck", "owl", 5), ("August", "emu", "emu", 5)]
    counts = frame(May=MAY, June=RARER, July=WORSE, August=BOTH)
    counts = pd.concat([counts, pd.DataFrame(rows, columns=list(counts))])
    said = explained(counts, metrics=["accuracy"])["sentence"].str.extract(r"only (.*?) has (\w+)")
    assert said.loc["August"].tolist() == ["this slice", "emu"]
    assert said.drop("August").isna().all(axis=None)


@pytest.mark.slow
def test_a_label_of_one_slice_is_named_and_concerns_no_other():
    counts = frame(May=MAY, June=RARER, July=WORSE)
    extra = pd.DataFrame([("June", "ow1", "owl", 1)], columns=list(counts))
    changes = explained(pd.concat([counts, extra]), metrics=["macro_f1"])
    assert "only this slice has ow1" in changes.loc["June", "sentence"]
    assert (
        "macro_f1 is undefined on its reference (no instances of ow1)"
        in (changes.loc["June", "sentence"])
    )
    # July and May have three classes, as if there were no June.
    alone = explained(frame(May=MAY, July=WORSE), metrics=["macro_f1"]).loc["July"]
    names = ["value", "low", "high", "difference_low", "classifier_part", "p", "sentence"]
    together = changes.loc["July", names]
    assert together.drop("sentence").tolist() == pytest.approx(alone[names[:-1]].tolist())
    turned = explained(pd.concat([counts, extra]), reference={"month": "June"})
    assert turned["sentence"].str.contains("only its reference has ow1").all()


@pytest.mark.slow
def test_without_a_reference_each_is_beside_all_others():
    changes = explained(reference=None)
    rest = np.sum([RARER, WORSE, BOTH], axis=0)
    assert changes.loc["May", "reference_value"] == pytest.approx(np.trace(rest) / rest.sum())
    assert changes.index.tolist() == ["May", "June", "July", "August"]


@pytest.mark.slow
def test_weights_leave_values_and_widen_intervals():
    counts = frame(May=MAY, August=BOTH)
    weighted = explained(counts.assign(effective=counts["count"] / 2)).iloc[0]
    plain = explained(counts).iloc[0]
    halved = explained(counts.assign(count=counts["count"] / 2)).iloc[0]
    for name in ("value", "difference", "prevalence_part", "instances"):
        assert weighted[name] == pytest.approx(plain[name])
    for name in ("low", "high", "difference_low", "prevalence_part_high", "p", "classifier_p"):
        assert weighted[name] == pytest.approx(halved[name])


@pytest.mark.slow
def test_a_measure_of_one_s_own():
    def owls_found(matrix):
        return matrix.recalls[..., 2]

    recall_of_owls = Measure("owls_found", "r", "owls found", "", owls_found)
    row = explained(metrics=[recall_of_owls, MEASURES["accuracy"]]).loc["July"].iloc[0]
    assert (row["metric"], row["value"]) == ("owls_found", 0.1)
    assert row["classifier_part"] == pytest.approx(0.1 - 20 / 30)


@pytest.mark.slow
def test_counts_of_a_frame_are_explained():
    random = np.random.default_rng(1)
    rows = pd.DataFrame(
        {
            "month": np.repeat(["May", "June"], 300),
            "y": random.choice([*LABELS, None], 600, p=[0.4, 0.3, 0.2, 0.1]),
            "p": random.choice(LABELS, 600),
        }
    )
    row = explained(count_slices(rows, y_true="y", y_pred="p", by="month")).iloc[0]
    june = rows[rows["month"] == "June"]
    known = june.dropna()
    assert row["missing"] == june["y"].isna().sum()
    assert row["instances"] == len(known)
    assert row["value"] == pytest.approx((known["y"] == known["p"]).mean())


@pytest.mark.slow
def test_many_slices_are_as_each_alone():
    """Some slices lack a class, and there are more slices than are processed together."""
    random = np.random.default_rng(3)
    matrices = random.integers(1, 30, (40, 3, 3)) * (random.random((40, 3, 1)) < 0.9)
    matrices[0] = MAY
    counts = frame(**{str(number): matrix for number, matrix in enumerate(matrices)})
    together = explained(counts, metrics="mcc", reference={"month": "0"})
    for name in ("1", "17", "39"):
        two = counts[counts["month"].isin(["0", name])]
        alone = explained(two, metrics="mcc", reference={"month": "0"}).iloc[0]
        columns = ["value", "difference_low", "prevalence_part", "p", "classifier_p"]
        assert together.loc[name, columns].tolist() == pytest.approx(alone[columns].tolist())


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"metrics": "f1_i"}, KeyError, "no measure of any number of classes 'f1_i'"),
        ({"at": "1:1000"}, ValueError, "expected a number for each class by name: cat, dog, owl"),
        ({"at": {"cat": 0.5, "dog": 0.5}}, ValueError, "a number for each class by name"),
        ({"at": "population"}, ValueError, "expected one prevalence per class for all slices"),
        ({"at": Prevalence.between(0.1, 0.2)}, ValueError, "a number for each class by name"),
        (
            {"reference": {"month": "Mai"}},
            ValueError,
            r"reference\['month'\] = 'Mai': expected one of",
        ),
        ({"class_sizes": "given"}, ValueError, "class_sizes = 'given': expected 'sampled' or"),
    ],
)
@pytest.mark.slow
def test_bad_options_are_refused(change, error, message):
    with pytest.raises(error, match=message):
        explained(**change)


def test_the_whole_needs_every_class():
    with pytest.raises(ValueError, match="at = 'whole': expected slices with instances of every"):
        explained(frame(May=NO_OWLS, June=NO_OWLS), at="whole")


@pytest.mark.parametrize("causes", [("prevalence",), ("classifier",), ("prevalence", "classifier")])
@pytest.mark.parametrize("class_sizes", ["sampled", "fixed"])
@pytest.mark.slow
def test_derivatives_are_differences(causes, class_sizes):
    """This also holds if a class has the rates of the other side."""
    slices = read_class_slices(frame(May=MAY, June=NO_OWLS, July=BOTH))
    here, there = (slices.at(np.array(rows)).observed(class_sizes) for rows in ([1, 0], [2, 1]))
    change = Change(MEASURES["accuracy"], here, there, {"classifier": range(3)})
    part, rows = change.part(*causes), np.arange(2)
    point = np.clip(change.proportions.observed, 0.05, 0.95)
    values, slopes = change.gradient(*causes)(point[:, np.newaxis], rows)
    assert values[0] == pytest.approx(part(point, rows))
    for dimension in range(len(point)):
        step = 1e-5 * (np.arange(len(point)) == dimension)[:, np.newaxis]
        difference = (part(point + step, rows) - part(point - step, rows)) / 2e-5
        assert slopes[dimension, 0] == pytest.approx(difference, abs=1e-4)
