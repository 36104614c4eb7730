from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from mpmath import mp
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from skewproof import Prevalence, adjust_probabilities
from written import check_refusals


def by_bayes(p, trained, at):
    """Apply Bayes' rule in fractions: multiply each class's probability by the ratio of its new
    prevalence to the old one."""
    of_positive = p * at / trained
    of_negative = (1 - p) * (1 - at) / (1 - trained)
    return of_positive / (of_positive + of_negative)


@pytest.mark.parametrize(("trained", "at"), [("1:1", "1:1000"), ("1:9", "1:1"), ("3:1", "1:4")])
def test_adjusted_probabilities_are_those_of_bayes(trained, at):
    shares = [
        Fraction(int(a), int(a) + int(b)) for a, b in (text.split(":") for text in (trained, at))
    ]
    for p in (Fraction(0), Fraction(1, 10**9), Fraction(2, 7), Fraction(9, 10), Fraction(1)):
        expected = float(by_bayes(p, *shares))
        assert float(adjust_probabilities(float(p), trained=trained, at=at)) == pytest.approx(
            expected, rel=1e-14
        )


def test_limits_are_exact_and_the_same_prevalence_changes_nothing():
    p = np.array([0.0, 1e-300, 0.3, 1.0])
    assert adjust_probabilities(p, trained="1:1", at="1:1000")[[0, 3]].tolist() == [0.0, 1.0]
    assert adjust_probabilities(p, trained="1:9", at="1:9").tolist() == p.tolist()


def test_tiny_prevalences_keep_their_digits():
    p, at = 0.7, 1e-12
    with mp.workdps(40):
        exact = by_bayes(mp.mpf(p), mp.mpf("0.5"), mp.mpf(at))
        expected = float(exact)
    adjusted = float(adjust_probabilities(p, trained=0.5, at=at))
    assert adjusted == pytest.approx(expected, rel=1e-14)


def test_a_model_with_other_priors_has_the_adjusted_probabilities():
    """Naive Bayes learns what classes look like apart from their prevalences."""
    features, labels = load_iris(return_X_y=True)
    names = np.array(["cat", "dog", "ant"])[labels]
    trained, at = {"cat": 0.2, "dog": 0.3, "ant": 0.5}, {"dog": 0.09, "cat": 0.9, "ant": 0.01}
    models = [
        GaussianNB(priors=[priors[name] for name in sorted(priors)]).fit(features, names)
        for priors in (trained, at)
    ]
    probabilities = adjust_probabilities(models[0].predict_proba(features), trained=trained, at=at)
    assert probabilities == pytest.approx(models[1].predict_proba(features), rel=1e-9, abs=1e-290)

    frame = pd.DataFrame(models[0].predict_proba(features), columns=sorted(trained))
    shuffled = frame[["dog", "ant", "cat"]]
    adjusted = adjust_probabilities(shuffled, trained=pd.Series(trained), at=pd.Series(at))
    assert list(adjusted.columns) == ["dog", "ant", "cat"]
    assert adjusted[sorted(trained)].to_numpy() == pytest.approx(probabilities)


def test_a_series_stays_one():
    p = pd.Series([0.2, 0.5], index=["a", "b"], name="p")
    adjusted = adjust_probabilities(p, trained="1:1", at=Prevalence.sampled(10, 100))
    assert adjusted.index.tolist() == ["a", "b"]
    assert adjusted.name == "p"
    assert adjusted["b"] == pytest.approx(0.1)


def test_a_prevalence_estimated_without_labels_is_taken():
    reference = [1] * 4 + [0] * 4, [0.9, 0.8, 0.7, 0.2, 0.6, 0.3, 0.2, 0.1]
    at = Prevalence.from_scores(*reference, [0.9, 0.1, 0.2, 0.3, 0.2], threshold=0.5)
    adjusted = adjust_probabilities([0.4], trained="1:1", at=at)
    assert adjusted == pytest.approx(adjust_probabilities([0.4], trained="1:1", at=at.share))


THREE = {"a": 0.2, "b": 0.3, "c": 0.5}


def test_refusals_are_those_that_are_written():
    mixed, no_a = {1: 0.5, "b": 0.5}, Prevalence.sampled({"a": 0, "b": 1, "c": 3})
    cases = [
        ([0.1, 1.2], {}),
        ([0.1, float("nan")], {}),
        ([0.1], {"at": "population"}),
        ([0.1], {"trained": "0.1..0.2"}),
        ([0.1], {"at": "0/50"}),
        ([0.1], {"trained": 2}),
        ([0.1], {"at": THREE}),
        ([0.1], {"trained": THREE}),
        ([0.1], {"trained": THREE, "at": THREE}),
        ([[0.1, 0.1, 0.1]], {"trained": THREE, "at": THREE}),
        ([[0.2, 0.3, 0.5]], {"trained": THREE, "at": {"a": 0.5, "b": 0.5}}),
        ([[0.2, 0.3, 0.5]], {"trained": THREE, "at": no_a}),
        ([[0.5, 0.5]], {"trained": mixed, "at": mixed}),
    ]
    options = {"trained": "1:1", "at": "1:9"}
    calls = [partial(adjust_probabilities, p, **options | change) for p, change in cases]
    check_refusals(Path(__file__).with_name("adjusting_refusals.txt"), calls)
