"""Explained changes: counts whose cause is known, and tables by hand."""

import datetime
import itertools
import math
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from label_rows import label_rows
from scipy import stats

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.precision_recall import f1
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project
from skewproof.sensitivity.sampling.adjustment import holm
from skewproof.slices.changes import explain_change
from written import check_refusals, check_written

pytestmark = pytest.mark.slow

COLUMNS = ["month", "tp", "fp", "fn", "tn"]
MAY, RARER, WORSE = ("May", 80, 90, 20, 810), ("June", 16, 98, 4, 882), ("July", 50, 90, 50, 810)


def frame(*rows, columns=COLUMNS):
    return pd.DataFrame(list(rows), columns=columns)


def explained(*rows, **options):
    options = {"metrics": ["f1"], "reference": {"month": "May"}} | options
    return explain_change(frame(*rows), **options)


LABELS = ("cat", "dog", "owl")
ANIMALS = ((70, 20, 10), (5, 40, 5), (2, 8, 20))
RARER_ANIMALS = ((14, 4, 2), (10, 80, 10), (4, 16, 40))
"""The classifier of ANIMALS, on other class sizes."""
OWLS_MISSED = ((70, 20, 10), (5, 40, 5), (13, 14, 3))
"""The class sizes of ANIMALS, and fewer owls found."""
BOTH = ((30, 12, 8), (20, 90, 10), (1, 4, 35))
NO_OWLS = ((70, 20, 10), (5, 44, 1), (0, 0, 0))


def pairs(labels=LABELS, **slices):
    """Make a row per slice and pair of labels that occurs."""
    rows = label_rows(slices, labels)
    return pd.DataFrame(rows, columns=["month", "true", "predicted", "count"])


def of_animals(counts=None, /, **options):
    options = {"metrics": ["accuracy"], "reference": {"month": "May"}} | options
    return explain_change(THREE if counts is None else counts, **options).set_index("month")


TWO = frame(MAY, RARER, WORSE)
THREE = pairs(May=ANIMALS, June=RARER_ANIMALS, July=OWLS_MISSED, August=BOTH)
OF_TWO_LABELS = pairs(
    (1, 0), **{name: ((tp, fn), (fp, tn)) for name, tp, fp, fn, tn in TWO.to_numpy()}
)
"""Counts of May, June and July of two and of three classes, with a metric."""


def test_cells_and_pairs_of_two_classes_are_explained_alike():
    of_cells, of_pairs = (
        explain_change(counts, metrics=["f1", "macro_f1"], reference={"month": "May"}, at="1:9")
        for counts in (TWO, OF_TWO_LABELS)
    )
    assert of_cells["moved_class"].fillna("").tolist() == ["", "positive"] * 2
    assert of_pairs["moved_class"].fillna("").tolist() == ["", 1] * 2
    names = ["moved_class", "sentence"]
    pd.testing.assert_frame_equal(of_pairs.drop(columns=names), of_cells.drop(columns=names))


def test_parts_of_two_classes_sum_to_the_classifier_s():
    """Compare with fractions: each rate right before or after the other one, at both shares."""
    row = explained(MAY, ("June", 25, 70, 25, 930), classes=["positive", "negative"]).iloc[0]
    shares = Fraction(100, 1000), Fraction(50, 1050)
    tpr, fpr = (Fraction(80, 100), Fraction(25, 50)), (Fraction(90, 900), Fraction(70, 1000))

    def f1(share, hit, called):
        true, false = share * hit, (1 - share) * called
        return 2 * true / (true + false + share)

    steps = {"positive": [], "negative": []}
    for share in shares:
        values = [[f1(share, hit, called) for called in fpr] for hit in tpr]
        steps["positive"] += [values[1][other] - values[0][other] for other in (0, 1)]
        steps["negative"] += [values[other][1] - values[other][0] for other in (0, 1)]
    for label, changes in steps.items():
        assert row[f"part_of_{label}"] == pytest.approx(float(sum(changes) / 4))
        assert row[f"part_of_{label}_low"] < row[f"part_of_{label}"] < row[f"part_of_{label}_high"]
    assert row.part_of_positive + row.part_of_negative == pytest.approx(row.classifier_part)


