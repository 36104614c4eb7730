"""Agreement of two raters, the truth and the calls, with several corrections for chance."""

from skewproof.core.algebra import Value, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    AGREEMENT,
    ASSOCIATION,
    LAND,
    SIMILARITY,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    determinant,
    errors,
    larger,
    margins,
    smaller,
)


@published(r"\alpha", AGREEMENT("Krippendorff's alpha", "Krippendorff 1970"), bounds=(-1, 1))
def krippendorff_alpha(c: ConfusionMatrix) -> Value:
    """Scott's pi with pairs drawn without replacement; it depends on the number of instances."""
    shares = (c.positives + c.predicted_positives) * (c.negatives + c.predicted_negatives)
    return 1 - ratio(errors(c) * (2 * c.total - 1), shares)


@published(r"\mathrm{AC}_1", AGREEMENT("Gwet's AC1", "Gwet 2008"), bounds=(-1, 1))
def gwet_ac1(c: ConfusionMatrix) -> Value:
    """Agreement beyond that of raters who guess where a subject is hard."""
    shares = (c.positives + c.predicted_positives) * (c.negatives + c.predicted_negatives)
    chance = ratio(shares, 2 * c.total**2)
    return ratio(ratio(c.tp + c.tn, c.total) - chance, 1 - chance)


@published(
    "S", AGREEMENT("Bennett, Alpert and Goldstein's S", "Bennett et al. 1954"), bounds=(-1, 1)
)
def bennett_s(c: ConfusionMatrix) -> Value:
    """Agreement beyond that of coins: the share of right calls minus that of wrong ones."""
    return ratio(c.tp + c.tn - errors(c), c.total)


@published(
    "r_{11}",
    AGREEMENT("Maxwell and Pilliner's coefficient", "Maxwell and Pilliner 1968"),
    bounds=(-1, 1),
    remark="sflkit multiplies the two variances in the denominator, which Naish et al. add.",
)
def maxwell_pilliner(c: ConfusionMatrix) -> Value:
    """Covariance over the mean of both variances: the reliability of a sum of items."""
    variances = c.predicted_positives * c.predicted_negatives + c.positives * c.negatives
    return ratio(2 * determinant(c), variances)


@published(
    r"\mathrm{KR}",
    AGREEMENT("Kuder and Richardson's coefficient", "Kuder and Richardson 1937"),
    bounds=(-UNBOUNDED, 1),
)
def kuder_richardson(c: ConfusionMatrix) -> Value:
    """Reliability of the sum of both raters, stepped up by Spearman and Brown."""
    variances = c.predicted_positives * c.predicted_negatives + c.positives * c.negatives
    return ratio(4 * determinant(c), variances + 2 * determinant(c))


@published(
    r"\overline{J,\mathrm{MK}}", AGREEMENT("Fleiss' coefficient", "Fleiss 1975"), bounds=(-1, 1)
)
def fleiss_association(c: ConfusionMatrix) -> Value:
    """Mean of Youden's J and markedness."""
    variances = c.predicted_positives * c.predicted_negatives + c.positives * c.negatives
    return ratio(determinant(c) * variances, 2 * margins(c))


@published("A_2", AGREEMENT("Rogot and Goldberg's A2", "Rogot and Goldberg 1966"))
def sokal_sneath_iv(c: ConfusionMatrix) -> Value:
    """Mean of the four conditional shares of right calls."""
    return (c.ppv + c.tpr + c.npv + c.tnr) / 4


@published(
    "F_1^-", AGREEMENT("specific agreement on the negatives", "Cicchetti and Feinstein 1990")
)
def f1_of_negatives(c: ConfusionMatrix) -> Value:
    """Harmonic mean of specificity and negative predictive value."""
    return ratio(2 * c.tn, 2 * c.tn + errors(c))


@published("B", AGREEMENT("Bangdiwala's B", "Bangdiwala 1985"))
def bangdiwala_b(c: ConfusionMatrix) -> Value:
    """Area of the squares of agreement over that of the rectangles of the shares."""
    shares = c.positives * c.predicted_positives + c.negatives * c.predicted_negatives
    return ratio(c.tp**2 + c.tn**2, shares)


@published(
    r"\lambda_r",
    AGREEMENT("Goodman and Kruskal's lambda r", "Goodman and Kruskal 1954"),
    bounds=(-1, 1),
)
def goodman_kruskal_lambda_r(c: ConfusionMatrix) -> Value:
    """Errors saved compared with always calling the class with the larger mean share."""
    rest = smaller(c.positives + c.predicted_positives, c.negatives + c.predicted_negatives)
    return 1 - ratio(2 * errors(c), rest)


@published(
    r"\lambda_{r\max}",
    AGREEMENT("lambda r with a modal class each", "pycm 4.6: distance GoodmanKruskalLambdaR"),
    bounds=(-UNBOUNDED, 1),
    remark="Goodman and Kruskal (1954) use one modal class for both raters; pycm and abydos use"
    " one for each.",
)
def goodman_kruskal_lambda_r_modal_each(c: ConfusionMatrix) -> Value:
    """Errors saved compared with the larger share of the calls and of the truth, on average."""
    rest = smaller(c.positives, c.negatives)
    rest = rest + smaller(c.predicted_positives, c.predicted_negatives)
    return 1 - ratio(2 * errors(c), rest)


