"""Bounds by exact matrices, identities by SymPy, shares by counting."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy.stats import norm
from sklearn.metrics import accuracy_score, matthews_corrcoef

from skewproof_studies.statements.bounds import CLASSIFIERS, best_ratio, least_rates

tp, fp, fn, tn = sympy.symbols("tp fp fn tn", positive=True)
u, v, r, m = sympy.symbols("u v r m", positive=True)
MCC_SQUARED = (u - v) ** 2 * r / ((u + r * v) * (1 - u + r * (1 - v)))

RATES = {
    "TPR": lambda a, b, c, d: Fraction(a, a + c),
    "TNR": lambda a, b, c, d: Fraction(d, b + d),
    "PPV": lambda a, b, c, d: Fraction(a, a + b),
    "NPV": lambda a, b, c, d: Fraction(d, c + d),
}


def squared_mcc(a, b, c, d):
    """Compute MCC² from TP, FP, FN and TN, with the sign of MCC."""
    product = a * d - b * c
    size = Fraction(product**2, (a + b) * (a + c) * (d + b) * (d + c))
    return size if product >= 0 else -size


def matrices(most):
    for positives, negatives in ((2, 2), (3, 7), (4, 40), (7, 3), (30, 2)):
        for hits, alarms in itertools.product(range(positives + 1), range(negatives + 1)):
            if 0 < hits + alarms < positives + negatives:
                yield hits, alarms, positives - hits, negatives - alarms
    yield from itertools.product(range(1, most), repeat=4)


@pytest.mark.slow
def test_no_matrix_is_below_a_bound_and_some_are_on_it():
    on_bound = set()
    for cells in matrices(7):
        square = squared_mcc(*cells)
        if square <= 0:
            continue
        ratio = Fraction(cells[1] + cells[3], cells[0] + cells[2])
        least = least_rates(square, ratio)
        for name, rate in RATES.items():
            assert rate(*cells) >= least[name] >= square
            if rate(*cells) == least[name] < 1:
                on_bound.add(name)
        lowest = min(rate(*cells) for rate in RATES.values())
        assert lowest < Fraction(1, 2) or square >= (2 * lowest - 1) ** 2
    assert on_bound == set(RATES)


def test_no_greater_number_would_do_at_all_levels_and_the_converse_is_sharp():
    for square in (Fraction(1, 4), Fraction(81, 100)):
        for name, ratio in (("TPR", 10**9), ("PPV", 10**9), ("TNR", 10**-9), ("NPV", 10**-9)):
            least = least_rates(square, Fraction(ratio))[name]
            assert square < least < square + Fraction(1, 10**8)
    for hits in range(6, 11):
        square = squared_mcc(hits, 10 - hits, 10 - hits, hits)
        assert square == (2 * Fraction(hits, 10) - 1) ** 2


@pytest.mark.parametrize(("tpr", "fpr"), CLASSIFIERS)
@pytest.mark.slow
def test_where_mcc_is_highest(decision, tpr, fpr):
    """Compare with a fine grid of ratios, and with scikit-learn's MCC on labels of these rates."""
    ratios = np.geomspace(1e-3, 1e3, 60001)
    values = (tpr - fpr) * np.sqrt(ratios / ((tpr + ratios * fpr) * (1 - tpr + ratios * (1 - fpr))))
    peak = ratios[values.argmax()]
    assert best_ratio(tpr, fpr) == pytest.approx(peak, rel=1e-3)
    highest = np.sqrt(tpr * (1 - fpr)) - np.sqrt(fpr * (1 - tpr))
    assert values.max() == pytest.approx(highest, rel=1e-6)
    cohen_h = 2 * np.arcsin(np.sqrt(tpr)) - 2 * np.arcsin(np.sqrt(fpr))
    assert np.sin(cohen_h / 2) == pytest.approx(values.max(), rel=1e-6)
    before, after = np.split(values, [values.argmax()])
    assert (np.diff(before) > 0).all()
    assert (np.diff(after) < 0).all()
    table = decision("mcc_falls").table
    row = table[(table["TPR"] == f"{tpr:g}") & (table["FPR"] == f"{fpr:g}")].iloc[0]
    assert row["highest"] == f"{highest:.3f}"
    assert row["at"] == f"1:{peak:.2f}"
    for ratio in (1, 5, 10, 100, 1000):
        assert float(row[f"1:{ratio:,}"]) == pytest.approx(by_labels(tpr, fpr, ratio), abs=6e-4)


def by_labels(tpr, fpr, ratio, score=matthews_corrcoef):
    """Compute a score by scikit-learn, for 100 positives and a multiple of negatives."""
    labels = np.repeat([1, 0], [100, 100 * ratio])
    hits, alarms = round(100 * tpr), round(100 * ratio * fpr)
    calls = np.zeros(labels.size, dtype=int)
    calls[:hits] = 1
    calls[100 : 100 + alarms] = 1
    return score(labels, calls)


