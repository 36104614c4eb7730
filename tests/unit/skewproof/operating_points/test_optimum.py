from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skewproof import ConfusionMatrix, get_metric, get_scorer
from skewproof.metrics import parse_metric
from skewproof.operating_points import (
    BibetaCurve,
    BinormalCurve,
    EmpiricalCurve,
    PowerLawCurve,
    best_point,
)

TWO = BinormalCurve(2)


HOOKED = BinormalCurve(2, 2)
# The likelihood ratio is that of the classes at two thresholds; accuracy is best at the upper one.
UPPER = np.roots([(1 - 1 / 4) / 2, 2 / 4, -4 / 8 - np.log(2) - np.log(5)]).max()
# The slope a·v^(a - 1) is 1 at the best point, and v is exp(-threshold).
STEEP = {a: -np.log(a) / (1 - a) for a in (0.1, 0.5, 0.9)}

CLOSED_FORMS = [
    *(("accuracy", TWO, f"1:{ratio}", 1 + np.log(ratio) / 2) for ratio in (1, 10, 1000, 10**9)),
    *(("youden_j", TWO, at, 1) for at in ("1:1", "1:1000", "1:1000000000")),
    *(("youden_j", PowerLawCurve(a), "1:77", threshold) for a, threshold in STEEP.items()),
    ("optimized_precision", TWO, "1:100", 1),  # a kink, where both rates are equal
    ("accuracy", HOOKED, "1:5", UPPER),
    # Densities 2s and 2(1 - s): their ratio s/(1 - s) is r at s = r/(1 + r).
    ("accuracy", BibetaCurve((2, 1), (1, 2)), "1:10000", 1 - 1 / 10001),
    # 0/0 in floats where nearly everything is called; by symmetry the best is in the middle.
    ("lambda_of_calls", BinormalCurve(1), "1:1", 0.5),
]


@pytest.mark.slow
@pytest.mark.parametrize(("key", "curve", "at", "threshold"), CLOSED_FORMS)
def test_thresholds_are_those_of_closed_forms(key, curve, at, threshold):
    point = best_point(key, curve, at=at)
    assert (point.threshold, point.kind) == (pytest.approx(threshold, abs=1e-9), "attained")
    if isinstance(curve, BinormalCurve):
        rates = ndtr((curve.mean - threshold) / curve.deviation), ndtr(-threshold)
        assert (point.tpr, point.fpr) == pytest.approx(rates, rel=1e-6)


def test_a_corner_keeps_its_digits():
    """Both classes' scores of 1 - 1/10001 are far out: FPR is its square."""
    point = best_point("accuracy", BibetaCurve((2, 1), (1, 2)), at="1:10000")
    assert 1 - point.threshold == pytest.approx(1 / 10001, rel=1e-9)
    assert point.fpr == pytest.approx(1 / 10001**2, rel=1e-6)


def draw(seed, positives=60, negatives=240, mean=1.5, digits=1):
    random = np.random.default_rng(seed)
    y_true = np.repeat([1, 0], [positives, negatives])
    return y_true, random.normal(mean * y_true).round(digits)


@pytest.mark.slow
def test_lower_values_are_better_where_a_metric_says_so():
    error = best_point("error_rate", TWO, at="1:10")
    assert error.plateau.tpr[0] < error.tpr < error.plateau.tpr[1]
    y_true, y_score = draw(0)
    curve = EmpiricalCurve(y_true, y_score)
    assert best_point("error_rate", curve).threshold == best_point("accuracy", curve).threshold


@pytest.mark.slow
def test_an_end_at_which_a_metric_is_undefined_is_a_supremum():
    precision = best_point("precision", TWO, at="1:1000")
    assert (precision.kind, precision.tpr, precision.fpr) == ("supremum", 0, 0)
    assert precision.value == 1
    assert precision.threshold == np.inf
    assert np.isnan(precision.alarms_per_hit)
    npv = best_point("negative_predictive_value", TWO, at="1:1")
    assert (npv.kind, npv.tpr, npv.fpr, npv.threshold) == ("supremum", 1, 1, -np.inf)
    odds = best_point("diagnostic_odds_ratio", TWO, at="1:1")
    assert (odds.kind, odds.value, odds.plateau) == ("supremum", np.inf, None)


def test_an_end_that_is_best_is_a_corner():
    everything = best_point("true_positive_rate", TWO, at="1:10")
    assert (everything.kind, everything.tpr, everything.share_called) == ("corner", 1, 1)
    assert everything.alarms_per_hit == 10
    nothing = best_point("accuracy", PowerLawCurve(1), at="1:10")
    assert (nothing.kind, nothing.tpr, nothing.value) == ("corner", 0, 10 / 11)


