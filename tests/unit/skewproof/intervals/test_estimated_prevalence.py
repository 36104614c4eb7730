import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import optimize, stats
from whole_html import texts_of

from skewproof import (
    estimate_prevalence,
    plan,
    project,
    score,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.estimated_prevalence import CAUTION, draw_rates
from skewproof.intervals.label_shift import Fit, check_fit
from skewproof.intervals.metric_interval import interval
from skewproof.metrics import METRICS
from skewproof.plot import PrevalenceDisplay
from skewproof.prevalence.mixtures import mixing_share
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.score_bins import ScoreBins

REFERENCE = ConfusionMatrix(tp=80, fp=10, fn=20, tn=990)
Z = stats.norm.ppf(0.975)


def behind(called, tpr, fpr):
    """Compute the prevalence of Rogan and Gladen."""
    return np.clip((called - fpr) / (tpr - fpr), 0, 1)


def f1(share, tpr, fpr):
    return 2 * share * tpr / (share * (1 + tpr) + (1 - share) * fpr)


def on_the_ball(function, called, total):
    """Find the smallest and the largest value over a dense grid of the ball's surface."""
    first, second = np.meshgrid(np.arange(0, 2 * np.pi, 4e-3), np.arange(0, np.pi, 4e-3))
    places = np.cos(first) * np.sin(second), np.sin(first) * np.sin(second), np.cos(second)
    nodes = np.linspace(-Z, Z, 20_001)
    rates = [
        np.interp(
            Z * position, nodes, stats.beta.ppf(stats.norm.cdf(nodes), hits + 0.5, misses + 0.5)
        )
        for position, (hits, misses) in zip(
            places, ((called, total - called), (80, 20), (10, 990)), strict=True
        )
    ]
    values = function(*rates)
    return values.min(), values.max()


@pytest.mark.slow
@pytest.mark.parametrize("called", [230, 900, 6000])
def test_calls_are_extremes_over_the_share_called_and_both_rates(called):
    at = Prevalence.from_predictions(REFERENCE, called=called, total=20_000)
    prevalence, estimate = estimate_prevalence(at), interval("f1", REFERENCE, at=at)
    share = behind(called / 20_000, 0.8, 0.01)
    assert prevalence.value == pytest.approx(share, rel=1e-12)
    assert estimate.value == pytest.approx(f1(share, 0.8, 0.01), rel=1e-12)
    expected = on_the_ball(behind, called, 20_000)
    assert (prevalence.low, prevalence.high) == pytest.approx(expected, rel=1e-4, abs=1e-9)
    expected = on_the_ball(lambda *shares: f1(behind(*shares), *shares[1:]), called, 20_000)
    assert (estimate.low, estimate.high) == pytest.approx(expected, rel=1e-4, abs=1e-6)


def scores(positives, negatives, random):
    """Draw normal scores, those of positives two standard deviations higher."""
    true = np.repeat([1, 0], [positives, negatives])
    return true, random.normal(size=true.size) + 2 * true


def scored(share=0.03, size=20_000, seed=0, **options):
    random = np.random.default_rng(seed)
    true, known = scores(200, 2000, random)
    unlabeled = scores(round(share * size), size - round(share * size), random)[1]
    return Prevalence.from_scores(true, known, unlabeled, threshold=1.5, **options)


def test_a_mixing_share_has_the_largest_likelihood():
    random = np.random.default_rng(1)
    positives, negatives, unlabeled = (random.dirichlet(np.ones(8), 20) for _ in range(3))
    for p, n, u, result in zip(
        positives, negatives, unlabeled, mixing_share(positives, negatives, unlabeled), strict=True
    ):
        expected = optimize.minimize_scalar(
            lambda share, p=p, n=n, u=u: -u @ np.log(share * p + (1 - share) * n),
            bounds=(0, 1),
            method="bounded",
            options={"xatol": 1e-12},
        )
        assert result == pytest.approx(expected.x, abs=1e-5)


def test_scores_tell_more_of_the_prevalence_than_calls():
    at = scored()
    calls = Prevalence.from_predictions(at.reference, called=at.called, total=at.total)
    by_scores, by_calls = estimate_prevalence(at), estimate_prevalence(calls)
    assert by_scores.low < 0.03 < by_scores.high
    assert by_scores.high - by_scores.low < by_calls.high - by_calls.low


@pytest.mark.slow
def test_drawn_rates_are_those_of_jeffreys():
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    drawn = draw_rates(at, 50_000, 3)
    for drawn_rates, hits, misses in (
        (drawn.tpr, 80, 20),
        (drawn.fpr, 10, 990),
        (drawn.called, 900, 19_100),
    ):
        assert stats.kstest(drawn_rates, stats.beta(hits + 0.5, misses + 0.5).cdf).pvalue > 1e-3
    assert drawn.prevalence == pytest.approx(behind(drawn.called, drawn.tpr, drawn.fpr))
    by_scores = draw_rates(scored(), 50_000, 3)
    reference = scored().reference
    law = stats.beta(float(reference.tp) + 0.5, float(reference.fn) + 0.5)
    assert stats.kstest(by_scores.tpr, law.cdf).pvalue > 1e-3


def test_the_metric_of_exactly_these_instances_is_less_sure():
    """The positives among few instances are random, too."""
    population, instances = (
        Prevalence.from_predictions(REFERENCE, called=12, total=200, of_instances=of_instances)
        for of_instances in (False, True)
    )
    of_all, of_these = (interval("precision", REFERENCE, at=at) for at in (population, instances))
    assert of_these.value == of_all.value
    assert of_these.low < of_all.low


@pytest.mark.slow
def test_the_check_of_fit_has_its_size_and_sees_other_scores():
    p_values = np.array([check_fit(scored(seed=seed, size=2000)).p for seed in range(200)])
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    random = np.random.default_rng(0)
    true, known = scores(200, 2000, random)
    shifted = scores(60, 1940, random)[1] + 0.3
    at = Prevalence.from_scores(true, known, shifted, threshold=1.5)
    assert check_fit(at).p < 1e-4
    with pytest.raises(ValueError, match="not a mixture of those of the reference's two classes"):
        interval("f1", at.reference, at=at)


@pytest.mark.slow
def test_negatives_that_score_like_positives_are_not_seen():
    """The remark states the effect of a hundredth of them."""
    random = np.random.default_rng(4)
    true, known = scores(2000, 20_000, random)
    negatives = random.normal(size=99_000) + 2 * (random.random(99_000) < 0.01)
    unlabeled = np.append(negatives, random.normal(size=1000) + 2)
    at = Prevalence.from_scores(true, known, unlabeled, threshold=1.5)
    assert check_fit(at).p > 0.01
    prevalence = estimate_prevalence(at)
    assert prevalence.value == pytest.approx(0.01 + 0.99 * 0.01, abs=0.002)
    assert "No check can confirm the estimate" in prevalence.remark
    match = re.search(r"the prevalence would be ([0-9.]+)\.$", prevalence.remark)
    assert float(match[1]) == pytest.approx(0.01, abs=0.002)


def test_a_hundredth_of_the_negatives_by_hand():
    """q stays; of the negatives FPR + (TPR - FPR)/100 are then called positive."""
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    remark = interval("f1", REFERENCE, at=at).remark
    there = 0.99 * 0.01 + 0.01 * 0.8
    share = (0.045 - there) / (0.8 - there)
    prevalence, value = (
        float(number) for number in re.findall(r"(?:be|f1) ([0-9]\.[0-9]+)", remark)[-2:]
    )
    assert prevalence == pytest.approx(share, rel=5e-3)
    assert value == pytest.approx(f1(share, 0.8, there), rel=5e-3)


def test_a_prevalence_near_0_is_said_to_be_so():
    at = Prevalence.from_predictions(REFERENCE, called=230, total=20_000)
    estimate = interval("f1", REFERENCE, at=at)
    assert estimate.low == pytest.approx(0, abs=1e-6)
    most = estimate_prevalence(at).high
    match = re.search(
        r"distinguished from 0: it is at most ([0-9.]+); f1 is at most ([0-9.]+)\.", str(estimate)
    )
    assert float(match[1]) == pytest.approx(most, abs=5e-4)
    assert float(match[2].rstrip(".")) == pytest.approx(estimate.high, abs=5e-2)
    # A hundredth of the negatives would be more than all that is above the false positive rate.
    assert str(estimate).endswith(
        "If 1 % of the negatives scored like positives, the prevalence would be 0 and f1 0."
    )


@pytest.mark.parametrize(
    ("reference", "called", "message"),
    [
        (REFERENCE, 5, "0.00025 of the unlabeled instances are called positive, below the false"),
        (REFERENCE, 19_000, "0.95 of the unlabeled instances are called positive, above the true"),
        (ConfusionMatrix(tp=5, fp=5, fn=5, tn=5), 900, "the cut-off does not separate the classes"),
        (
            ConfusionMatrix(tp=3, fp=40, fn=2, tn=60),
            900,
            "the cut-off does not separate the classes",
        ),
        (ConfusionMatrix(tp=0, fp=4, fn=0, tn=9), 900, "the reference has an empty class"),
    ],
)
@pytest.mark.slow
def test_what_label_shift_cannot_explain_is_refused(reference, called, message):
    at = Prevalence.from_predictions(reference, called=called, total=20_000)
    for ask in (estimate_prevalence, lambda at: interval("f1", reference, at=at)):
        with pytest.raises(ValueError, match=message):
            ask(at)


def test_another_matrix_is_refused():
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    with pytest.raises(ValueError, match="expected the prevalence's own reference"):
        interval("f1", ConfusionMatrix(tp=80, fp=10, fn=20, tn=991), at=at)


def test_other_kinds_of_prevalence_are_not_estimated():
    for at in (Prevalence.given(0.1), Prevalence.sampled(1, 9)):
        with pytest.raises(
            ValueError, match=r"expected Prevalence\.from_predictions or \.from_scores"
        ):
            estimate_prevalence(at)
    with pytest.raises(ValueError, match=r"expected Prevalence\.from_scores"):
        check_fit(Prevalence.from_predictions(REFERENCE, called=1, total=9))


@pytest.mark.parametrize("key", ["f1", "precision", "mcc", "true_positive_rate", "accuracy"])
@pytest.mark.slow
def test_metrics_by_scores_lie_in_their_intervals(key):
    at = scored()
    estimate = interval(METRICS[key], at.reference, at=at)
    assert estimate.low < estimate.value < estimate.high
    assert interval(METRICS[key], at.reference, at=at) == estimate


@pytest.mark.parametrize("key", ["f1", "laplace"])
@pytest.mark.slow
def test_scores_of_the_reference_are_those_of_the_unlabeled_instances(key):
    """Laplace's estimate of the precision depends on how many of them there are."""
    true = np.repeat([1, 1, 0, 0], [80, 20, 10, 990])
    predicted = np.repeat([1, 0, 1, 0], [80, 20, 10, 990])
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    (row,) = score(true, predicted, metrics=key, at=at).to_dict("records")
    estimate = interval(key, REFERENCE, at=at)
    assert (row["value"], row["low"], row["high"]) == (estimate.value, estimate.low, estimate.high)
    assert row["at"] == "900 of 20000 called positive"
    share = behind(900 / 20_000, 0.8, 0.01)
    tp, fp = 20_000 * share * 0.8, 20_000 * (1 - share) * 0.01
    expected = {"f1": f1(share, 0.8, 0.01), "laplace": (tp + 1) / (tp + fp + 2)}
    assert row["value"] == pytest.approx(expected[key], rel=1e-12)
    assert row["low"] < row["value"] < row["high"]


def test_all_metrics_of_the_reference():
    """No warning is given, since the number of instances is known."""
    true = np.repeat([1, 1, 0, 0], [80, 20, 10, 990])
    predicted = np.repeat([1, 0, 1, 0], [80, 20, 10, 990])
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    frame = score(true, predicted, at=at, confidence=None).set_index("metric")
    assert frame.loc["laplace", "value"] == interval("laplace", REFERENCE, at=at).value
    assert frame.loc["f1", "value_in_test_set"] == pytest.approx(160 / 190)


@pytest.mark.parametrize("confidence", [0.95, None])
def test_other_labels_than_the_reference_are_refused(confidence):
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    true = np.repeat([1, 1, 0, 0], [81, 20, 10, 990])
    predicted = np.repeat([1, 0, 1, 0], [81, 20, 10, 990])
    with pytest.raises(ValueError, match="expected the prevalence's own reference, since both"):
        score(true, predicted, metrics="f1", at=at, confidence=confidence)


@pytest.mark.parametrize(
    "function",
    [
        lambda at: project(REFERENCE, at=at),
        lambda at: plan("f1", tpr=0.8, fpr=0.01, width=0.1, at=at),
    ],
)
def test_a_stated_prevalence_is_none_that_is_estimated(function):
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    with pytest.raises(ValueError, match=r"at = .*expected a stated prevalence"):
        function(at)


@pytest.mark.slow
def test_a_display_marks_the_value_without_labels():
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    display = PrevalenceDisplay(metric="f1", matrix=REFERENCE, at=at).plot()
    assert display.interval == interval("f1", REFERENCE, at=at)
    ((dot, _, _),) = display.ax_.containers
    share = behind(900 / 20_000, 0.8, 0.01)
    assert dot.get_xdata() == pytest.approx([(1 - share) / share])
    assert dot.get_ydata() == pytest.approx([display.interval.value])
    with pytest.raises(ValueError, match="expected the prevalence's own reference"):
        PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=81, fp=10, fn=20, tn=990), at=at)
    plt.close("all")


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        (0.5, "Nothing contradicts a mixture"),
        (0.03, "They fit a mixture of the reference's classes badly."),
        (0.001, "They are not a mixture of the reference's classes: estimates are refused."),
        (np.nan, "As many cells as prevalences leave nothing to test."),
    ],
)
def test_a_fit_shows_its_verdict(p, verdict):
    fit = Fit(3.21, 4, p)
    assert verdict in repr(fit)
    assert "3.21 with 4 degrees of freedom" in repr(fit)
    assert texts_of(fit._repr_html_())[0] == "Fit of the unlabeled instances"


