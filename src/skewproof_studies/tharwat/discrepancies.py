"""Places where Tharwat's text, formulas and numbers contradict each other, with evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.metrics import roc_curve

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.curves.areas.area import area
from skewproof.curves.precision_recall import precision_recall_curve
from skewproof.curves.thresholds import equal_error_rate
from skewproof.metrics import get_metric
from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies
from skewproof_studies.reporting.printed import rounds_to
from skewproof_studies.tharwat.claims import CLASS_SIZES, shifts_of
from skewproof_studies.tharwat.examples import (
    FIRST_IRIS_CLASS,
    IRIS_METRICS,
    METRIC_KEYS,
    ROC_POINT,
    TWO_CLASS_MATRICES,
)
from skewproof_studies.tharwat.twenty_samples import SCORES, TRUE_LABELS, table_1

BALANCED, IMBALANCED = TWO_CLASS_MATRICES.values()
"""The matrices of Section 2.9.1: a classifier with 100 negatives, and with 1000."""


def discrepancies(comparison: pd.DataFrame) -> list[Discrepancy]:
    """Check every known discrepancy.

    Parameters
    ----------
    comparison
        Result of :func:`skewproof_studies.tharwat.examples.compare_with_printed`.
    """
    entries = comparison.set_index(["section", "item"])
    return [
        error_rate_as_eer(),
        youden_range(),
        mcc_by_rates(),
        f_measure_of_more_negatives(),
        slight_change_of_agm(),
        optimized_precision(entries),
        which_class_is_recognized(),
        ranges_of_scores(),
        number_of_negatives(entries),
        when_curves_may_be_compared(),
        recall_of_the_new_point(),
        recall_and_threshold(),
        perfect_precision_recall_curve(),
        first_iris_class(comparison),
    ]


def error_rate_as_eer() -> Discrepancy:
    """Check the abbreviation EER, which stands for two error rates."""
    error_rate = 1 - table_1()["accuracy_percent"].max() / 100
    equal = equal_error_rate(TRUE_LABELS, SCORES).rate
    return Discrepancy(
        place="Section 2.2: EER for the error rate",
        printed="EER = 1 - Acc.",
        meant="ERR, as in the line before; EER is the equal error rate of Section 6.",
        evidence=f"on the 20 samples of Table 1 the smallest error rate is {error_rate:.2f}, the"
        f" equal error rate {equal:.2f}.",
        shown=not np.isclose(error_rate, equal),
    )


def youden_range() -> Discrepancy:
    """Check the range of Youden's index, which can be negative."""
    worst = float(get_metric("youden_j")(ConfusionMatrix(tp=0, fp=1, fn=1, tn=0)))
    return Discrepancy(
        place="Section 2.7: the range of Youden's index",
        printed="from zero for a poor test to one.",
        meant="from -1.",
        evidence=f"it is {worst:g} if all instances are wrong.",
        shown=worst < 0,
    )


def mcc_by_rates() -> Discrepancy:
    """Check the second form of Eq. 11, whose letters stand for other numbers in its source."""
    c, total = BALANCED, float(BALANCED.total)
    true = float(
        (c.tp * c.tn - c.fp * c.fn)
        / np.sqrt(c.predicted_positives * c.positives * c.negatives * c.predicted_negatives)
    )
    as_printed = _second_form(float(c.tp / c.negatives), float(c.tpr), float(c.ppv))
    shares = (float(count) / total for count in (c.tp, c.positives, c.predicted_positives))
    corrected = _second_form(*shares)
    return Discrepancy(
        place="Eq. 11: the second form of MCC",
        printed="(TP/N - TPR·PPV)/√(PPV·TPR·(1 - TPR)·(1 - PPV)).",
        meant="the same with P + N for N, the share of positives (TP + FN)/(P + N) for TPR, and the"
        " share of positive calls (TP + FP)/(P + N) for PPV.",
        evidence="for the matrix of Section 2.9.1 with 100 negatives the first form gives"
        f" {true:.4f}, the second {as_printed:.4f}, corrected {corrected:.4f}.",
        shown=bool(not np.isclose(as_printed, true) and np.isclose(corrected, true)),
    )


def _second_form(hits: float, first: float, second: float) -> float:
    return (hits - first * second) / float(np.sqrt(first * second * (1 - first) * (1 - second)))


def f_measure_of_more_negatives() -> Discrepancy:
    """Check the formula of the F-measure with a multiple of the negatives."""
    c, factor = BALANCED, float(IMBALANCED.negatives / BALANCED.negatives)
    as_printed = 2 * c.tp / (2 * c.tp + factor * c.fp + factor * c.fn)
    corrected = 2 * c.tp / (2 * c.tp + factor * c.fp + c.fn)
    computed = float(get_metric("f1")(IMBALANCED))
    return Discrepancy(
        place="Section 2.8: the F-measure with α times as many negatives",
        printed="2TP/(2TP + αFP + αFN).",
        meant="2TP/(2TP + αFP + FN): false negatives are positives, so their number stays.",
        evidence=f"at α = {factor:g} the example of Section 2.9.1 has {computed:.3f}, as printed"
        f" there. The formula gives {as_printed:.3f}, corrected {corrected:.3f}.",
        shown=bool(not np.isclose(as_printed, computed) and np.isclose(corrected, computed)),
    )


