"""Entropies of truth and calls, and their mutual information."""

from skewproof.core.algebra import Value, is_symbolic, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    ASSOCIATION,
    INFORMATION,
    LEARNING,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    LARGEST_SURPRISE,
    by_chance,
    determinant,
    entropy,
    errors,
    excess,
    larger,
    log_two,
    smaller,
    surprise,
)


def of_truth(c: ConfusionMatrix) -> Value:
    """Entropy of the true classes."""
    return entropy(c.positives, c.negatives)


def of_calls(c: ConfusionMatrix) -> Value:
    """Entropy of the calls."""
    return entropy(c.predicted_positives, c.predicted_negatives)


def of_both(c: ConfusionMatrix) -> Value:
    """Joint entropy of truth and calls."""
    return entropy(c.tp, c.fp, c.fn, c.tn)


def shared(c: ConfusionMatrix) -> Value:
    """Mutual information in bits."""
    rows = c.predicted_positives, c.predicted_positives, c.predicted_negatives
    columns = c.positives, c.negatives, c.positives, c.negatives
    chances = [
        by_chance(row, column, c.total)
        for row, column in zip((*rows, c.predicted_negatives), columns, strict=True)
    ]
    cells = c.tp, c.fp, c.fn, c.tn
    if is_symbolic(c.tp) or is_symbolic(c.fp):
        parts = (surprise(cell, chance) for cell, chance in zip(cells, chances, strict=True))
        return ratio(sum(parts), c.total)
    beyond = ratio(determinant(c), c.total)
    parts = (
        excess(sign * beyond, chance) for sign, chance in zip((1, -1, -1, 1), chances, strict=True)
    )
    return ratio(sum(parts), c.total * log_two(c.total))


@published("I", INFORMATION("mutual information", "Shannon 1948"), direction="association")
def mutual_information(c: ConfusionMatrix) -> Value:
    """Bits that the call gives of the truth."""
    return shared(c)


@published(
    r"I_{\mathrm{nat}}",
    INFORMATION("mutual information in nats", "Shannon 1948"),
    bounds=(0, 0.6931471805599453),
    direction="association",
)
def mutual_information_in_nats(c: ConfusionMatrix) -> Value:
    """Mutual information by the natural logarithm."""
    return shared(c) * log_two(c.total)


@published(
    "U(T|C)",
    ASSOCIATION("uncertainty coefficient of the truth", "Theil 1970"),
    direction="association",
)
def uncertainty_of_truth(c: ConfusionMatrix) -> Value:
    """Share of the entropy of the truth that the call takes away."""
    return ratio(shared(c), of_truth(c))


@published(
    "U(C|T)",
    ASSOCIATION("uncertainty coefficient of the calls", "Theil 1970"),
    direction="association",
)
def uncertainty_of_calls(c: ConfusionMatrix) -> Value:
    """Share of the entropy of the calls that the truth takes away."""
    return ratio(shared(c), of_calls(c))


@published(
    "U", ASSOCIATION("symmetric uncertainty coefficient", "Theil 1970"), direction="association"
)
def symmetric_uncertainty(c: ConfusionMatrix) -> Value:
    """Mutual information over the mean of both entropies."""
    return ratio(2 * shared(c), of_truth(c) + of_calls(c))


@published(
    r"\mathrm{NMI}_g",
    INFORMATION("normalized mutual information, geometric", "Strehl and Ghosh 2002"),
    direction="association",
)
def normalized_information_geometric(c: ConfusionMatrix) -> Value:
    """Mutual information over the geometric mean of both entropies."""
    return ratio(shared(c), sqrt(of_truth(c) * of_calls(c)))


@published(
    r"\mathrm{NMI}_{\max}",
    INFORMATION("normalized mutual information, maximum", "Kvålseth 1987"),
    direction="association",
)
def normalized_information_maximum(c: ConfusionMatrix) -> Value:
    """Mutual information over the larger of both entropies."""
    return ratio(shared(c), larger(of_truth(c), of_calls(c)))


@published(
    r"\mathrm{NMI}_{\min}",
    INFORMATION("normalized mutual information, minimum", "Kvålseth 1987"),
    direction="association",
)
def normalized_information_minimum(c: ConfusionMatrix) -> Value:
    """Mutual information over the smaller of both entropies."""
    return ratio(shared(c), smaller(of_truth(c), of_calls(c)))


@published(
    r"\mathrm{NMI}_j",
    INFORMATION("normalized mutual information, joint", "Yao 2003"),
    direction="association",
)
def normalized_information_joint(c: ConfusionMatrix) -> Value:
    """Mutual information over the joint entropy."""
    return ratio(shared(c), of_both(c))


@published("d_R", INFORMATION("Rajski's distance", "Rajski 1961"), direction="association, lowest")
def rajski_distance(c: ConfusionMatrix) -> Value:
    """Share of the joint entropy that is not shared."""
    return 1 - ratio(shared(c), of_both(c))


