"""Measures of classifiers: averages over classes, pair counts, and variants of registered
metrics."""

from skewproof.core.algebra import Value, log, pi, ratio, sqrt, unless_zero
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.scales import bounded
from skewproof.metrics.agreement import accuracy, mcc
from skewproof.metrics.atlas.entry import (
    AGREEMENT,
    LEARNING,
    NOT_VERIFIED,
    SIMILARITY,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    errors,
    larger,
    log_ten,
    smaller,
)
from skewproof.metrics.diagnostic import diagnostic_odds_ratio
from skewproof.metrics.precision_recall import f1, gilbert_ratio, precision_i
from skewproof.metrics.sensitivity_specificity import g_mean


@published("P_4", LEARNING("P4", "Sitarz 2023"))
def p4(c: ConfusionMatrix) -> Value:
    """Harmonic mean of the four conditional shares of right calls."""
    both = 4 * c.tp * c.tn
    return ratio(both, both + (c.tp + c.tn) * errors(c))


def _weighed(c: ConfusionMatrix, of_positives: Value, of_negatives: Value) -> Value:
    return ratio(c.positives * of_positives + c.negatives * of_negatives, c.total)


@published(
    r"\overline{F_1}", LEARNING("macro-averaged F1 score of two classes", "Opitz and Burst 2019")
)
def macro_f1(c: ConfusionMatrix) -> Value:
    """Mean of the F1 scores of both classes."""
    return (f1(c) + ratio(2 * c.tn, 2 * c.tn + errors(c))) / 2


@published("F_1^w", LEARNING("weighted F1 score", "scikit-learn 1.9.1: f1_score weighted"))
def f1_weighted(c: ConfusionMatrix) -> Value:
    """F1 scores of both classes, weighted by their true shares."""
    return _weighed(c, f1(c), ratio(2 * c.tn, 2 * c.tn + errors(c)))


@published(
    r"\overline{\mathrm{PPV}}",
    LEARNING("macro-averaged precision", "scikit-learn 1.9.1: precision_score macro"),
)
def macro_precision(c: ConfusionMatrix) -> Value:
    """Mean of the precisions of both classes."""
    return (c.ppv + c.npv) / 2


@published(
    r"\mathrm{PPV}^w",
    LEARNING("weighted precision", "scikit-learn 1.9.1: precision_score weighted"),
)
def precision_weighted(c: ConfusionMatrix) -> Value:
    """Precisions of both classes, weighted by their true shares."""
    return _weighed(c, c.ppv, c.npv)


@published("v^w", LEARNING("weighted Jaccard index", "scikit-learn 1.9.1: jaccard_score weighted"))
def jaccard_weighted(c: ConfusionMatrix) -> Value:
    """Jaccard indices of both classes, weighted by their true shares."""
    return _weighed(c, gilbert_ratio(c), ratio(c.tn, c.tn + errors(c)))


@published("F_2^-", LEARNING("F2 score of the negatives", "van Rijsbergen 1975"))
def f2_of_negatives(c: ConfusionMatrix) -> Value:
    """F2 score with the negatives as the positive class."""
    return ratio(5 * c.tn, 5 * c.tn + 4 * c.fp + c.fn)


@published(r"v^-", SIMILARITY("Jaccard index of absences", "Hawkins and Dotson 1975"))
def jaccard_of_negatives(c: ConfusionMatrix) -> Value:
    """Jaccard index with the negatives as the positive class."""
    return ratio(c.tn, c.tn + errors(c))


@published(
    r"F_{\overline{PR}}",
    LEARNING("F1 score of macro averages", "Sokolova and Lapalme 2009"),
    remark="Others average the F1 scores of both classes (Opitz and Burst 2019).",
)
def f1_of_macro_averages(c: ConfusionMatrix) -> Value:
    """Harmonic mean of the mean precision and the mean recall of both classes."""
    precision, recall = c.ppv + c.npv, c.tpr + c.tnr
    return ratio(precision * recall, precision + recall)


@published(
    r"\mathrm{TNR}^w",
    LEARNING("weighted specificity", "imbalanced-learn 0.14.2: specificity_score weighted"),
)
def specificity_weighted(c: ConfusionMatrix) -> Value:
    """Specificities of both classes, weighted by their true shares."""
    return _weighed(c, c.tnr, c.tpr)


@published(
    r"G^w", LEARNING("weighted G-mean", "imbalanced-learn 0.14.2: geometric_mean_score weighted")
)
def g_mean_weighted(c: ConfusionMatrix) -> Value:
    """Geometric mean of the accuracy and the weighted specificity."""
    return sqrt(accuracy(c) * specificity_weighted(c))


