"""Explained changes: counts whose cause is known, and tables by hand."""

import datetime
import math
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from known_values import INVARIANT
from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.levels import Level
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project
from skewproof.slices.changes import explain_change

COLUMNS = ["month", "tp", "fp", "fn", "tn"]
MAY, RARER, WORSE = ("May", 80, 90, 20, 810), ("June", 16, 98, 4, 882), ("July", 50, 90, 50, 810)


def frame(*rows, columns=COLUMNS):
    return pd.DataFrame(list(rows), columns=columns)


def explained(*rows, **options):
    options = {"metrics": ["f1"], "reference": {"month": "May"}} | options
    return explain_change(frame(*rows), **options)


@pytest.mark.slow
def test_a_rarer_class_is_all_prevalence_and_a_worse_classifier_none():
    changes = explained(MAY, RARER, WORSE).set_index("month")
    assert changes.prevalence_part["June"] == pytest.approx(changes.difference["June"])
    assert changes.classifier_part["June"] == pytest.approx(0, abs=1e-12)
    assert changes.prevalence_part["July"] == 0
    assert changes.tpr_part["July"] == pytest.approx(changes.difference["July"])
    assert (
        changes.classifier_p_adjusted["July"] < 0.001 < 0.5 < changes.classifier_p_adjusted["June"]
    )
    expected = 2 * 16 / (2 * 16 + 98 + 4)
    assert changes.value["June"] == pytest.approx(expected)
    assert changes.reference_value["June"] == pytest.approx(2 * 80 / (2 * 80 + 90 + 20))
    # June's rates at May's prevalence are May's.
    assert changes.value_at_reference_prevalence["June"] == pytest.approx(
        changes.reference_value["June"]
    )


@pytest.mark.slow
def test_the_table_has_its_columns_in_order():
    counts = frame(MAY, RARER).assign(missing=[3, 4])
    changes = explain_change(counts, metrics=["f1"], reference={"month": "May"})
    assert changes.missing.tolist() == [4]
    assert "missing" not in explained(MAY, RARER)
    columns = ["month", "metric", "value", "low", "high", "reference_value"]
    for part in ("difference", "classifier_part", "prevalence_part", "tpr_part", "fpr_part"):
        columns += [part, f"{part}_low", f"{part}_high"]
    for cause in ("prevalence", "tpr", "fpr"):
        columns += [f"{cause}_order_min", f"{cause}_order_max"]
    columns += ["value_at_reference_prevalence", "p", "p_adjusted", "classifier_p"]
    columns += ["classifier_p_adjusted", "positives", "negatives", "missing", "sentence"]
    assert list(changes) == columns


@pytest.mark.parametrize("name", ["metric", "p", "size_part_low", "sentence"])
def test_a_key_with_the_name_of_a_column_is_refused(name):
    counts = frame(MAY, RARER).rename(columns={"month": name})
    with pytest.raises(
        ValueError, match=f"counts have the key '{name}', which is a column of the resul"
    ):
        explain_change(counts, metrics=["f1"])


@pytest.mark.parametrize(("class_sizes", "at"), [("fixed", "test set"), ("sampled", "population")])
@pytest.mark.slow
def test_values_have_their_intervals_and_parts_theirs(class_sizes, at):
    row = explained(MAY, RARER, class_sizes=class_sizes).iloc[0]
    alone = interval(METRICS["f1"], matrix_of(RARER[1:]), at=at)
    assert [row.low, row.high] == pytest.approx([alone.low, alone.high], abs=1e-4)
    for name in ("difference", "prevalence_part", "tpr_part", "fpr_part", "classifier_part"):
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]


@pytest.mark.slow
def test_what_is_negligible_can_be_set():
    """The classifier's part is known to 0.10 where the difference is 0.35: a share of 0.28."""
    row = explained(MAY, RARER, negligible=0.3).iloc[0]
    largest = max(-row.classifier_part_low, row.classifier_part_high)
    assert 0.25 < largest / -row.difference < 0.3
    assert (
        "nearly all of it is due to prevalence, since no other part exceeds 30% of it"
        in row.sentence
    )
    assert "nearly all" not in explained(MAY, RARER, negligible=0.25).sentence[0]


