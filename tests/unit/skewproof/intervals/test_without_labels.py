import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from scipy import stats
from whole_html import texts_of

from skewproof import (
    MulticlassConfusionMatrix,
    compare,
    estimate_prevalence,
    get_scorer,
    plan,
    project,
    score,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.extremes import Proportions, extremes
from skewproof.intervals.label_shift import Fit, check_fit
from skewproof.intervals.metric_interval import interval
from skewproof.intervals.without_labels import (
    CAUTION,
    UnlabeledRows,
    drawn_matrices,
    extreme_prevalences,
    is_separated,
)
from skewproof.plot import PrevalenceDisplay
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.prevalence.prevalence import Prevalence

REFERENCE = ConfusionMatrix(tp=80, fp=10, fn=20, tn=990)
LABELS = np.repeat([1, 1, 0, 0], [80, 20, 10, 990]), np.repeat([1, 0, 1, 0], [80, 20, 10, 990])
AT = Prevalence.from_predictions(REFERENCE, called=900, total=20_000)
COUNTS = [[80, 15, 5], [10, 80, 10], [0, 10, 90]]
NAMES = ["cat", "dog", "owl"]
PETS = MulticlassConfusionMatrix(COUNTS, labels=NAMES)
CALLED = {"cat": 510, "dog": 260, "owl": 230}
RATES = np.array(COUNTS) / 100
Z = stats.norm.ppf(0.975)


def prevalence_of(at, **options):
    """Return the row of the positive class."""
    (row,) = estimate_prevalence(at, **options).itertuples()
    return row


def behind(called, tpr, fpr):
    """Compute the prevalence of Rogan and Gladen."""
    return np.clip((called - fpr) / (tpr - fpr), 0, 1)


def f1(share, tpr, fpr):
    return 2 * share * tpr / (share * (1 + tpr) + (1 - share) * fpr)


def on_the_ball(function, called, total):
    """Find the smallest and the largest value of a function of the shares called."""
    hits, misses = np.array([(called, total - called), (80, 20), (10, 990)], dtype=float).T
    proportions = Proportions(hits[:, np.newaxis], misses[:, np.newaxis])
    ends = extremes(lambda shares, rows: function(*shares), proportions, Z)
    return ends.low[0], ends.high[0]


@pytest.mark.slow
@pytest.mark.parametrize("called", [230, 900, 6000])
def test_calls_are_extremes_over_the_share_called_and_both_rates(called):
    at = Prevalence.from_predictions(REFERENCE, called=called, total=20_000)
    prevalence, estimate = prevalence_of(at), interval("f1", REFERENCE, at=at)
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


@pytest.mark.slow
@pytest.mark.parametrize("classes", [2, 3])
def test_draws_of_exactly_these_instances_are_those_of_jeffreys(classes):
    """Each class is told from the others by a hit, and no binomial of two cells is drawn twice."""
    at = (
        Prevalence.from_predictions(REFERENCE, called=900, total=20_000, of_instances=True)
        if classes == 2
        else Prevalence.from_predictions(PETS, called=CALLED, of_instances=True)
    )
    counts = drawn_matrices(at, 20_000).counts
    assert np.array_equal(counts.sum(axis=1), np.broadcast_to(at.bins.predicted, counts.shape[:2]))
    random = np.random.default_rng(3)
    reference = np.array(at.bins.matrix)
    rates = random.standard_gamma(reference + 0.5, (20_000, classes, classes))
    rates /= rates.sum(axis=2, keepdims=True)
    called = random.dirichlet(np.array(at.bins.predicted) + 0.5, 20_000)
    shares = np.linalg.solve(np.swapaxes(rates, 1, 2), called[..., np.newaxis])[..., 0]
    kept = (shares > 0).all(axis=1)
    joint = np.swapaxes(shares[kept, :, np.newaxis] * rates[kept], 1, 2)
    drawn = random.multinomial(at.bins.predicted, joint / joint.sum(axis=2, keepdims=True))
    hits = np.trace(counts, axis1=1, axis2=2), np.trace(drawn, axis1=1, axis2=2)
    tolerance = 0.1 * hits[0].std()
    for share in (0.025, 0.5, 0.975):
        first, second = (np.quantile(number, share) for number in hits)
        assert first == pytest.approx(second, abs=2 * tolerance)
    estimate = interval("accuracy", REFERENCE if classes == 2 else PETS, at=at)
    expected = np.quantile(hits[1], [0.025, 0.975])
    ends = np.array([estimate.low, estimate.high]) * at.bins.total
    assert ends == pytest.approx(expected, abs=2 * tolerance)


@pytest.mark.slow
def test_metrics_of_the_reference_are_those_of_the_unlabeled_instances():
    """Laplace's estimate of the precision depends on how many of them there are."""
    share = behind(900 / 20_000, 0.8, 0.01)
    tp, fp = 20_000 * share * 0.8, 20_000 * (1 - share) * 0.01
    expected = [f1(share, 0.8, 0.01), (tp + 1) / (tp + fp + 2)]
    frame = score(*LABELS, metrics=["f1", "laplace"], at=AT)
    assert frame["value"].tolist() == pytest.approx(expected, rel=1e-12)
    for row in frame.itertuples():
        estimate = interval(row.metric, REFERENCE, at=AT)
        assert (row.value, row.low, row.high) == (estimate.value, estimate.low, estimate.high)
        assert row.low < row.value < row.high
        assert row.at == "900 of 20000 called positive"


@pytest.mark.slow
def test_a_display_marks_the_value_without_labels():
    display = PrevalenceDisplay(metric="f1", matrix=REFERENCE, at=AT).plot()
    assert display.interval == interval("f1", REFERENCE, at=AT)
    ((dot, _, _),) = display.ax_.containers
    share = behind(900 / 20_000, 0.8, 0.01)
    assert dot.get_xdata() == pytest.approx([(1 - share) / share])
    assert dot.get_ydata() == pytest.approx([display.interval.value])
    with pytest.raises(ValueError, match="expected the prevalence's own reference"):
        PrevalenceDisplay(metric="f1", matrix=ConfusionMatrix(tp=81, fp=10, fn=20, tn=990), at=AT)
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
    cells = [((some[1:]), (some[:1])) for some in counts]
    bins = PredictionBins(
        ("positive", "negative"), tuple(cells[:2]), cells[2], ((0.6,), ()), threshold=0.4
    )
    # The likelihood ratio test that the unlabeled instances are all of the near class.
    pair = np.array([counts[0] if fewest else counts[1], counts[2]], dtype=float)
    expected = stats.contingency.chi2_contingency(pair, correction=False, lambda_=0).statistic
    assert check_fit(Prevalence.from_bins(bins)).statistic == pytest.approx(expected, rel=1e-4)


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
@pytest.mark.parametrize(("tpr_change", "fpr_change"), [(0.0, 0.005), (0.15, 0.004)])
def test_a_change_of_the_rates_widens_the_interval_to_the_envelope(tpr_change, fpr_change):
    """Every change on a grid, with the extremes over a grid of the ball, is inside."""
    prevalence = prevalence_of(AT, tpr_change=tpr_change, fpr_change=fpr_change)
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
    assert prevalence.value == prevalence_of(AT).value
    assert f"{tpr_change:g}" in prevalence.sentence
    assert f"{fpr_change:g}" in prevalence.sentence


def test_scores_with_a_stated_change_are_used_as_calls():
    at = scored()
    calls = Prevalence.from_predictions(
        at.reference.pair, called=at.bins.predicted[0], total=at.bins.total
    )
    prevalence, expected = (prevalence_of(source, tpr_change=0.1) for source in (at, calls))
    assert (prevalence.value, prevalence.low, prevalence.high) == (
        expected.value,
        expected.low,
        expected.high,
    )


def test_the_caution_has_the_numbers_of_the_simulation():
    measured = pd.read_csv(Path(__file__).parents[4] / "docs/images/unlabeled_harder.csv")
    row = measured.set_index("easy positives").loc[0.5]
    percents = [int(number) for number in re.findall(r"([0-9]+) %", CAUTION)]
    expected = [round(100 * row[name]) for name in ("not refused", "by scores")]
    assert percents == expected


def pets(called=CALLED, reference=PETS):
    return Prevalence.from_predictions(reference, called=called)


AT_PETS = pets()
TRUE = np.repeat(np.repeat(NAMES, 3), np.ravel(COUNTS))
PREDICTED = np.repeat(np.tile(NAMES, 3), np.ravel(COUNTS))


def macro_f1(shares, rates):
    joint = shares[..., np.newaxis] * rates
    hits = np.diagonal(joint, axis1=-2, axis2=-1)
    return np.mean(2 * hits / (joint.sum(axis=-2) + joint.sum(axis=-1)), axis=-1)


@pytest.mark.slow
def test_the_values_are_those_of_a_mixture_by_hand():
    shares = np.linalg.solve(RATES.T, [0.51, 0.26, 0.23])
    assert list(AT_PETS.shares.values()) == pytest.approx(shares, abs=1e-12)
    prevalence = estimate_prevalence(AT_PETS)
    assert prevalence["class"].tolist() == NAMES
    assert prevalence["value"].to_numpy() == pytest.approx(shares, abs=1e-12)
    assert prevalence["predicted"].tolist() == [510, 260, 230]
    frame = score(TRUE, PREDICTED, metrics=["macro_f1", "precision"], at=AT_PETS)
    expected = interval("macro_f1", PETS, at=AT_PETS)
    assert expected.value == pytest.approx(macro_f1(shares, RATES))
    row = frame.iloc[0]
    assert (row["value"], row["low"], row["high"]) == (expected.value, expected.low, expected.high)
    assert row["at"] == "cat=510, dog=260, owl=230 predicted"
    precisions = shares * np.diag(RATES) / [0.51, 0.26, 0.23]
    assert frame["value"][1:].to_numpy() == pytest.approx(precisions, abs=1e-9)
    assert ((frame["low"] < frame["value"]) & (frame["value"] < frame["high"])).all()


ORDERS = [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 1, 2]]
"""Hits first, then the commonest other class; classes of the reference are equally common."""