def slight_change_of_agm() -> Discrepancy:
    """Check whether AGM's change is slight, which depends on the number of instances."""
    level, baseline = Level(1, 1000), Level(1, 1)
    metric = get_metric("adjusted_g_mean")
    shifts = {size: shifts_of(metric, level, baseline, size).largest_shift for size in CLASS_SIZES}
    accuracy = shifts_of(get_metric("accuracy"), level, baseline, CLASS_SIZES[0]).largest_shift
    return Discrepancy(
        place="Section 2.8: AGM is slightly affected",
        printed='"changing the distribution of negative class has a small influence on the AGM'
        ' metric".',
        meant="this holds with many negatives at both class sizes. Eq. 16 has their number;"
        " Batuwita and Palade use their share.",
        evidence=f"the largest shift over all classifiers from {baseline} to {level} is"
        f" {', '.join(f'{shift:.4f} with P = {size}' for size, shift in shifts.items())}."
        f" With P = {CLASS_SIZES[0]} accuracy changes as much ({accuracy:.4f}), and the article"
        " calls it sensitive.",
        shown=bool(np.isclose(shifts[CLASS_SIZES[0]], accuracy, rtol=1e-6)),
    )


def optimized_precision(entries: pd.DataFrame) -> Discrepancy:
    """Check a number that was computed from a rounded one."""
    entry, c = entries.loc["2.9.1 imbalanced", "OP"], IMBALANCED
    relation = float(abs(c.tpr - c.tnr) / (c.tpr + c.tnr))
    rounded = round(float(get_metric("accuracy")(c)), 2)
    return Discrepancy(
        place="Section 2.9.1: OP of the imbalanced example",
        printed=f"{entry['printed']}.",
        meant=f"{entry['computed']:.3f}.",
        evidence=f"OP is {entry['computed']:.5f}; with the accuracy rounded to {rounded} it is"
        f" {rounded - relation:.5f}.",
        shown=bool(not entry["agrees"] and rounds_to(rounded - relation, entry["printed"])),
    )


def which_class_is_recognized() -> Discrepancy:
    """Check which class is recognized better at the best accuracy of Table 1."""
    scan = table_1()
    best = scan.loc[scan["accuracy_percent"].idxmax()]
    tnr, npv = 1 - best["FPR"], best["TN"] / (best["TN"] + best["FN"])
    return Discrepancy(
        place="Section 3: which class the model identifies better",
        printed='at the best accuracy, "identifies positive samples better than negative samples".',
        meant="the negatives by the rates, and the positives by the predictive values.",
        evidence=f"at the threshold {best['threshold']:g} TPR is {best['TPR']:.2f} and TNR"
        f" {tnr:.2f}, PPV {best['PPV']:.2f} and NPV {npv:.2f}.",
        shown=bool(best["TPR"] < tnr),
    )


def ranges_of_scores() -> Discrepancy:
    """Check whether a ROC curve depends on the range of the scores; only their order matters."""
    moved = 2 * SCORES - 1
    curves = [
        np.array(roc_curve(TRUE_LABELS, scores, drop_intermediate=False)[:2])
        for scores in (SCORES, moved)
    ]
    areas = [area("auc", TRUE_LABELS, scores) for scores in (SCORES, moved)]
    return Discrepancy(
        place="Section 3: classifiers with scores in [0, 1] and in [-1, 1]",
        printed='"we cannot compare these classifiers using the ROC curve".',
        meant="their thresholds cannot be compared. Their curves can, since only the order of the"
        " scores matters.",
        evidence="with the scores s of Table 1 replaced by 2s - 1 the curve has the same"
        f" {curves[1].shape[1]} points, and the AUC is {areas[1]:.2f} as before ({areas[0]:.2f}).",
        shown=bool(np.array_equal(curves[0], curves[1]) and areas[0] == areas[1]),
    )


def when_curves_may_be_compared() -> Discrepancy:
    """Check whether a comparison of ROC curves needs equal class ratios."""
    points = [
        ConfusionMatrix.from_rates(**ROC_POINT, positives=1000, negatives=negatives)
        for negatives in (1000, 10_000)
    ]
    areas = [float(get_metric("balanced_accuracy")(point)) for point in points]
    precisions = [float(point.ppv) for point in points]
    return Discrepancy(
        place="Section 3: when classifiers may be compared by ROC curves",
        printed="on several datasets only if size and ratio of the classes are the same.",
        meant='the ratio may differ: "ROC curves are robust against any changes to class'
        ' distributions", as the same section says.',
        evidence="the curve through the article's point (0.2, 0.5) has the area"
        f" {areas[0]:.2f} with 1000 negatives and {areas[1]:.2f} with 10 000, while the precision"
        f" falls from {precisions[0]:.2f} to {precisions[1]:.2f}.",
        shown=bool(np.isclose(areas[0], areas[1]) and precisions[1] < precisions[0]),
    )


