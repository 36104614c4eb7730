"""Sizes of studies, against the delta method, exact probabilities and each other."""

import re
from pathlib import Path

import numpy as np
import pytest
import sympy
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.precision_recall import f1
from skewproof.planning import study_size
from skewproof.planning.study_size import plan
from skewproof.prevalence.prevalence import Prevalence
from written import check_written

RECALL = Metric("recall", "R", "recall", "", lambda c: c.tpr)
RARE = {"tpr": 0.7, "fpr": 0.01}
STRATIFIED = {"tpr": 0.7, "fpr": 0.1, "at": 0.5, "sampling": "stratified"}
MODELS = {"tpr": (0.7, 0.85), "fpr": 0.1, "at": "1:10", "power": 0.8}


@pytest.fixture
def few_draws(monkeypatch):
    """Fewer studies are drawn; a power of 0.8 then has a standard error of 0.013."""
    monkeypatch.setattr(study_size, "SEARCHED", 1000)
    monkeypatch.setattr(study_size, "CHECKED", 1000)


def by_delta_method(prevalence, sampling):
    """Compute the total for a 95 % interval of F1 of width 0.1 from its formula's derivatives."""
    u, v, p = sympy.symbols("u v p", positive=True)
    formula = 2 * p * u / (p * u + (1 - p) * v + p)
    at = {u: RARE["tpr"], v: RARE["fpr"], p: prevalence}
    of_u, of_v, of_p = (float(formula.diff(symbol).subs(at)) for symbol in (u, v, p))
    positive = of_u**2 * RARE["tpr"] * (1 - RARE["tpr"])
    negative = of_v**2 * RARE["fpr"] * (1 - RARE["fpr"])
    if sampling == "enriched":
        variance = (np.sqrt(positive) + np.sqrt(negative)) ** 2
    else:
        variance = positive / prevalence + negative / (1 - prevalence)
        variance += of_p**2 * prevalence * (1 - prevalence) * (sampling == "random")
    return (2 * stats.norm.ppf(0.975) / 0.1) ** 2 * variance


@pytest.mark.parametrize(
    ("prevalence", "sampling", "tabled"),
    [
        (0.001, "random", 26_053),
        (0.001, "stratified", 9_942),
        (0.001, "enriched", 1_833),
        (0.01, "random", 21_093),
        (0.01, "stratified", 15_399),
        (0.1, "random", 1_781),
        (0.1, "stratified", 1_755),
    ],
)
@pytest.mark.slow
def test_the_mean_width_is_that_of_the_delta_method_where_counts_are_large(
    prevalence, sampling, tabled
):
    total = by_delta_method(prevalence, sampling)
    assert total == pytest.approx(tabled, rel=0.002)
    study = plan(f1, **RARE, at=prevalence, width=0.1, sampling=sampling, total=round(total))
    # The delta method leaves out what is of the second order, one over the smallest count.
    cells = [study.positives * 0.7, study.positives * 0.3, study.negatives * 0.01]
    assert study.mean_width == pytest.approx(0.1, rel=2 / min(cells))


def jeffreys_widths(positives):
    """Compute widths of recall intervals by the number of hits, as Brown, Cai and DasGupta do."""
    hits = np.arange(positives + 1)
    posterior = stats.beta(hits + 0.5, positives - hits + 0.5)
    low, high = np.where(hits == 0, 0, posterior.ppf(0.025)), posterior.ppf(0.975)
    return np.where(hits == positives, 1, high) - low


@pytest.mark.parametrize("positives", [12, 57, 300])
@pytest.mark.slow
def test_a_recall_is_as_wide_as_its_exact_distribution_says(positives):
    widths = jeffreys_widths(positives)
    chances = stats.binom.pmf(range(positives + 1), positives, 0.7)
    width = np.median(widths) + 1e-4
    study = plan(RECALL, **STRATIFIED, width=width, total=2 * positives)
    within = chances[widths <= width].sum()
    spread = np.sqrt(chances @ widths**2 - (chances @ widths) ** 2)
    assert study.positives == positives
    assert study.achieved == pytest.approx(within, abs=4 * np.sqrt(within * (1 - within) / 4000))
    assert study.mean_width == pytest.approx(chances @ widths, abs=4 * spread / np.sqrt(4000))


@pytest.mark.slow
def test_a_recall_needs_what_its_exact_distribution_says():
    def within(positives):
        chances = stats.binom.pmf(range(positives + 1), positives, 0.7)
        return chances[jeffreys_widths(positives) <= 0.2].sum()

    study = plan(RECALL, **STRATIFIED, width=0.2)
    enough = next(size for size in range(10, 1000) if within(size) >= 0.9)
    assert 0.97 * enough <= study.positives <= 1.05 * enough