@published(
    r"\mathrm{AP}_l",
    LEARNING("average precision of hard labels", "scikit-learn 1.9.1: average_precision_score"),
)
def average_precision_of_labels(c: ConfusionMatrix) -> Value:
    """Precision, and prevalence where the calls miss, weighted by recall."""
    return c.tpr * c.ppv + c.fnr * ratio(c.positives, c.total)


@published(r"\mathrm{CBA}", LEARNING("class balance accuracy", "Mosley 2013"))
def class_balance_accuracy(c: ConfusionMatrix) -> Value:
    """Mean of the smaller of precision and recall of both classes."""
    of_positives = ratio(c.tp, larger(c.positives, c.predicted_positives))
    return (of_positives + ratio(c.tn, larger(c.negatives, c.predicted_negatives))) / 2


@published(
    r"J_\Sigma", LEARNING("sum of the Jaccard indices", "pycm 4.6: Overall J"), bounds=(0, 2)
)
def jaccard_sum(c: ConfusionMatrix) -> Value:
    """Sum of the Jaccard indices of both classes."""
    return gilbert_ratio(c) + ratio(c.tn, c.tn + errors(c))


@published(r"\mathrm{MCC}_u", LEARNING("unit-normalized MCC", "Cao et al. 2020"))
def unit_mcc(c: ConfusionMatrix) -> Value:
    """Matthews correlation coefficient, scaled from [-1, 1] to [0, 1]."""
    return bounded(mcc)(c)


@published(
    r"\mathrm{AGM}_s",
    LEARNING("adjusted geometric mean of shares", "Batuwita and Palade 2009"),
    remark="Batuwita and Palade, and pycm, use the share of the negatives; Tharwat (2021) uses"
    " their number.",
)
def adjusted_g_mean_of_shares(c: ConfusionMatrix) -> Value:
    """Geometric mean of the rates and the share of negatives times specificity, scaled; 0 where
    sensitivity is 0."""
    share = ratio(c.negatives, c.total)
    return unless_zero(c.tpr, ratio(g_mean(c) + c.tnr * share, 1 + share))


