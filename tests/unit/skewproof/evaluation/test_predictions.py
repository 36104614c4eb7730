"""The checked predictions of a report, and the lines that it writes."""

import numpy as np
import pytest

from skewproof import interval
from skewproof.evaluation.predictions import Predictions
from skewproof.prevalence import Prevalence

TRUE = np.repeat([1, 0], [20, 80])
SCORE = np.concatenate([np.linspace(0.3, 0.9, 20), np.linspace(0.0, 0.6, 80)])


def predictions(**given):
    nothing = dict.fromkeys(["called", "score", "groups", "threshold", "time"])
    kept = {"at": Prevalence.given("1:9"), "pos_label": "yes", "slices": {}, "models": {}}
    return Predictions(TRUE, **nothing | kept | {"metrics": ["f1", "auc"], "require": ()} | given)


def test_a_question_is_written_as_the_line_that_asks_it_and_answered_once():
    asked = []

    def ask(*words, **options):
        asked.append((words, options))
        return len(asked)

    p = predictions(called=TRUE, groups=TRUE)
    answers = [p.ask(ask, "f1", "y_true", "y_pred", at=p.at) for _ in range(2)]
    assert answers == [1, 1]
    assert p.lines[0].endswith(
        "ask('f1', y_true, y_pred, at='1:9', groups=groups, pos_label='yes')"
    )
    ((words, options),) = asked
    assert words[0] == "f1"
    assert words[1] is words[2] is options["groups"] is TRUE
    assert predictions(called=TRUE).ask(interval, "f1", "y_true", "y_pred").value == 1


@pytest.mark.parametrize(
    ("given", "facts"),
    [
        ({"score": SCORE}, {"probable": True, "ranked": True, "labels": [], "areas": ["auc"]}),
        ({"score": SCORE + 1}, {"probable": False, "ranked": True}),
        ({"called": TRUE}, {"probable": False, "ranked": False, "labels": ["f1"], "areas": []}),
        ({"score": SCORE, "pos_label": None}, {"many": True, "ranked": False, "areas": []}),
        ({}, {"where": "at 1:9", "draws": 2000}),
        ({"at": Prevalence.given("population")}, {"where": "in the population"}),
    ],
)
def test_facts(given, facts):
    p = predictions(**given)
    assert {name: getattr(p, name) for name in facts} == facts
    assert len(p.places) == 1 + p.at.elsewhere