def of_binomials(parts):
    """Compute prevalences and rates from each row's first share and the second of the rest."""
    rows = np.zeros((4, 3, *parts.shape[1:]))
    for row, order in enumerate(ORDERS):
        first, second = parts[2 * row : 2 * row + 2]
        rows[row, order] = first, (1 - first) * second, (1 - first) * (1 - second)
    rows = np.moveaxis(rows, (0, 1), (-2, -1))
    rates, called = rows[..., :3, :], rows[..., 3, :, np.newaxis]
    return np.linalg.solve(np.swapaxes(rates, -1, -2), called)[..., 0], rates


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dog", "macro_f1"])
def test_ends_are_extremes_over_the_ball(name):
    """No owl was taken for a cat, so that this rate is 0 at a deviation of 0."""

    def value(parts, slices):
        shares, rates = of_binomials(parts)
        return shares[..., 1] if name == "dog" else macro_f1(shares, rates)

    rows = np.array([*COUNTS, list(CALLED.values())], dtype=float)
    first, second, third = np.take_along_axis(rows, np.array(ORDERS), axis=1).T
    hits, misses = np.stack([first, second], 1), np.stack([second + third, third], 1)
    ends = extremes(value, Proportions(hits.reshape(8, 1), misses.reshape(8, 1)), Z)
    prevalences = estimate_prevalence(pets()).set_index("class")
    result = prevalences.loc[name] if name == "dog" else interval(name, PETS, at=pets())
    assert [result.low, result.high] == pytest.approx([ends.low[0], ends.high[0]], abs=2e-4)


