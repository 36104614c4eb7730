from fractions import Fraction

import numpy as np
import pytest
from scipy import optimize, stats

from skewproof.curves.areas.area import AREAS, area
from skewproof.curves.areas.area_interval import (
    DRAWN,
    STEPS,
    area_interval,
)
from skewproof.curves.counts import score_counts
from skewproof.curves.thresholds import mcc_f1_score
from skewproof.prevalence.prevalence import RAREST, Prevalence

FEW = {"draws": 60}


def numbers(interval):
    return interval.value, interval.low, interval.high


def scored(positives=8, negatives=40, seed=0):
    random = np.random.default_rng(seed)
    true = np.repeat([1, 0], [positives, negatives])
    return true, random.normal(1.5 * true).round(1)


@pytest.mark.parametrize("kind", AREAS)
@pytest.mark.slow
def test_an_interval_has_the_value_inside_and_stays_in_range(kind):
    interval = area_interval(kind, *scored(), **FEW)
    assert interval.value == area(kind, *scored())
    assert interval.low < interval.value < interval.high <= 1
    assert area_interval(kind, *scored(), **FEW) == interval
    assert (area_interval(kind, *scored(), **FEW, rng=1) != interval) == (kind in DRAWN)


@pytest.mark.parametrize("kind", AREAS)
@pytest.mark.slow
def test_perfect_scores_are_not_known_to_be_perfect(kind):
    true = np.repeat([1, 0], [5, 50])
    interval = area_interval(kind, true, true, **FEW)
    assert interval.low < 0.9
    assert interval.high == pytest.approx(1)
    worst = area_interval(kind, true, -true, **FEW)
    assert worst.high > area(kind, true, -true) + 0.02


@pytest.mark.slow
def test_a_rate_is_between_those_of_half_a_miss_and_half_a_hit_more():
    """The whole area is the rate if 7 of 10 positives are above all negatives and 3 below.

    It is drawn from Beta(7, 3 + 1/2) for the lower end, and from Beta(7 + 1/2, 3) for the upper.
    """
    true, scores = np.repeat([1, 0, 1], [7, 10**6, 3]), np.repeat([2, 1, 0], [7, 10**6, 3])
    interval = area_interval("partial_auc", true, scores, max_fpr=1, draws=20_000)
    low, high = stats.beta(7, 3.5).ppf(0.025), stats.beta(7.5, 3).ppf(0.975)
    assert numbers(interval) == pytest.approx((0.7, low, high), abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["average_precision", "balanced_average_precision"])
def test_intervals_cover_where_scores_are_tied(kind):
    """0/1 scores of 100 and 1000: 95 % are covered with a standard error of 1.8 %.

    tests/reference/curves/test_areas.py has scores that are not tied.
    """
    true = np.repeat([1, 0], [100, 1000])
    value = area(kind, [1, 1, 0, 0], [1, 0, 1, 0], sample_weight=[6, 4, 10, 90])
    covered = 0
    for seed in range(150):
        scores = np.random.default_rng(seed).random(true.size) < np.where(true, 0.6, 0.1)
        interval = area_interval(kind, true, scores, draws=200)
        covered += interval.low <= value <= interval.high
    assert covered >= stats.binom(150, 0.95).ppf(0.001)


def test_an_area_that_is_never_below_zero_has_an_interval_that_is_not():
    interval = area_interval("normalized_precision_recall_area", [1, 0], [0, 1], **FEW)
    assert (interval.value, interval.low) == (0, 0)


def test_options_are_the_area_s():
    true, scores = scored()
    for kind, option in (
        ("partial_auc", {"max_fpr": 0.5}),
        ("h_measure", {"costs": "prior"}),
        ("auc", {"ties": "optimistic"}),
    ):
        given = area_interval(kind, true, scores, **FEW, **option)
        assert given.value == area(kind, true, scores, **option) != area(kind, true, scores)
        assert given.low < given.value < given.high


def placements(true, scores, *, of_tie=Fraction(1, 2)):
    """Return for each instance the share of the other class that is ranked correctly."""
    above = [
        [Fraction(int(score > other)) + of_tie * int(score == other) for other in scores[true == 0]]
        for score in scores[true == 1]
    ]
    by_negative = zip(*above, strict=True)
    return [
        [sum(some) / len(some) for some in kind] for kind in (above, list(map(list, by_negative)))
    ]


