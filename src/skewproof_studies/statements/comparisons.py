"""Statements of comparisons of metrics under imbalance."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import matplotlib
import numpy as np
import pandas as pd
import sympy
from matplotlib.figure import Figure
from scipy.optimize import brentq

from skewproof import ConfusionMatrix, Level, get_metric
from skewproof.core.metric import Metric
from skewproof.metrics import accuracy, bounded, f1, positive_likelihood_ratio
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
from skewproof.reporting.style import BLUE, MARKERS, STYLE, VERMILION
from skewproof.sensitivity import invariance
from skewproof_studies.statements.statement import Decision, Statement

Rates = tuple[Fraction, Fraction]
"""TPR and FPR."""

CURVE = BinormalCurve(mean=2)

RARE = 1000
"""Negatives per positive with rare positives."""

WORTHS = (20, 100, 1000)
"""Possible worths of a hit, in false alarms."""

EAGER, STRICT = (Fraction(9, 10), Fraction(1, 10)), (Fraction(6, 10), Fraction(1, 1000))
"""A classifier that finds many positives, and one that seldom raises an alarm."""


def gain(rates: Rates, ratio: int, worth: int) -> Fraction:
    """Return the gain of a classifier over calling nothing positive, as a share of the
    positives."""
    tpr, fpr = rates
    return tpr - fpr * ratio / worth


def turning_worth(first: Rates, second: Rates, ratio: int) -> Fraction:
    """Return the worth of a hit above which the first classifier, with more hits and alarms, is
    better."""
    return ratio * (first[1] - second[1]) / (first[0] - second[0])


def balanced_selection() -> Decision:
    """Decide whether balanced accuracy and the G-mean are good for selection."""
    balanced, g_mean = (
        best_point(key, CURVE, at=f"1:{RARE}") for key in ("balanced_accuracy", "g_mean")
    )
    rows = []
    for worth in WORTHS:
        wanted = best_point(f"(tp - fp/{worth})/(P + N)", CURVE, at=f"1:{RARE}")
        gains = [point.tpr - point.fpr * RARE / worth for point in (balanced, wanted)]
        rows.append((worth, f"{gains[0]:.3f}", f"{gains[1]:.3f}", f"{wanted.tpr:.3f}"))
    turn = turning_worth(EAGER, STRICT, RARE)
    values = [float((tpr + 1 - fpr) / 2) for tpr, fpr in (EAGER, STRICT)]
    gains = [float(gain(rates, RARE, WORTHS[0])) for rates in (EAGER, STRICT)]
    return Decision(
        verdict="true if",
        sentence=(
            "True of balanced accuracy if a hit is worth N/P false alarms, and of the G-mean if it "
            "is worth tn/tp of them: these are the numbers that they trade for a hit. "
            f"At 1:{RARE:,}, for normal scores two deviations apart, the best cut-off of "
            f"both finds {100 * balanced.tpr:.0f} % of the positives and raises "
            f"{balanced.alarms_per_hit:.0f} false alarms for each hit. If a hit is worth "
            f"{WORTHS[0]} false alarms, this loses {-float(rows[0][1]):.2f} hits for each "
            "positive, and calling nothing positive loses none. Between a classifier with TPR .9 "
            "and FPR .1 and one with .6 and .001, balanced accuracy selects the first "
            f"({values[0]:.2f} against {values[1]:.2f}), which is right if a hit is worth more "
            f"than {float(turn):.0f} false alarms."
        ),
        computed=(
            "Exchange rates come from the package. They are elementary derivatives: $\\partial "
            "m/\\partial tp$ divided by $-\\partial m/\\partial fp$ is $(1/P)/(1/N)$ for the mean "
            "of the two rates and $tn/tp$ for the square root of their product. On the curve with "
            f"means {CURVE.mean:g} deviations apart both metrics are highest at the middle "
            f"threshold, at TPR {balanced.tpr:.4f} and {g_mean.tpr:.4f}, at every level. The table "
            "compares the gain at the cut-off of balanced accuracy with that at the best cut-off, "
            "in hits for each positive, less the false alarms at their worth. For the two "
            f"classifiers the gains are {gains[0]:.2f} and {gains[1]:.2f} if a hit is worth "
            f"{WORTHS[0]} false alarms."
        ),
        table=pd.DataFrame(
            rows,
            columns=["a hit is worth", "gain, balanced accuracy", "best gain", "TPR of the best"],
        ),
    )


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


def calibration() -> Decision:
    """Decide whether calibration removes the dependence on prevalence."""
    turn = turning_reference(EAGER, CAREFUL)
    rows = []
    for ratio in (1, 10, 100):
        reference = Fraction(ratio)
        values = [float(calibrated_f1(rates, reference)) for rates in (EAGER, CAREFUL)]
        rows.append((f"1:{ratio}", *(f"{value:.3f}" for value in values)))
    drawn = [
        ConfusionMatrix.from_rates(0.9, 0.1, positives=100, negatives=100 * ratio)
        for ratio in (1, 10, 100)
    ]
    plain = [float(f1(matrix)) for matrix in drawn]
    return Decision(
        verdict="true if",
        sentence=(
            "True if the classifier keeps its rates: a metric of precision and recall at a "
            "reference prevalence is then a function of TPR and FPR alone. The choice of the "
            "reference decides which classifier wins. With TPR .9 and FPR .1 the calibrated F1 is "
            f"{rows[0][1]} at 1:1, against {rows[0][2]} for .6 and .01, and {rows[1][1]} against "
            f"{rows[1][2]} at 1:10. The two change places at 1:{float(turn):.3f}."
        ),
        computed=(
            "By algebra the calibrated precision is $u/(u + r_0 v)$ with $r_0$ negatives for each "
            "positive at the reference, whatever the ratio in the data. F1 itself changes with "
            f"the data, from {plain[0]:.3f} at 1:1 to {plain[-1]:.3f} at 1:100 for the first "
            "classifier. The two calibrated values are equal at $r_0 = (u(1 + u') - u'(1 + "
            f"u))/(u'v - uv')$, the root of a linear equation, here {turn}. If the reference is "
            "the prevalence of deployment, calibrating is what `at=` of this package does. "
            "Calibration does not keep the rates the same: they change if positives of another "
            "kind become frequent."
        ),
        table=pd.DataFrame(rows, columns=["reference", "TPR .9, FPR .1", "TPR .6, FPR .01"]),
    )


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


@lru_cache(maxsize=1)
def biases() -> pd.DataFrame:
    """Return the mean absolute difference of each metric, scaled to [0, 1], from its value at 1:1.

    Returns
    -------
    Frame with one row per metric and one column per pair of region and ratio.
    """
    columns = {}
    for region, least in REGIONS.items():
        steps = least + (1 - least) * (np.arange(RATES) + 0.5) / RATES
        tpr, tnr = np.meshgrid(steps, steps)
        balanced, *others = (
            ConfusionMatrix.from_rates(tpr, 1 - tnr, positives=1.0, negatives=float(ratio))
            for ratio in (1, *LUQUE_RATIOS)
        )
        for ratio, matrix in zip(LUQUE_RATIOS, others, strict=True):
            columns[region, ratio] = {
                name: float(np.abs(metric(matrix) - metric(balanced)).mean())
                for name, metric in ((LUQUE[key], _scaled(key)) for key in LUQUE)
            }
    return pd.DataFrame(columns)


def _scaled(key: str) -> Metric:
    return bounded(get_metric(key))


def overtaking_ratio() -> float:
    """Return the negatives per positive at which MCC has the bias of accuracy over all
    classifiers."""
    steps = (np.arange(RATES) + 0.5) / RATES
    tpr, tnr = np.meshgrid(steps, steps)

    def difference(log_ratio: float) -> float:
        imbalanced, balanced = (
            ConfusionMatrix.from_rates(tpr, 1 - tnr, positives=1.0, negatives=negatives)
            for negatives in (float(np.exp(log_ratio)), 1.0)
        )
        shifts = [np.abs(m(imbalanced) - m(balanced)).mean() for m in (_scaled("mcc"), accuracy)]
        return float(shifts[0] - shifts[1])

    low, high = (np.log(ratio) for ratio in (LUQUE_RATIOS[0], 10**6))
    return float(np.exp(brentq(difference, low, high, xtol=1e-6)))


def ranking_by_bias() -> Decision:
    """Decide whether a ranking of metrics by their bias under imbalance holds."""
    mean_biases = biases()
    moved = mean_biases[(mean_biases > 1e-9).all(axis=1)]
    shown = moved.map(lambda bias: f"{bias:.3f}")
    shown.columns = [f"{region}, 1:{ratio:,}" for region, ratio in shown.columns]
    null = [name for name in mean_biases.index if name not in moved.index]
    (everything, good), (some, many) = list(REGIONS), LUQUE_RATIOS
    least = [moved[everything, some].idxmin(), moved[good, many].idxmin()]
    pairs = [
        {name: f"{moved.loc[name, column]:.3f}" for name in ("MCC", "accuracy")}
        for column in ((everything, some), (everything, many), (good, some), (good, many))
    ]
    return Decision(
        verdict="true if",
        sentence=(
            "True if every pair of rates is as likely as any other and positives are not rarer "
            f"than about 1:{float(f'{overtaking_ratio():.2g}'):,.0f}. By algebra "
            f"{', '.join(null[:-1])} and {null[-1]} have no bias. Of the others {least[0]} has the "
            f"smallest bias at 1:{some}: the mean shift from 1:1 is {pairs[0]['MCC']} for MCC and "
            f"{pairs[0]['accuracy']} for accuracy, on a scale from 0 to 1. At 1:{many:,} the two "
            f"are nearly equal ({pairs[1]['MCC']} and {pairs[1]['accuracy']}). Among good "
            f"classifiers, with TPR and TNR above .9, the order is reversed: {pairs[2]['MCC']} and "
            f"{pairs[2]['accuracy']} at 1:{some}, and {pairs[3]['MCC']} and {pairs[3]['accuracy']} "
            f"at 1:{many:,}, where {least[1]} has the smallest bias."
        ),
        computed=(
            "The bias of a metric at given rates and level is its value there minus its value at "
            "1:1, with metrics scaled to [0, 1]. The table has the mean absolute bias over a grid "
            "of rates, for the metrics with a bias. For accuracy over all rates it is (*r* - "
            "1)/(6(*r* + 1)), which tends to a sixth as positives become rare. The level beyond "
            "which that of MCC is larger was found as a root. A ranking by bias depends on the "
            "metrics and on the distribution of classifiers. Only a metric that is proved to have "
            "no bias has no bias over every distribution."
        ),
        table=shown.sort_values(shown.columns[0]).rename_axis("metric").reset_index(),
        figure=_bias_figure(moved),
        caption=(
            "Mean shift of six metrics from their value at 1:1, over all classifiers (left) and "
            "good ones (right)."
        ),
    )


def _bias_figure(moved: pd.DataFrame) -> Figure:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6, 2.6), layout="constrained")
        panels = figure.subplots(1, len(REGIONS), sharey=True)
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


def properties() -> Decision:
    """Decide which metrics depend on prevalence, and how calibration changes them."""
    levels = Level(1, RARE), Level(1, 1)
    rows = []
    for key, name in CALIBRATED.items():
        stays = invariance(get_metric(key), *levels, positives=100).verdict == "same"
        formula = str(calibrated_formula(key)).replace("**", "^").replace("*", "·")
        rows.append((name, "no" if stays else "yes", formula))
    recalls = [float((u + 1 - v) / 2) for u, v in (BALANCE_WINS, MCC_WINS)]
    squares = [float(calibrated_mcc_squared(rates)) ** 0.5 for rates in (BALANCE_WINS, MCC_WINS)]
    return Decision(
        verdict="proved",
        sentence=(
            "Proved for two classes: of accuracy, macro recall, kappa, MCC and F1, only macro "
            "recall does not depend on the prevalence, and the others no longer do if they are "
            "computed at 1:1. Accuracy is then macro recall itself and kappa is twice macro "
            "recall minus 1, so the three give one ordering. MCC gives another: with TPR .78 and "
            f"FPR .25 macro recall is {recalls[0]:.3f} and MCC {squares[0]:.3f}; with .5 and 0 "
            f"they are {recalls[1]:.3f} and {squares[1]:.3f}."
        ),
        computed=(
            "The package decides invariance by a formula without the class sizes or by two exact "
            "values that differ. The formula of a metric at 1:1 is its declaration at the matrix "
            "*u*, *v*, 1 - *u*, 1 - *v*, simplified by SymPy. Nothing is decided here for more "
            "than two classes. Monotonicity was tested as well, in all matrices of up to 9 "
            "instances. One more correct call never lowers any of the five. One more mistake "
            "raises only kappa, and only if it is worse than chance: it rises from -1 to -0.8 if "
            "a false alarm is added to one false alarm and one miss."
        ),
        table=pd.DataFrame(rows, columns=["metric", "depends on prevalence", "at 1:1"]),
    )


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


def comparable_between_data_sets() -> Decision:
    """Decide whether metrics of rates can be compared between data sets."""
    levels = Level(1, RARE), Level(1, 1)
    rows = []
    for key, comparable in COMPARED.items():
        metric = get_metric(key)
        verdict = invariance(metric, *levels, positives=100).verdict
        rows.append((metric.name, "yes" if comparable else "no", verdict))
    rates = [of_mixture(severe) for severe in (SCREENING, REFERRAL)]
    balanced = [float((tpr + 1 - fpr) / 2) for tpr, fpr in rates]
    matrices = [
        ConfusionMatrix.from_rates(float(tpr), float(fpr), positives=1, negatives=1)
        for tpr, fpr in rates
    ]
    ratios = [float(positive_likelihood_ratio(matrix)) for matrix in matrices]
    return Decision(
        verdict="true if",
        sentence=(
            "True if the cut-off stays the same and both classes keep the distribution of their "
            "scores. Then sensitivity, specificity, balanced accuracy and LR+ stay the same, and "
            "F1, MCC and kappa change: this is proved for each. Otherwise it can be false. For "
            f"example, let two places find mild positives with probability {float(MILD)} and "
            f"severe ones with {float(SEVERE)}. A place where a share of {float(SCREENING)} of the "
            f"positives is severe has a balanced accuracy of {balanced[0]:.3f}, and one with "
            f"{float(REFERRAL)} has {balanced[1]:.3f}; LR+ is {ratios[0]:.1f} and {ratios[1]:.1f}. "
            "F1 can be compared as well if both values are projected to the same prevalence."
        ),
        computed=(
            "The package decides invariance, at 1:1,000 compared with 1:1. The counterexample has "
            "the same classifier and the same rates within mild and within severe positives, with "
            f"an FPR of {float(FALSE_ALARMS)}. Only the mixture differs, as it does between "
            "screening and referral, and the prevalence need not differ at all. This is known as "
            "the spectrum effect. The values are exact fractions."
        ),
        table=pd.DataFrame(
            rows, columns=["metric", "said to be comparable", "1:1,000 against 1:1"]
        ),
    )


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


def expected_cost() -> Decision:
    """Decide which metrics are expected costs."""
    rates = {key: constant_exchange(key) for key in PRICED}
    rows = [
        (name, "differs" if rates[key] is None else str(rates[key])) for key, name in PRICED.items()
    ]
    priced = [PRICED[key] for key, rate in rates.items() if rate is not None]
    others = [PRICED[key] for key, rate in rates.items() if rate is None]
    pair = ConfusionMatrix.from_rates([0.9, 0.5], [0.1, 0.05], positives=100, negatives=1000)
    worths = {key: exchange_rate(key)(pair) for key in ("f1", "mcc")}
    return Decision(
        verdict="proved",
        sentence=(
            "Proved: in classes of given sizes, a metric orders classifiers as an expected cost "
            "does if and only if its exchange rate is the same number for all of them. This holds "
            f"for {', '.join(priced[:-1])} and {priced[-1]}, with costs that are equal or "
            "inversely proportional to the class sizes. It does not hold for "
            f"{', '.join(others[:-1])} and {others[-1]}: at 1:10, F1 trades {worths['f1'][0]:.2f} "
            f"false alarms for a hit at TPR .9 and FPR .1, and {worths['f1'][1]:.2f} at .5 and "
            f".05; MCC trades {worths['mcc'][0]:.2f} and {worths['mcc'][1]:.2f}. So no fixed costs "
            "of mistakes correspond to these metrics."
        ),
        computed=(
            "With classes of given sizes an expected cost is linear in tp and fp, so its lines of "
            "equal value are parallel, and the exchange rate, which is their slope, is constant. "
            "Conversely, if the rate is constant, the metric is a function of *c*·tp - fp. "
            "Exchange rates come from the package, with fn = P - tp and tn = N - fp inserted and "
            "simplified by SymPy. An expected cost with stated prior probabilities depends on the "
            "rates alone, whatever the prevalence of the sample. The costs and the priors have to "
            "be known."
        ),
        table=pd.DataFrame(rows, columns=["metric", "false alarms for a hit"]),
    )


METRICS_RELOADED = (
    "Maier-Hein, L., Reinke, A., et al. (2024). Metrics reloaded: recommendations for image "
    "analysis validation. Nature Methods 21, 195-212. doi:10.1038/s41592-023-02151-z"
)

STATEMENTS = (
    Statement(
        name="balanced_accuracy_selects",
        claim=(
            "On imbalanced data, balanced accuracy or the G-mean should select classifiers and "
            "cut-offs."
        ),
        source=(
            "Kubat, M., and Matwin, S. (1997). Addressing the curse of imbalanced training sets: "
            "one-sided selection. ICML, 179-186; Brodersen, K. H., et al. (2010). The balanced "
            "accuracy and its posterior distribution. ICPR, 3121-3124. doi:10.1109/ICPR.2010.764"
        ),
        read="from memory",
        decide=balanced_selection,
        recompute="""\
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
point = best_point("balanced_accuracy", BinormalCurve(mean=2), at="1:1000")
print(round(point.tpr, 2), round(point.alarms_per_hit), round(point.tpr - 50 * point.fpr, 2))
print(exchange_rate("g_mean").formula, round(1000 * (0.1 - 0.001) / (0.9 - 0.6)))
""",
    ),
    Statement(
        name="calibration_removes_prevalence",
        claim=(
            "Metrics calibrated to a reference prevalence do not depend on the prevalence of the "
            "data."
        ),
        source=(
            "Siblini, W., Fréry, J., He-Guelton, L., Oblé, F., and Wang, Y.-Q. (2020). Master your "
            "metrics with calibration. IDA, 457-469. arXiv:1909.02827"
        ),
        read="abstract",
        decide=calibration,
        recompute="""\
