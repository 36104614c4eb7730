import numpy as np
import pytest
import sympy

from skewproof import ConfusionMatrix, metric
from skewproof.core.confusion import matrix_of
from skewproof.metrics import METRICS, FormulaError
from skewproof.metrics.atlas import ATLAS
from skewproof.operating_points import exchange_rate
from skewproof.operating_points.derivatives import derivatives

tp, fp, fn, tn = sympy.symbols("tp fp fn tn", positive=True)
P, N = tp + fn, fp + tn
SHARE, CALLED = P / (P + N), (tp + fp) / (P + N)
PPV, FOR = tp / (tp + fp), fn / (fn + tn)
U, V, R = tp / P, fp / N, N / P
KAPPA = 2 * (tp * tn - fp * fn) / ((tp + fp) * N + P * (fn + tn))
CHANCE = ((SHARE + CALLED) / 2) ** 2 + (1 - (SHARE + CALLED) / 2) ** 2
SCOTT = ((tp + tn) / (P + N) - CHANCE) / (1 - CHANCE)

CUTOFFS = {
    "accuracy": sympy.Rational(1, 2),
    "error_rate": sympy.Rational(1, 2),
    "balanced_accuracy": SHARE,
    "youden_j": SHARE,
    "f1": tp / (2 * tp + fp + fn),
    "f2": tp / (5 * tp + 4 * fn + fp),
    "gilbert_ratio": tp / (2 * tp + fp + fn),
    "fowlkes_mallows": PPV / 2,
    "mcc": (PPV + FOR) / 2,
    "cohen_kappa": (1 - KAPPA) * SHARE + KAPPA / 2,
    "scott_pi": (1 - SCOTT) * (SHARE + CALLED) / 2 + SCOTT / 2,
    "markedness": PPV + FOR - SHARE,
    "precision": PPV,
    "positive_likelihood_ratio": PPV,
    "negative_predictive_value": FOR,
    "g_mean": tp / (tp + tn),
    "precision_recall_mean": PPV - tp / (2 * tp + fp + fn),
}
"""The closed forms of the cut-offs, by hand."""

RATES = {
    "hmnc": (tn / tp) ** 2,
    "sensitivity_specificity_harmonic_mean": R * ((1 - V) / U) ** 2,
    "diagnostic_odds_ratio": R * V * (1 - V) / (U * (1 - U)),
    "iba": R * (1 - V) * (2 * U + V) / (U * (U + 2 * V - 1)),
    "gilbert_ratio": (tp + fp + fn) / tp,
}
"""The closed forms of the rates, by hand."""

MATRIX = ConfusionMatrix(tp=[9, 40, 700], fp=[4, 30, 12], fn=[3, 60, 40], tn=[20, 900, 5000])


@pytest.mark.parametrize("key", CUTOFFS)
@pytest.mark.slow
def test_cutoffs_are_the_closed_forms(key):
    """Both are rational functions, which differ at random integers unless they are equal."""
    apart = exchange_rate(key).cutoff - CUTOFFS[key]
    for point in np.random.default_rng(0).integers(1, 10**6, (8, 4)).tolist():
        assert apart.subs(dict(zip((tp, fp, fn, tn), point, strict=True))) == 0


@pytest.mark.parametrize("key", RATES)
@pytest.mark.slow
def test_rates_are_the_closed_forms(key):
    assert sympy.cancel(exchange_rate(key).formula - RATES[key]) == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("accuracy", "1/2"),
        ("youden_j", "π"),
        ("f1", "F1/2"),
        ("f2", "F2/5"),
        ("gilbert_ratio", "F1/2"),
        ("mcc", "PPV/2 + FOR/2"),
        ("fowlkes_mallows", "PPV/2"),
        ("cohen_kappa", "π + κ/2 - π·κ"),
        ("markedness", "PPV + FOR - π"),
        ("tp/(P+N) - fp/(P+N)/9", "1/10"),
        ("sqrt(tp/(tp+fp))", "PPV"),
        ("tp/P", "0"),
        ("tn/N", "1"),
        ("(tp+fp)/(tp+fn)", "no cut-off"),
        ("min(tp/P, tn/N)", "1 where -u - v + 1 <= 0; 0 elsewhere"),
    ],
)
@pytest.mark.slow
def test_cutoffs_in_the_terms_of_the_field(name, words):
    assert exchange_rate(name).cutoff_in_words == words