@pytest.mark.parametrize("bins", [1, 2])
@pytest.mark.slow
def test_slopes_are_differences(bins):
    random = np.random.default_rng(bins)
    counts = random.multinomial(400, random.dirichlet(np.full(3 * bins, 3.0), 3)).astype(float)
    counts = counts.reshape(3, 3, bins)
    counts[range(3), range(3)] += 200
    unlabeled = np.tensordot([0.5, 0.3, 0.2], counts, axes=1)
    counts = np.concatenate([counts, unlabeled[np.newaxis]])[np.newaxis]
    counts = [counts[:, :, position] for position in range(3)]
    rows = UnlabeledRows.from_counts(counts, np.array([500.0]))
    generator = np.random.default_rng(0)
    weights, sizes = generator.normal(size=(3, 3)), generator.normal(size=3)
    slices = np.array([0])

    def value(proportions):
        rates, there = rows.parts(proportions, slices)
        return float((rates * weights).sum() + there[0] @ sizes)

    observed = rows.proportions.observed
    slopes = rows.slopes(observed, slices, weights[np.newaxis], sizes[np.newaxis])
    for row in range(len(observed)):
        step = np.zeros_like(observed)
        step[row] = 1e-6
        expected = (value(observed + step) - value(observed - step)) / 2e-6
        assert slopes[row, 0] == pytest.approx(expected, rel=1e-4, abs=1e-4)


