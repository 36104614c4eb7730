"""Diagnostic tests and epidemiology: meaning of a positive call for the patient and the risk."""

from skewproof.core.algebra import Value, exp, log, ratio, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    ASSOCIATION,
    DIAGNOSIS,
    EPIDEMIOLOGY,
    LEARNING,
    NOT_VERIFIED,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.contingency.agreement import (
    kappa_of_sensitivity,
    kappa_of_specificity,
)
from skewproof.metrics.atlas.measures.elementary import (
    determinant,
    errors,
    margins,
    prevalence,
)


@published(
    r"\mathrm{NND}",
    DIAGNOSIS("number needed to diagnose", "Linn and Grunau 2006"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
)
def number_needed_to_diagnose(c: ConfusionMatrix) -> Value:
    """Patients to be tested for one more right call than by chance, 1 at best; below 0 where the
    test is worse than chance, and infinite where it is as good."""
    return ratio(c.positives * c.negatives, determinant(c))


@published(
    r"\mathrm{NNP}",
    DIAGNOSIS("number needed to predict", "Linn and Grunau 2006"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="none",
)
def number_needed_to_predict(c: ConfusionMatrix) -> Value:
    """One over the difference of the risks after a positive and a negative call."""
    return ratio(c.predicted_positives * c.predicted_negatives, determinant(c))


@published(
    r"\mathrm{NNM}",
    DIAGNOSIS("number needed to misdiagnose", "Habibzadeh and Yadollahie 2013"),
    bounds=(1, UNBOUNDED),
)
def number_needed_to_misdiagnose(c: ConfusionMatrix) -> Value:
    """Patients to be tested for one wrong call."""
    return ratio(c.total, errors(c))


@published(
    r"\mathrm{LDM}",
    DIAGNOSIS("likelihood to be diagnosed or misdiagnosed", "Larner 2018"),
    bounds=(-1, UNBOUNDED),
)
def likelihood_to_be_diagnosed_or_misdiagnosed(c: ConfusionMatrix) -> Value:
    """Number needed to misdiagnose over that to diagnose."""
    return ratio(c.total * determinant(c), c.positives * c.negatives * errors(c))


@published(
    r"\mathrm{LPM}",
    DIAGNOSIS("likelihood to be predicted or misdiagnosed", "Larner 2018"),
    bounds=(-1, UNBOUNDED),
    remark="Larner (2018) calls the quotients by both numbers the likelihood to be diagnosed or"
    " misdiagnosed.",
)
def likelihood_to_be_predicted_or_misdiagnosed(c: ConfusionMatrix) -> Value:
    """Number needed to misdiagnose over that to predict."""
    called = c.predicted_positives * c.predicted_negatives
    return ratio(c.total * determinant(c), called * errors(c))


@published(r"\mathrm{CUI}_+", DIAGNOSIS("positive clinical utility index", "Mitchell 2008"))
def positive_clinical_utility(c: ConfusionMatrix) -> Value:
    """Sensitivity times positive predictive value: how well a positive call rules in."""
    return c.tpr * c.ppv


@published(r"\mathrm{CUI}_-", DIAGNOSIS("negative clinical utility index", "Mitchell 2008"))
def negative_clinical_utility(c: ConfusionMatrix) -> Value:
    """Specificity times negative predictive value: how well a negative call rules out."""
    return c.tnr * c.npv


@published(
    r"\mathrm{SUI}",
    DIAGNOSIS("summary utility index", "Larner 2019"),
    bounds=(0, 2),
    remark=NOT_VERIFIED,
)
def summary_utility(c: ConfusionMatrix) -> Value:
    """Sum of both clinical utility indices."""
    return c.tpr * c.ppv + c.tnr * c.npv


@published(
    r"\mathrm{BEI}", DIAGNOSIS("balanced efficiency index", "Larner 2022"), bounds=(0, UNBOUNDED)
)
def balanced_efficiency(c: ConfusionMatrix) -> Value:
    """Sensitivity and specificity over the rates of both kinds of errors."""
    return ratio(c.tpr + c.tnr, c.fnr + c.fpr)


@published(
    r"\mathrm{BLEI}",
    DIAGNOSIS("balanced level efficiency index", "Larner 2023"),
    bounds=(0, UNBOUNDED),
)
def balanced_level_efficiency(c: ConfusionMatrix) -> Value:
    """Sum of both predictive values over what each leaves to 1."""
    level = c.ppv + c.npv
    return ratio(level, 2 - level)


@published(
    r"\mathrm{QEI}", DIAGNOSIS("quality efficiency index", "Larner 2023"), bounds=(-1, UNBOUNDED)
)
def quality_efficiency(c: ConfusionMatrix) -> Value:
    """Sum of the weighted kappas of sensitivity and of specificity over what each leaves to 1."""
    quality = kappa_of_sensitivity(c) + kappa_of_specificity(c)
    return ratio(quality, 2 - quality)


@published(
    r"\mathrm{UEI}", DIAGNOSIS("unbiased efficiency index", "Larner 2022"), bounds=(-0.5, UNBOUNDED)
)
def unbiased_efficiency(c: ConfusionMatrix) -> Value:
    """Cohen's kappa over what it leaves to 1."""
    return ratio(determinant(c), c.total * errors(c) / 2)


@published(r"\mathrm{SSP}", DIAGNOSIS("concordance probability of a cutoff", "Liu 2012"))
def sensitivity_specificity_product(c: ConfusionMatrix) -> Value:
    """Sensitivity times specificity."""
    return c.tpr * c.tnr


@published(
    r"d_{\mathrm{ROC}}",
    DIAGNOSIS("distance to the perfect corner of the ROC plane", "Perkins and Schisterman 2006"),
    bounds=(0, 2**0.5),
    direction="lower",
)
def distance_to_perfect(c: ConfusionMatrix) -> Value:
    """Distance of the true and false positive rates from 1 and 0."""
    return sqrt(c.fnr**2 + c.fpr**2)


@published(r"\mathrm{sInd}", LEARNING("similarity index", "pycm 4.6: sInd"))
def nearness_to_perfect(c: ConfusionMatrix) -> Value:
    """1 minus the distance from the perfect corner, as a share of the largest."""
    return 1 - sqrt((c.fnr**2 + c.fpr**2) / 2)


@published(
    r"\ln\mathrm{LR}_-",
    DIAGNOSIS("log negative likelihood ratio", "Spiegelhalter and Knill-Jones 1984"),
    bounds=(-UNBOUNDED, UNBOUNDED),
    direction="lower",
)
def log_negative_likelihood_ratio(c: ConfusionMatrix) -> Value:
    """Natural logarithm of the negative likelihood ratio."""
    return log(ratio(c.fnr, c.tnr))


@published(
    r"\mathrm{EOR}",
    DIAGNOSIS("error odds ratio", "partest, error odds ratio"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def error_odds_ratio(c: ConfusionMatrix) -> Value:
    """Odds of a right call among positives over those among negatives; it does not show
    how large either is."""
    return ratio(c.tp * c.fp, c.fn * c.tn)


@published(r"G_{PV}", DIAGNOSIS("geometric mean of the predictive values", "named here"))
def predictive_values_geometric_mean(c: ConfusionMatrix) -> Value:
    """Root of the product of both predictive values."""
    return sqrt(c.ppv * c.npv)


@published(r"\mathrm{PT}", DIAGNOSIS("prevalence threshold", "Balayla 2020"), direction="lower")
def prevalence_threshold(c: ConfusionMatrix) -> Value:
    """Prevalence below which the positive predictive value decreases most sharply."""
    return ratio(sqrt(c.fpr), sqrt(c.tpr) + sqrt(c.fpr))


@published(
    r"\Delta\mathrm{PPV}",
    DIAGNOSIS("gain in certainty of a positive call", "Connell and Koepsell 1985"),
    bounds=(-1, 1),
)
def added_value(c: ConfusionMatrix) -> Value:
    """Positive predictive value minus prevalence."""
    return c.ppv - prevalence(c)


@published(
    r"\Delta\mathrm{NPV}",
    DIAGNOSIS("gain in certainty of a negative call", "Connell and Koepsell 1985"),
    bounds=(-1, 1),
)
def added_negative_value(c: ConfusionMatrix) -> Value:
    """Negative predictive value minus the share of the negatives."""
    return c.npv - ratio(c.negatives, c.total)


@published(
    r"\mathrm{RR}",
    EPIDEMIOLOGY("relative risk", "Cornfield 1951"),
    bounds=(0, UNBOUNDED),
    remark="Choi et al. print tp(fn + tn)/(fn(tp + fp)) for Tarantula and for AMPLE.",
)
def relative_risk(c: ConfusionMatrix) -> Value:
    """Risk after a positive call over that after a negative one."""
    return ratio(c.tp * c.predicted_negatives, c.fn * c.predicted_positives)


@published(
    r"\ln\mathrm{RR}",
    EPIDEMIOLOGY("log relative risk", "Katz et al. 1978"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def log_relative_risk(c: ConfusionMatrix) -> Value:
    """Natural logarithm of the relative risk."""
    return log(relative_risk(c))


@published(
    r"\mathrm{RR}-1",
    EPIDEMIOLOGY("excess relative risk", "Rothman et al. 2008"),
    bounds=(-1, UNBOUNDED),
)
def excess_relative_risk(c: ConfusionMatrix) -> Value:
    """Relative risk minus 1."""
    return relative_risk(c) - 1


@published(
    r"\mathrm{VE}",
    EPIDEMIOLOGY("vaccine efficacy", "Greenwood and Yule 1915"),
    bounds=(-UNBOUNDED, 1),
    direction="lower",
)
def vaccine_efficacy(c: ConfusionMatrix) -> Value:
    """1 minus the relative risk."""
    return 1 - relative_risk(c)


@published(
    r"\mathrm{AF}_e",
    EPIDEMIOLOGY("attributable fraction among the exposed", "Miettinen 1974"),
    bounds=(-UNBOUNDED, 1),
)
def attributable_fraction(c: ConfusionMatrix) -> Value:
    """Share of the risk after a positive call that is beyond the one after a negative call."""
    return 1 - ratio(c.fn * c.predicted_positives, c.tp * c.predicted_negatives)


@published(
    r"\mathrm{AF}_{\mathrm{OR}}",
    EPIDEMIOLOGY("attributable fraction by the odds ratio", "Rothman et al. 2008"),
    bounds=(-UNBOUNDED, 1),
)
def attributable_fraction_by_odds(c: ConfusionMatrix) -> Value:
    """1 minus the inverse of the odds ratio."""
    return 1 - ratio(c.fp * c.fn, c.tp * c.tn)


@published(
    r"\mathrm{PAF}_{cc}",
    EPIDEMIOLOGY("population attributable fraction of a case-control study", "Levin 1953"),
    bounds=(-UNBOUNDED, 1),
)
def population_attributable_fraction_by_odds(c: ConfusionMatrix) -> Value:
    """Sensitivity beyond the false positive rate, as a share of what can be."""
    return 1 - ratio(c.fnr, c.tnr)


@published("p_r", EPIDEMIOLOGY("relative difference", "Sheps 1958"), bounds=(-UNBOUNDED, 1))
def relative_difference(c: ConfusionMatrix) -> Value:
    """Difference of the risks as a share of what is left after a negative call."""
    return 1 - ratio(c.fp * c.predicted_negatives, c.tn * c.predicted_positives)


@published(
    r"\mathrm{OR}_{\mathrm{Peto}}",
    EPIDEMIOLOGY("Peto's odds ratio", "Yusuf et al. 1985"),
    bounds=(0, UNBOUNDED),
)
def peto_odds_ratio(c: ConfusionMatrix) -> Value:
    """Exponential of hits beyond chance over their hypergeometric variance; it depends on the
    number of instances where that is small."""
    variance = ratio(margins(c), c.total**2 * (c.total - 1))
    return exp(ratio(determinant(c), c.total * variance))


@published(
    r"\mathrm{OR}_{MN}",
    ASSOCIATION("odds ratio of discordant pairs", "McNemar 1947"),
    bounds=(0, UNBOUNDED),
    direction="none",
)
def discordant_odds_ratio(c: ConfusionMatrix) -> Value:
    """False alarms for each miss; it does not show how many either are."""
    return ratio(c.fp, c.fn)
