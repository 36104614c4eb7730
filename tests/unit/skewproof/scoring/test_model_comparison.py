import itertools
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats
from sklearn.metrics import f1_score
from whole_html import texts_of

from skewproof.metrics import METRICS
from skewproof.metrics.precision_recall import f1
from skewproof.multiclass.lookup import MEASURES
from skewproof.prevalence.prevalence import Prevalence
from skewproof.scoring.difference import Difference
from skewproof.scoring.model_comparison import compare
from written import check_refusals


@pytest.mark.parametrize(
    ("classes", "at"), [(2, "population"), (2, "test set"), (3, "population"), (5, "test set")]
)
@pytest.mark.slow
def test_exchanged_models_have_the_mirrored_interval(classes, at):
    random = np.random.default_rng(classes)
    true = np.repeat(np.arange(classes), np.arange(1, classes + 1) * 5)
    first, second = (
        np.where(random.random(len(true)) < right, true, random.integers(0, classes, len(true)))
        for right in (0.6, 0.8)
    )
    for metric in ("mcc", "accuracy") if classes == 2 else ("macro_f1", MEASURES["accuracy"]):
        once, turned = (
            compare(metric, true, *pair, at=at) for pair in ((first, second), (second, first))
        )
        assert (turned.value, turned.low, turned.high) == (-once.value, -once.high, -once.low)
        assert turned.probability == pytest.approx(1 - once.probability)
        alike = compare(metric, true, first, first, at=at)
        assert alike.low == -alike.high


def test_a_model_does_not_differ_from_itself_by_more_than_chance_may_hide():
    """The posterior of the four pairs of answers of n positives is a Dirichlet distribution."""
    true = np.repeat([1, 0], [40, 60])
    difference = compare(METRICS["true_positive_rate"], true, true, true)
    assert (difference.value, difference.probability) == (0, 0.5)
    drawn = np.random.default_rng(5).dirichlet([0.5, 0.5, 41], 100_000)
    expected = np.quantile(drawn[:, 0] - drawn[:, 1], [0.025, 0.975])
    # The ball is wider than the posterior's quantiles where only one pair was observed.
    assert 1.5 * expected[0] < difference.low < expected[0]
    assert expected[1] < difference.high < 1.5 * expected[1]


def test_the_observed_difference_is_always_inside():
    """No rates of the ball have a difference of 1, so that the interval is stretched to it."""
    true = [1] * 5 + [0] * 50
    difference = compare(METRICS["true_positive_rate"], true, [0] * 55, true)
    assert difference.value == difference.high == 1
    assert 0 < difference.low < 1


@pytest.mark.slow
def test_an_infinite_difference():
    true = np.repeat([1, 0], [5, 50])
    one_wrong = true.copy()
    one_wrong[-1] = 1
    ratio = METRICS["positive_likelihood_ratio"]
    better = compare(ratio, true, one_wrong, true)
    assert better.value == better.high == np.inf
    assert np.isfinite(better.low)
    both = compare(ratio, true, true, true)
    assert np.isnan(both.value)
    assert both.low < 0 < both.high
    assert both.undefined


def drawn_values(share, draws=200_000):
    """Compute F1 of both models of a study with fixed answers, from drawn rates."""
    random = np.random.default_rng(1)
    positives, negatives = (random.dirichlet(np.add(cells, 0.5), draws) for cells in CELLS)
    values = []
    for which in (0, 1):
        tpr, fpr = (drawn[:, which] + drawn[:, 2] for drawn in (positives, negatives))
        values.append(2 * share * tpr / (share * (1 + tpr) + (1 - share) * fpr))
    return values[1] - values[0]


CELLS = ((10, 40, 120, 30), (20, 10, 30, 540))
"""Numbers of positives and negatives that only the first model calls positive, only the second,
both, and neither."""


def answers():
    """Make labels with these counts."""
    true = np.repeat([1, 0], [sum(cells) for cells in CELLS])
    first, second = (
        np.concatenate([np.repeat(called, cells) for cells in CELLS])
        for called in ([1, 0, 1, 0], [0, 1, 1, 0])
    )
    return true, first, second