@published(
    r"\mathrm{DP}_{10}",
    LEARNING("discriminant power by decimal logarithms", "pycm 4.6: DP"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="Sokolova et al. (2006) and Tharwat (2021) use the natural logarithm; pycm uses the"
    " decimal logarithm.",
)
def discriminant_power_decimal(c: ConfusionMatrix) -> Value:
    """Decimal logarithm of the odds ratio times the root of 3, over pi."""
    odds = diagnostic_odds_ratio(c)
    return sqrt(3 / pi(odds) ** 2) * log(odds) / log_ten(odds)


@published(r"\mathrm{IBA}_{0.5}", LEARNING("IBA with alpha 0.5", "García et al. 2009"))
def iba_half(c: ConfusionMatrix) -> Value:
    """Squared geometric mean weighted by half the dominance."""
    return (2 + c.tpr - c.tnr) * c.tpr * c.tnr / 2


@published(r"\mathrm{IBA}_{0.1}", LEARNING("IBA with alpha 0.1", "García et al. 2009"))
def iba_tenth(c: ConfusionMatrix) -> Value:
    """Squared geometric mean weighted by a tenth of the dominance."""
    return (10 + c.tpr - c.tnr) * c.tpr * c.tnr / 10


@published(
    r"\mathrm{RI}",
    LEARNING("Rand index", "Rand 1971, of the calls as clusters"),
    bounds=(-UNBOUNDED, 1),
    bounds_of_counts=(0, 1),
    direction="association",
)
def rand_index(c: ConfusionMatrix) -> Value:
    """Share of the pairs of instances that are together in both or apart in both; it depends on
    the counts."""
    return 1 - ratio(2 * (c.tp + c.tn) * errors(c), c.total * (c.total - 1))


@published(
    r"\mathrm{precG}", LEARNING("precision gain", "Flach and Kull 2015"), bounds=(-UNBOUNDED, 1)
)
def precision_gain(c: ConfusionMatrix) -> Value:
    """Precision on the harmonic scale that has 0 at the prevalence and 1 at 1."""
    return 1 - ratio(c.positives * c.fp, c.negatives * c.tp)


@published(r"\mathrm{recG}", LEARNING("recall gain", "Flach and Kull 2015"), bounds=(-UNBOUNDED, 1))
def recall_gain(c: ConfusionMatrix) -> Value:
    """Recall on the harmonic scale that has 0 at the prevalence and 1 at 1."""
    return 1 - ratio(c.positives * c.fn, c.negatives * c.tp)


@published(r"FG_1", LEARNING("F1 gain", "Flach and Kull 2015"), bounds=(-UNBOUNDED, 1))
def f1_gain(c: ConfusionMatrix) -> Value:
    """Mean of precision gain and recall gain, which is the F1 score on their scale."""
    return 1 - ratio(c.positives * errors(c), 2 * c.negatives * c.tp)


@published(
    r"\mathrm{MS}",
    LEARNING("minimum sensitivity", "Fernández Caballero et al. 2010"),
)
def minimum_sensitivity(c: ConfusionMatrix) -> Value:
    """Smaller of the true positive and the true negative rate."""
    return smaller(c.tpr, c.tnr)


@published(
    r"E_{\max}",
    LEARNING("maximum class error", "named here"),
    direction="lower",
)
def maximum_class_error(c: ConfusionMatrix) -> Value:
    """Larger of the error rates of both classes."""
    return larger(c.fnr, c.fpr)


@published(
    r"\mathrm{NPV}_b",
    LEARNING("balanced negative predictive value", "Luque et al. 2019"),
    remark=NOT_VERIFIED,
)
def balanced_negative_predictive_value(c: ConfusionMatrix) -> Value:
    """Negative predictive value on classes of one size."""
    return ratio(c.tnr, c.tnr + c.fnr)


@published(
    r"\mathrm{MK}_b",
    LEARNING("balanced markedness", "Luque et al. 2019"),
    remark=NOT_VERIFIED,
    bounds=(-1, 1),
)
def balanced_markedness(c: ConfusionMatrix) -> Value:
    """Sum of both predictive values on classes of one size, minus 1."""
    return precision_i(c) + balanced_negative_predictive_value(c) - 1


def _pairs(*sizes: Value) -> Value:
    return sum(size * (size - 1) for size in sizes) / 2


@published(
    r"\mathrm{ARI}",
    LEARNING("adjusted Rand index", "Hubert and Arabie 1985, of the calls as clusters"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    bounds_of_counts=(-0.5, 1),
    direction="association",
)
def adjusted_rand_index(c: ConfusionMatrix) -> Value:
    """Rand index beyond chance; it depends on the counts."""
    together = _pairs(c.tp, c.fp, c.fn, c.tn)
    of_truth = _pairs(c.positives, c.negatives)
    of_calls = _pairs(c.predicted_positives, c.predicted_negatives)
    chance = ratio(of_truth * of_calls, _pairs(c.total))
    return ratio(together - chance, (of_truth + of_calls) / 2 - chance)


@published(
    r"\mathrm{FMI}_p",
    LEARNING("Fowlkes-Mallows index of pairs", "Fowlkes and Mallows 1983"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    bounds_of_counts=(0, 1),
    direction="association",
    remark="Fowlkes and Mallows, and scikit-learn, count pairs of instances; van Zyl and"
    " Engelbrecht take the root of precision times recall.",
)
def fowlkes_mallows_of_pairs(c: ConfusionMatrix) -> Value:
    """Geometric mean of the shares of pairs together in one that are so in the other; it depends
    on the counts."""
    together = _pairs(c.tp, c.fp, c.fn, c.tn)
    of_truth = _pairs(c.positives, c.negatives)
    return ratio(together, sqrt(of_truth * _pairs(c.predicted_positives, c.predicted_negatives)))


@published(
    r"\mathrm{RACC}",
    LEARNING("random accuracy of the positives", "Cohen 1960; pycm 4.6: RACC"),
    direction="none",
)
def chance_of_hits(c: ConfusionMatrix) -> Value:
    """Share of the hits that chance gives."""
    return ratio(c.positives * c.predicted_positives, c.total**2)


@published(
    r"\mathrm{RACCU}",
    LEARNING("unbiased random accuracy of the positives", "Scott 1955; pycm 4.6: RACCU"),
    direction="none",
)
def chance_of_hits_at_mean_share(c: ConfusionMatrix) -> Value:
    """Share of the hits that chance gives at the mean of the called and the true share."""
    return ratio((c.positives + c.predicted_positives) ** 2, 4 * c.total**2)


@published("p_e", AGREEMENT("agreement by chance of Cohen", "Cohen 1960"), direction="none")
def chance_agreement(c: ConfusionMatrix) -> Value:
    """Accuracy that chance gives."""
    right = c.positives * c.predicted_positives + c.negatives * c.predicted_negatives
    return ratio(right, c.total**2)


@published(
    r"p_{e\pi}",
    AGREEMENT("agreement by chance of Scott", "Scott 1955"),
    bounds=(0.5, 1),
    direction="none",
)
def chance_agreement_at_mean_share(c: ConfusionMatrix) -> Value:
    """Accuracy that chance gives at the mean of the called and the true share."""
    positives, negatives = c.positives + c.predicted_positives, c.negatives + c.predicted_negatives
    return ratio(positives**2 + negatives**2, 4 * c.total**2)


@published(
    r"\mathrm{NIR}", LEARNING("no information rate", "Kuhn 2008"), bounds=(0.5, 1), direction="none"
)
def no_information_rate(c: ConfusionMatrix) -> Value:
    """Share of the larger class, which no classifier changes."""
    return ratio(larger(c.positives, c.negatives), c.total)
