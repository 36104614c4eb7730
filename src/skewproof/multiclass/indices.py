"""The declarations of the indices of any number of classes, and their list.

Equations are those of Mullick et al. 2020 where no other source is named. Values have the matrices'
leading dimensions; NaN where a denominator is 0. Scales are those of the sources.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skewproof import metrics as two_class
from skewproof.confusion import Value, is_symbolic, ratio, sqrt
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.registry import Metric, nearest

Formula = Callable[[MulticlassConfusionMatrix], Value]

INDICES: dict[str, Index] = {}
"""Every declared index by its key, in the order of declaration."""


TWO_CLASS = {
    "precision": "Precision",
    "precision_recall_mean": "AURPC",
    "precision_i": "mPrecision",
    "precision_recall_mean_i": "mAURPC",
    "g_mean": "GMean",
    "balanced_accuracy": "AUROC",
}
"""Keys of the metrics of Definitions 4 and 5, with the paper's names."""


@dataclass(frozen=True)
class Index:
    """An index of a confusion matrix of any number of classes.

    Attributes
    ----------
    key
        Self-explaining name.
    symbol
        The symbol in LaTeX, without dollar signs.
    name
        Name in words.
    source
        Who proposed it.
    aliases
        Other names in use.
    """

    key: str
    symbol: str
    name: str
    source: str
    formula: Formula
    aliases: tuple[str, ...] = ()

    def __call__(self, matrix: MulticlassConfusionMatrix) -> Value:
        """Evaluate the formula."""
        return self.formula(matrix)


def index(
    *, symbol: str, name: str, source: str, aliases: tuple[str, ...] = ()
) -> Callable[[Formula], Index]:
    """Declare an index: its function's name is its key."""

    def declare(formula: Formula) -> Index:
        declared = Index(formula.__name__, symbol, name, source, formula, aliases)
        INDICES[declared.key] = declared
        return declared

    return declare


def get_index(key: str) -> Index:
    """Look up an index by its key.

    Raises
    ------
    KeyError
        If there is none; the message offers the nearest spelling.
    """
    if key not in INDICES:
        raise KeyError(f"no index {key!r}{nearest(key, INDICES)}")
    return INDICES[key]


def of_two_classes(metric: Metric) -> Index:
    """A metric of two classes as an index, the first class being the positive one."""
    names = (metric.key, metric.symbol, metric.name, metric.source)
    return Index(*names, lambda matrix: metric(matrix.pair), metric.aliases)


def _mean(values: Value) -> Value:
    """Mean over the classes."""
    return values.sum(axis=-1) / values.shape[-1]


def _over_all(metric: Metric, matrix: MulticlassConfusionMatrix) -> Value:
    """Mean over the classes of a metric of each class against all others."""
    return _mean(metric(matrix.one_vs_all))


@index(symbol=r"\gamma_C", name="geometric mean of the recalls", source="Eq. 10")
def g_mean(m: MulticlassConfusionMatrix) -> Value:
    """Geometric mean of the recalls of all classes, in [0, 1]."""
    exponent: Value = 1 / m.classes
    if is_symbolic(m.counts):
        import sympy

        exponent = sympy.Rational(1, m.classes)
    # Roots first: a product of a thousand recalls is 0 in floating point.
    return (m.recalls**exponent).prod(axis=-1)


@index(
    symbol=r"\alpha",
    name="average class-specific accuracy",
    source="Eq. 11",
    aliases=("ACSA", "macro recall", "scikit-learn's balanced accuracy"),
)
def acsa(m: MulticlassConfusionMatrix) -> Value:
    """Mean of the recalls of all classes, in [0, 1]."""
    return _mean(m.recalls)


@index(symbol=r"\rho_o", name="AUROC-OVO", source="Eq. 12")
def auroc_ovo(m: MulticlassConfusionMatrix) -> Value:
    """Mean single-threshold AUROC of each class against each other, in [(C-2)/(2(C-1)), 1]."""
    false_alarms = m.rates.predicted_sizes - m.recalls
    return _mean(1 + m.recalls - false_alarms / (m.classes - 1)) / 2


@index(
    symbol=r"\rho_a",
    name="AUROC-OVA",
    source="Eq. 13",
    aliases=("macro-averaged balanced accuracy",),
)
def auroc_ova(m: MulticlassConfusionMatrix) -> Value:
    """Mean balanced accuracy of each class against all others; Lemma 3 has its range."""
    return _over_all(two_class.balanced_accuracy, m)


@index(symbol=r"\hat\rho_a", name="nAUROC-OVA", source="Section 4")
def nauroc_ova(m: MulticlassConfusionMatrix) -> Value:
    """AUROC-OVA, the weak bound (C-2)/(2C) being mapped to 0; at most 1."""
    return (2 * m.classes * auroc_ova(m) - (m.classes - 2)) / (m.classes + 2)


