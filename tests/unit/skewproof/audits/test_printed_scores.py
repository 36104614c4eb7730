"""Confusion matrices behind printed scores, with what follows from them."""

import math
from pathlib import Path
from statistics import mean, pstdev, stdev

import pandas as pd
import pytest
from label_rows import label_rows

from skewproof import ConfusionMatrix, count_slices, explain_change, interval, printed
from skewproof.audits import printed_means
from skewproof.metrics import METRICS, f1

PROJECT = Path(__file__).parents[4]

ONE = {"accuracy": "0.9033", "recall": "0.85"}
SIZES = {"positives": 100, "negatives": 200}
SHARE = {"positives": None, "negatives": None, "prevalence": "0.3", "total": 20}


@pytest.fixture(scope="module")
def several():
    """Three matrices, with 120 hits of 150, and 314 to 316 right answers of 350."""
    return printed({"accuracy": "0.90", "recall": "0.80"}, positives=150, negatives=200)


def test_one_matrix():
    found = printed(ONE, **SIZES)
    assert found.possible
    assert found.to_frame().to_dict("records") == [{"tp": 85, "fp": 14, "fn": 15, "tn": 186}]
    assert found.explanations == ()
    assert found.to_dict()["matrices"] == found.to_frame().to_dict("records")


def test_scores_that_no_matrix_has_are_named():
    found = printed({**ONE, "AUC": "0.95", "ROC AUC": "0.95", "log_loss": "0.3"}, **SIZES)
    assert found.left_out == ("AUC", "ROC AUC", "log_loss")
    assert found.scores == ONE
    assert "Left out: AUC, ROC AUC, log_loss: no confusion matrix has them" in repr(found)


def test_a_metric_a_formula_and_the_number_of_calls():
    scores = {f1: "0.85", "tp/(tp + fn)": "0.85", "specificity": "0.93"}
    # With 13 false positives f1 is 170/198, which prints as 0.86.
    by_hand = [(85, 14), (85, 15)]
    found = printed(scores, **SIZES)
    assert sorted(found.to_frame()[["tp", "fp"]].itertuples(index=False, name=None)) == by_hand
    assert list(found.scores) == ["f1", "tp/(tp + fn)", "specificity"]
    called = printed(scores, **SIZES, predicted_positives=99)
    assert called.to_frame()["fp"].tolist() == [14]
    assert not printed(scores, **SIZES, predicted_positives=120).possible


def test_unknown_sizes():
    scores = {"accuracy": "0.900", "recall": "0.833"}
    found = printed(scores, positives=(5, 7), negatives=(12, 14))
    expected = [
        (tp, fp, p - tp, n - fp)
        for p in range(5, 8)
        for n in range(12, 15)
        for tp in range(p + 1)
        for fp in range(n + 1)
        if 0.8995 <= (tp + n - fp) / (p + n) <= 0.9005 and 0.8325 <= tp / p <= 0.8335
    ]
    assert expected == [(5, 1, 1, 13)]
    assert list(found.to_frame().itertuples(index=False, name=None)) == expected
    by_share = printed(scores, prevalence="30 %", total=20)
    assert (5, 1, 1, 13) in list(by_share.to_frame().itertuples(index=False, name=None))
    assert by_share.to_frame().sum(axis=1).max() <= 20
    frame = by_share.to_frame()
    share = (frame["tp"] + frame["fn"]) / frame.sum(axis=1)
    assert share.between(0.295, 0.305).all()


def test_ranges(several):
    frame = several.to_frame()
    values = [f1(ConfusionMatrix(**row)) for row in frame.to_dict("records")]
    assert len(values) == several.number > 1
    assert several.range("f1") == (min(values), max(values))
    impossible = printed({"accuracy": "0.99", "recall": "0.5"}, **SIZES)
    assert all(map(math.isnan, impossible.range("f1")))


@pytest.mark.parametrize("at", ["population", "test set", "1:500", "12/4000", "0.001..0.01"])
@pytest.mark.slow
def test_the_envelope_of_intervals(several, at):
    each = [
        interval("precision", ConfusionMatrix(**row), at=at)
        for row in several.to_frame().to_dict("records")
    ]
    envelope = several.interval("precision", at=at)
    assert envelope.low == pytest.approx(min(one.low for one in each), rel=1e-6)
    assert envelope.high == pytest.approx(max(one.high for one in each), rel=1e-6)
    values = [one.value for one in each]
    assert envelope.value == pytest.approx((min(values) + max(values)) / 2)
    assert f"This is the envelope for {len(each)} matrices or pairs of them" in str(envelope)
    assert str(envelope.at) == str(each[0].at)