@pytest.mark.parametrize("key", ["f1", "mcc", "iba", "cohen_kappa"])
@pytest.mark.slow
def test_the_plateau_is_what_lies_within_a_hundredth(key):
    point = best_point(key, TWO, at="1:1000000")
    metric = get_metric(key)
    thresholds = np.linspace(-4, 9, 200_001)
    matrix = ConfusionMatrix.from_rates(
        ndtr(2 - thresholds), ndtr(-thresholds), positives=1, negatives=10**6
    )
    inside = thresholds[metric(matrix) >= 0.99 * point.value]
    assert point.plateau.threshold == pytest.approx((inside[0], inside[-1]), abs=1e-4)
    assert point.plateau.tpr[0] == pytest.approx(ndtr(2 - inside[-1]), rel=1e-3)


@pytest.mark.parametrize(
    "formula",
    [
        "min(tp/P, 0.5)",
        "min(max(tp/P, 1/4), 3/4)",
        "(tp/P - 1/2)/abs(tp/P - 1/2) - (fp/N - 1/5)/abs(fp/N - 1/5)",
        "tp/P - max(0, min(1, 1e9*(fp/N - 1/2)))",
        "tp/(tp + fp)",
        "abs(tp/P - 1/2) - fp/N",
    ],
)
@pytest.mark.slow
def test_a_level_part_is_no_local_maximum_unless_it_falls_on_both_sides(formula):
    """The local maxima are found among values at many thresholds, rounded to six decimals."""
    point = best_point(parse_metric(formula, key="steps"), TWO, at="1:1")
    thresholds = np.linspace(-8, 10, 30_001)
    tpr, fpr = ndtr(2 - thresholds), ndtr(-thresholds)
    with np.errstate(all="ignore"):
        values = parse_metric(formula, key="steps")(
            ConfusionMatrix(tp=tpr, fp=fpr, fn=1 - tpr, tn=1 - fpr)
        )
    levels = values[~np.isnan(values)].round(6)
    levels = levels[np.append(True, np.diff(levels) != 0)]
    padded = np.concatenate([[-np.inf], levels, [-np.inf]])
    maxima = (padded[1:-1] > padded[:-2]) & (padded[1:-1] > padded[2:])
    assert 1 + len(point.others) == maxima.sum()
    peaks = sorted([point.value, *(peak.value for peak in point.others)])
    assert peaks == pytest.approx(sorted(levels[maxima]), abs=1e-3)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("key", ["f1", "mcc", "accuracy", "error_rate", "g_mean", "markedness"])
@pytest.mark.slow
def test_thresholds_of_scores_against_all_of_them(key, seed):
    y_true, y_score = draw(seed)
    curve = EmpiricalCurve(y_true, y_score)
    metric = get_metric(key)
    scores = [metric.score(y_true, y_score >= cut, undefined=np.nan) for cut in np.unique(y_score)]
    point = best_point(key, curve)
    best = np.nanmin(scores) if metric.lower_is_better else np.nanmax(scores)
    assert point.value == pytest.approx(best, abs=1e-12)
    if np.isfinite(point.threshold):
        assert metric.score(y_true, y_score >= point.threshold) == pytest.approx(best, abs=1e-12)


def test_thresholds_of_scores_at_another_prevalence_are_those_of_weights():
    y_true, y_score = draw(7)
    weights = np.where(y_true == 1, 1.0, 25.0)  # 60 : 240·25 = 1 : 100
    scores = {
        cut: get_metric("mcc").score(y_true, y_score >= cut, sample_weight=weights)
        for cut in np.unique(y_score)[1:]
    }
    point = best_point("mcc", EmpiricalCurve(y_true, y_score), at="1:100")
    assert point.threshold == max(scores, key=scores.get)
    assert point.value == pytest.approx(max(scores.values()), abs=1e-12)


def test_of_equal_values_the_one_that_calls_least():
    point = best_point("accuracy", EmpiricalCurve([1, 0, 1, 0], [4, 3, 2, 1]))
    assert (point.tpr, point.fpr, point.threshold) == (0.5, 0, 4)
    assert point.others[0][:2] == (1.0, 0.5)


EXACTLY = {
    "youden_j": lambda tp, fp, fn, tn: tp / (tp + fn) - fp / (fp + tn),
    "f1": lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn),
    "accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
}


@pytest.mark.parametrize(
    ("key", "ratio"),
    [("youden_j", None), ("youden_j", 3), ("youden_j", 6), ("f1", None), ("accuracy", 3)],
)
@pytest.mark.slow
def test_ties_of_rates_that_are_no_floats_are_exact(key, ratio):
    """Sevenths and fourteenths, of many samples of which some have exact ties."""
    ties = 0
    for seed in range(60):
        y_true, y_score = draw(seed, positives=7, negatives=14, mean=0.5)
        weight = Fraction(1) if ratio is None else Fraction(7 * ratio, 14)
        cuts = np.unique(y_score)[::-1]
        values = []
        for cut in cuts:
            tp, fp = (int(np.sum(y_score[y_true == label] >= cut)) for label in (1, 0))
            cells = Fraction(tp), weight * fp, Fraction(7 - tp), weight * (14 - fp)
            values.append(EXACTLY[key](*cells))
        nothing = EXACTLY[key](Fraction(0), Fraction(0), Fraction(7), weight * Fraction(14))
        at = {} if ratio is None else {"at": f"1:{ratio}"}
        point = best_point(key, EmpiricalCurve(y_true, y_score), **at)
        best = max(*values, nothing)
        first = np.inf if nothing == best else cuts[values.index(best)]
        assert point.threshold == first
        ties += [nothing, *values].count(best) > 1
    assert ties > 0