@pytest.mark.slow
def test_fixed_class_sizes_leave_less_to_be_known():
    fixed, sampled = (
        explained(MAY, RARER, class_sizes=class_sizes).iloc[0]
        for class_sizes in ("fixed", "sampled")
    )
    widths = [row.prevalence_part_high - row.prevalence_part_low for row in (fixed, sampled)]
    assert widths[0] < 0.5 * widths[1]


@pytest.mark.parametrize("key", sorted(INVARIANT))
@pytest.mark.slow
def test_prevalence_has_no_part_interval_or_p_in_what_is_invariant(key):
    changes = explained(MAY, RARER, WORSE, metrics=[key])
    assert (changes[["prevalence_part", "prevalence_part_low", "prevalence_part_high"]] == 0).all(
        axis=None
    )
    assert (changes[["prevalence_order_min", "prevalence_order_max"]] == 0).all(axis=None)
    assert changes.value_at_reference_prevalence.tolist() == pytest.approx(changes.value.tolist())


@pytest.mark.slow
def test_the_intervals_of_a_single_rate_s_difference_are_those_of_two_proportions():
    """The score test's p is nearly that of the difference between two large samples."""
    row = explained(MAY, WORSE, metrics=["true_positive_rate"]).iloc[0]
    assert row.difference == pytest.approx(-0.3)
    table = stats.contingency.chi2_contingency([[80, 20], [50, 50]], correction=False)
    assert math.log(row.p) == pytest.approx(math.log(table.pvalue), rel=0.02)
    assert row.fpr_part == row.prevalence_part == 0


@pytest.mark.slow
def test_what_depends_on_a_class_that_is_empty_is_not_assessable():
    rows = ("June", 0, 3, 0, 80), ("July", 5, 0, 2, 0), ("August", 0, 0, 0, 0)
    changes = explained(MAY, *rows, metrics=["f1"])
    f1 = 160 / 270
    ends = ["a difference that cannot be assessed: no positives here"]
    ends += ["a difference that cannot be assessed: no negatives here"]
    assert changes.sentence.tolist() == [
        f"f1 is 0 here and {f1:.4g} on its reference, {ends[0]}",
        f"f1 is {10 / 12:.4g} here and {f1:.4g} on its reference, {ends[1]}",
        "f1 is undefined here (no instances)",
    ]
    assert changes.value[:2].tolist() == [0, 10 / 12]
    assert changes.difference[:2].tolist() == pytest.approx([-f1, 10 / 12 - f1])
    known = ["value", "reference_value", "difference", "positives", "negatives"]
    assert changes.select_dtypes("number").drop(columns=known).isna().all(axis=None)
    assert changes.positives.tolist() == [0, 7, 0]


@pytest.mark.slow
def test_a_metric_of_one_class_does_without_the_other():
    """The true negative rate of May, 0.9, and of June, 80/83, as where there are positives."""
    lost, there = (
        explained(MAY, ("June", positives, 3, positives, 80), metrics=["true_negative_rate"]).iloc[
            0
        ]
        for positives in (0, 4)
    )
    assert lost.value == 80 / 83
    assert lost.difference == pytest.approx(80 / 83 - 0.9)
    names = [
        "difference",
        "difference_low",
        "difference_high",
        "p",
        "classifier_part",
        "p_adjusted",
    ]
    assert lost[names].tolist() == pytest.approx(there[names].tolist(), rel=1e-6)
    assert lost.sentence == there.sentence
    assert lost[["prevalence_part", "tpr_part"]].tolist() == [0, 0]


@pytest.mark.slow
def test_what_is_undefined_is_nan_and_said():
    changes = explained(MAY, ("June", 0, 0, 5, 80), metrics=["precision", "f1"])
    assert np.isnan(changes.value[0])
    assert np.isnan(changes.difference[0])
    assert changes.sentence[0] == "precision is undefined here (nothing called positive)"
    assert (
        changes[["p", "p_adjusted", "classifier_p", "classifier_p_adjusted"]].iloc[0].isna().all()
    )
    assert changes.value[1] == 0
    turned = explained(("May", 0, 0, 5, 80), RARER, metrics=["precision"])
    assert turned.sentence[0] == "precision is undefined on its reference (nothing called positive)"
    lost = explained(("May", 0, 3, 0, 80), RARER)
    assert lost.sentence[0].endswith("cannot be assessed: no positives on its reference")


