"""Statements of comparisons of metrics under imbalance."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd
import sympy
from matplotlib.figure import Figure
from scipy.optimize import brentq

from skewproof import ConfusionMatrix, Level, get_metric
from skewproof.core.algebra import Value
from skewproof.core.metric import Metric
from skewproof.metrics import accuracy, bounded, f1, mcc
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
from skewproof.reporting.style import BLUE, MARKERS, VERMILION
from skewproof.sensitivity import invariance
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.statement import Computation, read_statements

Rates = tuple[Fraction, Fraction]
"""TPR and FPR."""

CURVE = BinormalCurve(mean=2)

RARE = 1000
"""Negatives per positive with rare positives."""

WORTHS = (20, 100, 1000)
"""Possible worths of a hit, in false alarms."""

EAGER, STRICT = (Fraction(9, 10), Fraction(1, 10)), (Fraction(6, 10), Fraction(1, 1000))
"""A classifier that finds many positives, and one that seldom raises an alarm."""


def gain(rates: tuple[Value, Value], ratio: int, worth: int) -> Value:
    """Return the gain of a classifier over calling nothing positive, as a share of the
    positives."""
    tpr, fpr = rates
    return tpr - fpr * ratio / worth


def turning_worth(first: Rates, second: Rates, ratio: int) -> Fraction:
    """Return the worth of a hit above which the first classifier, with more hits and alarms, is
    better."""
    return ratio * (first[1] - second[1]) / (first[0] - second[0])


def balanced_accuracy_selects() -> Computation:
    """Compute whether balanced accuracy and the G-mean are good for selection."""
    balanced, g_mean = (
        best_point(key, CURVE, at=f"1:{RARE}") for key in ("balanced_accuracy", "g_mean")
    )
    rows = []
    for worth in WORTHS:
        wanted = best_point(f"(tp - fp/{worth})/(P + N)", CURVE, at=f"1:{RARE}")
        gains = (gain((point.tpr, point.fpr), RARE, worth) for point in (balanced, wanted))
        rows.append((worth, *gains, wanted.tpr))
    eager, strict = (
        {"balanced_accuracy": (tpr + 1 - fpr) / 2, "gain": gain((tpr, fpr), RARE, WORTHS[0])}
        for tpr, fpr in (EAGER, STRICT)
    )
    values = {
        "rare": RARE,
        "worth": WORTHS[0],
        "mean": CURVE.mean,
        "balanced": balanced,
        "g_mean": g_mean,
        "eager": eager,
        "strict": strict,
        "turn": turning_worth(EAGER, STRICT, RARE),
    }
    return Computation(rows, values)


CAREFUL = (Fraction(6, 10), Fraction(1, 100))
"""Classifier whose calibrated F1 exceeds that of the eager one for some references."""


def calibrated_f1(rates: Rates, ratio: Fraction) -> Fraction:
    """Return F1 of given rates at a ratio of negatives per positive."""
    tpr, fpr = rates
    return 2 * tpr / (1 + tpr + ratio * fpr)


def turning_reference(first: Rates, second: Rates) -> Fraction:
    """Return the ratio of the reference at which two classifiers have the same calibrated F1."""
    (u, v), (x, y) = first, second
    return (u * (1 + x) - x * (1 + u)) / (x * v - u * y)


def calibration_removes_prevalence() -> Computation:
    """Compute whether calibration removes the dependence on prevalence."""
    rows = [
        (ratio, *(calibrated_f1(rates, Fraction(ratio)) for rates in (EAGER, CAREFUL)))
        for ratio in (1, 10, 100)
    ]
    plain = [
        f1(ConfusionMatrix.from_rates(0.9, 0.1, positives=100, negatives=100 * ratio))
        for ratio in (1, 100)
    ]
    return Computation(rows, {"plain": plain, "turn": turning_reference(EAGER, CAREFUL)})


LUQUE = {
    "true_positive_rate": "TPR",
    "true_negative_rate": "TNR",
    "precision": "precision",
    "negative_predictive_value": "NPV",
    "accuracy": "accuracy",
    "f1": "F1",
    "g_mean": "G-mean",
    "mcc": "MCC",
    "youden_j": "informedness",
    "markedness": "markedness",
}
"""Luque's ten metrics, cited from memory."""

RATES = 200
"""Number of rates along each axis, the midpoints of equal steps."""

