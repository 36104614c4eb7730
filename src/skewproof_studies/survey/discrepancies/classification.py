"""Discrepancies in the survey's Sections 1 and 2, on measures of classification."""

from __future__ import annotations

import math

import numpy as np
import sympy

from skewproof.audits.choosing.catalog import load_catalog
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import rate_formula
from skewproof.curves.areas.area import area
from skewproof.metrics import METRICS
from skewproof.multiclass.lookup import MEASURES
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof_studies.reporting.discrepancies import Discrepancy

EXAMPLE = ConfusionMatrix(tp=9, fn=3, fp=4, tn=20)
"""Matrix with four different counts."""


def rows_and_columns() -> Discrepancy:
    """Check which of rows and columns the text takes for the true classes of Eqs. 1 and 2."""
    printed = np.array([[9, 3], [4, 20]])  # Eq. 2: c_11 = TP, c_12 = FN, c_21 = FP, c_22 = TN
    as_described = printed[0, 0] / printed[0].sum()
    precision, recall = (
        float(METRICS[key](EXAMPLE)) for key in ("precision", "true_positive_rate")
    )
    return Discrepancy(
        place="Section 2.1: rows and columns of the confusion matrix",
        printed="precision is the upper left entry divided by the sum of the first row of Eq. 2,"
        " false positives are the upper right entry, negatives the second column.",
        meant="rows are true classes by Eqs. 1 and 2. The first row is TP and FN, so that the text"
        " describes recall. The same holds for Σ_i c_ij and Σ_j c_ij below Eq. 24.",
        evidence=f"with TP, FN, FP, TN = 9, 3, 4, 20 the description gives {as_described:.3f};"
        f" precision is {precision:.3f}, recall {recall:.3f}.",
        shown=bool(np.isclose(as_described, recall) and not np.isclose(as_described, precision)),
    )


def inherent_chance_correction() -> Discrepancy:
    """Check whether scores of guesses in Section 2.1 are 0."""
    guess = ConfusionMatrix(tp=25, fp=25, fn=25, tn=25)
    keys = (
        "accuracy",
        "precision",
        "true_negative_rate",
        "true_positive_rate",
        "negative_predictive_value",
        "f1",
    )
    scores = [float(METRICS[key](guess)) for key in keys]
    return Discrepancy(
        place="Section 1.4: measures of balanced data that are corrected for chance",
        printed='"many measures for balanced single-class data are inherently chance-corrected".',
        meant="none of Eqs. 3 to 8 is, by the definition in the sentence before: the score of"
        " chance is not deducted.",
        evidence="accuracy, precision, TNR, recall, NPV and F1 of guesses on equal classes are"
        f" {', '.join(f'{score:g}' for score in scores)}.",
        shown=min(scores) > 0,
    )


def balanced_accuracy_in_words() -> Discrepancy:
    """Check the text on balanced accuracy against Eq. 12, which has the true negative rate for
    precision."""
    precision, recall, balanced = (
        float(METRICS[key](EXAMPLE))
        for key in ("precision", "true_positive_rate", "balanced_accuracy")
    )
    described = (recall + precision) / 2
    return Discrepancy(
        place="Section 2.3: balanced accuracy in words",
        printed='"averaging the recall and precision across classes".',
        meant="the mean of recall and true negative rate, as in Eq. 12.",
        evidence=f"with TP, FN, FP, TN = 9, 3, 4, 20 the words give {described:.3f} and Eq. 12"
        f" {balanced:.3f}.",
        shown=not np.isclose(described, balanced),
    )


def balanced_accuracy_under_imbalance() -> Discrepancy:
    """Check two sentences with opposite tendencies against balanced accuracy, which ignores class
    sizes."""
    rates = rate_formula(METRICS["balanced_accuracy"])
    names = sorted(map(str, sympy.sympify(rates).free_symbols))
    return Discrepancy(
        place="Section 2.3: balanced accuracy under extreme imbalance",
        printed='it is "overestimating the minority class in the mean"; in the discussion it "can'
        ' under-represent the minority class".',
        meant="neither: each class has half of the weight at all class sizes.",
        evidence=f"in the rates u = TPR and v = FPR it is {rates}, a function of"
        f" {' and '.join(names)} only.",
        shown=len(names) == 2
        and math.isclose(float(METRICS["balanced_accuracy"](EXAMPLE)), 19 / 24),
    )