@pytest.mark.slow
def test_what_becomes_infinite_is_said_to():
    row = explained(
        ("May", 8, 3, 2, 90), ("June", 8, 0, 2, 90), metrics=["positive_likelihood_ratio"]
    ).iloc[0]
    assert row.difference == row.value == np.inf
    assert row.sentence == "positive_likelihood_ratio went from 24.8 to inf"


@pytest.mark.slow
def test_weights_leave_values_and_widen_intervals():
    plain = explained(MAY, RARER).iloc[0]
    counts = frame(MAY, RARER).assign(
        positives_effective=[50.0, 10.0], negatives_effective=[450.0, 490.0]
    )
    weighted = explain_change(counts, metrics=["f1"], reference={"month": "May"}).iloc[0]
    halved = explained(*[(name, *(np.array(row) / 2)) for name, *row in (MAY, RARER)]).iloc[0]
    for name in ("value", "difference", "prevalence_part"):
        assert weighted[name] == pytest.approx(plain[name])
    for name in ("low", "high", "difference_low", "prevalence_part_high", "p", "classifier_p"):
        assert weighted[name] == pytest.approx(halved[name])


@pytest.mark.slow
def test_without_a_reference_each_is_beside_all_others():
    changes = explained(MAY, RARER, WORSE, reference=None).set_index("month")
    assert list(changes.index) == ["May", "June", "July"]
    rest = matrix_of(np.array(RARER[1:]) + WORSE[1:])
    assert changes.reference_value["May"] == pytest.approx(float(METRICS["f1"](rest)))


@pytest.mark.slow
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
    with pytest.raises(
        ValueError, match=r"reference = \{'month': 'May'\}: expected such a slice with \{'coun"
    ):
        explain_change(counts.drop(index=1), metrics=["f1"], reference={"month": "May"})


@pytest.mark.parametrize(
    ("at", "share"),
    [("1:9", 0.1), (Level(1, 1), 0.5), ("whole", 220 / 3000), (Prevalence.believed(2, 6), 1 / 4)],
)
@pytest.mark.slow
def test_values_at_a_common_prevalence(at, share):
    changes = explained(MAY, RARER, WORSE, at=at)
    expected = [
        float(
            METRICS["f1"](
                ConfusionMatrix.from_rates(tpr, 0.1, positives=share, negatives=1 - share)
            )
        )
        for tpr in (0.8, 0.5)
    ]
    assert changes.value_at_common_prevalence.tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    "at",
    [
        "1:1000",
        "whole",
        Prevalence.sampled(12, 4000),
        Prevalence.between(0.01, 0.2),
        Prevalence.believed(2, 50),
    ],
)
@pytest.mark.parametrize("key", ["f1", "mcc", "laplace"])
@pytest.mark.slow
def test_intervals_at_a_common_prevalence_are_those_of_each_slice(at, key):
    """This also holds for slices with fixed class sizes, which do not determine other places."""
    rows = [RARER, WORSE, ("August", 3, 0, 7, 500)]
    changes = explained(MAY, *rows, metrics=[key], at=at, class_sizes="fixed")
    share = (100 + 20 + 100 + 10) / (3000 + 510)
    name = "value_at_common_prevalence"
    for row, cells in zip(changes.to_dict("records"), rows, strict=True):
        matrix = matrix_of(cells[1:])
        prevalence = share if at == "whole" else at
        total = matrix.total if key == "laplace" else None
        alone = interval(METRICS[key], matrix, at=prevalence, total=total)
        ends = row[name], row[f"{name}_low"], row[f"{name}_high"]
        assert ends == pytest.approx((alone.value, alone.low, alone.high), rel=1e-6)


@pytest.mark.slow
def test_a_value_at_a_common_prevalence_is_of_slices_with_both_classes():
    changes = explained(MAY, RARER, ("July", 0, 3, 0, 80), at="1:1000")
    ends = changes[[f"value_at_common_prevalence{end}" for end in ("", "_low", "_high")]]
    assert ends.notna().all(axis=1).tolist() == [True, False]
    ignoring = explained(
        MAY, ("July", 0, 3, 0, 80), at="1:1000", metrics=["true_negative_rate"]
    ).iloc[0]
    assert ignoring.value_at_common_prevalence == pytest.approx(80 / 83)


