import json
import pickle
import re
import sys
from decimal import Decimal

import numpy as np
import pytest
from whole_html import texts_of

from skewproof.audits.auditing import audit
from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.surfaces.shift import mean_shift

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def peirce():
    return audit("tp/P - fp/N", key="peirce")


@pytest.fixture(scope="module")
def f1():
    return audit("f1")


def test_a_card_is_titled_by_the_formula_that_was_given(peirce, f1):
    assert (peirce.title, peirce.key, f1.title, f1.key) == ("tp/P - fp/N", "peirce", "f1", "f1")
    assert audit(" tp/P" + " + tp/P" * 48).title.endswith("... (340 characters)")
    assert peirce.to_markdown().startswith("# `tp/P - fp/N`\n")
    assert f1.to_markdown().startswith("# f1\n")


def test_formulas_are_shown_as_one_types_them(peirce, f1):
    assert (f1.formula, peirce.formula) == ("2*tp/(2*tp + fp + fn)", "tp/P - fp/N")
    assert peirce.normalized == "tp/(2*P) - fp/(2*N) + 1/2"
    assert "$" not in f1.to_text()


def test_the_verdict_has_its_proof_or_a_counterexample(peirce, f1):
    assert peirce.verdict == "Imbalance does not change it: it is u - v, of u = tp/P and v = fp/N."
    assert f1.verdict == (
        "Imbalance changes it, as at 1:1000: 1/2 at 1:1 and 2/1003 here, at u = 1/2, v = 1/2"
        " (u = tp/P, v = fp/N)."
    )


def test_a_card_says_what_a_hit_is_worth(f1):
    """The exchange rate of F1 is (P + fp)/tp at the rates .9 and .1."""
    sentence = "One hit is worth 1.22 false alarms at 1:1, 112 at 1:1000"
    assert sentence in " ".join(f1.to_text().split())
    assert f"- Exchange rate: {sentence}" in f1.to_markdown()
    rates = [row["hit_is_worth"] for row in f1.to_dict()["demands"][:-1]]
    assert rates == pytest.approx([(1 + 0.1 * ratio) / 0.9 for ratio in (1, 2, 10, 100, 1000)])
    assert "limit, proved" in texts_of(f1._repr_html_())


def test_a_card_fits_a_terminal(f1):
    for text in (f1.to_text(), audit("optimized_precision_i").to_text()):
        assert max(map(len, text.splitlines())) <= 80
    assert "1:1000  differs  1/2 at 1:1 and 2/1003 here, at u = 1/2, v = 1/2\n" in f1.to_text()
    assert f1.to_text(color=True).startswith("\x1b")
    assert "Contour deviation, scaled to [0, 1]\n" in f1.to_text()


@pytest.mark.parametrize(
    ("metric", "support", "text"),
    [
        ("f1", "proved", "0 to 1 (proved)"),
        ("mcc_f1", "found by search", "0 to 1 (found by search)"),
        ("positive_likelihood_ratio", "declared", "0 to inf (declared)"),
    ],
)
def test_the_range_says_what_supports_it(metric, support, text):
    card = audit(metric)
    assert card.range_support == card.to_dict()["range_support"] == support
    assert f"- Range over these levels: {text}\n" in card.to_markdown()
    assert text in " ".join(card.to_text().split())


def test_json_has_what_is_found_and_nothing_else(f1):
    read = json.loads(json.dumps(f1.to_dict()))
    assert read["formula"] == f1.formula
    assert not {"metric", "expressions"} & set(read)


def test_a_card_in_a_notebook(f1):
    html = f1._repr_html_()
    texts = texts_of(html)
    assert texts[:2] == ["f1", f1.verdict]
    assert html.count("<math") == 2
    assert html.count("data:image/png;base64,iVBOR") == 1
    assert len(html) < 200_000
    assert {"Exact indices", "0.9109", "gilbert_ratio"} <= set(texts)


def test_without_matplotlib_there_are_no_contours(f1, monkeypatch):
    monkeypatch.delitem(sys.modules, "skewproof.plot.level_contours", raising=False)
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
    with pytest.raises(ValueError, match="the card of f1 was pickled: expected a new audit"):
        again.plot()


