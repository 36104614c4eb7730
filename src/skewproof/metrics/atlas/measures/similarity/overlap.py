"""Similarity by what two sets share: functions of tp, fp and fn, and a few of tn in their place."""

from skewproof.core.algebra import Value, log, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    FAULTS,
    INFORMATION,
    LAND,
    LEARNING,
    RULES,
    SIMILARITY,
    UNBOUNDED,
    WORDS,
    published,
)
from skewproof.metrics.atlas.measures.elementary import errors, larger, log2, smaller


@published("3W", SIMILARITY("3W-Jaccard", "Jaccard 1901, hits thrice; Choi et al. 2010"))
def jaccard_3w(c: ConfusionMatrix) -> Value:
    """Jaccard index in which hits count three times."""
    return ratio(3 * c.tp, 3 * c.tp + errors(c))


@published(
    r"\mathrm{SS}_I",
    SIMILARITY("Sokal and Sneath I", "Sokal and Sneath 1963; Choi et al. 2010"),
    remark="The numbering differs: abydos calls this Sokal and Sneath II.",
)
def sokal_sneath_i(c: ConfusionMatrix) -> Value:
    """Jaccard index in which errors count twice."""
    return ratio(c.tp, c.tp + 2 * errors(c))


@published(
    "1-F_1",
    SIMILARITY("Lance and Williams distance", "Lance and Williams 1967; Choi et al. 2010"),
    direction="lower",
)
def dice_distance(c: ConfusionMatrix) -> Value:
    """1 minus the F1 score."""
    return ratio(errors(c), 2 * c.tp + errors(c))


@published("1-v", SIMILARITY("Jaccard distance", "Levandowsky and Winter 1971"), direction="lower")
def jaccard_distance(c: ConfusionMatrix) -> Value:
    """1 minus the Jaccard index."""
    return ratio(errors(c), c.tp + errors(c))


@published(
    r"1-\mathrm{SS}_I",
    SIMILARITY("Sokal and Sneath dissimilarity", "Sokal and Sneath 1963"),
    direction="lower",
)
def sokal_sneath_distance(c: ConfusionMatrix) -> Value:
    """1 minus Sokal and Sneath I."""
    return ratio(2 * errors(c), c.tp + 2 * errors(c))


@published(
    "K_1", SIMILARITY("Kulczynski I", "Kulczyński 1927; Choi et al. 2010"), bounds=(0, UNBOUNDED)
)
def kulczynski_i(c: ConfusionMatrix) -> Value:
    """Hits for each error."""
    return ratio(c.tp, errors(c))


@published("K_2", SIMILARITY("Johnson", "Johnson 1967; Choi et al. 2010"), bounds=(0, 2))
def johnson(c: ConfusionMatrix) -> Value:
    """Sum of precision and recall."""
    return c.ppv + c.tpr


@published(
    r"\mathrm{ICSI}",
    LAND("individual classification success index", "Koukoulas and Blackburn 2001"),
    bounds=(-1, 1),
)
def classification_success(c: ConfusionMatrix) -> Value:
    """Sum of precision and recall minus 1."""
    return c.ppv + c.tpr - 1


@published(r"\mathrm{Sim}", SIMILARITY("Simpson", "Simpson 1943; Choi et al. 2010"))
def overlap_coefficient(c: ConfusionMatrix) -> Value:
    """The larger of precision and recall."""
    return ratio(c.tp, smaller(c.positives, c.predicted_positives))


@published(
    r"\mathrm{BB}", SIMILARITY("Braun and Blanquet", "Braun-Blanquet 1932; Choi et al. 2010")
)
def braun_blanquet(c: ConfusionMatrix) -> Value:
    """The smaller of precision and recall."""
    return ratio(c.tp, larger(c.positives, c.predicted_positives))