@pytest.mark.parametrize("sampling", ["random", "enriched"])
@pytest.mark.slow
def test_a_plan_comes_to_what_was_asked_and_a_smaller_study_does_not(sampling):
    asked = {**RARE, "at": 0.01, "width": 0.15, "sampling": sampling}
    study = plan(f1, **asked)
    assert study.positives + study.negatives == study.total
    assert study.achieved >= 0.9
    assert study.mean_width < 0.15
    assert plan(f1, **asked, total=round(0.9 * study.total)).achieved < 0.9


@pytest.mark.slow
def test_a_relative_width_is_one_over_the_value():
    asked = {**RARE, "total": 20_000}
    study = plan(f1, **asked, at="1:99", relative_width=0.2)
    assert study.value == pytest.approx(2 * 0.7 / (0.7 + 0.99 + 1), rel=1e-12)
    assert 0.1 < study.achieved < 0.9
    for same in (0.01, "0.01", Level(1, 99), Prevalence.given("1:99")):
        assert study == plan(f1, **asked, at=same, width=0.2 * study.value)
    assert study != plan(f1, **asked, at=0.01, relative_width=0.2, rng=1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("at", "posterior"),
    [
        (Prevalence.sampled(40, 4000), stats.beta(40.5, 3960.5)),
        ("beta(20, 2000)", stats.beta(20, 2000)),
    ],
)
def test_an_uncertain_prevalence_leaves_a_width_that_no_study_makes_narrower(
    few_draws, at, posterior
):
    """F1 rises with prevalence: with rates that are known its interval is that of prevalence."""
    prevalences = posterior.ppf([0.025, 0.975])
    left = np.ptp(2 * prevalences * 0.7 / (prevalences * 1.7 + (1 - prevalences) * 0.01))
    asked = {**RARE, "at": at, "sampling": "enriched"}
    needed = r"width = 0\.05: more than 1,000,000,000 instances are needed: expected at least about"
    with pytest.raises(ValueError, match=rf"^{needed} {left:.2g}$"):
        plan(f1, **asked, width=0.05)
    assert plan(f1, **asked, width=2 * left).achieved >= 0.9
    assert plan(f1, **asked, width=left, total=10**9).mean_width == pytest.approx(left, 1e-3)


@pytest.mark.slow
def test_rates_at_the_edge_have_a_plan():
    study = plan(f1, tpr=1, fpr=0, at=0.1, width=0.1, sampling="enriched")
    assert study.value == 1
    assert study.achieved >= 0.9
    assert 1 < study.positives < study.negatives
    recall = plan(RECALL, tpr=0.7, fpr=0.1, at=0.1, width=0.2, sampling="enriched")
    assert recall.negatives == 1


@pytest.mark.slow
def test_plans_in_words(few_draws):
    """The texts name the call, and remark on wide intervals and on no power."""
    widths = {**RARE, "at": "1:19", "width": 0.2, "total": 2000}
    models = MODELS | {"at": "1:19", "total": 300}
    plans = {}
    for sampling in ("random", "stratified", "enriched"):
        plans[f"a width, {sampling}"] = plan(f1, **widths, sampling=sampling)
        plans[f"two models, {sampling}"] = plan(f1, **models, sampling=sampling)
        plans[f"two samples, {sampling}"] = plan(
            f1, **models, sampling=sampling, samples="separate"
        )
    plans["a wide interval"] = plan(f1, **widths | {"at": 0.001}, sampling="enriched")
    plans["no power"] = plan(f1, **MODELS, sampling="stratified", total=55)
    assert (plans["no power"].positives, plans["no power"].negatives) == (5, 50)
    sentences = {name: f"{planned.sentence}\n" for name, planned in plans.items()}
    check_written(Path(__file__).with_suffix(".txt"), **sentences)


@pytest.mark.slow
def test_a_difference_of_recalls_needs_about_what_the_test_of_mcnemar_does(few_draws):
    # Connor 1987: discordant pairs 0.7 * 0.15 and 0.85 * 0.3 of the positives.
    discordant, difference = 0.7 * 0.15 + 0.3 * 0.85, 0.15
    normal = stats.norm.ppf(0.975) * np.sqrt(discordant)
    normal += stats.norm.ppf(0.8) * np.sqrt(discordant - difference**2)
    connor = (normal / difference) ** 2
    asked = MODELS | {"at": "1:1", "sampling": "stratified"}
    powers = [
        plan(RECALL, **asked, total=2 * round(share * connor)).achieved for share in (0.9, 1.1)
    ]
    assert powers[0] < 0.8 < powers[1]


