"""Rates of the true and of the predicted classes, and their complements.

Equation numbers are Tharwat's (*Classification assessment methods*, 2021). Values are float64 in
[0, 1] of the matrix's broadcast shape, and NaN where a denominator is 0. Positive predictive value
is declared as ``precision``.
"""

from skewproof.core.algebra import Value, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import metric


@metric(
    symbol=r"\mathrm{ERR}",
    name="error rate",
    source="Tharwat 2021, his Section 2.2",
    aliases=("misclassification rate",),
    direction="lower",
)
def error_rate(c: ConfusionMatrix) -> Value:
    """Share of instances classified incorrectly."""
    return ratio(c.fp + c.fn, c.total)


@metric(
    symbol=r"\mathrm{TPR}",
    name="true positive rate",
    source="Tharwat 2021, his Eq. 2",
    aliases=("sensitivity", "recall", "hit rate"),
)
def true_positive_rate(c: ConfusionMatrix) -> Value:
    """Share of the positives that are called positive."""
    return c.tpr


@metric(
    symbol=r"\mathrm{TNR}",
    name="true negative rate",
    source="Tharwat 2021, his Eq. 2",
    aliases=("specificity", "selectivity", "inverse recall"),
)
def true_negative_rate(c: ConfusionMatrix) -> Value:
    """Share of the negatives that are called negative."""
    return c.tnr


@metric(
    symbol=r"\mathrm{FPR}",
    name="false positive rate",
    source="Tharwat 2021, his Eq. 4",
    aliases=("false alarm rate", "fall-out", "false acceptance rate"),
    direction="lower",
)
def false_positive_rate(c: ConfusionMatrix) -> Value:
    """Share of the negatives that are called positive."""
    return c.fpr


@metric(
    symbol=r"\mathrm{FNR}",
    name="false negative rate",
    source="Tharwat 2021, his Eq. 5",
    aliases=("miss rate", "false rejection rate"),
    direction="lower",
)
def false_negative_rate(c: ConfusionMatrix) -> Value:
    """Share of the positives that are called negative."""
    return c.fnr


@metric(
    symbol=r"\mathrm{NPV}",
    name="negative predictive value",
    source="Tharwat 2021, his Eq. 7",
    aliases=("inverse precision", "true negative accuracy"),
)
def negative_predictive_value(c: ConfusionMatrix) -> Value:
    """Share of the instances called negative that are negative; undefined when N' = 0."""
    return c.npv


@metric(
    symbol=r"\mathrm{FDR}",
    name="false discovery rate",
    source="Tharwat 2021, his Eq. 6",
    direction="lower",
)
def false_discovery_rate(c: ConfusionMatrix) -> Value:
    """Share of the instances called positive that are negative; undefined when P' = 0."""
    return ratio(c.fp, c.predicted_positives)


@metric(
    symbol=r"\mathrm{FOR}",
    name="false omission rate",
    source="Tharwat 2021, his Eq. 7",
    direction="lower",
)
def false_omission_rate(c: ConfusionMatrix) -> Value:
    """Share of the instances called negative that are positive; undefined when N' = 0."""
    return ratio(c.fn, c.predicted_negatives)