def _most_likely(c: ConfusionMatrix) -> tuple[Value, Value]:
    """Sums of the larger cells within each called, and within each true class."""
    of_calls = larger(c.tp, c.fp) + larger(c.fn, c.tn)
    return of_calls, larger(c.tp, c.fn) + larger(c.fp, c.tn)


@published(
    r"\lambda_{T}",
    ASSOCIATION("lambda of the truth by the calls", "Goodman and Kruskal 1954"),
    direction="association",
)
def lambda_of_truth(c: ConfusionMatrix) -> Value:
    """Share of the errors in guessing the true class that knowing the call saves."""
    modal = larger(c.positives, c.negatives)
    return ratio(_most_likely(c)[0] - modal, c.total - modal)


@published(
    r"\lambda_{C}",
    ASSOCIATION("lambda of the calls by the truth", "Goodman and Kruskal 1954"),
    direction="association",
)
def lambda_of_calls(c: ConfusionMatrix) -> Value:
    """Share of the errors in guessing the call that knowing the true class saves."""
    modal = larger(c.predicted_positives, c.predicted_negatives)
    return ratio(_most_likely(c)[1] - modal, c.total - modal)


@published(
    r"\lambda",
    ASSOCIATION("symmetric lambda", "Goodman and Kruskal 1954; Choi et al. 2010"),
    direction="association",
)
def symmetric_lambda(c: ConfusionMatrix) -> Value:
    """Share of the errors in guessing either that knowing the other saves."""
    modal = larger(c.positives, c.negatives)
    modal = modal + larger(c.predicted_positives, c.predicted_negatives)
    return ratio(sum(_most_likely(c)) - modal, 2 * c.total - modal)


@published(
    "D",
    SIMILARITY("Anderberg's D", "Anderberg 1973; Choi et al. 2010"),
    bounds=(0, 0.5),
    direction="association",
    remark="Choi et al. use the larger shares of the calls and of the truth; pycm uses max(tp +"
    " fp, fp + tn) for the second.",
)
def anderberg_d(c: ConfusionMatrix) -> Value:
    """Number of instances for which knowing one class helps to guess the other, over twice all."""
    modal = larger(c.positives, c.negatives)
    modal = modal + larger(c.predicted_positives, c.predicted_negatives)
    return ratio(sum(_most_likely(c)) - modal, 2 * c.total)


def _largest_determinant(c: ConfusionMatrix) -> Value:
    """Compute the largest tp·tn - fp·fn that the sizes of the classes allow."""
    return smaller(c.positives * c.predicted_negatives, c.predicted_positives * c.negatives)


@published(
    r"\kappa_{\mathrm{loc}}", LAND("kappa for location", "Pontius 2000"), bounds=(-UNBOUNDED, 1)
)
def kappa_location(c: ConfusionMatrix) -> Value:
    """Kappa as a share of the largest that the shares of both classes allow."""
    return ratio(determinant(c), _largest_determinant(c))


@published(
    r"\kappa_{\mathrm{histo}}",
    LAND("kappa for quantity, histogram", "Hagen 2002"),
    direction="quantity",
)
def kappa_histogram(c: ConfusionMatrix) -> Value:
    """The largest kappa that the shares of both classes allow."""
    chance = c.predicted_positives * c.negatives + c.positives * c.predicted_negatives
    return ratio(2 * _largest_determinant(c), chance)


@published(
    r"\kappa(1)",
    AGREEMENT("weighted kappa for missed positives", "Kraemer 1992"),
    bounds=(-UNBOUNDED, 1),
)
def kappa_of_sensitivity(c: ConfusionMatrix) -> Value:
    """Sensitivity beyond the share of what is called positive, as a share of what can be."""
    return ratio(determinant(c), c.positives * c.predicted_negatives)


@published(
    r"\kappa(0)",
    AGREEMENT("weighted kappa for false alarms", "Kraemer 1992"),
    bounds=(-UNBOUNDED, 1),
)
def kappa_of_specificity(c: ConfusionMatrix) -> Value:
    """Specificity beyond the share of what is called negative, as a share of what can be."""
    return ratio(determinant(c), c.negatives * c.predicted_positives)


@published(
    r"\mathrm{BI}", AGREEMENT("bias index", "Byrt et al. 1993"), bounds=(-1, 1), direction="target"
)
def bias_index(c: ConfusionMatrix) -> Value:
    """Share of the calls minus that of the positives."""
    return ratio(c.fp - c.fn, c.total)


@published(
    r"\mathrm{PI}",
    AGREEMENT("prevalence index", "Byrt et al. 1993"),
    bounds=(-1, 1),
    direction="target",
)
def prevalence_index(c: ConfusionMatrix) -> Value:
    """Share of the hits minus that of the correct rejections."""
    return ratio(c.tp - c.tn, c.total)