from skewproof import ConfusionMatrix, project
from skewproof.metrics import f1
pair = ConfusionMatrix.from_rates([0.9, 0.6], [0.1, 0.01], positives=100, negatives=700)
for reference in ("1:1", "1:10"):
    print(reference, f1(project(pair, at=reference)).round(3))
""",
    ),
    Statement(
        name="ranking_by_bias",
        claim=(
            "Under imbalance the G-mean and informedness have no bias, and MCC has the least bias "
            "of the metrics that also consider errors."
        ),
        source=(
            "Luque, A., Carrasco, A., Martín, A., and de las Heras, A. (2019). The impact of class "
            "imbalance in classification performance metrics based on the binary confusion matrix. "
            "Pattern Recognition 91, 216-231. doi:10.1016/j.patcog.2019.02.023"
        ),
        read="abstract",
        decide=ranking_by_bias,
        recompute="""\
import numpy as np
from skewproof import ConfusionMatrix, project
from skewproof.metrics import accuracy, bounded, mcc
rates = np.meshgrid(*[0.9 + (np.arange(200) + 0.5) / 2000] * 2)
even = ConfusionMatrix.from_rates(rates[0], 1 - rates[1], positives=1000, negatives=1000)
for m in (bounded(mcc), accuracy):
    print(m.key, np.abs(m(project(even, at="1:1000")) - m(even)).mean().round(3))