@pytest.mark.slow
def test_a_change_of_recall_between_samples_needs_about_what_the_test_of_two_shares_does(few_draws):
    # Fleiss, Levin and Paik 2003, Equation 4.14, without a correction for continuity.
    mean = (0.7 + 0.85) / 2
    normal = stats.norm.ppf(0.975) * np.sqrt(2 * mean * (1 - mean))
    normal += stats.norm.ppf(0.8) * np.sqrt(0.7 * 0.3 + 0.85 * 0.15)
    fleiss = (normal / 0.15) ** 2
    options = {"at": "1:1", "samples": "separate", "sampling": "stratified", "power": 0.8}
    study = plan(RECALL, tpr=(0.85, 0.7), fpr=0.1, **options)
    assert study.value == pytest.approx(-0.15)
    assert study.positives == pytest.approx(fleiss, rel=0.1)
    assert "instances in each sample" in study.sentence


GROUPS = {"rows_per_group": 10, "intraclass_correlation": 0.3}
PATIENTS = {"tpr": 0.8, "fpr": 0.1, "at": 0.5, "width": 0.2, "sampling": "enriched"} | GROUPS


@pytest.mark.slow
def test_a_mean_width_takes_about_as_many_groups_as_the_formula():
    study = plan(RECALL, **PATIENTS, assurance=None)
    assert study.negatives == 20
    assert study.positives / 10 == pytest.approx(26, abs=2)
    assert study.groups == study.total / 10
    assert 0.19 < study.mean_width <= 0.2


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.05, 0.3])
def test_studies_of_the_planned_size_are_as_narrow_as_was_said(correlation):
    """Common causes of a whole group in place of a beta distribution of its rate."""
    study = plan(RECALL, **PATIENTS | {"intraclass_correlation": correlation})
    random, widths, covered = np.random.default_rng(1), [], []
    groups = study.positives // 10
    for _ in range(100):
        common = random.random((groups, 10)) < np.sqrt(correlation)
        alike = random.random((groups, 1)) < 0.8
        hits = np.where(common, alike, random.random((groups, 10)) < 0.8).sum(axis=1)
        none = [0, 0]
        matrix = ConfusionMatrix.from_groups(
            tp=[*hits, *none], fn=[*(10 - hits), *none], fp=[0] * groups + [1, 1],
            tn=[0] * groups + [9, 9],
        )  # fmt: skip
        ends = interval(RECALL, matrix, at=0.5)
        widths.append(ends.high - ends.low)
        covered.append(ends.low <= 0.8 <= ends.high)
    assert np.mean(np.array(widths) <= 0.2) > 0.8
    assert np.mean(widths) == pytest.approx(study.mean_width, rel=0.1)
    assert np.mean(covered) > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 100)


@pytest.mark.slow
def test_a_comparison_in_groups(few_draws):
    models = {"tpr": (0.6, 0.9), "fpr": 0.1, "at": 0.5, "power": 0.8}
    study = plan("accuracy", **models, **GROUPS)
    assert study.achieved >= 0.8
    assert f"instances in {study.groups} groups of 10, each of one class," in study.sentence
    assert 'compare(..., groups=..., at="population")' in study.sentence
    fewer = models | {"total": study.total}
    assert plan("accuracy", **fewer).achieved > study.achieved + 0.05
    spread = plan("accuracy", **fewer, **GROUPS, class_correlation=0)
    assert spread.achieved > study.achieved + 0.05
    assert repr(study).startswith(f"{study.total:,} instances in {study.groups:,} groups")


WIDTH = {**RARE, "at": 0.01, "width": 0.1}
RANGE = {"at": "0.1..0.2", "sampling": "enriched"}
UNCERTAIN = {"at": "12/4000", "sampling": "enriched", "samples": "separate"}