def roc_from_precision() -> Discrepancy:
    """Check whether precision and recall determine the point of a ROC curve."""
    few, many = (ConfusionMatrix(tp=9, fn=1, fp=1, tn=tn) for tn in (9, 89))
    same = all(
        METRICS[key](few) == METRICS[key](many) for key in ("precision", "true_positive_rate")
    )
    rates = [float(matrix.fpr) for matrix in (few, many)]
    return Discrepancy(
        place="Remark 2.1: a ROC curve from precision and recall",
        printed='the ROC curve is extended "by using the multiclass versions of the precision and'
        ' recall".',
        meant="a ROC curve has recall over the false positive rate (Section 2.1).",
        evidence="TP, FN, FP = 9, 1, 1 have precision and recall 0.9 with TN = 9 and with TN = 89;"
        f" the false positive rates are {rates[0]:.3f} and {rates[1]:.3f}.",
        shown=bool(same and rates[0] != rates[1]),
    )


def mcc_under_imbalance() -> Discrepancy:
    """Check whether MCC and the area of precision and recall stay the same at other class sizes."""
    scores = {}
    for ratio in (1, 1000):
        matrix = ConfusionMatrix.from_rates(0.9, 0.1, positives=1, negatives=ratio)
        scores[ratio] = tuple(float(METRICS[key](matrix)) for key in ("mcc", "precision"))
    (mcc, precision), (mcc_few, precision_few) = scores[1], scores[1000]
    return Discrepancy(
        place="Section 2.3: MCC and AUC-PR under severe imbalance",
        printed='MCC is "particularly robust in situations with severe class imbalances"; MCC and'
        " AUC-PR are often the most reliable there.",
        meant="both change with the class sizes even if the classifier's rates do not. That is"
        " wanted if a score should show what a user sees at these sizes; it is not robustness.",
        evidence=f"at TPR 0.9 and FPR 0.1 MCC is {mcc:.3f} at 1:1 and {mcc_few:.3f} at 1:1000,"
        f" precision {precision:.3f} and {precision_few:.4f}.",
        shown=mcc != mcc_few and precision != precision_few,
    )


def h_measure_as_printed() -> Discrepancy:
    """Check Eq. 18, which gives the loss of the opposite decision and has no scale."""
    # Scores of positives 3, 4 and of negatives 1, 2; the threshold 2.5 tells them apart.
    negatives_below, positives_below = 1.0, 0.0
    p, cost_fp, cost_fn = 0.2, 1.0, 3.0
    printed = p * cost_fp * negatives_below + (1 - p) * cost_fn * (1 - positives_below)
    meant = (1 - p) * cost_fp * (1 - negatives_below) + p * cost_fn * positives_below
    most = p * cost_fp + (1 - p) * cost_fn
    h = area("h_measure", [1, 1, 0, 0], [4, 3, 2, 1])
    return Discrepancy(
        place="Eq. 18: the H-measure",
        printed="L(τ) = p c(FP) F_0(τ) + (1 - p) c(FN) (1 - F_1(τ)), p being the share of"
        " positives, and H the integral of L over τ with weights that are p again.",
        meant="L = (1 - p) c(FP) (1 - F_0(τ)) + p c(FN) F_1(τ); or, if scores below τ are called"
        " positive, the printed one with p and 1 - p exchanged. Its smallest value over"
        " τ is integrated over the costs, and H is 1 minus the ratio of this integral to that of a"
        " constant classifier (Hand 2009).",
        evidence=f"for a perfect classifier, p = {p:g}, c(FP) = {cost_fp:g}, c(FN) = {cost_fn:g}"
        f" and the threshold between the classes' scores, L of Eq. 18 is {printed:g}, the"
        f" largest possible value, and the loss is {meant:g}. The H-measure is {h:g}.",
        shown=bool(np.isclose(printed, most) and meant == 0 and h == 1),
    )


def unbounded_measures() -> Discrepancy:
    """Check whether likelihood ratios and DCG are absolute by Definition 1.1."""
    ratio = float(
        METRICS["positive_likelihood_ratio"](ConfusionMatrix(tp=9, fn=1, fp=1, tn=999_999))
    )
    unbounded = [
        entry.short_name
        for entry in load_catalog().values()
        if entry.range is not None and math.isinf(entry.range[1])
    ]
    return Discrepancy(
        place="Definition 1.1 and Sections 2.3 and 4: measures that are not absolute",
        printed="a survey of absolute measures, whose values are in an interval [a, b].",
        meant=f"{', '.join(unbounded)} have no upper bound.",
        evidence=f"TPR = 0.9 and FPR = 1e-6 give LR+ = {ratio:g}, and LR+ grows without bound"
        " as FPR falls.",
        shown=ratio > 8e5 and len(unbounded) > 0,
    )


