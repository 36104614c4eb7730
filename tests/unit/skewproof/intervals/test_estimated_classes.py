import re

import numpy as np
import pytest
from scipy import optimize, stats

from skewproof import (
    ConfusionMatrix,
    MulticlassConfusionMatrix,
    Prevalence,
    check_fit,
    compare,
    estimate_prevalence,
    get_scorer,
    interval,
    project,
    score,
)
from skewproof.intervals.estimated_classes import extreme_prevalences, is_separated
from skewproof.intervals.extremes import radius_of
from skewproof.intervals.unlabeled_rows import UnlabeledRows

COUNTS = [[80, 15, 5], [10, 80, 10], [0, 10, 90]]
NAMES = ["cat", "dog", "owl"]
PETS = MulticlassConfusionMatrix(COUNTS, labels=NAMES)
CALLED = {"cat": 510, "dog": 260, "owl": 230}
RATES = np.array(COUNTS) / 100
Z = stats.norm.ppf(0.975)


def pets(called=CALLED, reference=PETS):
    return Prevalence.from_predictions(reference, called=called)


def macro_f1(shares, rates):
    joint = shares[:, np.newaxis] * rates
    return np.mean(2 * np.diag(joint) / (joint.sum(axis=0) + joint.sum(axis=1)))


@pytest.mark.slow
def test_two_classes_are_those_of_two_classes():
    """The ball has the same three dimensions."""
    pair = MulticlassConfusionMatrix([[80, 20], [10, 990]], labels=[1, 0])
    reference = ConfusionMatrix(tp=80, fp=10, fn=20, tn=990)
    many = Prevalence.from_predictions(pair, called={1: 900, 0: 19_100})
    two = Prevalence.from_predictions(reference, called=900, total=20_000)
    prevalence = estimate_prevalence(many).set_index("class").loc[1]
    expected = estimate_prevalence(two)
    numbers = [prevalence["value"], prevalence["low"], prevalence["high"]]
    assert numbers == pytest.approx([expected.value, expected.low, expected.high], abs=1e-6)
    prevalence, expected = (
        interval("accuracy", pair, at=many),
        interval("accuracy", reference, at=two),
    )
    numbers = [prevalence.value, prevalence.low, prevalence.high]
    assert numbers == pytest.approx([expected.value, expected.low, expected.high], abs=1e-6)


@pytest.mark.slow
def test_the_values_are_those_of_a_mixture_by_hand():
    at = pets()
    shares = np.linalg.solve(RATES.T, [0.51, 0.26, 0.23])
    assert list(at.shares.values()) == pytest.approx(shares, abs=1e-12)
    prevalence = estimate_prevalence(at)
    assert prevalence["class"].tolist() == NAMES
    assert prevalence["value"].to_numpy() == pytest.approx(shares, abs=1e-12)
    assert prevalence["predicted"].tolist() == [510, 260, 230]
    assert interval("macro_f1", PETS, at=at).value == pytest.approx(macro_f1(shares, RATES))


def at_deviations(places):
    """Compute rates and their prevalences, from a sequence of binomials for each row.

    No owl was taken for a cat: that rate is 0 at a deviation of 0.
    """
    rows, rates = [*COUNTS, list(CALLED.values())], []
    # Hits first, then the commonest other class; classes of the reference are equally common.
    orders = [[0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 1, 2]]
    places = iter(stats.norm.cdf(places))
    for row, order in zip(rows, orders, strict=True):
        left, rest, shares = 1.0, sum(row), np.zeros(3)
        for cell in order[:2]:
            hits = row[cell]
            position = next(places)
            part = stats.beta.ppf(position, hits + 0.5, rest - hits + 0.5)
            part = 0.0 if hits == 0 and position == 0.5 else part
            shares[cell] = left * part
            left, rest = left - shares[cell], rest - hits
        shares[order[2]] = left
        rates.append(shares)
    *rates, called = rates
    return np.linalg.solve(np.transpose(rates), called), np.array(rates)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dog", "macro_f1"])
def test_ends_are_extremes_over_the_ball(name):
    """Found again by a search of scipy over the ball, with and without owls taken for cats."""

    def value(places):
        shares, rates = at_deviations(places)
        return shares[1] if name == "dog" else macro_f1(shares, rates)

    ends = []
    for sign in (1, -1):
        result = [
            optimize.minimize(
                lambda places, sign=sign: sign * value(places),
                np.where(np.arange(8) == 5, some[0], 0.1),
                method="SLSQP",
                bounds=[(-Z, Z)] * 5 + [some] + [(-Z, Z)] * 2,
                constraints={"type": "ineq", "fun": lambda places: Z**2 - places @ places},
                options={"ftol": 1e-10},
            ).fun
            for some in ((0, 0), (1e-3, Z))
        ]
        ends.append(sign * min(result))
    if name == "dog":
        row = estimate_prevalence(pets()).set_index("class").loc[name]
        low, high = row["low"], row["high"]
    else:
        result = interval(name, PETS, at=pets())
        low, high = result.low, result.high
    assert [low, high] == pytest.approx(ends, abs=2e-4)


