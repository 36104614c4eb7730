import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from scipy.special import expit, logit
from whole_html import texts_of

from skewproof.core.confusion import ConfusionMatrix, matrix_of
from skewproof.core.metric import Metric
from skewproof.intervals.estimates import Interval
from skewproof.intervals.extremes import Proportions, extremes
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import accuracy
from skewproof.metrics.precision_recall import f1
from skewproof.multiclass.declaration import measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project
from skewproof.sensitivity.label_errors.model import with_label_errors

MATRIX = ConfusionMatrix(tp=40, fp=30, fn=10, tn=170)


RECALL = Metric("recall", "R", "recall", "", lambda c: c.tpr)

PETS = MulticlassConfusionMatrix([[80, 15, 5], [3, 10, 2], [0, 10, 40]], ["cat", "dog", "owl"])
STATED = {"cat": 0.2, "dog": 0.5, "owl": 0.3}
LABELS = [1, 1, 0, 0, 0, 1], [1, 0, 0, 0, 1, 1]
WEIGHTS = [1, 2, 1, 3, 1, 2]


@measure(symbol="e", name="errors", source="an example")
def errors(m):
    return m.total - m.hits.sum(axis=-1)


def test_a_prevalence_has_the_interval_of_jeffreys_when_it_is_estimated():
    """The prevalence is estimated by default."""
    share = Metric("share", "s", "share", "", lambda c: c.positives / c.total)
    low, high = stats.beta(50.5, 200.5).interval(0.9)
    result = interval(share, MATRIX, confidence=0.9)
    assert (result.value, result.low, result.high) == pytest.approx((0.2, low, high))
    assert result == interval(share, MATRIX, at="population", confidence=0.9)
    given = interval(share, MATRIX, at="test set")
    assert (given.low, given.high) == pytest.approx((0.2, 0.2))


def cells(*, at_most):
    """List all matrices of at most these numbers of positives and negatives."""
    return st.tuples(*[st.integers(0, at_most)] * 4).filter(
        lambda c: c[0] + c[2] > 0 and c[1] + c[3] > 0
    )


@pytest.mark.slow
def test_undefined_rates_are_left_out_and_said():
    """Nothing is called positive, so that MCC and precision are 0/0."""
    nothing = ConfusionMatrix(tp=0, fp=0, fn=3, tn=50)
    for key in ("mcc", "precision"):
        result = interval(METRICS[key], nothing)
        assert np.isnan(result.value)
        assert result.undefined
        low, high = METRICS[key].bounds
        assert low <= result.low < result.high <= high
    assert (result.low, result.high) == (0, 1)  # the rates may be (0, any) or (any, 0)
    assert not interval(f1, nothing).undefined


NAMES = "expected a number for each class by name: cat, dog, owl"
OBSERVED = "expected counts of instances that were observed"
RARE = project(MATRIX, at="1:10")
MISLABELED = with_label_errors(RARE, false_positive_rate=0.1, false_negative_rate=0)