@pytest.mark.parametrize(
    "key",
    [
        *("g_mean", "sensitivity_specificity_harmonic_mean", "iba", "scott_pi", "hmnc"),
        *("mcc_f1", "adjusted_f", "optimized_precision", "f1", "precision"),
    ],
)
@pytest.mark.parametrize("at", ["test set", "1:50"])
@pytest.mark.slow
def test_segments_of_a_hull_against_a_fine_grid(key, at):
    y_true, y_score = draw(3, digits=0)
    curve = EmpiricalCurve(y_true, y_score, hull=True)
    tpr, fpr = curve.counts.tp / 60, curve.counts.fp / 240
    fine = np.linspace(0, tpr.size - 1, 5000 * (tpr.size - 1) + 1)
    corners = np.arange(tpr.size)
    rates = [np.interp(fine, corners, rate) for rate in (tpr, fpr)]
    sizes = {"positives": 60, "negatives": 240 if at == "test set" else 3000}
    with np.errstate(all="ignore"):
        values = np.asarray(get_metric(key)(ConfusionMatrix.from_rates(*rates, **sizes)))
    best = int(np.nanargmax(values))
    step = np.nanmax(np.abs(np.diff(values[max(best - 2, 0) : best + 3])))
    point = best_point(key, curve, at=at)
    assert values[best] - 1e-12 <= point.value <= values[best] + step
    there = ConfusionMatrix.from_rates(point.tpr, point.fpr, **sizes)
    assert point.value == pytest.approx(float(get_metric(key)(there)), abs=1e-12)
    if point.mixture is not None:
        lower, share = point.mixture
        shares = [
            (1 - share) * (y_score[y_true == label] >= point.threshold).mean()
            + share * (y_score[y_true == label] >= lower).mean()
            for label in (1, 0)
        ]
        assert (point.tpr, point.fpr) == pytest.approx(shares, abs=1e-9)


@pytest.mark.slow
def test_a_peak_inside_a_segment_mixes_two_thresholds():
    """The hull of equal scores is the chance line, where G is sqrt(u(1 - u))."""
    curve = EmpiricalCurve([1, 0, 0], [5, 5, 5], hull=True)
    point = best_point("g_mean", curve)
    assert (point.tpr, point.fpr, point.value) == pytest.approx((0.5, 0.5, 0.5))
    assert point.threshold == np.inf
    assert point.mixture == (5, pytest.approx(0.5))
    corner = best_point("f1", curve)
    assert (corner.tpr, corner.kind, corner.mixture) == (1, "corner", None)


@pytest.mark.slow
def test_the_cutoff_is_that_of_scikit_learn():
    inputs, labels = load_breast_cancer(return_X_y=True)
    train, test, y_train, y_test = train_test_split(inputs, labels, random_state=0)
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(train, y_train)
    scores = model.predict_proba(test)[:, 1]
    cuts = np.unique(scores)[1:]  # at the lowest everything is positive, and MCC undefined
    for key in ("f1", "mcc", "g_mean"):
        tuned = TunedThresholdClassifierCV(
            model, scoring=get_scorer(key), cv="prefit", refit=False, thresholds=cuts
        ).fit(test, y_test)
        point = best_point(key, EmpiricalCurve(y_test, scores))
        assert point.value == pytest.approx(tuned.best_score_, abs=1e-12)
        value = get_metric(key).score(y_test, scores >= point.threshold)
        assert value == pytest.approx(tuned.best_score_, abs=1e-12)


@pytest.mark.slow
def test_the_middle_of_what_is_known_of_a_prevalence():
    for at, share in (("12/1200", 0.01), (0.01, 0.01), ("beta(1, 99)", 0.01)):
        point = best_point("f1", TWO, at=at)
        assert point.tpr == pytest.approx(best_point("f1", TWO, at=share).tpr, rel=1e-9)
        assert point.at == str(at)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["d_prime", "normal_area"])
def test_a_metric_that_is_the_same_all_over_the_curve_has_no_best_point(metric):
    with pytest.raises(ValueError, match="expected a metric that is not constant on"):
        best_point(metric, TWO, at="1:10")
    assert best_point(metric, BinormalCurve(2, 1.25), at="1:10").kind == "supremum"


def test_a_curve_needs_a_prevalence_and_a_metric_a_direction():
    with pytest.raises(ValueError, match="at = "):
        best_point("f1", TWO)
    with pytest.raises(ValueError, match="metric = 'frequency_bias'"):
        best_point("frequency_bias", TWO, at="1:1")