@pytest.mark.parametrize("key", sorted(METRICS))
@pytest.mark.slow
def test_rates_are_those_of_finite_differences(key):
    rate, metric = exchange_rate(key)(MATRIX), METRICS[key]
    cells = np.array([MATRIX.tp, MATRIX.fp, MATRIX.fn, MATRIX.tn], dtype=float)
    value, *slopes = derivatives(metric).in_floats(*cells)
    assert value == pytest.approx(metric(MATRIX), rel=1e-12)
    for cell, slope in zip((0, 1), slopes, strict=True):
        step = np.zeros_like(cells)
        step[cell], step[cell + 2] = 1e-5 * cells[cell], -1e-5 * cells[cell]
        change = metric(matrix_of(cells + step)) - metric(matrix_of(cells - step))
        assert slope == pytest.approx(change / (2 * step[cell]), rel=1e-4, abs=1e-12)
    by_hit, by_alarm = slopes
    if key in ("true_positive_rate", "false_negative_rate"):
        assert (rate == np.inf).all()
    elif key in ("true_negative_rate", "false_positive_rate"):
        assert (rate == 0).all()
    else:
        assert rate == pytest.approx(-by_hit / by_alarm)


@pytest.mark.slow
def test_a_monotone_function_of_a_metric_has_its_rate():
    plain = exchange_rate("tp/(tp+fp)")
    for text in ("exp(tp/(tp+fp))", "3 - 2*log(tp/(tp+fp))", "(tp/(tp+fp))**3"):
        assert sympy.cancel(exchange_rate(text).formula - plain.formula) == 0


@pytest.mark.slow
def test_a_function_of_the_users_own():
    @metric(symbol="m", name="half", source="an example")
    def half(c):
        return 0.5 * c.tpr + 0.5 * c.tnr

    assert exchange_rate(half).cutoff_in_words == "π"

    @metric(symbol="m", name="unreadable", source="an example")
    def unreadable(c):
        return np.where(c.tp > 1, c.tp, c.tn) / c.total

    with pytest.raises(FormulaError, match="unreadable"):
        exchange_rate(unreadable)


@pytest.mark.slow
def test_rates_at_another_prevalence():
    matrix = ConfusionMatrix.from_rates(0.8, 0.1, positives=30, negatives=90)
    for at, ratio in (("1:1", 1), ("1:1000", 1000), (0.02, 49)):
        assert float(exchange_rate("f1")(matrix, at=at)) == pytest.approx((1 + ratio * 0.1) / 0.8)
        cutoff = float(exchange_rate("youden_j").cutoff_at(matrix, at=at))
        assert cutoff == pytest.approx(1 / (1 + ratio))


@pytest.mark.slow
def test_edges_and_kinks():
    matrix = ConfusionMatrix.from_rates([0, 0, 0.5], [0.5, 0, 0], positives=10, negatives=10)
    assert exchange_rate("precision")(matrix).tolist()[0] == np.inf
    assert np.isnan(exchange_rate("precision")(matrix)[1])
    assert exchange_rate("precision")(matrix)[2] == 0
    at_kink = ConfusionMatrix.from_rates([0.75, 0.8], [0.25, 0.25], positives=8, negatives=8)
    rates = exchange_rate("optimized_precision")(at_kink)
    assert np.isnan(rates[0])
    assert not np.isnan(rates[1])


@pytest.mark.slow
def test_where_a_false_alarm_is_rewarded():
    rate = exchange_rate("iba")
    assert rate.negative == "u + 2*v < 1"
    matrix = ConfusionMatrix.from_rates(0.6, [0.05, 0.1, 0.3], positives=10, negatives=10)
    assert rate.rewards_false_alarm(matrix).tolist() == [True, True, False]
    values = METRICS["iba"](matrix)
    assert values[0] < values[1]
    assert exchange_rate("mcc").negative == exchange_rate("f1").negative == "nowhere"
    assert "where -u - v + 1 >= 0" in exchange_rate("optimized_precision").negative


@pytest.mark.parametrize("key", [key for key in ATLAS if key not in METRICS][8::16])
@pytest.mark.slow
def test_measures_of_the_atlas_have_a_rate(key):
    rate = exchange_rate(key)
    assert rate.metric == key
    assert rate.negative
    assert rate(MATRIX).shape == (3,)