@pytest.mark.parametrize("bins", [1, 2])
@pytest.mark.slow
def test_slopes_are_differences(bins):
    random = np.random.default_rng(bins)
    counts = random.multinomial(400, random.dirichlet(np.full(3 * bins, 3.0), 3)).astype(float)
    counts = counts.reshape(3, 3, bins)
    counts[range(3), range(3)] += 200
    unlabeled = np.tensordot([0.5, 0.3, 0.2], counts, axes=1)
    counts = np.concatenate([counts, unlabeled[np.newaxis]])[np.newaxis]
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


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say():
    random = np.random.default_rng(8)
    shares, repetitions = np.array([0.7, 0.2, 0.1]), 200
    labeled = random.multinomial(np.full((repetitions, 3), 100), RATES)
    unlabeled = random.multinomial(1000, shares @ RATES, size=(repetitions, 1))
    counts = np.concatenate([labeled, unlabeled], axis=1)[..., np.newaxis].astype(float)
    low, high = extreme_prevalences(counts, radius_of(0.95))
    inside = ((low <= shares) & (shares <= high)).sum(axis=0)
    assert inside.min() >= stats.binom.ppf(1e-3, repetitions, 0.95)


def scored(shares, size=3000, seed=0, separation=2.0, row=100):
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
    at, matrix = scored(shares)
    calls = Prevalence.from_predictions(matrix, called=dict(enumerate(at.bins.predicted)))
    first, second = (estimate_prevalence(source) for source in (at, calls))
    assert ((first["low"] < shares) & (shares < first["high"])).all()
    assert (first["high"] - first["low"]).sum() < (second["high"] - second["low"]).sum()
    estimate = interval("macro_f1", matrix, at=at)
    assert estimate.low < estimate.value < estimate.high
    assert "by the scores of 3000 instances" in str(estimate)


@pytest.mark.slow
def test_the_check_of_fit_has_its_size_and_sees_other_scores():
    p_values = [check_fit(scored([0.5, 0.3, 0.2], seed=seed)[0]).p for seed in range(200)]
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    at, matrix = scored([0.5, 0.3, 0.2], separation=1.2)
    fit = check_fit(at)
    assert fit.p < 1e-4
    assert fit.degrees == 3
    with pytest.raises(ValueError, match="not a mixture of those of the reference's classes"):
        interval("macro_f1", matrix, at=at)


def test_predictions_alone_leave_nothing_to_check():
    with pytest.raises(ValueError, match=r"expected Prevalence\.from_scores"):
        check_fit(pets())


def test_a_hundredth_of_the_commonest_class_by_hand():
    """The numbers of predictions stay, and cats are then taken for dogs a little more often."""
    remark = interval("macro_f1", PETS, at=pets()).remark
    rates = RATES.copy()
    rates[0] = 0.99 * rates[0] + 0.01 * rates[1]
    shares = np.linalg.solve(rates.T, [0.51, 0.26, 0.23])
    expected = [shares[1], macro_f1(shares, rates)]
    match = re.search(
        r"If 1 % of cat looked like dog, .* be ([0-9.]+) and macro_f1 ([0-9.]+)\.", remark
    )
    assert [float(number) for number in match.groups()] == pytest.approx(expected, rel=5e-3)
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
        (
            PETS,
            {"cat": 990, "dog": 8, "owl": 2},
            "not a mixture of those of the reference's classes",
        ),
        (PETS, {"cat": 840, "dog": 151, "owl": 9}, "0.009 of .* are predicted as 'owl', fewer"),
        (UNSURE, CALLED, "do not separate the classes, 'cat' and 'dog' least of all"),
        (SAME, CALLED, "do not separate the classes, 'cat' and 'dog' least of all"),
        (NEVER, CALLED, "no instance of the reference is predicted as 'owl'"),
        (EMPTY, CALLED, "the reference has no instances of the class 'dog'"),
    ],
)
@pytest.mark.slow
def test_what_label_shift_cannot_explain_is_refused(reference, called, message):
    at = pets(called, reference)
    with pytest.raises(ValueError, match=message):
        estimate_prevalence(at)
    message = message.replace("the reference has", "the (matrix|reference) has")
    with pytest.raises(ValueError, match=message):
        interval("macro_f1", reference, at=at)


def test_classes_that_are_taken_for_each_other_are_separated():
    """A classifier that always errs is as informative as one that never does."""
    swapped = np.array([[[2.0, 98.0], [97.0, 3.0]], [[50.0, 50.0], [45.0, 55.0]]])
    assert is_separated(swapped, Z).tolist() == [True, False]


