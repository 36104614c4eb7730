"""The declarations of the measures of any number of classes.

Equations are those of Mullick et al. 2020 unless another source is named. Values have the matrices'
leading dimensions, and are NaN where a denominator is 0. Ranges are those of the sources.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from skewproof.core.algebra import Value, is_symbolic, ratio, sqrt
from skewproof.core.metric import Metric
from skewproof.metrics.agreement import accuracy as two_class_accuracy
from skewproof.metrics.precision_recall import precision_recall_mean
from skewproof.metrics.sensitivity_specificity import balanced_accuracy
from skewproof.multiclass.declaration import measure
from skewproof.multiclass.matrix import MulticlassConfusionMatrix


def _mean(values: Value) -> Value:
    """Average over the classes."""
    return values.sum(axis=-1) / values.shape[-1]


def _over_all(metric: Metric, matrix: MulticlassConfusionMatrix) -> Value:
    """Average a metric of each class against all others over the classes."""
    return _mean(metric(matrix.one_vs_all))


def _geometric_power(classes: int) -> Fraction:
    """Return the exponent of each of several factors in their geometric mean."""
    return Fraction(1, classes)


@measure(
    symbol=r"\gamma_C",
    name="geometric mean of the recalls",
    source="Eq. 10",
    recall_power=_geometric_power,
)
def g_mean(m: MulticlassConfusionMatrix) -> Value:
    """Geometric mean of the recalls of all classes, in [0, 1]."""
    power = _geometric_power(m.classes)
    # Roots come first: a product of a thousand recalls is 0 in floating point.
    return (m.recalls ** (power if is_symbolic(m.counts) else float(power))).prod(axis=-1)


@measure(
    symbol=r"\alpha",
    name="average class-specific accuracy",
    source="Eq. 11",
    aliases=("ACSA", "macro recall", "scikit-learn's balanced accuracy"),
)
def acsa(m: MulticlassConfusionMatrix) -> Value:
    """Mean of the recalls of all classes, in [0, 1]."""
    return _mean(m.recalls)


@measure(symbol=r"\rho_o", name="AUROC-OVO", source="Eq. 12")
def auroc_ovo(m: MulticlassConfusionMatrix) -> Value:
    """Mean single-threshold AUROC of each class against each other, in [(C-2)/(2(C-1)), 1]."""
    false_alarms = m.rates.predicted_sizes - m.recalls
    return _mean(1 + m.recalls - false_alarms / (m.classes - 1)) / 2


@measure(
    symbol=r"\rho_a",
    name="AUROC-OVA",
    source="Eq. 13",
    aliases=("macro-averaged balanced accuracy",),
)
def auroc_ova(m: MulticlassConfusionMatrix) -> Value:
    """Mean balanced accuracy of each class against all others; its range is in Lemma 3 of Mullick
    et al."""
    return _over_all(balanced_accuracy, m)


@measure(symbol=r"\hat\rho_a", name="nAUROC-OVA", source="Section 4")
def nauroc_ova(m: MulticlassConfusionMatrix) -> Value:
    """AUROC-OVA, mapped so that the weak bound (C-2)/(2C) is 0; at most 1."""
    return (2 * m.classes * auroc_ova(m) - (m.classes - 2)) / (m.classes + 2)


@measure(symbol=r"\kappa_a", name="AURPC-OVA", source="Eq. 14")
def aurpc_ova(m: MulticlassConfusionMatrix) -> Value:
    """Mean over the classes of precision and recall, in [0, 1]."""
    return _over_all(precision_recall_mean, m)


@measure(symbol=r"\hat\kappa_a", name="mAURPC-OVA", source="Eq. 25")
def maurpc_ova(m: MulticlassConfusionMatrix) -> Value:
    """AURPC-OVA of the matrix of rates, in [0, 1]."""
    return aurpc_ova(m.rates)


@measure(
    symbol=r"A_C",
    name="accuracy",
    source="the share of hits",
    aliases=("micro F-beta, whatever beta is",),
)
def accuracy(m: MulticlassConfusionMatrix) -> Value:
    """Share of instances classified correctly, in [0, 1]."""
    return ratio(m.hits.sum(axis=-1), m.total)


@measure(symbol=r"\overline{A}", name="average accuracy", source="Sokolova and Lapalme 2009")
def average_accuracy(m: MulticlassConfusionMatrix) -> Value:
    """Mean accuracy of each class against all others, in [0, 1]."""
    return _over_all(two_class_accuracy, m)


@measure(symbol=r"R_C", name="Matthews correlation coefficient", source="Gorodkin 2004")
def mcc(m: MulticlassConfusionMatrix) -> Value:
    """Correlation of true and predicted classes, in [-1, 1]."""
    hits, total = m.hits.sum(axis=-1), m.total
    covariance = hits * total - (m.class_sizes * m.predicted_sizes).sum(axis=-1)
    of_true = total**2 - (m.class_sizes**2).sum(axis=-1)
    of_predicted = total**2 - (m.predicted_sizes**2).sum(axis=-1)
    return ratio(covariance, sqrt(of_true * of_predicted))


@measure(symbol=r"\kappa_C", name="Cohen's kappa", source="Cohen 1960")
def cohen_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Accuracy beyond chance with the same marginals, at most 1."""
    chance = (m.class_sizes * m.predicted_sizes).sum(axis=-1)
    return ratio(m.hits.sum(axis=-1) * m.total - chance, m.total**2 - chance)