@pytest.mark.parametrize("fewest", [True, False])
def test_the_fit_is_best_at_an_end_if_scores_are_beyond_a_class(fewest):
    """No prevalence in [0, 1] mixes to shares that a class and less than none of the other make."""
    size = 1_000_000
    classes = np.array([[0.1, 0.3, 0.6], [0.6, 0.3, 0.1]])
    near, far = classes if fewest else classes[::-1]
    beyond = near + 0.01 * (near - far)
    counts = [tuple(np.rint(size * part).astype(int).tolist()) for part in (*classes, beyond)]
    bins = ScoreBins((0.4, 0.6), 1, *counts)
    # The likelihood ratio test that the unlabeled instances are all of the near class.
    pair = np.array([counts[0] if fewest else counts[1], counts[2]], dtype=float)
    expected = stats.contingency.chi2_contingency(pair, correction=False, lambda_=0).statistic
    assert check_fit(Prevalence.from_bins(bins)).statistic == pytest.approx(expected, rel=1e-4)


def test_a_cut_off_that_may_not_separate_the_classes_says_nothing():
    """The true positive rate is higher, but not beyond chance; with ten times as many it is."""
    few = ConfusionMatrix(tp=5, fp=30, fn=5, tn=70)
    with pytest.raises(ValueError, match="does not separate the classes"):
        estimate_prevalence(Prevalence.from_predictions(few, called=400, total=1000))
    many = ConfusionMatrix(tp=50, fp=300, fn=50, tn=700)
    prevalence = estimate_prevalence(Prevalence.from_predictions(many, called=400, total=1000))
    assert prevalence.value == pytest.approx(0.5)