def test_the_mean_shift_is_the_integral_and_sigma_the_sum(f1):
    """Compare F1 with a million midpoints and the sum over the paper's grid."""
    (row,) = [row for row in f1.sigma if row["level"] == "1:1000"]

    def f1_at(u, v, negatives):
        u, v = u[:, None] + np.zeros(len(v)), v + np.zeros((len(u), 1))
        return 200 * u / (100 * u + negatives * v + 100)

    middles, grid = (np.arange(1000) + 0.5) / 1000, np.linspace(0, 1, 100)
    distances = [abs(f1_at(u, u, 1e5) - f1_at(u, u, 100)) for u in (middles, grid)]
    assert row["mean_shift"] == pytest.approx(distances[0].mean(), abs=2e-4)
    assert row["sigma"] == pytest.approx(distances[1].sum())
    assert abs(row["sigma"] / row["points"] - row["mean_shift"]) > 0.005
    shift = mean_shift(METRICS["f1"], Level(1, 1000), Level(1, 1), 100)
    assert (row["mean_shift"], row["mean_shift_error"]) == shift


def test_a_card_says_for_what_it_was_computed():
    """The range of tp - 5 fp is that at 1:1000, of which its shift at 1:2 is a small share."""
    card = audit("tp - 5*fp")
    text = " ".join(card.to_text().split())
    assert "Computed for: 100 positives at 1:1, 1:2, 1:10, 1:100, 1:1000" in text
    assert "Range: -500000 to 100 (proved), over these levels" in text
    step = 0.001 * (100 + 500_000)
    assert f"(x + 500000)/500100; 0.001 on it is {step:g} of the metric" in text
    # |tp - 5 fp| changes by 500 v from 1:1 to 1:2, by 250 in the mean.
    assert card.sigma[0]["mean_shift"] == pytest.approx(250 / 500_100)
    assert "Range over these levels: -500000 to 100 (proved)\n" in card.to_markdown()
    assert (card.positives, card.levels[0], card.levels[-1]) == (100, "1:1", "1:1000")


def test_a_type_that_a_grid_does_not_see_is_said_to_be_one():
    """min(fp, 1) is 0 where fp = 0 and else 1 at all points of the grid, which are 100/99 apart."""
    card = audit("min(fp, 1)")
    text = " ".join(card.to_text().split())
    unseen = "at 1:2, 1:10, 1:100, 1:1000 it differs between these points"
    assert f"Type: 5, by contours on a grid of 100 by 100 points; {unseen}" in text
    assert {row["verdict"] for row in card.invariance} == {"differs"}
    assert {row["sigma"] for row in card.sigma} == {0}
    # Below fp = 1 it is fp: at 1:r the mean of 1 minus it is 1/(2 N), where N is 100 r.
    for row, ratio in zip(card.sigma, (2, 10, 100, 1000), strict=True):
        expected = (1 - 1 / ratio) / 200
        assert row["mean_shift"] == pytest.approx(expected, abs=2e-5)


def test_a_card_begins_with_what_the_metric_does_at_a_stated_prevalence(f1):
    card = audit("f1", at=0.003)
    assert card.verdict.startswith("Imbalance changes it, as at 3:997: 1/2 at 1:1 and 3/503 here")
    paragraphs = card.to_text().split("\n\n")[1:3]
    assert [" ".join(text.split()) for text in paragraphs] == [card.verdict, card.there]
    assert texts_of(card._repr_html_())[:3] == ["f1", card.verdict, card.there]
    assert f"- {card.there}\n" in card.to_markdown()
    assert json.loads(json.dumps(card.to_dict()))["at"] == "3:997"
    assert (f1.at, f1.there) == (None, "")


@pytest.mark.parametrize(
    ("metric", "at", "said"),
    [
        ("f1_i", 0.003, "The same rates give the same values there as at 1:1."),
        ("max(0, fp - 100)*tp/P", "1:1", "At 1:1 the indices are not resolved."),
    ],
)
def test_what_is_said_of_a_metric_there(metric, at, said):
    card = audit(metric, at=at)
    assert said in card.there
    assert "scaled to" not in card.there


def test_blanks_have_their_reason(f1):
    """No more than 100 false positives occur at 1:1."""
    card = audit("max(0, fp - 100)*tp/P")
    assert card.indices[0]["s1_tp"] is None
    assert card.indices[0]["reason"] == "it is 0 everywhere, up to rounding"
    assert [row["reason"] for row in card.indices[1:]] == [""] * 4
    assert "it is 0 everywhere, up to rounding" in " ".join(card.to_text().split())
    assert "reason" not in f1.indices[0]


def test_tables_of_a_page_have_words_and_three_digits(f1):
    text = f1.to_markdown()
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert "s1_tp" not in text
    assert "nan" not in text
    cells = [cell.strip() for row in rows for cell in row.split("|")]
    decimals = [cell for cell in cells if re.fullmatch(r"-?\d*\.\d+(e-\d+)?", cell)]
    assert len(decimals) > 20
    for cell in decimals:
        assert len(Decimal(cell).normalize().as_tuple().digits) <= 3
    (row,) = (line for line in rows if line.startswith("| limit, proved"))
    assert row.split("|")[2].strip() == ""