@pytest.mark.parametrize(
    ("asked", "changed", "message"),
    [
        (WIDTH, {"width": None}, "width = None, relative_width = None, power = None: expected one"),
        (WIDTH, {"relative_width": 0.1}, "width = 0.1, relative_width = 0.1, power = None: expec"),
        (WIDTH, {"power": 0.8}, "width = 0.1, relative_width = None, power = 0.8: expected one of"),
        (WIDTH, {"width": 0}, "width = 0: expected a finite number above 0"),
        (WIDTH, {"width": "x" * 999}, "width = 'xxx"),
        (WIDTH, {"width": 1.5}, "width = 1.5: expected at most 1, since f1 is from 0 to 1"),
        # At these rates F1 is 2 * 0.7 / (0.7 + 99 * 0.01 + 1) = 1.4 / 2.69.
        (WIDTH, {"width": None, "relative_width": 2}, "relative_width = 2.0: expected at most 1.9"),
        (WIDTH, {"metric": "auc"}, "metric = 'auc': expected a metric of labels; plan_scores"),
        (WIDTH, {"tpr": 1.2}, "tpr = 1.2: expected a number from 0 to 1"),
        (WIDTH, {"at": "12/4000"}, "at = '12/4000': expected a stated prevalence unless sampling"),
        (WIDTH, {"at": "population"}, "at = 'population': expected a stated prevalence, such as 0"),
        (WIDTH, {"at": "test set", "sampling": "enriched"}, "at = 'test set': expected a stated p"),
        (WIDTH, RANGE, "at = '0.1..0.2': expected a stated prevalence: plan for each end of the "),
        (WIDTH, {"agreement": 0.5}, "agreement = 0.5: expected 0 for the width of an interval"),
        (WIDTH, {"samples": "separate"}, "samples = 'separate': expected 'same' for the width of "),
        (WIDTH, {"tpr": (0.7, 0.8)}, "tpr = (0.7, 0.8): expected a number from 0 to 1"),
        (WIDTH, {"assurance": 0.3}, "assurance = 0.3: expected a number from 0.5 to 0.99"),
        (WIDTH, {"confidence": 95}, "confidence = 95: expected a number from 0.5 to 0.99"),
        (WIDTH, {"sampling": "any"}, "sampling = 'any': expected one of 'random', 'stratified', '"),
        (WIDTH, {"total": 1}, "total = 1: expected a whole number from 2 to 1,000,000,000"),
        (WIDTH, {"metric": "precision", "tpr": 0, "fpr": 0}, "tpr = 0, fpr = 0: "),
        (WIDTH, {"metric": "positive_likelihood_ratio", "fpr": 0}, "tpr = 0.7, fpr = 0: "),
        (MODELS, {"tpr": (0.7, 0.8, 0.9)}, "tpr = (0.7, 0.8, 0.9): expected a number from 0 to 1,"),
        (MODELS, {"fpr": (0.1, 2)}, "fpr = 2: expected a number from 0 to 1"),
        (MODELS, {"assurance": 0.8}, "assurance = 0.8: expected no assurance with a power"),
        (MODELS, {"power": 0.1}, "power = 0.1: expected a number from 0.5 to 0.99"),
        (MODELS, {"agreement": 2}, "agreement = 2: expected a number from 0 to 1"),
        (MODELS, {"samples": "other"}, "samples = 'other': expected 'same' or 'separate'"),
        (MODELS, {"samples": "separate", "agreement": 0.5}, "agreement = 0.5: expected 0 for sepa"),
        (MODELS, UNCERTAIN, "at = '12/4000': expected a stated prevalence for separate samples, s"),
        (MODELS, {"tpr": 0.7}, "tpr = 0.7, fpr = 0.1: both models have the same f1"),
        (PATIENTS, {"rows_per_group": 1}, "rows_per_group = 1: expected a finite number above 1"),
        (PATIENTS, {"rows_per_group": None}, "intraclass_correlation = 0.3: expected None witho"),
        (PATIENTS, {"intraclass_correlation": None}, "intraclass_correlation = None: expected a"),
        (PATIENTS, {"intraclass_correlation": 2}, "intraclass_correlation = 2: expected a numbe"),
        (PATIENTS, {"size_variation": -1}, "size_variation = -1: expected a number from 0 to 5"),
        (PATIENTS, {"class_correlation": 0.5}, "class_correlation = 0.5: expected 1 for groups "),
        (PATIENTS, {"total": 30}, "total = 30: expected 4 to 20,000 groups of 10 rows"),
        (PATIENTS, {"width": 0.001}, "width = 0.001: more than 20,000 groups are needed: expecte"),
        (MODELS | GROUPS, {"samples": "separate"}, "rows_per_group = 10: expected None for separ"),
    ],
)
@pytest.mark.slow
def test_what_is_not_planned(asked, changed, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}.{{,200}}$"):
        plan(**{"metric": f1} | asked | changed)


@pytest.mark.slow
def test_what_nobody_can_label_is_not_planned_and_the_message_says_what_is():
    needed = "more than 1,000,000,000 instances are needed: expected"
    width = 0.1 * np.sqrt(by_delta_method(0.01, "random") / 1e9)
    with pytest.raises(ValueError, match=rf"width = 1e-06: {needed} at least about {width:.2g}$"):
        plan(f1, **RARE, at=0.01, width=1e-6)
    with pytest.raises(ValueError, match=rf"relative_width = 0\.1: {needed} at least about \d"):
        plan(f1, **RARE, at=1e-9, relative_width=0.1)
    # Of recalls that are alike the difference has the variance 2 * 0.7 * 0.3 over the positives.
    difference = (1.96 + 0.84) * np.sqrt(0.42 / 5e8)
    said = rf"power = 0\.8: {needed} a difference of at least"
    with pytest.raises(ValueError, match=said) as raised:
        plan(RECALL, tpr=(0.7, 0.700001), fpr=0.1, at=0.5, power=0.8)
    assert float(str(raised.value).split()[-1]) == pytest.approx(difference, rel=0.15)