def likelihood_ratios_in_words() -> Discrepancy:
    """Check the text on LR+, which compares two classes and not right with wrong predictions."""
    matrix = ConfusionMatrix.from_rates(0.9, 0.01, positives=1, negatives=1000)
    ratio = float(METRICS["positive_likelihood_ratio"](matrix))
    odds = float(matrix.tp / matrix.fp)
    return Discrepancy(
        place="Section 2.3: likelihood ratios in words",
        printed='"the ratio of probabilities of making correct versus incorrect decisions"; LR+ is'
        ' "the probability of a true positive (TP) event relative to the probability of a false'
        ' positive (FP) event".',
        meant="the probability of a positive prediction among positives, relative to that among"
        " negatives. A positive prediction is right with odds of LR+ times those of the classes,"
        " P/N: by the printed sentence these odds would be LR+ at every prevalence.",
        evidence=f"TPR = 0.9 and FPR = 0.01 give LR+ = {ratio:g}. At 1:1000 a positive prediction"
        f" is right with odds of {odds:g}: it is {1 / odds:.0f} times likelier to be wrong.",
        shown=math.isclose(odds, ratio / 1000) and odds < 1 < ratio,
    )


def micro_average() -> Discrepancy:
    """Check two sentences on the micro average, which counts instances and not classes equally."""
    matrix = MulticlassConfusionMatrix([[990, 0], [10, 0]])
    micro, macro = (float(MEASURES[key](matrix)) for key in ("accuracy", "acsa"))
    return Discrepancy(
        place="Section 2.2: micro F-beta",
        printed='used "where each class is equally important"; in the discussion it "treats each'
        ' instance equally".',
        meant="the discussion's sentence.",
        evidence=f"a classifier that misses all of a class of 10 next to one of 990 has"
        f" the micro F-beta {micro:g}; the mean of the classes' recalls is {macro:g}.",
        shown=micro == 0.99 and macro == 0.5,
    )


def balanced_accuracy_of_many_classes() -> Discrepancy:
    """Check whether Eq. 21 depends on the class sizes for three or more classes."""
    rates = np.array([[0.6, 0.4, 0.0], [0.0, 0.9, 0.1], [0.0, 0.1, 0.9]])
    equal, one_small, others_small = (
        float(MEASURES["auroc_ova"](MulticlassConfusionMatrix.from_rates(rates, np.array(sizes))))
        for sizes in ([1, 1, 1], [1, 1000, 1000], [1000, 1, 1])
    )
    return Discrepancy(
        place="Eq. 21: balanced accuracy of many classes",
        printed="a robust measure in scenarios with class imbalance.",
        meant="with three or more classes the true negative rate of a class is a mean over the"
        " instances of all others, and changes with their sizes.",
        evidence=f"with the rates {rates.tolist()} it is {equal:.3f} for equal classes,"
        f" {one_small:.3f} for 1:1000:1000 and {others_small:.3f} for 1000:1:1.",
        shown=len({round(value, 3) for value in (equal, one_small, others_small)}) == 3,
    )


def kappa_n_is_not_general() -> Discrepancy:
    """Check whether kappa_n equals Cohen's kappa for two classes."""
    matrix = MulticlassConfusionMatrix([[9, 3], [4, 20]])
    kappa_n, kappa = (float(MEASURES[key](matrix)) for key in ("kappa_n", "cohen_kappa"))
    return Discrepancy(
        place="Eq. 22: κ_n",
        printed='"the general case of the S-coefficient and cohen\'s kappa".',
        meant="the S-coefficient with C classes; Cohen's kappa has the classes' shares in p_e.",
        evidence=f"with TP, FN, FP, TN = 9, 3, 4, 20 κ_n is {kappa_n:.3f} and κ {kappa:.3f}.",
        shown=not np.isclose(kappa_n, kappa),
    )


def weights_of_kappa() -> Discrepancy:
    """Check the weights of Eq. 23, which must be weights of agreement with 1 on the diagonal."""
    perfect = np.diag([0.5, 0.3, 0.2])
    distance = np.abs(np.subtract.outer(np.arange(3), np.arange(3))) / 2
    scores = []
    for weights in (distance, 1 - distance):
        chance = (weights * np.outer(perfect.sum(1), perfect.sum(0))).sum()
        scores.append(((weights * perfect).sum() - chance) / (1 - chance))
    return Discrepancy(
        place="Eq. 23: the weights of weighted kappa",
        printed="predefined weights with w_ij = w_ji, and shares by |C|, C being the classes.",
        meant="weights of agreement, 1 for equal classes and less otherwise; shares by the"
        " number of instances.",
        evidence="a perfect classifier of three classes with the shares 0.5, 0.3, 0.2 has"
        f" {scores[1]:g} with w_ij = 1 - |i - j|/2 and {scores[0]:.3f} with w_ij = |i - j|/2.",
        shown=bool(np.isclose(scores[1], 1) and scores[0] < 0),
    )