@published(
    r"\mathrm{VI}",
    INFORMATION("variation of information", "Meilă 2007"),
    bounds=(0, 2),
    direction="association, lowest",
)
def variation_of_information(c: ConfusionMatrix) -> Value:
    """Bits that truth and calls do not share."""
    return 2 * of_both(c) - of_truth(c) - of_calls(c)


@published(
    "H(T,C)",
    INFORMATION("joint entropy", "Shannon 1948"),
    bounds=(0, 2),
    direction="association, lowest",
)
def joint_entropy(c: ConfusionMatrix) -> Value:
    """Bits of truth and calls together."""
    return of_both(c)


@published(
    "H(C|T)",
    INFORMATION("conditional entropy of the calls", "Shannon 1948"),
    direction="association, lowest",
)
def conditional_entropy_of_calls(c: ConfusionMatrix) -> Value:
    """Bits of the call that the truth does not tell."""
    return of_both(c) - of_truth(c)


@published(
    "H(T|C)",
    INFORMATION("conditional entropy of the truth", "Shannon 1948"),
    direction="association, lowest",
)
def conditional_entropy_of_truth(c: ConfusionMatrix) -> Value:
    """Bits of the truth that the call does not tell."""
    return of_both(c) - of_calls(c)


@published("H(T)", INFORMATION("entropy of the truth", "Shannon 1948"), direction="none")
def entropy_of_truth(c: ConfusionMatrix) -> Value:
    """Bits of the true class, which no classifier changes."""
    return of_truth(c)


@published("H(C)", INFORMATION("entropy of the calls", "Shannon 1948"), direction="none")
def entropy_of_calls(c: ConfusionMatrix) -> Value:
    """Bits of the call."""
    return of_calls(c)


@published(
    r"H(T\times C)",
    INFORMATION("cross entropy of the class shares", "pycm 4.6: Cross Entropy"),
    bounds=(0, UNBOUNDED),
    direction="quantity, lowest",
)
def cross_entropy(c: ConfusionMatrix) -> Value:
    """Bits of the true class by a code for the called shares."""
    return of_truth(c) + divergence_of_shares(c)


@published(
    r"D_{\mathrm{KL}}",
    INFORMATION("Kullback-Leibler divergence of the class shares", "Kullback and Leibler 1951"),
    bounds=(0, UNBOUNDED),
    direction="quantity, lowest",
)
def divergence_of_shares(c: ConfusionMatrix) -> Value:
    """Bits that a code for the called shares wastes on the true class."""
    wasted = surprise(c.positives, c.predicted_positives)
    return ratio(wasted + surprise(c.negatives, c.predicted_negatives), c.total)


@published(
    r"\mathrm{CEN}",
    LEARNING("confusion entropy of the positives", "Wei et al. 2010"),
    bounds=(0, 2 * LARGEST_SURPRISE),
    direction="lower",
)
def confusion_entropy(c: ConfusionMatrix) -> Value:
    """Entropy in bits of both kinds of errors among those that are or were called positive."""
    return _of_errors(c, c.positives + c.predicted_positives)


@published(
    r"\mathrm{MCEN}",
    LEARNING("modified confusion entropy of the positives", "Delgado and Núñez-González 2019"),
    bounds=(0, 2 * LARGEST_SURPRISE),
    direction="lower",
)
def modified_confusion_entropy(c: ConfusionMatrix) -> Value:
    """Confusion entropy among those that are or were called positive, each counted once."""
    return _of_errors(c, c.tp + errors(c))


def _of_errors(c: ConfusionMatrix, total: Value) -> Value:
    return -ratio(surprise(c.fp, total) + surprise(c.fn, total), total)


@published(
    r"\mathrm{CEN}_o",
    LEARNING("confusion entropy", "Wei et al. 2010"),
    bounds=(0, 2 * LARGEST_SURPRISE),
    direction="lower",
)
def overall_confusion_entropy(c: ConfusionMatrix) -> Value:
    """Confusion entropies of both classes, weighted by their mean shares."""
    of_positives, of_negatives = _sizes(c)
    weighed = of_positives * _of_errors(c, of_positives)
    return ratio(weighed + of_negatives * _of_errors(c, of_negatives), 2 * c.total)


@published(
    r"\mathrm{MCEN}_o",
    LEARNING("modified confusion entropy", "Delgado and Núñez-González 2019"),
    direction="lower",
)
def overall_modified_confusion_entropy(c: ConfusionMatrix) -> Value:
    """Modified confusion entropies of both classes, weighted by the sizes of their unions."""
    of_positives, of_negatives = c.tp + errors(c), c.tn + errors(c)
    weighed = of_positives * _of_errors(c, of_positives)
    return ratio(weighed + of_negatives * _of_errors(c, of_negatives), 2 * c.total)


def _sizes(c: ConfusionMatrix) -> tuple[Value, Value]:
    return c.positives + c.predicted_positives, c.negatives + c.predicted_negatives
