import ast
import pickle
import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skewproof import (
    ConfusionMatrix,
    MulticlassConfusionMatrix,
    best_threshold,
    choose_threshold,
    compare,
    estimate_prevalence,
    explain_change,
    get_scorer,
    probability_scores,
    project,
)
from skewproof.core.levels import Level
from skewproof.prevalence.prevalence import Belief, Prevalence, Range, Sampled, Stated
from written import check_refusals

pairs = st.sets(st.floats(1e-300, 1 - 2**-53), min_size=2, max_size=2)


@pytest.mark.parametrize(
    ("value", "kind", "share", "text"),
    [
        (0.001, Stated, 0.001, "0.001"),
        ("1:999", Stated, 0.001, "1:999"),
        (Level(3, 1), Stated, 0.75, "3:1"),
        ("12/4000", Sampled, 0.003, "12/4000"),
        (Prevalence.sampled(0, 40), Sampled, 0, "0/40"),
        (Prevalence.of([1, 0, 0, 0]), Sampled, 0.25, "1/4"),
        (Prevalence.of([True, False]), Sampled, 0.5, "1/2"),
        (Prevalence.of(["a", "b", "b"], pos_label="a"), Sampled, 1 / 3, "1/3"),
        (Prevalence.of(pd.Series([2, 2, 3]), pos_label=3), Sampled, 1 / 3, "1/3"),
        ("0.1..0.5", Range, 0.25, "0.1..0.5"),
        (" 1e-1 ...5", Range, 0.25, "0.1..0.5"),
        ("1:9..1:1", Range, 0.25, "0.1..0.5"),
        (0.9999999, Stated, 0.9999999, "0.9999999"),
        ("beta(2, 500)", Belief, 2 / 502, "beta(2, 500)"),
    ],
)
def test_two_classes(value, kind, share, text):
    prevalence = Prevalence.given(value).for_two_classes()
    assert (type(prevalence), str(prevalence), prevalence.elsewhere) == (kind, text, True)
    assert prevalence.share == pytest.approx(share)
    copy = pickle.loads(pickle.dumps(prevalence))
    assert copy == prevalence
    assert hash(copy) == hash(prevalence)
    assert Prevalence.given(prevalence) is prevalence


@pytest.mark.filterwarnings("ignore:at = '1/:UserWarning")
@given(
    prevalence=st.one_of(
        st.builds(Prevalence.given, st.floats(1e-300, 1 - 2**-53)),
        st.builds(lambda ends: Prevalence.between(*sorted(ends)), pairs),
        st.builds(Prevalence.sampled, st.integers(0, 9), st.integers(9, 10**6)),
        st.builds(Prevalence.believed, st.floats(0.01, 1e6), st.floats(0.01, 1e6)),
        st.sampled_from(["population", "test set"]).map(Prevalence.given),
    )
)
def test_its_text_is_read_as_the_same(prevalence):
    """The text has six digits, so that the odds p / (1 - p) are read within 5e-6 / (1 - p)."""
    again = Prevalence.given(str(prevalence))
    assert (type(again), str(again)) == (type(prevalence), str(prevalence))
    points = prevalence.points(0.5)
    assert again.points(0.5) == pytest.approx(points, rel=6e-6 / (1 - max(points)))
    parameters = again.posterior(3, 4) or ()
    assert parameters == pytest.approx(prevalence.posterior(3, 4) or (), rel=1e-5)


@pytest.mark.parametrize(
    ("value", "parameters"),
    [
        ("12/4000", (12.5, 3988.5)),
        ("beta(2, 500)", (2, 500)),
        ("population", (30.5, 170.5)),
    ],
)
def test_uncertain_prevalences_are_drawn_from_their_posterior(value, parameters):
    known = Prevalence.given(value)
    assert known.is_uncertain
    assert known.posterior(30, 170) == parameters
    (shares,) = known.drawn_shares(30, 170, 20_000, np.random.default_rng(0))
    assert stats.kstest(shares, stats.beta(*parameters).cdf).pvalue > 0.01