def number_of_negatives(entries: pd.DataFrame) -> Discrepancy:
    """Check a number of negatives for a missing zero."""
    entry = entries.loc["3", "negatives at 1000:10000"]
    recognized = entries.loc["3", "true negatives at 1000:10000"]["printed"]
    return Discrepancy(
        place="Section 3: the number of negatives at 1000:10 000",
        printed=f"{recognized} negative samples correctly classified from {entry['printed']}.",
        meant=f"from {entry['computed']:g}.",
        evidence=f"{recognized} of {entry['computed']:g} is"
        f" {float(recognized) / entry['computed']:.0%}, the specificity in the text. Of"
        f" {entry['printed']} negatives, {recognized} cannot be right.",
        shown=bool(float(recognized) > float(entry["printed"])),
    )


def recall_of_the_new_point() -> Discrepancy:
    """Check the x of Eq. 18, which is not a recall."""
    # Point A of the article is the fifth of Table 1.
    hits, x, positives = table_1()["TP"].iloc[4], 0.5, int(TRUE_LABELS.sum())
    recall = (hits + x) / positives
    return Discrepancy(
        place="Eq. 18: x",
        printed='"the recall of the new point", from zero to |TP_B - TP_A|.',
        meant="the number of true positives beyond A.",
        evidence=f"the example has x = {x:g} and the recall {recall:g}, which is (TP_A + x)/P with"
        f" TP_A = {hits:g} and P = {positives}.",
        shown=bool(recall != x),
    )


def recall_and_threshold() -> Discrepancy:
    """Check whether recall rises with the threshold."""
    scan = table_1().sort_values("threshold")
    steps = {name: scan[name].diff().dropna() for name in ("TPR", "TP", "FP")}
    rising = max(int((step > 0).sum()) for step in steps.values())
    falling = int((steps["TPR"] < 0).sum())
    return Discrepancy(
        place="Section 5: recall and the threshold",
        printed='"the recall increases by increasing the threshold value", and so do TP and FP.',
        meant="by decreasing it, as the text says later.",
        evidence="in Table 1, from each threshold to the next higher one, recall, TP and FP rise"
        f" in {rising} of {len(steps['TPR'])} steps; recall falls in {falling}.",
        shown=rising == 0 < falling,
    )


def perfect_precision_recall_curve() -> Discrepancy:
    """Check the end of the perfect precision-recall curve."""
    sorted_labels = np.sort(TRUE_LABELS)[::-1]
    recall, precision, _ = precision_recall_curve(sorted_labels, SCORES)
    share = float(TRUE_LABELS.mean())
    return Discrepancy(
        place="Section 5: the end of the perfect precision-recall curve",
        printed="(1, 0).",
        meant="(1, P/(P + N)), as the text says later of every curve.",
        evidence="with the labels of Table 1 sorted by score the curve ends at"
        f" ({recall[-1]:g}, {precision[-1]:g}), and P/(P + N) is {share:g}.",
        shown=bool(recall[-1] == 1 and precision[-1] == share != 0),
    )


def first_iris_class(comparison: pd.DataFrame) -> Discrepancy:
    """Check the results of the first class, whose positives are the other two classes."""
    digits = comparison[comparison["section"] == "7"].set_index("item")["printed"]
    fitting = {size: _matrices_that_print(digits, size, 150 - size) for size in (50, 100)}
    c = FIRST_IRIS_CLASS
    return Discrepancy(
        place="Section 7: the results of the first class",
        printed=f"{', '.join(f'{name} {digits[_iris_item(name)]}' for name in IRIS_METRICS)}, in"
        " percent.",
        meant="results whose positives are the other two classes.",
        evidence=f"of all matrices with 50 positives and 100 negatives, {fitting[50]} give these"
        f" digits, and of those with 100 and 50, {fitting[100]}: TP = {c.tp:g}, FP = {c.fp:g}, FN ="
        f" {c.fn:g}, TN = {c.tn:g}.",
        shown=fitting == {50: 0, 100: 1},
    )


def _iris_item(name: str) -> str:
    return f"{name} of the first class in %"


def _matrices_that_print(digits: pd.Series, positives: int, negatives: int) -> int:
    """Count the matrices of whole counts that give the printed results."""
    tp, fp = np.mgrid[: positives + 1, : negatives + 1].reshape(2, -1)
    matrices = ConfusionMatrix.from_tp_fp(tp, fp, positives=positives, negatives=negatives)
    fits = np.ones(tp.size, dtype=bool)
    for name in IRIS_METRICS:
        values = 100 * get_metric(METRIC_KEYS[name])(matrices)
        fits &= [rounds_to(value, digits[_iris_item(name)]) for value in values]
    return int(fits.sum())


def discrepancy_report(checks: list[Discrepancy]) -> str:
    """Write the discrepancies that the evidence shows as Markdown."""
    return report_of_discrepancies(
        checks,
        title="Tharwat",
        kind="the article's text, formulas and numbers contradict each other or mathematics",
        sources=", from the printed digits in resources/tharwat/ and from the definitions",
    )
