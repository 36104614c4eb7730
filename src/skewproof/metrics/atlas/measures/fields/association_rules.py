"""Interest of association rules and of collocations, and degrees of confirmation."""

from skewproof.core.algebra import Value, log, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    NOT_VERIFIED,
    RULES,
    SIMILARITY,
    UNBOUNDED,
    WORDS,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    LARGEST_SURPRISE,
    by_chance,
    called,
    determinant,
    errors,
    larger,
    log2,
    log_ten,
    log_two,
    nonnegative,
    prevalence,
    surprise,
    where_positive,
)


@published(r"\mathrm{lift}", RULES("lift", "Brin et al. 1997"), bounds=(0, UNBOUNDED))
def lift(c: ConfusionMatrix) -> Value:
    """Precision over prevalence."""
    return ratio(c.tp * c.total, c.positives * c.predicted_positives)


@published(
    r"\mathrm{PMI}",
    WORDS("pointwise mutual information", "Church and Hanks 1990"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def pointwise_mutual_information(c: ConfusionMatrix) -> Value:
    """Binary logarithm of the lift."""
    return log2(lift(c))


@published(
    r"\ln\mathrm{lift}",
    SIMILARITY("Gilbert and Wells of Choi et al.", "Choi et al. 2010"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    remark="Gilbert and Wells (1966) use the probability of the cells by chance.",
)
def log_lift(c: ConfusionMatrix) -> Value:
    """Natural logarithm of the lift."""
    return log(lift(c))


@published(
    r"\mathrm{PMI}^2",
    WORDS("squared pointwise mutual information", "Daille 1994"),
    bounds=(-UNBOUNDED, 0),
    remark="Computed from shares here; from counts, tp²·n/(P·P'), it is larger by log2(n).",
)
def squared_pointwise_information(c: ConfusionMatrix) -> Value:
    """Binary logarithm of precision times recall."""
    return log2(c.ppv * c.tpr)


@published(
    r"\mathrm{PMI}^3",
    WORDS("cubic pointwise mutual information", "Daille 1994"),
    bounds=(-UNBOUNDED, 0),
    remark="Computed from shares here; from counts, tp³·n/(P·P'), it is larger by 2 log2(n).",
)
def cubic_pointwise_information(c: ConfusionMatrix) -> Value:
    """Binary logarithm of precision times recall times the share of hits."""
    return log2(c.ppv * c.tpr * ratio(c.tp, c.total))


@published(
    r"\mathrm{LMI}",
    WORDS("local mutual information", "Evert 2005"),
    bounds=(-0.1717, LARGEST_SURPRISE),
)
def two_way_support(c: ConfusionMatrix) -> Value:
    """Share of the hits times the binary logarithm of the lift."""
    return ratio(surprise(c.tp, ratio(c.positives * c.predicted_positives, c.total)), c.total)


@published(
    r"\mathrm{OWS}",
    RULES("one-way support", "Yao and Zhong 1999"),
    bounds=(-LARGEST_SURPRISE, UNBOUNDED),
)
def one_way_support(c: ConfusionMatrix) -> Value:
    """Precision times the binary logarithm of the lift."""
    chance = ratio(c.positives * c.predicted_positives, c.total)
    return ratio(surprise(c.tp, chance), c.predicted_positives)


@published(
    r"f^3/xy",
    WORDS("a variant of mutual information", "nltk 3.10.4: mi_like"),
    bounds=(0, UNBOUNDED),
)
def cubed_hits(c: ConfusionMatrix) -> Value:
    """Hits times precision times recall: it grows with the counts."""
    return c.tp * c.ppv * c.tpr


@published("t", WORDS("t-score", "Church et al. 1991"), bounds=(-UNBOUNDED, UNBOUNDED))
def t_score(c: ConfusionMatrix) -> Value:
    """Hits beyond chance over the root of the hits: it grows with the counts."""
    return ratio(determinant(c), c.total * sqrt(c.tp))


@published(
    r"\mathrm{PS}",
    WORDS("Poisson-Stirling measure", "Quasthoff and Wolff 2002"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
    remark="Quasthoff and Wolff use the natural logarithm; nltk uses the binary logarithm.",
)
def poisson_stirling(c: ConfusionMatrix) -> Value:
    """Hits times the binary logarithm of the lift minus 1: it grows with the counts."""
    return surprise(c.tp, ratio(c.positives * c.predicted_positives, c.total)) - c.tp


@published(r"\mathrm{lift}-1", SIMILARITY("Kuhns XII", "Kuhns 1965"), bounds=(-1, UNBOUNDED))
def varying_rates_liaison(c: ConfusionMatrix) -> Value:
    """Lift minus 1."""
    return lift(c) - 1


@published(
    r"\mathrm{imp}",
    RULES("importance", "MacLennan et al. 2009; arules, importance"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def rule_importance(c: ConfusionMatrix) -> Value:
    """Decimal logarithm of the quotient of both risks by Laplace's rule; it depends on the
    counts."""
    risk = ratio(c.tp + 1, c.predicted_positives + 2)
    return log(ratio(risk * (c.predicted_negatives + 2), c.fn + 1)) / log_ten(c.tp)


@published(r"\mathrm{conv}", RULES("conviction", "Brin et al. 1997"), bounds=(0, UNBOUNDED))
def conviction(c: ConfusionMatrix) -> Value:
    """False alarms of chance over false alarms."""
    return ratio(c.predicted_positives * c.negatives, c.total * c.fp)


@published(
    r"\mathrm{CF}",
    RULES("certainty factor", "Shortliffe and Buchanan 1975; Tan et al. 2002"),
    bounds=(-1, 1),
)
def certainty_factor(c: ConfusionMatrix) -> Value:
    """Precision beyond prevalence as a share of what it can be, in each direction."""
    gain = where_positive(determinant(c), c.negatives, c.positives)
    return ratio(determinant(c), c.predicted_positives * gain)


@published(r"\mathrm{ZI}", RULES("Zhang's metric", "Zhang 2000"), bounds=(-1, 1))
def zhang(c: ConfusionMatrix) -> Value:
    """Share of the hits beyond chance over the larger of two it could be."""
    largest = larger(c.tp * c.predicted_negatives, c.predicted_positives * c.fn)
    return ratio(determinant(c), largest)


@published(
    r"\mathrm{CS}",
    RULES("collective strength", "Aggarwal and Yu 1998; Tan et al. 2002"),
    bounds=(0, UNBOUNDED),
    remark="arules multiplies tp and tn where the others add them, and adds N' and N where the"
    " others multiply them.",
)
def collective_strength(c: ConfusionMatrix) -> Value:
    """Odds of right calls over those of chance."""
    right = c.predicted_positives * c.positives + c.predicted_negatives * c.negatives
    wrong = c.predicted_positives * c.negatives + c.predicted_negatives * c.positives
    return ratio((c.tp + c.tn) * wrong, errors(c) * right)


@published(
    r"\mathrm{Gini}",
    RULES("Gini index", "Tan et al. 2002"),
    bounds=(0, 0.5),
    direction="association",
)
def gini_gain(c: ConfusionMatrix) -> Value:
    """Impurity of the truth that the calls take away."""
    called_sizes = c.predicted_positives * c.predicted_negatives
    return ratio(2 * determinant(c) ** 2, called_sizes * c.total**2)


@published(
    "J_m",
    RULES("J-measure", "Smyth and Goodman 1992"),
    bounds=(0, LARGEST_SURPRISE),
    direction="none",
    remark="In bits; arules uses natural logarithms.",
)
def j_measure(c: ConfusionMatrix) -> Value:
    """Information in bits that a positive call gives of the truth, times how often it is made."""
    hits = surprise(c.tp, ratio(c.positives * c.predicted_positives, c.total))
    alarms = surprise(c.fp, ratio(c.negatives * c.predicted_positives, c.total))
    return ratio(hits + alarms, c.total)


@published(
    r"\mathrm{Kl}",
    RULES("Klösgen", "Klösgen 1996"),
    bounds=(-2 / 27**0.5, 2 / 27**0.5),
    remark="Klösgen uses the root of coverage; ELKI, arules and Tan et al. (2002) use that of"
    " support.",
)
def klosgen_of_coverage(c: ConfusionMatrix) -> Value:
    """Root of the share of positive calls times the added value."""
    return sqrt(called(c)) * (c.ppv - prevalence(c))


@published(
    r"\mathrm{Kl}_s",
    RULES("Klösgen of support", "Tan et al. 2002"),
    bounds=((2 / 3**0.5 - 1) ** 0.5 * (2 - 4 / 3**0.5), 2 / 27**0.5),
    remark="Klösgen (1996) uses the root of coverage; ELKI and arules use one added value alone. "
    + NOT_VERIFIED,
)
def klosgen_of_support(c: ConfusionMatrix) -> Value:
    """Root of the share of hits times the larger added value."""
    largest = larger(c.ppv - prevalence(c), c.tpr - called(c))
    return sqrt(ratio(c.tp, c.total)) * largest


@published(
    r"\mathrm{AV}",
    RULES("added value of both directions", "Tan et al. 2002"),
    bounds=(-0.5, 1),
    remark=NOT_VERIFIED,
)
def larger_added_value(c: ConfusionMatrix) -> Value:
    """The larger of both confidences minus what chance gives."""
    return larger(c.ppv - prevalence(c), c.tpr - called(c))


@published(
    r"\mathrm{Seb}",
    RULES("Sebag and Schoenauer", "Sebag and Schoenauer 1988"),
    bounds=(0, UNBOUNDED),
)
def sebag_schoenauer(c: ConfusionMatrix) -> Value:
    """Hits for each false alarm."""
    return ratio(c.tp, c.fp)


@published(
    r"\mathrm{LC}",
    RULES("least contradiction", "Azé and Kodratoff 2002"),
    bounds=(-UNBOUNDED, 1),
    remark="arules has only the hits in the numerator, which gives recall.",
)
def least_contradiction(c: ConfusionMatrix) -> Value:
    """Hits minus false alarms, for each positive."""
    return ratio(c.tp - c.fp, c.positives)


@published(
    r"\mathrm{ECR}",
    RULES("examples and counterexamples rate", "Lallich et al. 2007"),
    bounds=(-UNBOUNDED, 1),
)
def examples_and_counterexamples(c: ConfusionMatrix) -> Value:
    """1 minus the false alarms for each hit."""
    return 1 - ratio(c.fp, c.tp)


@published(r"\mathrm{Gan}", RULES("Ganascia", "Ganascia 1991"), bounds=(-1, 1))
def ganascia(c: ConfusionMatrix) -> Value:
    """Precision scaled to [-1, 1]."""
    return ratio(c.tp - c.fp, c.predicted_positives)


@published(r"\mathrm{NB}_1", RULES("descriptive confirm", "Kodratoff 2001"), bounds=(-1, 1))
def net_benefit(c: ConfusionMatrix) -> Value:
    """Share of the hits minus that of false alarms."""
    return ratio(c.tp - c.fp, c.total)


@published(
    r"\mathrm{CC}",
    RULES("causal confidence", "Kodratoff 2001"),
    remark="arules has 1 - fp/n·(1/P' + 1/P), computed from counts.",
)
def causal_confidence(c: ConfusionMatrix) -> Value:
    """Mean of precision and specificity: of the rule and of its contrapositive."""
    return (c.ppv + c.tnr) / 2


@published(
    r"\mathrm{ii}",
    RULES("implication index", "Lerman et al. 1981"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="lower",
)
def implication_index(c: ConfusionMatrix) -> Value:
    """False alarms beyond chance over the root of those of chance: it grows with the counts."""
    return ratio(-determinant(c), sqrt(c.total * c.predicted_positives * c.negatives))


@published(
    "F_{KO}", RULES("measure of confirmation F", "Kemeny and Oppenheim 1952"), bounds=(-1, 1)
)
def kemeny_oppenheim(c: ConfusionMatrix) -> Value:
    """True minus false positive rate, over their sum."""
    return ratio(c.tpr - c.fpr, c.tpr + c.fpr)


@published(r"\mathrm{inc}", RULES("measure of confirmation M", "Mortimer 1988"), bounds=(-1, 1))
def mortimer(c: ConfusionMatrix) -> Value:
    """Recall minus the share of positive calls."""
    return c.tpr - called(c)


@published(
    r"\ln\mathrm{LR}_+",
    RULES("log likelihood measure of confirmation", "Good 1950"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def log_positive_likelihood_ratio(c: ConfusionMatrix) -> Value:
    """Natural logarithm of the positive likelihood ratio."""
    return log(ratio(c.tpr, c.fpr))


@published(
    "U_J",
    SIMILARITY("Unknown J", "abydos 0.5.0: UnknownJ.sim_score"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def unknown_j(c: ConfusionMatrix) -> Value:
    """Hits times n over the positive calls and the negative calls: it depends on the counts."""
    return ratio(c.tp * c.total, c.predicted_positives * c.predicted_negatives)


@published(
    r"\mathrm{Tar}'",
    SIMILARITY("Tarantula of abydos", "abydos 0.5.0: Tarantula.sim"),
    remark="Jones and Harrold (2005) use the rates of both classes.",
)
def tarantula_of_calls(c: ConfusionMatrix) -> Value:
    """Risk after a positive call over the sum of both risks."""
    missed = ratio(c.fn, c.predicted_negatives)
    return ratio(c.ppv, c.ppv + missed)


@published(r"\mathrm{CaC}", RULES("causal confirm", "Kodratoff 2001"), bounds=(-2, 1))
def causal_confirm(c: ConfusionMatrix) -> Value:
    """Share of right calls minus twice that of false alarms."""
    return ratio(c.tp + c.tn - 2 * c.fp, c.total)


@published(r"\mathrm{CaCC}", RULES("causal confirmed confidence", "Kodratoff 2001"), bounds=(-1, 1))
def causal_confirmed_confidence(c: ConfusionMatrix) -> Value:
    """Mean of precision and specificity minus what precision leaves to 1."""
    return (3 * c.ppv + c.tnr) / 2 - 1


@published(
    r"\mathrm{Kl}_r",
    RULES("Klösgen of support, one way", "ELKI, Klosgen; arules, klosgen"),
    bounds=(-4 / 27, 2 / 27**0.5),
    remark="Klösgen (1996) uses the root of coverage; Tan et al. (2002) use the larger added"
    " value.",
)
def klosgen_of_support_one_way(c: ConfusionMatrix) -> Value:
    """Root of the share of hits times the added value."""
    return sqrt(ratio(c.tp, c.total)) * (c.ppv - prevalence(c))


@published(
    r"\mathrm{Lev}",
    RULES("leverage of a confidence", "Geng and Hamilton 2006"),
    bounds=(-0.25, 1),
    direction="none",
    remark="Piatetsky-Shapiro (1991) has the share of the hits instead of precision.",
)
def leverage_of_confidence(c: ConfusionMatrix) -> Value:
    """Precision minus the share of the hits of chance."""
    return c.ppv - prevalence(c) * called(c)


@published(
    r"\mathrm{sll}",
    WORDS("simple log-likelihood", "Evert 2008"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def simple_log_likelihood(c: ConfusionMatrix) -> Value:
    """Twice the log-likelihood ratio of the hits against those of chance, if they are Poisson."""
    chance = by_chance(c.positives, c.predicted_positives, c.total)
    return 2 * nonnegative(surprise(c.tp, chance) * log_two(c.total) - c.tp + chance)