LUQUE_RATIOS = (10, 1000)

REGIONS = {"all": 0.0, "both rates above .9": 0.9}
"""Smallest TPR and TNR of each set of classifiers."""


def mean_bias(metric: Metric, ratio: float, *, least: float = 0.0) -> float:
    """Return the mean absolute difference of a metric from its value at 1:1, over all classifiers
    with both rates above a least one.

    Parameters
    ----------
    metric
        The metric, which is scaled to [0, 1].
    ratio
        Negatives per positive.
    """
    scaled = bounded(metric)
    steps = least + (1 - least) * (np.arange(RATES) + 0.5) / RATES
    tpr, tnr = np.meshgrid(steps, steps)
    imbalanced, balanced = (
        scaled(ConfusionMatrix.from_rates(tpr, 1 - tnr, positives=1.0, negatives=negatives))
        for negatives in (float(ratio), 1.0)
    )
    return float(np.abs(imbalanced - balanced).mean())


@lru_cache(maxsize=1)
def biases() -> pd.DataFrame:
    """Return the mean bias of each metric, with one row per metric and one column per pair of
    region and ratio."""
    return pd.DataFrame(
        {
            (region, ratio): {
                name: mean_bias(get_metric(key), ratio, least=least) for key, name in LUQUE.items()
            }
            for region, least in REGIONS.items()
            for ratio in LUQUE_RATIOS
        }
    )


def overtaking_ratio() -> float:
    """Return the negatives per positive at which MCC has the bias of accuracy over all
    classifiers."""

    def difference(log_ratio: float) -> float:
        ratio = float(np.exp(log_ratio))
        return mean_bias(mcc, ratio) - mean_bias(accuracy, ratio)

    low, high = (np.log(ratio) for ratio in (LUQUE_RATIOS[0], 10**6))
    return float(np.exp(brentq(difference, low, high, xtol=1e-6)))


def ranking_by_bias() -> Computation:
    """Compute whether a ranking of metrics by their bias under imbalance holds."""
    mean_biases = biases()
    moved = mean_biases[(mean_biases > 1e-9).all(axis=1)]
    (everything, good), (some, many) = REGIONS, LUQUE_RATIOS
    values = {
        "ratios": LUQUE_RATIOS,
        "turn": float(f"{overtaking_ratio():.2g}"),
        "without_bias": [name for name in mean_biases.index if name not in moved.index],
        "least": moved[everything, some].idxmin(),
        "least_of_good": moved[good, many].idxmin(),
        "mcc": moved.loc["MCC"].tolist(),
        "accuracy": moved.loc["accuracy"].tolist(),
    }
    # Rounded, since precision and NPV have the same bias but for the last digits.
    ranked = moved.round(9).sort_values((everything, some), kind="stable")
    rows = list(ranked.itertuples(name=None))
    return Computation(rows, values, _bias_figure(moved))


def _bias_figure(moved: pd.DataFrame) -> Figure:
    with styled_figure((6, 2.6), 1, len(REGIONS), sharey=True) as (figure, panels):
        for axes, region in zip(panels, REGIONS, strict=True):
            for number, ratio in enumerate(LUQUE_RATIOS):
                axes.plot(
                    moved[region, ratio],
                    moved.index,
                    linestyle="none",
                    marker=MARKERS[number],
                    color=(BLUE, VERMILION)[number],
                    label=f"1:{ratio:,}",
                )
            axes.set(title=region, xlabel="mean shift from 1:1")
        panels[0].legend(frameon=False)
    return figure


BALANCE_WINS, MCC_WINS = (Fraction(78, 100), Fraction(25, 100)), (Fraction(1, 2), Fraction(0))
"""Classifiers that macro recall and a calibrated MCC order in opposite ways."""


def calibrated_mcc_squared(rates: Rates) -> Fraction:
    """Return the square of MCC at 1:1."""
    tpr, fpr = rates
    called = (tpr + fpr) / 2
    return (tpr - fpr) ** 2 / (4 * called * (1 - called))


CALIBRATED = {
    "balanced_accuracy": "macro recall",
    "accuracy": "accuracy",
    "cohen_kappa": "kappa",
    "mcc": "MCC",
    "f1": "F1",
}