@pytest.mark.slow
def test_adjusted_p_values_are_of_the_slices_of_a_metric():
    rows = [MAY, RARER, WORSE, ("August", 70, 90, 30, 810)]
    changes = explained(*rows, metrics=["f1", "f1_i"], adjustment="benjamini-hochberg")
    for _, table in changes.groupby("metric"):
        expected = stats.false_discovery_control(table.p)
        np.testing.assert_allclose(table.p_adjusted, expected)
    strict = explained(*rows)
    order = np.argsort(strict.p.to_numpy())
    products = strict.p.to_numpy()[order] * [3, 2, 1]
    expected = np.minimum(np.maximum.accumulate(products), 1)
    np.testing.assert_allclose(strict.p_adjusted.to_numpy()[order], expected)


@pytest.mark.slow
def test_a_date_is_found_among_timestamps():
    months = pd.to_datetime(["2026-05-01", "2026-06-01"])
    counts = frame(MAY, RARER).assign(month=months)
    for day in (datetime.date(2026, 5, 1), "2026-05-01", months[0]):
        changes = explain_change(counts, metrics=["f1"], reference={"month": day})
        assert changes.month.tolist() == [months[1]]


@pytest.mark.slow
def test_a_metric_that_is_named_twice_is_explained_once():
    assert len(explained(MAY, RARER, metrics=["f1", METRICS["f1"], "f1_i"])) == 2


@pytest.mark.slow
def test_a_formula_is_a_metric():
    changes = explained(MAY, WORSE, metrics=["tp/(tp + fn)", METRICS["true_positive_rate"]])
    assert changes.metric.tolist() == ["tp/(tp + fn)", "true_positive_rate"]
    assert changes.difference[0] == pytest.approx(changes.difference[1])


@pytest.mark.slow
def test_many_slices_are_as_each_alone():
    """There are more slices than are processed together."""
    random = np.random.default_rng(4)
    counts = pd.DataFrame(random.integers(1, 200, (1100, 4)), columns=COLUMNS[1:])
    counts.insert(0, "month", range(1100))
    together = explain_change(counts, metrics=["f1"], reference={"month": 0})
    for month in (1, 499, 500, 501, 1099):
        alone = explain_change(counts.loc[[0, month]], metrics=["f1"], reference={"month": 0})
        columns = ["month", "value", "difference_low", "prevalence_part", "p", "classifier_p"]
        pd.testing.assert_series_equal(
            alone.loc[0, columns], together.loc[month - 1, columns], check_names=False
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"metrics": 5},
            "metrics = 5: expected a metric, its key or name, or a form",
        ),
        ({"metrics": []}, r"metrics = \[\]: expected at least one: a metric"),
        ({"reference": {"year": 1}}, "reference has the key 'year': expected one of month"),
        (
            {"reference": {"month": "Mai"}},
            r"reference\['month'\] = 'Mai': expected one of May, June",
        ),
        ({"reference": "May"}, "reference = 'May': expected values of keys"),
        (
            {"reference": {"month": ["May"]}},
            r"reference\['month'\] = \['May'\]: expected one value",
        ),
        (
            {"reference": {"month": {"May"}}},
            r"reference\['month'\] = \{'May'\}: expected one value",
        ),
        ({"metrics": [None]}, "metric = None: expected a metric, its key or name, or a formula"),
        ({"reference": {}}, r"reference = \{\}: expected values of keys"),
        ({"adjustment": "none"}, "adjustment = 'none': expected 'holm' or 'benjamini-hochberg'"),
        ({"class_sizes": "known"}, "class_sizes = 'known': expected 'sampled' or 'fixed'"),
        ({"negligible": 1}, "negligible = 1: expected a number of at least 0 and below 1"),
        ({"negligible": "a"}, "negligible = 'a': expected a number"),
        ({"confidence": 2}, "confidence = 2: expected a number above 0 and below 1"),
        ({"at": 2}, "at = 2: expected a prevalence above 0 and below 1, such as 0.02 for 2 %"),
        ({"at": "all"}, r"at = 'all': expected a prevalence above 0 and below 1 \(0.1 for"),
        ({"at": "population"}, "at = 'population': expected one prevalence for all slices"),
        ({"at": "test set"}, "at = 'test set': expected one prevalence for all slices"),
        ({"at": {"ill": 0.1, "well": 0.9}}, "at = .* expected a prevalence of the positive class"),
    ],
)
@pytest.mark.slow
def test_bad_options_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        explained(MAY, RARER, **change)