@pytest.mark.parametrize(
    ("at", "share"),
    [
        ("1:99", lambda random, size: 0.01),
        (0.4, lambda random, size: 0.4),
        (Prevalence.sampled(3, 200), lambda random, size: random.beta(3.5, 197.5, size)),
        (Prevalence.believed(2, 50), lambda random, size: random.beta(2, 50, size)),
    ],
)
@pytest.mark.slow
def test_a_difference_elsewhere_is_that_of_the_same_rates(at, share):
    difference = compare(f1, *answers(), at=at)
    drawn = drawn_values(share(np.random.default_rng(2), 200_000))
    ends = np.quantile(drawn, [0.025, 0.975])
    assert (difference.low, difference.high) == pytest.approx(ends, abs=0.06 * np.ptp(ends))
    assert difference.probability == pytest.approx(np.mean(drawn > 0), abs=0.005)
    known = Prevalence.given(at).share
    tpr, fpr = (0.65, 0.8), (50 / 600, 40 / 600)
    values = [
        2 * known * hit / (known * (1 + hit) + (1 - known) * alarm)
        for hit, alarm in zip(tpr, fpr, strict=True)
    ]
    assert difference.value == pytest.approx(values[1] - values[0], rel=1e-12)


@pytest.mark.slow
def test_a_difference_over_a_range_is_an_envelope():
    difference = compare(f1, *answers(), at=Prevalence.between(0.01, 0.4))
    each = [compare(f1, *answers(), at=share) for share in (0.01, 0.02, 0.1, 0.2, 0.4)]
    assert difference.low <= min(part.low for part in each) + 1e-3
    assert difference.high >= max(part.high for part in each) - 1e-3
    assert difference.low > min(part.low for part in each) - 0.01
    assert difference.high < max(part.high for part in each) + 0.01


def test_a_difference_of_a_metric_of_the_number_of_instances_is_given_it():
    difference = compare("laplace", *answers(), at="1:9", total=20)
    alarms = 18 * np.array([50, 40]) / 600
    hits = 2 * np.array([0.65, 0.8])
    values = (hits + 1) / (hits + alarms + 2)
    assert difference.value == pytest.approx(values[1] - values[0], rel=1e-12)


def test_a_comparison_in_a_notebook():
    options = {"probability": 0.9754, "p_value": 0.0492, "undefined": True, "confidence": 0.95}
    options["at"] = Prevalence.given("population")
    verdicts = {
        (-0.1, 0.2): "These instances do not distinguish the models: a difference of -0.1 to 0.2 is"
        " possible.",
        (0.0, 0.2): "These instances do not distinguish the models: a difference of 0 to 0.2 is"
        " possible.",
        (0.01, 0.2): "The models differ: 0 is outside the interval.",
        (-0.2, -0.1): "The models differ: 0 is outside the interval.",
        (np.nan, np.nan): "The difference is undefined.",
    }
    for ends, verdict in verdicts.items():
        assert Difference("f1", 0.1, *ends, **options).verdict == verdict
    difference = Difference("f1", 0.1, 0.01, 0.2, **options)
    facts = ["Second model better", "with probability 97.5%", "p-value", "0.049"]
    undefined = ["Undefined", "at some rates, left out"]
    texts = [difference.verdict, "95 %, if instances were drawn at random.", *facts]
    assert texts_of(difference._repr_html_())[1:] == [*texts, *undefined]
    assert texts_of(replace(difference, undefined=False)._repr_html_())[1:] == texts
    assert repr(difference) == f"Difference({difference})"
    assert str(difference).startswith("difference in f1 = ")


def answers_of_models(seed=0, classes="abc", number=120):
    """Draw true labels, and those of a worse and a better model."""
    random = np.random.default_rng(seed)
    true = random.choice(list(classes), number)
    guesses = random.choice(list(classes), (2, number))
    first = np.where(random.random(number) < 0.6, true, guesses[0])
    return true, first, np.where(random.random(number) < 0.8, true, guesses[1])


