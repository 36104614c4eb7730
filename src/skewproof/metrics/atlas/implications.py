"""Association rules as implications, for which a false alarm counts most."""

from skewproof.core.algebra import Value, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.elementary import (
    by_chance,
    called,
    log_two,
    nonnegative,
    prevalence,
    surprise,
)
from skewproof.metrics.atlas.entry import RULES, UNBOUNDED, WORDS, measure


@measure(
    r"\mathrm{CaC}",
    RULES("causal confirm", "Kodratoff 2001"),
    bounds=(-2, 1),
)
def causal_confirm(c: ConfusionMatrix) -> Value:
    """Share of right calls less twice that of false alarms."""
    return ratio(c.tp + c.tn - 2 * c.fp, c.total)


@measure(
    r"\mathrm{CaCC}",
    RULES("causal confirmed confidence", "Kodratoff 2001"),
    bounds=(-1, 1),
)
def causal_confirmed_confidence(c: ConfusionMatrix) -> Value:
    """Mean of precision and specificity less what precision leaves to 1."""
    return (3 * c.ppv + c.tnr) / 2 - 1


@measure(
    r"\mathrm{Kl}_r",
    RULES("Klösgen of support, one way", "ELKI, Klosgen; arules, klosgen"),
    bounds=(-4 / 27, 2 / 27**0.5),
    remark="Klösgen (1996) has the root of coverage, Tan et al. (2002) the larger added value.",
)
def klosgen_of_support_one_way(c: ConfusionMatrix) -> Value:
    """Root of the share of hits times the added value."""
    return sqrt(ratio(c.tp, c.total)) * (c.ppv - prevalence(c))


@measure(
    r"\mathrm{Lev}",
    RULES("leverage of a confidence", "Geng and Hamilton 2006"),
    bounds=(-0.25, 1),
    direction="none",
    remark="Piatetsky-Shapiro (1991) has the share of the hits for precision.",
)
def leverage_of_confidence(c: ConfusionMatrix) -> Value:
    """Precision less the share of the hits of chance."""
    return c.ppv - prevalence(c) * called(c)


@measure(
    r"\mathrm{sll}",
    WORDS("simple log-likelihood", "Evert 2008"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def simple_log_likelihood(c: ConfusionMatrix) -> Value:
    """Twice the log-likelihood ratio of the hits against those of chance, if they are Poisson."""
    chance = by_chance(c.positives, c.predicted_positives, c.total)
    return 2 * nonnegative(surprise(c.tp, chance) * log_two(c.total) - c.tp + chance)
