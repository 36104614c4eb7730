"""A plan in words: what is estimated, how large the study is, and the call that estimates it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skewproof.practice.planning.simulated_studies import Sampling, Study, TwoSamples

if TYPE_CHECKING:
    from skewproof.practice.planning.planning import Plan

COARSE = 0.5
"""Width of an interval relative to the value, above which a plan remarks on it."""

HOW_DRAWN: dict[Sampling, str] = {
    "random": "drawn at random",
    "stratified": "drawn by class",
    "enriched": "drawn by class, weighted to the population",
}

WHERE: dict[Sampling, str] = {
    "random": "in the population",
    "stratified": "on classes in the population's proportion",
    "enriched": "of both rates at the population's prevalence",
}
"""What the metric is taken of."""


def width_sentence(plan: Plan, study: Study, width: float) -> str:
    """Of an interval so wide."""
    relative, remark = "", ""
    if plan.value:
        relative = f" ({width / abs(plan.value):.0%} of that)"
    if width > COARSE * abs(plan.value):
        remark = " That is wide for such a value: relative_width asks for a share of it."
    return (
        f"{_estimand(study)} is expected to be {plan.value:.3g}. With {_size(plan, study)} the"
        f" interval is at most {width:.3g} wide{relative} in {_achieved(plan)}; the mean width is"
        f" {plan.mean_width:.3g}.{remark} The interval is that of {_call('interval', study)}."
    )


def difference_sentence(plan: Plan, study: Study) -> str:
    """Of two models, or of one in two samples."""
    chance = 1 - study.confidence
    powerless = plan.achieved <= chance + 2 * plan.standard_error
    remark = f": no power, since {chance:.2g} are allowed where nothing differs"
    by = _call("compare_models", study)
    if isinstance(study, TwoSamples):
        by = f"the classifier's part of {_call('explain_change', study)}"
    return (
        f"{_estimand(study)} is expected to differ by {plan.value:.3g}. With {_size(plan, study)}"
        f" the two are told apart in {_achieved(plan)}{remark if powerless else ''}. They are"
        f" compared by {by}."
    )


def _estimand(study: Study) -> str:
    return f"{study.metric.key} {WHERE[study.sampling]}"


def _call(function: str, study: Study) -> str:
    prevalence = "estimated" if study.sampling == "random" else "given"
    call = f'{function}(..., prevalence="{prevalence}")'
    if study.sampling == "enriched":
        call += ", with a metric that takes both rates to the population's prevalence"
    return call


def _size(plan: Plan, study: Study) -> str:
    about = "about " if study.sampling == "random" else ""
    each = " in each sample" if isinstance(study, TwoSamples) else ""
    return (
        f"{plan.total:,} instances{each} {HOW_DRAWN[study.sampling]}, {about}{plan.positives:,}"
        f" positive and {plan.negatives:,} negative,"
    )


def _achieved(plan: Plan) -> str:
    return f"{plan.achieved:.1%} of simulated studies (standard error {plan.standard_error:.1%})"