MANY = answers_of_models()
STATED = {"a": 0.7, "b": 0.2, "c": 0.1}


@pytest.mark.parametrize("at", ["population", "test set", STATED])
@pytest.mark.slow
def test_a_difference_of_many_classes_is_that_of_their_scores(at):
    true, first, second = answers_of_models()
    weights = np.ones(len(true))
    if at == STATED:
        weights = np.array([STATED[label] / np.sum(true == label) for label in true])
    scores = [
        f1_score(true, predicted, average="macro", sample_weight=weights)
        for predicted in (first, second)
    ]
    difference = compare("macro_f1", true, first, second, at=at)
    assert difference.value == pytest.approx(scores[1] - scores[0])
    assert difference.low < difference.value < difference.high


def quantile(hits, misses, later, deviation):
    """Compute the proportion of a cell at a deviation by SciPy, given the number of later cells."""
    return special.betaincinv(hits + 0.5, misses + later / 2, special.ndtr(deviation))


@pytest.mark.slow
def test_ends_are_the_extremes_over_the_ball_of_pairs():
    """Macro F1 of two classes by hand: in each row both hits, one hit, the other, and none.

    Each end is the mean for both orders of the single hits.
    """
    # Cells are pairs of answers, the first's and the second's: (0, 0), (0, 1), (1, 0), (1, 1).
    ways = np.array([[20, 4, 9, 7], [3, 11, 5, 41]])
    orders = [[[0, 1, 2, 3], [3, 1, 2, 0]], [[0, 2, 1, 3], [3, 2, 1, 0]]]

    def difference(deviations, orders=orders[0]):
        shares = np.zeros((2, 4))
        for row, order in enumerate(orders):
            rest = 1.0
            for position, cell in enumerate(order[:3]):
                later = ways[row, order[position + 1 :]]
                deviation = deviations[3 * row + position]
                share = quantile(ways[row, cell], later.sum(), len(later), deviation)
                shares[row, cell] = rest * share
                rest *= 1 - share
            shares[row, order[3]] = rest
        shares *= ways.sum(axis=1)[:, np.newaxis]
        scores = []
        for called in ([0, 0, 1, 1], [0, 1, 0, 1]):
            matrix = np.array(
                [[row[np.equal(called, answer)].sum() for answer in (0, 1)] for row in shares]
            )
            f1s = 2 * np.diag(matrix) / (matrix.sum(axis=0) + matrix.sum(axis=1))
            scores.append(f1s.mean())
        return scores[1] - scores[0]

    true = np.repeat([0, 0, 0, 0, 1, 1, 1, 1], ways.ravel())
    first = np.repeat([0, 0, 1, 1] * 2, ways.ravel())
    second = np.repeat([0, 1, 0, 1] * 2, ways.ravel())
    estimate = compare(MEASURES["macro_f1"], true, first, second, at="test set")
    z = stats.norm.ppf(0.975)
    ball = {"type": "ineq", "fun": lambda x: z**2 - x @ x}
    for end, sign in ((estimate.low, -1), (estimate.high, 1)):
        starts = np.random.default_rng(0).normal(0, 0.5, (3, 6))
        sought = [
            max(
                -optimize.minimize(
                    lambda x, sign=sign, order=order: -sign * difference(x, order),
                    start,
                    method="SLSQP",
                    constraints=[ball],
                ).fun
                for start in starts
            )
            for order in orders
        ]
        assert sign * end == pytest.approx(
            np.mean(sought), abs=1e-3 * (estimate.high - estimate.low)
        )
    assert estimate.value == pytest.approx(difference(np.zeros(6)), abs=0.01)


@pytest.mark.slow
def test_comparisons_by_several_metrics_are_rows_of_a_frame():
    two = [1, 1, 1, 0, 0], [1, 0, 0, 0, 1], [1, 1, 0, 0, 0]
    for metrics, labels in ((("recall", "f1"), two), (["macro_f1", "accuracy"], MANY)):
        rows = compare(metrics, *labels).itertuples()
        for row, metric in zip(rows, metrics, strict=True):
            alone = compare(metric, *labels)
            of_row = row.metric, row.value, row.low, row.high
            assert of_row == (alone.metric, alone.value, alone.low, alone.high)