def scored_classes(shares, size=3000, seed=0, separation=2.0, row=100):
    """Draw normal scores of each class, of which that of the true one is higher."""
    random = np.random.default_rng(seed)
    known = np.repeat(np.arange(3), row)
    true = random.choice(3, size, p=shares)
    columns = []
    for labels, way in ((known, 2.0), (true, separation)):
        drawn = random.normal(size=(labels.size, 3))
        drawn[np.arange(labels.size), labels] += way
        columns.append(drawn)
    at = Prevalence.from_scores(known, columns[0], columns[1])
    matrix = MulticlassConfusionMatrix.from_labels(known, columns[0].argmax(axis=1))
    return at, matrix


@pytest.mark.slow
def test_scores_tell_no_less_than_predictions():
    shares = [0.6, 0.3, 0.1]
    at, matrix = scored_classes(shares)
    calls = Prevalence.from_predictions(matrix, called=dict(enumerate(at.bins.predicted)))
    first, second = (estimate_prevalence(source) for source in (at, calls))
    assert ((first["low"] < shares) & (shares < first["high"])).all()
    assert (first["high"] - first["low"]).sum() < (second["high"] - second["low"]).sum()
    estimate = interval("macro_f1", matrix, at=at)
    assert estimate.low < estimate.value < estimate.high
    assert f"by the scores of {at.bins.total} instances" in str(estimate)


def shifted():
    """Return an estimate by scores that are 0.3 higher than those of the reference."""
    random = np.random.default_rng(0)
    known = scores(200, 2000, random)
    return Prevalence.from_scores(*known, scores(60, 1940, random)[1] + 0.3, threshold=1.5)


@pytest.mark.parametrize(
    ("fitting", "other", "key", "degrees"),
    [
        (lambda seed: scored(seed=seed, size=2000), shifted, "f1", None),
        (
            lambda seed: scored_classes([0.5, 0.3, 0.2], seed=seed)[0],
            lambda: scored_classes([0.5, 0.3, 0.2], separation=1.2)[0],
            "macro_f1",
            3,
        ),
    ],
)
@pytest.mark.slow
def test_the_check_of_fit_has_its_size_and_sees_other_scores(fitting, other, key, degrees):
    p_values = [check_fit(fitting(seed)).p for seed in range(200)]
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    at = other()
    fit = check_fit(at)
    assert fit.p < 1e-4
    assert degrees in (None, fit.degrees)
    reference = at.reference.pair if key == "f1" else at.reference
    with pytest.raises(ValueError, match=r"not a mixture of those .*or rows depend on each other"):
        interval(key, reference, at=at)


@pytest.mark.parametrize(
    ("key", "reference", "at", "classes"),
    [
        ("macro_f1", PETS, AT_PETS, ["cat", "dog"]),
        ("macro_f1", PETS, pets({"cat": 58_960, "dog": 34_220, "owl": 6_820}), ["cat", "owl"]),
        ("f1", REFERENCE, AT, ["negative", "positive"]),
    ],
)
@pytest.mark.slow
def test_a_hundredth_of_the_commonest_class_by_hand(key, reference, at, classes):
    """The numbers of predictions stay, and cats are then taken for dogs a little more often.

    A hundredth of the cats are more than the 0.4 % of owls: no owl is left.
    """
    remark = interval(key, reference, at=at).remark
    if key == "f1":
        looks_like, rates, called = 1, np.array([[0.99, 0.01], [0.2, 0.8]]), [0.955, 0.045]
    else:
        looks_like = NAMES.index(classes[1])
        rates, called = RATES.copy(), np.array(at.bins.predicted) / at.bins.total
    rates[0] = 0.99 * rates[0] + 0.01 * rates[looks_like]
    shares = np.linalg.solve(rates.T, called)
    if classes[1] == "owl":
        shares = np.array([0.704, 0.296, 0])
    value = f1(shares[1], 0.8, rates[0, 1]) if key == "f1" else macro_f1(shares, rates)
    match = re.search(
        rf"1 % of the class {classes[0]} .* the class {classes[1]}, .* be ([-0-9.]+) and {key}"
        r" ([0-9.]+)\.",
        remark,
    )
    numbers = [float(number) for number in match.groups()]
    assert numbers == pytest.approx([shares[looks_like], value], rel=5e-3, abs=1e-9)
    assert "No check can confirm the estimate" in remark


