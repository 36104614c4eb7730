"""Statistics of tests of 2 x 2 tables, which grow with the counts."""

from skewproof.core.algebra import Value, exp, log, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    AGREEMENT,
    ASSOCIATION,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    by_chance,
    determinant,
    errors,
    larger,
    log_two,
    margins,
    nonnegative,
    surprise,
)


def expected(c: ConfusionMatrix) -> tuple[Value, Value, Value, Value]:
    """Compute the cells tp, fp, fn and tn expected by chance at the same class sizes."""
    return (
        by_chance(c.predicted_positives, c.positives, c.total),
        by_chance(c.predicted_positives, c.negatives, c.total),
        by_chance(c.predicted_negatives, c.positives, c.total),
        by_chance(c.predicted_negatives, c.negatives, c.total),
    )


def cells(c: ConfusionMatrix) -> tuple[Value, Value, Value, Value]:
    """List the four cells in the order of :func:`expected`."""
    return c.tp, c.fp, c.fn, c.tn


@published(
    r"\chi^2",
    ASSOCIATION("Pearson's chi-squared", "Pearson 1900b"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def chi_squared(c: ConfusionMatrix) -> Value:
    """Squared deviations from chance over the counts expected by chance; it grows with the
    counts."""
    return ratio(c.total * determinant(c) ** 2, margins(c))


@published(
    r"\chi^2_Y",
    ASSOCIATION("Yates' corrected chi-squared", "Yates 1934"),
    bounds=(0, UNBOUNDED),
    direction="association",
    remark="scipy subtracts at most the deviation itself; Yates and abydos always subtract n/2.",
)
def yates_chi_squared(c: ConfusionMatrix) -> Value:
    """Chi-squared with n/2 subtracted from the deviation from chance."""
    deviation = abs(determinant(c)) - c.total / 2
    return ratio(c.total * deviation**2, margins(c))


@published(
    r"\chi^2_{Y\prime}",
    ASSOCIATION("chi-squared, corrected at most to 0", "scipy 1.17.1: chi2_contingency corrected"),
    bounds=(0, UNBOUNDED),
    direction="association",
    remark="Yates (1934) subtracts n/2 from the deviation even if the deviation is smaller.",
)
def limited_yates_chi_squared(c: ConfusionMatrix) -> Value:
    """Chi-squared with n/2 subtracted from the deviation from chance where it is larger."""
    deviation = larger(abs(determinant(c)) - c.total / 2, 0)
    return ratio(c.total * deviation**2, margins(c))


@published(
    "G",
    ASSOCIATION("likelihood ratio statistic", "Wilks 1935"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def likelihood_ratio_statistic(c: ConfusionMatrix) -> Value:
    """Twice the logarithm of the likelihood ratio of association and chance."""
    pairs = zip(cells(c), expected(c), strict=True)
    return 2 * log_two(c.total) * nonnegative(sum(surprise(cell, mean) for cell, mean in pairs))


@published(
    "G_m",
    ASSOCIATION("modified likelihood ratio statistic", "Kullback 1959"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def modified_likelihood_ratio_statistic(c: ConfusionMatrix) -> Value:
    """Twice the divergence of chance from the cells."""
    pairs = zip(cells(c), expected(c), strict=True)
    return 2 * log_two(c.total) * nonnegative(sum(surprise(mean, cell) for cell, mean in pairs))


@published(
    r"\chi^2_N",
    ASSOCIATION("Neyman's chi-squared", "Neyman 1949"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def neyman_chi_squared(c: ConfusionMatrix) -> Value:
    """Squared deviations from chance over the cells."""
    pairs = zip(cells(c), expected(c), strict=True)
    return sum(ratio((cell - mean) ** 2, cell) for cell, mean in pairs)


@published(
    r"\mathrm{FT}",
    ASSOCIATION("Freeman-Tukey statistic", "Freeman and Tukey 1950"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def freeman_tukey(c: ConfusionMatrix) -> Value:
    """Four times the squared differences of the roots of the cells and of their counts by
    chance."""
    pairs = zip(cells(c), expected(c), strict=True)
    return 4 * sum((sqrt(cell) - sqrt(mean)) ** 2 for cell, mean in pairs)


@published(
    r"\mathrm{CR}",
    ASSOCIATION("Cressie-Read statistic", "Cressie and Read 1984"),
    bounds=(0, UNBOUNDED),
    direction="association",
)
def cressie_read(c: ConfusionMatrix) -> Value:
    """Power divergence of the cells from chance, to the power 2/3."""
    pairs = zip(cells(c), expected(c), strict=True)
    powers = sum(cell * (exp(2 * log(ratio(cell, mean)) / 3) - 1) for cell, mean in pairs)
    return 9 * nonnegative(powers) / 5


@published(
    "z_p",
    ASSOCIATION("z of two proportions, pooled", "statsmodels 0.15.0: proportions_ztest"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def pooled_z(c: ConfusionMatrix) -> Value:
    """Difference of both rates over its standard error at equal rates: signed root of
    chi-squared."""
    return ratio(determinant(c) * sqrt(c.total), sqrt(margins(c)))


@published(
    "z_u",
    ASSOCIATION("Wald's z of two proportions", "Agresti 2013"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def wald_z(c: ConfusionMatrix) -> Value:
    """Difference of both rates over its standard error."""
    variance = ratio(c.tpr * c.fnr, c.positives) + ratio(c.fpr * c.tnr, c.negatives)
    return ratio(c.tpr - c.fpr, sqrt(variance))


@published(
    r"z_{AC}",
    ASSOCIATION("z of Agresti and Caffo", "Agresti and Caffo 2000"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def agresti_caffo_z(c: ConfusionMatrix) -> Value:
    """Wald's z with one success and one failure added to each class."""
    positives, negatives = c.positives + 2, c.negatives + 2
    tpr, fpr = ratio(c.tp + 1, positives), ratio(c.fp + 1, negatives)
    variance = ratio(tpr * (1 - tpr), positives) + ratio(fpr * (1 - fpr), negatives)
    return ratio(tpr - fpr, sqrt(variance))


@published(
    r"z_{\ln\mathrm{OR}}",
    ASSOCIATION("z of the log odds ratio", "Woolf 1955"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
)
def log_odds_ratio_z(c: ConfusionMatrix) -> Value:
    """Log odds ratio over its standard error."""
    variance = sum(ratio(1, cell) for cell in cells(c))
    return ratio(log(ratio(c.tp * c.tn, c.fp * c.fn)), sqrt(variance))


@published(
    r"\chi^2_{MN}",
    AGREEMENT("McNemar's statistic", "McNemar 1947"),
    bounds=(0, UNBOUNDED),
    direction="quantity, lowest",
)
def mcnemar(c: ConfusionMatrix) -> Value:
    """Squared difference of both kinds of errors over their sum."""
    return ratio((c.fp - c.fn) ** 2, errors(c))


@published(
    r"\chi^2_{MN,c}",
    AGREEMENT("McNemar's statistic, corrected", "Edwards 1948"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def corrected_mcnemar(c: ConfusionMatrix) -> Value:
    """McNemar's statistic with 1 subtracted from the difference."""
    return ratio((abs(c.fp - c.fn) - 1) ** 2, errors(c))
