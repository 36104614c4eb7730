import json
import pickle
import sys

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


def test_differences_that_a_grid_does_not_see_have_a_mean_shift():
    """min(fp, 1) is 0 where fp = 0 and else 1 at all points of the grid, which are 100/99 apart."""
    # Below fp = 1 it is fp: at 1:r the mean of 1 minus it is 1/(2 N), where N is 100 r.
    for row, ratio in zip(audit("min(fp, 1)").sigma, (2, 10, 100, 1000), strict=True):
        assert row["sigma"] == 0
        assert row["mean_shift"] == pytest.approx((1 - 1 / ratio) / 200, abs=2e-5)


def test_a_card_begins_with_what_the_metric_does_at_a_stated_prevalence():
    card = audit("f1", at=0.003)
    assert texts_of(card._repr_html_())[:3] == ["f1", card.verdict, card.there]
    assert json.loads(json.dumps(card.to_dict()))["at"] == "3:997"


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