def test_another_matrix_is_refused():
    other = MulticlassConfusionMatrix([*COUNTS[:2], [0, 10, 91]], labels=NAMES)
    renamed = MulticlassConfusionMatrix(COUNTS, labels=["cat", "dog", "elk"])
    for matrix in (other, renamed):
        with pytest.raises(ValueError, match="expected the prevalence's own reference"):
            interval("macro_f1", matrix, at=pets())
    two = Prevalence.from_predictions(
        ConfusionMatrix(tp=80, fp=10, fn=20, tn=90), called=3, total=9
    )
    with pytest.raises(ValueError, match="expected prevalences of classes by name"):
        interval("macro_f1", PETS, at=two)
    with pytest.raises(ValueError, match="expected a prevalence of the positive class"):
        interval("f1", ConfusionMatrix(tp=80, fp=10, fn=20, tn=90), at=pets())


TRUE = np.repeat(np.repeat(NAMES, 3), np.ravel(COUNTS))
PREDICTED = np.repeat(np.tile(NAMES, 3), np.ravel(COUNTS))


@pytest.mark.slow
def test_scores_of_the_reference_are_those_of_the_unlabeled_instances():
    at = pets()
    frame = score(TRUE, PREDICTED, metrics=["macro_f1", "precision"], at=at)
    expected = interval("macro_f1", PETS, at=at)
    row = frame.iloc[0]
    assert (row["value"], row["low"], row["high"]) == (expected.value, expected.low, expected.high)
    assert row["at"] == "cat=510, dog=260, owl=230"
    shares = np.array(list(at.shares.values()))
    precisions = shares * np.diag(RATES) / [0.51, 0.26, 0.23]
    assert frame["value"][1:].to_numpy() == pytest.approx(precisions, abs=1e-9)
    assert (frame["low"] < frame["value"]).all()
    assert (frame["value"] < frame["high"]).all()


@pytest.mark.parametrize("confidence", [0.95, None])
def test_other_labels_than_the_reference_are_refused(confidence):
    with pytest.raises(ValueError, match="expected the prevalence's own reference"):
        score(TRUE[1:], PREDICTED[1:], metrics="macro_f1", at=pets(), confidence=confidence)


def test_functions_of_other_rates_refuse_such_prevalences():
    at = pets()
    for call in (
        lambda: compare("macro_f1", TRUE, PREDICTED, TRUE, at=at),
        lambda: get_scorer("macro_f1", at=at),
    ):
        with pytest.raises(ValueError, match=r"at = .*expected a prevalence that is not est"):
            call()
    with pytest.raises(ValueError, match="expected a stated prevalence"):
        project(PETS, at=at)
    for name in ("tpr_change", "fpr_change"):
        with pytest.raises(ValueError, match=f"{name} = 0.1: expected 0 for classes by name"):
            estimate_prevalence(at, **{name: 0.1})


def test_no_more_of_the_rarest_class_can_look_like_another_than_there_are():
    """A hundredth of the cats are more than the 0.4 % of owls: no owl is left."""
    shares = np.array([0.7, 0.296, 0.004])
    called = dict(zip(NAMES, (100_000 * shares @ RATES).round().astype(int).tolist(), strict=True))
    remark = interval("macro_f1", PETS, at=pets(called)).remark
    match = re.search(
        r"If 1 % of cat looked like owl, .* be ([-0-9.]+) and macro_f1 ([0-9.]+)\.", remark
    )
    rates = RATES.copy()
    rates[0] += 0.01 * (rates[2] - rates[0])
    expected = macro_f1(np.array([0.704, 0.296, 0]), rates)
    assert float(match[1]) == pytest.approx(0, abs=1e-9)
    assert float(match[2]) == pytest.approx(expected, abs=6e-4)


@pytest.mark.slow
def test_a_class_that_chance_alone_may_leave_without_instances_is_not_refused():
    """The usual ball leaves no owl, a wider one does: its upper end is that of the latter."""
    called = {"cat": 800, "dog": 185, "owl": 15}
    bins = pets(called).bins
    counts = np.array([[*bins.labeled, bins.unlabeled]], dtype=float)
    assert extreme_prevalences(counts, Z)[1][0, 2] < 1e-5
    wider = extreme_prevalences(counts, stats.norm.isf(0.01 / 3))[1][0, 2]
    assert wider > 1e-3
    prevalence = estimate_prevalence(pets(called)).set_index("class")
    assert prevalence.loc["owl", "high"] == pytest.approx(wider, rel=1e-6)


@pytest.mark.slow
def test_the_rows_of_the_reference_are_remarked():
    called = dict(zip(NAMES, np.sum(COUNTS, axis=0).tolist(), strict=True))
    assert "they may be the same rows" in interval("accuracy", PETS, at=pets(called)).remark
    called["owl"] += 1
    assert "they may be the same rows" not in interval("accuracy", PETS, at=pets(called)).remark