@pytest.mark.slow
def test_a_name_a_key_and_a_metric_are_one():
    expected = explained(MAY, RARER, metrics=["true_positive_rate"])
    for metrics in ("recall", METRICS["true_positive_rate"], ["recall", "true_positive_rate"]):
        pd.testing.assert_frame_equal(explained(MAY, RARER, metrics=metrics), expected)


def test_an_unknown_metric_is_refused():
    with pytest.raises(KeyError, match="did you mean"):
        explained(MAY, RARER, metrics=["acuracy"])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2], "counts is a builtins.list: expected a pandas.DataFrame"),
        (frame(MAY).drop(columns="tn"), "counts have no column tn: expected tp, fp, fn and tn"),
        (frame(), "counts have no rows: expected a slice in each"),
        (frame(MAY), r"reference = \{'month': 'May'\}: expected other slices as well"),
        (frame(MAY, MAY), r"two slices have the keys \{'month': 'May'\}"),
        (frame(MAY, ("June", -1, 1, 1, 1)), "tp = -1: expected a number of at least 0"),
        (frame(MAY, ("June", 1e19, 1, 1, 1)), r"tp = 1e\+19: expected at most 1e\+12"),
        (
            frame(MAY, RARER).set_axis(["month", "tp", "tp", "fn", "tn"], axis=1),
            "column 'tp' twice",
        ),
        (frame(MAY, RARER).assign(positives_effective=0), "positives_effective = 0 where tp or fn"),
        (frame(("M" * 10**4, 1, 1, 1, 1), ("M" * 10**4, 1, 1, 1, 1)), r"keys .{0,99}characters"),
        (frame(MAY, ("June", np.nan, 1, 1, 1)), "tp.*nan: expected a finite count"),
        (frame(MAY, ("June", "a", 1, 1, 1)), "tp.*expected a finite count"),
    ],
)
@pytest.mark.slow
def test_bad_counts_are_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        explain_change(counts, metrics=["f1"], reference={"month": "May"})
    if isinstance(counts, pd.DataFrame) and len(counts) == 1 and "tn" in counts:
        with pytest.raises(ValueError, match="counts have one slice: expected at least two"):
            explain_change(counts, metrics=["f1"])


@pytest.mark.slow
def test_the_counts_of_a_projected_matrix_are_refused():
    """Counts as they come from a matrix that is written into a frame."""
    observed, there = (
        ConfusionMatrix(tp=80, fp=90, fn=20, tn=810),
        ConfusionMatrix(tp=16, fp=98, fn=4, tn=882),
    )
    message = "counts have a slice that is projected to 1:1000: expected counts of instances that"
    for second, taken in ((there, True), (project(there, at="1:1000"), False)):
        rows = [asdict(matrix) for matrix in (observed, second)]
        counts = pd.DataFrame(rows).drop(columns="origin").assign(month=[5, 6])
        counts = counts.astype(dict.fromkeys(COLUMNS[1:], float))
        if taken:
            changes = explain_change(counts, metrics=["f1"], reference={"month": 5})
            assert list(changes.columns[:2]) == ["month", "metric"]
        else:
            with pytest.raises(ValueError, match=message):
                explain_change(counts, metrics=["f1"], reference={"month": 5})


def test_the_sums_of_weights_of_a_matrix_are_refused():
    weighted = ConfusionMatrix(tp=80, fp=90, fn=20, tn=810, effective=(40.0, 300.0))
    rows = [asdict(matrix) for matrix in (weighted.effective_counts, weighted)]
    counts = pd.DataFrame(rows).drop(columns="origin").assign(month=[5, 6])
    counts = counts.astype(dict.fromkeys(COLUMNS[1:], float))
    with pytest.raises(ValueError, match=r"sums of weights .*effective_counts"):
        explain_change(counts, metrics=["f1"], reference={"month": 5})


def test_the_prevalence_of_all_slices_needs_both_classes():
    with pytest.raises(ValueError, match="at = 'whole': expected slices with instances of both"):
        explained(("May", 0, 3, 0, 80), ("June", 0, 5, 0, 70), at="whole")