""",
    ),
    Statement(
        name="prevalence_invariance",
        claim=(
            "Macro recall does not depend on prevalence, and calibration removes the dependence "
            "from other metrics."
        ),
        source=(
            "Opitz, J. (2024). A closer look at classification evaluation metrics and a critical "
            "reflection of common evaluation practice. TACL 12, 820-836. "
            "doi:10.1162/tacl_a_00675, arXiv:2404.16958"
        ),
        read="abstract",
        decide=properties,
        recompute="""\
from skewproof import ConfusionMatrix
from skewproof.metrics import accuracy, balanced_accuracy, cohen_kappa, mcc
even = ConfusionMatrix.from_rates([0.78, 0.5], [0.25, 0], positives=1, negatives=1)
for metric in (balanced_accuracy, accuracy, cohen_kappa, mcc):
    print(metric.key, metric(even).round(3))
""",
    ),
    Statement(
        name="rates_compare_data_sets",
        claim=(
            "Sensitivity, specificity, balanced accuracy and LR+ can be compared between data "
            "sets; F1, MCC and kappa cannot."
        ),
        source=METRICS_RELOADED,
        read="abstract",
        decide=comparable_between_data_sets,
        recompute="""\
for severe in (0.2, 0.8):
    tpr = 0.5 + severe * (0.95 - 0.5)
    print(severe, round((tpr + 0.95) / 2, 3), round(tpr / 0.05, 1))
""",
    ),
    Statement(
        name="expected_cost",
        claim=(
            "Expected cost includes accuracy and balanced accuracy, and should be preferred where "
            "costs are known."
        ),
        source=(
            f"{METRICS_RELOADED}; Ferrer, L. (2022). Analysis and comparison of classification "
            "metrics. arXiv:2209.05355"
        ),
        read="abstract",
        decide=expected_cost,
        recompute="""\
from skewproof import ConfusionMatrix
from skewproof.operating_points import exchange_rate
pair = ConfusionMatrix.from_rates([0.9, 0.5], [0.1, 0.05], positives=100, negatives=1000)
for key in ("accuracy", "balanced_accuracy", "f1", "mcc"):
    print(key, exchange_rate(key)(pair).round(2))
""",
    ),
)