@pytest.mark.slow
def test_a_difference_of_two_results(several):
    """Its ends are those of the changes from one slice to another."""
    first, changes = printed(ONE, **SIZES), []
    for row in several.to_frame().itertuples():
        slices = {"a": [[186, 14], [15, 85]], "b": [[row.tn, row.fp], [row.fn, row.tp]]}
        rows = pd.DataFrame(label_rows(slices, (0, 1)), columns=["set", "true", "called", "count"])
        labels = {"y_true": "true", "y_pred": "called"}
        counts = count_slices(rows, **labels, by="set", sample_weight="count")
        changed = explain_change(counts, metrics="f1", reference={"set": "a"})
        changes.append(changed.iloc[-1])
    difference = first.difference(several, "f1")
    low, high, p = (
        [change[name] for change in changes]
        for name in ("difference_low", "difference_high", "p_adjusted")
    )
    assert difference.low == pytest.approx(min(low), rel=1e-5)
    assert difference.high == pytest.approx(max(high), rel=1e-5)
    assert difference.p_value == pytest.approx(max(p), rel=0.01)
    assert str(difference).startswith("difference in f1 = ")
    assert " in the population, 95 %" in str(difference)
    exchanged = several.difference(first, "f1")
    assert exchanged.low == pytest.approx(-difference.high, rel=1e-4)
    assert exchanged.probability == pytest.approx(1 - difference.probability, abs=1e-6)


@pytest.mark.slow
def test_exchanged_classes():
    # 30 of 40 and 150 of 160 with the classes exchanged.
    scores = {"recall": "0.93750", "specificity": "0.750", "precision": "0.93750"}
    found = printed(scores, positives=40, negatives=160)
    reasons = {row.reason: row for row in found.explanations}
    assert reasons["classes exchanged"].possible
    assert 0 <= reasons["classes exchanged"].nearby < 0.2


@pytest.mark.slow
def test_positives_that_were_added():
    # 160 rows on either side after adding: 151 and 158 right answers.
    scores = {"recall": "0.944", "specificity": "0.988"}
    found = printed(scores, positives=12, negatives=160)
    assert not found.possible
    reasons = {row.reason: row for row in found.explanations}
    assert reasons["positives added up to 1:1"].possible
    assert not reasons["negatives removed down to 1:1"].possible
    exchanged = printed(scores, positives=160, negatives=12)
    assert [row.reason for row in exchanged.explanations[-2:]] == [
        "negatives added up to 1:1",
        "positives removed down to 1:1",
    ]
    assert exchanged.explanations[-2].possible


def test_more_than_a_thousand_matrices():
    found = printed({"accuracy": "0.8"}, **SIZES)
    assert found.number > 1000
    assert found.to_dict()["matrices"] == []
    for refused in (found.to_frame, lambda: found.interval("f1")):
        with pytest.raises(ValueError, match=r"expected 1 to 1,000; more digits or scores"):
            refused()
    with pytest.raises(ValueError, match="expected 1 to 1,000"):
        found.difference(printed(ONE, **SIZES), "f1")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": {"accuracy": 0.9}}, "scores['accuracy'] = 0.9: expected a text with the"),
        (
            {"scores": {"recall": "0.9 ± 0.1"}},
            "scores['recall'] = '0.9 ± 0.1': expected no deviation or range over folds, which",
        ),
        ({"scores": {"auc": "0.9"}}, "expected at least one score of a confusion matrix"),
        (
            {"scores": {"adjusted_g_mean": "0.9"}},
            "more than 2,000 matrices to decide exactly, as for adjusted_g_mean",
        ),
        ({"negatives": (9, 3)}, "negatives = (9, 3): expected a whole number"),
        (
            {"positives": (1, 200), "negatives": (1, 200)},
            "class sizes = '20001 or more pairs': expected 1 to 20,000 pairs of class sizes",
        ),
        ({"total": 10}, "total = 10: expected None without a prevalence"),
        ({"prevalence": "0.5"}, "prevalence = '0.5': expected None with positives and negatives"),
        (SHARE | {"prevalence": "1.5"}, "class sizes = '0 or more pairs': expected 1 to 20,000"),
        (
            SHARE | {"prevalence": "0.300", "total": 3},
            "class sizes = '0 or more pairs': expected 1 to 20,000",
        ),
        (SHARE | {"total": None}, "total = None: expected a whole number from 2"),
        (SHARE | {"total": 900}, "class sizes = '20001 or more pairs'"),
    ],
)
def test_refused_arguments(arguments, message):
    with pytest.raises(ValueError, match="expected") as error:
        printed(**({"scores": ONE} | SIZES | arguments))
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"at": "0.001..0.01"}, "expected 'population', 'test set' or an exact prevalence"),
        ({"metric": "laplace", "at": "1:500"}, "total = None: expected the number of instances"),
    ],
)
def test_refused_differences(arguments, message):
    found = printed(ONE, **SIZES)
    with pytest.raises(ValueError, match="expected") as error:
        found.difference(**({"other": found, "metric": "f1"} | arguments))
    assert message in str(error.value)