@pytest.mark.parametrize(("class_sizes", "at"), [("fixed", "test set"), ("sampled", "population")])
@pytest.mark.parametrize(
    ("counts", "key", "matrix"),
    [
        (frame(MAY, RARER), "f1", matrix_of(RARER[1:])),
        (pairs(May=ANIMALS, August=BOTH), "macro_f1", MulticlassConfusionMatrix(BOTH)),
    ],
)
def test_values_have_their_intervals_and_parts_theirs(counts, key, matrix, class_sizes, at):
    options = {"metrics": key, "class_sizes": class_sizes, "reference": {"month": "May"}}
    row = explain_change(counts, **options).iloc[0]
    alone = interval(key, matrix, at=at)
    expected = [alone.value, alone.low, alone.high]
    assert [row.value, row.low, row.high] == pytest.approx(expected, rel=1e-6)
    for name in ("difference", "prevalence_part", "classifier_part"):
        assert row[f"{name}_low"] < row[name] < row[f"{name}_high"]


@pytest.mark.parametrize(("counts", "keys"), [(TWO, sorted(INVARIANT)), (THREE, ["acsa"])])
def test_prevalence_has_no_part_interval_or_p_in_what_is_invariant(counts, keys):
    changes = explain_change(counts, metrics=keys, reference={"month": "May"})
    differences = changes.difference.tolist()
    assert changes.classifier_part.tolist() == pytest.approx(differences, rel=1e-12)
    ends = ["prevalence_part_low", "prevalence_part_high"]
    orders = ["prevalence_order_min", "prevalence_order_max"]
    assert (changes[["prevalence_part", *ends, *orders]] == 0).all(axis=None)
    assert changes.value_at_reference_prevalence.tolist() == pytest.approx(changes.value.tolist())


def test_the_intervals_of_a_single_rate_s_difference_are_those_of_two_proportions():
    """The score test's p is nearly that of the difference between two large samples."""
    row = explained(
        MAY, WORSE, metrics=["true_positive_rate"], classes=["positive", "negative"]
    ).iloc[0]
    assert row.difference == pytest.approx(-0.3)
    table = stats.contingency.chi2_contingency([[80, 20], [50, 50]], correction=False)
    assert math.log(row.p) == pytest.approx(math.log(table.pvalue), rel=0.02)
    assert row.part_of_negative == row.prevalence_part == 0


@pytest.mark.parametrize(
    ("counts", "numbers", "weights"),
    [
        (
            frame(MAY, RARER),
            COLUMNS[1:],
            {"positives_effective": [50.0, 10.0], "negatives_effective": [450.0, 490.0]},
        ),
        (THREE, ["count"], {"effective": THREE["count"] / 2}),
    ],
)
def test_weights_leave_values_and_widen_intervals(counts, numbers, weights):
    halves = counts.assign(**{name: counts[name] / 2 for name in numbers})
    plain, weighted, halved = (
        explain_change(table, metrics="accuracy", reference={"month": "May"}).iloc[0]
        for table in (counts, counts.assign(**weights), halves)
    )
    for name in ("value", "difference", "prevalence_part", "instances"):
        assert weighted[name] == pytest.approx(plain[name])
    for name in ("low", "high", "difference_low", "prevalence_part_high", "p", "classifier_p"):
        assert weighted[name] == pytest.approx(halved[name])


@pytest.mark.parametrize(
    ("counts", "key", "expected"),
    [
        (TWO, "f1", f1(matrix_of(np.array(RARER[1:]) + WORSE[1:]))),
        (THREE, "accuracy", (14 + 80 + 40 + 70 + 40 + 3 + 30 + 90 + 35) / (180 + 180 + 210)),
    ],
)
def test_without_a_reference_each_is_beside_all_others(counts, key, expected):
    changes = explain_change(counts, metrics=key)
    assert list(changes["month"]) == list(counts["month"].unique())
    assert changes["reference_value"][0] == pytest.approx(float(expected))


