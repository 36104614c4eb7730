from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics import get_metric
from skewproof_studies.burduk.tables import COMPARED_METRICS
from skewproof_studies.burduk.theorem_and_slopes import (
    SCALES,
    N,
    P,
    U,
    V,
    border_shares,
    isoline_slope,
    normalized_difference,
    slopes,
    theorem,
    turning_line,
    turning_rate,
)


@pytest.mark.slow
def test_theorem():
    formulas = theorem()
    assert set(formulas) == {"hmnc", "accuracy", "balanced_accuracy", "g_mean"}
    assert set(map(str, formulas.values())) == {"u"}


def test_normalized_it_is_the_harmonic_mean_of_both_rates():
    assert normalized_difference() == 0
    u, v = np.random.default_rng(1).random((2, 50))
    matrix = ConfusionMatrix.from_rates(u, 1 - v, positives=7, negatives=900)
    harmonic = get_metric("sensitivity_specificity_harmonic_mean")(matrix)
    np.testing.assert_allclose(get_metric("hmnc")(matrix.rates), harmonic, rtol=1e-14)


@pytest.mark.parametrize("key", COMPARED_METRICS)
@pytest.mark.slow
def test_slopes_are_the_differences_of_near_values(key):
    u, v, step, sizes = 0.6, 0.3, 1e-6, {"positives": 1000, "negatives": 100}

    def value(du, dv):
        rates = u + du * step, 1 - (v + dv * step)
        return bounded(get_metric(key))(ConfusionMatrix.from_rates(*rates, **sizes))

    by_u, by_v = slopes(key, np.array(u), np.array(v), **sizes)
    assert by_u == pytest.approx(abs(value(1, 0) - value(-1, 0)) / (2 * step), rel=1e-6)
    assert by_v == pytest.approx(abs(value(0, 1) - value(0, -1)) / (2 * step), rel=1e-6)


def hmnc(tp, tn, positives, negatives):
    """Compute his Eq. 11."""
    return tp * tn * (positives + negatives) / ((tp + tn) * positives * negatives)


def steps(u, v, positives, negatives, scale):
    """Compute the gain of a small equal step towards each class, exactly for fractions u and v."""
    step = Fraction(1, 10**9)
    tp, tn = u * positives, v * negatives
    of_tp, of_tn = (positives * step, negatives * step) if scale == "rates" else (step, step)
    now = hmnc(tp, tn, positives, negatives)
    return (
        hmnc(tp + of_tp, tn, positives, negatives) - now,
        hmnc(tp, tn + of_tn, positives, negatives) - now,
    )


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("v", "negatives"), [(Fraction(1, 5), 10), (Fraction(9, 10), 250)])
@pytest.mark.slow
def test_the_border_lies_where_a_step_of_either_class_counts_alike(scale, v, negatives):
    place = float(turning_line("hmnc", scale).subs({V: v, P: 1000, N: negatives}))
    for factor, less in ((Fraction(101, 100), True), (Fraction(99, 100), False)):
        u = Fraction(place) * factor
        by_majority, by_minority = steps(u, v, 1000, negatives, scale)
        assert (by_majority < by_minority) == less


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("negatives", [10, 250])
@pytest.mark.slow
def test_border_shares_are_those_of_random_classifiers(scale, negatives):
    number, ratio = 200_000, negatives / 1000
    shares = border_shares(ratio).set_index(["scale", "region"])["holds"]
    random, of_one = np.random.default_rng(1), (1000, negatives) if scale == "rates" else (1, 1)
    for region, (low, high) in {"u > IR": (ratio, 1), "u < IR": (0, ratio)}.items():
        tp, tn = 1000 * random.uniform(low, high, number), negatives * random.random(number)
        # d/dTP of TP TN/(TP + TN) is TN^2/(TP + TN)^2, and the other way round.
        by_majority, by_minority = tn**2 * of_one[0], tp**2 * of_one[1]
        does = by_majority < by_minority if region == "u > IR" else by_majority > by_minority
        # Four standard errors of a share.
        assert shares[scale, region] == pytest.approx(does.mean(), abs=2 / np.sqrt(number))


@pytest.mark.slow
def test_by_counts_his_claim_holds_right_of_ir_and_on_half_of_what_is_left():
    for ratio in (0.01, 0.25, 0.9):
        holds = border_shares(ratio).set_index(["scale", "region"])["holds"]
        assert holds["counts", "u > IR"] == pytest.approx(1, rel=1e-14)
        assert holds["counts", "u < IR"] == pytest.approx(0.5, rel=1e-14)
        assert holds["rates", "u > IR"] < 1
    shares = border_shares(1).set_index(["scale", "region"])["holds"]
    assert shares.xs("u > IR", level="region").isna().all()
    assert shares.xs("u < IR", level="region").tolist() == [0.5, 0.5]


@pytest.mark.parametrize("key", ["g_mean", "hmnc"])
@pytest.mark.slow
def test_a_step_along_an_isoline_keeps_the_value(key):
    formulas = {
        "g_mean": lambda u, v: np.sqrt(u * v),
        "hmnc": lambda u, v: hmnc(1000 * u, 100 * v, 1000, 100),
    }
    u, v, step = 0.6, 0.3, 1e-6
    slope = float(isoline_slope(key, "rates").subs({U: u, V: v, P: 1000, N: 100}))
    moved = formulas[key](u + step, v + slope * step)
    assert moved == pytest.approx(formulas[key](u, v), abs=1e-10)
    assert formulas[key](u + step, v) > formulas[key](u, v) + 1e-8


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.slow
def test_an_isoline_turns_where_it_is_said_to(scale):
    value = 0.4
    u = value * float(turning_rate(scale).subs({P: 1000, N: 100}))
    v = u * (np.sqrt(10) if scale == "rates" else 10)
    assert hmnc(1000 * u, 100 * v, 1000, 100) == pytest.approx(value, rel=1e-12)