@pytest.mark.parametrize(
    ("metric", "matrix", "options", "message"),
    [
        (f1, MATRIX, {"sample_weight": [1]}, "^sample_weight = .*: expected None without y_pred$"),
        (f1, ConfusionMatrix(tp=[1, 2], fp=1, fn=1, tn=1), {}, r"shape \(2,\): expected one matr"),
        (f1, matrix_of([0, 0, 0, 0]), {}, "the matrix has no instances: expected at least one"),
        ("Dice", MATRIX, {}, "'Dice' has 2 meanings"),
        ("laplace", MATRIX, {"at": "1:9"}, "number of instances at 1:9, on which laplace depends"),
        ("mcc", MulticlassConfusionMatrix(np.ones((4, 2, 2))), {}, r"shape \(4,\): expected one"),
        ("mcc", MulticlassConfusionMatrix(np.zeros((2, 2))), {}, "no instances: expected at least"),
        ("mcc", MulticlassConfusionMatrix([[1e13, 1], [1, 1]]), {}, "has 1e[+]13 instances"),
        ("mcc", PETS, {"at": Prevalence.between(0.1, 0.2)}, NAMES),
        ("mcc", PETS, {"at": 0.1}, f"at = 'at prevalence 0.1': {NAMES}"),
        ("mcc", PETS, {"at": {"cat": 0.5, "dog": 0.5}}, NAMES),
        ("mcc", PETS, {"at": {"cat": 0.5, "dog": 0.25, "cow": 0.25}}, NAMES),
        ("f1", PETS, {}, "'f1'; did you mean 'macro_f1'"),
        (f1, PETS, {}, "^metric = .*: expected a measure of any number"),
        (MEASURES["acsa"], MATRIX, {}, "expected a MulticlassConfusionMatrix"),
        (errors, PETS, {"at": STATED}, "total = None: expected the number of instances at cat"),
        (f1, matrix_of((1, 1e50, 1, 1)), {}, r"1e\+50 instances of the class 'negative': expected"),
        (f1, matrix_of((2, 1e-300, 1, 0)), {}, "1e-300 instances of the class 'negative': expec"),
        (f1, matrix_of((1, 1, 1, np.nan)), {}, "nan instances of the class 'negative': expected"),
        (f1, replace(RARE, fn=3), {}, f"the matrix is projected to 1:10: {OBSERVED}"),
        (f1, MATRIX.rates, {}, f"the matrix is one of rates: {OBSERVED}"),
        (f1, RARE.rates, {}, f"the matrix is one of rates: {OBSERVED}"),
        (f1, MISLABELED, {}, f"the matrix is projected to 1:10: {OBSERVED}"),
    ],
)
def test_what_has_no_interval_is_refused_in_one_sentence(metric, matrix, options, message, recwarn):
    with pytest.raises((ValueError, KeyError), match=message) as caught:
        interval(metric, matrix, **options)
    assert len(str(caught.value)) < 200
    assert not recwarn.list


@pytest.mark.parametrize("size", [1e-12, 1e-3, 0.5, 2.5, 1e6, 1e12])
@pytest.mark.slow
def test_fractions_and_large_numbers_of_instances(size, recwarn):
    """The posterior of k = n/2 is symmetric, and nearly normal for large n."""
    half = np.float64(size / 2)
    estimate = interval(RECALL, ConfusionMatrix(tp=half, fp=1, fn=half, tn=1))
    assert estimate.low + estimate.high == pytest.approx(1)
    reach = stats.norm.ppf(0.975) / 2 / np.sqrt(size)
    if size >= 1e6:
        assert estimate.high - 0.5 == pytest.approx(reach, rel=1e-5)
    else:
        assert stats.beta(half + 0.5, half + 0.5).cdf(estimate.low) == pytest.approx(0.025)
    for key in ("f1", "mcc", "diagnostic_odds_ratio"):
        estimate = interval(METRICS[key], matrix_of([half] * 4))
        assert not np.isnan([estimate.value, estimate.low, estimate.high]).any()
    assert not recwarn.list


def test_intervals_of_several_metrics_are_rows_of_a_frame():
    frame = interval(["Macro F1", "mcc", "mcc"], PETS, confidence=0.8)
    assert frame["metric"].tolist() == ["macro_f1", "mcc"]
    for row in frame.itertuples():
        estimate = interval(row.metric, PETS, confidence=0.8)
        assert (row.value, row.low, row.high) == (estimate.value, estimate.low, estimate.high)
    of_both_kinds = interval(["f1", "macro_f1", "F1 score", accuracy], *LABELS, at="test set")
    assert of_both_kinds["metric"].tolist() == ["f1", "macro_f1", "accuracy"]
    assert of_both_kinds["value"].tolist() == pytest.approx([2 / 3, 2 / 3, 2 / 3])
    with pytest.raises(KeyError, match="no measure of any number of classes 'precision'"):
        interval("precision", list("aabbcc"), list("abbbca"))


@pytest.mark.parametrize(
    ("metric", "kind", "labels", "options"),
    [
        ("f1", ConfusionMatrix, LABELS, {"pos_label": 0}),
        ("f1", ConfusionMatrix, LABELS, {"sample_weight": WEIGHTS}),
        ("macro_f1", MulticlassConfusionMatrix, LABELS, {"sample_weight": WEIGHTS}),
        ("mcc", MulticlassConfusionMatrix, (list("aabbcc"), list("abbbca")), {}),
    ],
)
def test_the_interval_of_labels_is_that_of_their_matrix(metric, kind, labels, options):
    matrix = kind.from_labels(*labels, **options)
    expected = interval(metric, matrix, at="test set")
    assert interval(metric, *labels, at="test set", **options) == expected