@published(
    "M",
    SIMILARITY("Mountford", "Mountford 1962; Choi et al. 2010"),
    bounds=(0, UNBOUNDED),
    remark="Choi et al. print tp divided by the sum of half of (tp·fp + tp·fn) and fp·fn, which is"
    " the same.",
)
def mountford(c: ConfusionMatrix) -> Value:
    """Hits over pairs of which one is wrong at least: it depends on the counts."""
    return ratio(2 * c.tp, c.tp * errors(c) + 2 * c.fp * c.fn)


@published(
    r"\mathrm{FM}",
    SIMILARITY("Fager and McGowan", "Fager and McGowan 1963"),
    bounds=(-UNBOUNDED, 1),
    bounds_of_counts=(-0.5, 1),
    remark="Fager and McGowan, pycm and abydos subtract 1 over twice the root of the larger class;"
    " Choi et al. subtract half the larger class.",
)
def fager_mcgowan(c: ConfusionMatrix) -> Value:
    """Fowlkes-Mallows index minus half the inverse root of the larger of P and P'; it depends on
    the counts."""
    cosine = ratio(c.tp, sqrt(c.positives * c.predicted_positives))
    return cosine - ratio(1, 2 * sqrt(larger(c.positives, c.predicted_positives)))


@published(
    r"\mathrm{FM}_C",
    SIMILARITY("Fager and McGowan of Choi et al.", "Choi et al. 2010"),
    bounds=(-UNBOUNDED, 1),
    bounds_of_counts=(-UNBOUNDED, 0.5),
    remark="Fager and McGowan (1963) subtract 1 over twice the root of the larger class; Choi et"
    " al. subtract half the larger class.",
)
def fager_mcgowan_of_choi(c: ConfusionMatrix) -> Value:
    """Fowlkes-Mallows index minus half the larger of P and P'; it depends on the counts."""
    cosine = ratio(c.tp, sqrt(c.positives * c.predicted_positives))
    return cosine - larger(c.positives, c.predicted_positives) / 2


@published(
    r"\mathrm{UH}",
    SIMILARITY("Fager and McGowan with the smaller set", "abydos 0.5.0: UnknownH.sim_score"),
    bounds=(-UNBOUNDED, 1),
    bounds_of_counts=(-0.5, 1),
    remark="Fager and McGowan use the larger class.",
)
def fager_mcgowan_smaller(c: ConfusionMatrix) -> Value:
    """Fowlkes-Mallows index minus half the inverse root of the smaller of P and P'."""
    cosine = ratio(c.tp, sqrt(c.positives * c.predicted_positives))
    return cosine - ratio(1, 2 * sqrt(smaller(c.positives, c.predicted_positives)))


@published(
    r"\mathrm{Hel}",
    SIMILARITY("Hellinger distance", "Choi et al. 2010"),
    bounds=(0, 2),
    direction="lower",
)
def hellinger_distance(c: ConfusionMatrix) -> Value:
    """Twice the root of 1 minus the Fowlkes-Mallows index."""
    return 2 * sqrt(1 - ratio(c.tp, sqrt(c.positives * c.predicted_positives)))


@published(
    r"\mathrm{Ch}",
    SIMILARITY("chord distance", "Orlóci 1967; Choi et al. 2010"),
    bounds=(0, 2**0.5),
    direction="lower",
)
def chord_distance(c: ConfusionMatrix) -> Value:
    """Distance of the two sets as points on a sphere."""
    return sqrt(2 * (1 - ratio(c.tp, sqrt(c.positives * c.predicted_positives))))


@published(
    r"1-\mathrm{FMI}",
    SIMILARITY("cosine distance", "scipy 1.17.1: distance.cosine"),
    direction="lower",
)
def cosine_distance(c: ConfusionMatrix) -> Value:
    """1 minus the Fowlkes-Mallows index."""
    return 1 - ratio(c.tp, sqrt(c.positives * c.predicted_positives))