@pytest.mark.parametrize(
    ("value", "shares"),
    [("1:4", [0.2]), ("test set", [0.15]), (1 - 2**-53, [1 - 1e-12])],
)
def test_exact_prevalences_are_not_drawn(value, shares):
    known = Prevalence.given(value)
    assert known.is_exact
    assert known.posterior(30, 170) is known.counts_behind(30, 170) is None
    assert known.drawn_shares(30, 170, 9, np.random.default_rng(0)) == shares
    assert known.points(0.15) == shares


def test_the_points_of_a_range_are_evenly_spaced_in_log_odds():
    known = Prevalence.between("1:1000", "1:10")
    points = known.drawn_shares(30, 170, 9, np.random.default_rng(0))
    assert points == known.points(0.15)
    log_odds = [np.log(share / (1 - share)) for share in points]
    assert log_odds == pytest.approx(np.linspace(-np.log(1000), -np.log(10), 33))


def test_the_counts_behind_a_belief_are_never_0():
    """A count of 0 would count as observed."""
    assert Prevalence.believed(0.5, 4).counts_behind(30, 170) == (1e-12, 3.5)
    assert Prevalence.sampled(0, 4).counts_behind(30, 170) == (0, 4)


@pytest.mark.parametrize(
    ("word", "assumed"), [("population", "were drawn at random"), ("test set", "are independent")]
)
def test_the_test_set_and_its_population_are_nowhere_else(word, assumed):
    assert not Prevalence.given(word).elsewhere
    assert Prevalence.given(word).for_classes("ab") is None
    assert Prevalence.given(word).assumption() == f"if instances {assumed}"
    assert Prevalence.given(word).assumption("groups") == f"if groups {assumed}"


def test_every_label_but_1_is_negative():
    assert Prevalence.of([1, 0, -1, -1]).for_two_classes() == Prevalence.sampled(1, 4)
    assert Prevalence.of([1, -1, -1]).for_two_classes() == Prevalence.sampled(1, 3)


CLASSES = ("ant", "bee", "cat")
COUNTED = Prevalence.sampled({"ant": 3, "bee": 0, "cat": 4})
BELIEVED = Prevalence.believed({"ant": 0.5, "bee": 2, "cat": 9})


@pytest.mark.parametrize(
    ("value", "numbers", "text"),
    [
        ({"cat": 0.2, "ant": 0.5, "bee": 0.3}, [0.5, 0.3, 0.2], "cat=0.2, ant=0.5, bee=0.3"),
        ("ant=0.5,bee=0.3,cat=0.2", [0.5, 0.3, 0.2], "ant=0.5, bee=0.3, cat=0.2"),
        (pd.Series([0.5, 0.3, 0.2], list(CLASSES)), [0.5, 0.3, 0.2], "ant=0.5, bee=0.3, cat=0.2"),
        (Prevalence.of(["bee", "ant", "bee"]), [1, 2, 0], "sampled(ant=1, bee=2)"),
        (COUNTED, [3, 0, 4], "sampled(ant=3, bee=0, cat=4)"),
        (BELIEVED, [0.5, 2, 9], "believed(ant=0.5, bee=2, cat=9)"),
    ],
)
def test_many_classes(value, numbers, text):
    prevalence = Prevalence.given(value)
    assert prevalence.for_classes(CLASSES).tolist() == numbers
    assert str(prevalence) == text


MATRIX = MulticlassConfusionMatrix([[8, 1, 1], [2, 7, 1], [0, 1, 9]], labels=CLASSES)
SCORES = np.eye(3)[[0, 1, 2, 0, 1, 2]] + np.linspace(0, 1, 18).reshape(6, 3)


def from_scores(**options):
    return Prevalence.from_scores([0, 1, 2, 0, 1, 2], SCORES, SCORES, **options)


def test_classes_without_labels():
    at = Prevalence.from_predictions(MATRIX, called={"cat": 3, "ant": 6})
    assert str(at) == "ant=6, bee=0, cat=3 predicted"
    assert at.where == "without labels, ant=6, bee=0, cat=3 predicted"
    assert at.assumption() == "if instances are independent and the classifier keeps its rates"
    assert at == Prevalence.from_predictions(MATRIX, called={"ant": 6, "bee": 0, "cat": 3})
    assert list(at.shares) == list(CLASSES)
    exact = Prevalence.from_predictions(MATRIX, called={"ant": 100, "bee": 90, "cat": 110})
    assert list(exact.shares.values()) == pytest.approx([1 / 3] * 3, abs=1e-12)
    scored = from_scores()
    assert scored.where == "without labels, by the scores of 6 instances"
    assert scored.without_labels
    assert scored.bins.predicted == (2, 2, 2)