def test_with_more_keys_each_has_the_reference_like_it():
    rows = [
        ("May", "AT", 80, 90, 20, 810),
        ("May", "DE", 8, 9, 2, 81),
        ("June", "DE", 10, 9, 0, 81),
        ("June", "AT", 50, 90, 50, 810),
    ]
    counts = pd.DataFrame(rows, columns=["month", "country", *COLUMNS[1:]])
    changes = explain_change(counts, metrics=["true_positive_rate"], reference={"month": "May"})
    assert changes.country.tolist() == ["DE", "AT"]
    assert changes.difference.tolist() == pytest.approx([0.2, -0.3])
    from_one = explain_change(
        counts, metrics=["true_positive_rate"], reference={"month": "May", "country": "AT"}
    )
    assert from_one.difference.tolist() == pytest.approx([0.0, 0.2, -0.3])
    with pytest.raises(ValueError, match=r"'May'\}: expected such a slice with \{'country': 'DE'"):
        explain_change(counts.drop(index=1), metrics=["f1"], reference={"month": "May"})


AUGUST = ("August", 3, 0, 7, 500)
IN_TWO = [matrix_of(row[1:]) for row in (RARER, WORSE, AUGUST)]
IN_THREE = [MulticlassConfusionMatrix(one, LABELS) for one in (RARER_ANIMALS, OWLS_MISSED, BOTH)]
PRIORS = {"cat": 0.9, "dog": 0.09, "owl": 0.01}
OF_ALL = np.sum([ANIMALS, RARER_ANIMALS, OWLS_MISSED, BOTH], axis=(0, 2))


@pytest.mark.parametrize(
    ("counts", "key", "at", "matrices"),
    [
        *(
            (frame(MAY, RARER, WORSE, AUGUST), key, at, IN_TWO)
            for key, at in (
                *(("laplace", "1:1000"), ("f1", "whole"), ("mcc", Prevalence.sampled(12, 4000))),
                *(("f1", Prevalence.between(0.01, 0.2)), ("f1", Prevalence.believed(2, 50))),
            )
        ),
        *(
            (THREE, "macro_f1", at, IN_THREE)
            for at in (
                *(PRIORS, "whole", Prevalence.sampled({"cat": 900, "dog": 95, "owl": 5})),
                Prevalence.believed({"cat": 90, "dog": 9, "owl": 1}),
            )
        ),
    ],
)
def test_intervals_at_a_common_prevalence_are_those_of_each_slice(counts, key, at, matrices):
    """This also holds for slices with fixed class sizes, which do not determine other places."""
    options = {"metrics": key, "at": at, "class_sizes": "fixed", "reference": {"month": "May"}}
    changes = explain_change(counts, **options)
    if at == "whole":
        at = (100 + 20 + 100 + 10) / (3000 + 510)
        if matrices is IN_THREE:
            at = dict(zip(LABELS, OF_ALL / OF_ALL.sum(), strict=True))
    name = "value_at_common_prevalence"
    for row, matrix in zip(changes.to_dict("records"), matrices, strict=True):
        total = matrix.total if key == "laplace" else None
        alone = interval(key, matrix, at=at, total=total)
        ends = row[name], row[f"{name}_low"], row[f"{name}_high"]
        assert ends == pytest.approx((alone.value, alone.low, alone.high), rel=1e-6)


