import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS
from skewproof.scoring.model_comparison import compare
from skewproof_studies.van_zyl.real_data.flips import drawn_matrices, label_ways, ranking_flips

POSITIVE = np.repeat([True, False], [100, 1900])


def calls(tp, fp):
    """Make predictions with given numbers of true and false positives."""
    return np.repeat([True, False, True, False], [tp, 100 - tp, fp, 1900 - fp])


CAUTIOUS, KEEN = calls(60, 20), calls(90, 190)
WAYS = label_ways(POSITIVE, {"cautious": CAUTIOUS, "keen": KEEN})


def flips(ways=WAYS, metrics=("f1", "f1_i", "accuracy"), draws=400, seed=1, registry=METRICS):
    table = ranking_flips(ways, list(metrics), draws=draws, seed=seed, registry=registry)
    return table.set_index("metric")


def test_winners_are_those_with_the_higher_score():
    table = flips(metrics=("f1", "f1_i", "accuracy", "error_rate"))
    for metric in ("f1", "f1_i", "accuracy"):
        values = {
            name: METRICS[metric].score(POSITIVE, predicted, pos_label=True)
            for name, predicted in (("cautious", CAUTIOUS), ("keen", KEEN))
        }
        assert table.loc[metric, "winner"] == max(values, key=values.get)
    row = table.loc["f1"]
    assert (row["winner"], row["modified"], row["modified_winner"]) == ("cautious", "f1_i", "keen")
    assert row["flips"]
    assert row["flip_confidence"] > 0.95
    # Accuracy has no variant, and fewer errors win.
    columns = ["modified", "modified_winner", "modified_confidence", "flips", "flip_confidence"]
    assert table.loc["accuracy", columns].isna().all()
    wins = table[["winner", "confidence"]]
    assert wins.loc["error_rate"].equals(wins.loc["accuracy"])


def test_draws_repeat_with_their_seed_and_for_other_columns():
    close = label_ways(POSITIVE, {"cautious": CAUTIOUS, "less so": calls(62, 25)})
    pd.testing.assert_frame_equal(flips(close), flips(close))
    assert not flips(close).equals(flips(close, seed=2))
    every, some = (
        drawn_matrices(label_ways(POSITIVE, FIVE), columns, draws=10, seed=4)
        for columns in (list(FIVE), ["third", "cautious"])
    )
    np.testing.assert_allclose(every.tp[:, [3, 0]], some.tp, rtol=1e-12)


def test_a_variant_is_known_by_its_field_not_by_its_key():
    """A key like that of a study's own metric, which may be any."""
    own = parse_metric("2*tp/(2*tp + fp + fn)", key="mine")
    registry = METRICS.extended([own, normalized(own, key="of_rates")])
    registry = registry.extended([parse_metric("tp/(tp + fp)", key="mine_i")])
    row = flips(metrics=("mine", "mine_i", "of_rates"), registry=registry).loc["mine"]
    assert (row["modified"], row["modified_winner"]) == ("of_rates", "keen")
    assert row["flips"]


@pytest.mark.slow
def test_confidence_is_that_of_the_paired_comparison():
    table = flips(draws=5000)
    pair = compare(METRICS["f1"], POSITIVE, KEEN, CAUTIOUS, pos_label=True)
    assert table.loc["f1", "confidence"] == pytest.approx(pair.probability, abs=0.01)


@pytest.mark.slow
def test_two_of_five_that_are_alike_are_told_apart_in_five_percent():
    samples, random = 300, np.random.default_rng(5)
    positive = np.repeat([True, False], [20, 200])
    told_apart = 0
    for seed in range(samples):
        called = random.random((5, 220)) < np.where(positive, 0.7, 0.1)
        ways = label_ways(positive, dict(zip("abcde", called, strict=True)))
        values = METRICS["f1_i"](drawn_matrices(ways, ["a", "b"], draws=200, seed=seed))[1:]
        told_apart += abs(np.mean(values[:, 0] > values[:, 1]) - 0.5) > 0.475
    assert stats.binomtest(told_apart, samples, 0.05).pvalue > 0.01


def test_ties_are_shared():
    ways = label_ways(POSITIVE, {"one": KEEN, "two": KEEN, "three": CAUTIOUS})
    row = flips(ways).loc["f1_i"]
    assert row["winner"] == "one = two"
    assert row["confidence"] > 0.99


def test_undefined_values_do_not_win_and_are_counted():
    # The keen classifier's false positives outnumber its true ones: the root of a negative number.
    registry = METRICS.extended([parse_metric("sqrt(tp - fp)", key="root")])
    row = flips(metrics=["root"], registry=registry).loc["root"]
    assert (row["winner"], row["confidence"]) == ("cautious", 1.0)
    assert row["undefined"] == 0.5


def markedness(tp, fp):
    return tp / (tp + fp) + (1900 - fp) / (2000 - tp - fp) - 1


def test_what_is_undefined_as_observed_does_not_win_but_may_in_a_draw():
    """The precision of a classifier that calls nothing positive is not known."""
    nothing = np.zeros(len(POSITIVE), dtype=bool)
    ways = label_ways(POSITIVE, {"nothing": nothing, "keen": KEEN})
    row = flips(ways, ["markedness"], draws=5000).loc["markedness"]
    # Both, the first alone, the second alone, neither: nobody was called positive by the first.
    random = np.random.default_rng(2)
    positive = random.dirichlet([0.5, 0.5, 90.5, 10.5], 5000)
    negative = random.dirichlet([0.5, 0.5, 190.5, 1710.5], 5000)
    by_first, by_keen = (
        markedness(100 * positive[:, columns].sum(axis=1), 1900 * negative[:, columns].sum(axis=1))
        for columns in ([0, 1], [0, 2])
    )
    assert row["winner"] == "keen"
    assert row["confidence"] == pytest.approx((by_keen > by_first).mean(), abs=0.02)
    assert row["undefined"] == 0


DRAWS = 4000
FIVE = {"cautious": CAUTIOUS, "keen": KEEN, "same": KEEN, "third": calls(70, 60)}
FIVE["all"] = calls(100, 1900)


@pytest.mark.parametrize(("first", "second"), [("cautious", "keen"), ("keen", "same")])
@pytest.mark.slow
def test_two_of_five_are_drawn_as_if_they_were_alone(first, second):
    """Moments of the Dirichlet distribution with 1/2 added to each of two classifiers' four counts;
    also where no count says that the two ever differ."""
    pair = [first, second]
    matrix = drawn_matrices(label_ways(POSITIVE, FIVE), pair, draws=DRAWS, seed=4)
    one, other = (FIVE[name][POSITIVE] for name in pair)
    only_one, only_other = (one & ~other).sum() + 0.5, (other & ~one).sum() + 0.5
    total = 100 + 2
    mean = (only_one - only_other) / total
    variance = ((only_one + only_other) / total - mean**2) / (total + 1)
    drawn = (matrix.tpr[1:, 0] - matrix.tpr[1:, 1]).ravel()
    assert drawn.mean() == pytest.approx(mean, abs=4 * np.sqrt(variance / DRAWS))
    assert drawn.var() == pytest.approx(variance, rel=0.15)


def test_the_first_row_is_what_was_observed():
    matrix = drawn_matrices(label_ways(POSITIVE, FIVE), list(FIVE), draws=1, seed=4)
    assert matrix.tp[0].tolist() == [60, 90, 90, 70, 100]
    assert matrix.tn[0].tolist() == [1880, 1710, 1710, 1840, 0]
    np.testing.assert_allclose(matrix.positives, 100)
    np.testing.assert_allclose(matrix.negatives, 1900)