def of_few(seed, positives):
    """Draw normal scores of few labeled positives, and unlabeled ones with 30 % positives."""
    random = np.random.default_rng(seed)
    known = scores(positives, 100 * positives, random)
    return Prevalence.from_scores(*known, scores(6000, 14_000, random)[1], threshold=1.5)


@pytest.mark.slow
def test_few_positives_are_compared_with_drawn_samples():
    """The chi-square distribution gives smaller p-values than it should, and samples do not."""
    fits = [check_fit(of_few(seed, 5)) for seed in range(80)]
    by_chi_square = np.array([stats.chi2.sf(fit.statistic, fit.degrees) for fit in fits])
    by_samples = np.array([fit.p for fit in fits])
    drawn = by_chi_square < 0.1
    assert by_samples[~drawn] == pytest.approx(by_chi_square[~drawn])
    assert by_samples[drawn] * 500 == pytest.approx(np.rint(by_samples[drawn] * 500))
    assert by_samples[drawn].mean() > by_chi_square[drawn].mean()
    assert stats.binomtest(int((by_samples < 0.05).sum()), 80, 0.05).pvalue > 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("tpr_change", "fpr_change"), [(0.1, 0.0), (0.0, 0.005), (0.15, 0.004)])
def test_a_change_of_the_rates_widens_the_interval_to_the_envelope(tpr_change, fpr_change):
    """Every change on a grid, with the extremes over a grid of the ball, is inside."""
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    prevalence = estimate_prevalence(at, tpr_change=tpr_change, fpr_change=fpr_change)
    lows, highs = [], []
    for tpr_shift in np.linspace(-tpr_change, tpr_change, 3):
        for other in np.linspace(-fpr_change, fpr_change, 3):
            low, high = on_the_ball(
                lambda called, tpr, fpr, tpr_shift=tpr_shift, other=other: behind(
                    called, np.clip(tpr + tpr_shift, 0, 1), np.clip(fpr + other, 0, 1)
                ),
                900,
                20_000,
            )
            lows.append(low)
            highs.append(high)
    assert (prevalence.low, prevalence.high) == pytest.approx((min(lows), max(highs)), rel=1e-3)
    assert prevalence.value == estimate_prevalence(at).value
    assert f"{tpr_change:g}" in prevalence.remark
    assert f"{fpr_change:g}" in prevalence.remark


