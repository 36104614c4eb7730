"""Verification of forecasts of rare events, such as rain and storms."""

from skewproof.core.algebra import Value, log, ratio
from skewproof.core.confusion import ConfusionMatrix
from skewproof.metrics.atlas.entry import (
    FORECAST,
    RULES,
    UNBOUNDED,
    published,
)
from skewproof.metrics.atlas.measures.elementary import (
    added,
    called,
    determinant,
    errors,
    larger,
    prevalence,
)


@published(
    r"\mathrm{ETS}",
    FORECAST("equitable threat score", "Gilbert 1884; Schaefer 1990"),
    bounds=(-1 / 3, 1),
)
def equitable_threat_score(c: ConfusionMatrix) -> Value:
    """Threat score without the hits of chance."""
    return ratio(determinant(c), determinant(c) + c.total * errors(c))


@published(
    r"\mathrm{EDS}", FORECAST("extreme dependency score", "Stephenson et al. 2008"), bounds=(-1, 1)
)
def extreme_dependency_score(c: ConfusionMatrix) -> Value:
    """Slowness with which the hits vanish with the base rate."""
    return ratio(added(log(prevalence(c)), -log(c.tpr)), log(ratio(c.tp, c.total)))


@published(
    r"\mathrm{SEDS}",
    FORECAST("symmetric extreme dependency score", "Hogan et al. 2009"),
    bounds=(-1, 1),
)
def symmetric_extreme_dependency_score(c: ConfusionMatrix) -> Value:
    """Slowness with which the hits vanish with the base rate, relative to those of chance."""
    return ratio(added(log(called(c)), -log(c.tpr)), log(ratio(c.tp, c.total)))


@published(
    r"\mathrm{EDI}",
    FORECAST("extremal dependence index", "Ferro and Stephenson 2011"),
    bounds=(-1, 1),
)
def extremal_dependence_index(c: ConfusionMatrix) -> Value:
    """Slowness with which the hit rate vanishes with the false alarm rate."""
    return ratio(added(log(c.fpr), -log(c.tpr)), log(c.fpr) + log(c.tpr))


@published(
    r"\mathrm{SEDI}",
    FORECAST("symmetric extremal dependence index", "Ferro and Stephenson 2011"),
    bounds=(-1, 1),
)
def symmetric_extremal_dependence_index(c: ConfusionMatrix) -> Value:
    """The extremal dependence index of hits and of misses, which does not favor more calls."""
    hits, misses = log(c.tpr), log(c.fnr)
    alarms, quiet = log(c.fpr), log(c.tnr)
    return ratio(added(alarms, -hits, -quiet, misses), alarms + hits + quiet + misses)


@published(
    r"\mathrm{FB}",
    FORECAST("frequency bias", "Wilks 2011"),
    bounds=(0, UNBOUNDED),
    direction="target",
)
def frequency_bias(c: ConfusionMatrix) -> Value:
    """Number of instances called positive for each positive."""
    return ratio(c.predicted_positives, c.positives)


@published(
    r"\ln\mathrm{DOR}",
    FORECAST("log odds ratio", "Stephenson 2000"),
    bounds=(-UNBOUNDED, UNBOUNDED),
)
def log_odds_ratio(c: ConfusionMatrix) -> Value:
    """Natural logarithm of the diagnostic odds ratio."""
    return log(ratio(c.tp * c.tn, c.fp * c.fn))


@published(
    r"\mathrm{BSS}",
    FORECAST("Brier skill score of yes and no", "Brier 1950, against the base rate"),
    bounds=(-UNBOUNDED, 1),
)
def brier_skill_score(c: ConfusionMatrix) -> Value:
    """Squared errors saved compared with forecasting the base rate."""
    return 1 - ratio(errors(c) * c.total, c.positives * c.negatives)


@published(
    r"\mathrm{SS}_A", FORECAST("Appleman's skill score", "Appleman 1960"), bounds=(-UNBOUNDED, 1)
)
def appleman_skill_score(c: ConfusionMatrix) -> Value:
    """Errors saved compared with always forecasting the more frequent class."""
    modal = larger(c.positives, c.negatives)
    return ratio(c.tp + c.tn - modal, c.total - modal)


@published("s", FORECAST("base rate", "Wilks 2011"), direction="none")
def base_rate(c: ConfusionMatrix) -> Value:
    """Share of the positives, which no classifier changes."""
    return prevalence(c)


@published("r", FORECAST("forecast rate", "Hogan and Mason 2012"), direction="target")
def forecast_rate(c: ConfusionMatrix) -> Value:
    """Share of what is called positive."""
    return called(c)


@published("tp/n", RULES("support", "Agrawal et al. 1993"))
def support(c: ConfusionMatrix) -> Value:
    """Share of the hits among all instances."""
    return ratio(c.tp, c.total)


@published("fp/n", FORECAST("share of false alarms", "Wilks 2011"), direction="lower")
def share_of_false_alarms(c: ConfusionMatrix) -> Value:
    """Share of the false alarms among all instances."""
    return ratio(c.fp, c.total)


@published("fn/n", FORECAST("share of misses", "Wilks 2011"), direction="lower")
def share_of_misses(c: ConfusionMatrix) -> Value:
    """Share of the misses among all instances."""
    return ratio(c.fn, c.total)


@published("tn/n", FORECAST("share of correct rejections", "Wilks 2011"))
def share_of_correct_rejections(c: ConfusionMatrix) -> Value:
    """Share of the correct rejections among all instances."""
    return ratio(c.tn, c.total)


@published("n", FORECAST("sample size", "Wilks 2011"), bounds=(1, UNBOUNDED), direction="none")
def sample_size(c: ConfusionMatrix) -> Value:
    """Number of instances, which no classifier changes."""
    return c.total