def calibrated_formula(key: str) -> sympy.Expr:
    """Return a metric at 1:1 as a function of the rates u and v."""
    u, v = sympy.symbols("u v", positive=True)
    matrix = ConfusionMatrix(tp=u, fp=v, fn=1 - u, tn=1 - v)
    return sympy.factor(sympy.simplify(get_metric(key)(matrix)))


def prevalence_invariance() -> Computation:
    """Compute which metrics depend on prevalence, and how calibration changes them."""
    levels = Level(1, RARE), Level(1, 1)
    rows = []
    for key, name in CALIBRATED.items():
        stays = invariance(get_metric(key), *levels, positives=100).verdict == "same"
        formula = str(calibrated_formula(key)).replace("**", "^").replace("*", "·")
        rows.append((name, "no" if stays else "yes", formula))
    values = {
        "recalls": [(tpr + 1 - fpr) / 2 for tpr, fpr in (BALANCE_WINS, MCC_WINS)],
        "mccs": [float(calibrated_mcc_squared(rates)) ** 0.5 for rates in (BALANCE_WINS, MCC_WINS)],
    }
    return Computation(rows, values)


COMPARED = {
    "true_positive_rate": True,
    "true_negative_rate": True,
    "balanced_accuracy": True,
    "positive_likelihood_ratio": True,
    "f1": False,
    "mcc": False,
    "cohen_kappa": False,
}
"""Metrics and whether they are said to be comparable between data sets."""

MILD, SEVERE, FALSE_ALARMS = Fraction(1, 2), Fraction(19, 20), Fraction(1, 20)
"""TPR among mild and among severe positives, and FPR."""

SCREENING, REFERRAL = Fraction(1, 5), Fraction(4, 5)
"""Shares of severe cases among the positives at two places."""


def of_mixture(severe: Fraction) -> Rates:
    """Return TPR and FPR if a share of the positives is severe."""
    return MILD + severe * (SEVERE - MILD), FALSE_ALARMS


def rates_compare_data_sets() -> Computation:
    """Compute whether metrics of rates can be compared between data sets."""
    levels = Level(1, RARE), Level(1, 1)
    rows = []
    for key, comparable in COMPARED.items():
        metric = get_metric(key)
        verdict = invariance(metric, *levels, positives=100).verdict
        rows.append((metric.name, "yes" if comparable else "no", verdict))
    places = []
    for severe in (SCREENING, REFERRAL):
        tpr, fpr = of_mixture(severe)
        places.append(
            {"severe": severe, "balanced_accuracy": (tpr + 1 - fpr) / 2, "ratio": tpr / fpr}
        )
    values = {"mild": MILD, "severe": SEVERE, "fpr": FALSE_ALARMS, "places": places}
    return Computation(rows, values)


PRICED = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "youden_j": "informedness",
    "cohen_kappa_i": "kappa at 1:1",
    "g_mean": "G-mean",
    "f1": "F1",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "mcc": "MCC",
    "cohen_kappa": "kappa",
}


def constant_exchange(key: str) -> sympy.Expr | None:
    """Return the exchange rate in P and N if it is the same for all classifiers; otherwise None."""
    formula = exchange_rate(key).formula
    cells = {str(symbol): symbol for symbol in formula.free_symbols}
    tp, fp, positives, negatives = sympy.symbols("tp fp P N", positive=True)
    values = {"tp": tp, "fp": fp, "fn": positives - tp, "tn": negatives - fp}
    rate = sympy.simplify(formula.subs({cells[name]: values[name] for name in cells}))
    return None if rate.has(tp) or rate.has(fp) else rate


def expected_cost() -> Computation:
    """Compute which metrics are expected costs."""
    rates = {key: constant_exchange(key) for key in PRICED}
    rows = [
        (name, "differs" if rates[key] is None else str(rates[key])) for key, name in PRICED.items()
    ]
    pair = ConfusionMatrix.from_rates([0.9, 0.5], [0.1, 0.05], positives=100, negatives=1000)
    values = {
        "priced": [name for name, rate in rows if rate != "differs"],
        "others": [name for name, rate in rows if rate == "differs"],
        "f1": exchange_rate("f1")(pair),
        "mcc": exchange_rate("mcc")(pair),
    }
    return Computation(rows, values)


STATEMENTS = read_statements(
    "comparisons",
    ranking_by_bias,
    balanced_accuracy_selects,
    calibration_removes_prevalence,
    prevalence_invariance,
    rates_compare_data_sets,
    expected_cost,
)
