"""Meanings of names."""

import json

import numpy as np
import pytest

from skewproof.audits import finding
from skewproof.audits.finding import find
from skewproof.core.confusion import matrix_of
from skewproof.core.formulas.metrics import parse_metric
from skewproof.metrics.atlas import ATLAS, CATALOG, classes
from skewproof.metrics.atlas.classes import stored_classes

MATRICES = matrix_of(np.random.default_rng(0).uniform(1, 100, (4, 50)))


def meaning(name):
    (only,) = find(name).meanings
    return only


def test_what_a_name_means():
    tss = meaning("TSS")
    assert (tss.key, tss.matched) == ("youden_j", "TSS")
    assert (tss.low, tss.high, tss.direction) == (-1, 1, "higher is better")
    expected = MATRICES.tp / (MATRICES.tp + MATRICES.fn) - MATRICES.fp / (MATRICES.fp + MATRICES.tn)
    np.testing.assert_allclose(parse_metric(tss.formula)(MATRICES), expected)
    assert {name["name"] for name in tss.names} >= {"Youden's J", "Peirce skill score"}
    assert (tss.verdict, tss.same_order_at_all_sizes) == ("same", "yes")


def test_measures_of_many_classes_are_found_too():
    assert [measure.key for measure in find("ACSA").measures] == ["acsa"]
    both = find("mcc")
    assert (both.meanings[0].key, both.measures[0].key) == ("mcc", "mcc")
    assert 'MEASURES["mcc"] returns it.' in both.to_text()
    names = find("acsa").to_dict()["measures_of_many_classes"]
    assert names[0]["aliases"] == ["ACSA", "macro recall", "scikit-learn's balanced accuracy"]


def test_names_of_nothing():
    with pytest.raises(KeyError, match="no metric 'informednes'; did you mean 'youden_j'"):
        find("informednes")
    with pytest.raises(KeyError, match="no metric 'x"):
        find("x" * 5000)
    with pytest.raises(ValueError, match="name = 5: expected text"):
        find(5)


def test_a_measure_that_no_run_has_is_not_known(monkeypatch):
    rows = {key: row for key, row in stored_classes().items() if key != "f1"}
    rows["accuracy"] = rows["accuracy"] | {"equal": "", "affine": "", "verdict": "undecided"}
    rows["gone"] = rows["precision"] | {"measure": "gone"}
    for module in (finding, classes):
        monkeypatch.setattr(module, "stored_classes", lambda: rows)
    new, undecided = meaning("f1"), meaning("accuracy")
    assert (new.verdict, new.equal, new.linear, new.same_order_1_1) == ("not stored", *[None] * 3)
    assert undecided.equal is None
    assert "Equal to:             undecided" in find("accuracy").to_text()
    assert "It is not known whether prevalence changes its value" in find("f1").to_text()
    assert "gone" not in meaning("precision").equal


@pytest.mark.slow
def test_everything_can_be_found_and_shown():
    for key in list(ATLAS)[::5]:
        finding = find(key)
        assert [meaning.key for meaning in finding.meanings] == [key]
        assert max(map(len, finding.to_text().splitlines())) <= 80
        assert len(finding.meanings[0].names) == len(CATALOG[key].names)
        json.dumps(finding.to_dict(), allow_nan=False)


def test_lists_are_cut_on_the_screen_alone():
    accuracy = meaning("accuracy")
    assert len(accuracy.same_order_1_1) > finding.MOST_LISTED
    more = len(accuracy.same_order_1_1) - finding.MOST_LISTED
    assert f"and {more} more" in " ".join(find("accuracy").to_text().split())
    assert find("accuracy").to_dict()["meanings"][0]["same_order_1_1"] == accuracy.same_order_1_1


def test_a_notebook_shows_it_with_its_text_escaped():
    html = find("Dice")._repr_html_()
    assert html.count("<div>") == 4
    assert "Dice has 2 meanings" in html