Z = stats.norm.ppf(0.975)


@pytest.mark.parametrize(
    ("at", "share", "third", "keys"),
    [
        (0.001, 0.001, None, ("f1", "precision", "negative_predictive_value", "mcc")),
        ("1:99", 0.01, None, ["mcc"]),
        (0.6, 0.6, None, ["f1"]),
        (Prevalence.sampled(12, 4000), 0.003, (12, 3988), ("precision", "mcc")),
        (Prevalence.sampled(0, 50), 0, (0, 50), ("negative_predictive_value", "mcc")),
        (Prevalence.believed(2, 500), 2 / 502, (1.5, 499.5), ["f1"]),
        (Prevalence.believed(0.5, 20), 0.5 / 20.5, (1e-12, 19.5), ["mcc"]),
    ],
)
@pytest.mark.slow
def test_ends_are_extremes_at_a_prevalence(keys, at, share, third):
    """The deviation of a prevalence that is not sure is that in its own sample, or belief."""
    counts = [(40, 10), (30, 170), *([third] if third else [])]
    hits, misses = np.array(counts, dtype=float).T[..., np.newaxis]
    stated = np.array([0.8, 0.15, share][: len(counts)])[:, np.newaxis]
    proportions = Proportions(hits, misses, stated)
    for key in keys:

        def value(rates, rows=None, key=key):
            there = np.maximum(rates[2], 1e-12) if third else share
            return METRICS[key](
                ConfusionMatrix.from_rates(*rates[:2], positives=there, negatives=1 - there)
            )

        estimate, ends = interval(METRICS[key], MATRIX, at=at), extremes(value, proportions, Z)
        observed = value([0.8, 0.15, share])
        assert estimate.value == pytest.approx(observed, rel=1e-9, abs=1e-9)
        expected = min(ends.low[0], observed), max(ends.high[0], observed)
        assert (estimate.low, estimate.high) == pytest.approx(expected, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize(("key", "places"), [("f1", 9), ("mcc", 161), ("spread", 9)])
@pytest.mark.slow
def test_a_range_has_the_envelope_of_its_prevalences(key, places):
    """MCC, as the product of both shares, is highest inside of the range."""
    spread = Metric("spread", "s", "spread", "", lambda c: c.positives * c.negatives / c.total**2)
    metric = spread if key == "spread" else METRICS[key]
    estimate = interval(metric, MATRIX, at=Prevalence.between(0.02, 0.98))
    each = [
        interval(metric, MATRIX, at=float(share))
        for share in expit(np.linspace(*logit([0.02, 0.98]), places))
    ]
    lowest, highest = min(part.low for part in each), max(part.high for part in each)
    assert estimate.low == pytest.approx(lowest, abs=1e-5)
    assert estimate.high == pytest.approx(highest, abs=1e-5)
    assert estimate.value == pytest.approx(interval(metric, MATRIX, at=0.5).value, rel=1e-12)


@pytest.mark.parametrize("share", [0.001, 0.2])
def test_predictive_values_of_many_instances_have_the_interval_of_mercaldo(share):
    """Logit intervals at a known prevalence, Mercaldo, Lau and Zhou (2007), as in R's bdpv."""
    many = ConfusionMatrix(tp=80_000, fp=5_000, fn=20_000, tn=195_000)
    sensitivity, specificity = 0.8, 0.975
    errors = {
        "precision": (1 - sensitivity) / sensitivity / 1e5 + specificity / (1 - specificity) / 2e5,
        "negative_predictive_value": sensitivity / (1 - sensitivity) / 1e5
        + (1 - specificity) / specificity / 2e5,
    }
    for key, variance in errors.items():
        estimate = interval(METRICS[key], many, at=share)
        center = logit(estimate.value)
        expected = center - Z * np.sqrt(variance), center + Z * np.sqrt(variance)
        assert (logit(estimate.low), logit(estimate.high)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("metric", "matrix", "near", "far"),
    [
        (f1, MATRIX, "1:3", "1:1000"),
        pytest.param(
            "mcc", PETS, STATED | {"cat": 0.3, "owl": 0.2}, STATED, marks=pytest.mark.slow
        ),
    ],
)
def test_a_projected_matrix_has_the_interval_of_its_origin(metric, matrix, near, far):
    """Counts that were scaled up or down do not determine the uncertainty of a value."""
    expected, projected = interval(metric, matrix, at=far), project(matrix, at=far)
    for other, options in (
        (projected, {}),
        (project(project(matrix, at=near), at=far), {}),
        (pickle.loads(pickle.dumps(projected)), {"at": "test set"}),
        (projected, {"at": "population"}),
        (project(matrix, at=near), {"at": far}),
    ):
        estimate = interval(metric, other, **options)
        assert estimate.at == expected.at
        assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
            (expected.value, expected.low, expected.high), rel=1e-12
        )