@pytest.mark.slow
def test_the_interval_under_a_stated_change_covers_at_its_limits():
    """The true positive rate falls from 0.8 to 0.7, and the false one rises from 0.02 to 0.025."""
    random = np.random.default_rng(8)
    inside = {0.0: 0, 0.1: 0}
    for _ in range(200):
        tp, fp = random.binomial(200, 0.8), random.binomial(2000, 0.02)
        called = random.binomial(20_000, 0.1 * 0.7 + 0.9 * 0.02)
        at = Prevalence.from_predictions(
            ConfusionMatrix(tp=tp, fp=fp, fn=200 - tp, tn=2000 - fp), called=called, total=20_000
        )
        for change in inside:
            prevalence = estimate_prevalence(at, tpr_change=change)
            inside[change] += prevalence.low <= 0.1 <= prevalence.high
    assert inside[0.1] >= stats.binom.ppf(1e-3, 200, 0.95)
    assert inside[0.0] < inside[0.1]


def test_scores_with_a_stated_change_are_used_as_calls():
    at = scored()
    calls = Prevalence.from_predictions(at.reference, called=at.called, total=at.total)
    prevalence, expected = (estimate_prevalence(source, tpr_change=0.1) for source in (at, calls))
    assert (prevalence.value, prevalence.low, prevalence.high) == (
        expected.value,
        expected.low,
        expected.high,
    )