@pytest.mark.slow
def test_every_registered_metric_has_its_matrix():
    matrix = ConfusionMatrix(tp=7, fp=3, fn=2, tn=11)
    for key, metric in METRICS.items():
        found = printed({key: f"{float(metric(matrix)):.9f}"}, positives=9, negatives=14)
        assert [7, 3, 2, 11] in found.to_frame().values.tolist(), key


@pytest.mark.parametrize(
    ("metric", "text", "sizes", "pairs"),
    [
        # Truth has 0.9183 bits; with an even pair of called ones, 2/3 bits are not explained.
        ("mutual_information", "0.2516", (1, 2), [(0, 1), (1, 1)]),
        ("mutual_information", "0.9182", (1, 2), [(0, 2), (1, 0)]),
        # Infinite odds ratios, whose powers SymPy does not evaluate.
        ("edwards_q", "1.0", (2, 2), [(1, 0), (2, 0), (2, 1)]),
        # A tenth of 3 is the end of the interval, and above it in floats.
        ("0.1*tp", "0.2", (5, 1), [(2, 0), (2, 1), (3, 0), (3, 1)]),
        # (1/2)^0.3 is 0.8123.
        ("(tp/P)**0.3", "0.812", (4, 1), [(2, 0), (2, 1)]),
    ],
)
def test_what_only_exact_arithmetic_decides(metric, text, sizes, pairs):
    positives, negatives = sizes
    found = printed(
        {metric: text}, positives=positives, negatives=negatives, rounding="truncated"
    ).to_frame()
    assert sorted(zip(found["tp"], found["fp"], strict=True)) == pairs


VESSELS = {"accuracy": "0.9633", "sensitivity": "0.7406", "specificity": "0.9849"}
"""Scores of the pixels of retinal image 01 of DRIVE (Staal et al. 2004), which the documentation of
mlscorecheck 1.0.3 refutes for pixels within the field of view."""


@pytest.mark.parametrize("rounding", ["half up", "any"])
def test_published_scores_of_retinal_vessels_that_are_impossible(rounding):
    assert not printed(VESSELS, positives=29412, negatives=194965, rounding=rounding).possible


@pytest.mark.parametrize("rounding", ["half up", "any"])
@pytest.mark.slow
def test_scores_of_the_same_image_in_the_documentation_of_mlscorecheck(rounding):
    """They are refuted there, too. With precision .8543 and F1 .9801, recall would exceed 1."""
    scores = {"accuracy": "0.9478", "npv": "0.8532", "f1": "0.9801", "precision": "0.8543"}
    sizes = {"positives": 29412, "negatives": 194965}
    assert not printed(scores, **sizes, rounding=rounding).possible
    assert not printed({key: scores[key] for key in ("f1", "precision")}, **sizes).possible
    assert printed({"accuracy": "0.9478"}, **sizes, rounding=rounding).possible


@pytest.mark.slow
def test_published_scores_of_skin_lesions_that_are_impossible():
    """Melanomas of ISIC 2016 by Yu et al. (2017, doi 10.1109/TMI.2016.2642839), which a notebook of
    mlscorecheck refutes."""
    scores = {"accuracy": "0.844", "sensitivity": "0.520", "specificity": "0.824"}
    found = printed(scores, positives=75, negatives=304)
    assert not found.possible
    # 250 and 251 of 304 print as 0.822 and 0.826; with 39 of 75 hits, 281 make the accuracy.
    without = {reason.reason: reason.possible for reason in found.explanations}
    assert without["without specificity"]
    assert not without["without accuracy"]
    (row,) = (
        printed(scores | {"specificity": "0.924"}, positives=75, negatives=304).to_frame().values
    )
    assert row.tolist() == [39, 23, 36, 281]


def test_published_scores_of_skin_lesions_have_one_matrix_each():
    """Scores that mlscorecheck 1.0.3 does not refute (Gutman et al. 2016, Codella et al. 2018)."""
    first = {"accuracy": "0.7916", "sensitivity": "0.2933", "specificity": "0.9145"}
    assert printed(first, positives=75, negatives=304).to_frame().values.tolist() == [
        [22, 26, 53, 278]
    ]
    second = {"accuracy": "0.6183", "sensitivity": "0.4957", "precision": "0.2544", "f1": "0.3362"}
    assert printed(second, positives=117, negatives=483).to_frame().values.tolist() == [
        [58, 170, 59, 313]
    ]


