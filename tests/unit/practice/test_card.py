import json
import pickle
import sys

import pytest
from whole_html import texts_of

from skewproof.core.formulas import parse_metric
from skewproof.practice.audit import audit

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peirce():
    return audit("tp/P - fp/N", key="peirce")


@pytest.fixture(scope="module")
def f1():
    return audit("f1")


def test_a_card_is_titled_by_the_formula_that_was_given(peirce, f1):
    assert (peirce.title, peirce.key, f1.title, f1.key) == ("tp/P - fp/N", "peirce", "f1", "f1")
    assert audit(parse_metric(" tp/P*2 ")).title == "tp/P*2"
    long = audit("tp/P" + " + tp/P" * 99)
    assert long.title.endswith("... (697 characters)")
    assert peirce.to_markdown().startswith("# `tp/P - fp/N`\n")
    assert f1.to_markdown().startswith("# f1\n")


def test_formulas_are_shown_as_one_types_them(peirce, f1):
    assert (f1.formula, peirce.formula) == ("2*tp/(2*tp + fp + fn)", "tp/P - fp/N")
    assert peirce.normalized == "tp/(2*P) - fp/(2*N) + 1/2"
    assert "$" not in f1.to_text()


def test_the_verdict_has_its_proof_or_a_counterexample(peirce, f1):
    assert peirce.verdict == "Imbalance does not move it: it is u - v, of u = tp/P and v = fp/N."
    assert f1.verdict == (
        "Imbalance moves it, as at 1:1000: 1/2 at 1:1 and 2/1003 here, at u = 1/2, v = 1/2"
        " (u = tp/P, v = fp/N)."
    )


def test_a_card_fits_a_terminal(f1):
    for text in (f1.to_text(), audit("optimized_precision_i").to_text()):
        assert max(map(len, text.splitlines())) <= 80
    assert "1:1000  differs  1/2 at 1:1 and 2/1003 here, at u = 1/2, v = 1/2\n" in f1.to_text()
    assert f1.to_text(color=True).startswith("\x1b")


@pytest.mark.parametrize(
    ("metric", "support", "text"),
    [
        ("f1", "proved", "0 to 1 (proved)"),
        ("min(tp, fp)/P", "proved", "0 to 1 (proved)"),
        ("mcc_f1", "found by search", "0 to 1 (found by search)"),
        ("positive_likelihood_ratio", "declared", "0 to inf (declared)"),
    ],
)
def test_the_range_says_what_supports_it(metric, support, text):
    card = audit(metric)
    assert card.range_support == card.to_dict()["range_support"] == support
    assert f"- Range: {text}\n" in card.to_markdown()
    assert text in " ".join(card.to_text().split())


def test_json_has_what_is_found_and_nothing_else(f1):
    found = json.loads(json.dumps(f1.to_dict()))
    assert found["formula"] == f1.formula
    assert not {"metric", "expressions"} & set(found)


def test_a_card_in_a_notebook(f1):
    html = f1._repr_html_()
    texts = texts_of(html)
    assert texts[:2] == ["f1", f1.verdict]
    assert html.count("<math") == 2
    assert html.count("data:image/png;base64,iVBOR") == 1
    assert len(html) < 200_000
    assert {"Exact indices", "0.9109", "gilbert_ratio"} <= set(texts)


def test_without_matplotlib_there_are_no_contours(f1, monkeypatch):
    monkeypatch.delitem(sys.modules, "skewproof.reporting.contour_plot", raising=False)
    for module in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    html = f1._repr_html_()
    assert "<img" not in html
    assert "<math" in html


def test_a_card_can_be_pickled(f1):
    again = pickle.loads(pickle.dumps(f1))
    assert again == f1
    assert again.to_text() == f1.to_text()
    assert "<math" in again._repr_html_()
    assert f1.metric is not None