def test_many_slices_are_as_each_alone(monkeypatch):
    """There are more slices than are processed together, and some lack a class."""
    monkeypatch.setattr("skewproof.slices.changes.MOST_AT_ONCE", 3)
    random = np.random.default_rng(3)
    matrices = random.integers(1, 30, (14, 3, 3)) * (random.random((14, 3, 1)) < 0.9)
    matrices[0] = ANIMALS
    counts = pairs(**{str(number): matrix for number, matrix in enumerate(matrices)})
    counts = counts.astype({"month": int})
    together = explain_change(counts, metrics="mcc", reference={"month": 0}).set_index("month")
    for month in (1, 7, 13):
        two = counts[counts["month"].isin([0, month])]
        alone = explain_change(two, metrics="mcc", reference={"month": 0}).iloc[0]
        columns = ["value", "difference_low", "prevalence_part", "p", "classifier_p"]
        assert together.loc[month, columns].tolist() == pytest.approx(alone[columns].tolist())


def accuracy_with(sizes, rates):
    """Compute the accuracy of classes of these sizes with the recalls of these matrices."""
    total = sum(map(sum, sizes))
    hits = [
        Fraction(sum(size) * row[label], sum(row))
        for label, (size, row) in enumerate(zip(sizes, rates, strict=True))
    ]
    return sum(hits) / total


def test_the_class_whose_recall_moved_most_is_named():
    """Compare with p-values of each class against the rest, adjusted for all classes."""
    changes = of_animals()
    matrices = {"May": ANIMALS, "June": RARER_ANIMALS, "July": OWLS_MISSED, "August": BOTH}
    cells = [
        (month, label, row[label], 1, sum(row) - row[label], 9)
        for month, matrix in matrices.items()
        for label, row in enumerate(matrix)
    ]
    counts = pd.DataFrame(cells, columns=["month", "label", *COLUMNS[1:]])
    p = explain_change(counts, metrics="recall", reference={"month": "May"})["p"].tolist()
    adjusted = np.array(holm(p)).reshape(3, 3)
    assert (adjusted < 0.05).any(axis=1).tolist() == [False, True, False]
    assert changes["moved_class"].fillna("").tolist() == ["", "owl", ""]
    assert changes.loc["July", "moved_p_adjusted"] == pytest.approx(adjusted[1, 2], rel=1e-4)
    turned = of_animals(pairs(May=OWLS_MISSED, July=ANIMALS)).loc["July", "sentence"]
    assert "; the recall of owl rose most, from 0.10 to 0.67" in turned


def test_a_class_of_three_without_instances_has_the_recall_of_the_reference():
    row = of_animals(pairs(May=ANIMALS, June=NO_OWLS)).iloc[0]
    before, after = accuracy_with(ANIMALS, ANIMALS), Fraction(70 + 44, 150)
    sizes = accuracy_with(NO_OWLS, ANIMALS)
    rates = accuracy_with(ANIMALS, (NO_OWLS[0], NO_OWLS[1], ANIMALS[2]))
    assert row["difference"] == pytest.approx(float(after - before))
    assert row["prevalence_part"] == pytest.approx(float(sizes - before + after - rates) / 2)
    assert row["sentence"].endswith(
        "; no instances of owl here, so that recall there counts as unchanged"
    )
    turned = of_animals(pairs(May=NO_OWLS, June=ANIMALS)).iloc[0]
    assert turned["prevalence_part"] == pytest.approx(-row["prevalence_part"])
    assert "no instances of owl on its reference" in turned["sentence"]


def test_a_label_of_one_slice_is_named_and_concerns_no_other():
    counts = pairs(May=ANIMALS, June=RARER_ANIMALS, July=OWLS_MISSED)
    extra = pd.DataFrame([("June", "ow1", "owl", 1)], columns=list(counts))
    changes = of_animals(pd.concat([counts, extra]), metrics=["macro_f1"])
    assert "only this slice has ow1" in changes.loc["June", "sentence"]
    # July and May have three classes, as if there were no June.
    alone = of_animals(pairs(May=ANIMALS, July=OWLS_MISSED), metrics=["macro_f1"]).loc["July"]
    names = ["value", "low", "high", "difference_low", "classifier_part", "p", "sentence"]
    together = changes.loc["July", names]
    assert together.drop("sentence").tolist() == pytest.approx(alone[names[:-1]].tolist())
    turned = of_animals(pd.concat([counts, extra]), reference={"month": "June"})
    assert turned["sentence"].str.contains("only its reference has ow1").all()