@pytest.mark.slow
def test_numbers_on_accuracy(decision):
    rows = decision("accuracy_of_nothing").table.set_index("level")
    random = np.random.default_rng(0).random((2, 1_000_000))
    for ratio in (1, 10, 100, 1000):
        row = rows.loc[f"1:{ratio:,}"]
        share = (random[0] < ratio * random[1]).mean()
        assert float(row["pairs of rates that lose"].rstrip(" %")) / 100 == pytest.approx(
            share, abs=5 * np.sqrt(share * (1 - share) / 1e6) + 1e-4
        )
        value = by_labels(0.9, 0.1, ratio, accuracy_score)
        assert float(row["accuracy at (0.9, 0.1)"]) == pytest.approx(value, abs=6e-5)
        thresholds = np.linspace(-2, 8, 200001)
        tails = norm.sf(thresholds - 2), norm.sf(thresholds)
        best = (tails[0] - ratio * tails[1]).argmax()
        assert float(row["TPR at the best accuracy"]) == pytest.approx(tails[0][best], rel=0.06)


@pytest.mark.slow
def test_identities_of_the_proof():
    positives, negatives, called, spared = tp + fn, fp + tn, tp + fp, fn + tn
    product = positives * negatives * called * spared
    mcc_squared = (tp * tn - fp * fn) ** 2 / product
    informedness = tp / positives + tn / negatives - 1
    markedness = tp / called + tn / spared - 1
    assert sympy.simplify(informedness * markedness - mcc_squared) == 0
    right = tp / positives * tn / negatives * tp / called * tn / spared
    wrong = fn / positives * fp / negatives * fp / called * fn / spared
    assert sympy.simplify(right - (tp * tn) ** 2 / product) == 0
    assert sympy.simplify(wrong - (fp * fn) ** 2 / product) == 0


@pytest.mark.slow
def test_where_the_least_rates_are():
    """MCC² without false alarms, and without misses; and that it moves as the proof says."""
    assert sympy.simplify(MCC_SQUARED.subs(v, 0) - r * u / (1 + r - u)) == 0
    assert sympy.simplify(MCC_SQUARED.subs(u, 1) - (1 - v) / (1 + r * v)) == 0
    assert sympy.solve(m**2 - r * u / (1 + r - u), u) == [m**2 * (r + 1) / (m**2 + r)]
    alarms = (1 - m**2) / (1 + r * m**2)
    assert sympy.simplify((1 - alarms) / (1 + r * alarms) - m**2) == 0
    assert sympy.simplify(1 / (1 + r * alarms) - (1 + r * m**2) / (1 + r)) == 0
    # With FPR = k·TPR the precision is given, and MCC² rises with the TPR.
    k = sympy.Symbol("k", positive=True)
    along = r * (1 - k) ** 2 * u / ((1 + k * r) * (1 + r - u * (1 + k * r)))
    assert sympy.simplify(MCC_SQUARED.subs(v, k * u) - along) == 0
    # With the TPR given, MCC² falls with the FPR up to the TPR: its slope has the sign of a
    # polynomial that is linear in the FPR, and negative where that is 0 and where it is the TPR.
    slope = sympy.factor(sympy.diff(MCC_SQUARED, v))
    size = (u + r * v) ** 2 * (1 - u + r * (1 - v)) ** 2
    sign = sympy.cancel(slope * size / (r * (u - v)))
    assert sympy.degree(sign, v) == 1
    assert sympy.simplify(sign.subs(v, 0) + u * (r + 1) * (r + 2 * (1 - u))) == 0
    assert sympy.simplify(sign.subs(v, u) + 2 * u * (r + 1) ** 2 * (1 - u)) == 0


@pytest.mark.slow
def test_the_formula_of_the_highest_mcc():
    inverse = (u + r * v) * (1 - u + r * (1 - v)) / r
    terms = u * (1 - u) / r + u * (1 - v) + v * (1 - u) + r * v * (1 - v)
    assert sympy.simplify(inverse - terms) == 0
    assert sympy.simplify((u - v) ** 2 / MCC_SQUARED - terms) == 0
    peak = sympy.sqrt(u * (1 - u) / (v * (1 - v)))
    assert sympy.simplify(sympy.diff(terms, r).subs(r, peak)) == 0
    assert sympy.simplify(sympy.diff(terms, r, 2) - 2 * u * (1 - u) / r**3) == 0
    places = {u: sympy.Rational(3, 5), v: sympy.Rational(1, 100)}
    at_peak = (u - v) / sympy.sqrt(terms.subs(r, peak))
    closed = sympy.sqrt(u * (1 - v)) - sympy.sqrt(v * (1 - u))
    assert sympy.simplify((at_peak - closed).subs(places)) == 0
    # The peak is at 1:1 where u(1 - u) = v(1 - v), so where v is u or 1 - u.
    assert set(sympy.solve(u * (1 - u) - v * (1 - v), v)) == {u, 1 - u}


def test_accuracy_against_constant_answers():
    """Every matrix of small classes: more accurate than a constant answer iff PPV, NPV > 1/2."""
    for hits, alarms, misses, spared in matrices(7):
        total = hits + alarms + misses + spared
        accuracy = Fraction(hits + spared, total)
        of_nothing = Fraction(alarms + spared, total)
        assert (accuracy < of_nothing) == (hits < alarms)
        if misses + spared and hits + misses and alarms + spared:
            tpr, fpr = Fraction(hits, hits + misses), Fraction(alarms, alarms + spared)
            odds = Fraction(hits + misses, alarms + spared)
            assert (accuracy < of_nothing) == (fpr > odds * tpr)
        if hits + alarms:
            assert (accuracy > of_nothing) == (Fraction(hits, hits + alarms) > Fraction(1, 2))
        if misses + spared:
            of_everything = Fraction(hits + misses, total)
            npv = Fraction(spared, misses + spared)
            assert (accuracy > of_everything) == (npv > Fraction(1, 2))
