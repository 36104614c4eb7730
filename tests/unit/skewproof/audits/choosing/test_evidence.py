"""Evidence for some of the survey's measures; tests/reference/survey has all of them."""

import json

import numpy as np
import pytest

from skewproof.audits.auditing import audit
from skewproof.audits.choosing.evidence import EXAMINED_LISTS, examined_for
from skewproof.audits.choosing.poisson_lists import RANKING_MEASURES, RankingMeasure, ranking_shifts
from skewproof.audits.choosing.two_clusters import CLUSTER_MEASURES
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.multiclass.declaration import Measure
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix

pytestmark = pytest.mark.slow  # they wait for tables that take long

OF_EACH_KIND = {
    RankingMeasure: set(RANKING_MEASURES),
    Measure: {
        "average_accuracy", "kappa_n", "macro_f_beta", "macro_recall", "micro_f_beta",
        "micro_precision", "micro_recall", "multiclass_balanced_accuracy", "multiclass_mcc",
        "weighted_kappa",
    },
    type(None): {
        "bleu", "dcg", "det_curve", "exact_match", "heq", "meteor", "rouge", "silhouette",
    },
}  # fmt: skip
"""The examined object of some measures: None if they are unbounded, or not a function of a
confusion matrix or of the ranks of relevant items. All others are metrics of two classes."""


def test_what_is_examined(subtests, catalog):
    for key, entry in catalog.items():
        with subtests.test(key):
            subject = examined_for(entry)
            kind = type(subject and subject.measure)
            others = set(catalog) - set().union(*OF_EACH_KIND.values())
            assert key in OF_EACH_KIND.get(kind, others)
            if kind is Metric:
                known = subject.measure.key in METRICS or key in CLUSTER_MEASURES
                assert subject.measure.bounds is None or known
                is_ours = entry.function.startswith("skewproof.metrics.")
                assert is_ours == (entry.examined == {} or key == "f_beta")
            elif subject is not None and kind is not Measure:
                assert subject.measure.key == key


def test_the_surveys_balanced_accuracy_of_many_classes_is_moved_though_that_of_two_is_not(examine):
    many = examine("multiclass_balanced_accuracy").evidence
    assert (many.type, many.examined) == (1, "three classes, one small")
    assert (many.condition_1, many.condition_2, many.condition_3) == ("fails", "fails", "holds")
    rates = np.random.default_rng(1).dirichlet(np.ones(3), (100_000, 3))
    equal, imbalanced = (
        MEASURES["auroc_ova"](MulticlassConfusionMatrix.from_rates(rates, np.array(sizes)))
        for sizes in ([1, 1, 1], [1, 1000, 1000])
    )
    assert many.shift == pytest.approx(np.abs(imbalanced - equal).mean(), rel=0.05)
    two = examine("balanced_accuracy").evidence
    assert (two.type, two.condition_1) == (5, "holds")


def test_the_shift_of_a_measure_is_in_its_range(examine):
    """Rand of two clusters is in [1/2, 1], so that its shift is twice that of its values."""
    card, evidence = audit(CLUSTER_MEASURES["rand"]), examine("rand").evidence
    assert (card.low, card.high) == (0.5, 1)
    assert evidence.shift == card.sigma[-1]["mean_shift"]
    assert evidence.shift == pytest.approx(2 * 0.083, abs=0.002)
    assert evidence.examined == "two infinite clusters with errors up to 1/2 in each"


def test_the_h_measure_is_examined_at_one_threshold(examine):
    evidence = examine("h_measure").evidence
    assert evidence.examined == "h_of_one_threshold, the case of a single threshold"
    assert (evidence.type, evidence.condition_1) == (1, "fails")
    assert evidence.shift == pytest.approx(0.1, abs=0.001)


def test_rankings_are_examined_as_lists(examine):
    evidence = examine("precision_at_k").evidence
    assert (evidence.type, evidence.condition_1) == (1, "fails")
    assert evidence.examined == (
        "lists with a relevant item, of 10010 items on average, both kinds Poisson, k = 10,"
        " binormal scores"
    )
    table = ranking_shifts(EXAMINED_LISTS, DEFAULT_LEVELS, DEFAULT_LEVELS[0])
    assert evidence.shift == table.loc[table["measure"] == "precision_at_k", "mean_shift"].iloc[-1]


@pytest.mark.parametrize("key", ["accuracy", "multiclass_balanced_accuracy"])
def test_evidence_is_plain_numbers_for_json(examine, key):
    evidence = examine(key).evidence.to_dict()
    assert json.loads(json.dumps(evidence)) == evidence