def test_changes_that_leave_the_classes_apart_are_needed():
    at = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
    with pytest.raises(ValueError, match="does not separate the classes after such changes"):
        estimate_prevalence(at, tpr_change=0.75, fpr_change=0.05)
    for name, value in (("tpr_change", -0.1), ("fpr_change", 1), ("tpr_change", None)):
        with pytest.raises(ValueError, match=f"{name} = "):
            estimate_prevalence(at, **{name: value})


def test_the_rows_of_the_reference_are_remarked():
    random = np.random.default_rng(2)
    known = scores(100, 900, random)
    again = Prevalence.from_scores(*known, known[1], threshold=1.5)
    new = Prevalence.from_scores(*known, scores(100, 900, random)[1], threshold=1.5)
    assert "they may be the same rows" in estimate_prevalence(again).remark
    assert "they may be the same rows" not in estimate_prevalence(new).remark
    for called, total, remarked in ((90, 1100, True), (90, 1101, False), (91, 1100, False)):
        at = Prevalence.from_predictions(REFERENCE, called=called, total=total)
        assert ("they may be the same rows" in estimate_prevalence(at).remark) == remarked


def test_a_refusal_names_rows_that_depend_on_each_other():
    random = np.random.default_rng(0)
    known = scores(200, 2000, random)
    at = Prevalence.from_scores(*known, scores(60, 1940, random)[1] + 0.5, threshold=1.5)
    with pytest.raises(ValueError, match="or rows depend on each other"):
        estimate_prevalence(at)


def test_the_caution_has_the_numbers_of_the_simulation():
    measured = pd.read_csv(Path(__file__).parents[4] / "docs/images/unlabeled_harder.csv")
    row = measured.set_index("easy positives").loc[0.5]
    percents = [int(number) for number in re.findall(r"([0-9]+) %", CAUTION)]
    expected = [round(100 * row[name]) for name in ("not refused", "by scores")]
    assert percents == expected