@pytest.mark.parametrize(
    ("ties", "of_tie"), [("expected", Fraction(1, 2)), ("optimistic", 1), ("pessimistic", 0)]
)
def test_the_ends_of_the_auc_are_t_standard_errors_away(ties, of_tie):
    """The standard error is the one at the end, from shares of the largest variance."""
    true, scores = scored(6, 9)
    kinds = placements(true, scores, of_tie=of_tie)
    value = sum(kinds[0]) / 6
    assert value == sum(kinds[1]) / 9
    parts = []
    for kind in kinds:
        squares = sum((placement - value) ** 2 for placement in kind)
        # One instance with half of the largest variance is added.
        share = (squares + Fraction(1, 2)) / ((len(kind) - 1) * value * (1 - value) + 1)
        parts.append(share / len(kind))
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 12 + parts[1] ** 2 / 18)
    t = stats.t(float(freedom)).ppf(0.95)

    def beyond(end):
        return abs(end - float(value)) - t * (end * (1 - end) * float(sum(parts))) ** 0.5

    ends = [
        optimize.brentq(beyond, *sorted((outer, float(value))), xtol=1e-13)
        for outer in (1e-9, 1 - 1e-9)
    ]
    interval = area_interval("auc", true, scores, ties=ties, confidence=0.9)
    assert numbers(interval) == pytest.approx((float(value), *ends), abs=1e-10)


@pytest.mark.slow
def test_the_interval_of_the_auc_covers_with_few_positives():
    """Three positives: at least 93 % are covered, with a standard error of 0.8 %."""
    true, value = np.repeat([1, 0], [3, 111]), stats.norm.cdf(2**0.5)
    random, covered = np.random.default_rng(0), 0
    for _ in range(1000):
        interval = area_interval("auc", true, random.normal(2.0 * true))
        covered += interval.low <= value <= interval.high
    assert covered >= 930


def test_one_instance_of_each_class_says_little_about_the_auc():
    perfect = area_interval("auc", [1, 0], [1, 0])
    assert (perfect.value, perfect.high) == (1, 1)
    assert perfect.low < 0.2
    worst = area_interval("auc", [1, 0], [0, 1])
    assert (worst.low, worst.high) == pytest.approx((0, 1 - perfect.low), abs=1e-12)


@pytest.mark.parametrize("kind", ["auc", "partial_auc", "balanced_average_precision"])
@pytest.mark.slow
def test_an_area_of_rates_has_one_interval_at_every_prevalence(kind):
    true, scores = scored()
    here = area_interval(kind, true, scores, at="test set", **FEW)
    for at in ("1:1000", 0.9, "0.001..0.01"):
        there = area_interval(kind, true, scores, at=at, **FEW)
        assert numbers(there) == pytest.approx(numbers(here), abs=1e-12)
        assert there.remark == ""


@pytest.mark.slow
def test_the_value_and_its_interval_are_those_of_repeated_instances():
    """Many of them, of which an instance more or less changes little."""
    true, scores = scored(1000, 2000)
    interval = area_interval("average_precision", true, scores, at="1:20")
    weights = np.where(true, 0.1, 1)
    repeated = area_interval(
        "average_precision", true, scores, sample_weight=weights, at="test set", rng=1
    )
    assert interval.value == pytest.approx(repeated.value, rel=1e-12)
    width = repeated.high - repeated.low
    assert numbers(interval) == pytest.approx(numbers(repeated), abs=width / 8)


def test_a_calibrated_one_is_at_1_1_unless_it_is_said_where():
    true, scores = scored()
    interval = area_interval("calibrated_average_precision", true, scores, **FEW)
    assert str(interval.at) == "1:1"
    assert interval.value == pytest.approx(area("balanced_average_precision", true, scores))
    rare = area_interval("calibrated_average_precision", true, scores, at="1:100", **FEW)
    plain = area_interval("average_precision", true, scores, at="1:100", **FEW)
    assert numbers(rare) == numbers(plain)


def one_step(share):
    """Compute average precision of a score of 9,000 of 10,000 positives and 100 of 10,000 others.

    The curves are nearly all alike, so that ends are those of the prevalence.
    """
    return 0.9 * 0.9 * share / (0.9 * share + 0.01 * (1 - share)) + 0.1 * share


@pytest.mark.parametrize(
    ("at", "posterior"),
    [
        (Prevalence.sampled(2, 400), stats.beta(2.5, 398.5)),
        (Prevalence.sampled(0, 400), stats.beta(0.5, 400.5)),
        (Prevalence.believed(2, 100), stats.beta(2, 100)),
    ],
)
def test_a_prevalence_that_is_not_sure_is_drawn(at, posterior):
    sizes = [9000, 1000, 100, 9900]
    true, scores = np.repeat([1, 1, 0, 0], sizes), np.repeat([1, 0, 1, 0], sizes)
    interval = area_interval("average_precision", true, scores, at=at)
    assert interval.value == pytest.approx(one_step(max(at.share, RAREST)), rel=1e-9)
    low, high = (one_step(posterior.ppf(end)) for end in (0.025, 0.975))
    width = high - low
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=width / 10)


