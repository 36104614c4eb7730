"""Bounds by exact matrices, identities by SymPy, shares by counting."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import accuracy_score, matthews_corrcoef

from skewproof_studies.statements.bounds import CLASSIFIERS, best_ratio, least_rates

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