RANDOM = np.random.default_rng(0)
HALF = np.repeat([1, 0], 50)
SEVERAL = {name: RANDOM.normal(gain * HALF) for name, gain in (("a", 0.3), ("b", 0.9), ("c", 1))}
CALLS_OF_SEVERAL = {name: (scores > 0.5).astype(int) for name, scores in SEVERAL.items()}


@pytest.mark.parametrize(("metric", "models"), [("auc", SEVERAL), ("f1", CALLS_OF_SEVERAL)])
@pytest.mark.slow
def test_each_pair_has_the_interval_of_a_third_of_the_errors(metric, models):
    rows = compare(metric, HALF, models, confidence=0.94)
    for row, (first, second) in zip(
        rows.itertuples(), itertools.combinations("abc", 2), strict=True
    ):
        alone = compare(metric, HALF, models[first], models[second], confidence=0.98)
        assert (row.first, row.second) == (first, second)
        assert (row.value, row.low, row.high) == pytest.approx((alone.value, alone.low, alone.high))
        assert row.p_value == pytest.approx(alone.p_value)
        assert row.confidence == 0.94


def test_p_values_are_those_of_holm_by_hand():
    rows = compare(
        ["auc", "brier"], HALF, {name: 1 / (1 + np.exp(-x)) for name, x in SEVERAL.items()}
    )
    assert rows["metric"].tolist() == ["auc"] * 3 + ["brier"] * 3
    for _, of_metric in rows.groupby("metric"):
        least, middle, most = np.sort(of_metric["p_value"])
        steps = [3 * least, max(3 * least, 2 * middle), max(3 * least, 2 * middle, most)]
        assert np.sort(of_metric["p_adjusted"]) == pytest.approx(np.minimum(steps, 1))


def test_frames_are_mappings_and_two_models_need_no_adjustment():
    rows = compare("auc", HALF, pd.DataFrame(SEVERAL))
    pd.testing.assert_frame_equal(rows, compare("auc", HALF, SEVERAL))
    (row,) = compare("auc", HALF, {"a": SEVERAL["a"], "b": SEVERAL["b"]}).itertuples()
    alone = compare("auc", HALF, SEVERAL["a"], SEVERAL["b"])
    assert (row.low, row.high, row.p_adjusted) == (alone.low, alone.high, alone.p_value)


def test_refusals_are_those_that_are_written():
    two, scores = ([1, 0], [1, 0], [1, 0]), ([1, 0], [0.9, 0.1], [0.8, 0.3])
    only_predicted = list("aba"), list("abc"), list("aba")
    scored = {"metric": "auc", "y_true": HALF, "first": SEVERAL}
    calls = [
        partial(compare, "auc", *scores),
        partial(compare, ["f1", "auc"], *scores),
        partial(compare, f1, [1, 1], [1, 0], [1, 1]),
        partial(compare, "macro_f1", *only_predicted),
        partial(compare, "laplace", *two, at="1:9"),
        partial(compare, "f1", *MANY),
        partial(compare, f1, *MANY),
        partial(compare, "macro_f1", *MANY, at=0.1),
        partial(compare, "macro_f1", *MANY, at={"a": 0.5, "b": 0.5}),
        partial(compare, "f1", *MANY, pos_label="a"),
        partial(compare, **scored | {"first": {"a": SEVERAL["a"]}}),
        partial(compare, **scored, second=SEVERAL["a"]),
        partial(compare, **scored, paired=False),
        partial(compare, **scored | {"first": SEVERAL["a"]}),
        partial(compare, **scored | {"first": SEVERAL | {"d": [1, 2]}}),
    ]
    check_refusals(Path(__file__).with_name("model_comparison_refusals.txt"), calls)
