"""Measures of clusterings and rankings under imbalance."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, stats
from sklearn.metrics import adjusted_rand_score, fowlkes_mallows_score, rand_score
from sklearn.metrics.cluster import pair_confusion_matrix

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.practice import clusterings, ranked_lists
from skewproof.studies.survey.cluster_imbalance import cluster_sensitivity, cluster_shifts, exact_at
from skewproof.studies.survey.ranking_imbalance import (
    RANKING_MEASURES,
    RankingModel,
    ranking_metric,
    ranking_sensitivity,
    ranking_shifts,
)
from skewproof.studies.survey.report import PARTS, survey_figure, survey_report
from skewproof.studies.survey.two_clusters import CLUSTER_MEASURES

EVERY_CLUSTER_METRIC = pytest.mark.parametrize("key", CLUSTER_MEASURES)
EVERY_MEASURE = pytest.mark.parametrize("measure", RANKING_MEASURES)
LEVELS = [Level(1, 1), Level(1, 2), Level(1, 10), Level(1, 100)]
MODEL = RankingModel(items=60, k=5)

errors = st.floats(0, 0.5)
sizes = st.integers(1, 10**6)


def of_errors(key, small_error, large_error, small, large):
    tp, fp = (1 - 2 * small_error) * small, 2 * large_error * large
    matrix = ConfusionMatrix.from_tp_fp(tp, fp, positives=small, negatives=large)
    return CLUSTER_MEASURES[key](matrix)


def labels_of(small_kept, small_lost, large_kept, large_lost):
    true = np.repeat([0, 0, 1, 1], [small_kept, small_lost, large_kept, large_lost])
    return true, np.repeat([0, 1, 1, 0], [small_kept, small_lost, large_kept, large_lost])


@given(lost=st.integers(0, 5), strayed=st.integers(0, 20))
def test_tables_agree_with_scikit_learn(lost, strayed):
    """Pairs with replacement are those of scikit-learn and every instance with itself."""
    true, predicted = labels_of(10 - lost, lost, 40 - strayed, strayed)
    errors = lost / 10, strayed / 40, 10, 40
    n = true.size
    (apart, only_true), (only_predicted, both) = pair_confusion_matrix(true, predicted)
    both += n
    in_true, in_predicted = both + only_predicted, both + only_true
    chance = in_true * in_predicted / n**2
    assert of_errors("rand", *errors) == pytest.approx((apart + both) / n**2)
    assert of_errors("fowlkes_mallows", *errors) == pytest.approx(
        both / np.sqrt(in_true * in_predicted)
    )
    assert of_errors("adjusted_rand", *errors) == pytest.approx(
        (both - chance) / ((in_true + in_predicted) / 2 - chance)
    )
    assert of_errors("purity", *errors) == pytest.approx(clusterings.purity(true, predicted))


def test_tables_are_the_limit_of_many_instances():
    counts = np.array([7, 3, 30, 10]) * 1000
    for key, other in {
        "rand": rand_score,
        "adjusted_rand": adjusted_rand_score,
        "fowlkes_mallows": fowlkes_mallows_score,
    }.items():
        value = of_errors(key, 0.3, 0.25, 10, 40)
        assert value == pytest.approx(other(*labels_of(*counts)), abs=5e-5)


@EVERY_CLUSTER_METRIC
@given(small_error=errors, large_error=errors, small=sizes, large=sizes)
def test_range_of_tables(key, small_error, large_error, small, large):
    low = 0 if key == "adjusted_rand" else 0.5
    value = of_errors(key, small_error, large_error, small, large)
    assert low - 1e-9 <= value <= 1 + 1e-9
    assert of_errors(key, 0, 0, small, large) == pytest.approx(1)
    swapped = of_errors(key, large_error, small_error, large, small)
    assert swapped == pytest.approx(value, abs=1e-9)


def test_nothing_is_left_at_errors_of_one_half():
    assert of_errors("adjusted_rand", 0.5, 0.5, 10, 700) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("ratio", [2, 10, 1000])
def test_mean_purity_in_closed_form(ratio):
    expected = (ratio + 7 / (12 * ratio)) / (1 + ratio)
    found = exact_at(CLUSTER_MEASURES["purity"], Level(1, ratio))
    assert found.mean == pytest.approx(expected, rel=1e-13)
    assert found.error_estimate < 1e-10


@pytest.mark.parametrize("level", [Level(2, 3), Level(7, 3), Level(1, 1), Level(1, 5)])
def test_purity_along_its_kinks_agrees_with_a_fine_grid(level):
    u = ((np.arange(1000) + 0.5) / 1000)[:, np.newaxis]
    size = level.negatives(100)
    matrix = ConfusionMatrix.from_tp_fp(100 * u, size * u.T, positives=100, negatives=size)
    values = CLUSTER_MEASURES["purity"](matrix)
    found = exact_at(CLUSTER_MEASURES["purity"], level)
    assert found.mean == pytest.approx(values.mean(), abs=1e-6)
    first = [values.mean(axis=1).var() / values.var(), values.mean(axis=0).var() / values.var()]
    np.testing.assert_allclose(found.s1, first, atol=1e-5)
    np.testing.assert_allclose(found.st, 1 - found.s1[::-1])


@EVERY_CLUSTER_METRIC
def test_the_larger_cluster_is_the_smaller_one_of_the_mirrored_level(key):
    one, other = (exact_at(CLUSTER_MEASURES[key], level) for level in (Level(1, 7), Level(7, 1)))
    np.testing.assert_allclose(one.s1, other.s1[::-1], rtol=1e-9)
    assert one.mean == pytest.approx(other.mean, rel=1e-12)


@pytest.fixture(scope="module")
def tables():
    levels = LEVELS[:3]
    options = {"replicates": 8, "log2_samples": 9, "seed": 3}
    return (
        cluster_sensitivity(levels, **options),
        cluster_shifts(levels, levels[0]),
        ranking_sensitivity(MODEL, levels, **options),
        ranking_shifts(MODEL, levels, levels[0]),
    )


def test_exact_and_sampled_indices_agree(tables):
    for table in (tables[0], tables[2]):
        for kind in ("s1", "st"):
            distance = (table[f"sampled_{kind}"] - table[kind]).abs()
            assert (distance < 6 * table[f"{kind}_standard_error"] + 1e-9).all()
            assert (table[f"{kind}_standard_error"] < 0.01).all()
        assert (table["error_estimate"] < 1e-8).all()


def test_small_clusters_are_not_seen_under_imbalance():
    """What the survey says of Rand and of Fowlkes-Mallows; and it holds of the others, too."""
    for key, metric in CLUSTER_MEASURES.items():
        seen = [exact_at(metric, level).st[0] for level in LEVELS]
        assert seen == sorted(seen, reverse=True)
        assert seen[0] > 0.49
        assert seen[-1] < (1e-3 if key in ("rand", "fowlkes_mallows") else 0.1)


def test_shifts_of_clusterings(tables):
    shifts = tables[1].set_index(["measure", "level"])
    assert (shifts["type"] == 1).all()
    assert (shifts["error_estimate"] < 1e-5).all()
    assert shifts.loc[("purity", "1:1"), ["mean", "mean_shift"]].tolist() == pytest.approx(
        [0.75, 0]
    )
    grid = (np.arange(400) + 0.5) / 800
    values = [of_errors("rand", grid[:, np.newaxis], grid, 1, size) for size in (1, 10)]
    expected = np.abs(values[1] - values[0]).mean()
    assert shifts.loc[("rand", "1:10"), "mean_shift"] == pytest.approx(expected, abs=1e-4)


def test_a_scramble_that_sees_a_constant_is_left_out():
    table = cluster_sensitivity([Level(1, 10**6)], replicates=2, log2_samples=4, seed=1)
    of_purity = table[table["measure"] == "purity"]
    assert of_purity["sampled_s1"].isna().all()
    assert of_purity["s1"].notna().all()


def simulated(auc, odds, lists=4000):
    """Means and standard errors over lists that are drawn and scored one by one."""
    random = np.random.default_rng(5)
    rate = MODEL.items / (1 + odds)
    found = {measure: [] for measure in RANKING_MEASURES}
    for _ in range(lists):
        counts = random.poisson([rate, MODEL.items - rate])
        relevance = np.repeat([1, 0], counts)
        scores = random.normal(size=relevance.size)
        scores[: counts[0]] += np.sqrt(2) * stats.norm.ppf(auc)
        top = round(MODEL.k * ranked_lists.precision_at_k(relevance, scores, k=MODEL.k))
        found["precision_at_k"].append(top / MODEL.k)
        found["average_precision_at_k"].append(
            ranked_lists.average_precision_at_k(relevance, scores, k=MODEL.k)
        )
        found["recall_at_k"].append(top / rate)
        gain = ranked_lists.dcg(relevance, scores, k=MODEL.k)
        found["ndcg"].append(gain / (1 / np.log2(np.arange(MODEL.k) + 2)).sum())
        found["mean_reciprocal_rank"].append(ranked_lists.reciprocal_rank(relevance, scores))
    return {key: (np.mean(x), np.std(x) / np.sqrt(lists)) for key, x in found.items()}


@pytest.mark.parametrize(("auc", "odds"), [(0.8, 1), (0.6, 9)])
def test_expected_values_are_those_of_drawn_lists(auc, odds):
    for measure, (mean, error) in simulated(auc, odds).items():
        assert abs(MODEL.value(measure, auc, odds) - mean) < 5 * error, measure


@EVERY_MEASURE
@given(auc=st.floats(0.5, 0.999), odds=st.floats(0.1, 11), better=st.floats(0, 1))
def test_range_and_order_of_expected_values(measure, auc, odds, better):
    value = float(MODEL.value(measure, auc, odds))
    assert 0 <= value <= 1
    improved = float(MODEL.value(measure, auc + better * (0.9999 - auc), odds))
    assert improved >= value - 1e-12


def test_a_random_order():
    for odds in (1, 9):
        share = 1 / (1 + odds)
        large = RankingModel(items=10_000, k=10)
        for measure in ("precision_at_k", "average_precision_at_k", "ndcg"):
            assert large.value(measure, 0.5, odds) == pytest.approx(share)
        assert large.value("recall_at_k", 0.5, odds) == pytest.approx(10 / 10_000)
        # The rank of the first of independent items is geometric.
        expected = -share * np.log(share) / (1 - share)
        assert large.value("mean_reciprocal_rank", 0.5, odds) == pytest.approx(expected)


def test_a_nearly_perfect_order():
    large = RankingModel(items=10_000, k=10)
    for measure in set(RANKING_MEASURES) - {"recall_at_k"}:
        assert large.value(measure, 1 - 1e-12, 9) == pytest.approx(1)
    assert large.value("recall_at_k", 1 - 1e-12, 9) == pytest.approx(10 / 1000)


def test_the_rule_agrees_with_adaptive_quadrature():
    relevant, others, distance = 20, 40, np.sqrt(2) * stats.norm.ppf(0.9)

    def first(z):
        above = relevant * stats.norm.sf(z) + others * stats.norm.sf(z + distance)
        return relevant * stats.norm.pdf(z) * np.exp(-above)

    expected, _ = integrate.quad(first, -8, 8, epsabs=1e-12, limit=200)
    found = RankingModel(items=60, k=1).value("precision_at_k", 0.9, 2)
    assert found == pytest.approx(expected, rel=1e-10)


def test_the_best_list_has_no_more_than_the_relevant_items():
    few = RankingModel(items=22, k=10)  # 2 relevant items on average
    ideal = 1 + 1 / np.log2(3)
    expected = few.rank_weights(np.array([2.0]))["ndcg"][0]
    np.testing.assert_allclose(expected, 1 / np.log2(np.arange(10) + 2) / ideal)


def test_the_metric_spans_the_levels():
    metric = ranking_metric(MODEL, "precision_at_k", LEVELS)
    for share, odds in ((0, 1), (0.5, 10), (1, 100)):
        matrix = ConfusionMatrix.from_tp_fp(0.6, share, positives=1, negatives=1)
        expected = MODEL.value("precision_at_k", 0.8, odds)
        assert metric(matrix) == pytest.approx(expected, rel=1e-12)


def test_shifts_of_rankings(tables):
    shifts = tables[3].set_index(["measure", "level"])
    assert (shifts["type"] == 1).all()
    auc = 0.5 + (np.arange(2000) + 0.5) / 4000
    values = [MODEL.value("ndcg", auc, odds) for odds in (1, 10)]
    row = shifts.loc[("ndcg", "1:10")]
    assert row["mean"] == pytest.approx(values[1].mean(), abs=1e-4)
    assert row["mean_shift"] == pytest.approx(np.abs(values[1] - values[0]).mean(), abs=1e-4)


def test_report(tables):
    text = survey_report(*tables, model=MODEL)
    assert "Lists of 60 items on average with binormal scores, k = 5." in text
    assert "| purity          | 0.75" in text
    assert "sampled indices beside them in `cluster_indices.csv`" in text
    far = tables[0].assign(sampled_s1=2.0)
    text = survey_report(far, *tables[1:], model=MODEL)
    assert "Of the 48 sampled indices" in text
    assert "24 are within 4 standard errors; the others are purity 1:1 smaller s1" in text


def test_figure(tables):
    figure = survey_figure(*tables)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[:3] == ["Clusterings", "Errors in the smaller cluster", "Rankings"]
    lines = [line.get_label() for line in figure.axes[2].lines]
    assert lines[:2] == ["precision@k", "average precision@k"]
    heights = [bar.get_height() for bar in figure.axes[3].patches]
    assert sum(heights) == pytest.approx(len(RANKING_MEASURES))
    assert len(heights) == len(PARTS) * len(RANKING_MEASURES)
