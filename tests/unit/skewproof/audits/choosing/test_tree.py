"""The survey's decision trees."""

import re

import numpy as np
import pytest
from whole_html import texts_of

from skewproof.audits.choosing.catalog import read_yaml
from skewproof.audits.choosing.evidence import Evidence
from skewproof.audits.choosing.tree import (
    Examined,
    Recommendation,
    choose,
    follow,
    leaves,
    load_tree,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.lookup import as_metric

TREE = load_tree()
LEAVES = list(leaves(TREE))


@pytest.fixture
def found_at(examine):
    """The recommendation for answers."""

    def found(**answers):
        (advice,) = (advice for way, advice in LEAVES if way == answers)
        return Recommendation(answers, advice, {key: examine(key) for key in advice.measures})

    return found


def test_every_leaf_is_reached_by_its_answers():
    assert len(LEAVES) == 28
    for answers, advice in LEAVES:
        assert follow(TREE, answers, None) == (answers, advice)


@pytest.mark.slow
def test_answers_as_keywords_have_a_recommendation(found_at):
    answers = {"problem": "ranking", "goal": "false-negatives"}
    found = choose(**answers)
    assert found == found_at(**answers)
    assert found.to_dict()["measures"][0]["evidence"]["type"] == 1
    assert f"(Survey, Section 4)\n\n{found.advice.origin}\n" in found.to_markdown()


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({}, "problem is not given: What does the model do? expected one of classification, clu"),
        ({"problem": "rankin"}, "problem = 'rankin': expected one of classification, clustering,"),
        (
            {"problem": "domain", "data": "images", "goal": "overall"},
            "goal: not among the questions, which were problem, data",
        ),
    ],
)
def test_wrong_answers_are_refused(answers, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        choose(**answers)


@pytest.mark.slow
def test_the_trees_have_every_measure_that_is_advised(catalog):
    """All of Sections 2 to 4 but complements, micro averages, and what stands for both."""
    named = {key for _, advice in LEAVES for key in advice.measures}
    without = {key for key, entry in catalog.items() if entry.problem in ("clustering", "ranking")}
    assert without <= named
    assert set(catalog) - named == {
        "error_rate", "false_discovery_rate", "false_positive_rate", "false_negative_rate",
        "micro_precision", "micro_recall",
    }  # fmt: skip


def test_the_tree_of_ranking_is_the_printed_one():
    """Its text: Type-1 P@k AP@k, Type-2 R@k, Emphasizing High Ranking MRR nDCG DCG."""
    advised = {}
    for answers, advice in leaves(TREE.answers["ranking"].following):
        advised.setdefault(answers["goal"], set()).update(advice.measures)
    assert advised == {
        "false-positives": {"precision_at_k", "average_precision_at_k"},
        "false-negatives": {"recall_at_k"},
        "high-ranks": {"mean_reciprocal_rank", "ndcg", "dcg"},
    }


@pytest.mark.slow
def test_a_recommendation_in_a_notebook(found_at):
    recommendation = found_at(
        problem="classification", balance="imbalanced", classes="two", goal="each-class"
    )
    html = recommendation._repr_html_()
    assert texts_of(html)[0] == "balanced accuracy"
    assert html.count("<math") == html.count("data:image/png;base64,iVBOR") == 1


@pytest.mark.slow
def test_every_recommendation_fits_a_terminal(catalog):
    evidence = Evidence("three classes, one small", "mixed", 0.123456, *["undecided"] * 3, "")
    for answers, advice in LEAVES:
        measures = {key: Examined(catalog[key], evidence) for key in advice.measures}
        recommendation = Recommendation(answers, advice, measures)
        text = recommendation.to_text()
        assert repr(recommendation) == text.rstrip()
        assert max(map(len, text.splitlines())) <= 80
        assert " ".join(advice.advice.split()) in " ".join(text.split())
        for key in advice.measures:
            assert f"Function of {catalog[key].name}:" in " ".join(text.split())


def test_every_node_has_its_texts_and_every_question_is_asked():
    data = read_yaml("tree.yaml")

    def nodes(node):
        below = node.get("answers", {}).values()
        return [node, *(inner for answer in below for inner in nodes(answer))]

    asked, advised = {"text", "question", "answers"}, {"text", "measures", "advice", "source"}
    assert all(set(node) in (asked, advised) for node in nodes(data["tree"]))
    assert {node.get("question") for node in nodes(data["tree"])} - {None} == set(data["questions"])
    assert set(data["tree"]["answers"]) == set(data["origins"])


OWN = {
    **{key: key for key in ("accuracy", "precision", "negative_predictive_value", "f1", "mcc")},
    **{key: key for key in ("cohen_kappa", "scott_pi", "balanced_accuracy", "true_negative_rate")},
    "recall": "tp/P",
    "f_beta": "2*tp/(2*tp + fp + fn)",
    "auc_pr": "(tp/(tp + fp) + tp/P)/2",
    "positive_likelihood_ratio": "tp*N/(tp*N + fp*P)",
    "negative_likelihood_ratio": "fn*N/(fn*N + tn*P)",
}
"""Measures whose range is finite: metrics and formulas, some of which are on another scale."""

WARNING = re.compile(
    r"(?P<name>.*): the survey lists it for imbalanced data, but it is of Type (?P<type>\w+)"
    r"(?: \(examined: .*\))?\. From 1:1 to 1:1000 its value changes by (?P<shift>\d\.\d\d) of its"
    r" range on average, although the model's error rates stay the same\."
)


def own_values(key, negatives):
    """Evaluate at the midpoints of 300 by 300 squares of rates, as shares of the range."""
    rates = (np.arange(300) + 0.5) / 300
    metric = as_metric(OWN[key])
    values = metric(
        ConfusionMatrix.from_rates(rates[:, np.newaxis], rates, positives=100, negatives=negatives)
    )
    low, high = metric.bounds or (0, 1)
    return values / (high - low)


def own_shift(key, level):
    return np.nanmean(np.abs(own_values(key, 100 * level) - own_values(key, 100)))


@pytest.mark.slow
def test_what_is_said_of_measures_of_two_classes_follows_from_their_definitions(found_at):
    """Each leaf of two classes: types, shifts, Condition 1 and warnings, from the four counts."""
    seen = set()
    for answers, _ in LEAVES:
        if answers.get("classes") != "two":
            continue
        recommendation = found_at(**answers)
        warned = {}
        for warning in recommendation.warnings:
            said = WARNING.fullmatch(warning)
            assert said, f"of an unknown form: {warning}"
            warned[said["name"]] = said
        for key, (entry, evidence) in recommendation.measures.items():
            if key not in OWN:
                continue
            seen.add(key)
            shifts = [own_shift(key, level) for level in (2, 10, 100, 1000)]
            moves = [shift > 1e-9 for shift in shifts]
            assert evidence.type == (1 if all(moves) else 5)
            assert any(moves) == all(moves)
            assert (evidence.condition_1 == "holds") == (not any(moves))
            assert evidence.shift == pytest.approx(shifts[-1], abs=2e-3)
            expected = entry.balance == "imbalanced" and any(moves)
            assert (entry.name in warned) == expected
            if expected:
                said = warned[entry.name]
                assert said["type"] == "1"
                assert float(said["shift"]) == pytest.approx(shifts[-1], abs=0.005 + 2e-3)
        assert len(warned) == len(recommendation.warnings)
    assert seen == set(OWN)