def told(changes):
    """Write which columns are floats, and a column for each row with four digits."""
    floats = changes.select_dtypes("float")
    texts = changes.assign(**floats.map("{:.4g}".format)).fillna("")
    columns = texts.drop(columns="sentence").T.to_string(header=False)
    return "\n\n".join([" ".join(floats), *changes["sentence"], columns]) + "\n"


def test_explanations_are_those_that_are_written():
    """Slices without a class, calls or instances, labels of single slices, and other options."""
    empty = ("June", 0, 3, 0, 80), ("July", 5, 0, 2, 0), ("August", 0, 0, 5, 80)
    extra = [("June", "duck", "duck", 5), ("July", "duck", "owl", 5), ("August", "emu", "emu", 5)]
    labels = pd.concat([THREE, pd.DataFrame(extra, columns=list(THREE))])
    without = pairs(May=ANIMALS, June=NO_OWLS)
    days = TWO.assign(month=pd.to_datetime(["2026-05-01", "2026-06-01", "2026-07-01"]))
    found = Measure("owls_found", "r", "owls found", "", lambda matrix: matrix.recalls[..., 2])
    of_may = {"reference": {"month": "May"}}
    at_day = {"metrics": "f1", "reference": {"month": datetime.date(2026, 5, 1)}}
    tables = {
        "two classes": explained(MAY, RARER, WORSE),
        "a larger negligible share": explained(MAY, RARER, negligible=0.3),
        "empty classes": explained(MAY, *empty, ("Sept", 0, 0, 0, 0), metrics="precision"),
        "three classes": explain_change(THREE, metrics=[found, "accuracy"], **of_may),
        "labels of one slice": explain_change(labels, metrics="macro_f1", **of_may),
        "a class is missing": explain_change(without, metrics="acsa", at=PRIORS, **of_may),
        "it is not needed": explain_change(without, metrics="accuracy", at=PRIORS, **of_may),
        "a day among times": explain_change(days, **at_day),
        "a day as text": explain_change(days, metrics="f1", reference={"month": "2026-05-01"}),
    }
    outputs = {name: told(changes) for name, changes in tables.items()}
    check_written(Path(__file__).with_name("explanations.txt"), **outputs)


@pytest.mark.parametrize(("adjustment", "method"), [("benjamini-hochberg", "bh"), ("holm", None)])
def test_adjusted_p_values_are_of_the_slices_of_a_metric(adjustment, method):
    rows = [MAY, RARER, WORSE, ("August", 70, 90, 30, 810), ("September", 0, 0, 0, 0)]
    changes = explained(*rows, metrics=["f1", "f1_i"], adjustment=adjustment)
    for _, table in changes.dropna(subset="p").groupby("metric"):
        p = np.sort(table.p)
        expected = np.minimum(np.maximum.accumulate(p * [3, 2, 1]), 1)
        if method:
            expected = stats.false_discovery_control(p, method=method)
        np.testing.assert_allclose(np.sort(table.p_adjusted), expected)


SEEN = ConfusionMatrix(tp=80, fp=90, fn=20, tn=810)
WEIGHTED = ConfusionMatrix(tp=80, fp=90, fn=20, tn=810, effective=(40.0, 300.0))
GROUPED = ConfusionMatrix.from_groups(tp=[3, 1], fp=[0, 1], fn=[1, 1], tn=[4, 4])


def in_a_frame(*matrices):
    """Make counts of months from matrices, as some tools would."""
    counts = pd.DataFrame([asdict(matrix) for matrix in matrices]).drop(columns="origin")
    return counts.assign(month=range(5, 5 + len(matrices)))


