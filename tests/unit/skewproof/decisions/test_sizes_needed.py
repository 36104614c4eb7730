"""Sizes of samples that would make a promise likely."""

import re

import numpy as np
import pytest

from skewproof import choose_threshold
from skewproof.curves.counts import score_counts
from skewproof.decisions.requirements import parsed_requirements
from skewproof.decisions.sequences import JointTest, Sample
from skewproof.decisions.sizes_needed import likeliest, sizes_needed
from skewproof.prevalence.prevalence import Prevalence

RANDOM = np.random.default_rng(6)
THREE = np.append([5.0, 6, 7], RANDOM.normal(size=500))
FORTY = np.append(RANDOM.normal(2.5, size=40), RANDOM.normal(size=200))
NEGATIVES_FIRST = np.append(FORTY, [9.0, 9, 9])


def joint(positives, scores, require, at):
    true = np.arange(len(scores)) < positives
    sample = Sample(*score_counts(true, scores, pos_label=True), Prevalence.given(at), 1.0)
    return JointTest.of(parsed_requirements(require), sample)


def promised_of(positives, scores, sizes, require, at, start, repetitions=12):
    """Draw samples of these sizes from the scores, and count the promises."""
    random, true = np.random.default_rng(8), np.repeat([1, 0], sizes)
    parts = scores[:positives], scores[positives:]
    promised = [
        choose_threshold(true, scores, at=at, require=require, start=start).promised
        for scores in (np.append(*map(random.choice, parts, sizes)) for _ in range(repetitions))
    ]
    return np.mean(promised)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("positives", "scores", "require", "at", "start"),
    [
        (3, THREE, "precision >= 0.5", "1:100", "everywhere"),
        (3, THREE, "precision >= 0.5", "1:1000", None),
        (40, np.round(FORTY), "f1 >= 0.5", "1:10", None),
        (40, FORTY, "recall >= 0.9", "1:10", 0.9),
        (40, FORTY, "fpr <= 0.005", "test set", None),
    ],
)
def test_most_samples_of_these_sizes_lead_to_a_promise(positives, scores, require, at, start):
    true = np.arange(len(scores)) < positives
    chosen = choose_threshold(true, scores, at=at, require=require, start=start, pos_label=True)
    assert not chosen.promised
    first = int((np.unique(scores) >= start).sum()) if isinstance(start, float) else start
    sizes = sizes_needed(joint(positives, scores, require, at), first, 0.05)
    assert chosen.positives_needed == sizes.positives > positives
    assert f"about {sizes.positives:,} and {sizes.negatives:,} would" in chosen.sentence
    assert promised_of(positives, scores, sizes, require, at, start) > 0.5


@pytest.mark.slow
def test_the_start_that_a_refusal_names_makes_a_promise_likely_with_new_labels():
    """The highest scores are those of negatives, at which the tests begin."""
    true = np.arange(len(NEGATIVES_FIRST)) < 40
    asked = {"require": "precision >= 0.5", "at": "1:10"}
    chosen = choose_threshold(true, NEGATIVES_FIRST, pos_label=True, start=9.0, **asked)
    assert np.isinf(chosen.positives_needed)
    start = float(chosen.sentence.split("start=")[1].split(",")[0])
    needed = re.search(r"about ([\d,]+) and ([\d,]+) new labels", chosen.sentence)
    sizes = [int(number.replace(",", "")) for number in needed.groups()]
    assert promised_of(40, NEGATIVES_FIRST, sizes, start=9.0, **asked) < 0.5
    assert promised_of(40, NEGATIVES_FIRST, sizes, start=start, **asked) > 0.5


@pytest.mark.slow
def test_an_uncertain_prevalence_is_told_where_it_is_what_lacks():
    """Another sample with the same prevalence helps, and more labels do not."""
    scores = np.append(np.full(40, 1.0), np.append(np.full(10, 1.0), np.zeros(390)))
    true = np.arange(440) < 40
    asked = {"require": "precision >= 0.5", "pos_label": True}
    chosen = choose_threshold(true, scores, at="4/100", **asked)
    assert "the prevalence is too uncertain" in chosen.sentence
    tiled = np.tile(true, 1000), np.tile(scores, 1000)
    assert not choose_threshold(*tiled, at="4/100", **asked).promised
    assert choose_threshold(*tiled, at=0.04, **asked).promised


@pytest.mark.slow
def test_no_size_suffices_where_the_requirement_is_just_met():
    """Exactly half of the calls are right at the only cut-off that does not call everything."""
    scores = np.repeat([1.0, 0], [20, 80])
    assert sizes_needed(joint(10, scores, "precision >= 0.5", "test set"), None, 0.05) is None
    true = np.arange(100) < 10
    chosen = choose_threshold(
        true, scores, at="test set", require="precision >= 0.5", pos_label=True
    )
    assert np.isinf(chosen.positives_needed)
    assert chosen.sentence.endswith("would not make it likely, at the rates of this sample.")


def test_the_likeliest_cut_off_has_the_smallest_p_value():
    test = joint(40, FORTY, "precision >= 0.5", "1:10")
    places = np.arange(1, 31)
    p_values = test.p_values(*(part[places] for part in test.sample.counts))
    assert likeliest(test, places) == places[p_values.argmin()]