@index(symbol=r"\kappa_a", name="AURPC-OVA", source="Eq. 14")
def aurpc_ova(m: MulticlassConfusionMatrix) -> Value:
    """Mean over the classes of precision and recall, in [0, 1]."""
    return _over_all(two_class.precision_recall_mean, m)


@index(symbol=r"\hat\kappa_a", name="mAURPC-OVA", source="Eq. 25")
def maurpc_ova(m: MulticlassConfusionMatrix) -> Value:
    """AURPC-OVA of the matrix of rates, in [0, 1]."""
    return aurpc_ova(m.rates)


@index(
    symbol=r"A_C",
    name="accuracy",
    source="the share of hits",
    aliases=("micro F-beta, whatever beta is",),
)
def accuracy(m: MulticlassConfusionMatrix) -> Value:
    """Share of all instances that were recognized, in [0, 1]."""
    return ratio(m.hits.sum(axis=-1), m.total)


@index(symbol=r"\overline{A}", name="average accuracy", source="Sokolova and Lapalme 2009")
def average_accuracy(m: MulticlassConfusionMatrix) -> Value:
    """Mean accuracy of each class against all others, in [0, 1]."""
    return _over_all(two_class.accuracy, m)


@index(symbol=r"R_C", name="Matthews correlation coefficient", source="Gorodkin 2004")
def mcc(m: MulticlassConfusionMatrix) -> Value:
    """Correlation of true and predicted classes, in [-1, 1]."""
    hits, total = m.hits.sum(axis=-1), m.total
    true, predicted = m.class_sizes, m.predicted_sizes
    covariance = hits * total - (true * predicted).sum(axis=-1)
    variances = (total**2 - (side**2).sum(axis=-1) for side in (true, predicted))
    return ratio(covariance, sqrt(next(variances) * next(variances)))


@index(symbol=r"\kappa_C", name="Cohen's kappa", source="Cohen 1960")
def cohen_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Accuracy beyond that of chance with the same marginals, at most 1."""
    chance = (m.class_sizes * m.predicted_sizes).sum(axis=-1)
    return ratio(m.hits.sum(axis=-1) * m.total - chance, m.total**2 - chance)


@index(symbol=r"\kappa_n", name="kappa_n", source="Brennan and Prediger 1981")
def kappa_n(m: MulticlassConfusionMatrix) -> Value:
    """Accuracy beyond that of uniform guessing, 1/C, in [-1/(C-1), 1]."""
    return (m.classes * accuracy(m) - 1) / (m.classes - 1)


def weighted_kappa(m: MulticlassConfusionMatrix, power: int) -> Value:
    """Kappa with errors weighted by a power of the distance of their classes in order.

    Parameters
    ----------
    m
        The matrices; their classes are in order.
    power
        1 for linear, 2 for quadratic weights.
    """
    places = np.arange(m.classes)
    weights = np.abs(places[:, None] - places) ** power
    observed = (weights * m.counts).sum(axis=(-2, -1)) * m.total
    by_chance = (m.class_sizes * (m.predicted_sizes @ weights)).sum(axis=-1)
    return 1 - ratio(observed, by_chance)


@index(symbol=r"\kappa_w^{(1)}", name="linearly weighted kappa", source="Cohen 1968")
def linear_weighted_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Kappa with errors weighted by the distance of the classes, at most 1."""
    return weighted_kappa(m, 1)


@index(symbol=r"\kappa_w^{(2)}", name="quadratically weighted kappa", source="Cohen 1968")
def quadratic_weighted_kappa(m: MulticlassConfusionMatrix) -> Value:
    """Kappa with errors weighted by the squared distance of the classes, at most 1."""
    return weighted_kappa(m, 2)


def macro_f_beta(m: MulticlassConfusionMatrix, beta: float) -> Value:
    """Mean over the classes of F-beta, as scikit-learn's average="macro", in [0, 1]."""
    weight = beta**2
    return _mean(ratio((1 + weight) * m.hits, weight * m.class_sizes + m.predicted_sizes))


@index(symbol=r"F_{1,\mathrm{macro}}", name="macro F1", source="Sokolova and Lapalme 2009")
def macro_f1(m: MulticlassConfusionMatrix) -> Value:
    """Mean over the classes of F1, in [0, 1]."""
    return macro_f_beta(m, 1)


def f_beta_of_macro_averages(m: MulticlassConfusionMatrix, beta: float) -> Value:
    """F-beta of the mean precision and the mean recall, in [0, 1]."""
    precision, recall, weight = _mean(m.precisions), acsa(m), beta**2
    return ratio((1 + weight) * precision * recall, weight * precision + recall)


@index(symbol=r"F_1(\overline{P}, \overline{R})", name="F1 of macro averages", source="Yang 1999")
def f1_of_macro_averages(m: MulticlassConfusionMatrix) -> Value:
    """Harmonic mean of mean precision and mean recall, in [0, 1]."""
    return f_beta_of_macro_averages(m, 1)