def test_refusals_are_those_that_are_written():
    """No prevalences, those of no positive class or of other classes, and what makes none."""
    values = [
        *(0, 1, "2", "often", "5%", "0.1.2..0.5", "beta(1.2.3, 4)", "1:0", "2:4", (12, 4000)),
        *({"a": 0.5}, {"a": 0.5, "b": True}, "5/4", "0/0", "0.3..0.2", "0..0.2", "1:1000..2:4"),
        *("5/200..0.2", "beta(0, 3)", {"a": 0.0, "b": 0.4, "c": 0.6}),
        *({"a": 0.5, "b": 0.5 + 2e-9}, {"a": 0.5, "b": 0.5 - 2e-9}),
    ]
    of_no_positive_class = [
        *(Prevalence.of([2, 3, 3]), Prevalence.of([0, 1, 2]), Prevalence.of(["ill", "well"])),
        *(Prevalence.believed({0: 99, 1: 1}), Prevalence.given({0: 0.99, 1: 0.01})),
    ]
    of_other_classes = [
        *(0.1, "0.1..0.2", {"ant": 0.5, "bee": 0.5}, {"ant": 0.5, "bee": 0.3, "dog": 0.2}),
        *(Prevalence.of(["ant", "dog"]), Prevalence.of(["ant", "bee", "cat", "dog"])),
        *(Prevalence.sampled(3, 10), Prevalence.believed({"ant": 1, "bee": 1})),
    ]
    projected = project(MATRIX, at=dict.fromkeys(CLASSES, 1 / 3))
    single = [1, 0], [0.9, 0.1], [0.5]
    calls = [
        *(partial(Prevalence.given, value) for value in values),
        *(known.for_two_classes for known in of_no_positive_class),
        *(partial(Prevalence.given(value).for_classes, CLASSES) for value in of_other_classes),
        partial(Prevalence.sampled, True, 5),
        partial(Prevalence.sampled, {"a": 0, "b": 0}),
        partial(Prevalence.sampled, {"a": 1.5, "b": 0}),
        partial(Prevalence.sampled, {"a": 1, "b": 0}, 4),
        partial(Prevalence.of, []),
        partial(Prevalence.of, [1, None]),
        partial(Prevalence.between, 0.1, "12/40"),
        partial(Prevalence.between, 0.1, 0.1),
        partial(Prevalence.believed, {"a": 1, "b": 0}),
        partial(Prevalence.believed, {"a": 1, "b": 2}, 3),
        partial(Prevalence.from_predictions, MATRIX, called=3),
        partial(Prevalence.from_predictions, MATRIX, called={"dog": 3}),
        partial(Prevalence.from_predictions, MATRIX, called={"ant": 1.5}),
        partial(Prevalence.from_predictions, MATRIX, called={"ant": 0}),
        partial(Prevalence.from_predictions, MATRIX, called={"ant": 3}, total=4),
        partial(Prevalence.from_predictions, MATRIX.rates, called=[3, 3, 1]),
        partial(Prevalence.from_predictions, projected, called={"ant": 3}),
        partial(Prevalence.from_predictions, [[1]], called=3, total=9),
        partial(from_scores, threshold=0.5),
        partial(Prevalence.from_scores, *single, threshold=0.5, labels=[0, 1]),
        lambda: Prevalence.given(0.1).shares,
    ]
    check_refusals(Path(__file__).with_name("prevalence_refusals.txt"), calls)


TRUE = np.repeat([1, 0], [40, 160])
SCORED = np.random.default_rng(3).normal(1.5 * TRUE)
PROBABILITIES = 1 / (1 + np.exp(-SCORED))
CALLED = (PROBABILITIES >= 0.6).astype(int)
COUNTS = pd.DataFrame({"month": [1, 2], "tp": [20, 30], "fp": [30, 40], "fn": 10, "tn": 200})