@pytest.mark.parametrize(
    ("metric", "matrix", "options", "value"),
    [
        ("laplace", MATRIX, {"at": "1:9", "total": 20}, (1.6 + 1) / (1.6 + 2.7 + 2)),
        (errors, PETS, {"at": STATED, "total": 1000}, 200 * 0.2 + 500 / 3 + 300 * 0.2),
        ("laplace", project(MATRIX, at="1:19"), {}, (40 + 1) / (40 + 950 * 0.15 + 2)),
    ],
)
def test_a_metric_of_the_number_of_instances_is_given_it(metric, matrix, options, value):
    estimate = interval(metric, matrix, **options)
    assert estimate.value == pytest.approx(value, rel=1e-12)
    assert estimate.low < estimate.value < estimate.high


@pytest.mark.slow
def test_without_false_positives_the_result_says_what_is_not_known():
    perfect = ConfusionMatrix(tp=40, fp=0, fn=10, tn=50)
    estimate = interval("precision", perfect, at="1:1000")
    assert estimate.value == estimate.high == 1
    assert "No false positive among 50 negatives: precision is 1 at any prevalence." in str(
        estimate
    )
    needed = int(estimate.remark.split("about ")[1].split(" ")[0].replace(",", ""))
    enough = ConfusionMatrix(tp=40, fp=0, fn=10, tn=needed)
    assert 0.45 < interval("precision", enough, at="1:1000").low < 0.5
    only_negatives = interval(
        "precision", ConfusionMatrix(tp=10**9, fp=0, fn=0, tn=needed), at="1:1000"
    )
    assert only_negatives.low == pytest.approx(0.5, abs=0.1)
    assert not interval("precision", perfect).remark
    for at in (0.5, "0/40", "40/40"):
        remark = interval("precision", perfect, at=at).remark
        assert remark == "No false positive among 50 negatives: precision is 1 at any prevalence."
    at_its_end = interval("precision", perfect, at="0.001..0.5").remark.split("about ")[1]
    assert at_its_end == interval("precision", perfect, at=0.001).remark.split("about ")[1]
    assert not interval("precision", MATRIX, at="1:1000").remark


def test_an_interval_says_what_it_is_for():
    """The sentences themselves are in tests/reference/sentences.txt."""
    options = {"confidence": 0.999, "at": Prevalence.given("test set")}
    estimate = Interval("f1", 2 / 3, 0.5, 1.0, False, **options)
    assert repr(estimate) == f"Interval({estimate})"
    parts = [
        "f1 = 0.67 (0.50 to 1.00) for these class sizes",
        "99.9 %, if instances are independent",
    ]
    assert str(estimate) == ", ".join(parts)
    assert texts_of(estimate._repr_html_()) == [parts[0], f"{parts[1]}."]
    left_out = Interval("f1", 2 / 3, 0.5, 1.0, True, **options)
    assert "left out" in left_out._repr_html_()


@settings(max_examples=25)
@given(counts=cells(at_most=4), key=st.sampled_from(sorted(METRICS)))
@pytest.mark.slow
def test_the_observed_value_is_always_inside(counts, key):
    result = interval(METRICS[key], matrix_of(counts))
    if np.isnan(result.value):
        assert result.undefined
    else:
        assert result.low <= result.value <= result.high