@published(
    "2v",
    FAULTS("Dice", "Naish et al. 2011"),
    bounds=(0, 2),
    remark="Dice (1945) also has 2tp in the denominator, which gives F1. Naish et al. list both:"
    " this measure as Dice, and F1 as Sørensen-Dice.",
)
def twice_jaccard(c: ConfusionMatrix) -> Value:
    """Twice the Jaccard index."""
    return ratio(2 * c.tp, c.tp + errors(c))


@published("2F_1-1", SIMILARITY("van der Maarel", "van der Maarel 1969"), bounds=(-1, 1))
def maarel(c: ConfusionMatrix) -> Value:
    """F1 score scaled to [-1, 1]."""
    return ratio(2 * c.tp - errors(c), 2 * c.tp + errors(c))


@published(r"2F_1^--1", SIMILARITY("Warrens III", "Warrens 2008"), bounds=(-1, 1))
def maarel_of_negatives(c: ConfusionMatrix) -> Value:
    """F1 score of the negatives, scaled to [-1, 1]."""
    return ratio(2 * c.tn - errors(c), 2 * c.tn + errors(c))


@published(r"\mathrm{Up}", SIMILARITY("Upholt's nucleotide identity", "Upholt 1977"))
def upholt(c: ConfusionMatrix) -> Value:
    """Share of identical nucleotides that gives an F1 score of restriction fragments."""
    f1 = ratio(2 * c.tp, 2 * c.tp + errors(c))
    return (sqrt(f1 * (8 + f1)) - f1) / 2


@published(r"\mathrm{JNM}", SIMILARITY("Jaccard-NM", "Naseem et al. 2011"), bounds=(0, 0.5))
def jaccard_nm(c: ConfusionMatrix) -> Value:
    """Hits over the union and all instances."""
    return ratio(c.tp, c.tp + errors(c) + c.total)


@published(r"\mathrm{T}_R", SIMILARITY("Tulloss' R", "Tulloss 1997"))
def tulloss_r(c: ConfusionMatrix) -> Value:
    """Cost of the errors in both sets, by logarithms of 1 and precision, and 1 and recall."""
    return log2(1 + c.ppv) * log2(1 + c.tpr)


@published(r"\mathrm{T}_S", SIMILARITY("Tulloss' S", "Tulloss 1997"), direction="higher")
def tulloss_s(c: ConfusionMatrix) -> Value:
    """Cost of the rarer kind of error against the hits; it depends on the counts."""
    return ratio(1, sqrt(log2(2 + ratio(smaller(c.fp, c.fn), c.tp + 1))))


@published(r"\mathrm{T}_U", SIMILARITY("Tulloss' U", "Tulloss 1997"), direction="quantity")
def tulloss_u(c: ConfusionMatrix) -> Value:
    """Likeness of the sizes of both sets, by a logarithm."""
    return log2(1 + ratio(smaller(c.fp, c.fn) + c.tp, larger(c.fp, c.fn) + c.tp))


@published(r"\mathrm{T}_T", SIMILARITY("Tulloss' T", "Tulloss 1997"))
def tulloss_t(c: ConfusionMatrix) -> Value:
    """Root of the product of Tulloss' R, S and U."""
    return sqrt(tulloss_r(c) * tulloss_s(c) * tulloss_u(c))


@published(
    r"1-\mathrm{Sg}",
    SIMILARITY("Baulieu I", "Baulieu 1989; pycm 4.6: distance BaulieuI"),
    direction="lower",
)
def baulieu_i(c: ConfusionMatrix) -> Value:
    """1 minus precision times recall."""
    return 1 - c.ppv * c.tpr


@published(
    r"\mathrm{KF}_I", SIMILARITY("Kent and Foster I", "Kent and Foster 1977"), bounds=(-1 / 3, 0)
)
def kent_foster_i(c: ConfusionMatrix) -> Value:
    """Hits beyond the most that chance in the union allows, scaled."""
    wrong = c.fp * c.fn
    return ratio(-wrong, (c.tp + errors(c)) * errors(c) - wrong)