def test_refusals_are_those_that_are_written():
    long, missing = ("M" * 10**4, 1, 1, 1, 1), ("June", np.nan, 1, 1, 1)
    of_may = {"reference": {"month": "May"}}
    rows = [("May", "b", "a", 3), ("May", "a", "a", 4), ("June", "c", "c", 5)]

    def of_pairs(*more, columns=THREE.columns):
        return pd.DataFrame([*rows, *more], columns=columns)

    cases = [
        ([1, 2], of_may),
        (frame(MAY).drop(columns="tn"), of_may),
        (frame(), of_may),
        (frame(MAY), of_may),
        (frame(MAY), {}),
        (frame(MAY, MAY), of_may),
        (frame(MAY, RARER).set_axis(["month", "tp", "tp", "fn", "tn"], axis=1), of_may),
        (frame(MAY, RARER).assign(positives_effective=0), of_may),
        (frame(long, long), of_may),
        (frame(MAY, missing), of_may),
        (of_pairs()[:0], of_may),
        (of_pairs(rows[0]), of_may),
        (of_pairs(("May", "b", "b", -1)), of_may),
        (of_pairs(("May", "b", "b", 1e19)), of_may),
        (of_pairs(("May", "b", "b", "x")), of_may),
        (of_pairs(("May", 1, "b", 1)), of_may),
        (of_pairs()[1:2], of_may),
        (of_pairs().assign(effective=0), of_may),
        (of_pairs().rename(columns={"month": "value"}), of_may),
        (of_pairs(columns=["count", *THREE.columns[1:]]), of_may),
        (in_a_frame(SEEN, project(SEEN, at="1:1000")), {"reference": {"month": 5}}),
        (in_a_frame(WEIGHTED.effective_counts, WEIGHTED), {"reference": {"month": 5}}),
        (in_a_frame(GROUPED, GROUPED), {"reference": {"month": 5}}),
        (TWO, {"metrics": []}),
        (TWO, {"metrics": ["acuracy"]}),
        (TWO, {"reference": {"year": 1}}),
        (TWO, {"reference": {"month": "Mai"}}),
        (TWO, {"reference": "May"}),
        (TWO, {"reference": {"month": ["May"]}}),
        (TWO, {"reference": {}}),
        (TWO, {"at": "population"}),
        (TWO, {"at": {"ill": 0.1, "well": 0.9}}),
        (frame(("May", 0, 3, 0, 80), ("June", 0, 5, 0, 70)), {"at": "whole"}),
        (THREE, {"metrics": "f1_i"}),
        (THREE, {"at": "1:1000"}),
        (THREE, {"at": {"cat": 0.5, "dog": 0.5}}),
        (THREE, {"at": Prevalence.between(0.1, 0.2)}),
        (pairs(May=NO_OWLS, June=NO_OWLS), {"at": "whole"}),
        (TWO.rename(columns={"month": "size_part_low"}), {}),
    ]
    calls = [
        partial(explain_change, counts, **{"metrics": "accuracy"} | more) for counts, more in cases
    ]
    check_refusals(Path(__file__).with_name("changes_refusals.txt"), calls)


def ratio(above, below):
    return above / below if below else math.inf if above else math.nan


DEFINITIONS = {
    "true_negative_rate": lambda tp, fp, fn, tn: ratio(tn, tn + fp),
    "precision": lambda tp, fp, fn, tn: ratio(tp, tp + fp),
    "f1": lambda tp, fp, fn, tn: ratio(2 * tp, 2 * tp + fp + fn),
    "laplace": lambda tp, fp, fn, tn: (tp + 1) / (tp + fp + 2),
    "tp*(fp+tn)/(fp*(tp+fn))": lambda tp, fp, fn, tn: ratio(tp * (fp + tn), fp * (tp + fn)),
}
NAMES = ["prevalence_part", "classifier_part", "size_part"]