@measure(symbol=r"\kappa_n", name="kappa_n", source="Brennan and Prediger 1981")
def kappa_n(m: MulticlassConfusionMatrix) -> Value:
    """Accuracy beyond that of uniform guessing, 1/C, in [-1/(C-1), 1]."""
    return (m.classes * accuracy(m) - 1) / (m.classes - 1)


def weighted_kappa(m: MulticlassConfusionMatrix, power: int) -> Value:
    """Compute kappa with errors weighted by a power of the distance of their classes.

    Parameters
    ----------
    m
        The matrices, whose classes are in their order.
    power
        1 for linear, 2 for quadratic weights.
    """
    indices = np.arange(m.classes)
    weights = np.abs(indices[:, None] - indices) ** power
    observed = (weights * m.counts).sum(axis=(-2, -1)) * m.total
    by_chance = (m.class_sizes * (m.predicted_sizes @ weights)).sum(axis=-1)
    return 1 - ratio(observed, by_chance)


@measure(
    symbol=r"\kappa_w^{(1)}",
    name="linearly weighted kappa",
    source="Cohen 1968",
    ordered_classes=True,
)
def linear_weighted_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Kappa with errors weighted by the distance of the classes, at most 1."""
    return weighted_kappa(m, 1)


@measure(
    symbol=r"\kappa_w^{(2)}",
    name="quadratically weighted kappa",
    source="Cohen 1968",
    ordered_classes=True,
)
def quadratic_weighted_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Kappa with errors weighted by the squared distance of the classes, at most 1."""
    return weighted_kappa(m, 2)


def macro_f_beta(m: MulticlassConfusionMatrix, beta: float) -> Value:
    """Average F-beta over the classes, as scikit-learn's average="macro", in [0, 1]."""
    weight = beta**2
    return _mean(ratio((1 + weight) * m.hits, weight * m.class_sizes + m.predicted_sizes))


@measure(symbol=r"F_{1,\mathrm{macro}}", name="macro F1", source="Sokolova and Lapalme 2009")
def macro_f1(m: MulticlassConfusionMatrix) -> Value:
    """Mean over the classes of F1, in [0, 1]."""
    return macro_f_beta(m, 1)


def f_beta_of_macro_averages(m: MulticlassConfusionMatrix, beta: float) -> Value:
    """Compute F-beta of the mean precision and the mean recall, in [0, 1]."""
    precision, recall, weight = _mean(m.precisions), acsa(m), beta**2
    return ratio((1 + weight) * precision * recall, weight * precision + recall)


@measure(symbol=r"F_1(\overline{P}, \overline{R})", name="F1 of macro averages", source="Yang 1999")
def f1_of_macro_averages(m: MulticlassConfusionMatrix) -> Value:
    """Harmonic mean of mean precision and mean recall, in [0, 1]."""
    return f_beta_of_macro_averages(m, 1)