@published(
    r"\mathrm{KF}_{II}",
    SIMILARITY("Kent and Foster II", "Kent and Foster 1977"),
    bounds=(-1 / 3, 0),
)
def kent_foster_ii(c: ConfusionMatrix) -> Value:
    """Kent and Foster I of the negatives."""
    wrong = c.fp * c.fn
    return ratio(-wrong, (c.tn + errors(c)) * errors(c) - wrong)


@published(
    r"\mathrm{CT}_{IV}", SIMILARITY("Consonni and Todeschini IV", "Consonni and Todeschini 2012")
)
def consonni_todeschini_iv(c: ConfusionMatrix) -> Value:
    """Logarithm of 1 and the hits over that of 1 and the union; it depends on the counts."""
    return ratio(log(1 + c.tp), log(1 + c.tp + errors(c)))


@published(r"\mathrm{IR}", RULES("imbalance ratio", "Wu et al. 2010"), direction="quantity, lowest")
def imbalance_of_errors(c: ConfusionMatrix) -> Value:
    """Difference of both kinds of errors over the union."""
    return ratio(abs(c.fp - c.fn), c.tp + errors(c))


@published(
    r"\mathrm{VS}",
    LEARNING("volumetric similarity", "Taha and Hanbury 2015"),
    remark="SimpleITK has twice the difference of the sizes divided by their sum, with its sign.",
    direction="quantity",
)
def volumetric_similarity(c: ConfusionMatrix) -> Value:
    """1 minus the difference of the sizes of both sets over their sum."""
    return 1 - ratio(abs(c.fp - c.fn), 2 * c.tp + errors(c))


@published(r"\log\mathrm{Dice}", WORDS("logDice", "Rychlý 2008"), bounds=(-UNBOUNDED, 14))
def log_dice(c: ConfusionMatrix) -> Value:
    """14 and the binary logarithm of the F1 score."""
    return 14 + log2(ratio(2 * c.tp, 2 * c.tp + errors(c)))


@published(
    "D", LAND("D index of segments", "Clinton et al. 2010; segmetric, D_index"), direction="lower"
)
def segmentation_d(c: ConfusionMatrix) -> Value:
    """Quadratic mean of the shares missed and called in vain."""
    return sqrt((c.fnr**2 + ratio(c.fp, c.predicted_positives) ** 2) / 2)


@published(
    r"\mathrm{GM}_{\mathrm{MI}}",
    INFORMATION(
        "mutual information of Church and Hanks, from 1",
        "abydos 0.5.0: MutualInformation.sim_score",
    ),
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="Church and Hanks (1990) do not add 1 in the quotient; their measure is pointwise"
    " mutual information.",
)
def pointwise_information_from_one(c: ConfusionMatrix) -> Value:
    """Binary logarithm of 1 and n·tp over 1 and P·P'; it depends on the counts."""
    return log2(ratio(1 + c.tp * c.total, 1 + c.positives * c.predicted_positives))


@published(r"\mathrm{S}_4", SIMILARITY("Jaccard with hits four times", "Ling 2010, as Sorensen"))
def jaccard_4w(c: ConfusionMatrix) -> Value:
    """Jaccard index in which hits count four times."""
    return ratio(4 * c.tp, 4 * c.tp + errors(c))


@published(r"\mathrm{A}_8", SIMILARITY("Jaccard with hits eight times", "Ling 2010, as Anderberg"))
def jaccard_8w(c: ConfusionMatrix) -> Value:
    """Jaccard index in which hits count eight times."""
    return ratio(8 * c.tp, 8 * c.tp + errors(c))


@published(r"F_A", SIMILARITY("Alroy's F", "Alroy 2015"))
def alroy(c: ConfusionMatrix) -> Value:
    """Hits against pairs of a miss and a false alarm, with more weight in large unions; it depends
    on the counts."""
    union = c.tp + errors(c)
    weighed = 2 * c.tp * (union + sqrt(union))
    return ratio(weighed, weighed + 3 * c.fp * c.fn)