@pytest.mark.slow
def test_over_a_range_the_interval_is_an_envelope():
    true, scores = scored()
    for kind in ("average_precision", "h_measure"):
        interval = area_interval(kind, true, scores, at=Prevalence.between(0.001, 0.1), **FEW)
        parts = [area_interval(kind, true, scores, at=at, **FEW) for at in (0.001, 0.01, 0.1)]
        assert interval.low <= min(part.low for part in parts) + 1e-12
        assert interval.high >= max(part.high for part in parts) - 1e-12
    ends = interval.low, interval.high
    assert ends != (parts[1].low, parts[1].high)
    # Average precision rises with prevalence, so that its extremes are at the range's ends.
    interval = area_interval("average_precision", true, scores, at="0.001..0.1", **FEW)
    rare, common = (
        area_interval("average_precision", true, scores, at=at, **FEW) for at in (0.001, 0.1)
    )
    assert (interval.low, interval.high) == pytest.approx((rare.low, common.high), abs=1e-12)


def test_what_a_perfect_ranking_says_about_rare_positives():
    true = np.repeat([1, 0], [5, 50])
    interval = area_interval("average_precision", true, true, at="1:1000", **FEW)
    assert "No negative of 50 is ranked as high as a positive: precision is 1" in interval.remark
    # The upper end of Jeffreys' interval of 0 of 2,510 is 1 in 1,000.
    assert stats.beta(0.5, 2510.5).ppf(0.975) == pytest.approx(0.001, rel=1e-3)
    assert "at least 1/2 at 1:1000 takes about 2,510 negatives" in interval.remark
    for at in (0.5, Prevalence.sampled(9, 9), Prevalence.sampled(0, 9)):
        assert "takes" not in area_interval("average_precision", true, true, at=at, **FEW).remark
    ranged = area_interval("average_precision", true, true, at=f"{1 / 1001}..0.1", **FEW)
    assert "takes about 2,510 negatives" in ranged.remark
    assert area_interval("average_precision", true, true, **FEW).remark == ""
    tied = area_interval("average_precision", true, np.append(true[:-1], 1), at="1:1000", **FEW)
    assert tied.remark == ""


def test_weights_count_as_many_instances_as_they_are_worth():
    true, scores = scored()
    plain = area_interval("auc", true, scores, **FEW)
    same = area_interval("auc", true, scores, sample_weight=np.full(true.size, 0.25), **FEW)
    assert numbers(same) == pytest.approx(numbers(plain))
    # Half of the weights are 9 times the others: (10/2)^2/((1 + 81)/2) = 0.61 of the instances.
    uneven = np.where(np.arange(true.size) % 2, 0.9, 0.1)
    fewer = area_interval("auc", true, scores, sample_weight=uneven, draws=2000)
    assert fewer.high - fewer.low > 1.1 * (plain.high - plain.low)


@pytest.mark.parametrize("kind", ["auc", "average_precision"])
def test_weights_that_are_whole_numbers_are_repeated_instances(kind):
    true, scores = scored()
    weights = 1 + np.arange(true.size) % 3
    weighted = area_interval(kind, true, scores, sample_weight=weights, **FEW)
    repeated = area_interval(kind, np.repeat(true, weights), np.repeat(scores, weights), **FEW)
    assert numbers(weighted) == pytest.approx(numbers(repeated), rel=1e-12)


@pytest.mark.parametrize("kind", DRAWN)
def test_only_the_corners_of_the_curve_matter(kind):
    """A long run of negatives is drawn at once."""
    true, scores = scored(5, 400)
    counts = score_counts(true, scores)[0]
    classes = np.sign(np.diff(counts.tp)) - np.sign(np.diff(counts.fp))
    inside = np.flatnonzero((classes[1:] == classes[:-1]) & (classes[1:] != 0)) + 1
    kept = np.setdiff1d(np.arange(counts.tp.size), inside)
    assert kept.size < counts.tp.size / 2
    fewer = counts._replace(tp=counts.tp[kept], fp=counts.fp[kept])
    last = (1.0,) if kind in STEPS else ()
    assert DRAWN[kind](fewer, *last) == pytest.approx(DRAWN[kind](counts, *last), abs=1e-13)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": mcc_f1_score}, "kind = <function mcc_f1_score.*: expected one of auc"),
        ({"kind": "mcc_f1"}, "kind = 'mcc_f1': expected one of auc"),
        ({"kind": "partial_auc", "max_fpr": 2}, "max_fpr = 2: expected a number above 0"),
        ({"kind": "precision_recall_gain_area", "hull": True}, "hull = True: expected False for"),
        ({"costs": 3}, "costs = 3: expected ties with auc"),
        ({"kind": "h_measure", "ties": "expected"}, "ties = 'expected': expected costs with"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        area_interval(**{"kind": "auc", "y_true": [1, 0], "y_score": [1, 0]} | options)
