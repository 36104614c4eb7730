"""Suspiciousness of statements: positives are failed tests, and a call executes the statement."""

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import FAULTS, UNBOUNDED, published
from skewproof.metrics.atlas.measures.elementary import (
    determinant,
    errors,
    margins,
    smaller,
    where_positive,
)


@published("O", FAULTS("O", "Naish et al. 2011"), bounds=(-1, UNBOUNDED))
def naish_o(c: ConfusionMatrix) -> Value:
    """Correct rejections where nothing is missed, else -1."""
    return where_positive(c.fn, -1, c.tn)


@published("O^p", FAULTS("Op", "Naish et al. 2011"), bounds=(-1, UNBOUNDED))
def naish_op(c: ConfusionMatrix) -> Value:
    """Hits minus the false alarms over the negatives and 1; it depends on the counts."""
    return c.tp - ratio(c.fp, c.negatives + 1)


@published(r"\mathrm{W}_2", FAULTS("Wong2", "Wong et al. 2007"), bounds=(-UNBOUNDED, UNBOUNDED))
def wong2(c: ConfusionMatrix) -> Value:
    """Hits minus false alarms."""
    return c.tp - c.fp


@published(r"\mathrm{W}_3", FAULTS("Wong3", "Wong et al. 2007"), bounds=(-UNBOUNDED, UNBOUNDED))
def wong3(c: ConfusionMatrix) -> Value:
    """Hits minus false alarms, of which those beyond two count a tenth and those beyond ten a
    thousandth."""
    beyond_two = where_positive(c.fp - 2, c.fp - 2, 0)
    beyond_ten = where_positive(c.fp - 10, c.fp - 10, 0)
    return c.tp - c.fp + 9 * beyond_two / 10 + 99 * beyond_ten / 1000


@published(r"\mathrm{Zo}", FAULTS("Zoltar", "Gonzalez 2007; Naish et al. 2011"))
def zoltar(c: ConfusionMatrix) -> Value:
    """Jaccard index with ten thousand times the product of both kinds of errors for each hit."""
    return ratio(c.tp, c.tp + errors(c) + ratio(10_000 * c.fp * c.fn, c.tp))


@published("D^*", FAULTS("D star", "Wong et al. 2014"), bounds=(0, UNBOUNDED))
def d_star(c: ConfusionMatrix) -> Value:
    """Squared hits over the errors: it grows with the counts."""
    return ratio(c.tp**2, errors(c))


@published(r"\mathrm{M}_2", FAULTS("M2", "Everitt 1978; Naish et al. 2011"))
def naish_m2(c: ConfusionMatrix) -> Value:
    """Hits over right calls and errors counted twice."""
    return ratio(c.tp, c.tp + c.tn + 2 * errors(c))


@published(
    r"\mathrm{AMPLE}",
    FAULTS("AMPLE", "Dallmeier et al. 2005; Naish et al. 2011"),
    direction="association",
    remark="pycm and abydos have |ppv - for|, which is AMPLE of the transposed matrix; Choi et al."
    " print the relative risk.",
)
def ample(c: ConfusionMatrix) -> Value:
    """Absolute difference of the true and the false positive rate."""
    return abs(c.tpr - c.fpr)


@published(
    r"\mathrm{Fl}_N",
    FAULTS("Fleiss", "Naish et al. 2011"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="Naish et al. add the two factors of the denominator that Scott's pi multiplies.",
)
def naish_fleiss(c: ConfusionMatrix) -> Value:
    """Four times tp·tn - fp·fn minus (fp - fn)², over twice all: it grows with the counts."""
    return ratio(4 * determinant(c) - (c.fp - c.fn) ** 2, 2 * c.total)


@published(
    r"\mathrm{Rg}_1",
    FAULTS("Rogot1", "Naish et al. 2011"),
    bounds=(0, 0.5),
    remark="Rogot and Goldberg (1966) do not divide by 2.",
)
def naish_rogot1(c: ConfusionMatrix) -> Value:
    """A quarter of the sum of the F1 scores of both classes."""
    return (ratio(c.tp, 2 * c.tp + errors(c)) + ratio(c.tn, 2 * c.tn + errors(c))) / 2


@published(
    r"\mathrm{HM}_N",
    FAULTS("harmonic mean", "Rogot and Goldberg 1966; Naish et al. 2011"),
    bounds=(-2, 2),
    remark="The value of Naish et al. is twice the mean of Youden's J and markedness.",
)
def naish_harmonic_mean(c: ConfusionMatrix) -> Value:
    """Sum of Youden's J and markedness."""
    variances = c.predicted_positives * c.predicted_negatives + c.positives * c.negatives
    return ratio(determinant(c) * variances, margins(c))


@published(r"\mathrm{GP}_{13}", FAULTS("GP13", "Yoo 2012"), bounds=(0, UNBOUNDED))
def gp13(c: ConfusionMatrix) -> Value:
    """Hits, and hits over themselves and twice the false alarms; it depends on the counts."""
    return c.tp + ratio(c.tp, 2 * c.fp + c.tp)


@published(r"\mathrm{Bin}", FAULTS("Binary", "Naish et al. 2011"))
def naish_binary(c: ConfusionMatrix) -> Value:
    """1 where nothing is missed, else 0."""
    return where_positive(c.fn, 0, 1)


@published(
    r"\mathrm{Och}_2",
    FAULTS("Ochiai2", "Naish et al. 2011"),
    bounds=(0, UNBOUNDED),
    remark="Ochiai (1957) has tp + fn and fp + tn where Naish et al. have tp + tn and fp + fn.",
)
def naish_ochiai2(c: ConfusionMatrix) -> Value:
    """tp·tn over the root of the product of P', N', the right and the wrong calls."""
    product = c.predicted_positives * c.predicted_negatives * (c.tp + c.tn) * errors(c)
    return ratio(c.tp * c.tn, sqrt(product))


@published(
    r"\mathrm{Ov}",
    FAULTS("Overlap", "Naish et al. 2011"),
    bounds=(1, UNBOUNDED),
    remark="Szymkiewicz (1934) has the smaller of P and P' in the denominator.",
)
def naish_overlap(c: ConfusionMatrix) -> Value:
    """Hits over the smallest of hits, false alarms and misses."""
    return ratio(c.tp, smaller(c.tp, c.fp, c.fn))


@published(
    r"\mathrm{GP}_{02}",
    FAULTS("GP02", "Yoo 2012"),
    bounds=(0, UNBOUNDED),
    direction="none",
    remark="Suresoft's SBFL uses all negatives instead of the correct rejections.",
)
def gp02(c: ConfusionMatrix) -> Value:
    """Twice the hits and the root of the correct rejections, and the root of the false alarms."""
    return 2 * (c.tp + sqrt(c.tn)) + sqrt(c.fp)


@published(r"\mathrm{GP}_{03}", FAULTS("GP03", "Yoo 2012"), bounds=(0, UNBOUNDED), direction="none")
def gp03(c: ConfusionMatrix) -> Value:
    """Root of the difference of the squared hits and the root of the false alarms."""
    return sqrt(abs(c.tp**2 - sqrt(c.fp)))


@published(r"\mathrm{GP}_{19}", FAULTS("GP19", "Yoo 2012"), bounds=(0, UNBOUNDED))
def gp19(c: ConfusionMatrix) -> Value:
    """Hits times the root of the difference of right and wrong calls."""
    return c.tp * sqrt(abs(errors(c) - c.tp - c.tn))