FOR_ANY_RATES = {
    "choose_threshold": lambda at: choose_threshold(TRUE, SCORED, at=at, require="recall >= 0.1"),
    "best_threshold": lambda at: best_threshold("f1", TRUE, SCORED, at=at),
    "scorer of a metric": lambda at: get_scorer("f1", at=at),
    "scorer of an area": lambda at: get_scorer("average_precision", at=at),
    "scorer of probabilities": lambda at: get_scorer("brier", at=at),
    "explain_change": lambda at: explain_change(COUNTS, metrics=["f1"], at=at),
}
MATRIX_OF_TWO = ConfusionMatrix.from_labels(TRUE, CALLED)
WITHOUT_LABELS = {
    "scores": Prevalence.from_scores(TRUE, SCORED, SCORED[::2], threshold=1),
    "calls": Prevalence.from_predictions(MATRIX_OF_TWO, called=100, total=200),
    "hardly any calls": Prevalence.from_predictions(MATRIX_OF_TWO, called=70, total=200),
}


@pytest.mark.parametrize("function", FOR_ANY_RATES)
@pytest.mark.slow
def test_a_refused_estimate_comes_with_a_range_that_is_accepted(function):
    with pytest.raises(ValueError, match=r"^at = 'without labels, ") as caught:
        FOR_ANY_RATES[function](WITHOUT_LABELS["hardly any calls"])
    text = re.search('at="(.*)"$', str(caught.value))[1]
    assert isinstance(Prevalence.given(text), Range)
    FOR_ANY_RATES[function](text)


@pytest.mark.parametrize("known", WITHOUT_LABELS)
@pytest.mark.slow
def test_the_range_of_a_refused_estimate_is_about_that_of_its_interval(known):
    """Its ends are quantiles of draws, and are a tenth of the width away at most."""
    at = WITHOUT_LABELS[known]
    (prevalence,) = estimate_prevalence(at).itertuples()
    with pytest.raises(ValueError, match="95 %") as caught:
        at.for_any_rates("there")
    text = re.search('there="(.*)"$', str(caught.value))[1]
    assert Prevalence.given(text).ends == pytest.approx(
        (prevalence.low, prevalence.high), abs=(prevalence.high - prevalence.low) / 10
    )


@pytest.mark.parametrize("called", [0, 1000])
@pytest.mark.slow
def test_too_few_or_too_many_calls_have_no_range(called):
    reference = ConfusionMatrix(tp=80, fp=100, fn=20, tn=900)
    at = Prevalence.from_predictions(reference, called=called, total=1000)
    with pytest.raises(ValueError, match="No prevalence explains"):
        at.for_any_rates()
    with pytest.raises(ValueError, match="the rates have changed"):
        estimate_prevalence(at)


def test_a_single_positive_may_be_meant_as_a_fraction():
    with pytest.warns(UserWarning, match=r"at = '1/1000' .* write 0.001"):
        where = Prevalence.given("1/1000")
    assert where.where == "at a prevalence estimated from 1 in 1000"


def test_a_refused_estimate_of_classes_comes_with_shares_that_are_accepted():
    true = np.repeat(CLASSES, [30, 30, 30])
    predicted = np.repeat([*CLASSES, *CLASSES], [25, 25, 25, 5, 5, 5])
    matrix = MulticlassConfusionMatrix.from_labels(true, predicted)
    at = Prevalence.from_predictions(matrix, called={"ant": 400, "bee": 600})
    probabilities = np.full((90, 3), 1 / 3)
    for function in (
        lambda at: compare("macro_f1", true, predicted, true, at=at),
        lambda at: probability_scores(true, probabilities, scores="brier", at=at, draws=9),
        lambda at: get_scorer("macro_f1", at=at),
    ):
        with pytest.raises(ValueError, match="without their uncertainty") as caught:
            function(at)
        shares = ast.literal_eval(re.search("at=({.*})$", str(caught.value))[1])
        function(shares)
        assert shares == pytest.approx(at.shares, abs=1e-5)
        assert min(shares.values()) > 0