@pytest.mark.slow
def test_prevalences_near_0_are_said_to_be_so():
    at = pets({"cat": 780, "dog": 160, "owl": 60})
    prevalence = estimate_prevalence(at).set_index("class")
    assert prevalence.loc["cat", "low"] > 0.5
    unsure = [name for name in NAMES if prevalence.loc[name, "low"] < 1e-5]
    assert unsure == ["dog", "owl"]
    match = re.search(
        r"These cannot be distinguished from 0: (.*?)\)\. ",
        interval("macro_f1", PETS, at=at).remark,
    )
    ends = re.findall(r"prevalence of (\w+) \(at most ([0-9.]+)", match[1])
    assert [name for name, _ in ends] == unsure
    for name, most in ends:
        assert float(most) == pytest.approx(prevalence.loc[name, "high"], abs=5e-3)
        assert "cannot be distinguished from 0" in prevalence.loc[name, "sentence"]
    assert "cannot be distinguished from 0" not in prevalence.loc["cat", "sentence"]


UNSURE = MulticlassConfusionMatrix([[5, 4, 1], [4, 5, 1], [1, 1, 8]], labels=NAMES)
SAME = MulticlassConfusionMatrix([[5, 5, 0], [5, 5, 0], [1, 1, 8]], labels=NAMES)
NEVER = MulticlassConfusionMatrix([[9, 1, 0], [1, 9, 0], [5, 5, 0]], labels=NAMES)
EMPTY = MulticlassConfusionMatrix([[9, 1, 0], [0, 0, 0], [5, 5, 9]], labels=NAMES)


@pytest.mark.parametrize(
    ("reference", "called", "message"),
    [
        (REFERENCE, 5, "0.00025 of the unlabeled instances are predicted as 'positive', fewer"),
        (REFERENCE, 19_000, "0.05 of the unlabeled instances are predicted as 'negative', fewer"),
        (ConfusionMatrix(tp=5, fp=30, fn=5, tn=70), 8000, "do not separate the classes"),
        (ConfusionMatrix(tp=0, fp=4, fn=0, tn=9), 900, "has no instances of the class 'positive'"),
        (PETS, {"cat": 840, "dog": 151, "owl": 9}, "0.009 of .* are predicted as 'owl', fewer"),
        (UNSURE, CALLED, "do not separate the classes, 'cat' and 'dog' least of all"),
        (SAME, CALLED, "do not separate the classes, 'cat' and 'dog' least of all"),
        (NEVER, CALLED, "no instance of the reference is predicted as 'owl'"),
        (EMPTY, CALLED, "has no instances of the class 'dog'"),
    ],
)
@pytest.mark.slow
def test_what_label_shift_cannot_explain_is_refused(reference, called, message):
    total = 20_000 if isinstance(reference, ConfusionMatrix) else None
    at = Prevalence.from_predictions(reference, called=called, total=total)
    with pytest.raises(ValueError, match=message):
        estimate_prevalence(at)
    with pytest.raises(ValueError, match=message):
        interval("mcc", reference, at=at)


def test_classes_that_are_taken_for_each_other_are_separated():
    """A classifier that always errs is as informative as one that never does."""
    swapped = np.array([[[2.0, 98.0], [97.0, 3.0]], [[50.0, 50.0], [45.0, 55.0]]])
    assert is_separated(swapped, Z).tolist() == [True, False]


OTHER = ConfusionMatrix(tp=80, fp=10, fn=20, tn=991)
OTHER_PETS = MulticlassConfusionMatrix([*COUNTS[:2], [0, 10, 91]], labels=NAMES)
RENAMED = MulticlassConfusionMatrix(COUNTS, labels=["cat", "dog", "elk"])
FEWER = [column[1:] for column in LABELS]
ROWS = np.arange(1100)