@pytest.mark.slow
def test_the_rows_of_tables_of_a_study_are_possible():
    """Seven scores of each of twelve classifiers (Burduk 2020) have matrices."""
    printed_rows = pd.read_csv(PROJECT / "resources/burduk/printed.csv", dtype=str)
    classifiers = printed_rows[~printed_rows["row"].str.startswith("|")]
    numbers = []
    for (positives, negatives, _), rows in classifiers.groupby(["positives", "negatives", "row"]):
        scores = dict(zip(rows["metric"], rows["printed"], strict=True))
        found = printed(scores, positives=int(positives), negatives=int(negatives))
        assert len(scores) == 7
        numbers.append(found.number)
    assert len(numbers) == 12
    assert min(numbers) >= 1


BIRTHS = {"positives": 38, "negatives": 262}
PRETERM = {"accuracy": "0.9447", "sensitivity": "0.9139", "specificity": "0.9733"}
"""Scores of electrohysterograms of 38 preterm and 262 term births (Fele-Žorž et al. 2008) over five
folds, which the documentation of mlscorecheck 1.0.3 refutes."""


@pytest.mark.parametrize("rounding", ["half up", "any"])
def test_published_means_that_are_impossible(rounding):
    means = printed_means(PRETERM, **BIRTHS, rounding=rounding)
    assert means.possible is False
    assert means.verdict == (
        f"Impossible: no matrices of 5 folds have these means with rounding {rounding}, proved by"
        " weights of the scores."
    )
    assert means.to_frame().empty


def test_a_solution_has_the_printed_means():
    scores = {"accuracy": "0.9033", "recall": "0.8500", "AUC": "0.9"}
    means = printed_means(scores, positives=100, negatives=200)
    frame = means.to_frame()
    assert (frame.sum(axis=1) == 60).all()
    assert (frame["tp"] + frame["fn"] == 20).all()
    assert frame["tp"].sum() == 85
    assert (frame["tp"] + frame["tn"]).sum() == 271
    assert means.left_out == ("AUC",)
    assert "One of many solutions" in repr(means)
    assert "AUC: no confusion matrix has them" in repr(means)


def test_sizes_of_each_fold():
    means = printed_means({"recall": "0.75"}, positives=[4, 2, 6], negatives=[5, 5, 9])
    frame = means.to_frame()
    positives = frame["tp"] + frame["fn"]
    assert sorted(positives) == [2, 4, 6]
    assert 0.745 <= (frame["tp"] / positives).mean() <= 0.755


@pytest.mark.slow
def test_a_solution_has_the_printed_deviation():
    # Recalls of 4, 5, 6, 7 and 8 of 10 have a deviation of 0.141, or 0.158 with divisor 4.
    for text in ("0.14", "0.16"):
        means = printed_means({"recall": f"0.60 ± {text}"}, positives=50, negatives=50)
        recalls = [tp / 10 for tp in means.to_frame()["tp"]]
        assert mean(recalls) == pytest.approx(0.6)
        assert text in [f"{deviation(recalls):.2f}" for deviation in (pstdev, stdev)]
        assert f"recall 0.60 ± {text}" in repr(means)


def test_a_range_over_folds():
    # Recalls are tenths: 0.4 and 0.8 in two folds leave 1.8 to the other three.
    sizes = {"positives": 50, "negatives": 50}
    means = printed_means({"recall": "60.0 % (range 40-80)"}, **sizes)
    hits = sorted(means.to_frame()["tp"])
    assert (hits[0], hits[-1], sum(hits)) == (4, 8, 30)
    # Without a smaller one, the mean with a fold of 0.5 and four of at most 0.7 is below 0.67.
    assert printed_means({"recall": "0.66 (range 0.5-0.7)"}, **sizes).possible
    assert printed_means({"recall": "0.68 (range 0.5-0.7)"}, **sizes).possible is False
    # No fold has the score 0.45.
    assert printed_means({"recall": "0.60 (range 0.45-0.80)"}, **sizes).possible is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": {"recall": 0.5}}, "scores['recall'] = 0.5: expected a text"),
        ({"scores": {"recall": "0.5 (0.4-0.6)"}}, "(range 0.8-0.9)"),
        ({"positives": 4}, "positives = 4: expected at least 5"),
        ({"negatives": 10.5}, "negatives = 10.5: expected at least 5"),
        ({"positives": [4, 4], "negatives": [5]}, "expected whole numbers of at least 1"),
        ({"positives": [4, 0], "negatives": [5, 5]}, "expected whole numbers of at least 1"),
    ],
)
def test_refused_means(arguments, message):
    with pytest.raises(ValueError, match=r"expected|rounding") as error:
        printed_means(**({"scores": PRETERM} | BIRTHS | arguments))
    assert message in str(error.value)