def drawn_counts():
    """Draw a reference and slices: ties, empty cells, tiny and huge ones."""
    random = np.random.default_rng(26)
    for size in (6, 300, 10**6):
        reference = random.integers(0, size * random.random(4) + 2)
        emptied = reference * (random.random((3, 4)) < 0.6)
        tiny, huge = random.integers(0, 4, (3, 4)), random.integers(1, 10**11, 4)
        rows = [reference, reference, 7 * reference, *tiny, huge, *emptied, reference[[2, 1, 0, 3]]]
        yield pd.DataFrame([list(map(int, row)) for row in rows], columns=COLUMNS[1:])


def shares(tp, fp, fn, tn):
    """Return prevalence, both rates and size; None where a class is empty."""
    total = tp + fp + fn + tn
    parts = (tp + fn, total), (tp, tp + fn), (fp, fp + tn)
    return [Fraction(part, size) if size else None for part, size in parts] + [Fraction(total)]


def value_of(definition, prevalence, tpr, fpr, size):
    positives, negatives = size * prevalence, size * (1 - prevalence)
    cells = positives * tpr, negatives * fpr, positives * (1 - tpr), negatives * (1 - fpr)
    return definition(*cells)


def changes_of_causes(definition, here, there):
    """List the changes by each cause in each order of exchange; a missing rate is the other's."""
    sides = shares(*here), shares(*there)
    here, there = (
        [other if own is None else own for own, other in zip(*pair, strict=True)]
        for pair in (sides, sides[::-1])
    )
    causes = [(0,), (1, 2), (3,)]
    if definition is not DEFINITIONS["laplace"]:
        here[3] = there[3] = here[3] + there[3]
        causes.pop()

    def value(chosen):
        numbers = [
            (here if any(number in causes[cause] for cause in chosen) else there)[number]
            for number in range(4)
        ]
        # A rate that is missing on both sides belongs to a class that nobody has.
        return value_of(definition, *(Fraction(1, 3) if one is None else one for one in numbers))

    changes = [[] for _ in causes]
    for order in itertools.permutations(range(len(causes))):
        for place, cause in enumerate(order):
            changes[cause].append(value(order[: place + 1]) - value(order[:place]))
    return changes


def test_values_and_parts_are_those_of_fractions():
    """Average over all orders of exchange of prevalence, rates and size."""
    compared = 0
    for counts in drawn_counts():
        cells = list(counts.itertuples(index=False, name=None))
        changes = explain_change(
            counts.assign(month=range(len(counts))),
            metrics=list(DEFINITIONS),
            reference={"month": 0},
        )
        for row in changes.to_dict("records"):
            definition, here = DEFINITIONS[row["metric"]], cells[row["month"]]
            values = [float(definition(*map(Fraction, one))) for one in (here, cells[0])]
            ours = [row["value"], row["reference_value"]]
            assert ours == pytest.approx(values, nan_ok=True)
            if not np.isfinite(values).all():
                assert np.isnan(row["p"]) or not np.isnan(values).any()
                continue
            compared += 1
            assert row["difference"] == pytest.approx(values[0] - values[1], rel=1e-9, abs=1e-12)
            by_cause = changes_of_causes(definition, here, cells[0])
            for name, steps in zip(NAMES, by_cause, strict=False):
                mean = float(sum(steps) / len(steps))
                assert row[name] == pytest.approx(mean, rel=1e-8, abs=1e-9, nan_ok=True)
                ends = row[f"{name}_low"], row[f"{name}_high"]
                assert np.isnan(mean) or ends[0] - 1e-9 <= mean <= ends[1] + 1e-9
            if np.isfinite(row["prevalence_part"]):
                ends = [row["prevalence_order_min"], row["prevalence_order_max"]]
                expected = [float(min(by_cause[0])), float(max(by_cause[0]))]
                assert ends == pytest.approx(expected, rel=1e-8, abs=1e-9)
                # The last order exchanges prevalence last.
                before = values[0] - float(by_cause[0][-1])
                there = row["value_at_reference_prevalence"]
                assert there == pytest.approx(before, rel=1e-8, abs=1e-9)
    assert compared > 80