OWN = "expected the prevalence's own reference"
KINDS = r"expected Prevalence\.from_predictions or \.from_scores"
WITH_SCORES = r"expected Prevalence\.from_scores"
NOT_ESTIMATED = r"at = .*expected a prevalence that is not est"
BY_NAME = "0.1: expected 0 for classes by name"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interval("f1", OTHER, at=AT), OWN),
        (lambda: interval("macro_f1", OTHER_PETS, at=AT_PETS), OWN),
        (lambda: interval("macro_f1", RENAMED, at=AT_PETS), OWN),
        (lambda: interval("macro_f1", PETS, at=AT), OWN),
        (lambda: interval("f1", OTHER, at=AT_PETS), "expected a prevalence of the positive class"),
        (lambda: score(*FEWER, metrics="f1", at=AT), f"{OWN}, since both"),
        (lambda: score(*FEWER, metrics="f1", at=AT, confidence=None), f"{OWN}, since both"),
        (lambda: score(TRUE[1:], PREDICTED[1:], metrics="macro_f1", at=AT_PETS), OWN),
        (lambda: estimate_prevalence(Prevalence.given(0.1)), KINDS),
        (lambda: check_fit(AT), WITH_SCORES),
        (lambda: interval("f1", *LABELS, groups=ROWS, at=AT), "groups: expected none where the pr"),
        (lambda: project(REFERENCE, at=AT), "at = .*expected a stated prevalence"),
        (lambda: project(PETS, at=AT_PETS), "expected a stated prevalence"),
        (lambda: plan("f1", tpr=0.8, fpr=0.01, width=0.1, at=AT), "at = .*expected a stated"),
        (lambda: compare("macro_f1", TRUE, PREDICTED, TRUE, at=AT_PETS), NOT_ESTIMATED),
        (lambda: get_scorer("macro_f1", at=AT_PETS), NOT_ESTIMATED),
        (
            lambda: prevalence_of(AT, tpr_change=0.75, fpr_change=0.05),
            "do not separate the classes after such changes",
        ),
        (lambda: prevalence_of(AT, tpr_change=-0.1), "tpr_change = "),
        (lambda: prevalence_of(AT, fpr_change=1), "fpr_change = "),
        (lambda: prevalence_of(AT, tpr_change=None), "tpr_change = "),
        (lambda: estimate_prevalence(AT_PETS, tpr_change=0.1), f"tpr_change = {BY_NAME}"),
        (lambda: estimate_prevalence(AT_PETS, fpr_change=0.1), f"fpr_change = {BY_NAME}"),
    ],
)
def test_what_does_not_go_with_an_estimate_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.slow
def test_a_class_that_chance_alone_may_leave_without_instances_is_not_refused():
    """The usual ball leaves no owl, a wider one does: its upper end is that of the latter."""
    called = {"cat": 800, "dog": 185, "owl": 15}
    bins = pets(called).bins
    counts = [column[np.newaxis] for column in bins.columns]
    assert extreme_prevalences(counts, Z)[1][0, 2] < 1e-5
    wider = extreme_prevalences(counts, stats.norm.isf(0.01 / 3))[1][0, 2]
    assert wider > 1e-3
    prevalence = estimate_prevalence(pets(called)).set_index("class")
    assert prevalence.loc["owl", "high"] == pytest.approx(wider, rel=1e-6)


@pytest.mark.parametrize(
    ("reference", "called", "total", "remarked"),
    [
        (REFERENCE, 90, 1100, True),
        (REFERENCE, 90, 1101, False),
        (PETS, {"cat": 90, "dog": 105, "owl": 105}, None, True),
        (PETS, {"cat": 90, "dog": 105, "owl": 106}, None, False),
    ],
)
def test_the_rows_of_the_reference_are_remarked(reference, called, total, remarked):
    at = Prevalence.from_predictions(reference, called=called, total=total)
    sentence = estimate_prevalence(at).loc[0, "sentence"]
    assert ("they may be the same rows" in sentence) == remarked


@pytest.mark.slow
def test_the_interval_under_a_stated_change_covers_at_its_limits():
    """The true positive rate falls from 0.8 to 0.7, which only the stated change allows for."""
    random = np.random.default_rng(8)
    inside = {0.0: 0, 0.1: 0}
    for _ in range(60):
        tp, fp = random.binomial(200, 0.8), random.binomial(2000, 0.02)
        called = random.binomial(20_000, 0.1 * 0.7 + 0.9 * 0.02)
        reference = ConfusionMatrix(tp=tp, fp=fp, fn=200 - tp, tn=2000 - fp)
        at = Prevalence.from_predictions(reference, called=called, total=20_000)
        for change in inside:
            prevalence = prevalence_of(at, tpr_change=change)
            inside[change] += prevalence.low <= 0.1 <= prevalence.high
    assert inside[0.1] >= stats.binom.ppf(1e-3, 60, 0.95) > inside[0.0]
