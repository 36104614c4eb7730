"""Cards of scores of probabilities, against simulated populations and integrals by hand."""

import json

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, log_expit, ndtri
from scipy.stats import norm

from skewproof import audit, probability_scores
from skewproof.probabilities.score_card import FORMULAS, OTHER_NAMES, score_key

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cards():
    return {key: audit(key, at=0.003) for key in FORMULAS}


def mean_loss(loss, share, calibrated, mean):
    """Integrate the loss by SciPy's quadrature of the definition."""

    def at(x):
        log_odds = np.log(calibrated / (1 - calibrated)) + mean * x - mean**2 / 2
        losses = (
            (expit(-log_odds) ** 2, expit(log_odds) ** 2)
            if loss == "brier"
            else (-log_expit(log_odds), -log_expit(-log_odds))
        )
        return share * norm.pdf(x - mean) * losses[0] + (1 - share) * norm.pdf(x) * losses[1]

    return quad(at, -12, 14, epsabs=1e-11, limit=200)[0]


@pytest.mark.parametrize("loss", ["brier", "log_loss"])
def test_values_are_the_mean_losses(cards, loss):
    table = cards[loss].levels.set_index("level")
    for level, share in {"1:1": 1 / 2, "1:100": 1 / 101, "0.003": 0.003}.items():
        for how, calibrated in {"adjusted": share, "left_alone": 1 / 11}.items():
            assert table[how][level] == pytest.approx(
                mean_loss(loss, share, calibrated, 2.0), rel=1e-8
            )


def test_shift_is_the_mean_over_areas(cards):
    shift = cards["brier"].levels.set_index("level")["left_alone_shift"]["1:10"]
    areas = np.linspace(0.6, 0.98, 41)
    gaps = [
        abs(mean_loss("brier", 1 / 11, 1 / 11, mean) - mean_loss("brier", 1 / 2, 1 / 11, mean))
        for mean in np.sqrt(2) * ndtri(areas)
    ]
    simpson = np.dot([1, *[4, 2] * 19, 4, 1], gaps) / 120
    assert shift == pytest.approx(simpson, rel=1e-5)


def test_formulas_give_the_values_of_a_sample():
    """The typed formula, with mean losses of a sample in which forecasts are Bayes' or not."""
    random = np.random.default_rng(3)
    y = np.repeat([1, 0], [4000, 6000])
    p = expit(random.normal(y * 2.0) * 2 - 2)
    scores = probability_scores(y, p, confidence=None).set_index("score")["value"]
    losses = {"brier": (y - p) ** 2, "log_loss": -np.log(np.where(y == 1, p, 1 - p))}
    for loss, each in losses.items():
        names = {"pi": 0.4, "log": np.log, "L1": each[y == 1].mean(), "L0": each[y == 0].mean()}
        for key in (loss, f"{loss}_skill", f"{loss}_uncertainty"):
            value = eval(FORMULAS[key].text, {"__builtins__": {}}, names)
            assert value == pytest.approx(scores[key], rel=1e-12)


def test_only_losses_are_linear_in_the_prevalence(cards):
    assert [key for key, card in cards.items() if card.linear] == ["brier", "log_loss"]


def test_names_of_scikit_learn_and_in_words():
    from sklearn.metrics import get_scorer_names

    scorers = set(get_scorer_names())
    assert {"neg_brier_score", "neg_log_loss"} <= scorers & set(OTHER_NAMES)
    assert score_key("Log loss skill score") == "log_loss_skill"
    assert set(map(score_key, OTHER_NAMES)) == {"brier", "log_loss"}


def test_forms(cards):
    card = cards["log_loss_skill"]
    assert json.loads(json.dumps(card.to_dict(), allow_nan=False))["low"] == "-inf"
    assert max(map(len, card.to_text().splitlines())) <= 80
    assert card.to_markdown().count("| 0.003") == 1
    assert "log loss skill score" in repr(card)


def test_a_range_of_prevalences_is_refused():
    with pytest.raises(ValueError, match=r"^at = "):
        audit("brier", at="0.1..0.2")
